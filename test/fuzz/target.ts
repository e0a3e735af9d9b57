/** Interface of a fuzzer to one decoder. */
import type { Random } from '../../src/math/random.ts';

/** One decoder under random inputs. */
export interface FuzzTarget {
  /** Valid inputs, from which others are made. */
  readonly corpus: readonly Uint8Array[];
  /** Words of the format, put in anywhere. */
  readonly words?: readonly string[];
  /** Inputs are text: whole lines and numbers are changed, too. */
  readonly text?: boolean;
  /** Longest input, bytes. */
  readonly most?: number;
  /** Mends checksums and the like in half of the inputs, so that what is behind them is reached. */
  readonly mend?: (input: Uint8Array, random: Random) => Uint8Array;
  /**
   * Gives one input to the decoder and checks its result. A BerthError is a result; every other
   * error is a fault.
   * @returns a word for the result: inputs with a new word are kept and changed further
   */
  run(input: Uint8Array): string | Promise<string>;
}

/** Makes a target; `folder` is an empty one of its own. */
export type MakeTarget = (folder: string) => FuzzTarget | Promise<FuzzTarget>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

/** A message without what differs from input to input. */
export const kindOf = (message: string): string =>
  message
    .replace(/"[^"]*"/g, '"…"')
    .replace(/-?\d+(\.\d+)?(e[+-]?\d+)?/gi, '0')
    .slice(0, 80);
