/** The layout tables of docs/protocol.md, made from the layout itself; a test compares them. */
import { FRAMES, HEADER, LAYOUT_HASH, type Field } from './layout.ts';

function rows(fields: readonly Field[]): string[] {
  return [
    '| offset | type | field | unit | meaning |',
    '|---:|---|---|---|---|',
    ...fields.map((f) => {
      const type = f.count === 1 ? f.type : `${f.type} × ${f.count}`;
      return `| ${f.offset} | ${type} | ${f.name} | ${f.unit === '' ? '–' : f.unit} | ${f.note} |`;
    }),
  ];
}

/** Markdown of every frame's layout. */
export function layoutTables(): string {
  const lines = [
    `Layout hash: \`0x${LAYOUT_HASH.toString(16).padStart(8, '0')}\``,
    '',
    '### Header',
    '',
    ...rows(HEADER),
  ];
  for (const frame of FRAMES) {
    const type = `0x${frame.type.toString(16).padStart(2, '0')}`;
    lines.push(
      '',
      `### ${frame.name} ${type}`,
      '',
      `${frame.length + 4} bytes with the CRC.`,
      '',
      ...rows(frame.fields),
    );
  }
  return lines.join('\n');
}
