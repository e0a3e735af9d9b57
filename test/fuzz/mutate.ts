/** Changes valid inputs into others: bits, cuts, splices, lengths and numbers at their limits, repetition, nesting, noise. */
import type { Random } from '../../src/math/random.ts';
import { bytesOf, type FuzzTarget, textOf } from './target.ts';

const MOST = 1 << 16;
const BYTES = [0, 1, 9, 10, 32, 34, 35, 45, 58, 91, 123, 127, 128, 192, 254, 255];
const LIMITS = [0, 1, -1, 2, 127, 128, 255, 256, 32767, 65535, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
const DOUBLES = [
  NaN,
  Infinity,
  -Infinity,
  -0,
  Number.MIN_VALUE,
  Number.MAX_VALUE,
  2 ** 53,
  1e-300,
  1e300,
];
const NUMBERS = `0 -0 1 -1 0.5 1e-320 1e308 -1e308 1e999 .nan .inf -.inf 1e9 4294967296 9007199254740993 1e-9 1000000 null true`;
const TEXTS = NUMBERS.split(' ');
const NESTING = ['[', '{', '(', '- ', '? ', '&a [', '*a ', '!!map {', '"', "'", '{a: '];

/** Makes the inputs of one target; the same seed makes the same. */
export class Mutator {
  readonly #random: Random;
  readonly #target: FuzzTarget;
  readonly #kept: Uint8Array[];

  constructor(target: FuzzTarget, random: Random) {
    this.#target = target;
    this.#random = random;
    this.#kept = [...target.corpus];
  }

  /** An input with a new outcome: worth changing further. */
  keep(input: Uint8Array): void {
    const room = this.#target.corpus.length + 200;
    if (this.#kept.length < room) this.#kept.push(input);
    else this.#kept[this.#target.corpus.length + this.#below(200)] = input;
  }

  next(): Uint8Array {
    const most = this.#target.most ?? MOST;
    if (this.#below(50) === 0) return this.#noise(this.#below(Math.min(most, 300)));
    let input: Uint8Array = Uint8Array.from(this.#pick(this.#kept));
    const changes = 1 + this.#below(1 << this.#below(4));
    for (let i = 0; i < changes; i++) {
      const change = this.#target.text === true && this.#below(2) === 0;
      input = change ? this.#changeText(input) : this.#changeBytes(input);
      if (input.length > most) input = input.subarray(0, most);
    }
    const { mend } = this.#target;
    return mend !== undefined && this.#below(4) > 0 ? mend(input, this.#random) : input;
  }

  #below(limit: number): number {
    return limit <= 1 ? 0 : this.#random.nextUint32() % limit;
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)];
  }

  #noise(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.#random.nextUint32() & 255);
  }

  #range(input: Uint8Array): [number, number] {
    const from = this.#below(input.length + 1);
    return [from, from + this.#below(Math.min(input.length - from, 1 << this.#below(12)) + 1)];
  }

  #changeBytes(input: Uint8Array): Uint8Array {
    const at = this.#below(input.length);
    const [from, to] = this.#range(input);
    switch (this.#below(11)) {
      case 0:
        if (input.length > 0) input[at] ^= 1 << this.#below(8);
        return input;
      case 1:
        if (input.length > 0) input[at] = this.#pick(BYTES);
        return input;
      case 2:
        return input.slice(0, at);
      case 3:
        return joined(input.subarray(0, from), input.subarray(to));
      case 4:
        return joined(input.subarray(0, to), input.subarray(from));
      case 5:
        return joined(input.subarray(0, at), this.#noise(this.#below(20)), input.subarray(at));
      case 6: {
        const other = this.#pick(this.#kept);
        return joined(input.subarray(0, at), other.subarray(this.#below(other.length)));
      }
      case 7: {
        const part = this.#pick(this.#kept).subarray(from, to);
        return joined(input.subarray(0, at), part, input.subarray(at));
      }
      case 8:
        return this.#number(input);
      case 9: {
        const { words } = this.#target;
        if (words === undefined) return this.#number(input);
        return joined(input.subarray(0, at), bytesOf(this.#pick(words)), input.subarray(at));
      }
      default:
        return this.#repeat(input, from, to, at);
    }
  }

  /** A length, a count or a double at a limit, little- and big-endian. */
  #number(input: Uint8Array): Uint8Array {
    const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
    const little = this.#below(3) > 0;
    const width = this.#pick([2, 4, 4, 8, 8]);
    if (input.length < width) return input;
    const at = this.#below(input.length - width + 1);
    const value = this.#pick(LIMITS);
    if (width === 2) view.setUint16(at, value, little);
    else if (width === 4 && this.#below(4) > 0) view.setUint32(at, value, little);
    else if (width === 4) view.setFloat32(at, this.#pick(DOUBLES), little);
    else if (this.#below(2) === 0) view.setFloat64(at, this.#pick(DOUBLES), little);
    else view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), little);
    return input;
  }

  /** The same again and again: depth and counts. */
  #repeat(input: Uint8Array, from: number, to: number, at: number): Uint8Array {
    const part =
      this.#target.text === true && this.#below(2) === 0
        ? bytesOf(this.#pick(NESTING))
        : input.slice(from, Math.min(to, from + 64));
    if (part.length === 0) return input;
    const most = (this.#target.most ?? MOST) - input.length;
    const times = Math.min(1 << this.#below(17), Math.max(1, Math.floor(most / part.length)));
    const many = new Uint8Array(times * part.length);
    for (let i = 0; i < times; i++) many.set(part, i * part.length);
    return joined(input.subarray(0, at), many, input.subarray(at));
  }

  #changeText(input: Uint8Array): Uint8Array {
    const text = textOf(input);
    switch (this.#below(5)) {
      case 0: {
        const numbers = [...text.matchAll(/-?\d+(\.\d+)?(e[+-]?\d+)?/gi)];
        if (numbers.length === 0) return input;
        const { index, 0: old } = this.#pick(numbers);
        return bytesOf(text.slice(0, index) + this.#pick(TEXTS) + text.slice(index + old.length));
      }
      case 1: {
        const lines = text.split('\n');
        lines.splice(this.#below(lines.length), this.#below(3));
        return bytesOf(lines.join('\n'));
      }
      case 2: {
        const lines = text.split('\n');
        lines.splice(this.#below(lines.length), 0, this.#pick(lines), this.#pick(lines));
        return bytesOf(lines.join('\n'));
      }
      case 3: {
        const lines = text.split('\n');
        const at = this.#below(lines.length);
        const line = lines[at];
        lines[at] = this.#below(2) === 0 ? `  ${line}` : line.replace(/^ {1,2}/, '');
        return bytesOf(lines.join('\n'));
      }
      default: {
        // the value of a field becomes another value of the file, or of no kind that fits
        const fields = [...text.matchAll(/: *([^\n,}]+)/g)];
        if (fields.length === 0) return input;
        const { index, 0: old } = this.#pick(fields);
        const value = this.#below(2) === 0 ? this.#pick(fields)[1] : this.#pick(TEXTS);
        return bytesOf(`${text.slice(0, index)}: ${value}${text.slice(index + old.length)}`);
      }
    }
  }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
