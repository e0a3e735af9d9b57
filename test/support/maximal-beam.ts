/**
 * One flexible link as a free body: origin and orientation of its root, and modal coordinates. Every integral is a quadrature over points
 * of the bent beam, so that nothing is expanded in the modes. `Kim 1999, (3.3)–(3.32)`, with the end frame reached by a turn of the
 * slope in y about z and then of the slope in z about −y. Without centrifugal stiffening.
 */
import { gaussLegendre } from '../../src/math/quadrature.ts';
import type { FlexibleBeamModel } from '../../src/multibody/tree/tree-model.ts';
import {
  add,
  apply,
  cross,
  dot,
  type Matrix,
  scale,
  times,
  turn,
  type Vector,
} from './maximal-vectors.ts';

/** Points: products of two third modes have four waves, which 40 points carry to rounding. */
const POINTS = 40;

/** φ, φ', φ'' of a clamped–free mode of unit length: cosh κx − cos κx − σ (sinh κx − sin κx). For the first three: σ loses digits. */
export function clampedMode(index: number, x: number): readonly [number, number, number] {
  const f = (k: number): number => Math.cos(k) + 1 / Math.cosh(k);
  let [low, high] = [index * Math.PI + 0.3, (index + 1) * Math.PI];
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2;
    if (f(middle) > 0 === f(low) > 0) low = middle;
    else high = middle;
  }
  const k = (low + high) / 2;
  const sigma = (Math.cosh(k) + Math.cos(k)) / (Math.sinh(k) + Math.sin(k));
  const [c, s, ch, sh] = [Math.cos(k * x), Math.sin(k * x), Math.cosh(k * x), Math.sinh(k * x)];
  return [
    ch - c - sigma * (sh - s),
    k * (sh + s - sigma * (ch - c)),
    k * k * (ch + c - sigma * (sh + s)),
  ];
}

/** A flexible link at one state. */
export class MaximalBeam {
  readonly modes: number;
  /** Generalized mass over (acceleration of the origin, angular acceleration, modes), side × side. */
  readonly mass: Float64Array;
  /** What the motion itself takes: mass × accelerations + bias = forces. */
  readonly bias: Float64Array;
  /** End frame: rotation, arm from the origin, velocity of it and angular velocity against the link, world. */
  readonly end: { rotation: Matrix; arm: Vector; velocity: Vector; spin: Vector };
  /** Acceleration and angular acceleration of the end per modal acceleration, and what is left at zero. */
  readonly endModes: readonly (readonly [Vector, Vector])[];
  readonly endDrift: readonly [Vector, Vector];
  readonly kinetic: number;
  readonly strain: number;
  readonly momentum: readonly [Vector, Vector];

  constructor(
    beam: FlexibleBeamModel,
    mass: number,
    torsion: number,
    body: { rotation: Matrix; origin: Vector; velocity: Vector; spin: Vector },
    b: Vector,
    rates: Vector,
  ) {
    const { length } = beam;
    const { rotation: r, spin: w } = body;
    const [ny] = beam.modes;
    this.modes = b.length;
    const side = 6 + b.length;
    const axes = [0, 1, 2].map((i) => r.map((row) => row[i]));
    const along = (k: number): Vector => axes[k < ny ? 1 : 2];
    const shape = (k: number, x: number): readonly [number, number, number] =>
      clampedMode(k < ny ? k : k - ny, x);
    this.mass = new Float64Array(side * side);
    this.bias = new Float64Array(side);
    let kinetic = 0;
    let strain = 0;
    let linear: Vector = [0, 0, 0];
    let angular: Vector = [0, 0, 0];
    const stiffness = new Float64Array(b.length * b.length);
    const { nodes, weights } = gaussLegendre(POINTS);
    nodes.forEach((node, p) => {
      const x = 0.5 + 0.5 * node;
      const dm = 0.5 * weights[p] * mass;
      const shapes = b.map((_, k) => shape(k, x));
      const sum = (values: Vector): Vector =>
        values.reduce<Vector>(
          (v, value, k) => add(v, scale(along(k), value * shapes[k][0])),
          [0, 0, 0],
        );
      const arm = add(scale(axes[0], x * length), sum(b));
      const slide = sum(rates);
      const velocity = add(add(body.velocity, cross(w, arm)), slide);
      // velocity of the point by unit velocities: origin, turns, modes
      const columns: Vector[] = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
        cross([1, 0, 0], arm),
        cross([0, 1, 0], arm),
        cross([0, 0, 1], arm),
        ...b.map((_, k) => scale(along(k), shapes[k][0])),
      ];
      const taken = add(cross(w, cross(w, arm)), scale(cross(w, slide), 2));
      columns.forEach((column, i) => {
        this.bias[i] += dm * dot(column, taken);
        columns.forEach((other, j) => (this.mass[i * side + j] += dm * dot(column, other)));
      });
      kinetic += 0.5 * dm * dot(velocity, velocity);
      linear = add(linear, scale(velocity, dm));
      angular = add(angular, scale(cross(add(body.origin, arm), velocity), dm));
      b.forEach((_, i) => {
        b.forEach((_other, j) => {
          if (i < ny !== j < ny) return;
          const bending = beam.bendingStiffness[i < ny ? 0 : 1] / length ** 3;
          stiffness[i * b.length + j] += 0.5 * weights[p] * bending * shapes[i][2] * shapes[j][2];
        });
      });
    });
    // torsional inertia of the rod about its axis at the root
    const twist = scale(axes[0], torsion * dot(axes[0], w));
    const gyration = cross(w, twist);
    for (let i = 0; i < 3; i++) {
      this.bias[3 + i] += gyration[i];
      for (let j = 0; j < 3; j++) {
        this.mass[(3 + i) * side + 3 + j] += torsion * axes[0][i] * axes[0][j];
      }
    }
    kinetic += 0.5 * dot(w, twist);
    angular = add(angular, twist);
    b.forEach((value, i) => {
      b.forEach((other, j) => {
        this.bias[6 + i] += stiffness[i * b.length + j] * other;
        strain += 0.5 * value * stiffness[i * b.length + j] * other;
      });
      const k = stiffness[i * b.length + i];
      this.bias[6 + i] += 2 * beam.damping * Math.sqrt(k * mass) * rates[i];
    });
    this.kinetic = kinetic;
    this.strain = strain;
    this.momentum = [linear, angular];

    const tips = b.map((_, k) => shape(k, 1));
    const plane = (values: Vector, from: 0 | 1, d: 0 | 1): number =>
      values.reduce((s, value, k) => (k < ny === (from === 0) ? s + value * tips[k][d] : s), 0) /
      (d === 0 ? 1 : length);
    const [slopeY, slopeZ] = [plane(b, 0, 1), plane(b, 1, 1)];
    const [rateY, rateZ] = [plane(rates, 0, 1), plane(rates, 1, 1)];
    const turned = turn([0, 0, 1], slopeY);
    const second = apply(r, apply(turned, [0, -1, 0])); // axis of the second turn
    const at = (y: number, z: number): Vector => add(scale(axes[1], y), scale(axes[2], z));
    const arm = add(scale(axes[0], length), at(plane(b, 0, 0), plane(b, 1, 0)));
    const slide = at(plane(rates, 0, 0), plane(rates, 1, 0));
    const spin = add(scale(axes[2], rateY), scale(second, rateZ));
    this.end = {
      rotation: times(times(r, turned), turn([0, -1, 0], slopeZ)),
      arm,
      velocity: slide,
      spin,
    };
    this.endModes = b.map((_, k) => [
      scale(along(k), tips[k][0]),
      scale(k < ny ? axes[2] : second, tips[k][1] / length),
    ]);
    // the second axis goes round with the link and the first turn
    const firstTurn = add(w, scale(axes[2], rateY));
    this.endDrift = [
      add(cross(w, cross(w, arm)), scale(cross(w, slide), 2)),
      add(cross(w, scale(axes[2], rateY)), cross(firstTurn, scale(second, rateZ))),
    ];
  }
}
