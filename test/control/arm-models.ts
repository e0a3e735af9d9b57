/** Two arms of rigid links for the tests of kinematic control, as trees: a long one of seven joints, an industrial one of six. */
import { TreeArm } from '../../src/control/tree-arm.ts';
import { Tree } from '../../src/multibody/tree/tree.ts';
import { treeFreedoms } from '../../src/multibody/tree/tree-layout.ts';
import type { TreeLinkModel, TreeModel } from '../../src/multibody/tree/tree-model.ts';
import type { Triple } from '../../src/model.ts';

interface Joint {
  readonly axis: Triple;
  /** Place against the joint before. */
  readonly offset: Triple;
  readonly mass: number;
  readonly range: readonly [number, number];
  readonly rateLimit: number;
}

function arm(name: string, joints: readonly Joint[], tool: Triple): TreeModel {
  const links: TreeLinkModel[] = joints.map((joint, i) => {
    const next = i + 1 < joints.length ? joints[i + 1].offset : tool;
    const length2 = next[0] ** 2 + next[1] ** 2 + next[2] ** 2;
    const moment = joint.mass * (length2 / 12 + 0.02);
    return {
      name: `${name}-${i + 1}`,
      parent: i - 1,
      position: joint.offset,
      orientation: [0, 0, 0, 1],
      joint: {
        kind: 'revolute',
        axis: joint.axis,
        position: 0,
        rate: 0,
        lower: joint.range[0],
        upper: joint.range[1],
        rateLimit: joint.rateLimit,
      },
      mass: joint.mass,
      center: [next[0] / 2, next[1] / 2, next[2] / 2],
      inertia: [moment, moment, moment, 0, 0, 0],
    };
  });
  return {
    name,
    position: [0, 0, 0],
    orientation: [0, 0, 0, 1],
    links,
    frames: [{ name: 'tool', link: joints.length - 1, position: tool, orientation: [0, 0, 0, 1] }],
  };
}

const X: Triple = [1, 0, 0];
const Y: Triple = [0, 1, 0];
const Z: Triple = [0, 0, 1];
const WIDE = [-4.7, 4.7] as const;

/** Roll, yaw, pitch at the shoulder, elbow pitch between booms of 7 m, pitch, yaw, roll at the wrist; offsets of half a metre. */
export const SEVEN_JOINTS: TreeModel = arm(
  'seven',
  [
    { axis: X, offset: [0, 0, 0], mass: 100, range: WIDE, rateLimit: 0.08 },
    { axis: Z, offset: [0.4, 0, 0], mass: 100, range: WIDE, rateLimit: 0.08 },
    { axis: Y, offset: [0.4, 0.5, 0], mass: 250, range: WIDE, rateLimit: 0.08 },
    { axis: Y, offset: [7, 0.5, 0], mass: 250, range: WIDE, rateLimit: 0.08 },
    { axis: Y, offset: [7, -0.5, 0], mass: 100, range: WIDE, rateLimit: 0.08 },
    { axis: Z, offset: [0.4, -0.5, 0], mass: 100, range: WIDE, rateLimit: 0.08 },
    { axis: X, offset: [0.4, 0, 0], mass: 100, range: WIDE, rateLimit: 0.08 },
  ],
  [0.6, 0, 0],
);

/** Swing, shoulder, elbow, and a wrist of three axes through nearly one point. */
export const SIX_JOINTS: TreeModel = arm(
  'six',
  [
    { axis: Z, offset: [0, 0, 0.5], mass: 300, range: [-1.6, 1.6], rateLimit: 0.5 },
    { axis: Y, offset: [0.2, 0, 0.3], mass: 200, range: [-1.5, 1.5], rateLimit: 0.5 },
    { axis: Y, offset: [0, 0, 1.2], mass: 150, range: [-2.2, 2.2], rateLimit: 0.5 },
    { axis: X, offset: [1.1, 0, 0.1], mass: 60, range: [-3, 3], rateLimit: 0.8 },
    { axis: Y, offset: [0.1, 0, 0], mass: 40, range: [-1.8, 1.8], rateLimit: 0.8 },
    { axis: X, offset: [0.15, 0, 0], mass: 20, range: [-3, 3], rateLimit: 1 },
  ],
  [0.2, 0, 0],
);

/** A tree in its own memory. */
export function makeTree(model: TreeModel): Tree {
  const { positions, rates } = treeFreedoms(model);
  return new Tree(model, new Float64Array(positions + rates));
}

/** Kinematics of the tool. */
export function makeArm(model: TreeModel): TreeArm {
  return new TreeArm(makeTree(model), 0);
}
