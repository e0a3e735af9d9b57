/**
 * Exchange structures (ISO 10303-21:2016, sections 7 to 12): header, and the instances of the data sections by their numbers. An instance
 * is parsed when it is asked for, so that drawings and other parts of a file that no face needs cost their skipping alone.
 */
import { BerthError } from '../../src/base/errors.ts';
import { StepText } from './step-text.ts';
import { shortened, type StepRecord, type StepValue } from './step-value.ts';

/** Largest file, bytes: a machine of thousands of parts has less. */
export const MOST_STEP_BYTES = 64 * 1024 * 1024;
/** Most instances of a file. */
const MOST_INSTANCES = 1_000_000;

interface Place {
  /** Name of the type; '' for a complex instance. */
  readonly name: string;
  /** Position of the type or of the parenthesis. */
  readonly at: number;
}

/** An exchange structure. */
export class ExchangeFile {
  readonly name: string;
  /** Names of the schemas, as `AUTOMOTIVE_DESIGN`. */
  readonly schemas: readonly string[];
  private readonly text: StepText;
  private readonly places = new Map<number, Place>();

  /**
   * Reads the structure; `name` stands in errors.
   * @throws BerthError for another kind of file, one that is cut off, bad syntax of sections, an instance that is given twice
   */
  constructor(source: string, name: string) {
    this.name = name;
    this.text = new StepText(source, name);
    const { text } = this;
    this.open();
    this.schemas = this.header();
    let sections = 0;
    for (let word = text.keyword(); word !== 'END-ISO-10303-21'; word = text.keyword()) {
      if (word === 'DATA') {
        sections++;
        text.skipInstance();
        this.data();
      } else if (['ANCHOR', 'REFERENCE', 'SIGNATURE'].includes(word)) this.skipSection();
      else throw text.error(`DATA or END-ISO-10303-21 after a section, got "${shortened(word)}"`);
      text.blanks();
      if (text.at >= source.length) {
        throw text.error('END-ISO-10303-21; at the end, but the file ends (is it cut off?)');
      }
    }
    if (sections === 0) throw text.error('a DATA section, got none');
  }

  /** The first word. @throws BerthError for a file of another kind */
  private open(): void {
    const { text } = this;
    // a byte order mark is no blank of the standard
    if (text.text.startsWith('\uFEFF')) text.at = 1;
    text.blanks();
    if (!text.text.startsWith('ISO-10303-21', text.at)) {
      const first = shortened(
        /^[\x20-\x7E]*/.exec(text.text.slice(text.at, text.at + 30))?.[0] ?? '',
      );
      throw text.error(
        `a STEP file, which begins with ISO-10303-21;, got "${first}"`,
        'BERTH_UNSUPPORTED',
      );
    }
    text.keyword();
    text.needs(';');
  }

  private header(): string[] {
    const { text } = this;
    text.inside = 'the header';
    if (text.keyword() !== 'HEADER') throw text.error('HEADER; behind ISO-10303-21;');
    text.needs(';');
    const schemas: string[] = [];
    for (let count = 0; ; count++) {
      if (count > 100) throw text.error('at most 100 records in the header, got more');
      text.blanks();
      const at = text.at;
      const name = text.keyword();
      if (name === 'ENDSEC') break;
      text.at = at;
      const { items } = text.record();
      text.needs(';');
      if (name !== 'FILE_SCHEMA' || items[0]?.kind !== 'list') continue;
      for (const item of items[0].items) {
        // `AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }` has the number of the schema behind its name
        if (item.kind === 'text') schemas.push(item.value.replace(/\s*\{.*$/, '').trim());
      }
    }
    text.needs(';');
    text.inside = '';
    return schemas;
  }

  private data(): void {
    const { text, places } = this;
    for (;;) {
      if (text.peek() !== '#') {
        const word = text.keyword();
        if (word !== 'ENDSEC') {
          throw text.error(`an instance as #12=… or ENDSEC;, got "${shortened(word)}"`);
        }
        text.needs(';');
        return;
      }
      const begin = text.at;
      const id = text.instance();
      text.inside = `#${id}`;
      text.needs('=');
      text.blanks();
      const at = text.at;
      const name = text.peek() === '(' ? '' : text.keyword();
      text.skipInstance();
      if (places.has(id)) {
        throw text.error(
          `instances to be given once, got #${id} again`,
          'BERTH_DUPLICATE_NAME',
          begin,
        );
      }
      if (places.size >= MOST_INSTANCES) {
        throw text.error(`at most ${MOST_INSTANCES} instances, got more`, undefined, begin);
      }
      places.set(id, { name, at });
      text.inside = '';
    }
  }

  /** Skips a section of names, of other files or of signatures. */
  private skipSection(): void {
    const { text } = this;
    const end = text.text.indexOf('ENDSEC', text.at);
    text.at = end < 0 ? text.text.length : end;
    text.keyword();
    text.needs(';');
  }

  /** Numbers of the instances of these types in the order of the file; complex instances are not among them. */
  instancesOf(names: ReadonlySet<string>): number[] {
    const found: number[] = [];
    for (const [id, { name }] of this.places) if (names.has(name)) found.push(id);
    return found;
  }

  /** Numbers of the instances with such a type in the order of the file. */
  instancesMatching(pattern: RegExp): number[] {
    const found: number[] = [];
    for (const [id, { name }] of this.places) if (pattern.test(name)) found.push(id);
    return found;
  }

  /** Type of an instance; '' for a complex one, null for a number that the file does not have. */
  typeOf(id: number): string | null {
    return this.places.get(id)?.name ?? null;
  }

  /** Records of an instance: one, or those of a complex instance in the order of the file. @throws BerthError for bad syntax */
  records(id: number): StepRecord[] {
    const { text } = this;
    const place = this.places.get(id);
    if (place === undefined) return [];
    text.at = place.at;
    text.inside = `#${id}`;
    if (place.name !== '') {
      const record = text.record();
      if (text.peek() !== ';') throw text.unexpected('";" at the end');
      return [record];
    }
    const records: StepRecord[] = [];
    text.needs('(');
    while (!text.takes(')')) records.push(text.record());
    return records;
  }

  /** An error at an instance. */
  error(id: number, what: string, code?: BerthError['code']): BerthError {
    return this.text.error(what, code, this.places.get(id)?.at);
  }
}

/** Instances that a value refers to, with those in its lists. */
export function referencesOf(values: readonly StepValue[]): number[] {
  return values.flatMap((value) =>
    value.kind === 'reference'
      ? [value.id]
      : value.kind === 'list' || value.kind === 'typed'
        ? referencesOf(value.items)
        : [],
  );
}
