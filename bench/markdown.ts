/** Lists for Markdown pages, in lines that fit an editor. */

const WIDTH = 120;

/** One item a text; an item goes on under its text, indented. */
export function formatList(items: readonly string[]): string {
  return items.map((item) => wrap(`- ${item}`, WIDTH, '  ')).join('\n');
}

function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent + word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}
