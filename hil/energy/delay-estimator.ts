/**
 * Delay of the loop, measured: how much later than meant a force acts on the simulated arm (docs/theory/loop-energy.md, Delay).
 *
 * The set-point of tick n is the simulated pose for the end of its step, t_n + h. A force that was measured at a pose which realises
 * it, and is used in the step that begins at t_m, is late by
 *
 *   T = t_m − (t_n + h) + tau_r + ft_age = (m − n − 1) h + tau_r + ft_age
 *
 * with n from the echo, counted in ticks that ran: the simulated arm stands still in a dropped period. tau_r is what the robot lags
 * behind the set-point that it echoes, a regression of (set-point − measured pose) on the velocity of the set-point. It is negative
 * for a robot that runs ahead along the twist. The offset of the robot's clock cancels: only its own differences are used.
 *
 * Split: measurement = age of the force sample when the STATE was sent. Robot = age of the set-point when it was put in force +
 * tau_r. Wire = the rest, the ways there and back and the wait for the next tick, less the period that a set-point looks ahead.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import { CtlMode } from '../contract/codes.ts';
import type { StateFrame } from '../protocol/frames.ts';
import { Phase } from '../contract/phase.ts';
import { TrimmedWindow } from './trimmed-window.ts';
import { exp } from '../../src/math/elementary/exponential.ts';

/** Slots of `DelayEstimator.delay`. */
export const DelaySlot = Object.freeze({
  /** T, s; negative when the robot runs further ahead than the frames take. */
  TOTAL: 0,
  WIRE: 1,
  ROBOT: 2,
  MEASUREMENT: 3,
  /** 1 when enough STATE have come for an estimate. */
  VALID: 4,
  /** tau_r, s, part of ROBOT. */
  TRACKING: 5,
  /** How much of tau_r is measured, 0 (nothing has moved yet) … 1. */
  TRACKING_KNOWN: 6,
});

/** What the estimator takes from the session of the link. */
export interface EchoedState {
  readonly phase: number;
  /** A STATE was accepted in this tick. */
  readonly fresh: boolean;
  /** Ticks since the set-point that it echoes was sent, −1 unknown; whether it is the first to echo it. */
  readonly echoTicks: number;
  readonly echoNew: boolean;
  readonly state: Pick<
    StateFrame,
    'position' | 'orientation' | 't_us' | 'tMeas_us' | 'cmdAge_us' | 'ftAge_us' | 'ctlMode'
  >;
}

/** Options of an estimator. */
export interface DelayOptions {
  readonly period_s: number;
  /** Whether the measured wrench acts on the arm (`hardware`): the age of its sample then counts. */
  readonly measuredForce: boolean;
}

/** Samples of a window: a step of the delay is through after 0.2 s at 1 kHz; ages come with each STATE and need fewer. */
const WINDOW = 200;
const AGES = 50;
/** The means are brought up to date every so many STATE. */
const EVERY = 4;
/** Samples that make the delay valid. */
const ENOUGH = 50;
/** Set-points kept for the regression: echoes later than this do not improve tau_r. */
const HISTORY = 64;
const POSE = 13;
/** Time constant of forgetting, in time of motion, s: a step of 19 ms is down to 0.03 ms after 1 s. */
const FORGETTING_s = 0.15;
/** Weight of an angular velocity beside a linear one, m: the tool's own size. */
export const LEVER_m = 0.1;
/** Slowest motion from which tau_r can be estimated, m/s; the prior tau_r = 0 weighs as two samples at this speed. */
export const SLOWEST_mps = 1e-3;
const PRIOR = 2 * SLOWEST_mps * SLOWEST_mps;
/** Angular velocity in a motion: p(3), q(4), v(3), w(3). */
const SPIN = 10;
// Sums of the regression.
const VY = 0;
const VV = 1;

/** Estimator of the loop delay. Call `observe` after the session poll and `remember` after the set-point is made, both in every tick. */
export class DelayEstimator {
  readonly arena: StateArena;
  /** Results, slots of DelaySlot, s. */
  readonly delay: Float64Array;
  private readonly period_s: number;
  private readonly measuredForce: boolean;
  private readonly forget: number;
  /** (m − n − 1) h + ft_age; set-point age when put in force; age of the force sample when sent. */
  private readonly total: TrimmedWindow;
  private readonly applied: TrimmedWindow;
  private readonly measurement: TrimmedWindow;
  private readonly sums: Float64Array;
  /** Simulated poses and twists of the last ticks. */
  private readonly history: Float64Array;
  /** [ticks remembered, at most HISTORY; slot of the next; STATE until the means are brought up to date] */
  private readonly place: Float64Array;

  constructor(options: DelayOptions, arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.period_s = options.period_s;
    this.measuredForce = options.measuredForce;
    this.forget = exp(-options.period_s / FORGETTING_s);
    this.delay = arena.table(DelaySlot);
    this.total = new TrimmedWindow(WINDOW, arena.part('total'));
    this.applied = new TrimmedWindow(AGES, arena.part('applied'));
    this.measurement = new TrimmedWindow(AGES, arena.part('measurement'));
    this.sums = arena.add('sums', 2);
    this.history = arena.add('history', HISTORY * POSE);
    this.place = arena.add('place', 3);
  }

  /** Take in what the last poll of the session brought. @alloc none */
  observe(session: EchoedState): void {
    if (session.phase !== Phase.SYNCED) {
      if (this.total.count > 0) this.clear();
      return;
    }
    if (!session.fresh || session.echoTicks < 1) return;
    const { total, applied, measurement } = this;
    const state = session.state;
    const force_s = this.measuredForce ? 1e-6 * state.ftAge_us : 0;
    total.sample[0] = (session.echoTicks - 1) * this.period_s + force_s;
    total.add();
    measurement.sample[0] = 1e-6 * (state.t_us - state.tMeas_us) + force_s;
    measurement.add();
    if (session.echoNew) {
      applied.sample[0] = 1e-6 * state.cmdAge_us;
      applied.add();
    }
    if (state.ctlMode === CtlMode.TRACK || state.ctlMode === CtlMode.CONTACT) this.regress(session);
    if (--this.place[2] >= 0) return;
    this.place[2] = EVERY - 1;
    total.average();
    applied.average();
    measurement.average();
    this.sum();
  }

  /** Keep the simulated pose and twist (13) at the end of the step of this tick, before any lead is put on it. @alloc none */
  remember(pose: Float64Array): void {
    const { history, place } = this;
    const at = POSE * place[1];
    for (let i = 0; i < POSE; i++) history[at + i] = pose[i];
    place[1] = (place[1] + 1) & (HISTORY - 1);
    if (place[0] < HISTORY) place[0]++;
  }

  private sum(): void {
    const d = this.delay;
    const s = this.sums;
    const tracking = s[VY] / (s[VV] + PRIOR);
    const total = this.total.mean[0];
    const applied = this.applied.mean[0];
    const measurement = this.measurement.mean[0];
    d[DelaySlot.TOTAL] = total + tracking;
    d[DelaySlot.WIRE] = total - applied - measurement;
    d[DelaySlot.ROBOT] = applied + tracking;
    d[DelaySlot.MEASUREMENT] = measurement;
    d[DelaySlot.VALID] = this.total.count >= ENOUGH ? 1 : 0;
    d[DelaySlot.TRACKING] = tracking;
    d[DelaySlot.TRACKING_KNOWN] = s[VV] / (s[VV] + PRIOR);
  }

  /** One sample of (set-point that is echoed − measured pose) over its velocity. */
  private regress(session: EchoedState): void {
    const lag = session.echoTicks;
    if (lag > this.place[0]) return;
    // a late echo after a stall is no sample of how the robot follows
    const odd = Math.abs(this.total.sample[0] - this.total.mean[0]) > 1.5 * this.period_s;
    if (this.total.count >= ENOUGH && odd) return;
    const x = this.history;
    const at = POSE * ((this.place[1] - lag) & (HISTORY - 1));
    const p = session.state.position;
    const q = session.state.orientation;
    // the difference is that of a motion over tau_r: its mean velocity is that of half the time before
    const half = Math.round((0.5 * this.delay[DelaySlot.TRACKING]) / this.period_s);
    const middle = lag + half < 1 ? 1 : lag + half < this.place[0] ? lag + half : this.place[0];
    const mid = POSE * ((this.place[1] - middle) & (HISTORY - 1));
    let vy = 0;
    let vv = 0;
    for (let i = 0; i < 3; i++) {
      const v = x[mid + 7 + i];
      vy += v * (x[at + i] - p[i]);
      vv += v * v;
    }
    // rotation vector from the measured to the set orientation, to third order in the angle
    const a = at + 3;
    const dot = x[a] * q[0] + x[a + 1] * q[1] + x[a + 2] * q[2] + x[a + 3] * q[3];
    const sign = dot < 0 ? -2 : 2;
    const rx = sign * (x[a] * q[3] - x[a + 3] * q[0] - x[a + 1] * q[2] + x[a + 2] * q[1]);
    const ry = sign * (x[a + 1] * q[3] - x[a + 3] * q[1] - x[a + 2] * q[0] + x[a] * q[2]);
    const rz = sign * (x[a + 2] * q[3] - x[a + 3] * q[2] - x[a] * q[1] + x[a + 1] * q[0]);
    const wx = x[mid + SPIN];
    const wy = x[mid + SPIN + 1];
    const wz = x[mid + SPIN + 2];
    const lever = LEVER_m * LEVER_m;
    vy += lever * (wx * rx + wy * ry + wz * rz);
    vv += lever * (wx * wx + wy * wy + wz * wz);
    if (vv < SLOWEST_mps * SLOWEST_mps) return;
    const s = this.sums;
    s[VY] = this.forget * s[VY] + vy;
    s[VV] = this.forget * s[VV] + vv;
  }

  /** The link is gone: what was measured may not hold for the next. */
  private clear(): void {
    this.total.clear();
    this.applied.clear();
    this.measurement.clear();
    this.sums.fill(0);
    this.delay.fill(0);
  }
}
