/** Chains that the tests share, and an independent account of their mechanics by matrices and Jacobians. */
import { Random } from '../../src/index.ts';
import type { ChainModel, JointModel, LinkModel } from '../../src/index.ts';
import { Chain, chainFreedoms } from '../../src/multibody/chain.ts';

type Vector = readonly number[];
type Matrix = readonly Vector[];

/** A chain on its own memory. */
export function standaloneChain(model: ChainModel): Chain {
  const n = chainFreedoms(model);
  return new Chain(model, new Float64Array(2 * n), new Float64Array(2 * n));
}

/** A uniform rod of the x–z plane; a positive angle turns it towards +x. */
export function rod(
  name: string,
  length: number,
  mass: number,
  angle: number,
  rate: number,
  jointHeight = 0,
): LinkModel {
  const moment = (mass * length * length) / 12;
  return {
    name,
    mass,
    inertia: [moment, moment, 0, 0, 0, 0],
    joint: { kind: 'revolute', axis: [0, -1, 0], angle, rate },
    jointInParent: [0, 0, jointHeight],
    jointInLink: [0, 0, length / 2],
  };
}

/** Links on a base at the origin. */
export function chain(links: readonly LinkModel[], name = 'chain'): ChainModel {
  return { name, position: [0, 0, 0], orientation: [0, 0, 0, 1], links };
}

function unitOf(v: readonly number[]): number[] {
  const length = Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
  return v.map((x) => x / length);
}

/** Three links with skew axes, skew inertias and a universal joint in the middle; everything drawn. */
export function randomChain(random: Random): ChainModel {
  const number = (): number => 2 * random.uniform() - 1;
  const triple = (): [number, number, number] => [number(), number(), number()];
  const axis = (): [number, number, number] => unitOf(triple()) as [number, number, number];
  const turn = (): [number, number, number, number] =>
    unitOf([number(), number(), number(), number()]) as [number, number, number, number];
  const joints: JointModel[] = [
    { kind: 'revolute', axis: axis(), angle: 3 * number(), rate: 3 * number() },
    {
      kind: 'universal',
      axes: [axis(), axis()],
      angles: [3 * number(), 3 * number()],
      rates: [3 * number(), 3 * number()],
    },
    { kind: 'revolute', axis: axis(), angle: 3 * number(), rate: 3 * number() },
  ];
  const links = joints.map((joint, i): LinkModel => {
    // R diag R^T with moments of three point pairs: obeys the triangle inequality
    const r = rotationMatrix(turn());
    const [a, b, c] = [0.1 + random.uniform(), 0.1 + random.uniform(), 0.1 + random.uniform()];
    const d = [b + c, a + c, a + b];
    const at = (p: number, q: number): number =>
      r[p][0] * d[0] * r[q][0] + r[p][1] * d[1] * r[q][1] + r[p][2] * d[2] * r[q][2];
    return {
      name: `link${i}`,
      mass: 0.5 + random.uniform(),
      inertia: [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)],
      joint,
      jointInParent: triple(),
      jointInLink: triple(),
      orientation: turn(),
    };
  });
  return { name: 'random', position: triple(), orientation: turn(), links };
}

function rotationMatrix([x, y, z, w]: readonly [number, number, number, number]): number[][] {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
}

/** Rodrigues: I + sin a [k]× + (1 − cos a) [k]×². */
function axisAngle([x, y, z]: Vector, angle: number): Matrix {
  const s = Math.sin(angle);
  const c = 1 - Math.cos(angle);
  return [
    [1 - c * (y * y + z * z), c * x * y - s * z, c * x * z + s * y],
    [c * x * y + s * z, 1 - c * (x * x + z * z), c * y * z - s * x],
    [c * x * z - s * y, c * y * z + s * x, 1 - c * (x * x + y * y)],
  ];
}

const times = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => [0, 1, 2].map((j) => row[0] * b[0][j] + row[1] * b[1][j] + row[2] * b[2][j]));
const apply = (a: Matrix, v: Vector): number[] =>
  a.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
const cross = (a: Vector, b: Vector): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: Vector, b: Vector): number => a.reduce((sum, x, i) => sum + x * b[i], 0);
const plus = (a: Vector, b: Vector): number[] => a.map((x, i) => x + b[i]);
const minus = (a: Vector, b: Vector): number[] => a.map((x, i) => x - b[i]);

/** Where the links are, and their Jacobians, at given angles. */
export interface Placement {
  readonly centers: readonly Vector[];
  /** World inertia of each link. */
  readonly inertias: readonly Matrix[];
  /** Per link and degree of freedom: velocity of the centre and angular velocity by a unit rate. */
  readonly linear: readonly Matrix[];
  readonly angular: readonly Matrix[];
}

/** Forward kinematics and Jacobians, by rotation matrices. */
export function placeLinks(model: ChainModel, q: Vector): Placement {
  const centers: Vector[] = [];
  const inertias: Matrix[] = [];
  const linear: Matrix[] = [];
  const angular: Matrix[] = [];
  const axes: Vector[] = [];
  const points: Vector[] = [];
  let rotation: Matrix = rotationMatrix(model.orientation);
  let origin: Vector = model.position;
  for (const link of model.links) {
    const joint = plus(origin, apply(rotation, link.jointInParent));
    rotation = times(rotation, rotationMatrix(link.orientation ?? [0, 0, 0, 1]));
    const turning = link.joint.kind === 'universal' ? link.joint.axes : [link.joint.axis];
    for (const axis of turning) {
      axes.push(apply(rotation, axis));
      points.push(joint);
      rotation = times(rotation, axisAngle(axis, q[axes.length - 1]));
    }
    origin = minus(joint, apply(rotation, link.jointInLink));
    const [xx, yy, zz, xy, xz, yz] = link.inertia;
    const body = [
      [xx, xy, xz],
      [xy, yy, yz],
      [xz, yz, zz],
    ];
    const transposed = [0, 1, 2].map((i) => rotation.map((row) => row[i]));
    const center = origin;
    centers.push(center);
    inertias.push(times(times(rotation, body), transposed));
    linear.push(
      q.map((_, k) => (k < axes.length ? cross(axes[k], minus(center, points[k])) : [0, 0, 0])),
    );
    angular.push(q.map((_, k) => (k < axes.length ? axes[k] : [0, 0, 0])));
  }
  return { centers, inertias, linear, angular };
}

/** M = Σ m J_vᵀ J_v + J_wᵀ I J_w. */
export function massMatrixOf(model: ChainModel, q: Vector): number[][] {
  const { inertias, linear, angular } = placeLinks(model, q);
  return q.map((_, a) =>
    q.map((_unused, b) =>
      model.links.reduce(
        (sum, link, i) =>
          sum +
          link.mass * dot(linear[i][a], linear[i][b]) +
          dot(angular[i][a], apply(inertias[i], angular[i][b])),
        0,
      ),
    ),
  );
}

/**
 * Jᵀ f − c by the Lagrangian, c_a = Σ (∂M_ab/∂q_c − ½ ∂M_bc/∂q_a) u_b u_c, with derivatives of M by central differences.
 * `wrenches` has six numbers for each link.
 */
export function forcesOf(
  model: ChainModel,
  q: Vector,
  u: Vector,
  wrenches: readonly Vector[],
): number[] {
  const step = 1e-5;
  const slope = q.map((_, c) => {
    const [above, below] = [step, -step].map((d) =>
      massMatrixOf(
        model,
        q.map((x, i) => (i === c ? x + d : x)),
      ),
    );
    return above.map((row, a) => row.map((x, b) => (x - below[a][b]) / (2 * step)));
  });
  const { linear, angular } = placeLinks(model, q);
  return q.map((_, a) => {
    let sum = 0;
    wrenches.forEach((w, i) => {
      sum += dot(linear[i][a], w.slice(0, 3)) + dot(angular[i][a], w.slice(3));
    });
    for (let b = 0; b < q.length; b++) {
      for (let c = 0; c < q.length; c++) {
        sum -= (slope[c][a][b] - 0.5 * slope[a][b][c]) * u[b] * u[c];
      }
    }
    return sum;
  });
}
