/**
 * The loop's end of a robot link: handshake, clock synchronisation, receive rules and link quality (`hil-anchors 9.1`, 9.3).
 * `poll` runs once per tick. Steady state allocates nothing; handshakes do.
 */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';
import type { Link } from '../contract/link.ts';
import { ClockSync } from './clock-sync.ts';
import { type HandshakeWitness, Hello, Role, SessionCount } from './endpoint.ts';
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
import { Session, SESSION_FIELDS } from './session.ts';
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
  /** Sees its handshakes. */
  readonly witness?: HandshakeWitness;
}

/** After so many periods without a STATE the pose before does not predict the next. */
const JUMP_PERIODS = 20;
/** A STATE older than this by its own clock is stale, periods. */
const STALE_PERIODS = 20;
/** A STATE from further in the future than this proves that the robot clock stepped, µs. */
const FUTURE_us = 2000;
/** A pose cannot be measured after it is sent; a controller whose cycle stamps its frames early is excused this, µs. */
const MEASURED_AHEAD_us = 2000;
const SENT_SLOTS = 1024;

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
/** An ARM that is not answered is sent again after so many ticks. */
const ARM_AGAIN_TICKS = 20;

/** Numbers of this end and what they begin with. */
const FIELDS = {
  ...SESSION_FIELDS,
  quality: 0,
  successRatio: 0,
  stateAge_s: 0,
  rtt_s: 0,
  offset_s: 0,
  offsetKnown: false,
  drift: 0,
  delay_s: 0,
  delayTicks: 0,
  receivedAt_us: 0.5,
  armAnswer: 0,
  faultCode: 0,
  faultDetail: 0,
  polls: 0,
  stateKnown: false,
  echoKnown: -1,
  session: 0,
  request: 0,
  echoTicks: -1,
  echoNew: false,
  armWait: 0,
  armRequest: 0,
} as const;
/** Fields before this one are the base's. */
const FIRST = Object.keys(SESSION_FIELDS).length;

export class ServerSession extends Session {
  readonly arena: StateArena;
  /** Newest STATE accepted; its quaternion is normalised. */
  readonly state: StateFrame;
  declare quality: number;
  declare successRatio: number;
  declare stateAge_s: number;
  declare rtt_s: number;
  /** Robot clock minus this clock. */
  declare offset_s: number;
  declare offsetKnown: boolean;
  /** Drift of the robot clock, s/s. */
  declare drift: number;
  /** Set-point sent to STATE that echoes it. */
  declare delay_s: number;
  declare delayTicks: number;
  /** Polls since the set-point that the newest STATE echoes was sent, at the poll that took this STATE; −1 unknown. */
  declare echoTicks: number;
  /** Whether that STATE was the first to echo it. */
  declare echoNew: boolean;
  declare receivedAt_us: number;
  /** Newest ARM was answered: 0 not yet, 1 armed, −1 refused. */
  declare armAnswer: number;
  /** Newest FAULT of the robot. */
  declare faultCode: number;
  declare faultDetail: number;
  /** What the robot reported of its safety in this tick. */
  readonly words: RobotWords;
  /** Limits in force, the smaller of both ends, in LIMIT_FIELDS order. */
  readonly limits: Float64Array;
  private readonly options: ServerSessionOptions;
  private readonly clock: ClockSync;
  private readonly candidate = new StateFrame();
  /** By sequence number, as a signed integer: when and in which poll a set-point was sent, and its number. */
  private readonly sentAt: Float64Array;
  private readonly sentTick: Float64Array;
  private readonly sentSeq: Float64Array;
  declare private polls: number;
  declare private stateKnown: boolean;
  declare private echoKnown: number;
  declare private session: number;
  declare private request: number;
  /** Number of the newest ARM. */
  declare private armRequest: number;
  /** Ticks until an ARM without an answer is sent again. */
  declare private armWait: number;

  constructor(options: ServerSessionOptions, arena: StateArena = new StateArena()) {
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
        ...(options.witness === undefined ? {} : { witness: options.witness }),
      },
      options.period_s,
      arena.fields(FIELDS),
    );
    this.arena = arena;
    this.options = options;
    this.limits = arena.add('limits', LIMIT_FIELDS.length);
    this.sentAt = arena.add('sentAt_us', SENT_SLOTS);
    this.sentTick = arena.add('sentTick', SENT_SLOTS);
    this.sentSeq = arena.add('sentSeq', SENT_SLOTS);
    this.words = new RobotWords(arena.part('words'));
    this.state = new StateFrame(arena.part('state'));
    arena.part('end', this.end.arena);
    this.clock = new ClockSync(this.now_us, arena.part('clock'));
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

  /** What the robot reports itself to be. */
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
    this.sentSeq[slot] = frame.seq | 0;
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

  /** Ask the robot to arm; `armAnswer` has its answer. */
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

  /**
   * 1: the robot follows, for it has accepted the newest ARM or needs none; −1: it has refused it, needed or not; 0: not yet.
   * @alloc none
   */
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
      this.words.receiveFault(this.faultCode);
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
    this.words.receive(end.reader);
    const status = readState(end.reader, candidate);
    if (status !== FRAME_OK) {
      end.refuse(status);
      end.accept();
      return;
    }
    if (candidate.tMeas_us === 0) candidate.tMeas_us = candidate.t_us;
    // both times are the robot's own: the age of the pose needs no offset
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
    if (!this.echoNew) return; // the same set-point again is no new sample of the delay
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
}

defineFields(ServerSession, FIELDS, FIRST);

function normalise(q: Float64Array): void {
  const scale = 1 / Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (let i = 0; i < 4; i++) q[i] *= scale;
}
