/** What a serial line can carry: 8N1 is ten bits a byte, and a line may be filled to 80 % (`hil-anchors 6`). */
import { BerthError } from '../../src/base/errors.ts';
import { TAG_BYTES } from './layout.ts';
import { SETPOINT_BYTES, STATE_BYTES } from './frames.ts';

const BITS_PER_BYTE = 10;
/** COBS adds one byte to a frame below 255 bytes, and the delimiter. */
const FRAMING_BYTES = 2;
export const SERIAL_LOAD_CAP = 0.8;
/** Bytes on the wire of the longer cyclic frame: the worse direction. */
export const WIRE_BYTES: number = Math.max(SETPOINT_BYTES, STATE_BYTES) + FRAMING_BYTES;

/** Bits of it; `tagged` with a robot key. */
function wireBits(tagged: boolean): number {
  return (WIRE_BYTES + (tagged ? TAG_BYTES : 0)) * BITS_PER_BYTE;
}

/** Share of the line that one cyclic frame a period fills, worse direction. */
export function serialLoad(baud: number, rate_Hz: number, tagged = false): number {
  return (wireBits(tagged) * rate_Hz) / baud;
}

/** Highest rate a line may carry, Hz. */
export function highestRate_Hz(baud: number, tagged = false): number {
  return Math.floor((SERIAL_LOAD_CAP * baud) / wireBits(tagged));
}

/** Lowest baud for a rate. */
export function lowestBaud(rate_Hz: number, tagged = false): number {
  return Math.ceil((wireBits(tagged) * rate_Hz) / SERIAL_LOAD_CAP);
}

/** The refusal in one sentence; '' when the line carries the rate. */
export function serialLoadText(baud: number, rate_Hz: number, tagged = false): string {
  const load = serialLoad(baud, rate_Hz, tagged);
  if (load <= SERIAL_LOAD_CAP) return '';
  const rate = Number(rate_Hz.toPrecision(6));
  return (
    `${baud} baud is too low for ${rate} Hz: load ${Math.round(load * 100)} %, allowed ` +
    `${SERIAL_LOAD_CAP * 100} %; use at least ${lowestBaud(rate_Hz, tagged)} baud or at most ${highestRate_Hz(baud, tagged)} Hz`
  );
}

/**
 * Refuse settings whose line cannot carry the loop's rate.
 * @throws BERTH_BAUD_TOO_LOW naming the load and what would work
 */
export function checkSerialLoad(baud: number, rate_Hz: number, tagged = false): void {
  const text = serialLoadText(baud, rate_Hz, tagged);
  if (text !== '') throw new BerthError('BERTH_BAUD_TOO_LOW', text, { field: 'robot.baud' });
}
