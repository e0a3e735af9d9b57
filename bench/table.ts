/** A Markdown table. A terminal gets aligned columns; a file gets none, because each change would move every line. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  aligned = process.stdout.isTTY,
): string {
  const width = head.map((name, i) =>
    aligned ? Math.max(name.length, ...rows.map((row) => row[i].length)) : 0,
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(width[i])).join(' | ')} |`;
  const rule = `|${width.map((w) => '-'.repeat(Math.max(3, w + 2))).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
