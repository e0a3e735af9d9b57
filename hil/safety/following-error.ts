/**
 * Following error and echo: whether the robot is where the set-points send it (docs/safety.md, Following error).
 *
 * A STATE echoes the set-point that the robot applies. The measured pose is compared with that set-point, not with the newest, so that the
 * delay of link and controller, which the echo shows, is no error. What is left of an honest arm is its lag behind the set-point
 * that it applies, |v| τ, and what acceleration, load and noise make of it. The bound is that of LinuxCNC (MIN_FERROR, FERROR):
 *
 *   position_m + lag_s · v     and     angle_rad + lag_s · ω
 *
 * with the speed of the way that was sent, pose by pose; a peak fades with twice the lag, for an arm that lags catches up by and by. Beyond
 * the bound the arm holds, beyond twice the bound it stops.
 *
 * A HOLD holds the set-point at which it came to rest. An arm that brakes by itself rests up to v (lag_s + delay) from there, with the speed at
 * which the hold began. The bound is about that place for the whole HOLD, wherever the set-point goes with a robot that settled.
 *
 * A robot whose echo stands still, or that reports that it gets no set-points, follows nothing. It is held after ECHO_HOLD of its
 * STATE in a row, and stopped after ECHO_STOP. One that applies set-points older than echo_s is held.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import type { SetpointFrame, StateFrame } from '../protocol/frames.ts';
import { Phase } from '../contract/phase.ts';
import { CtlMode, SafetyState } from '../contract/codes.ts';
import { poseError } from './pose-error.ts';
import type { SafetyInputs } from '../contract/signals.ts';
import { exp } from '../../src/math/elementary/exponential.ts';

/** Settings of section `following`. */
export interface FollowingSettings {
  readonly position_m: number;
  readonly angle_rad: number;
  readonly lag_s: number;
  readonly echo_s: number;
}

/** Slots of `FollowingGuard.figures`. */
export const FollowingSlot = Object.freeze({
  ERROR_m: 0,
  ERROR_rad: 1,
  LIMIT_m: 2,
  LIMIT_rad: 3,
  /** Age of the set-point that the robot applies, s; of the newest that it is known to have applied. */
  ECHO_s: 4,
});

/** STATE in a row beyond a bound before it counts, as many as for a force. */
const ERROR_STATES = 3;
/** STATE in a row without a newer echo: the robot's own end of the line, and half as much again for one that does not stop by itself. */
const ECHO_HOLD = 10;
const ECHO_STOP = 30;
/** A bound is passed by this factor: stop. */
const STOP_FACTOR = 2;
/** Set-points kept; an echo of an older one is as good as none. */
const SLOTS = 128;
// Columns of a kept set-point.
const SEQ = 0;
/** 1: the robot was to follow it. */
const FOLLOWED = 1;
const SPEED = 2;
const ANGULAR_SPEED = 3;
const POSE = 4;
const WIDTH = POSE + 7;
/** Slots of the marks. */
const Mark = Object.freeze({
  ECHO: 0,
  ECHO_KNOWN: 1,
  /** STATE in a row without a newer echo. */
  FROZEN: 2,
  /** Echoes before this number are of a place that the set-point has left with the robot. */
  FROM: 3,
  OUTSIDE: 4,
  FAR_OUTSIDE: 5,
  ANCHORED: 6,
  LAST_KNOWN: 7,
  /** The set-point that is echoed commands the robot to follow it. */
  ASKED: 8,
});
const { ECHO, ECHO_KNOWN, FROZEN, FROM, OUTSIDE, FAR_OUTSIDE, ANCHORED, LAST_KNOWN, ASKED } = Mark;
const { ARMING, ACTIVE_FREE, ACTIVE_CONTACT, HOLD } = SafetyState;

/** What it takes from the session of the link. */
export interface EchoingRobot {
  readonly phase: number;
  readonly fresh: boolean;
  /** Ticks since the set-point that the newest STATE echoes was sent. */
  readonly echoTicks: number;
  readonly state: Pick<StateFrame, 'echoSeq' | 'lostInRow'>;
}

/** Guard of following error and echo. Call `observe` before the machine steps and `sent` after a set-point is sent. */
export class FollowingGuard {
  readonly arena: StateArena;
  readonly figures: Float64Array;
  readonly #settings: FollowingSettings;
  readonly #period_s: number;
  readonly #fading: number;
  readonly #sent: Float64Array;
  readonly #marks: Float64Array;
  /** Speed and angular speed of the way that is sent: peaks that fade. */
  readonly #speeds: Float64Array;
  /** Set-point sent last, and where the HOLD came to rest. */
  readonly #last: Float64Array;
  readonly #anchor: Float64Array;
  readonly #step = new Float64Array(2);

  constructor(settings: FollowingSettings, period_s: number, arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.figures = arena.table(FollowingSlot);
    this.#sent = arena.add('sent', SLOTS * WIDTH);
    this.#marks = arena.table(Mark);
    this.#speeds = arena.add('speeds', 2);
    this.#last = arena.add('last', 7);
    this.#anchor = arena.add('anchor', 7);
    this.#settings = settings;
    this.#period_s = period_s;
    this.#fading = settings.lag_s > 0 ? exp(-period_s / (2 * settings.lag_s)) : 0;
    this.#clear();
  }

  /** Whether the set-point that the newest STATE echoes commands the robot to follow it. */
  get asked(): boolean {
    return this.#marks[ASKED] === 1;
  }

  /**
   * Judges the newest STATE. @param measured pose (13) @param setpoint that was sent last (13) @alloc none
   * @param rested the robot has rested long enough to be where it stays, by twist and poses
   */
  observe(
    session: EchoingRobot,
    state: number,
    setpoint: Float64Array,
    measured: Float64Array,
    rested: boolean,
    inputs: SafetyInputs,
  ): void {
    const marks = this.#marks;
    inputs.robotSettled = 0;
    if (session.phase !== Phase.SYNCED) {
      this.#clear();
      inputs.followingError = 0;
      inputs.echoLost = 0;
      return;
    }
    if (session.fresh) this.#readEcho(session);
    const active = state === ACTIVE_FREE || state === ACTIVE_CONTACT;
    inputs.echoLost = active || state === ARMING || state === HOLD ? this.#echoAnswer(state) : 0;
    if (state !== HOLD) marks[ANCHORED] = 0;
    else if (marks[ANCHORED] === 0 && inputs.setpointStopped === 1) {
      marks[ANCHORED] = 1;
      for (let i = 0; i < 7; i++) this.#anchor[i] = setpoint[i];
    }
    if (!active && state !== HOLD) {
      marks[OUTSIDE] = 0;
      marks[FAR_OUTSIDE] = 0;
    } else if (session.fresh) {
      if (marks[ANCHORED] === 1) this.#compareHeld(measured);
      else this.#compareEchoed(session.state.echoSeq, measured);
    }
    if (marks[FAR_OUTSIDE] >= ERROR_STATES) inputs.followingError = 2;
    else inputs.followingError = marks[OUTSIDE] >= ERROR_STATES ? 1 : 0;
    if (marks[ANCHORED] === 1 && rested && marks[OUTSIDE] === 0) inputs.robotSettled = 1;
  }

  /**
   * Keeps a set-point that has left. @param follows the set-point went to the robot in this tick, instead of the robot to it
   * @param state of the safety machine @alloc none
   */
  sent(frame: SetpointFrame, follows: boolean, state: number): void {
    const marks = this.#marks;
    const speeds = this.#speeds;
    const { position, orientation, seq, mode } = frame;
    const kept = this.#sent;
    const at = WIDTH * (seq & (SLOTS - 1));
    for (let i = 0; i < 3; i++) kept[at + POSE + i] = position[i];
    for (let i = 0; i < 4; i++) kept[at + POSE + 3 + i] = orientation[i];
    if (follows) marks[FROM] = seq;
    if (state === ACTIVE_FREE || state === ACTIVE_CONTACT) this.#trackSpeed(kept, at + POSE);
    else if (state !== HOLD) {
      speeds[0] = 0;
      speeds[1] = 0;
    }
    for (let i = 0; i < 7; i++) this.#last[i] = kept[at + POSE + i];
    marks[LAST_KNOWN] = 1;
    kept[at + SEQ] = seq;
    kept[at + FOLLOWED] = mode >= CtlMode.HOLD && mode <= CtlMode.CONTACT ? 1 : 0;
    kept[at + SPEED] = speeds[0];
    kept[at + ANGULAR_SPEED] = speeds[1];
  }

  #trackSpeed(pose: Float64Array, at: number): void {
    const speeds = this.#speeds;
    const last = this.#last;
    if (this.#marks[LAST_KNOWN] !== 1) return;
    const step = this.#step;
    poseError(last, 0, pose, at, step);
    for (let k = 0; k < 2; k++) {
      const faded = this.#fading * speeds[k];
      const now = step[k] / this.#period_s;
      speeds[k] = now > faded ? now : faded;
    }
  }

  #readEcho(session: EchoingRobot): void {
    const marks = this.#marks;
    const { echoSeq, lostInRow } = session.state;
    const kept = this.#sent[WIDTH * (echoSeq & (SLOTS - 1)) + SEQ] === echoSeq;
    marks[ASKED] = kept ? this.#sent[WIDTH * (echoSeq & (SLOTS - 1)) + FOLLOWED] : 0;
    const newer = marks[ECHO_KNOWN] === 0 || ((echoSeq - marks[ECHO]) | 0) > 0;
    if (kept && newer) {
      marks[ECHO] = echoSeq;
      marks[ECHO_KNOWN] = 1;
      this.figures[FollowingSlot.ECHO_s] = session.echoTicks * this.#period_s;
    }
    const reported = lostInRow >= ECHO_HOLD; // the robot reports that itself
    if (kept && newer && !reported) marks[FROZEN] = 0;
    else {
      marks[FROZEN]++;
      this.figures[FollowingSlot.ECHO_s] += this.#period_s;
    }
  }

  #echoAnswer(state: number): number {
    const frozen = this.#marks[FROZEN];
    if (frozen >= ECHO_STOP && state !== ARMING) return 2; // an ARMING is given up, there is nothing to stop
    const old = this.figures[FollowingSlot.ECHO_s] > this.#settings.echo_s;
    return frozen >= ECHO_HOLD || old ? 1 : 0;
  }

  #compareEchoed(echo: number, measured: Float64Array): void {
    const marks = this.#marks;
    const kept = this.#sent;
    const at = WIDTH * (echo & (SLOTS - 1));
    // an echo of a set-point that was not sent is a fault of the echo, not of following
    if (kept[at + SEQ] !== echo || kept[at + FOLLOWED] !== 1) return;
    if (((echo - marks[FROM]) | 0) < 0) return;
    const { figures } = this;
    const { position_m, angle_rad, lag_s } = this.#settings;
    poseError(kept, at + POSE, measured, 0, figures);
    figures[FollowingSlot.LIMIT_m] = position_m + lag_s * kept[at + SPEED];
    figures[FollowingSlot.LIMIT_rad] = angle_rad + lag_s * kept[at + ANGULAR_SPEED];
    this.#count();
  }

  #compareHeld(measured: Float64Array): void {
    const { figures } = this;
    const { position_m, angle_rad, lag_s, echo_s } = this.#settings;
    const anchor = this.#anchor;
    const delay_s = Math.min(figures[FollowingSlot.ECHO_s], echo_s);
    poseError(anchor, 0, measured, 0, figures);
    figures[FollowingSlot.LIMIT_m] = position_m + (lag_s + delay_s) * this.#speeds[0];
    figures[FollowingSlot.LIMIT_rad] = angle_rad + (lag_s + delay_s) * this.#speeds[1];
    this.#count();
  }

  /** Written so that a value that is no number counts as outside. */
  #count(): void {
    const marks = this.#marks;
    const f = this.figures;
    const way = f[FollowingSlot.ERROR_m] / f[FollowingSlot.LIMIT_m];
    const turn = f[FollowingSlot.ERROR_rad] / f[FollowingSlot.LIMIT_rad];
    marks[OUTSIDE] = way <= 1 && turn <= 1 ? 0 : marks[OUTSIDE] + 1;
    marks[FAR_OUTSIDE] = way <= STOP_FACTOR && turn <= STOP_FACTOR ? 0 : marks[FAR_OUTSIDE] + 1;
  }

  /** The session is gone: its numbers do not apply to the next. */
  #clear(): void {
    this.figures.fill(0);
    this.#marks.fill(0);
    this.#speeds.fill(0);
    for (let at = 0; at < this.#sent.length; at += WIDTH) this.#sent[at + SEQ] = -1;
  }
}
