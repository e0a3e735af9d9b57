/**
 * Systems of nothing but a payload on an articulated arm: seven joints with flexible drives and two flexible links, the same without
 * flexibility, and a planar one of three joints with two flexible links before a free body.
 */
import {
  type ArmControlModel,
  type ArmFastLoop,
  type ArmImpedance,
  type ArmModel,
  jointCount,
} from '../../src/arm-spec.ts';
import { rigidTree } from '../../src/arm/rigid-tree.ts';
import { designFastRegulator } from '../../src/control/fast-regulator.ts';
import { DEFAULT_RESOLVED_RATE } from '../../src/control/resolved-rate.ts';
import type { BodyModel, Quadruple, SystemModel, Triple } from '../../src/model.ts';
import type { JointFrictionModel, TreeModel } from '../../src/multibody/tree/tree-model.ts';
import { about, beam, link, makeTree, spaceArm, tree as treeOf } from './tree-models.ts';

/** Away from singular poses: shoulder, elbow and wrist bent. */
const ANGLES = [-0.9, -0.4, 0.5, -0.4, -1.5, -1.2, -0.6];

/** Of every joint where friction is asked for: 1 % of the torque of a space arm's motor. */
export const ARM_FRICTION: JointFrictionModel = {
  stiction: 25,
  coulomb: 20,
  bristleStiffness: 2e5,
  bristleDamping: 5000,
  viscous: 50,
  stribeckSpeed: 0.002,
  dwellTime: 0.5,
};

/** The space arm at rest with its joints at these angles. */
export function armTree(modes: number, friction: JointFrictionModel | undefined): TreeModel {
  const model = spaceArm(modes);
  const links = model.links.map((link, i) => {
    const { joint } = link;
    if (joint.kind !== 'revolute') return link;
    const turning = { ...joint, position: ANGLES[i], rate: 0, rateLimit: 0.1 };
    return { ...link, joint: friction === undefined ? turning : { ...turning, friction } };
  });
  return { ...model, links };
}

function armOf(tree: TreeModel): ArmModel {
  const count = jointCount({ tree });
  return {
    tree,
    tip: 'tip',
    jointNames: tree.links.filter(({ joint }) => joint.kind === 'revolute').map(({ name }) => name),
    servos: Array.from({ length: count }, () => ({ bandwidth: 8, dampingRatio: 0.8 })),
    driven: count,
    rate: { ...DEFAULT_RESOLVED_RATE, length: 5 },
  };
}

function body(name: string, motion: BodyModel['motion'], pose: readonly number[]): BodyModel {
  return {
    name,
    motion,
    mass: 1,
    inertia: [1, 1, 1, 0, 0, 0],
    rotationLocked: false,
    position: pose.slice(0, 3) as unknown as Triple,
    orientation: pose.slice(3, 7) as unknown as Quadruple,
    velocity: [0, 0, 0],
    angularVelocity: [0, 0, 0],
  };
}

/** The system, with so many modes to a plane of a flexible link. */
export function armSystem(
  modes = 2,
  friction?: JointFrictionModel,
  control?: ArmControlModel,
): SystemModel {
  return systemOf(armTree(modes, friction), control === undefined ? {} : { control });
}

/** The same arm with stiff links and gears. */
export function rigidArmSystem(control?: ArmControlModel): SystemModel {
  return systemOf(rigidTree(armTree(0, undefined)), control === undefined ? {} : { control });
}

/** A system of an arm with this tree. */
export function systemOf(tree: TreeModel, arm: Partial<ArmModel>): SystemModel {
  const pose = Array.from(makeTree(tree).frameState(0));
  return {
    name: 'arm',
    gravity: [0, 0, 0],
    bodies: [body('payload', 'prescribed', pose), body('arm', 'accommodated', pose)],
    contacts: [],
    springs: [],
    tool: {
      payload: 'payload',
      arm: 'arm',
      forceGain: 1e4,
      momentGain: 2e4,
      forceDeadband: 10,
      momentDeadband: 1,
      lag: 0.005,
      maximumSpeed: 0.1,
      maximumAngularSpeed: 0.1,
      robot: { ...armOf(tree), ...arm },
    },
    command: [],
    integrator: 'implicit-contact',
    step: 0.001,
    maximumSubsteps: 16,
    duration: 1,
  };
}

/** Mass, spring and damper of six rows, critically damped at 2 rad/s. */
export const SIX_ROWS: ArmImpedance = {
  rows: {
    mass: [100, 100, 100, 200, 200, 200],
    damping: [400, 400, 400, 800, 800, 800],
    stiffness: [400, 400, 400, 800, 800, 800],
  },
  target: null,
  path: null,
  correction: null,
  selfMotionDamping: 1,
};

/** Three joints about z, two links of 5 m that bend in their plane. */
function planarTree(): TreeModel {
  const arm = (modes: number, angle: number): ReturnType<typeof link> =>
    link('', 0, {
      joint: about([0, 0, 1], angle, 0),
      mass: 60,
      center: [2.5, 0, 0],
      inertia: [1, 1, 1, 0, 0, 0],
      beam: beam({ length: 5, bendingStiffness: [6e4, 6e4], modes: [modes, 0], damping: 0.01 }),
    });
  return treeOf([
    link('hub', -1, {
      joint: about([0, 0, 1], 0.1, 0),
      mass: 5e3,
      inertia: [4e4, 4e4, 4e4, 0, 0, 0],
    }),
    { ...arm(1, 0.6), name: 'inner', position: [1, 0, 0] },
    { ...arm(1, 1.4), name: 'outer', parent: 1 },
    link('end', 2, { mass: 3 }),
  ]);
}

/** Regulator of the planar arm at its start, Q = R = 1. */
function planarFastLoop(model: TreeModel): ArmFastLoop {
  const tree = makeTree(model);
  const mass = new Float64Array(tree.n ** 2);
  tree.computeMassMatrix(mass);
  const stiffness = tree.links.flatMap(({ beam: one }) => Array.from(one?.stiffness ?? []));
  const unit = (n: number): Float64Array =>
    Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0));
  const { gain } = designFastRegulator({
    rigid: 3,
    flexible: 2,
    mass,
    stiffness,
    scale: stiffness[0],
    stateCost: unit(4),
    torqueCost: unit(3),
  });
  return { gain: Array.from(gain), scale: stiffness[0] };
}

/** The planar arm with a composite law, or resolved rates, in x and y; with the law it goes 0.2 m along x before a free body. */
export function planarSystem(law: 'composite' | 'resolved-rate'): SystemModel {
  const tree = planarTree();
  const system = systemOf(tree, { axes: [0, 1] });
  if (law === 'resolved-rate' || system.tool?.robot === undefined) return system;
  const [payload] = system.bodies;
  const [x, y] = payload.position;
  const target: BodyModel = {
    ...body('target', 'dynamic', [x, y + 0.5, 0, 0, 0, 0, 1]),
    mass: 5e4,
    inertia: [5e4, 5e4, 5e4, 0, 0, 0],
  };
  const impedance: ArmImpedance = {
    rows: { mass: [40, 40], damping: [60, 60], stiffness: [40, 40] },
    target: 'target',
    path: [
      { time: 0, position: [0, -0.5, 0] },
      { time: 4, position: [0.2, -0.5, 0] },
    ],
    correction: { direction: [0, 1, 0], force: 2, start: 0.5, kind: 'integral', time: 2 },
    selfMotionDamping: 0,
  };
  const robot: ArmModel = {
    ...system.tool.robot,
    control: { law: 'composite', impedance, fast: planarFastLoop(tree) },
  };
  return { ...system, bodies: [...system.bodies, target], tool: { ...system.tool, robot } };
}
