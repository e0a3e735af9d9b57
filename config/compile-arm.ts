/**
 * Compiles `tool.robot` of a scenario to the simulated arm: a robot that holds the payload, placed
 * so that it reaches it.
 */
import type { Static } from 'typebox';
import { type ArmModel, TASK_AXES } from '../src/model/arm-spec.ts';
import { rigidTree } from '../src/arm/rigid-tree.ts';
import { InverseKinematics } from '../src/control/inverse-kinematics.ts';
import { DEFAULT_RESOLVED_RATE } from '../src/control/resolved-rate.ts';
import { TreeArm } from '../src/control/tree-arm.ts';
import { BerthError } from '../src/base/errors.ts';
import type { Quadruple } from '../src/model/model.ts';
import { Tree } from '../src/multibody/tree/tree.ts';
import { treeFreedoms } from '../src/multibody/tree/tree-layout.ts';
import type { OrbitModel, TreeLinkModel, TreeModel } from '../src/model/tree-model.ts';
import { compileSway, floating } from './arm-base.ts';
import type { ArmRobot } from './arm-schema.ts';
import { compileArmControl } from './compile-arm-control.ts';
import { compileBody } from './compile-body.ts';
import type { Robot } from './compile-robot.ts';
import { compileOrientation } from './orientation.ts';
import { nearest } from './read.ts';
import { loadRobot } from './robot.ts';
import { composePoses, type Pose } from './robot-mount.ts';
import type { Scenario } from './scenario-schema.ts';
import { unit } from './unit-vector.ts';
import { readQuantity } from './units.ts';

type Source = Static<typeof ArmRobot>;

/** Name of the frame that is the tool point. */
const TOOL_POINT = 'tool point';
const FIELD = 'tool.robot';
const NO_LOAD = { mass_kg: 0, center_m: [0, 0, 0], moments_kg_m2: [0, 0, 0] } as const;
/** Number of joints above which an arm counts as two arms, of which the outer one moves. */
const MOST_DRIVEN = 8;

/** Compiles the arm of a scenario with `tool.robot`. @throws BerthError naming the field */
export function compileArm(source: Source, scenario: Scenario): ArmModel {
  const robot = loadRobot(source.name);
  const payload = payloadPose(scenario);
  const tree = placed(source, carrying(source, robot, scenario), payload);
  const { characteristicLength, slowCondition, stopCondition, jointMargin } = robot.control;
  const servo = source.servo;
  const model: ArmModel = {
    tree,
    ...(source.base.orbit === undefined ? {} : { orbit: compileOrbit(source.base.orbit) }),
    ...(source.base.sway === undefined ? {} : { sway: compileSway(source.base.sway) }),
    tip: TOOL_POINT,
    jointNames: robot.joints.map(({ name }) => name),
    servos: robot.joints.map(({ bandwidth, dampingRatio }) =>
      servo === undefined
        ? { bandwidth, dampingRatio }
        : { bandwidth: servo.bandwidth_radps, dampingRatio: servo.damping_ratio },
    ),
    driven: source.driven ?? (robot.joints.length > MOST_DRIVEN ? 7 : robot.joints.length),
    ...(source.axes === undefined
      ? {}
      : { axes: source.axes.map((name) => TASK_AXES.indexOf(name)) }),
    rate: {
      ...DEFAULT_RESOLVED_RATE,
      length: characteristicLength,
      conditionSlow: slowCondition,
      conditionStop: stopCondition,
      limitTime:
        jointMargin / Math.min(10, Math.max(...robot.joints.map(({ rateLimit }) => rateLimit))),
    },
  };
  const standing = source.place === 'joints' ? reaching(model, payload) : model;
  const { control, base } = source;
  const driven =
    control === undefined
      ? standing
      : { ...standing, control: compileArmControl(control, standing) };
  return base.free === undefined ? driven : { ...driven, tree: floating(driven.tree, base.free) };
}

function compileOrbit({
  rate_radps,
  radial,
  normal,
}: NonNullable<Source['base']['orbit']>): OrbitModel {
  return {
    rate: rate_radps,
    radial: unit(radial, `${FIELD}.base.orbit.radial`),
    normal: unit(normal, `${FIELD}.base.orbit.normal`),
  };
}

function payloadPose(scenario: Scenario): Pose {
  const name = scenario.tool?.payload;
  const index = scenario.bodies.findIndex((one) => one.name === name);
  if (index >= 0) return compileBody(scenario.bodies[index], index);
  throw new BerthError('BERTH_UNKNOWN_NAME', `tool.payload names "${name}", which is no body`, {
    field: 'tool.payload',
  });
}

/** The robot with its joints at their starts, and the payload on its frame. */
function carrying(source: Source, robot: Robot, scenario: Scenario): TreeModel {
  const { frames, links } = robot.model;
  const wanted = source.frame ?? robot.control.toolFrame;
  const frame = frames.find(({ name }) => name === wanted);
  if (frame === undefined) {
    const names = frames.map(({ name }) => name);
    const near = nearest(wanted ?? '', names);
    const hint =
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : `allowed: ${names.join(', ')}`;
    throw new BerthError(
      'BERTH_UNKNOWN_NAME',
      `${FIELD}.frame names "${wanted}", which is no frame of ${robot.name}; ${hint}`,
      { field: `${FIELD}.frame` },
    );
  }
  const grasp = {
    position: source.grasp.position_m,
    orientation: compileOrientation(source.grasp.orientation, `${FIELD}.grasp.orientation`),
  };
  const { mass_kg, center_m, moments_kg_m2 } = source.payload ?? NO_LOAD;
  const held: TreeLinkModel = {
    name: scenario.tool?.payload ?? 'payload',
    parent: frame.link,
    ...composePoses(frame, grasp),
    joint: { kind: 'fixed' },
    mass: mass_kg,
    center: center_m,
    inertia: [...moments_kg_m2, 0, 0, 0],
  };
  return {
    ...robot.model,
    links: [...startingAt(source, robot, links), held],
    frames: [
      ...frames,
      {
        name: TOOL_POINT,
        link: links.length,
        position: [0, 0, 0],
        orientation: [0, 0, 0, 1],
      },
    ],
  };
}

function startingAt(
  source: Source,
  robot: Robot,
  links: readonly TreeLinkModel[],
): TreeLinkModel[] {
  const { joints } = source;
  if (joints === undefined) return [...links];
  if (joints.length !== robot.joints.length) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `${FIELD}.joints has ${joints.length} values; allowed: ${robot.joints.length}, one for each joint of ${robot.name}`,
      { field: `${FIELD}.joints` },
    );
  }
  return withPositions(
    links,
    joints.map((value, j) => jointValue(value, robot, j)),
  );
}

/** A joint value in rad or m. @throws BerthError for a unit that is none of the joint */
function jointValue(value: number | string, { joints }: Robot, j: number): number {
  if (typeof value === 'number') return value;
  const { name, kind } = joints[j];
  const result = readQuantity(value, kind === 'revolute' ? 'rad' : 'm');
  if (result.ok) return result.value;
  throw new BerthError(
    'BERTH_UNIT',
    `${FIELD}.joints[${j}] is "${value}" for ${name}, which is ${kind}; allowed: ${result.reason}`,
    { field: `${FIELD}.joints[${j}]` },
  );
}

/** Sets the values of the axis joints, in order. */
function withPositions(
  links: readonly TreeLinkModel[],
  positions: ArrayLike<number>,
): TreeLinkModel[] {
  let next = 0;
  return links.map((link) => {
    const { joint } = link;
    if (joint.kind !== 'revolute' && joint.kind !== 'prismatic') return link;
    return { ...link, joint: { ...joint, position: positions[next++] } };
  });
}

/** Places the tree on its base. */
function placed(source: Source, tree: TreeModel, payload: Pose): TreeModel {
  if (source.place !== 'base') {
    return {
      ...tree,
      position: source.base.position_m,
      orientation: compileOrientation(source.base.orientation, `${FIELD}.base.orientation`),
    };
  }
  const atOrigin: TreeModel = { ...tree, position: [0, 0, 0], orientation: [0, 0, 0, 1] };
  return { ...atOrigin, ...composePoses(payload, inverse(tipOf(atOrigin))) };
}

function tipOf(tree: TreeModel): Pose {
  const { positions, rates } = treeFreedoms(tree);
  const [x, y, z, ...turn] = new Tree(tree, new Float64Array(positions + rates)).frameState(
    tree.frames.findIndex(({ name }) => name === TOOL_POINT),
  );
  return { position: [x, y, z], orientation: turn.slice(0, 4) as unknown as Quadruple };
}

function inverse({ position, orientation }: Pose): Pose {
  const [x, y, z, w] = orientation;
  const back: Quadruple = [-x, -y, -z, w];
  const turned = composePoses(
    { position: [0, 0, 0], orientation: back },
    { position, orientation },
  );
  return {
    position: turned.position.map((value) => -value) as [number, number, number],
    orientation: back,
  };
}

/** Finds joint values at which the arm holds the payload, from the given ones. */
function reaching(model: ArmModel, payload: Pose): ArmModel {
  const tree = rigidTree(model.tree);
  const { positions, rates } = treeFreedoms(tree);
  const frame = tree.frames.findIndex(({ name }) => name === model.tip);
  const arm = new TreeArm(new Tree(tree, new Float64Array(positions + rates)), frame);
  const search = new InverseKinematics(arm, model.rate.length);
  const target = Float64Array.from([...payload.position, ...payload.orientation]);
  search.solve(target, Float64Array.from(tree.links.flatMap(positionOf)));
  // the check of the start pose refuses a pose out of reach, with the remaining error
  return {
    ...model,
    tree: { ...model.tree, links: withPositions(model.tree.links, search.position) },
  };
}

function positionOf({ joint }: TreeLinkModel): number[] {
  return joint.kind === 'revolute' || joint.kind === 'prismatic' ? [joint.position] : [];
}
