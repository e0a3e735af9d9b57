/** Balls on rational patches that are exactly cone, cylinder, sphere and plane, with the closed-form pairs of the same contact; a plate; poses of bodies. */
import { rotationOf } from '../../src/math/quaternion.ts';
import type { PairModel, SurfaceSpec, Triple } from '../../src/model/contact-spec.ts';
import { conePatch, torusPatch } from './surface-samples.ts';

/** State and rotation of a body at rest. */
export interface Pose {
  readonly state: Float64Array;
  readonly rotation: Float64Array;
}

/** A body at rest at a place, turned by a quaternion of any length. */
export function pose(position: readonly number[], turn: readonly number[] = [0, 0, 0, 1]): Pose {
  const state = new Float64Array(13);
  const length = Math.hypot(...turn);
  state.set(position);
  state.set(
    turn.map((value) => value / length),
    3,
  );
  const rotation = new Float64Array(9);
  rotationOf(rotation, state, 3);
  return { state, rotation };
}

/** A place in the world from one in the frame of a body. */
export function toWorld({ state, rotation: r }: Pose, [x, y, z]: readonly number[]): Triple {
  return [
    state[0] + r[0] * x + r[1] * y + r[2] * z,
    state[1] + r[3] * x + r[4] * y + r[5] * z,
    state[2] + r[6] * x + r[7] * y + r[8] * z,
  ];
}

/** Radius of the ball, m. */
export const SMALL_BALL = 0.05;
const SLOPE = Math.tan(0.6);

/**
 * Faces, the pair in closed form and its name, and a middle of the ball at a distance from the faces. A pair acts in the middle of the gap, or
 * at the deepest point of the ball.
 */
export const EQUAL_PAIRS: readonly {
  readonly name: string;
  readonly inMiddle?: true;
  readonly faces: readonly SurfaceSpec[];
  readonly closed: PairModel;
  readonly at: (distance: number) => Triple;
}[] = [
  {
    name: 'cone',
    faces: [{ shape: conePatch(0.1, SLOPE, 0.3, 1), sign: 1 }],
    closed: {
      kind: 'sphere-cone',
      radius: SMALL_BALL,
      center: [0, 0, 0],
      apex: [0, 0, -0.1 / SLOPE],
      axis: [0, 0, -1],
      apexAngle: 1.2,
    },
    at: (distance) => {
      const r = 0.1 + 0.15 * SLOPE + (SMALL_BALL + distance) * Math.cos(0.6);
      return [r * Math.cos(0.3), r * Math.sin(0.3), 0.15 - (SMALL_BALL + distance) * Math.sin(0.6)];
    },
  },
  {
    name: 'cylinder, outside',
    faces: [{ shape: conePatch(0.2, 0, 0.3, 1) }],
    closed: {
      kind: 'sphere-cylinder',
      radius: SMALL_BALL,
      center: [0, 0, 0],
      axisPoint: [0, 0, 0.1],
      axis: [0, 0, 1],
      cylinderRadius: 0.2,
      side: 'outside',
    },
    at: (distance) => [
      (0.2 + SMALL_BALL + distance) * Math.cos(0.3),
      (0.2 + SMALL_BALL + distance) * Math.sin(0.3),
      0.11,
    ],
  },
  {
    name: 'cylinder, inside',
    faces: [{ shape: conePatch(0.2, 0, 0.3, 1), sign: -1 }],
    closed: {
      kind: 'sphere-cylinder',
      radius: SMALL_BALL,
      center: [0, 0, 0],
      axisPoint: [0, 0, 0.1],
      axis: [0, 0, 1],
      cylinderRadius: 0.2,
      side: 'inside',
    },
    at: (distance) => [
      (0.2 - SMALL_BALL - distance) * Math.cos(0.3),
      (0.2 - SMALL_BALL - distance) * Math.sin(0.3),
      0.11,
    ],
  },
  {
    name: 'sphere',
    inMiddle: true,
    faces: [{ shape: torusPatch(0, 0.2, 1) }],
    closed: {
      kind: 'sphere-sphere',
      radius: SMALL_BALL,
      center: [0, 0, 0],
      radiusJ: 0.2,
      centerJ: [0, 0, 0],
    },
    at: (distance) => {
      const r = 0.2 + SMALL_BALL + distance;
      return [
        r * Math.cos(0.4) * Math.cos(0.3),
        r * Math.cos(0.4) * Math.sin(0.3),
        r * Math.sin(0.4),
      ];
    },
  },
  {
    name: 'plane',
    faces: [{ shape: { kind: 'plane' }, trim: { u: [-0.5, 0.5], v: [-0.5, 0.5] } }],
    closed: {
      kind: 'sphere-plane',
      radius: SMALL_BALL,
      center: [0, 0, 0],
      normal: [0, 0, 1],
      offset: 0,
    },
    at: (distance) => [0.1, -0.2, SMALL_BALL + distance],
  },
];

/** A plate of 0.6 × 0.4 m. */
export const PLATE: SurfaceSpec = {
  shape: { kind: 'plane' },
  trim: { u: [-0.3, 0.3], v: [-0.2, 0.2] },
};

/** Distance of a point from the plate, and the direction from there. */
export function fromPlate([x, y, z]: readonly number[]): { distance: number; normal: Triple } {
  const [dx, dy] = [Math.abs(x) - 0.3, Math.abs(y) - 0.2].map((d) => Math.max(0, d));
  const way = [dx * Math.sign(x), dy * Math.sign(y), z];
  const distance = Math.hypot(...way);
  return { distance, normal: way.map((d) => d / distance) as unknown as Triple };
}
