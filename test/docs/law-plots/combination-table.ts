/** Which law works with which pair, from the registry: what each law needs against what each pair supplies. */
import type { LawDefinition } from '../../../src/contact/component.ts';
import {
  FRICTION_LAWS,
  missingKinematics,
  NORMAL_LAWS,
  PAIRS,
  ROLLING_LAWS,
} from '../../../src/contact/registry.ts';

const BEGIN = '<!-- combinations: written by the script of this page -->';
const END = '<!-- end of combinations -->';

const TABLES = {
  normal: NORMAL_LAWS,
  friction: FRICTION_LAWS,
  rolling: ROLLING_LAWS,
} as const;

/** A law as the pages name it: its role, its kind, its page. */
export interface ListedLaw {
  readonly role: keyof typeof TABLES;
  readonly kind: string;
  readonly page: string;
  readonly definition: LawDefinition<never, unknown>;
}

/** Every registered law. */
export function listedLaws(): ListedLaw[] {
  return (Object.keys(TABLES) as (keyof typeof TABLES)[]).flatMap((role) =>
    Object.entries(TABLES[role] as Record<string, LawDefinition<never, unknown>>).map(
      ([kind, definition]) => ({ role, kind, page: `${role}-${kind}.md`, definition }),
    ),
  );
}

/** The table as Markdown: a row for each law, a column for each pair. */
export function combinationTable(): string {
  const pairs = Object.entries(PAIRS);
  const head = ['law', ...pairs.map(([kind]) => kind)];
  const rows = listedLaws().map(({ role, kind, page, definition }) => [
    `${role} [${kind}](${page})`,
    ...pairs.map(([, pair]) => {
      const missing = missingKinematics(pair, definition, role);
      return missing.length === 0 ? 'yes' : `no: ${missing.join(', ')}`;
    }),
  ]);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The page with the table put between its two marks. */
export function withTable(page: string, table: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin)
    throw new Error(`docs/laws/README.md lacks "${BEGIN}" and "${END}"`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${table}\n\n${page.slice(end)}`;
}
