/** Lines of Abaqus and CalculiX input: keywords, data, nodes and sets of nodes. */
import type { MeshLines } from './mesh-lines.ts';
import type { MeshNodes } from './mesh-nodes.ts';

/** Most nodes of one line of a generated set. */
const MOST_GENERATED = 1e7;
/** Keywords that would place or copy a mesh. */
export const REFUSED_KEYWORDS = ['INCLUDE', 'NGEN', 'NFILL', 'NCOPY', 'ELGEN', 'ELCOPY', 'SYSTEM'];

/** A keyword line: name and parameters in capitals, values as they stand. */
export interface Keyword {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Reads a keyword line. */
export function keywordOf(line: string): Keyword {
  const [head, ...rest] = line.slice(1).split(',');
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const [key, value = ''] = part.split('=');
    parameters.set(key.trim().toUpperCase(), value.trim());
  }
  return { name: head.trim().toUpperCase(), parameters };
}

/** Whether the next line belongs to the keyword before it. */
export function dataFollows(lines: MeshLines): boolean {
  const line = lines.peek();
  return line !== null && (!line.startsWith('*') || line.startsWith('**'));
}

/** The next data line; null at the next keyword. */
export function dataLine(lines: MeshLines): string | null {
  while (dataFollows(lines)) {
    const line = lines.next();
    if (line !== null && line !== '' && !line.startsWith('**')) return line;
  }
  return null;
}

/** Numbers between commas; an empty one is 0. @throws BerthError for a word that is no number */
export function numbersOf(lines: MeshLines, line: string, field: string): number[] {
  const words = line.replace(/,\s*$/, '').split(',');
  const found = words.map((word) => (word.trim() === '' ? 0 : Number(word.replace(/d/i, 'e'))));
  if (found.every(Number.isFinite)) return found;
  throw lines.error(field, 'to be numbers', line);
}

/** Nodes after *NODE. */
export function readNodes(lines: MeshLines, builder: MeshNodes, set: string | undefined): void {
  for (let line = dataLine(lines); line !== null; line = dataLine(lines)) {
    const [tag, x = 0, y = 0, z = 0] = numbersOf(lines, line, 'a node');
    builder.addNode(tag, x, y, z);
    if (set !== undefined) builder.addToSet(set, [tag]);
  }
}

/** Nodes after *NSET. */
export function readSet(
  lines: MeshLines,
  builder: MeshNodes,
  parameters: ReadonlyMap<string, string>,
  keyword: string,
): void {
  const name = parameters.get('NSET');
  if (name === undefined || name === '') {
    throw lines.error('NSET', 'to have a name', keyword, 'BERTH_MISSING_FIELD');
  }
  builder.addToSet(name, []);
  for (let line = dataLine(lines); line !== null; line = dataLine(lines)) {
    if (parameters.has('GENERATE')) {
      const [from, to, by = 1] = numbersOf(lines, line, `set "${name}"`);
      const ok = by > 0 && to >= from && (to - from) / by < MOST_GENERATED;
      if (!ok) throw lines.error(`set "${name}"`, 'as: first, last, increment', line);
      for (let tag = from; tag <= to; tag += by) builder.addToSet(name, [tag]);
      continue;
    }
    for (const word of line.split(',').map((part) => part.trim())) {
      if (word === '') continue;
      const other = builder.nodesOf(word);
      if (other === null && !Number.isInteger(Number(word))) {
        throw lines.error(`set "${name}"`, 'to hold nodes and sets before it', word);
      }
      builder.addToSet(name, other ?? [Number(word)]);
    }
  }
}
