/** The whole loop on the virtual clock with a robot whose frames an attack may change on their way, CRC mended. */
import assert from 'node:assert/strict';
import { CRC_PLAIN, crcOf, crcStart } from '../../hil/protocol/crc.ts';
import { FrameType, LAYOUT_HASH } from '../../hil/protocol/frames.ts';
import { CRC_BYTES, fieldOffset } from '../../hil/protocol/layout.ts';
import { type RigOptions, VirtualRig } from '../fixtures/virtual-rig.ts';

const SEEDED = crcStart(LAYOUT_HASH);
/** Where the fields of STATE are. */
export const at = (name: string): number => fieldOffset(FrameType.STATE, name);
/** States in which the robot may be moved. */
const MOTION = ['ARMING', 'ACTIVE_FREE', 'ACTIVE_CONTACT'];

/** Mend the CRC of a frame that was changed. */
export function sign(frame: Uint8Array, length = frame.length, start?: number): void {
  const type = frame[1];
  const seed =
    start ?? (type === FrameType.HELLO || type === FrameType.REJECT ? CRC_PLAIN : SEEDED);
  const body = length - CRC_BYTES;
  new DataView(frame.buffer, frame.byteOffset).setInt32(body, crcOf(frame, body, seed), true);
}

/** Knowledge of an attacker at one end. */
interface Insides {
  readonly end: { seq: number; readonly nonces: { readonly server: Uint32Array } };
  readonly clock: { readonly steps: number };
}

/** A rig in flight, its stick as given. */
export class AttackRig extends VirtualRig {
  /** Vertical deflection of the stick. */
  stick = 0;

  static fly(options: RigOptions = {}, stick = 0): AttackRig {
    const rig = new AttackRig(options);
    rig.activate();
    rig.stick = stick;
    rig.flyOn(100);
    rig.assertFlying();
    return rig;
  }

  /** The robot's numbering. */
  get numbering(): { seq: number } {
    return (this.robot!.session as unknown as Insides).end;
  }

  /** The nonce that the server has drawn: it stands in its HELLO. */
  get serverNonce(): Uint32Array {
    return (this.session as unknown as Insides).end.nonces.server;
  }

  /** Steps of the robot's clock that were counted. */
  get clockSteps(): number {
    return (this.session as unknown as Insides).clock.steps;
  }

  get moving(): boolean {
    return MOTION.includes(this.state);
  }

  /** Run ticks with the deadman pressed. */
  flyOn(ticks: number, each?: (tick: number) => void): void {
    this.run(ticks, (tick) => {
      this.input(this.stick, 1);
      each?.(tick);
    });
  }

  assertFlying(): void {
    assert.match(this.state, /^ACTIVE/, `it flies, before: ${this.ways}`);
  }

  /** The states passed through, for the report. */
  get ways(): string {
    return this.transitions
      .slice(-3)
      .map(({ to, cause }) => `${to}${cause === null ? '' : ` by ${cause}`}`)
      .join(', ');
  }

  /** Change every STATE from now on. */
  lie(change: (view: DataView, bytes: Uint8Array) => void): void {
    this.ends[1].faults.corrupt = (frame, length) => {
      if (frame[1] !== FrameType.STATE) return;
      change(new DataView(frame.buffer, frame.byteOffset), frame);
      sign(frame, length);
    };
  }

  /** Tell the truth again. */
  honest(): void {
    this.ends[1].faults.corrupt = null;
  }

  /** Newest frame of a type that the robot sends within some ticks. */
  catchFrame(type: number, ticks = 5): Uint8Array {
    const caught: Uint8Array[] = [];
    this.ends[1].capture = caught;
    this.flyOn(ticks);
    this.ends[1].capture = null;
    const frame = caught.findLast((one) => one[1] === type);
    assert.ok(frame !== undefined, 'a frame of the type was sent');
    return frame;
  }

  /** Put a frame of the robot on the line beside its own. */
  deliver(frame: Uint8Array, delay_us = 0): void {
    this.ends[0].deliver(frame, delay_us);
  }

  /**
   * Fly until nothing may move the robot any more.
   * @returns ticks that took; asserts that it happened within `most`
   */
  flyUntilSafe(most: number, what: string): number {
    let ticks = 0;
    while (this.moving && ticks < most) {
      this.flyOn(1);
      ticks++;
    }
    assert.ok(!this.moving, `${what}: still ${this.state} after ${most} periods`);
    return ticks;
  }
}
