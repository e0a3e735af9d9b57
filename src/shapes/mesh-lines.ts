/** Lines and numbers of text mesh files, read within limits. */
import { BerthError } from '../base/errors.ts';

/** Largest number of triangles of a file; a cell for the loop has a few hundred. */
export const MOST_TRIANGLES = 500_000;
/** Largest number of bytes of a line. */
const LONGEST_LINE = 65_536;
/** Largest coordinate, in units of the file. */
const LARGEST = 1e9;

const NUMBER = /^[+-]?(\d+([.]\d*)?|[.]\d+)([eE][+-]?\d+)?$/;

/** A non-empty line: its number from 1 and its words. */
export interface MeshLine {
  readonly number: number;
  readonly words: readonly string[];
}

/** Error about a place in a file, such as "line 12" or "byte 84". */
export function refuse(name: string, place: string, problem: string): BerthError {
  return new BerthError('BERTH_PARAMETER_RANGE', `${name}, ${place}: ${problem}`, { field: name });
}

/** Yields the lines that contain words. A `#` starts a comment; a backslash at the end joins the next line. */
export function* meshLines(bytes: Uint8Array, name: string): Generator<MeshLine> {
  let number = 0;
  let first = 0;
  let text = '';
  for (let from = 0; from < bytes.length; ) {
    let to = bytes.indexOf(10, from);
    if (to < 0) to = bytes.length;
    number++;
    if (text === '') first = number;
    if (to - from + text.length > LONGEST_LINE) {
      throw refuse(name, `line ${number}`, `longer than ${LONGEST_LINE} bytes`);
    }
    for (let i = from; i < to; i++) {
      if (bytes[i] === 0) throw refuse(name, `line ${number}`, 'a zero byte; is it a binary file?');
      text += String.fromCharCode(bytes[i]);
    }
    from = to + 1;
    const comment = text.indexOf('#');
    const kept = (comment < 0 ? text : text.slice(0, comment)).trim();
    if (kept.endsWith('\\') && from < bytes.length) {
      text = `${kept.slice(0, -1)} `;
      continue;
    }
    text = '';
    if (kept !== '') yield { number: first, words: kept.split(/\s+/) };
  }
}

/** Three coordinates from word `from` on. @throws BerthError */
export function coordinates(line: MeshLine, from: number, name: string): [number, number, number] {
  const [x, y, z] = [0, 1, 2].map((k) => {
    const word = line.words.at(from + k);
    if (word === undefined) {
      throw refuse(name, `line ${line.number}`, 'expected three coordinates');
    }
    const value = NUMBER.test(word) ? Number(word) : Number.NaN;
    if (isCoordinate(value)) return value;
    throw refuse(
      name,
      `line ${line.number}`,
      `expected a coordinate within ±${LARGEST}, got "${shown(word)}"`,
    );
  });
  return [x, y, z];
}

/** Whether this is a finite coordinate within the limits of a file. */
export function isCoordinate(value: number): boolean {
  return Math.abs(value) <= LARGEST;
}

/** A word of the file, shortened for messages. */
export function shown(word: string): string {
  const plain = word.replace(/[^\x20-\x7e]/g, '?');
  return plain.length > 40 ? `${plain.slice(0, 40)}…` : plain;
}
