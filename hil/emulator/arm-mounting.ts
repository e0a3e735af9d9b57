/** Placement of an arm of joints: supported arms, and poses of base and tool. */
import { BerthError } from '../../src/base/errors.ts';
import { multiplyQuaternion } from '../../src/math/quaternion.ts';
import { treeFreedoms } from '../../src/multibody/tree/tree-layout.ts';
import type { TreeModel } from '../../src/model/tree-model.ts';
import { Tree } from '../../src/multibody/tree/tree.ts';

/** Number of joints: that of the directions of the tool. */
export const JOINTS = 6;

/** A joint for the controller; a missing limit is infinite. */
export interface ArmJoint {
  readonly lower: number;
  readonly upper: number;
  readonly rateLimit: number;
  readonly effortLimit: number;
  /** Friction that the controller compensates, N m and N m s/rad. */
  readonly coulomb: number;
  readonly viscous: number;
}

/** Joints of an arm. @throws BerthError naming the unsupported part */
export function armJoints(model: TreeModel): ArmJoint[] {
  const joints = model.links.flatMap(({ name, joint, beam }) => {
    if (joint.kind === 'fixed' && beam === undefined) return [];
    if (joint.kind !== 'revolute' || beam !== undefined || joint.drive?.stiffness != null) {
      throw new BerthError(
        'BERTH_UNSUPPORTED',
        `The ground robot is emulated with rigid links and rigid revolute joints; link "${name}" of "${model.name}" is not of that kind`,
      );
    }
    return [
      {
        lower: joint.lower ?? -Infinity,
        upper: joint.upper ?? Infinity,
        rateLimit: joint.rateLimit ?? Infinity,
        effortLimit: joint.drive?.effortLimit ?? Infinity,
        coulomb: joint.friction?.coulomb ?? 0,
        viscous: joint.friction?.viscous ?? 0,
      },
    ];
  });
  if (joints.length !== JOINTS || model.frames.length === 0) {
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      `The ground robot needs ${JOINTS} revolute joints and a tool frame; "${model.name}" has ${joints.length} and ${model.frames.length}`,
    );
  }
  return joints;
}

/**
 * Mounts the arm with its base upright so that its first frame, the tool, is at this pose with the
 * joints at time zero.
 */
export function mounted(
  model: TreeModel,
  position: ArrayLike<number>,
  orientation: ArrayLike<number>,
): TreeModel {
  const tool = model.frames[0];
  const { positions, rates } = treeFreedoms(model);
  const upright: TreeModel = { ...model, position: [0, 0, 0], orientation: [0, 0, 0, 1] };
  const tree = new Tree(upright, new Float64Array(positions + rates));
  const home = tree.frameState(0);
  const flange = tree.linkEndState(tool.link);
  const back = Float64Array.of(-flange[3], -flange[4], -flange[5], flange[6]);
  const turn = new Float64Array(4);
  multiplyQuaternion(turn, 0, back, 0, Float64Array.from(orientation), 0);
  return {
    ...upright,
    position: [position[0] - home[0], position[1] - home[1], position[2] - home[2]],
    frames: [{ ...tool, orientation: [turn[0], turn[1], turn[2], turn[3]] }],
  };
}
