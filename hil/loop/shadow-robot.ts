/** The robot of a warm-up: answers the handshake over the rings of a shadow service and sends a STATE whenever it is stepped. */
import { RealClock } from '../os/clock.ts';
import type { Settings } from '../../config/settings.ts';
import type { Link } from '../contract/link.ts';
import { TaggingLink } from '../links/tagging-link.ts';
import { Role } from '../protocol/endpoint.ts';
import { SetpointFrame, StateFrame } from '../protocol/frames.ts';
import { RobotSession, type RobotSessionOptions } from '../protocol/robot-session.ts';
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

/** Largest force of its sensor, N. */
const FORCE_N = 10;
/** Of the orientation at the start: half an angle of 0.2 µrad, which leaves it a unit quaternion to 5e-15. */
const TILT = 1e-7;
/** Steps by which it lags. */
const LAG = 8;

/** Robot of a warm-up. */
export class ShadowRobot {
  /** What it sends: at the pose that it was made with until the caller sets another. */
  readonly state: StateFrame = new StateFrame();
  /** Whether it moves to its set-points; else it is where the caller puts it. */
  follows = false;
  /** Whether it follows set-points of before: there is a delay then, which creates energy in a contact. */
  lags = false;
  readonly clock: RealClock;
  /** Newest set-points, in a ring. */
  readonly #history = Array.from({ length: LAG + 1 }, () => new SetpointFrame());
  #steps = 0;
  readonly #options: RobotSessionOptions;
  #session: RobotSession;
  readonly #link: TaggingLink;

  /** @param pose measured position and orientation to begin with */
  constructor(shared: SharedBuffers, settings: Settings, pose: Float64Array) {
    const control = new Int32Array(shared.control);
    this.clock = new RealClock(control.subarray(ControlWord.LOOP_SLEEP), 0);
    const line = new ShadowLink(shared.toRobot, shared.fromRobot, this.clock);
    const { key } = settings.robot;
    this.#link = new TaggingLink(line, Role.ROBOT, [key]);
    const { period_s } = settings.loop;
    const own = { keyed: key !== '', device: 'shadow', firmware: '1' };
    this.#options = { period_s, ...own, limits: settings.limits };
    this.#session = this.begin();
    for (let i = 0; i < 3; i++) this.state.position[i] = pose[i];
    for (let i = 0; i < 4; i++) this.state.orientation[i] = pose[3 + i];
    // no measured orientation consists of whole numbers
    this.state.orientation[0] += TILT;
  }

  /** Begin a new session, as a robot that was switched on. */
  begin(): RobotSession {
    this.#session = new RobotSession(this.#options);
    this.#link.session = this.#session.tags;
    return this.#session;
  }

  /** Force of its sensor, against the way of the tool: `part` 0 nothing … 1. */
  press(part: number, way: readonly number[]): void {
    for (let a = 0; a < 3; a++) this.state.wrench[a] = -FORCE_N * part * way[a];
  }

  /** Keeps the newest set-point, and takes up the one that it follows. */
  #follow(): void {
    const { setpoint } = this.#session;
    const newest = this.#history[this.#steps % this.#history.length];
    newest.position.set(setpoint.position);
    newest.orientation.set(setpoint.orientation);
    newest.twist.set(setpoint.twist);
    newest.mode = setpoint.mode;
    newest.seq = setpoint.seq;
    const lag = this.lags ? LAG : 0;
    const { length } = this.#history;
    const followed = this.#history[(this.#steps + length - lag) % length];
    this.#steps++;
    this.state.ctlMode = followed.mode;
    this.state.echoSeq = followed.seq;
    if (!this.follows) return;
    this.state.position.set(followed.position);
    this.state.orientation.set(followed.orientation);
    this.state.twist.set(followed.twist);
  }

  /** Take what has come, and send a STATE. */
  step(): void {
    this.clock.sample();
    this.state.tMeas_us = this.clock.time_us[0];
    this.#session.now_us[0] = this.clock.time_us[0];
    this.#session.poll(this.#link);
    this.#follow();
    this.#session.sendState(this.#link, this.state);
  }
}
