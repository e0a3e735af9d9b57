/**
 * Position lead: what is sent is where the arm will be when the robot has got there, x + T_r v + ½ T_r² a (`hil-anchors 3`, remedy f;
 * docs/theory/loop-energy.md, Compensation). The delay is measured against the pose without lead, so that what the estimator says
 * of the robot is what the lead has not undone yet: T_r is its integral.
 */
import { advanceQuaternion } from '../../src/math/quaternion.ts';
import { loadArray, type Stateful } from '../recording/stateful.ts';
import { DelaySlot } from './delay-estimator.ts';

/** The integral is slower than the window of the estimator (0.2 s), else the two would swing. */
const ADAPTATION_s = 1;
/** Longest lead, s: further ahead a parabola says nothing. */
const LONGEST_s = 0.05;

/** See above. */
export class PositionLead implements Stateful {
  /** [T_r], s. */
  readonly lead_s: Float64Array = new Float64Array(1);
  readonly stateLength: number = 8;
  private readonly period_s: number;
  private readonly delay: Float64Array;
  private readonly lastTwist = new Float64Array(6);
  /** [a twist has been seen] */
  private readonly seen = new Float64Array(1);
  private readonly mean = new Float64Array(6);

  constructor(period_s: number, delay: Float64Array) {
    this.period_s = period_s;
    this.delay = delay;
  }

  /** Puts the lead on p(3), q(4), v(3), w(3). @alloc none */
  apply(setpoint: Float64Array): void {
    const { delay, lead_s, lastTwist, mean, seen } = this;
    if (delay[DelaySlot.VALID] === 1) {
      const next = lead_s[0] + (this.period_s / ADAPTATION_s) * delay[DelaySlot.ROBOT];
      lead_s[0] = next > LONGEST_s ? LONGEST_s : next > 0 ? next : 0;
    }
    const t = lead_s[0];
    for (let a = 0; a < 6; a++) {
      const twist = setpoint[7 + a];
      const change = seen[0] === 1 ? ((twist - lastTwist[a]) / this.period_s) * t : 0;
      lastTwist[a] = twist;
      mean[a] = twist + 0.5 * change;
      setpoint[7 + a] = twist + change;
    }
    seen[0] = 1;
    for (let i = 0; i < 3; i++) setpoint[i] += t * mean[i];
    advanceQuaternion(setpoint, 3, setpoint, 3, mean, 3, lead_s);
  }

  /** The arm does not move by itself: the next twist begins anew. @alloc none */
  pause(): void {
    this.seen[0] = 0;
  }

  saveState(into: Float64Array, at: number): void {
    into[at] = this.lead_s[0];
    into[at + 1] = this.seen[0];
    into.set(this.lastTwist, at + 2);
  }

  loadState(from: Float64Array, at: number): void {
    this.lead_s[0] = from[at];
    this.seen[0] = from[at + 1];
    loadArray(this.lastTwist, from, at + 2);
  }
}
