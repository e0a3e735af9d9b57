/**
 * What lets an arm of one's own load, and then not work: friction or weight above what its servos have, a start pose near a singular
 * one, links or base inside other bodies. Each is a sentence with figures; none refuses a file, for each may be meant.
 */
import { rigidTree } from '../src/arm/rigid-tree.ts';
import { pairDefinition } from '../src/contact/registry.ts';
import { TreeArm } from '../src/control/tree-arm.ts';
import { pow } from '../src/math/elementary/power.ts';
import { SingularValues } from '../src/math/singular-values.ts';
import { type ArmModel, isFloating, taskAxes } from '../src/model/arm-spec.ts';
import type { SystemModel } from '../src/model/model.ts';
import { Tree } from '../src/multibody/tree/tree.ts';
import { treeFreedoms } from '../src/multibody/tree/tree-layout.ts';
import { COLUMN, COLUMN_SIZE } from '../src/overlap/kernel.ts';
import { makeKernel, overlapMethods } from '../src/overlap/make-kernel.ts';
import { placedBounds, sharedBounds } from '../src/shapes/cell-bounds.ts';
import type { CellShape, Placed } from '../src/shapes/cell-model.ts';
import { placementOf, turnZTo } from '../src/shapes/placement.ts';
import { compileScenario } from './compile.ts';
import type { Robot } from './compile-robot.ts';
import { loadRobot } from './robot.ts';
import { composePoses, type Pose } from './robot-mount.ts';
import type { Scenario } from './scenario-schema.ts';

/** A joint that stays this far behind its servo is told, rad or m. */
const LAG = { revolute: 0.05, prismatic: 0.005 } as const;
/** Sag of the tip at the start that is told, m. */
const SAG_m = 0.002;
/** Depth of a link inside a body that is told: drawings are no exact shapes, m. */
const DEPTH_m = 0.005;
/** Radius of what stands for a base, and for links of a robot without a drawing, m. */
const THIN_m = 0.01;
/** The same of the ball about the origin of the base: half of it is inside the surface that a base stands on. */
const BASE_DEPTH_m = 0.015;
/** Vector area over the area of a cube of the shared volume, below which one cell counts as inside the other. */
const CONTAINED = 1e-6;

const lengthOf = ([x, y, z]: readonly number[]): number => Math.sqrt(x * x + y * y + z * z);
const digits = (value: number): string => String(Number(value.toPrecision(3)));

/** Sentences about the arm of a scenario; none when there is no arm, or nothing to say. */
export function armDoubts(scenario: Scenario): string[] {
  const model = compileScenario(scenario);
  const arm = model.tool?.robot;
  const source = scenario.tool?.robot;
  if (arm === undefined || source === undefined) return [];
  return [
    ...(isFloating(arm) ? [] : jointDoubts(arm, model)),
    ...placeDoubts(arm, model, loadRobot(source.name)),
  ];
}

/** Of servos, weight and condition at the start. */
function jointDoubts(arm: ArmModel, model: SystemModel): string[] {
  const rigid = rigidTree(arm.tree);
  const { positions, rates } = treeFreedoms(rigid);
  const tree = new Tree(rigid, new Float64Array(positions + rates));
  tree.gravity.set(model.gravity);
  const tip = new TreeArm(
    tree,
    rigid.frames.findIndex(({ name }) => name === arm.tip),
  );
  const start = tree.q.slice();
  const weight = weights(tree);
  const mass = new Float64Array(rates * rates);
  tree.computeMassMatrix(mass);
  const doubts: string[] = [];
  const bent = start.slice();
  const compensated = (arm.control?.law ?? 'resolved-rate') !== 'resolved-rate';
  const joints = rigid.links.flatMap(({ joint }, link) =>
    joint.kind === 'revolute' || joint.kind === 'prismatic' ? [{ joint, link }] : [],
  );
  joints.forEach(({ joint, link }, j) => {
    const { position, rate } = tree.layout.links[link];
    const [unit, effort] = joint.kind === 'revolute' ? ['rad', 'N m'] : ['m', 'N'];
    const { bandwidth } = arm.servos[j];
    const stiffness = mass[(rates + 1) * rate] * bandwidth * bandwidth;
    const limit = joint.drive?.effortLimit ?? joint.effortLimit ?? Infinity;
    const name = `tool.robot: joint ${arm.jointNames[j]}`;
    const { stiction = 0 } = joint.friction ?? {};
    if (stiction >= limit) {
      doubts.push(
        `${name} cannot move: its stiction of ${digits(stiction)} ${effort} is not below its effort limit of ${digits(limit)} ${effort}`,
      );
    } else if (stiction / stiffness > LAG[joint.kind]) {
      doubts.push(
        `${name} stays up to ${digits(stiction / stiffness)} ${unit} behind: its stiction of ${digits(stiction)} ${effort} works against a servo of ${digits(stiffness)} ${effort}/${unit}; raise tool.robot.servo.bandwidth_radps, which is ${digits(bandwidth)}`,
      );
    }
    const load = Math.abs(weight[rate]);
    if (load > limit) {
      doubts.push(
        `${name} cannot hold the arm: its weight takes ${digits(load)} ${effort} at the start, the effort limit is ${digits(limit)} ${effort}`,
      );
    }
    if (!compensated) bent[position] += weight[rate] / stiffness;
  });
  tip.evaluate(select(bent, tip.positions));
  const sagged = tip.pose.slice(0, 3);
  tip.evaluate(select(start, tip.positions));
  const sag = lengthOf(Array.from(sagged, (value, a) => value - tip.pose[a]));
  if (sag > SAG_m) {
    doubts.push(
      `tool.robot: the tip sags by ${digits(1000 * sag)} mm from its start under its weight, which the servos learn of by that; raise tool.robot.servo.bandwidth_radps, or take control computed-torque`,
    );
  }
  return [...doubts, ...conditionDoubts(arm, tip)];
}

const select = (all: Float64Array, at: Int32Array): Float64Array =>
  Float64Array.from(at, (index) => all[index]);

/** Effort of gravity in each freedom. */
function weights(tree: Tree): Float64Array {
  const n = tree.n;
  const acceleration = new Float64Array(n);
  tree.refresh();
  tree.forwardDynamics(new Float64Array(n), acceleration);
  const mass = new Float64Array(n * n);
  tree.computeMassMatrix(mass);
  return acceleration.map((_, i) => {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += mass[n * i + j] * acceleration[j];
    return sum;
  });
}

/** Near a singular pose the arm is slowed or stopped. */
function conditionDoubts(arm: ArmModel, tip: TreeArm): string[] {
  const axes = taskAxes(arm);
  const { driven, rate } = arm;
  const [rows, all] = [axes.length, tip.joints];
  const scaled = new Float64Array(rows * driven);
  for (let j = 0; j < driven; j++) {
    axes.forEach((axis, r) => {
      const entry = tip.jacobian[axis * all + all - driven + j];
      scaled[rows * j + r] = axis < 3 ? entry / rate.length : entry;
    });
  }
  const svd = new SingularValues(driven, rows);
  svd.decompose(scaled);
  const condition = svd.values[0] / svd.values[rows - 1];
  if (condition < rate.conditionSlow) return [];
  const stops = !(condition < rate.conditionStop);
  return [
    `tool.robot: the start is ${stops ? 'at' : 'near'} a singular pose: condition number ${digits(condition)}, the arm ${stops ? `stops at ${digits(rate.conditionStop)}` : `slows from ${digits(rate.conditionSlow)} on`}; begin with other tool.robot.joints`,
  ];
}

interface Solid {
  readonly name: string;
  readonly cell: Placed<CellShape>;
}

/** Of what the arm stands in at the start. */
function placeDoubts(arm: ArmModel, model: SystemModel, robot: Robot): string[] {
  const site = model.bodies
    .filter(({ name }) => name !== model.tool?.payload && name !== model.tool?.arm)
    .flatMap((body) =>
      cellsOf(body.name, body.cells ?? [], model).map((cell) => ({
        name: body.name,
        cell: inWorld(body, cell),
      })),
    );
  const deepest = new Map<string, number>();
  for (const part of partsOf(arm, robot)) {
    for (const body of site) {
      const depth = depthOf(part.cell, body.cell);
      const key = `${part.name} stands in ${body.name}`;
      const least = part.name === 'the base' ? BASE_DEPTH_m : DEPTH_m;
      if (depth > Math.max(least, deepest.get(key) ?? 0)) deepest.set(key, depth);
    }
  }
  return [...deepest].map(
    ([words, depth]) =>
      `tool.robot: ${words} at the start, ${digits(1000 * depth)} mm deep; the model does not feel that`,
  );
}

function cellsOf(
  body: string,
  cells: readonly Placed<CellShape>[],
  model: SystemModel,
): readonly Placed<CellShape>[] {
  if (cells.length > 0) return cells;
  return model.contacts.flatMap(({ bodyI, bodyJ, pair }) => {
    const { i, j } = pairDefinition(pair).shapes(pair);
    return [...(bodyI === body ? i : []), ...(bodyJ === body ? j : [])];
  });
}

const inWorld = (at: Pose, cell: Placed<CellShape>): Placed<CellShape> => ({
  ...cell,
  ...composePoses(at, cell),
});

/** The base, and the links as they are drawn; thin rods from joint to joint where nothing is drawn. */
function partsOf(arm: ArmModel, robot: Robot): Solid[] {
  const { positions, rates } = treeFreedoms(arm.tree);
  const tree = new Tree(arm.tree, new Float64Array(positions + rates));
  const pose = (i: number): Pose => {
    const [x, y, z, a, b, c, d] = tree.linkState(i);
    return { position: [x, y, z], orientation: [a, b, c, d] };
  };
  const drawn = robot.model.links.flatMap(({ name }, k) => {
    const i = arm.tree.links.findIndex((link) => link.name === name);
    return i < 0
      ? []
      : robot.drawing[k].map((cell) => ({ name: `link ${name}`, cell: inWorld(pose(i), cell) }));
  });
  const none = robot.drawing.every((cells) => cells.length === 0);
  const links = none
    ? arm.tree.links.flatMap(({ name, parent }, i) =>
        parent < 0 ? [] : rod(`link ${name}`, pose(parent), pose(i)),
      )
    : drawn;
  if (isFloating(arm)) return links;
  const { position } = arm.tree;
  const shape = { kind: 'sphere', radius: THIN_m } as const;
  return [{ name: 'the base', cell: { shape, position, orientation: [0, 0, 0, 1] } }, ...links];
}

/** A thin cylinder between two origins; nothing where they coincide. */
function rod(name: string, { position: from }: Pose, { position: to }: Pose): Solid[] {
  const way = to.map((value, a) => value - from[a]);
  const length = lengthOf(way);
  if (length < THIN_m) return [];
  const middle = from.map((value, a) => value + way[a] / 2);
  const [x, y, z] = way.map((value) => value / length);
  return [
    {
      name,
      cell: {
        shape: { kind: 'cylinder', radius: THIN_m, length },
        position: [middle[0], middle[1], middle[2]],
        orientation: turnZTo([x, y, z]),
      },
    },
  ];
}

/** How deep two placed cells are in each other, m; 0 apart. */
function depthOf(a: Placed<CellShape>, b: Placed<CellShape>): number {
  const { low, high } = sharedBounds(placedBounds(a), placedBounds(b));
  if (low.some((value, k) => value > high[k])) return 0;
  if (overlapMethods(a.shape, b.shape).length === 0) return 0;
  const column = new Float64Array(COLUMN_SIZE);
  makeKernel(a.shape, b.shape, 'auto').compute(placementOf(a), placementOf(b), column);
  const volume = column[COLUMN.volume];
  const area = column[COLUMN.area];
  if (!(volume > 0)) return 0;
  // a cell inside another one has no vector area, and no depth along it: the shared volume is the smaller cell
  return area * Math.sqrt(area) < volume * CONTAINED ? pow(volume, 1 / 3) : -column[COLUMN.gap];
}
