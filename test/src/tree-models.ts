/** Trees for tests: pendulums, cantilevers, a space arm with flexible drives and links. */
import { Tree } from '../../src/multibody/tree/tree.ts';
import { treeFreedoms } from '../../src/multibody/tree/tree-layout.ts';
import type {
  FlexibleBeamModel,
  JointDriveModel,
  TreeJointModel,
  TreeLinkModel,
  TreeModel,
} from '../../src/multibody/tree/tree-model.ts';

export const STILL = [0, 0, 0, 1] as const;

/** A link; a unit ball of 1 kg on a fixed joint where nothing else is said. */
export function link(name: string, parent: number, other: Partial<TreeLinkModel>): TreeLinkModel {
  return {
    name,
    parent,
    position: [0, 0, 0],
    orientation: STILL,
    joint: { kind: 'fixed' },
    mass: 1,
    center: [0, 0, 0],
    inertia: [0.4, 0.4, 0.4, 0, 0, 0],
    ...other,
  };
}

/** A revolute or prismatic joint. */
export function about(
  axis: readonly [number, number, number],
  position: number,
  rate: number,
  drive?: JointDriveModel,
  kind: 'revolute' | 'prismatic' = 'revolute',
): TreeJointModel {
  return { kind, axis, position, rate, ...(drive === undefined ? {} : { drive }) };
}

/** A drive without a limit. */
export function drive(
  rotorInertia: number,
  stiffness: number | null,
  damping = 0,
): JointDriveModel {
  return { rotorInertia, stiffness, damping, effortLimit: Infinity };
}

/** A beam of 1 N m² bending stiffness and 1 m. */
export function beam(other: Partial<FlexibleBeamModel>): FlexibleBeamModel {
  return {
    length: 1,
    bendingStiffness: [1, 1],
    modes: [1, 0],
    damping: 0,
    centrifugalStiffening: false,
    ...other,
  };
}

/** A tree of links, with a frame `tip` on the last. */
export function tree(links: readonly TreeLinkModel[]): TreeModel {
  const last = links.length - 1;
  const tip = { name: 'tip', link: last, position: [0, 0, 0] as const, orientation: STILL };
  return { name: 'tree', position: [0, 0, 0], orientation: STILL, links, frames: [tip] };
}

/** A tree with memory of its own. */
export function makeTree(model: TreeModel): Tree {
  const { positions, rates } = treeFreedoms(model);
  return new Tree(model, new Float64Array(positions + rates));
}

/** Seven revolute joints with flexible drives, two of the links beams with modes in both planes. */
export function spaceArm(modes: number): TreeModel {
  const axes = [
    [0, 0, 1],
    [0, 1, 0],
    [1, 0, 0],
  ] as const;
  const bent = (i: number): boolean => i === 2 || i === 4;
  return tree(
    Array.from({ length: 7 }, (_, i) =>
      link(`link ${i}`, i - 1, {
        position: i === 0 || bent(i - 1) ? [0, 0, 0] : [0.5, 0, 0],
        joint: about(axes[i % 3], 0.3, 0.02 * (i - 3), drive(50, 1e5, 100)),
        mass: bent(i) ? 150 : 80,
        center: bent(i) ? [3.5, 0, 0] : [0.2, 0, 0],
        inertia: [5, 6, 7, 0, 0, 0],
        ...(bent(i)
          ? {
              beam: beam({
                length: 7,
                bendingStiffness: [4e6, 3e6],
                modes: [modes, modes],
                damping: 0.01,
                centrifugalStiffening: true,
              }),
            }
          : {}),
      }),
    ),
  );
}
