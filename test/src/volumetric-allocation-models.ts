/** Every volumetric law and every way to find the normal, called as a contact calls them, for the measurement of the heap. */
import { FRICTION_LAWS, NORMAL_LAWS, ROLLING_LAWS } from '../../src/contact/registry.ts';
import {
  NORMAL_RATE,
  NORMAL_RESULT,
  NORMAL_TIMING,
  TURN,
} from '../../src/contact/normal/normal-law.ts';
import { OVERLAP_AREA, OVERLAP_VOLUME } from '../../src/contact/normal/normal-law.ts';
import {
  TURN_AREA,
  TURN_DEPTH,
  TURN_INVERSE_MASS,
  TURN_RATE,
  TURN_VOLUME,
} from '../../src/contact/normal/normal-law.ts';
import {
  AREA,
  GYRATION,
  INERTIA,
  KINEMATICS,
  LOAD,
  MOBILITY,
  NORMAL,
  RESISTANCE,
  SLIP,
  SPIN,
  STEP,
  VOLUME,
} from '../../src/contact/pair.ts';
import type { LawMemory, MemorySize } from '../../src/contact/component.ts';
import type { FrictionLaw } from '../../src/contact/friction/friction-law.ts';
import type { NormalLaw } from '../../src/contact/normal/normal-law.ts';
import type { RollingLaw } from '../../src/contact/rolling/rolling-law.ts';
import { ContactNormal } from '../../src/overlap/contact-normal.ts';
import { COLUMN, COLUMN_SIZE } from '../../src/overlap/kernel.ts';
import { FRICTION } from './volumetric-laws.ts';

function memory(size: MemorySize): LawMemory {
  return {
    states: new Float64Array(size.states),
    rates: new Float64Array(size.states),
    internals: new Float64Array(size.internals),
  };
}

/** Calls of one contact. */
export class Exercise {
  readonly finders = (['principal-axis', 'vector-area', 'inverse-iteration'] as const).map(
    (m) => new ContactNormal(m),
  );
  readonly normals: NormalLaw[];
  readonly frictions: FrictionLaw[];
  readonly rollings: RollingLaw[];
  readonly column = new Float64Array(COLUMN_SIZE);
  readonly k = new Float64Array(KINEMATICS);
  readonly mobility = new Float64Array(MOBILITY);
  readonly inertia = Float64Array.of(50, 3, 2, 3, 60, 1, 2, 1, 70);
  readonly basis = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  readonly result = new Float64Array(NORMAL_RESULT);
  readonly turn = new Float64Array(TURN);
  readonly timing = new Float64Array(NORMAL_TIMING);
  readonly flags = Float64Array.of(1, 9, 0);
  readonly readout = new Float64Array(40);
  readonly previous = new Float64Array(3);
  readonly toI = Float64Array.of(0, 0, 1);
  readonly sum = new Float64Array(1);
  private count = 0;

  constructor() {
    const geometry = { effectiveRadius: 0 };
    const bristle = { ...FRICTION, kind: 'bristle' } as const;
    const law = {
      stiffness: 1e7,
      restitution: 0.5,
      smallVelocity: 1e-3,
      exponent: 1,
      kind: 'hysteretic',
    } as const;
    this.normals = [0, 1].map((relaxationTime) => {
      const model = {
        kind: 'volumetric',
        stiffness: 1e7,
        restitution: 0.5,
        smallVelocity: 1e-3,
        relaxationTime,
      } as const;
      const one = NORMAL_LAWS.volumetric;
      return one.make(model, memory(one.size(model)), geometry);
    });
    const point = { ...law, relaxationTime: 1 };
    this.normals.push(
      NORMAL_LAWS.hysteretic.make(point, memory(NORMAL_LAWS.hysteretic.size(point)), geometry),
    );
    const still = { ...FRICTION, dwellTime: 0 };
    const area = FRICTION_LAWS['volumetric-bristle'];
    this.frictions = [
      area.make(FRICTION, memory(area.size(FRICTION)), geometry),
      area.make(still, memory(area.size(still)), geometry),
      FRICTION_LAWS.bristle.make(bristle, memory(FRICTION_LAWS.bristle.size(bristle)), geometry),
    ];
    this.rollings = [
      ROLLING_LAWS.volumetric.make(
        { kind: 'volumetric' },
        memory({ states: 0, internals: 0 }),
        geometry,
      ),
      ROLLING_LAWS.none.make({ kind: 'none' }, memory({ states: 0, internals: 0 }), geometry),
    ];
    this.timing[0] = 1e-3;
  }

  /** One round over everything, at a pose and velocities that change. */
  step(): void {
    const n = this.count++;
    const { column, k, mobility, result, turn } = this;
    const u = 0.1 + 0.9 * ((n % 17) / 17);
    const w = 0.1 + 0.9 * ((n % 23) / 23);
    column[COLUMN.volume] = 1e-6 * u;
    column[COLUMN.second] = 1e-10 * u;
    column[COLUMN.second + 1] = 1.3e-10 * w;
    column[COLUMN.second + 2] = 1e-11;
    column[COLUMN.second + 5] = 1e-12 * w;
    column[COLUMN.vectorArea] = n % 31 === 0 ? 0 : 2e-5 * w;
    column[COLUMN.vectorArea + 2] = n % 31 === 0 ? 0 : 1e-4 * u;
    for (let f = 0; f < this.finders.length; f++) {
      this.finders[f].find(column, this.previous, this.toI);
      for (let a = 0; a < 3; a++) k[NORMAL + a] = this.finders[f].normal[a];
    }
    for (let a = 0; a < 3; a++) this.previous[a] = k[NORMAL + a];
    for (let a = 0; a < 6; a++) k[INERTIA + a] = a < 3 ? 2e-10 * u : -1e-11 * w;
    k[VOLUME] = 1e-6 * u;
    k[AREA] = 1e-4 * w;
    k[GYRATION] = 0.01 * w;
    for (let a = 0; a < 3; a++) {
      k[SLIP + a] = 2e-3 * (u - 0.5 * a * w);
      k[SPIN + a] = 0.3 * (w - u * a);
    }
    result[OVERLAP_VOLUME] = k[VOLUME];
    result[OVERLAP_AREA] = k[AREA];
    result[NORMAL_RATE] = 0.1 * (u - w);
    mobility[0] = 1.5;
    mobility[1] = 0.1;
    mobility[2] = 2.5;
    mobility[STEP] = 1e-3;
    mobility[LOAD] = 9 * u;
    mobility[RESISTANCE] = 50 * w;
    for (let f = 0; f < this.normals.length; f++) {
      const law = this.normals[f];
      if (n % 13 === 0) law.begin(-0.1, 1e-4, result);
      law.evaluate(result);
      turn[TURN_DEPTH] = 1e-3 * u;
      turn[TURN_RATE] = -0.1;
      turn[TURN_INVERSE_MASS] = 0.7;
      turn[TURN_VOLUME] = k[VOLUME];
      turn[TURN_AREA] = k[AREA];
      law.measureTurn(turn);
      law.advance(this.timing);
      if (n % 13 === 12) law.end();
    }
    for (let f = 0; f < this.frictions.length; f++) {
      const law = this.frictions[f];
      if (n % 19 === 0) law.begin();
      law.evaluate(k, mobility);
      law.computeStored(this.flags, result, k);
      law.prepare(k, this.timing);
      law.solve(k, this.basis, mobility);
      law.solveSpin(k, this.inertia, mobility);
      law.advance(this.timing);
      law.read(this.readout);
      this.sum[0] += law.force[0] + law.torque[2];
      if (n % 19 === 18) law.end();
    }
    for (let f = 0; f < this.rollings.length; f++) {
      const law = this.rollings[f];
      law.evaluate(k, mobility);
      law.solve(k, this.inertia, mobility);
      this.sum[0] += law.torque[0];
    }
  }
}
