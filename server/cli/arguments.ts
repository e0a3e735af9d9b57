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
  throw new BerthError(
    'BERTH_USAGE',
    `${option} is "${text}"; allowed: a time above zero, such as 2s or 500ms`,
    { field: option },
  );
}
