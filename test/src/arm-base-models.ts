/** The arm of arm-models.ts on bases that do not stand. */
import type { BaseSwayModel } from '../../src/arm-spec.ts';
import type { SystemModel, Triple } from '../../src/model.ts';
import type { JointFrictionModel, TreeModel } from '../../src/multibody/tree/tree-model.ts';
import { ARM_FRICTION, armTree, systemOf } from './arm-models.ts';

/** For scripts that get the models of this file alone. */
export { ARM_FRICTION };

/** Motion of a spacecraft at the start: of its origin and angular, in the axes of the tree's base. */
export interface SpacecraftStart {
  readonly velocity: Triple;
  readonly angularVelocity: Triple;
}

/**
 * The same arm, of 700 kg, on a spacecraft that floats, its base turned in the world. On one of a fifth of the mass the pose would be a
 * dynamic singularity, where the condition number of the generalised Jacobian is 39.
 */
export function floatingSystem(
  modes = 2,
  friction?: JointFrictionModel,
  start: SpacecraftStart = { velocity: [0, 0, 0], angularVelocity: [0, 0, 0] },
): SystemModel {
  const { links, frames, ...tree } = armTree(modes, friction);
  const spacecraft: TreeModel['links'][number] = {
    name: 'spacecraft',
    parent: -1,
    position: [0, 0, 0],
    orientation: [0, 0, 0, 1],
    joint: { kind: 'free', position: [0, 0, 0], orientation: [0, 0, 0, 1], ...start },
    mass: 4500,
    center: [-0.8, 0.1, 0.2],
    inertia: [12_600, 16_800, 15_400, 700, -420, 280],
  };
  const floating: TreeModel = {
    ...tree,
    position: [1, -2, 3],
    orientation: [0.1, 0.3, -0.2, Math.sqrt(0.86)],
    links: [spacecraft, ...links.map((link) => ({ ...link, parent: link.parent + 1 }))],
    frames: frames.map((frame) => ({ ...frame, link: frame.link + 1 })),
  };
  return systemOf(floating, {});
}

/** Some 50 mm in 6 s, and 4 mrad in 4 s. */
export const SWAY: BaseSwayModel = {
  amplitude: [0.05, -0.03, 0.02],
  rate: [1, 1.3, 0.7],
  phase: [0.4, 1.2, -2],
  turn: { axis: [0.6, 0, 0.8], amplitude: 0.004, rate: 1.5, phase: 0.9 },
};

/** The system of `armSystem` on a base that sways. */
export function swayingSystem(modes = 2, friction?: JointFrictionModel): SystemModel {
  return systemOf(armTree(modes, friction), { sway: SWAY });
}
