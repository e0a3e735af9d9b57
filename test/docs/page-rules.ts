/** What a page of documentation has to keep so that it reads well in an editor: short lines, short cells, tables without padding. */

const LINE_LIMIT = 160;
const CELL_LIMIT = 120;

/** Lines of a page outside fenced code, with their numbers. */
function proseLines(page: string): [number: number, line: string][] {
  let code = false;
  return page.split('\n').flatMap((line, i): [number, string][] => {
    const fence = line.trimStart().startsWith('```');
    if (fence) code = !code;
    return fence || code ? [] : [[i + 1, line]];
  });
}

function tableComplaints(row: string): string[] {
  const cells = row
    .trim()
    .split(/(?<!\\)\|/)
    .slice(1, -1);
  const rule = cells.every((cell) => /^\s*:?-+:?\s*$/.test(cell));
  const padded = rule
    ? cells.some((cell) => /-{4}/.test(cell))
    : cells.some((cell) => /\S {2,}$|^ {2,}\S/.test(cell));
  const longest = Math.max(...cells.map((cell) => cell.trim().length));
  return [
    ...(padded ? ['a padded table'] : []),
    ...(longest > CELL_LIMIT ? [`a cell of ${longest} characters`] : []),
  ];
}

/** What is wrong with the layout of a page, each as `line: what`. */
export function layoutComplaints(page: string): string[] {
  return proseLines(page).flatMap(([number, line]) => {
    const complaints = line.trimStart().startsWith('|')
      ? tableComplaints(line)
      : line.length > LINE_LIMIT
        ? [`a line of ${line.length} characters`]
        : [];
    return complaints.map((what) => `${number}: ${what}`);
  });
}

/** The place that a heading gets in the address of a page: as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Anchors of all headings of a page. */
export function anchorsOf(page: string): Set<string> {
  const headings = proseLines(page).filter(([, line]) => /^#+ /.test(line));
  return new Set(headings.map(([, line]) => anchorOf(line.replace(/^#+ /, '').trim())));
}

/** Targets of the links of a page that stay in the repository, with the line of each. */
export function localLinks(page: string): [number: number, target: string][] {
  return proseLines(page).flatMap(([number, line]) =>
    [...line.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]): [number, string] => [number, target])
      .filter(([, target]) => !/^[a-z]+:/.test(target)),
  );
}
