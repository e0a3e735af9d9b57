/**
 * Rigid bodies in the plane that meet by points without mass on one static compliance, with modes that move: the method of elastic faces in the loop
 * (docs/theory/elastic-contact.md), with a matrix of masses, Jacobian and bias that are held. Poses advance with the mean velocity of a step.
 */
import { ElasticPatch, patchStateLength } from '../../src/contact/elastic/elastic-patch.ts';
import { makePatch } from '../../src/contact/elastic/patch-constants.ts';
import type { PatchFriction } from '../../src/contact/elastic/patch-problem.ts';
import type { Component } from '../../src/fem/free-compliance.ts';
import { factorCholesky, solveLower, solveLowerTransposed } from '../../src/math/cholesky.ts';
import type { PatchMode, PatchModel } from '../../src/model/patch-spec.ts';

/** Where the relative motion lies among the six of a patch: across, along the outward normal of the target, turn. */
const SLOTS = [0, 2, 4];
/** In place of the compliance out of the plane, which nothing loads, m/N. */
const OUT_OF_PLANE = 1e-10;

/** Plane numbers of a face: points, two numbers each; compliance between their components; modes at them. */
export interface PlaneFace {
  readonly points: readonly (readonly [number, number])[];
  readonly compliance: Float64Array;
  readonly modes?: readonly { readonly frequency: number; readonly shape: readonly number[] }[];
}

/** A face of the plane in axes across, out of the plane, and against the second axis of the plane. */
export function planePatch({ points, compliance, modes = [] }: PlaneFace): PatchModel {
  const count = points.length;
  const n = 3 * count;
  return {
    points: points.flatMap(([x, y]) => [x, 0, -y]),
    normals: points.flatMap(() => [0, 0, -1]),
    areas: points.map(() => 0),
    compliance: Array.from({ length: n * n }, (_, e) => {
      const [i, j] = [Math.floor(e / n), e % n];
      const [a, b] = [i % 3, j % 3];
      if (a === 1 || b === 1) return i === j ? OUT_OF_PLANE : 0;
      const at = 2 * count * (2 * Math.floor(i / 3) + a / 2) + 2 * Math.floor(j / 3) + b / 2;
      return (a === b ? 1 : -1) * compliance[at];
    }),
    modes: modes.map(
      ({ frequency, shape }): PatchMode => ({
        frequency,
        damping: 0,
        shape: points.flatMap((_, p) => [shape[2 * p], 0, -shape[2 * p + 1]]),
        participation: [0, 0, 0, 0, 0, 0],
      }),
    ),
  };
}

/** A component of a face, whose nodes come in order of x, at a place between two of them. */
export function onFace(
  coordinates: Float64Array,
  face: readonly number[],
  x: number,
  axis: number,
): Component {
  const k = face.findIndex((node, i) => i > 0 && x <= coordinates[2 * node] + 1e-12);
  const [a, b] = [face[k - 1], face[k]];
  const beta = (x - coordinates[2 * a]) / (coordinates[2 * b] - coordinates[2 * a]);
  return [
    { node: a, axis, share: 1 - beta },
    { node: b, axis, share: beta },
  ];
}

/** Sum of products. */
export const dot = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, x, i) => sum + x * b[i], 0);

/** The bodies. */
export class MasslessPoints {
  readonly patch: ElasticPatch;
  /** Rates, and forces on the first body in the last step: across, along the normal, moment about its origin. */
  readonly rates: Float64Array;
  readonly forces: number[] = [0, 0, 0];
  private readonly mass: Float64Array;
  private readonly rows: readonly Float64Array[];
  private readonly answers: readonly Float64Array[];
  private readonly drift: Float64Array;
  private readonly place: number[];
  private readonly length: number;
  private readonly energy = new Float64Array(2);

  /**
   * @param mass square, row by row, over the rates
   * @param bias what M v̇ has on its left besides, over the rates
   * @param rows relative motion of the origin of the first body by the rates: across, along the normal, turn
   * @param gap of that origin from the face of the target, m
   */
  constructor(
    face: PlaneFace,
    friction: PatchFriction,
    step: number,
    mass: Float64Array,
    bias: Float64Array,
    rows: readonly Float64Array[],
    rates: Float64Array,
    gap: number,
  ) {
    const size = bias.length;
    const factors = mass.slice();
    factorCholesky(factors, factors, size, new Float64Array(1));
    const solve = (x: Float64Array): Float64Array => {
      solveLower(factors, size, x, 0);
      solveLowerTransposed(factors, size, x, 0);
      return x;
    };
    this.mass = mass;
    this.rows = rows;
    this.rates = rates;
    this.length = step;
    this.place = [0, gap, 0];
    this.answers = rows.map((row) => solve(row.slice()));
    this.drift = solve(bias.map((value) => -value));
    const constants = makePatch(planePatch(face), step);
    const state = new Float64Array(patchStateLength(constants));
    this.patch = new ElasticPatch(constants, friction, state);
    const { problem } = this.patch;
    problem.moves[0] = 1;
    for (const [a, row] of rows.entries()) {
      for (const [b, answer] of this.answers.entries()) {
        problem.mobility[6 * SLOTS[a] + SLOTS[b]] = ((step * step) / 4) * dot(row, answer);
      }
    }
  }

  /** One step. */
  step(): void {
    const { rates, rows, answers, drift, place, patch, forces, length: h } = this;
    const middle = rates.map((value, i) => value + (h / 2) * drift[i]);
    const at = rows.map((row, a) => place[a] + (h / 2) * dot(row, middle));
    const [c, s] = [Math.cos(at[2]), Math.sin(at[2])];
    patch.pose.set([at[0], 0, at[1], c, 0, s, 0, 1, 0, -s, 0, c]);
    patch.step();
    for (const [a, answer] of answers.entries()) {
      forces[a] = patch.wrench[SLOTS[a]];
      for (let i = 0; i < middle.length; i++) middle[i] += (h / 2) * answer[i] * forces[a];
    }
    for (const [a, row] of rows.entries()) place[a] += h * dot(row, middle);
    for (let i = 0; i < rates.length; i++) rates[i] = 2 * middle[i] - rates[i];
  }

  /** Points that pushed in the last step. */
  get active(): number {
    return this.patch.problem.readout[0];
  }

  /** Kinetic energy and that of face and modes, J. */
  energyNow(): number {
    const { rates, mass, patch, energy } = this;
    patch.energies(energy);
    let sum = energy[0] + energy[1];
    for (let i = 0; i < rates.length; i++) {
      for (let j = 0; j < rates.length; j++) {
        sum += 0.5 * rates[i] * mass[rates.length * i + j] * rates[j];
      }
    }
    return sum;
  }
}
