/** Compiles a robot file to the simulated tree, with names, limits and shapes. */
import { BerthError } from '../src/base/errors.ts';
import type {
  FlexibleBeamModel,
  TreeFrameModel,
  TreeLinkModel,
  TreeModel,
} from '../src/model/tree-model.ts';
import type { CellModel } from '../src/shapes/cell-model.ts';
import { linkInertia } from './compile-chain.ts';
import { compileCells } from './compile-cells.ts';
import { compileRobotJoint, driven, type RobotJoint } from './compile-robot-joint.ts';
import { compileOrientation } from './orientation.ts';
import { checkRegular, checkRobotLink, checkTreeMasses, uniqueNames } from './robot-checks.ts';
import type { RobotFile, RobotFileLink } from './robot-schema.ts';
import { nearest } from './read.ts';

export type { RobotJoint } from './compile-robot-joint.ts';

/** Parameters of resolved-rate motion of a robot. */
export interface RobotControl {
  /** Frame of the tree that hand controllers move; null for a robot without frames. */
  readonly toolFrame: string | null;
  /** Largest speeds of the tool, m/s and rad/s. */
  readonly maximumSpeed: number;
  readonly maximumAngularSpeed: number;
  /** Length that makes angles comparable with lengths in condition numbers, m. */
  readonly characteristicLength: number;
  /** Condition numbers at which motion slows down and stops. */
  readonly slowCondition: number;
  readonly stopCondition: number;
  /** Distance from a joint limit over which the joint slows down, rad. */
  readonly jointMargin: number;
}

/** A compiled robot. */
export interface Robot {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly model: TreeModel;
  /** Revolute and prismatic joints in link order. */
  readonly joints: readonly RobotJoint[];
  /** Shapes of each link, in the frame of the link. */
  readonly drawing: readonly (readonly CellModel[])[];
  readonly control: RobotControl;
}

/**
 * Compiles a robot.
 * @param directory folder to which mesh files of drawings are relative
 * @throws BerthError naming the field, its value and the allowed range
 */
export function compileRobot(source: RobotFile, directory: string): Robot {
  if (source.links.length === 0) {
    throw new BerthError(
      'BERTH_MISSING_FIELD',
      'links is missing; allowed: a list of at least 1, or robot',
      {
        field: 'links',
      },
    );
  }
  uniqueNames('link', source.links, (i) => `links[${i}]`);
  uniqueNames('frame', source.frames, (i) => `frames[${i}]`);
  const order = parentsFirst(source.links);
  const place = new Map(order.map((index, at) => [source.links[index].name, at]));
  const links = order.map((index) =>
    compileLink(source.links[index], `links[${index}]`, (name) => place.get(name) ?? -1),
  );
  checkTreeMasses(links, (at) => `links[${order[at]}]`);
  const joints = order.flatMap((index, link) => driven(source.links[index], link));
  uniqueNames('joint', joints, (i) => `links[${order[joints[i].link]}].joint`);
  const frames = source.frames.map((frame, i): TreeFrameModel => {
    const path = `frames[${i}]`;
    return {
      name: frame.name,
      link: known(place, frame.link, `${path}.link`),
      position: frame.position_m,
      orientation: compileOrientation(frame.orientation, `${path}.orientation`),
    };
  });
  const model: TreeModel = {
    name: source.name,
    position: source.base.position_m,
    orientation: compileOrientation(source.base.orientation, 'base.orientation'),
    links,
    frames,
  };
  checkRegular(model);
  return {
    name: source.name,
    title: source.title,
    description: source.description,
    model,
    joints,
    drawing: order.map((index) =>
      compileCells(source.links[index].drawing, `links[${index}].drawing`, directory),
    ),
    control: control(source),
  };
}

/** Indices of the links, each after its parent, otherwise in the order of the file. */
function parentsFirst(links: readonly RobotFileLink[]): number[] {
  const names = new Map(links.map(({ name }, index) => [name, index]));
  links.forEach(({ parent }, i) => {
    if (parent !== undefined) known(names, parent, `links[${i}].parent`);
  });
  const order: number[] = [];
  const placed = new Set<string>();
  let rest = links.map((_, index) => index);
  while (rest.length > 0) {
    const waiting: number[] = [];
    for (const index of rest) {
      const { name, parent } = links[index];
      if (parent !== undefined && !placed.has(parent)) waiting.push(index);
      else {
        order.push(index);
        placed.add(name);
      }
    }
    if (waiting.length === rest.length) throw loop(links, names, rest[0]);
    rest = waiting;
  }
  return order;
}

/** Follows parents until a link repeats. */
function loop(
  links: readonly RobotFileLink[],
  names: ReadonlyMap<string, number>,
  start: number,
): BerthError {
  const seen: number[] = [];
  let index = start;
  while (!seen.includes(index)) {
    seen.push(index);
    index = names.get(links[index].parent ?? '') ?? -1;
  }
  const round = seen.slice(seen.indexOf(index)).map((i) => links[i].name);
  const field = `links[${index}].parent`;
  return new BerthError(
    'BERTH_MISMATCH',
    `${field} is "${links[index].parent ?? ''}", which closes a loop of ${round.join(', ')}; allowed: trees, whose links lead to the base`,
    { field },
  );
}

function known(names: ReadonlyMap<string, number>, name: string, field: string): number {
  const index = names.get(name);
  if (index !== undefined) return index;
  const near = nearest(name, [...names.keys()]);
  const hint =
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : `allowed: ${[...names.keys()].join(', ')}`;
  throw new BerthError(
    'BERTH_UNKNOWN_NAME',
    `${field} names "${name}", which is no link; ${hint}`,
    {
      field,
    },
  );
}

function compileLink(
  source: RobotFileLink,
  path: string,
  indexOf: (name: string) => number,
): TreeLinkModel {
  const { body } = source;
  const common = {
    name: source.name,
    parent: source.parent === undefined ? -1 : indexOf(source.parent),
    position: source.position_m,
    orientation: compileOrientation(source.orientation, `${path}.orientation`),
    joint: compileRobotJoint(source.joint, `${path}.joint`),
    mass: body.mass_kg,
  };
  let link: TreeLinkModel;
  if (body.kind === 'beam') {
    const across = (body.mass_kg * body.length_m * body.length_m) / 12;
    link = {
      ...common,
      center: [body.length_m / 2, 0, 0],
      inertia: [body.torsional_inertia_kg_m2, across, across, 0, 0, 0],
      beam: beam(body),
    };
  } else {
    link = {
      ...common,
      center: body.center_m,
      inertia: linkInertia(body.mass_kg, body.inertia, `${path}.body.inertia`),
    };
  }
  checkRobotLink(link, path);
  return link;
}

function beam(body: Extract<RobotFileLink['body'], { kind: 'beam' }>): FlexibleBeamModel {
  return {
    length: body.length_m,
    bendingStiffness: body.bending_stiffness_N_m2,
    modes: body.modes,
    damping: body.damping_ratio,
    centrifugalStiffening: body.centrifugal_stiffening,
  };
}

function control(source: RobotFile): RobotControl {
  const { control: given, frames } = source;
  const names = frames.map(({ name }) => name);
  const toolFrame = given.tool_frame ?? names.at(-1) ?? null;
  if (given.tool_frame !== undefined && !names.includes(given.tool_frame)) {
    const allowed = names.length > 0 ? `allowed: ${names.join(', ')}` : 'the robot has no frames';
    throw new BerthError(
      'BERTH_UNKNOWN_NAME',
      `control.tool_frame names "${given.tool_frame}", which is no frame; ${allowed}`,
      { field: 'control.tool_frame' },
    );
  }
  if (given.stop_condition <= given.slow_condition) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected control.stop_condition to be above control.slow_condition (${given.slow_condition}), got ${given.stop_condition}`,
      { field: 'control.stop_condition' },
    );
  }
  return {
    toolFrame,
    maximumSpeed: given.maximum_speed_mps,
    maximumAngularSpeed: given.maximum_angular_speed_radps,
    characteristicLength: given.characteristic_length_m,
    slowCondition: given.slow_condition,
    stopCondition: given.stop_condition,
    jointMargin: given.joint_margin_rad,
  };
}
