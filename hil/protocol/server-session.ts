/**
 * The loop's end of a robot link: handshake, clock synchronisation, receive rules and link quality (`hil-anchors 9.1`, 9.3).
 * `poll` runs once per tick. Steady state allocates nothing; handshakes do.
 */
import type { Link } from '../contract/link.ts';
import { loadArray, type Stateful } from '../contract/stateful.ts';
import { ClockSync } from './clock-sync.ts';
import { Hello, Role, SessionCount } from './endpoint.ts';
import { Phase } from '../contract/phase.ts';
import {
  encodeSetpoint,
  FRAME_OK,
  FrameError,
  FrameType,
  readState,
  type SetpointFrame,
  StateFrame,
} from './frames.ts';
import { agreeWithPeer, type ConfigOffer, sendConfig } from './agreement.ts';
import { Capability } from './handshake.ts';
import { LIMIT_FIELDS } from '../contract/limit-fields.ts';
import { fieldOffset } from './layout.ts';
import { isPoseJump } from './pose-jump.ts';
import { RobotWords } from './robot-words.ts';
import { Session } from './session.ts';
import type { NonceSource } from './nonce.ts';

export { SessionCount } from './endpoint.ts';

export interface ServerSessionOptions extends ConfigOffer {
  readonly period_s: number;
  /** A robot has to prove the robot key. */
  readonly keyed: boolean;
  /** The service's own emulated robot may prove the key of the run. */
  readonly provable?: boolean;
  /** Of a serial line: the rate is checked against it. */
  readonly baud?: number;
  /** Where nonces come from; random numbers of the machine when left out. */
  readonly nonces?: NonceSource;
}

/** After so many periods without a STATE the pose before says nothing about the next. */
const JUMP_PERIODS = 20;
/** A STATE older than this by its own clock is stale, periods. */
const STALE_PERIODS = 20;
/** A STATE from further in the future than this proves that the robot clock stepped, µs. */
const FUTURE_us = 2000;
/** A pose cannot be measured after it is sent; a controller whose cycle stamps its frames early is excused this, µs. */
const MEASURED_AHEAD_us = 2000;
const SENT_SLOTS = 1024;
/** Single numbers of the saved state. */
const SCALARS = 26;

const ACK_SESSION = fieldOffset(FrameType.CONFIG_ACK, 'session');
const T1 = fieldOffset(FrameType.SYNC, 't1');
const T2 = fieldOffset(FrameType.SYNC, 't2');
const T3 = fieldOffset(FrameType.SYNC, 't3');
const ARM_REQUEST = fieldOffset(FrameType.ARM, 'request');
const ARM_ACK_REQUEST = fieldOffset(FrameType.ARM_ACK, 'request');
const ARM_ACK_ACCEPTED = fieldOffset(FrameType.ARM_ACK, 'accepted');
const STOP_CATEGORY = fieldOffset(FrameType.STOP, 'category');
const STOP_REQUEST = fieldOffset(FrameType.STOP, 'request');
const CLEAR_REQUEST = fieldOffset(FrameType.CLEAR, 'request');
const TARE_REQUEST = fieldOffset(FrameType.TARE, 'request');
const FAULT_CODE = fieldOffset(FrameType.FAULT, 'code');
const FAULT_DETAIL = fieldOffset(FrameType.FAULT, 'detail');

/** Number of the key of the run (`TaggingLink`). */
const EMULATED = 2;
/** An ARM that is not answered is said again after so many ticks. */
const ARM_AGAIN_TICKS = 20;

export class ServerSession extends Session implements Stateful {
  /** Newest STATE accepted; its quaternion is normalised. */
  readonly state: StateFrame = new StateFrame();
  quality = 0;
  successRatio = 0.5;
  stateAge_s = 0.5;
  rtt_s = 0.5;
  /** Robot clock minus this clock. */
  offset_s = 0.5;
  offsetKnown = false;
  /** Drift of the robot clock, s/s. */
  drift = 0.5;
  /** Set-point sent to STATE that echoes it. */
  delay_s = 0.5;
  delayTicks = 0;
  /** Polls since the set-point that the newest STATE echoes was sent, at the poll that took this STATE; −1 unknown. */
  echoTicks = -1;
  /** Whether that STATE was the first to echo it. */
  echoNew = false;
  receivedAt_us = 0.5;
  /** Newest ARM was answered: 0 not yet, 1 armed, −1 refused. */
  armAnswer = 0;
  /** Newest FAULT of the robot. */
  faultCode = 0;
  faultDetail = 0;
  /** What the robot said of its safety in this tick. */
  readonly words: RobotWords = new RobotWords();
  /** Limits in force, the smaller of both ends, in LIMIT_FIELDS order. */
  readonly limits: Float64Array = new Float64Array(LIMIT_FIELDS.length);
  private readonly options: ServerSessionOptions;
  private readonly clock: ClockSync;
  private readonly candidate = new StateFrame();
  private readonly sentAt = new Float64Array(SENT_SLOTS);
  private readonly sentTick = new Int32Array(SENT_SLOTS);
  private readonly sentSeq = new Int32Array(SENT_SLOTS);
  private polls = 0;
  private stateKnown = false;
  private echoKnown = -1;
  private session = 0;
  private request = 0;
  /** Number of the newest ARM. */
  private armRequest = 0;
  /** Ticks until an ARM without an answer is said again. */
  private armWait = 0;

  constructor(options: ServerSessionOptions) {
    const { keyed, limits } = options;
    super(
      {
        role: Role.SERVER,
        keyed,
        provable: options.provable === true,
        device: 'berth',
        firmware: '1',
        limits,
        capabilities: 0,
        ...(options.nonces === undefined ? {} : { nonces: options.nonces }),
      },
      options.period_s,
    );
    this.options = options;
    this.clock = new ClockSync(this.now_us);
    this.successRatio = 0;
    this.clear();
  }

  /** SYNC exchanges answered since this session object was made. */
  get syncAnswered(): number {
    return this.clock.answered;
  }

  /** Round trips of the newest of them, µs: exchange n is at n mod length. */
  get roundTrips_us(): Float64Array {
    return this.clock.roundTrips_us;
  }

  /** By how much the newest step of the robot clock put it forward, s. */
  get clockStep_s(): number {
    return this.clock.step_us[0] * 1e-6;
  }

  /** Whether the robot is the one that the service started itself: it has proved the key of the run. */
  get emulated(): boolean {
    return this.phase === Phase.SYNCED && this.end.provenBy === EMULATED;
  }

  /** What the robot says it is. */
  get robotDevice(): string {
    return this.end.peerDevice;
  }

  get robotFirmware(): string {
    return this.end.peerFirmware;
  }

  /** Drain the link, answer, and bring age and quality up to date: once per tick, at `now_us`. @alloc none */
  poll(link: Link): void {
    this.polls = (this.polls + 1) | 0;
    this.words.begin();
    this.drain(link);
    this.words.settle(this.state);
    if (link.connected) this.keep(link);
    this.report();
  }

  /** Fill seq, t_us and ackSeq and send. @returns false when not synchronised or the link is full @alloc none */
  sendSetpoint(link: Link, frame: SetpointFrame): boolean {
    if (this.phase !== Phase.SYNCED) return false;
    const { end } = this;
    end.seq = (end.seq + 1) >>> 0;
    frame.seq = end.seq;
    frame.t_us = this.now_us[0];
    frame.ackSeq = this.state.seq;
    const slot = frame.seq & (SENT_SLOTS - 1);
    this.sentAt[slot] = this.now_us[0];
    this.sentTick[slot] = this.polls;
    this.sentSeq[slot] = frame.seq;
    const length = encodeSetpoint(frame, this.out);
    return end.sendBytes(link, this.out, length, FrameType.SETPOINT);
  }

  /** Ask for a stop of a category. */
  sendStop(link: Link, category: number): boolean {
    if (this.phase < Phase.SYNCING) return false;
    const w = this.end.begin(FrameType.STOP);
    w.u32(STOP_CATEGORY, category);
    w.u32(STOP_REQUEST, ++this.request);
    return this.end.send(link);
  }

  /** Ask the robot to arm; `armAnswer` tells what it said. */
  sendArm(link: Link): boolean {
    if (this.phase !== Phase.SYNCED) return false;
    this.armAnswer = 0;
    this.armWait = ARM_AGAIN_TICKS;
    this.armRequest = ++this.request;
    return this.askToArm(link);
  }

  /** Once per tick while there is no answer: ARM is one frame, and so is the answer, and either may be lost. */
  repeatArm(link: Link): void {
    if (this.armAnswer !== 0 || --this.armWait > 0) return;
    this.armWait = ARM_AGAIN_TICKS;
    this.askToArm(link);
  }

  private askToArm(link: Link): boolean {
    this.end.begin(FrameType.ARM).u32(ARM_REQUEST, this.armRequest);
    return this.end.send(link);
  }

  /** 1: the robot follows, for it has said yes to the newest ARM or needs none; −1: it has refused it, needed or not; 0: not yet. @alloc none */
  get armed(): number {
    if (this.armAnswer !== 0) return this.armAnswer;
    return (this.end.peerCapabilities & Capability.ARM_NEEDED) === 0 ? 1 : 0;
  }

  /** Ask the robot to clear its faults. */
  sendClear(link: Link): boolean {
    if (this.phase < Phase.SYNCING) return false;
    this.faultCode = 0;
    this.words.resetReported();
    this.end.begin(FrameType.CLEAR).u32(CLEAR_REQUEST, ++this.request);
    return this.end.send(link);
  }

  /** Ask the robot to tare its force sensor. */
  sendTare(link: Link): boolean {
    if (this.phase < Phase.SYNCING) return false;
    this.end.begin(FrameType.TARE).u32(TARE_REQUEST, ++this.request);
    return this.end.send(link);
  }

  protected override takeFrame(type: number, link: Link): void {
    const { end } = this;
    if (this.phase === Phase.OFFLINE) {
      end.refuse(FrameError.sequence);
      return;
    }
    if (type === FrameType.STATE) {
      if (this.phase >= Phase.SYNCING) this.takeState(link);
      else end.refuse(FrameError.sequence);
      return;
    }
    end.accept();
    const r = end.reader;
    if (type === FrameType.SYNC) {
      const exchange = this.clock.exchange_us;
      r.time(T1, exchange, 0);
      r.time(T2, exchange, 1);
      r.time(T3, exchange, 2);
      exchange[3] = link.receivedAt_us;
      if (this.clock.add() && this.clock.known && this.phase === Phase.SYNCING)
        this.phase = Phase.SYNCED;
    } else if (type === FrameType.CONFIG_ACK) {
      if (this.phase === Phase.CONNECTING && r.u32(ACK_SESSION) === this.session) {
        this.phase = Phase.SYNCING;
        this.clock.restart();
        end.settled();
      }
    } else if (type === FrameType.ARM_ACK) {
      if (r.u32(ARM_ACK_REQUEST) === this.armRequest) {
        this.armAnswer = r.u32(ARM_ACK_ACCEPTED) === 1 ? 1 : -1;
      }
    } else if (type === FrameType.FAULT) {
      this.faultCode = r.u32(FAULT_CODE);
      this.faultDetail = r.u32(FAULT_DETAIL);
      this.words.hearFault(this.faultCode);
    } else if (type === FrameType.BYE) {
      this.leave();
    }
  }

  protected override takeHello(link: Link): void {
    const { end } = this;
    const answer = end.takeHello(link, this.phase);
    if (answer === Hello.ENDS) this.beginAnew();
    else if (answer === Hello.REFUSED) {
      // a robot that restarted with another layout ends the session that was
      if (this.phase < Phase.SYNCING) this.phase = Phase.OFFLINE;
    } else if (answer === Hello.NEW || answer === Hello.ANSWER_OF_NEW) {
      this.clear();
      if (!this.agree(link)) return;
      this.session = (this.session + 1) >>> 0;
      this.phase = Phase.CONNECTING;
      this.offer(link);
    } else if (answer === Hello.QUESTION) this.refused();
    else if (answer === Hello.REPEAT && this.phase === Phase.CONNECTING) this.offer(link);
  }

  /** Whether period, line and limits suit; a refusal is sent. */
  private agree(link: Link): boolean {
    if (agreeWithPeer(this.end, link, this.period_us, this.options.baud ?? 0)) return true;
    this.refused();
    return false;
  }

  /** HELLO and CONFIG. */
  private offer(link: Link): void {
    this.end.sendHello(link);
    sendConfig(this.end, link, this.options, this.limits, this.session, this.period_us);
  }

  private takeState(link: Link): void {
    const { end, candidate, state, clock } = this;
    if (this.stateKnown && ((end.reader.seq - state.seq) | 0) <= 0) {
      end.refuse(FrameError.sequence);
      return;
    }
    this.words.hear(end.reader);
    const status = readState(end.reader, candidate);
    if (status !== FRAME_OK) {
      end.refuse(status);
      end.accept();
      return;
    }
    if (candidate.tMeas_us === 0) candidate.tMeas_us = candidate.t_us;
    // both times are the robot's own: what they say of the pose needs no offset
    const held_us = candidate.t_us - candidate.tMeas_us;
    if (held_us < -MEASURED_AHEAD_us || held_us > STALE_PERIODS * this.period_us) {
      end.refuse(held_us < 0 ? FrameError.value : FrameError.stale);
      end.accept();
      return;
    }
    if (clock.known) {
      const at_us = clock.at_us;
      at_us[0] = this.now_us[0];
      clock.findOffset();
      const age_us = this.now_us[0] - (candidate.tMeas_us - clock.offset_us[0]);
      at_us[0] = link.receivedAt_us;
      clock.findOffset();
      const ahead_us = candidate.t_us - clock.offset_us[0] - link.receivedAt_us;
      const future = ahead_us > FUTURE_us;
      const backwards = this.stateKnown && candidate.t_us < state.t_us;
      // Time that runs backwards in order, or a message from the future, is a step of the robot clock: its age is unknown
      // until the next exchanges, and arrival decides meanwhile.
      if (future || backwards) {
        clock.step_us[0] = ahead_us;
        clock.stepped();
      } else if (age_us > STALE_PERIODS * this.period_us) {
        end.refuse(FrameError.stale);
        end.accept();
        return;
      }
    }
    if (this.stateKnown && end.quality.lostInRow < JUMP_PERIODS && this.jumps()) {
      end.refuse(FrameError.value);
      end.accept();
      return;
    }
    end.accept();
    state.assign(candidate);
    normalise(state.orientation);
    this.stateKnown = true;
    this.fresh = true;
    this.received++;
    this.receivedAt_us = link.receivedAt_us;
    this.measureDelay();
  }

  private jumps(): boolean {
    const { candidate, state } = this;
    return isPoseJump(candidate.position, candidate.orientation, state.position, state.orientation);
  }

  private measureDelay(): void {
    const seq = this.state.echoSeq | 0;
    const slot = seq & (SENT_SLOTS - 1);
    const sent = this.sentSeq[slot] === seq && this.sentAt[slot] !== 0;
    this.echoTicks = sent ? (this.polls - this.sentTick[slot]) | 0 : -1;
    this.echoNew = sent && seq !== this.echoKnown;
    if (!this.echoNew) return; // the same set-point again says nothing new of the delay
    this.echoKnown = seq;
    this.delay_s = (this.now_us[0] - this.sentAt[slot]) * 1e-6;
    this.delayTicks = (this.polls - this.sentTick[slot]) | 0;
  }

  /** Time-outs, HELLO, SYNC and HEARTBEAT. */
  private keep(link: Link): void {
    const { end, clock } = this;
    if (this.phase !== Phase.OFFLINE && end.silent()) this.reset();
    if (this.phase === Phase.OFFLINE) {
      if (end.helloDue()) end.sendHello(link);
      return;
    }
    if (this.phase === Phase.CONNECTING) {
      if (end.helloDue()) this.offer(link);
      return;
    }
    if (clock.due()) {
      clock.sent();
      end.begin(FrameType.SYNC).time(T1, this.now_us, 0);
      end.send(link);
    }
    end.heartbeat(link, this.phase);
  }

  private report(): void {
    const { end, clock, state } = this;
    end.quality.push(this.received);
    this.quality = end.quality.quality;
    this.successRatio = end.quality.ratio;
    this.lostInRow = end.quality.lostInRow;
    this.counts[SessionCount.CLOCK_STEPS] = clock.steps;
    this.offsetKnown = clock.known;
    let age_us = this.stateKnown ? this.now_us[0] - this.receivedAt_us : 0;
    if (clock.known) {
      clock.at_us[0] = this.now_us[0];
      clock.findOffset();
      const offset_us = clock.offset_us[0];
      this.offset_s = offset_us * 1e-6;
      this.rtt_s = clock.rtt_us * 1e-6;
      this.drift = clock.drift;
      const measured_us = this.stateKnown ? this.now_us[0] - (state.tMeas_us - offset_us) : 0;
      if (measured_us > age_us) age_us = measured_us;
    }
    this.stateAge_s = age_us > 0 ? age_us * 1e-6 : 0;
  }

  protected override clear(): void {
    this.words.resetReported();
    this.end.quality.reset();
    this.clock.restart();
    this.stateKnown = false;
    this.echoKnown = -1;
    this.sentAt.fill(0);
    this.armAnswer = 0;
    this.rtt_s = 0;
    this.offset_s = 0;
    this.drift = 0;
    this.delay_s = 0;
    this.delayTicks = 0;
    this.echoTicks = -1;
    this.echoNew = false;
    this.stateAge_s = 0;
  }

  get stateLength(): number {
    const { limits, words, state, end, clock } = this;
    return (
      SCALARS +
      limits.length +
      3 * SENT_SLOTS +
      words.stateLength +
      state.stateLength +
      end.stateLength +
      clock.stateLength
    );
  }

  saveState(into: Float64Array, at: number): void {
    into[at] = this.phase;
    into[at + 1] = this.fresh ? 1 : 0;
    into[at + 2] = this.lostInRow;
    into[at + 3] = this.received;
    into[at + 4] = this.quality;
    into[at + 5] = this.successRatio;
    into[at + 6] = this.stateAge_s;
    into[at + 7] = this.rtt_s;
    into[at + 8] = this.offset_s;
    into[at + 9] = this.offsetKnown ? 1 : 0;
    into[at + 10] = this.drift;
    into[at + 11] = this.delay_s;
    into[at + 12] = this.delayTicks;
    into[at + 13] = this.receivedAt_us;
    into[at + 14] = this.armAnswer;
    into[at + 15] = this.faultCode;
    into[at + 16] = this.faultDetail;
    into[at + 17] = this.polls;
    into[at + 18] = this.stateKnown ? 1 : 0;
    into[at + 19] = this.echoKnown;
    into[at + 20] = this.session;
    into[at + 21] = this.request;
    into[at + 22] = this.echoTicks;
    into[at + 23] = this.echoNew ? 1 : 0;
    into[at + 24] = this.armWait;
    into[at + 25] = this.armRequest;
    let i = at + SCALARS;
    into.set(this.limits, i);
    i += this.limits.length;
    into.set(this.sentAt, i);
    into.set(this.sentTick, i + SENT_SLOTS);
    into.set(this.sentSeq, i + 2 * SENT_SLOTS);
    i += 3 * SENT_SLOTS;
    this.words.saveState(into, i);
    i += this.words.stateLength;
    this.state.saveState(into, i);
    i += this.state.stateLength;
    this.end.saveState(into, i);
    this.clock.saveState(into, i + this.end.stateLength);
  }

  loadState(from: Float64Array, at: number): void {
    this.phase = from[at];
    this.fresh = from[at + 1] === 1;
    this.lostInRow = from[at + 2];
    this.received = from[at + 3];
    this.quality = from[at + 4];
    this.successRatio = from[at + 5];
    this.stateAge_s = from[at + 6];
    this.rtt_s = from[at + 7];
    this.offset_s = from[at + 8];
    this.offsetKnown = from[at + 9] === 1;
    this.drift = from[at + 10];
    this.delay_s = from[at + 11];
    this.delayTicks = from[at + 12];
    this.receivedAt_us = from[at + 13];
    this.armAnswer = from[at + 14];
    this.faultCode = from[at + 15];
    this.faultDetail = from[at + 16];
    this.polls = from[at + 17];
    this.stateKnown = from[at + 18] === 1;
    this.echoKnown = from[at + 19];
    this.session = from[at + 20];
    this.request = from[at + 21];
    this.echoTicks = from[at + 22];
    this.echoNew = from[at + 23] === 1;
    this.armWait = from[at + 24];
    this.armRequest = from[at + 25];
    let i = at + SCALARS;
    loadArray(this.limits, from, i);
    i += this.limits.length;
    loadArray(this.sentAt, from, i);
    loadArray(this.sentTick, from, i + SENT_SLOTS);
    loadArray(this.sentSeq, from, i + 2 * SENT_SLOTS);
    i += 3 * SENT_SLOTS;
    this.words.loadState(from, i);
    i += this.words.stateLength;
    this.state.loadState(from, i);
    i += this.state.stateLength;
    this.end.loadState(from, i);
    this.clock.loadState(from, i + this.end.stateLength);
  }
}

function normalise(q: Float64Array): void {
  const scale = 1 / Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (let i = 0; i < 4; i++) q[i] *= scale;
}
