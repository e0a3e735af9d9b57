/** docs/columns.md: the columns of recordings and of `berth simulate`, from their definitions. */
import { COLUMN_MODES, COLUMN_TEXTS } from '../../hil/contract/columns.ts';
import {
  BODY_COLUMNS,
  CONSTRAINT_COLUMNS,
  CONTACT_COLUMNS,
  TOUCH_COLUMNS,
  ENERGY_COLUMNS,
  type RunColumn,
  SUBSTEPS_COLUMN,
  TIME_COLUMN,
} from '../../server/cli/run-columns.ts';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n');
const code = (name: string): string => `\`${name}\``;

const runTable = (prefix: string, columns: readonly RunColumn[]): string =>
  table(
    ['column', 'unit', 'what'],
    columns.map(({ name, unit, what }) => [code(prefix + name), unit, what]),
  );

/** Text of the page. */
export function columnPage(): string {
  const modes = Object.entries(COLUMN_MODES).map(
    ([key, words]) =>
      `- ${code(key)}: ${words.replaceAll(/([.:]) (?=\w+: |\w+, \w+: )/g, '$1\n  ')}`,
  );
  return `# Columns

\`npm run docs:columns\` writes this page from the definitions in the code, and a test compares the two. Do not edit it.
The unit is the last word of a name; \`1\` is a number, share, flag or index. How to get them out: [export.md](export.md).

## Of a recording: \`/berth/tick\`

One row a tick; the telemetry row of the loop, in SI units. In the file the names are in lower case: \`normal_force_n\`.
The schema in each file has unit, frame and mode of every column as a comment.

**\`normal_force_N\`, \`friction_force_N\`, \`penetration_m\` and \`model_…\` are never measured.** In mode \`hardware\` they are those of a shadow
contact at the measured pose: where model and hardware touch differently, they differ from the force plate by any amount.
What was measured is \`measured_force_x_N\` and the five columns after it.

Words of the column *mode*:

${modes.join('\n')}

${table(
  ['column', 'unit', 'frame', 'mode', 'what'],
  COLUMN_TEXTS.map(({ name, unit, frame, mode, what }) => [
    code(name),
    unit,
    frame === '' ? '—' : frame,
    mode,
    what,
  ]),
)}

## Of \`berth simulate\`

CSV and JSON have one row for each \`--every\`. The world is the frame. BODY, CONTACT and CONSTRAINT are
names of the scenario: \`tool-plate.normal_force_N\`.

${runTable('', [TIME_COLUMN, SUBSTEPS_COLUMN])}

Each body, links of trees included:

${runTable('BODY.', BODY_COLUMNS)}

Each contact; forces act on its first body, i:

${runTable('CONTACT.', Object.values(CONTACT_COLUMNS))}

Each contact of free form has these beside them, 0 while it does not touch:

${runTable('CONTACT.', Object.values(TOUCH_COLUMNS))}

Each constraint; what it does to its first body, and how far its rows are from 0:

${runTable('CONSTRAINT.', Object.values(CONSTRAINT_COLUMNS))}

The ledger of the energy:

${runTable('energy.', Object.values(ENERGY_COLUMNS))}
`;
}
