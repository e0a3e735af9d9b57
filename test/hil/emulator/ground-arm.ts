/** A ground robot with six joints for the tests: swing, shoulder, elbow, pitch, yaw, roll. */
import type {
  JointFrictionModel,
  TreeLinkModel,
  TreeModel,
} from '../../../src/model/tree-model.ts';

const HOME = [0.2, -0.6, 1.2, -0.5, 0.3, 0.1] as const;

/** @param changes `range` about home, rad */
export function groundArm(
  changes: {
    readonly friction?: JointFrictionModel;
    readonly rateLimit?: number;
    readonly effortLimit?: number;
    readonly range?: number;
  } = {},
): TreeModel {
  const { friction, rateLimit, effortLimit = Infinity, range } = changes;
  const link = (
    name: string,
    axis: readonly [number, number, number],
    position: readonly [number, number, number],
    mass: number,
    length: number,
  ): Omit<TreeLinkModel, 'parent'> & { axis: readonly [number, number, number] } => ({
    name,
    axis,
    position,
    orientation: [0, 0, 0, 1],
    joint: { kind: 'fixed' },
    mass,
    center: [length / 2, 0, 0],
    inertia: [
      mass * 0.02,
      mass * (0.02 + length ** 2 / 12),
      mass * (0.02 + length ** 2 / 12),
      0,
      0,
      0,
    ],
  });
  const links = [
    link('swing', [0, 0, 1], [0, 0, 0.5], 150, 0.2),
    link('shoulder', [0, 1, 0], [0.1, 0, 0.3], 120, 1.2),
    link('elbow', [0, 1, 0], [1.2, 0, 0], 80, 1),
    link('pitch', [0, 1, 0], [1, 0, 0], 25, 0.2),
    link('yaw', [0, 0, 1], [0.2, 0, 0], 20, 0.2),
    link('roll', [1, 0, 0], [0.2, 0, 0], 40, 0.3),
  ];
  return {
    name: 'ground-arm',
    position: [0, 0, 0],
    orientation: [0, 0, 0, 1],
    links: links.map(({ axis, ...one }, k) => ({
      ...one,
      parent: k - 1,
      joint: {
        kind: 'revolute',
        axis,
        position: HOME[k],
        rate: 0,
        drive: { rotorInertia: 2, stiffness: null, damping: 0, effortLimit },
        ...(range === undefined ? {} : { lower: HOME[k] - range, upper: HOME[k] + range }),
        ...(rateLimit === undefined ? {} : { rateLimit }),
        ...(friction === undefined ? {} : { friction }),
      },
    })),
    frames: [{ name: 'tool', link: 5, position: [0.3, 0, 0], orientation: [0, 0, 0, 1] }],
  };
}
