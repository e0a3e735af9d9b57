/**
 * Symbols in plain text made readable: `f_n` and `δ^1.5` with index and exponent, `1e-6` as a power of ten, `-` before digits left
 * as it is. For HTML with elements, for SVG with shifted spans, because not every browser supports baseline-shift.
 */
import { superscript } from './number-text.ts';

/** Text safe inside HTML. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A letter, then `_index` or `^exponent`. */
const MARKED = /(?<=[\p{L}\u0300-\u036f)])([_^])(-?[\p{L}\p{N}]+(?:[.]\d+)?)/gu;
const POWER = /(?<![\p{L}\p{N}.])(\d+(?:[.]\d+)?)e(-?\d+)\b/gu;

function withPowers(text: string): string {
  return text.replace(POWER, (_, mantissa: string, exponent: string) => {
    const power = `10${superscript(Number(exponent))}`;
    return mantissa === '1' ? power : `${mantissa} × ${power}`;
  });
}

/** Escaped HTML with sub and sup elements. */
export function richHtml(text: string): string {
  return escapeHtml(withPowers(text)).replace(MARKED, (_, sign: string, body: string) =>
    sign === '_' ? `<sub>${body}</sub>` : `<sup>${body.replace('-', '−')}</sup>`,
  );
}

/** Escaped content of an SVG text element with shifted spans. */
export function richSvg(text: string): string {
  const shifted = escapeHtml(withPowers(text)).replace(
    MARKED,
    (_, sign: string, body: string) =>
      `<tspan dy="${sign === '_' ? 3 : -4}" font-size="75%">${body}</tspan><tspan dy="${sign === '_' ? -3 : 4}">\u200b</tspan>`,
  );
  return shifted;
}
