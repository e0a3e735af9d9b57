/** Tokens of an exchange structure (ISO 10303-21:2016, section 6), and errors that name file and line. */
import { BerthError, type BerthErrorCode } from '../../src/base/errors.ts';
import { shortened, type StepRecord, type StepValue, stringOf } from './step-value.ts';

/** Deepest list in a list: control points need two. */
const MOST_DEPTH = 16;
/** Most values of one instance: a surface of 500 × 500 control points has a quarter of them. */
const MOST_VALUES = 1_000_000;

/** Blanks are the space and what stands before it. */
const BLANK = 0x20;
const NUMBER = /[+-]?(?:\d+(\.\d*)?|(\.\d+))([eE][+-]?\d+)?/y;
const WORD = /\.([A-Za-z_][\w]*)\./y;
const REFERENCE = /#(\d{1,15})(?!\d)/y;
const NAME = /!?[A-Za-z_][\w-]*/y;

/** A position in the text of a file. */
export class StepText {
  readonly text: string;
  /** Name of the file in errors. */
  readonly name: string;
  /** Position of the next letter. */
  at = 0;
  /** What is being read, in errors: `#12`. */
  inside = '';
  /** Values of the present record so far. */
  private values = 0;

  constructor(text: string, name: string) {
    this.text = text;
    this.name = name;
  }

  /** Number of the line of a position, counted from 1. */
  lineOf(at: number): number {
    let line = 1;
    for (let next = this.text.indexOf('\n'); next >= 0 && next < at; line++) {
      next = this.text.indexOf('\n', next + 1);
    }
    return line;
  }

  /** An error at a position: `part.step:12: Expected …`. */
  error(
    what: string,
    code: BerthErrorCode = 'BERTH_PARAMETER_RANGE',
    at: number = this.at,
  ): BerthError {
    return new BerthError(code, `${this.name}:${this.lineOf(at)}: Expected ${what}`, {
      field: this.name,
    });
  }

  /** An error of syntax here. @param allowed what has to be here */
  unexpected(allowed: string): BerthError {
    const where = this.inside === '' ? '' : ` in ${this.inside}`;
    if (this.at >= this.text.length) {
      return this.error(`${allowed}${where}, but the file ends (is it cut off?)`);
    }
    const here = shortened(/[^\r\n]*/y.exec(this.text.slice(this.at, this.at + 100))?.[0] ?? '');
    return this.error(`${allowed}${where}, got "${here}"`);
  }

  /** Skips blanks and comments. @throws BerthError for a comment without an end */
  blanks(): void {
    const { text } = this;
    for (;;) {
      while (text.charCodeAt(this.at) <= BLANK) this.at++;
      if (!text.startsWith('/*', this.at)) return;
      const end = text.indexOf('*/', this.at + 2);
      if (end < 0) throw this.unexpected('a comment to end with */');
      this.at = end + 2;
    }
  }

  /** The next letter behind blanks; '' at the end. */
  peek(): string {
    this.blanks();
    return this.text.charAt(this.at);
  }

  /** Takes a sign if it is the next. */
  takes(sign: string): boolean {
    if (this.peek() !== sign) return false;
    this.at++;
    return true;
  }

  /** Takes a sign. @throws BerthError when another is here */
  needs(sign: string): void {
    if (!this.takes(sign)) throw this.unexpected(`"${sign}"`);
  }

  /** Takes what a pattern finds here; null for nothing. */
  private match(pattern: RegExp): RegExpExecArray | null {
    this.blanks();
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  /** A name of an entity type or of a section. @throws BerthError when there is none */
  keyword(): string {
    const found = this.match(NAME);
    if (found === null) throw this.unexpected('a name in capital letters');
    return found[0].toUpperCase();
  }

  /** Number of an instance, behind #. @throws BerthError when there is none */
  instance(): number {
    const found = this.match(REFERENCE);
    if (found === null) throw this.unexpected('a number of an instance as #12');
    return Number(found[1]);
  }

  /** Skips the rest of an instance and its semicolon. @throws BerthError when it is missing */
  skipInstance(): void {
    for (;;) {
      const sign = this.peek();
      if (sign === "'" || sign === '"') this.quoted(sign);
      // an equals sign stands behind the number of the next instance only
      else if (sign === '' || sign === '=') throw this.unexpected('";" at the end');
      else this.at++;
      if (sign === ';') return;
    }
  }

  /** A record: name and attributes between parentheses. @throws BerthError */
  record(): StepRecord {
    this.values = 0;
    const name = this.keyword();
    return { name, items: this.list(0) };
  }

  private list(depth: number): StepValue[] {
    if (depth > MOST_DEPTH) throw this.unexpected(`at most ${MOST_DEPTH} lists in each other`);
    this.needs('(');
    const items: StepValue[] = [];
    if (this.takes(')')) return items;
    do items.push(this.value(depth));
    while (this.takes(','));
    if (!this.takes(')')) throw this.unexpected('"," or ")"');
    return items;
  }

  private value(depth: number): StepValue {
    if (++this.values > MOST_VALUES) throw this.unexpected(`at most ${MOST_VALUES} values`);
    const sign = this.peek();
    if (sign === '(') return { kind: 'list', items: this.list(depth + 1) };
    if (sign === '#') return { kind: 'reference', id: this.instance() };
    if (this.takes('$')) return { kind: 'unset' };
    if (this.takes('*')) return { kind: 'derived' };
    if (sign === "'") return { kind: 'text', value: stringOf(this.quoted(sign)) };
    if (sign === '"') return { kind: 'binary', value: this.quoted(sign) };
    const number = this.match(NUMBER);
    if (number !== null) {
      const value = Number(number[0]);
      if (!Number.isFinite(value)) throw this.unexpected('a number below 1.8e308 before this');
      return { kind: 'number', value, whole: number.slice(1).every((part) => part === undefined) };
    }
    const word = this.match(WORD);
    if (word !== null) return { kind: 'word', value: word[1].toUpperCase() };
    if (/[A-Za-z_!]/.test(sign)) {
      return { kind: 'typed', name: this.keyword(), items: this.list(depth + 1) };
    }
    throw this.unexpected('a value (number, string, .WORD., #12, list, $ or *)');
  }

  /** What stands between two signs, of which a doubled one is a letter. @throws BerthError when there is no end */
  private quoted(sign: string): string {
    const { text } = this;
    let end = text.indexOf(sign, this.at + 1);
    while (end >= 0 && text.charAt(end + 1) === sign) end = text.indexOf(sign, end + 2);
    if (end < 0) throw this.unexpected(`a string to end with ${sign}`);
    const inner = text.slice(this.at + 1, end);
    this.at = end + 1;
    return inner;
  }
}
