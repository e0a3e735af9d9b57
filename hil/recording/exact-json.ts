/**
 * JSON that gives every number back bit for bit: finite numbers are exact in JSON already, the others and −0 are written as
 * `{"$number": "NaN"}`, typed arrays as `{"$array": "Float64Array", "base64": …}`, little-endian.
 */

const ARRAYS = {
  Float64Array,
  Float32Array,
  Int32Array,
  Uint32Array,
  Int16Array,
  Uint16Array,
  Int8Array,
  Uint8Array,
} as const;
type ArrayName = keyof typeof ARRAYS;

function replace(_key: string, value: unknown): unknown {
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return { $number: '-0' };
    return Number.isFinite(value) ? value : { $number: String(value) };
  }
  if (ArrayBuffer.isView(value)) {
    const name = value.constructor.name;
    if (!(name in ARRAYS)) throw new TypeError(`A ${name} cannot be written as JSON`);
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return { $array: name, base64: bytes.toString('base64') };
  }
  return value;
}

function revive(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$number' in value) return Number(value.$number);
  if ('$array' in value && 'base64' in value) {
    const bytes = Buffer.from(String(value.base64), 'base64');
    // a buffer of its own, as views need their alignment
    return new ARRAYS[value.$array as ArrayName](Uint8Array.from(bytes).buffer);
  }
  return value;
}

/** Text of a value of plain objects, arrays, strings, numbers, booleans and typed arrays. @throws TypeError for other arrays of bytes */
export function stringifyExact(value: unknown): string {
  return JSON.stringify(value, replace);
}

/** The value of a text of `stringifyExact`. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, revive);
}
