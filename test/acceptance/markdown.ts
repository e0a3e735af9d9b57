/** Lists for Markdown pages, in lines that fit an editor. */

const WIDTH = 120;

/** One item a text; an item goes on under its text, indented. */
export function formatList(items: readonly string[]): string {
  return items.map((item) => wrap(`- ${item}`, '  ')).join('\n');
}

/** Requirement and result of each line, under its name and verdict. */
export function formatVerdicts(
  lines: readonly (readonly [what: string, pass: string, measured: string, verdict: string])[],
): string {
  return lines
    .map(([what, pass, measured, verdict]) => {
      const about = [`asked: ${pass}`, `measured: ${measured}`];
      const under = about.map((text) => wrap(`  - ${text}`, '    '));
      return [wrap(`- ${what}: **${verdict}**`, '  '), ...under].join('\n');
    })
    .join('\n');
}

/** The text in lines of a page's width where its words allow; all but the first begin with the indent. */
export function wrap(text: string, indent = ''): string {
  const start = /^ */.exec(text)![0];
  const [first, ...words] = text.trim().split(' ');
  const lines = [start + first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length > WIDTH) lines.push(indent + word);
    else lines[lines.length - 1] = longer;
  }
  return lines.join('\n');
}
