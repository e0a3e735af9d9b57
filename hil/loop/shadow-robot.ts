/** The robot of a warm-up: answers the handshake over the rings of a shadow service and sends a STATE whenever it is stepped. */
import { RealClock } from '../os/clock.ts';
import type { Settings } from '../../config/settings.ts';
import type { Link } from '../contract/link.ts';
import { TaggingLink } from '../links/tagging-link.ts';
import { Role } from '../protocol/endpoint.ts';
import { StateFrame } from '../protocol/frames.ts';
import { RobotSession } from '../protocol/robot-session.ts';
import { FrameRing } from '../memory/ring.ts';
import { ControlWord, type SharedBuffers } from '../memory/shared.ts';

/** The far end of the shadow's rings. */
class ShadowLink implements Link {
  readonly transport = 'shadow';
  readonly connected = true;
  readonly bytesReceived = 0;
  readonly bytesSent = 0;
  readonly resyncs = 0;
  readonly oversized = 0;
  receivedAt_us = 0.5;
  readonly #in: FrameRing;
  readonly #out: FrameRing;
  readonly #clock: RealClock;

  constructor(incoming: SharedArrayBuffer, outgoing: SharedArrayBuffer, clock: RealClock) {
    this.#in = new FrameRing(incoming);
    this.#out = new FrameRing(outgoing);
    this.#clock = clock;
  }

  receive(frame: Uint8Array): number {
    this.receivedAt_us = this.#clock.time_us[0];
    return this.#in.pop(frame);
  }

  send(frame: Uint8Array, length: number): boolean {
    return this.#out.push(frame, length, this.#clock.time_us[0]);
  }
}

/** Robot of a warm-up. */
export class ShadowRobot {
  /** What it sends: at the pose that it was made with until the caller sets another. */
  readonly state: StateFrame = new StateFrame();
  /** Whether it moves to its set-points; else it is where the caller puts it. */
  follows = false;
  readonly #session: RobotSession;
  readonly #link: TaggingLink;
  readonly #clock: RealClock;

  /** @param pose measured position and orientation to begin with */
  constructor(shared: SharedBuffers, settings: Settings, pose: Float64Array) {
    const control = new Int32Array(shared.control);
    Atomics.store(control, ControlWord.ROBOT_CONNECTED, 1);
    this.#clock = new RealClock(control.subarray(ControlWord.LOOP_SLEEP), 0);
    const line = new ShadowLink(shared.toRobot, shared.fromRobot, this.#clock);
    const { key } = settings.robot;
    this.#link = new TaggingLink(line, Role.ROBOT, [key]);
    const { period_s } = settings.loop;
    const own = { keyed: key !== '', device: 'shadow', firmware: '1' };
    this.#session = new RobotSession({ period_s, ...own, limits: settings.limits });
    this.#link.session = this.#session.tags;
    for (let i = 0; i < 3; i++) this.state.position[i] = pose[i];
    for (let i = 0; i < 4; i++) this.state.orientation[i] = pose[3 + i];
  }

  /** Is at the newest set-point, and moves like it. */
  #follow(): void {
    const { setpoint } = this.#session;
    for (let i = 0; i < 3; i++) this.state.position[i] = setpoint.position[i];
    for (let i = 0; i < 4; i++) this.state.orientation[i] = setpoint.orientation[i];
    for (let i = 0; i < 6; i++) this.state.twist[i] = setpoint.twist[i];
    this.state.ctlMode = setpoint.mode;
    this.state.echoSeq = setpoint.seq;
  }

  /** Take what has come, and send a STATE. */
  step(): void {
    this.#clock.sample();
    this.state.tMeas_us = this.#clock.time_us[0];
    this.#session.now_us[0] = this.#clock.time_us[0];
    this.#session.poll(this.#link);
    if (this.follows) this.#follow();
    this.#session.sendState(this.#link, this.state);
  }
}
