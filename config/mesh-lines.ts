/** Lines of a mesh file that is text, with their numbers, and errors that name line and field. */
import { BerthError, type BerthErrorCode } from '../src/base/errors.ts';

/** Longest piece of a file that a message repeats. */
const MOST_SHOWN = 60;

/** Where reading stands. */
export class MeshLines {
  readonly name: string;
  private readonly lines: readonly string[];
  /** Number of the present line, counted from 1; 0 before the first. */
  number = 0;

  constructor(text: string, name: string) {
    this.name = name;
    this.lines = text.split(/\r?\n/);
  }

  /** The next line without blanks at its ends; null at the end of the file. */
  next(): string | null {
    if (this.number >= this.lines.length) return null;
    return this.lines[this.number++].trim();
  }

  /** The line after this one, which stays the next. */
  peek(): string | null {
    return this.number < this.lines.length ? this.lines[this.number].trim() : null;
  }

  /** The next line that is not empty. @throws BerthError at the end of the file */
  need(field: string): string {
    for (let line = this.next(); line !== null; line = this.next()) if (line !== '') return line;
    throw this.error(field, 'before the end of the file', null);
  }

  /** Words of the next line that are numbers, at least `least`. @throws BerthError for another line */
  numbers(field: string, least: number): number[] {
    const line = this.need(field);
    const found = line.split(/\s+/).map(Number);
    if (found.length >= least && found.every(Number.isFinite)) return found;
    throw this.error(field, `to be ${least} numbers`, line);
  }

  /** An error at the present line, or at one before it. */
  error(
    field: string,
    allowed: string,
    got: string | number | null,
    code: BerthErrorCode = 'BERTH_PARAMETER_RANGE',
    line: number = this.number,
  ): BerthError {
    const text = String(got);
    const shown = text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
    const end = got === null ? '' : `, got ${typeof got === 'number' ? shown : `"${shown}"`}`;
    return new BerthError(code, `${this.name}:${line}: Expected ${field} ${allowed}${end}`, {
      field,
    });
  }
}
