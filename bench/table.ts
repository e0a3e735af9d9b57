/** A table for the terminal and for documents alike: Markdown with aligned columns. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const width = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i].length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(width[i])).join(' | ')} |`;
  const rule = `|${width.map((w) => '-'.repeat(w + 2)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
