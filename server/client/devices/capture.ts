/**
 * Captures rest position and ends of the axes of a device: first the operator leaves it alone, then
 * moves everything to its ends. An axis that drifted or hardly moved is refused with a sentence.
 */
import { type DeviceKind, LAYOUTS } from './layout.ts';
import { type AxisRange, type DeviceProfile, LEAST_REACH } from './profile.ts';

/** Time for which the device is left alone, ms. */
export const REST_MS = 1500;
/** Largest drift of an axis at rest, relative to its usual range. */
const MOST_WANDER = 0.08;

export type CaptureStep = 'rest' | 'ends';

export class Capture {
  readonly #kind: DeviceKind;
  readonly #assigned: readonly number[];
  readonly #sum: Float64Array;
  readonly #minimum: Float64Array;
  readonly #maximum: Float64Array;
  #count = 0;
  #start_ms = Number.NaN;
  #centre: Float64Array | null = null;

  /** @param profile profile of the device; its unused axes need not be moved */
  constructor(kind: DeviceKind, profile: DeviceProfile) {
    const count = LAYOUTS[kind].axisNames.length;
    this.#kind = kind;
    this.#assigned = [...new Set(profile.assignments.map(({ source }) => source))].filter(
      (source) => source >= 0,
    );
    this.#sum = new Float64Array(count);
    this.#minimum = new Float64Array(count).fill(Infinity);
    this.#maximum = new Float64Array(count).fill(-Infinity);
  }

  get step(): CaptureStep {
    return this.#centre === null ? 'rest' : 'ends';
  }

  /** Adds a raw reading. @returns a sentence when the rest phase failed and starts again, else null */
  add(axes: ArrayLike<number>, now_ms: number): string | null {
    if (Number.isNaN(this.#start_ms)) this.#start_ms = now_ms;
    this.#count++;
    for (let i = 0; i < this.#sum.length; i++) {
      const value = i < axes.length ? axes[i] : 0;
      this.#sum[i] += value;
      this.#minimum[i] = Math.min(this.#minimum[i], value);
      this.#maximum[i] = Math.max(this.#maximum[i], value);
    }
    if (this.#centre !== null || now_ms - this.#start_ms < REST_MS) return null;
    return this.#endRest();
  }

  #endRest(): string | null {
    const { axisNames, nominalReach } = LAYOUTS[this.#kind];
    const moved = axisNames.filter(
      (_, i) => this.#maximum[i] - this.#minimum[i] > MOST_WANDER * nominalReach,
    );
    const centre = this.#sum.map((sum) => sum / this.#count);
    this.#sum.fill(0);
    this.#minimum.fill(Infinity);
    this.#maximum.fill(-Infinity);
    this.#count = 0;
    this.#start_ms = Number.NaN;
    if (moved.length > 0) {
      return `"${moved.join('", "')}" moved while the device was to be left alone: let go of it.`;
    }
    this.#centre = centre;
    return null;
  }

  /** Range of axis `i` to its shorter side, relative to its usual range, 0 … 1 and more. */
  reach(i: number): number {
    if (this.#centre === null || this.#count === 0) return 0;
    const below = this.#centre[i] - this.#minimum[i];
    const above = this.#maximum[i] - this.#centre[i];
    // an axis that rests at one end, such as a throttle, has one side only
    const shorter = Math.min(below, above);
    return (
      (this.#restsAtEnd(i) ? Math.max(below, above) : shorter) / LAYOUTS[this.#kind].nominalReach
    );
  }

  #restsAtEnd(i: number): boolean {
    return Math.abs(this.#centre![i]) > (1 - LEAST_REACH) * LAYOUTS[this.#kind].nominalReach;
  }

  /** Reasons why the capture cannot be used: one sentence for each used axis that moved too little. */
  refusals(): string[] {
    const { axisNames } = LAYOUTS[this.#kind];
    return this.#assigned
      .filter((i) => this.reach(i) < LEAST_REACH)
      .map((i) => {
        const percent = Math.max(0, Math.floor(this.reach(i) * 100));
        return `"${axisNames[i]}" moved ${percent} % of what is usual: move it to both ends.`;
      });
  }

  /** Captured ranges; unused axes that did not move keep theirs. Call it when `refusals` is empty. */
  ranges(profile: DeviceProfile): AxisRange[] {
    const centre = this.#centre;
    if (centre === null || this.#count === 0) return [...profile.ranges];
    return profile.ranges.map((old, i) =>
      this.reach(i) < LEAST_REACH
        ? old
        : {
            minimum: Math.min(this.#minimum[i], centre[i]),
            centre: centre[i],
            maximum: Math.max(this.#maximum[i], centre[i]),
          },
    );
  }
}
