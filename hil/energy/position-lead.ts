/**
 * Position lead: what is sent is where the arm will be when the robot has got there, x + T_r v + ½ T_r² a (`hil-anchors 3`, remedy f;
 * docs/theory/loop-energy.md, Compensation). The delay is measured against the pose without lead, so that the lag that the
 * estimator reports is what the lead has not undone yet. T_r is its integral over the time in which the arm moves, for at rest
 * there is no estimate.
 *
 * An arm that is braked is led no more. What it was ahead is taken back along 1 − 10 x³ + 15 x⁴ − 6 x⁵, x = t/FADING_s, which
 * begins and ends at rest. It does end: a hold needs a set-point at rest in 0.1 s.
 */
import { advanceQuaternion } from '../../src/math/quaternion.ts';
import { StateArena } from '../../src/math/state-arena.ts';
import { DelaySlot, LEVER_m, SLOWEST_mps } from './delay-estimator.ts';

/** The integral is slower than the window of the estimator (0.2 s), else the two would swing. */
const ADAPTATION_s = 1;
/** How long the way back takes, s. */
const FADING_s = 0.08;
/** Longest lead, s: the way back, at most 15/8 of the mean, is then no faster than the arm was at constant speed. */
const LONGEST_s = 0.04;

/** Position lead of the set-point over the lag of the robot. */
export class PositionLead {
  /** [T_r], s. */
  readonly lead_s: Float64Array;
  private readonly period_s: number;
  private readonly delay: Float64Array;
  private readonly lastTwist: Float64Array;
  /** [a twist has come; time since the arm is braked, s] */
  private readonly marks: Float64Array;
  /** How far ahead the last set-point was: way, m, and rotation vector, rad. */
  private readonly ahead: Float64Array;
  private readonly share = new Float64Array(1);

  constructor(period_s: number, delay: Float64Array, arena: StateArena = new StateArena()) {
    this.lead_s = arena.add('lead_s', 1);
    this.marks = arena.add('marks', 2);
    this.lastTwist = arena.add('lastTwist', 6);
    this.ahead = arena.add('ahead', 6);
    this.period_s = period_s;
    this.delay = delay;
  }

  /** Puts the lead on p(3), q(4), v(3), w(3). @alloc none */
  apply(setpoint: Float64Array): void {
    const { lead_s, lastTwist, ahead, marks } = this;
    const before = lead_s[0];
    this.adapt(setpoint);
    const t = lead_s[0];
    // a lead that grows takes the pose along, and the twist has to include that
    const growth = (t - before) / this.period_s;
    for (let a = 0; a < 6; a++) {
      const twist = setpoint[7 + a];
      const change = marks[0] === 1 ? ((twist - lastTwist[a]) / this.period_s) * t : 0;
      lastTwist[a] = twist;
      ahead[a] = t * (twist + 0.5 * change);
      setpoint[7 + a] = twist + change + growth * twist;
    }
    marks[0] = 1;
    marks[1] = 0;
    this.put(setpoint, 1);
  }

  /** The arm is braked: what it was ahead is taken back. @alloc none */
  fade(setpoint: Float64Array): void {
    const { marks, ahead } = this;
    marks[0] = 0;
    marks[1] += this.period_s;
    const x = marks[1] / FADING_s;
    if (x >= 1) {
      this.drop();
      return;
    }
    const rate = (30 * x * x * (1 - x) * (1 - x)) / FADING_s;
    for (let a = 0; a < 6; a++) setpoint[7 + a] -= rate * ahead[a];
    this.put(setpoint, 1 - x * x * x * (10 - x * (15 - 6 * x)));
  }

  /** The arm follows the robot: there is nothing to be ahead of. @alloc none */
  drop(): void {
    this.marks[0] = 0;
    for (let a = 0; a < 6; a++) this.ahead[a] = 0;
  }

  private adapt(setpoint: Float64Array): void {
    const { delay, lead_s } = this;
    let square = 0;
    for (let i = 0; i < 3; i++) {
      const lever = LEVER_m * setpoint[10 + i];
      square += setpoint[7 + i] * setpoint[7 + i] + lever * lever;
    }
    if (delay[DelaySlot.VALID] !== 1 || square < SLOWEST_mps * SLOWEST_mps) return;
    const next = lead_s[0] + (this.period_s / ADAPTATION_s) * delay[DelaySlot.ROBOT];
    lead_s[0] = next > LONGEST_s ? LONGEST_s : next > 0 ? next : 0;
  }

  private put(setpoint: Float64Array, share: number): void {
    const { ahead } = this;
    this.share[0] = share;
    for (let i = 0; i < 3; i++) setpoint[i] += share * ahead[i];
    advanceQuaternion(setpoint, 3, setpoint, 3, ahead, 3, this.share);
  }
}
