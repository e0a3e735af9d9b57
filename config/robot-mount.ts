/** Mounts one robot on a frame of another, as one tree. */
import { BerthError } from '../src/base/errors.ts';
import type { Quadruple, Triple } from '../src/model/model.ts';
import { multiplyQuaternion, rotationOf } from '../src/math/quaternion.ts';
import { multiply3 } from '../src/math/mat3.ts';
import type { TreeFrameModel, TreeLinkModel } from '../src/model/tree-model.ts';
import type { Robot } from './compile-robot.ts';
import { nearest } from './read.ts';

/** Pose of a frame in another frame. */
export interface Pose {
  readonly position: Triple;
  readonly orientation: Quadruple;
}

/** The pose of C in A, from that of B in A and of C in B. */
export function composePoses(ab: Pose, bc: Pose): Pose {
  const rotation = new Float64Array(9);
  rotationOf(rotation, Float64Array.from(ab.orientation), 0);
  const moved = new Float64Array(3);
  multiply3(moved, 0, rotation, Float64Array.from(bc.position), 0);
  const turned = new Float64Array(4);
  multiplyQuaternion(
    turned,
    0,
    Float64Array.from(ab.orientation),
    0,
    Float64Array.from(bc.orientation),
    0,
  );
  const [x, y, z] = ab.position;
  return {
    position: [x + moved[0], y + moved[1], z + moved[2]],
    orientation: [...turned] as unknown as Quadruple,
  };
}

/**
 * Makes the tree of a carrier with a robot fixed to one of its frames; their names must differ. The
 * control is that of the mounted robot.
 * @throws BerthError for an unknown frame, and for names in both
 */
export function mountRobot(carrier: Robot, frameName: string, robot: Robot): Robot {
  const { frames, links } = carrier.model;
  const frame = frames.find(({ name }) => name === frameName);
  if (frame === undefined) {
    const names = frames.map(({ name }) => name);
    const near = nearest(frameName, names);
    const hint =
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : `allowed: ${names.join(', ')}`;
    throw new BerthError(
      'BERTH_UNKNOWN_NAME',
      `mount.frame names "${frameName}", which is no frame of ${carrier.name}; ${hint}`,
      { field: 'mount.frame' },
    );
  }
  refuseShared('link', links, robot.model.links, carrier.name);
  refuseShared('frame', frames, robot.model.frames, carrier.name);
  refuseShared('joint', carrier.joints, robot.joints, carrier.name);
  const base = composePoses(frame, robot.model);
  const shift = links.length;
  const mounted = robot.model.links.map(
    (link): TreeLinkModel =>
      link.parent >= 0
        ? { ...link, parent: link.parent + shift }
        : { ...link, ...composePoses(base, link), parent: frame.link },
  );
  const moved = robot.model.frames.map(
    (one): TreeFrameModel => ({ ...one, link: one.link + shift }),
  );
  return {
    name: robot.name,
    title: robot.title,
    description: robot.description,
    model: {
      name: robot.name,
      position: carrier.model.position,
      orientation: carrier.model.orientation,
      links: [...links, ...mounted],
      frames: [...frames, ...moved],
    },
    joints: [
      ...carrier.joints,
      ...robot.joints.map((joint) => ({ ...joint, link: joint.link + shift })),
    ],
    drawing: [...carrier.drawing, ...robot.drawing],
    control: robot.control,
  };
}

interface Named {
  readonly name: string;
}

function refuseShared(
  what: string,
  carrier: readonly Named[],
  robot: readonly Named[],
  carrierName: string,
): void {
  const twice = robot.find(({ name }) => carrier.some((one) => one.name === name));
  if (twice === undefined) return;
  throw new BerthError(
    'BERTH_DUPLICATE_NAME',
    `mount.robot: ${carrierName} has a ${what} named "${twice.name}" as well; allowed: names that differ`,
    { field: 'mount.robot' },
  );
}
