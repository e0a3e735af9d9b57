/** Rows of cells as lines for people: columns as wide as their widest cell, two spaces apart. */

/** @param isRight whether a column is flush right, as numbers are */
export function alignedLines(
  rows: readonly (readonly string[])[],
  isRight: (column: number) => boolean,
): string[] {
  const widths = rows[0].map((_, c) =>
    rows.reduce((widest, row) => Math.max(widest, row[c].length), 0),
  );
  return rows.map((row) =>
    row
      .map((cell, c) => (isRight(c) ? cell.padStart(widths[c]) : cell.padEnd(widths[c])))
      .join('  ')
      .trimEnd(),
  );
}
