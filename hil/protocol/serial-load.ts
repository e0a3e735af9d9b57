/** What a serial line can carry: 8N1 is ten bits a byte, and a line may be filled to 80 % (`hil-anchors 6`). */
import { BerthError } from '../../src/errors.ts';
import { SETPOINT_BYTES, STATE_BYTES } from './frames.ts';

const BITS_PER_BYTE = 10;
/** COBS adds one byte to a frame below 255 bytes, and the delimiter. */
const FRAMING_BYTES = 2;
export const SERIAL_LOAD_CAP = 0.8;
/** Bytes on the wire of the longer cyclic frame: the worse direction. */
export const WIRE_BYTES: number = Math.max(SETPOINT_BYTES, STATE_BYTES) + FRAMING_BYTES;

/** Share of the line that one cyclic frame a period fills, worse direction. */
export function serialLoad(baud: number, rate_Hz: number): number {
  return (WIRE_BYTES * BITS_PER_BYTE * rate_Hz) / baud;
}

/** Highest rate a line may carry, Hz. */
export function highestRate_Hz(baud: number): number {
  return Math.floor((SERIAL_LOAD_CAP * baud) / (WIRE_BYTES * BITS_PER_BYTE));
}

/** Lowest baud for a rate. */
export function lowestBaud(rate_Hz: number): number {
  return Math.ceil((WIRE_BYTES * BITS_PER_BYTE * rate_Hz) / SERIAL_LOAD_CAP);
}

/** The refusal in one sentence; '' when the line carries the rate. */
export function serialLoadText(baud: number, rate_Hz: number): string {
  const load = serialLoad(baud, rate_Hz);
  if (load <= SERIAL_LOAD_CAP) return '';
  const rate = Number(rate_Hz.toPrecision(6));
  return (
    `${baud} baud is too low for ${rate} Hz: load ${Math.round(load * 100)} %, allowed ` +
    `${SERIAL_LOAD_CAP * 100} %; use at least ${lowestBaud(rate_Hz)} baud or at most ${highestRate_Hz(baud)} Hz`
  );
}

/**
 * Refuse settings whose line cannot carry the loop's rate.
 * @throws BERTH_BAUD_TOO_LOW naming the load and what would work
 */
export function checkSerialLoad(baud: number, rate_Hz: number): void {
  const text = serialLoadText(baud, rate_Hz);
  if (text !== '') throw new BerthError('BERTH_BAUD_TOO_LOW', text, { field: 'robot.baud' });
}
