/** Numbers as people read them: few digits, powers of ten with superscripts, a true minus sign. */

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** An integer as a superscript. */
export function superscript(n: number): string {
  const digits = String(Math.abs(n)).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)]);
  return n < 0 ? `⁻${digits}` : digits;
}

/** A number to so many digits. */
export function numberText(value: number, digits = 7): string {
  if (Number.isNaN(value)) return 'not a number';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e6) return signed(String(Number(value.toPrecision(digits))));
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
  const trimmed = String(Number(mantissa));
  const power = `10${superscript(Number(exponent))}`;
  if (trimmed === '1') return power;
  return trimmed === '-1' ? `−${power}` : `${signed(trimmed)} × ${power}`;
}

/** A hyphen that stands for minus made one. */
function signed(text: string): string {
  return text.replace('-', '−');
}
