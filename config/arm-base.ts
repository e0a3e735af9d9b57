/**
 * Base of the arm of a tool that is not fixed: `tool.robot.base.free` and `.sway` of a scenario.
 * docs/theory/arm.md.
 */
import type { Static } from 'typebox';
import type { BaseSwayModel } from '../src/model/arm-spec.ts';
import { BerthError } from '../src/base/errors.ts';
import type { Triple } from '../src/model/model.ts';
import type { TreeLinkModel, TreeModel } from '../src/model/tree-model.ts';
import type { ArmRobot } from './arm-schema.ts';
import { linkInertia } from './compile-chain.ts';
import { inertiaFault } from './robot-checks.ts';
import { composePoses } from './robot-mount.ts';
import { unit } from './unit-vector.ts';

type Base = Static<typeof ArmRobot>['base'];
type Spacecraft = NonNullable<Base['free']>;

const FIELD = 'tool.robot.base.free';
const NAME = 'spacecraft';

/** Compiles the prescribed motion of a base. @throws BerthError naming the field */
export function compileSway({
  amplitude_m,
  rate_radps,
  phase_rad,
  turn,
}: NonNullable<Base['sway']>): BaseSwayModel {
  return {
    amplitude: amplitude_m,
    rate: rate_radps,
    phase: phase_rad,
    turn: {
      axis: unit(turn.axis, 'tool.robot.base.sway.turn.axis'),
      amplitude: turn.amplitude_rad,
      rate: turn.rate_radps,
      phase: turn.phase_rad,
    },
  };
}

/**
 * Puts the base of a tree on a floating spacecraft, whose frame is that of the base. @throws
 * BerthError naming the field
 */
export function floating(tree: TreeModel, source: Spacecraft): TreeModel {
  refuse(tree);
  const spacecraft: TreeLinkModel = {
    name: NAME,
    parent: -1,
    position: [0, 0, 0],
    orientation: [0, 0, 0, 1],
    joint: {
      kind: 'free',
      position: [0, 0, 0],
      orientation: [0, 0, 0, 1],
      velocity: inBase(tree, source.velocity_mps),
      angularVelocity: inBase(tree, source.angular_velocity_radps),
    },
    mass: source.mass_kg,
    center: source.center_m,
    inertia: linkInertia(source.mass_kg, source.inertia, `${FIELD}.inertia`),
  };
  const fault = inertiaFault(spacecraft.inertia);
  if (fault !== null) {
    throw new BerthError('BERTH_PARAMETER_RANGE', `${FIELD}.inertia ${fault}`, {
      field: `${FIELD}.inertia`,
    });
  }
  return {
    ...tree,
    links: [spacecraft, ...tree.links.map((link) => ({ ...link, parent: link.parent + 1 }))],
    frames: tree.frames.map((frame) => ({ ...frame, link: frame.link + 1 })),
  };
}

function refuse({ name, links }: TreeModel): void {
  const free = links.find(({ joint }) => joint.kind === 'free');
  if (free !== undefined) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `${FIELD} does not go with ${name}, whose ${free.name} floats already; allowed: one of the two`,
      { field: FIELD },
    );
  }
  if (!links.some((link) => link.name === NAME)) return;
  throw new BerthError(
    'BERTH_DUPLICATE_NAME',
    `${FIELD} is called "${NAME}", and so is a link of ${name}; allowed: robots without a link of that name`,
    { field: FIELD },
  );
}

/** Transforms a vector from world axes into those of the base. */
function inBase({ orientation }: TreeModel, vector: Triple): Triple {
  const [x, y, z, w] = orientation;
  return composePoses(
    { position: [0, 0, 0], orientation: [-x, -y, -z, w] },
    { position: vector, orientation },
  ).position;
}
