/**
 * A link with faults injected on purpose, for servers started with fault injection allowed: STATE frames lost or made
 * meaningless for so many ticks. Stands between the session and the real link.
 */
import { crcOf, crcStart } from '../protocol/crc.ts';
import { CRC_BYTES, FrameType, LAYOUT_HASH, fieldOffset } from '../protocol/layout.ts';
import { ForwardingLink } from './forwarding-link.ts';

const TYPE_AT = 1;
const POSITION_AT = fieldOffset(FrameType.STATE, 'position');

/** See above. `tick` is called once before every poll. */
export class InjectingLink extends ForwardingLink {
  dropTicks = 0;
  nanTicks = 0;

  get receivedAt_us(): number {
    return this.inner.receivedAt_us;
  }

  /** One tick has passed. */
  tick(): void {
    if (this.dropTicks > 0) this.dropTicks--;
    if (this.nanTicks > 0) this.nanTicks--;
  }

  receive(frame: Uint8Array): number {
    let length = this.inner.receive(frame);
    while (length > 0 && this.dropTicks > 0 && frame[TYPE_AT] === FrameType.STATE) {
      length = this.inner.receive(frame);
    }
    if (length > 0 && this.nanTicks > 0 && frame[TYPE_AT] === FrameType.STATE) {
      const view = new DataView(frame.buffer, frame.byteOffset, length);
      view.setFloat64(POSITION_AT, Number.NaN, true);
      view.setUint32(
        length - CRC_BYTES,
        crcOf(frame, length - CRC_BYTES, crcStart(LAYOUT_HASH)),
        true,
      );
    }
    return length;
  }

  send(frame: Uint8Array, length: number): boolean {
    return this.inner.send(frame, length);
  }
}
