/** Kinematic constraints between parts, `Kim 1999, (4.2)`: they stay for the whole run and may close loops. */
import type { ConstraintRows } from './constraint-rows.ts';
import type { PointSubsystem, TurningSubsystem } from './subsystem.ts';

/** A constraint that stays. */
export interface Joint {
  /** Rows at present, and most of them. */
  readonly count: number;
  readonly capacity: number;
  /** Multipliers of its rows: force on the second part, N or N m. */
  readonly forces: Float64Array;
  /** Fixes a1 of the step; for joints that yield. */
  setStep?(a1: number): void;
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
  readonly capacity = 2;
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

/** A part whose frame turns: the part's place in the list. */
export interface TurningPart {
  readonly part: number;
  readonly body: TurningSubsystem;
}

/** The frames of two parts keep the angle that they have at construction; with a pin it is a clamp. Its multiplier is a moment. */
export class LockJoint implements Joint {
  readonly count = 1;
  readonly capacity = 1;
  readonly forces: Float64Array = new Float64Array(1);
  private readonly a: TurningPart;
  private readonly b: TurningPart;
  private readonly kept = new Float64Array(1);
  private readonly angles = new Float64Array(2);

  constructor(a: TurningPart, b: TurningPart) {
    this.a = a;
    this.b = b;
    this.measure();
    this.kept[0] = this.angles[0] - this.angles[1];
  }

  fill(rows: ConstraintRows): void {
    const { a, b, angles } = this;
    this.measure();
    const row = rows.add(a.part, b.part);
    a.body.addTurn(rows.rows[a.part], a.body.size * row, 1);
    b.body.addTurn(rows.rows[b.part], b.body.size * row, -1);
    rows.gaps[row] = angles[0] - angles[1] - this.kept[0];
    rows.forces[row] = this.forces[0];
    rows.transpose(row);
  }

  private measure(): void {
    this.a.body.angle(this.angles, 0);
    this.b.body.angle(this.angles, 1);
  }
}
