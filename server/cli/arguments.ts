/** Small readers of command-line values. */
import { readQuantity } from '../../config/units.ts';
import { BerthError } from '../../src/base/errors.ts';

/** A time such as `2s`, `1 ms` or plain seconds. @throws BerthError when it is none, or not above zero. */
export function readTime(option: string, text: string): number {
  const plain = Number(text);
  const result = Number.isFinite(plain)
    ? { ok: true as const, value: plain }
    : readQuantity(text, 's');
  if (result.ok && result.value > 0) return result.value;
  throw refusal(option, text, 'a time above zero, such as 2s or 500ms');
}

/** Numbers with commas between; NaN for each that is none. */
export const numbersOf = (text: string): number[] =>
  text.split(',').map((word) => (word.trim() === '' ? Number.NaN : Number(word)));

/** A time of either sign, at most a second. @throws BerthError when it is none */
export function readDelay(option: string, text: string): number {
  const plain = text.trim() === '' ? Number.NaN : Number(text);
  const result = Number.isFinite(plain)
    ? { ok: true as const, value: plain }
    : readQuantity(text, 's');
  if (result.ok && Math.abs(result.value) <= 1) return result.value;
  throw refusal(option, text, 'a time from -1s to 1s, such as 2ms or -500us');
}

/** A length such as `5 mm`, or plain metres. @throws BerthError when it is none, or not above zero. */
export function readLength(option: string, text: string): number {
  const plain = Number(text);
  const result = Number.isFinite(plain)
    ? { ok: true as const, value: plain }
    : readQuantity(text, 'm');
  if (result.ok && result.value > 0) return result.value;
  throw refusal(option, text, 'a length above zero, such as 5mm or 0.005');
}

/** A number of a range. @throws BerthError for any other text */
export function readNumber(option: string, text: string, least: number, most: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= least && value <= most) return value;
  throw refusal(option, text, `a number from ${least} to ${most}`);
}

/** A whole number of a range. @throws BerthError for any other text */
export function readWhole(option: string, text: string, least: number, most: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw refusal(option, text, `a whole number from ${least} to ${most}`);
}

/** The value of an option that cannot be used, and what can. */
export function refusal(option: string, text: string, allowed: string): BerthError {
  return new BerthError('BERTH_USAGE', `${option} is "${text}"; allowed: ${allowed}`, {
    field: option,
  });
}
