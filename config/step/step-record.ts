/** Attributes of instances, read by kind; errors name the instance, the attribute and the value. */
import { BerthError, type BerthErrorCode } from '../../src/base/errors.ts';
import type { ExchangeFile } from './exchange-file.ts';
import { shownValue, type StepRecord, type StepValue } from './step-value.ts';

/** Longest chain of instances that are in each other. */
const MOST_NESTED = 100;

/** One record of an instance. */
export class Attributes {
  readonly file: ExchangeFile;
  readonly id: number;
  readonly name: string;
  private readonly items: readonly StepValue[];

  constructor(file: ExchangeFile, id: number, record: StepRecord) {
    this.file = file;
    this.id = id;
    this.name = record.name;
    this.items = record.items;
  }

  /** Number of attributes. */
  get length(): number {
    return this.items.length;
  }

  /** An error at an attribute: `part.step:12: Expected radius of #12 CYLINDRICAL_SURFACE above 0, got -1`. */
  error(
    what: string,
    allowed: string,
    got: StepValue | string | number,
    code?: BerthErrorCode,
  ): BerthError {
    const shown = typeof got === 'object' ? shownValue(got) : String(got);
    return this.file.error(
      this.id,
      `${what} of #${this.id} ${this.name} ${allowed}, got ${shown}`,
      code,
    );
  }

  private at(index: number, what: string): StepValue {
    const value = this.items.at(index);
    if (value !== undefined) return value;
    const count = this.items.length;
    throw this.error(
      what,
      `as attribute ${index + 1}`,
      `${count} attributes`,
      'BERTH_MISSING_FIELD',
    );
  }

  /** A string; '' where it is left out. */
  text(index: number, what: string): string {
    const value = this.at(index, what);
    if (value.kind === 'unset' || value.kind === 'derived') return '';
    if (value.kind === 'text') return value.value;
    throw this.error(what, 'as a string', value);
  }

  /** A number, with or without its type. */
  real(index: number, what: string): number {
    const value = this.at(index, what);
    const inner = value.kind === 'typed' && value.items.length === 1 ? value.items[0] : value;
    if (inner.kind === 'number') return inner.value;
    throw this.error(what, 'as a number', value);
  }

  /** A whole number in a range. */
  whole(index: number, what: string, least: number, most: number): number {
    const value = this.real(index, what);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw this.error(what, `as a whole number from ${least} to ${most}`, value);
  }

  /** A word between dots, without them. */
  word(index: number, what: string): string {
    const value = this.at(index, what);
    if (value.kind === 'word') return value.value;
    throw this.error(what, 'as a word between dots', value);
  }

  /** A word between dots; null for $. */
  optionalWord(index: number, what: string): string | null {
    return this.at(index, what).kind === 'unset' ? null : this.word(index, what);
  }

  /** `.T.` or `.F.`. */
  flag(index: number, what: string): boolean {
    const word = this.word(index, what);
    if (word === 'T' || word === 'F') return word === 'T';
    throw this.error(what, 'as .T. or .F.', `.${word}.`);
  }

  /** The number of an instance that the file has. */
  reference(index: number, what: string): number {
    return this.known(this.at(index, what), what);
  }

  /** The number of an instance; null for $ or *. */
  optionalReference(index: number, what: string): number | null {
    const value = this.at(index, what);
    return value.kind === 'unset' || value.kind === 'derived' ? null : this.known(value, what);
  }

  /** Numbers of the instances of a list. */
  references(index: number, what: string): number[] {
    return this.list(index, what).map((value) => this.known(value, what));
  }

  /** Rows of instances. */
  referenceRows(index: number, what: string): number[][] {
    return this.rows(index, what).map((row) => row.map((value) => this.known(value, what)));
  }

  /** Numbers of a list. */
  reals(index: number, what: string): number[] {
    return this.list(index, what).map((value) => this.numberOf(value, what));
  }

  /** Rows of numbers. */
  realRows(index: number, what: string): number[][] {
    return this.rows(index, what).map((row) => row.map((value) => this.numberOf(value, what)));
  }

  private rows(index: number, what: string): (readonly StepValue[])[] {
    return this.list(index, what).map((row) => {
      if (row.kind === 'list') return row.items;
      throw this.error(what, 'as a list of lists', row);
    });
  }

  private list(index: number, what: string): readonly StepValue[] {
    const value = this.at(index, what);
    if (value.kind === 'list') return value.items;
    throw this.error(what, 'as a list', value);
  }

  private numberOf(value: StepValue, what: string): number {
    if (value.kind === 'number') return value.value;
    throw this.error(what, 'as numbers', value);
  }

  private known(value: StepValue, what: string): number {
    if (value.kind !== 'reference') throw this.error(what, 'as an instance', value);
    if (this.file.typeOf(value.id) !== null) return value.id;
    throw this.error(what, 'to be in the file', value, 'BERTH_UNKNOWN_NAME');
  }
}

/** An instance: one record, or several of a complex one. */
export class Instance {
  readonly file: ExchangeFile;
  readonly id: number;
  private readonly list: readonly Attributes[];

  constructor(file: ExchangeFile, id: number) {
    this.file = file;
    this.id = id;
    this.list = file.records(id).map((record) => new Attributes(file, id, record));
  }

  /** Type; those of a complex instance with + between them. */
  get type(): string {
    return this.list.map(({ name }) => name).join('+');
  }

  /** Whether it is complex: each record has the attributes of its own type only. */
  get complex(): boolean {
    return this.file.typeOf(this.id) === '';
  }

  /** The record of a type; null when it has none. */
  find(name: string): Attributes | null {
    return this.list.find((one) => one.name === name) ?? null;
  }

  /** The only record. @throws BerthError when its type is none of these */
  as(what: string, ...names: readonly string[]): Attributes {
    const found = this.list.find((one) => names.includes(one.name));
    if (found !== undefined && this.list.length === 1) return found;
    throw this.unsupported(what, names);
  }

  /** The error for an instance of a type that is not read. */
  unsupported(what: string, names: readonly string[]): BerthError {
    return this.file.error(
      this.id,
      `${what} #${this.id} as ${names.join(', ')}, got ${this.type || 'nothing'}`,
      'BERTH_UNSUPPORTED',
    );
  }
}

/** Reads instances, and refuses those that contain themselves. */
export class StepReader {
  readonly file: ExchangeFile;
  private readonly path: number[] = [];

  constructor(file: ExchangeFile) {
    this.file = file;
  }

  /**
   * What `read` makes of an instance, which must not be asked for within itself.
   * @throws BerthError for a circle of instances, or more than a hundred in each other
   */
  within<T>(id: number, read: (instance: Instance) => T): T {
    const { path } = this;
    if (path.includes(id)) {
      const circle = [...path.slice(path.indexOf(id)), id].map((one) => `#${one}`).join(' → ');
      throw this.file.error(id, `instances not to contain themselves, got ${circle}`);
    }
    if (path.length >= MOST_NESTED) {
      throw this.file.error(
        id,
        `at most ${MOST_NESTED} instances in each other at #${id}, got more`,
      );
    }
    path.push(id);
    try {
      return read(new Instance(this.file, id));
    } finally {
      path.pop();
    }
  }
}
