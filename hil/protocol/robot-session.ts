/**
 * The robot's end of a link, mirror of `ServerSession`: used by the emulated robot and by tests, and the reference for a
 * robot controller in any language. `poll` runs once per cycle, in the clock of the robot.
 */
import type { Link } from '../contract/link.ts';
import { Hello, Role } from './endpoint.ts';
import { Phase } from '../contract/phase.ts';
import {
  encodeState,
  FRAME_OK,
  FrameError,
  FrameType,
  readSetpoint,
  SetpointFrame,
  type StateFrame,
} from './frames.ts';
import { Capability } from './handshake.ts';
import { RejectCode } from '../contract/reject-codes.ts';
import { LIMIT_FIELDS, type RobotLimits } from '../contract/limit-fields.ts';
import { fieldOffset } from './layout.ts';
import { Session } from './session.ts';

export interface RobotSessionOptions {
  readonly period_s: number;
  /** Whether this end has the robot key: it proves it, and requires the proof of the server. */
  readonly keyed: boolean;
  readonly device: string;
  readonly firmware: string;
  readonly limits: RobotLimits;
  /** Announced instead of our own, only to show a mismatch. */
  readonly layoutHash?: number;
  readonly versionMin?: number;
  readonly versionMax?: number;
}

/** Limits travel in single precision. */
const LIMIT_TOLERANCE = 1 + 1e-6;

const CONFIG = FrameType.CONFIG;
const CONFIG_VERSION = fieldOffset(CONFIG, 'version');
const CONFIG_PERIOD = fieldOffset(CONFIG, 'period');
const CONFIG_TTL_FREE = fieldOffset(CONFIG, 'ttlFree');
const CONFIG_TTL_CONTACT = fieldOffset(CONFIG, 'ttlContact');
const CONFIG_LIMITS = fieldOffset(CONFIG, 'speed');
const CONFIG_SESSION = fieldOffset(CONFIG, 'session');
const ACK_VERSION = fieldOffset(FrameType.CONFIG_ACK, 'version');
const ACK_PERIOD = fieldOffset(FrameType.CONFIG_ACK, 'period');
const ACK_SESSION = fieldOffset(FrameType.CONFIG_ACK, 'session');
const T1 = fieldOffset(FrameType.SYNC, 't1');
const T2 = fieldOffset(FrameType.SYNC, 't2');
const T3 = fieldOffset(FrameType.SYNC, 't3');
const ARM_REQUEST = fieldOffset(FrameType.ARM, 'request');
const ARM_ACK_REQUEST = fieldOffset(FrameType.ARM_ACK, 'request');
const ARM_ACK_ACCEPTED = fieldOffset(FrameType.ARM_ACK, 'accepted');
const STOP_CATEGORY = fieldOffset(FrameType.STOP, 'category');
const FAULT_CODE = fieldOffset(FrameType.FAULT, 'code');
const FAULT_DETAIL = fieldOffset(FrameType.FAULT, 'detail');

export class RobotSession extends Session {
  /** Newest SETPOINT accepted. */
  readonly setpoint: SetpointFrame = new SetpointFrame();
  /** Age of the newest set-point by arrival. */
  cmdAge_us = 0.5;
  /** Stop asked for, −1 none; the robot sets it back. */
  stopRequested = -1;
  /** CLEAR came; the robot sets it back. */
  clearRequested = false;
  /** TARE came; the robot sets it back. */
  tareRequested = false;
  /** ARM came, and no STOP since. */
  armed = false;
  /** Whether an ARM is answered with yes. */
  armAllowed = true;
  ttlFree_ms = 20;
  ttlContact_ms = 5;
  /** Limits of CONFIG, in LIMIT_FIELDS order. */
  readonly limits: Float64Array = new Float64Array(LIMIT_FIELDS.length);
  private readonly options: RobotSessionOptions;
  private readonly times = new Float64Array(2);
  private setpointKnown = false;
  private receivedAt_us = 0.5;
  private session = 0;

  constructor(options: RobotSessionOptions) {
    const capabilities =
      Capability.FORCE_SENSOR |
      Capability.TARE |
      Capability.GRAVITY_REMOVED |
      Capability.ARM_NEEDED;
    super({ ...options, role: Role.ROBOT, capabilities }, options.period_s);
    this.options = options;
  }

  /** Drain the link and answer: once per cycle, at `now_us`. @alloc none */
  poll(link: Link): void {
    const { end } = this;
    this.drain(link);
    if (link.connected) {
      if (this.phase !== Phase.OFFLINE && end.silent()) this.reset();
      if (this.phase === Phase.OFFLINE) {
        if (end.helloDue()) end.sendHello(link);
      } else if (this.phase >= Phase.SYNCING) end.heartbeat(link, this.phase);
    }
    end.quality.push(this.received);
    this.lostInRow = end.quality.lostInRow;
    this.cmdAge_us = this.setpointKnown ? Math.max(0, this.now_us[0] - this.receivedAt_us) : 0;
  }

  /** Fill seq, t_us, quality, lostInRow and successPermille and send. @returns false before CONFIG or when the link is full @alloc none */
  sendState(link: Link, frame: StateFrame): boolean {
    if (this.phase < Phase.SYNCING) return false;
    const { end } = this;
    end.seq = (end.seq + 1) >>> 0;
    frame.seq = end.seq;
    frame.t_us = this.now_us[0];
    frame.lostInRow = this.lostInRow;
    frame.quality = end.quality.quality;
    frame.successPermille = Math.round(end.quality.ratio * 1000);
    const length = encodeState(frame, this.out);
    return end.sendBytes(link, this.out, length, FrameType.STATE);
  }

  /** Tell the server of a fault. */
  sendFault(link: Link, code: number, detail: number): boolean {
    if (this.phase < Phase.SYNCING) return false;
    const w = this.end.begin(FrameType.FAULT);
    w.u32(FAULT_CODE, code);
    w.u32(FAULT_DETAIL, detail);
    return this.end.send(link);
  }

  protected override takeFrame(type: number, link: Link): void {
    const { end } = this;
    const allowed = type === CONFIG ? Phase.CONNECTING : Phase.SYNCING;
    if (this.phase < allowed) {
      end.refuse(FrameError.sequence);
      return;
    }
    if (type === FrameType.SETPOINT) this.takeSetpoint(link);
    else {
      end.accept();
      this.takeControl(type, link);
    }
  }

  protected override takeHello(link: Link): void {
    const { end } = this;
    const answer = end.takeHello(link, this.phase);
    if (answer === Hello.ENDS) this.beginAnew();
    else if (answer === Hello.REFUSED && this.phase < Phase.SYNCING) this.phase = Phase.OFFLINE;
    else if (answer === Hello.NEW) {
      this.clear();
      this.phase = Phase.CONNECTING;
      end.sendHello(link);
    } else if (answer === Hello.ANSWER_OF_NEW) {
      this.clear();
      this.phase = Phase.CONNECTING;
    } else if (answer === Hello.REPEAT && this.phase === Phase.CONNECTING) {
      end.sendHello(link);
    }
  }

  private takeSetpoint(link: Link): void {
    const { end, setpoint } = this;
    if (this.setpointKnown && ((end.reader.seq - setpoint.seq) | 0) <= 0) {
      end.refuse(FrameError.sequence);
      return;
    }
    const status = readSetpoint(end.reader, setpoint);
    end.accept();
    if (status !== FRAME_OK) {
      end.refuse(status);
      return;
    }
    this.phase = Phase.SYNCED;
    this.setpointKnown = true;
    this.fresh = true;
    this.received++;
    this.receivedAt_us = link.receivedAt_us;
  }

  private takeControl(type: number, link: Link): void {
    const { end } = this;
    const r = end.reader;
    if (type === FrameType.SYNC) {
      const times = this.times;
      r.time(T1, times, 0);
      times[1] = link.receivedAt_us;
      const w = end.begin(type);
      w.time(T1, times, 0);
      w.time(T2, times, 1);
      w.time(T3, this.now_us, 0);
      end.send(link);
    } else if (type === CONFIG) this.takeConfig(link);
    else if (type === FrameType.ARM) {
      const request = r.u32(ARM_REQUEST);
      this.armed = this.armAllowed && !this.tareRequested;
      const w = end.begin(FrameType.ARM_ACK);
      w.u32(ARM_ACK_REQUEST, request);
      w.u32(ARM_ACK_ACCEPTED, this.armed ? 1 : 0);
      end.send(link);
    } else if (type === FrameType.STOP) {
      this.armed = false;
      this.stopRequested = Math.min(2, r.u32(STOP_CATEGORY));
    } else if (type === FrameType.CLEAR) this.clearRequested = true;
    else if (type === FrameType.TARE) this.tareRequested = true;
    else if (type === FrameType.BYE) this.leave();
  }

  private takeConfig(link: Link): void {
    const { end, options } = this;
    const r = end.reader;
    const period = r.u32(CONFIG_PERIOD);
    if (period !== this.period_us) {
      const text = `CONFIG period ${period} µs: this robot cycles in ${this.period_us} µs`;
      end.reject(link, RejectCode.period, CONFIG, period, this.period_us, text);
      this.refused();
      return;
    }
    for (let i = 0; i < LIMIT_FIELDS.length; i++) {
      const asked = r.f32(CONFIG_LIMITS + 4 * i);
      const own = options.limits[LIMIT_FIELDS[i]];
      if (!(asked > 0) || asked > own * LIMIT_TOLERANCE) {
        const text = `CONFIG ${LIMIT_FIELDS[i]} ${asked}: this robot allows above 0 to ${own}`;
        end.reject(link, RejectCode.limits, CONFIG, asked, own, text);
        this.refused();
        return;
      }
      this.limits[i] = asked;
    }
    this.ttlFree_ms = r.u16(CONFIG_TTL_FREE);
    this.ttlContact_ms = r.u16(CONFIG_TTL_CONTACT);
    this.session = r.u32(CONFIG_SESSION);
    const version = r.u8(CONFIG_VERSION);
    const w = end.begin(FrameType.CONFIG_ACK);
    w.u8(ACK_VERSION, version);
    w.u32(ACK_PERIOD, period);
    w.u32(ACK_SESSION, this.session);
    end.send(link);
    if (this.phase === Phase.CONNECTING) {
      this.phase = Phase.SYNCING;
      end.settled();
    }
  }

  /** A new session never begins armed. */
  protected override clear(): void {
    this.end.quality.reset();
    this.setpointKnown = false;
    this.armed = false;
    this.clearRequested = false;
    this.tareRequested = false;
    this.stopRequested = -1;
  }
}
