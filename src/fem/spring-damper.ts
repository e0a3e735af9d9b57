/**
 * A spring and damper between points of two parts, the same in all directions, `Kim 1999, (6.1)–(6.4)`: f = K Δr + C Δṙ pulls them together, and a
 * spring has no free length. It takes part in a step as rows that yield: with s = 1/(K + a1 C), the change of the force is that of the
 * elongation over s, so that its stiffness sets no limit to the step.
 */
import { range } from '../base/parameter-checks.ts';
import type { ConstraintRows } from './constraint-rows.ts';
import type { Joint } from './joints.ts';
import type { PointSubsystem } from './subsystem.ts';

/** An end: a mean of points of a part, by shares that add up to 1. */
export interface SpringEnd {
  readonly part: number;
  readonly body: PointSubsystem;
  readonly points: readonly number[];
  readonly shares: readonly number[];
}

/** N/m and N s/m. */
export interface SpringDamperData {
  readonly stiffness: number;
  readonly damping: number;
}

/** The spring. It does nothing until it is engaged. */
export class SpringDamper implements Joint {
  readonly capacity = 2;
  /** Pull of the second end on the first, N. */
  readonly forces: Float64Array = new Float64Array(2);
  /** Way from the first end to the second when it was last measured, m. */
  readonly elongation: Float64Array = new Float64Array(2);
  private engaged = false;
  private softness = 0.5;
  private readonly a: SpringEnd;
  private readonly b: SpringEnd;
  private readonly data: SpringDamperData;
  private readonly place = new Float64Array(2);
  private readonly way = new Float64Array(2);

  constructor(a: SpringEnd, b: SpringEnd, data: SpringDamperData) {
    range('stiffness', data.stiffness, data.stiffness >= 0, '>= 0');
    range('damping', data.damping, data.damping >= 0, '>= 0');
    range('stiffness', data.stiffness, data.stiffness + data.damping > 0, 'or damping to be > 0');
    this.a = a;
    this.b = b;
    this.data = data;
  }

  get count(): number {
    return this.engaged ? this.capacity : 0;
  }

  /** It acts from the next step on. */
  engage(): void {
    this.engaged = true;
  }

  setStep(a1: number): void {
    this.softness = 1 / (this.data.stiffness + a1 * this.data.damping);
  }

  /** Measures the elongation of the present state. @alloc none */
  measure(): void {
    this.elongation.fill(0);
    this.addPlace(this.a, -1);
    this.addPlace(this.b, 1);
  }

  /** ½ K Δr² of the elongation that was measured, J; 0 before it is engaged. */
  energy(): number {
    if (!this.engaged) return 0;
    const [x, y] = this.elongation;
    return 0.5 * this.data.stiffness * (x * x + y * y);
  }

  fill(rows: ConstraintRows): void {
    if (!this.engaged) return;
    const { elongation, forces, data, softness } = this;
    this.measure();
    for (let axis = 0; axis < 2; axis++) {
      const row = rows.add(this.a.part, this.b.part);
      this.addEnd(rows, row, this.a, axis, -1);
      this.addEnd(rows, row, this.b, axis, 1);
      const wanted = data.stiffness * elongation[axis] + data.damping * rows.rateOf(row);
      rows.softness[row] = softness;
      rows.gaps[row] = softness * (wanted - forces[axis]);
      // where accelerations are computed, the force is that of the state
      rows.forces[row] = rows.biased ? wanted : forces[axis];
      rows.transpose(row);
    }
  }

  private addPlace({ body, points, shares }: SpringEnd, sign: number): void {
    for (let p = 0; p < points.length; p++) {
      body.position(points[p], this.place, 0);
      this.elongation[0] += sign * shares[p] * this.place[0];
      this.elongation[1] += sign * shares[p] * this.place[1];
    }
  }

  private addEnd(
    rows: ConstraintRows,
    row: number,
    end: SpringEnd,
    axis: number,
    sign: number,
  ): void {
    for (let p = 0; p < end.points.length; p++) {
      this.way.fill(0);
      this.way[axis] = sign * end.shares[p];
      rows.addPoint(row, end.part, end.body, end.points[p], this.way);
    }
  }
}
