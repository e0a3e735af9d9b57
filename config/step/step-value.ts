/** Values of an exchange structure (ISO 10303-21:2016, 6.4 and 10). */

/** One value of a record. */
export type StepValue =
  | { readonly kind: 'number'; readonly value: number; readonly whole: boolean }
  | { readonly kind: 'text'; readonly value: string }
  /** Between dots, without them: `.T.` is `T`. */
  | { readonly kind: 'word'; readonly value: string }
  | { readonly kind: 'binary'; readonly value: string }
  | { readonly kind: 'reference'; readonly id: number }
  | { readonly kind: 'list'; readonly items: readonly StepValue[] }
  /** A value with its type: `LENGTH_MEASURE(25.4)`. */
  | { readonly kind: 'typed'; readonly name: string; readonly items: readonly StepValue[] }
  /** `$`: an optional attribute that has no value. */
  | { readonly kind: 'unset' }
  /** `*`: an attribute that a subtype derives. */
  | { readonly kind: 'derived' };

/** One record of an instance: the name of an entity type, and its attributes. */
export interface StepRecord {
  readonly name: string;
  readonly items: readonly StepValue[];
}

/** Longest value that a message repeats. */
const MOST_SHOWN = 40;

/** A value as the file has it, shortened. */
export function shownValue(value: StepValue): string {
  switch (value.kind) {
    case 'number':
      return String(value.value);
    case 'text':
      return `'${shortened(value.value)}'`;
    case 'binary':
      return `"${shortened(value.value)}"`;
    case 'word':
      return `.${shortened(value.value)}.`;
    case 'reference':
      return `#${value.id}`;
    case 'list':
      return `a list of ${value.items.length}`;
    case 'typed':
      return `${shortened(value.name)}(…)`;
    case 'unset':
      return '$';
    case 'derived':
      return '*';
  }
}

/** A piece of the file, short enough for a message. */
export function shortened(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
}

/**
 * Letters of a string without its quotes (ISO 10303-21:2016, 6.4.3): doubled quotes and backslashes, `\X\E4`, `\X2\00E4\X0\`,
 * `\X4\0001F600\X0\`, `\S\d` of ISO 8859-1. Line breaks are no part of it.
 */
export function stringOf(raw: string): string {
  const plain = raw.replaceAll(/[\r\n]/g, '').replaceAll("''", "'");
  if (!plain.includes('\\')) return plain;
  return plain.replaceAll(
    /\\X2\\((?:[\dA-F]{4})*)\\X0\\|\\X4\\((?:[\dA-F]{8})*)\\X0\\|\\X\\([\dA-F]{2})|\\S\\(.)|\\P[A-I]\\|\\N\\|\\\\/g,
    (all, two?: string, four?: string, one?: string, high?: string) => {
      if (two !== undefined) return letters(two, 4);
      if (four !== undefined) return letters(four, 8);
      if (one !== undefined) return letters(one, 2);
      if (high !== undefined) return String.fromCharCode(128 + (high.charCodeAt(0) % 128));
      if (all === '\\\\') return '\\';
      return all === '\\N\\' ? ' ' : '';
    },
  );
}

/** Code points in hexadecimal digits, `size` of them each; what is none becomes the sign of a letter that is lost. */
function letters(hex: string, size: number): string {
  // pairs of surrogates come as two numbers of four digits
  const codes = hex.match(new RegExp(`.{${size}}`, 'g')) ?? [];
  return codes
    .map((code) => Number.parseInt(code, 16))
    .map((code) => (size === 4 ? String.fromCharCode(code) : pointOf(code)))
    .join('');
}

const pointOf = (code: number): string =>
  code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
