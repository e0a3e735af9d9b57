/**
 * Where a contact leaves the range in which its model holds, one bit a limit, from its read-out and the one before the step. Degenerate cases are
 * to be "identified such that they can be detected": `Gonthier 2007`, docs/theory/validity.md.
 */
import type { ContactModelSpec } from '../model/contact-spec.ts';
import { shapeBounds } from '../shapes/cell-bounds.ts';
import type { CellShape } from '../shapes/cell-model.ts';
import type { ContactModel } from './contact-model.ts';
import { ContactReadout } from './contact-readout.ts';
import { AREA, MOST_DEPTH } from './pair.ts';
import { pairDefinition } from './registry.ts';
import { ValidityFlag } from './validity-flags.ts';

/** Radius of a round patch over that of the surfaces. */
const MOST_PATCH = 0.1;
/** Cosine of the angle by which a normal may turn in a step, 10°. */
const LEAST_TURN = 0.984807753012208;

/** Slots of the limits of a contact: Infinity for one that it has not. */
const DEPTH = 0; //    m
const ROUND = 1; //    depth at which a round patch is too large, m
const RADIUS = 2; //   of the Hertz contact, m; 0 without one
const YIELD = 3; //    strength of the weaker material, N/m²

/** Least side of the boxes around shapes in their own axes, m; Infinity where none ends. */
function leastSide(shapes: readonly CellShape[]): number {
  const sides = shapes.flatMap((shape) => {
    const { low, high } = shapeBounds(shape);
    return high.map((x, k) => x - low[k]);
  });
  return Math.min(Infinity, ...sides);
}

/** Largest depth at which the shape of the whole still counts as that of the contact, m. */
function mostDepth({ pair }: ContactModelSpec, cells: readonly CellShape[]): number {
  const definition = pairDefinition(pair);
  if (definition.mostDepth !== undefined) return definition.mostDepth(pair);
  const { i, j } = definition.shapes(pair);
  const drawn = [...i, ...j].map(({ shape }) => shape);
  return MOST_DEPTH * leastSide(cells.length > 0 ? cells : drawn);
}

/** Limits of a contact. @param cells those of both bodies of a volumetric contact, else none */
function limitsOf(spec: ContactModelSpec, cells: readonly CellShape[]): Float64Array {
  const { pair } = spec;
  const radius = pairDefinition(pair).effectiveRadius(pair);
  // in a bore the ball is smaller than the radius of both together
  const least = 'radius' in pair ? Math.min(radius, pair.radius) : radius;
  const round = radius > 0 ? (MOST_PATCH * MOST_PATCH * least * least) / radius : Infinity;
  return Float64Array.of(mostDepth(spec, cells), round, radius, spec.yieldStrength ?? Infinity);
}

/** The validity of one declared contact. */
export class ContactValidity {
  private readonly limits: Float64Array;
  private readonly models: readonly ContactModel[];
  /** Where the read-out of each model lies in the state. */
  private readonly readouts: Int32Array;
  /** Where the pair of cells of each model stands in the state; empty without cells. */
  private readonly assigned: Int32Array;

  /** @param cells those of both bodies of a volumetric contact, else none */
  constructor(
    spec: ContactModelSpec,
    cells: readonly CellShape[],
    models: readonly ContactModel[],
    readouts: readonly number[],
    assigned: readonly number[],
  ) {
    this.limits = limitsOf(spec, cells);
    this.models = models;
    this.readouts = Int32Array.from(readouts);
    this.assigned = Int32Array.from(assigned);
  }

  /**
   * Bits of VALIDITY_FLAGS: the limits that the contact exceeds, one of its pairs at least. 0 while it does not touch.
   * @param state after the last step @param before it
   * @alloc none
   */
  bits(state: Float64Array, before: Float64Array): number {
    const { models } = this;
    let bits = 0;
    for (let m = 0; m < models.length; m++) {
      const { readout } = models[m];
      if (readout[ContactReadout.active] === 0) continue;
      bits |= this.bitsOf(models[m]);
      if (this.lasted(m, state, before) && turned(readout, before, this.readouts[m]))
        bits |= 1 << ValidityFlag.TURN;
    }
    return bits;
  }

  private bitsOf({ readout, kinematics, pair }: ContactModel): number {
    const { limits } = this;
    const depth = readout[ContactReadout.penetration];
    let bits = pair.usesFallback ? 1 << ValidityFlag.FALLBACK : 0;
    if (depth > limits[DEPTH]) bits |= 1 << ValidityFlag.DEPTH;
    if (depth > limits[ROUND]) bits |= 1 << ValidityFlag.PATCH;
    // the patch of a Hertz contact has the radius a = √(R δ)
    const area = limits[RADIUS] > 0 ? Math.PI * limits[RADIUS] * depth : kinematics[AREA];
    if (area > 0 && readout[ContactReadout.normalForce] > limits[YIELD] * area)
      bits |= 1 << ValidityFlag.PRESSURE;
    return bits;
  }

  /** Whether model m touched before the step, with the same pair of cells. */
  private lasted(m: number, state: Float64Array, before: Float64Array): boolean {
    if (before[this.readouts[m] + ContactReadout.active] === 0) return false;
    return this.assigned.length === 0 || state[this.assigned[m]] === before[this.assigned[m]];
  }
}

/** Whether a normal turned too far from the one in the read-out at `at`. */
function turned(readout: Float64Array, before: Float64Array, at: number): boolean {
  const n = ContactReadout.normal_x;
  const cosine =
    readout[n] * before[at + n] +
    readout[n + 1] * before[at + n + 1] +
    readout[n + 2] * before[at + n + 2];
  return cosine < LEAST_TURN;
}
