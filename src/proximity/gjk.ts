/**
 * Distance of two cores that are apart, after Gilbert, Johnson and Keerthi 1988. A simplex of support points of the
 * Minkowski difference moves towards the origin until no support point lies closer. Between polytopes it ends after
 * finitely many steps. Between curved cores the Newton refinement takes over as soon as it is confirmed.
 */
import type { MinkowskiDifference, Witness } from './minkowski.ts';
import { Polish } from './polish.ts';
import { Simplex } from './simplex.ts';

/** Largest number of support points. */
export const GJK_ITERATIONS = 64;
/** Relative distance below which cores count as touching. */
const TOUCHING = 1e-10;
/** Rounding of a support point relative to the scale, with a safety factor. */
const ROUNDING = 2e-15;
/** Relative accuracy of the distance at which refinement starts; each failure requires a tenth of it. */
const FIRST_TRY = 0.02;

/** Work space of the search. */
export class Gjk {
  readonly simplex: Simplex = new Simplex();
  /** Support points of the last run. */
  iterations = 0;
  /** Newton steps of the last run. */
  polishSteps = 0;
  /** Whether the Newton refinement confirmed the last answer. */
  confirmed = false;
  private readonly space: MinkowskiDifference;
  private readonly polish: Polish;
  private readonly curved: boolean;

  constructor(space: MinkowskiDifference) {
    this.space = space;
    this.polish = new Polish(space);
    this.curved = space.coreA.curved || space.coreB.curved;
  }

  /** Searches the closest points and writes them into `witness`. @returns whether the cores are apart @alloc none */
  run(witness: Witness): boolean {
    const { space, simplex } = this;
    const { vertices, normal, distance } = simplex;
    const scale = space.scale[0];
    const w = vertices.w;
    let tryAt = FIRST_TRY * scale;
    this.polishSteps = 0;
    this.confirmed = false;
    space.interior(vertices, 0);
    simplex.start();
    if (!(distance[0] > 0)) setAxis(normal, space.rotationB, 2);
    space.support(normal, vertices, 0);
    simplex.start();
    for (this.iterations = 1; this.iterations < GJK_ITERATIONS; this.iterations++) {
      if (!(distance[0] > TOUCHING * scale)) return false;
      const at = simplex.count;
      space.support(normal, vertices, at);
      const gap =
        distance[0] -
        (normal[0] * w[3 * at] + normal[1] * w[3 * at + 1] + normal[2] * w[3 * at + 2]);
      if (gap <= ROUNDING * scale) break;
      if (this.curved && gap <= tryAt) {
        if (this.refine(witness)) return true;
        tryAt = 0.1 * gap;
      }
      simplex.count = at + 1;
      if (simplex.reduce()) return false;
      if (!simplex.improved) break;
    }
    if (this.curved && this.refine(witness)) return true;
    this.report(witness);
    return true;
  }

  private refine(witness: Witness): boolean {
    const { simplex, polish } = this;
    polish.begin(simplex.normal);
    for (let k = 0; k < simplex.count; k++) polish.add(simplex.vertices, k, simplex.weight, k);
    const found = polish.run();
    this.polishSteps += polish.steps;
    if (!found || !(polish.witness.distance[0] > 0)) return false;
    copyWitness(witness, polish.witness);
    this.confirmed = true;
    return true;
  }

  /** Writes the closest point of the simplex, with its points on A and B. */
  private report(witness: Witness): void {
    const { simplex } = this;
    fillWitness(witness, simplex);
    witness.distance[0] = simplex.distance[0];
    if (!this.curved) return;
    const last = simplex.count - 1;
    this.space.sharpen(witness, simplex.vertices, 0, last > 1 ? 1 : 0, last);
  }
}

/** Uses an axis of shape B as the normal, where the poses determine none. @alloc none */
export function setAxis(normal: Float64Array, rotation: Float64Array, axis: 0 | 2): void {
  for (let k = 0; k < 3; k++) normal[k] = rotation[3 * k + axis];
}

/** Writes normal and points of a reduced simplex. @alloc none */
export function fillWitness(witness: Witness, simplex: Simplex): void {
  const { vertices, weight } = simplex;
  for (let k = 0; k < 3; k++) {
    witness.normal[k] = simplex.normal[k];
    let a = 0;
    let b = 0;
    for (let m = 0; m < simplex.count; m++) {
      a += weight[m] * vertices.a[3 * m + k];
      b += weight[m] * vertices.b[3 * m + k];
    }
    witness.a[k] = a;
    witness.b[k] = b;
  }
}

/** Copies a witness. @alloc none */
export function copyWitness(to: Witness, from: Witness): void {
  for (let k = 0; k < 3; k++) {
    to.normal[k] = from.normal[k];
    to.a[k] = from.a[k];
    to.b[k] = from.b[k];
  }
  to.distance[0] = from.distance[0];
}
