/** Kinematic constraints between parts, `Kim 1999, (4.2)`: they stay for the whole run and may close loops. */
import type { ConstraintRows } from './constraint-rows.ts';
import type { PointSubsystem } from './subsystem.ts';

/** A constraint that stays. */
export interface Joint {
  readonly count: number;
  /** Multipliers of its rows: force on the second part, N or N m. */
  readonly forces: Float64Array;
  /** Adds its rows with gaps and multipliers. @alloc none */
  fill(rows: ConstraintRows): void;
}

/** A point of one part: the part's place in the list, and the number of the point. */
export interface JoinedPoint {
  readonly part: number;
  readonly body: PointSubsystem;
  readonly point: number;
}

/** Two points coincide: a pin in the plane. */
export class PinJoint implements Joint {
  readonly count = 2;
  readonly forces: Float64Array = new Float64Array(2);
  private readonly a: JoinedPoint;
  private readonly b: JoinedPoint;
  private readonly places = new Float64Array(4);
  private readonly along = [Float64Array.of(1, 0), Float64Array.of(0, 1)];
  private readonly against = [Float64Array.of(-1, 0), Float64Array.of(0, -1)];

  constructor(a: JoinedPoint, b: JoinedPoint) {
    this.a = a;
    this.b = b;
  }

  fill(rows: ConstraintRows): void {
    const { a, b, places } = this;
    a.body.position(a.point, places, 0);
    b.body.position(b.point, places, 2);
    for (let axis = 0; axis < 2; axis++) {
      const row = rows.add(a.part, b.part);
      rows.addPoint(row, a.part, a.body, a.point, this.along[axis]);
      rows.addPoint(row, b.part, b.body, b.point, this.against[axis]);
      rows.gaps[row] = places[axis] - places[2 + axis];
      rows.forces[row] = this.forces[axis];
      rows.transpose(row);
    }
  }
}
