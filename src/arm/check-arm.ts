/** Checks of an arm: it can be driven, and it holds its payload at the start. */
import { ArmDrive, armMemory } from './arm-drive.ts';
import { type ArmModel, isFloating, jointCount, taskAxes } from '../model/arm-spec.ts';
import { type ArmSurroundings, checkArmControl } from './check-arm-control.ts';
import { computePoseError } from '../control/pose-error.ts';
import { BerthError } from '../base/errors.ts';
import type { BodyModel, Triple } from '../model/model.ts';
import { checkTreeParts, checkTreeTypes } from '../multibody/tree/check-tree.ts';
import { movesMass } from '../multibody/tree/moves-mass.ts';
import type { OrbitModel, TreeModel } from '../model/tree-model.ts';
import { treeFreedoms } from '../multibody/tree/tree-layout.ts';
import {
  expect,
  finite,
  list,
  plain,
  positive,
  range,
  shown,
  text,
  unit,
} from '../base/parameter-checks.ts';

const FIELD = 'tool.robot';
const MOST_DRIVEN = 8;
/** Tolerance of the start pose, m and rad. It allows for typed-in numbers and the residual of inverse kinematics. */
const PLACE_TOLERANCE = 1e-4;
/** Largest cosine of the angle between radius and normal of an orbit. It allows for typed-in numbers. */
const SQUARE_TOLERANCE = 1e-6;

/** @throws BerthError for the first fault of an arm that holds the payload */
export function checkArm(model: ArmModel, around: ArmSurroundings): void {
  const { tree, tip, servos, jointNames, driven } = model;
  checkTreeParts(tree);
  const joints = jointCount(model);
  tree.links.forEach(({ name, joint }, i) => {
    if (joint.kind === 'spherical' || (joint.kind === 'free' && i > 0)) {
      throw new BerthError(
        'BERTH_UNSUPPORTED',
        `Expected the joints of ${FIELD} to be revolute, prismatic or fixed, and the first alone to be free, got "${joint.kind}" at ${name}`,
        { field: FIELD },
      );
    }
  });
  if (isFloating(model)) checkFloating(tree);
  checkSway(model);
  checkLaw(model);
  range(`${FIELD}.joints`, joints, joints > 0, 'to be at least one');
  if (!tree.frames.some(({ name }) => name === tip)) {
    throw new BerthError(
      'BERTH_UNKNOWN_NAME',
      `Expected ${FIELD}.tip to be one of the frames ${tree.frames.map(({ name }) => name).join(', ')}, got ${shown(tip)}`,
      { field: `${FIELD}.tip` },
    );
  }
  range(`${FIELD}.servos`, servos.length, servos.length === joints, `to have ${joints} entries`);
  range(
    `${FIELD}.jointNames`,
    jointNames.length,
    jointNames.length === joints,
    `to have ${joints} entries`,
  );
  servos.forEach(({ bandwidth, dampingRatio }, j) => {
    positive(`${FIELD}.servos[${j}].bandwidth`, bandwidth);
    positive(`${FIELD}.servos[${j}].dampingRatio`, dampingRatio);
  });
  range(
    `${FIELD}.driven`,
    driven,
    Number.isInteger(driven) && driven >= 1 && driven <= MOST_DRIVEN && driven <= joints,
    `to be 1 … ${Math.min(MOST_DRIVEN, joints)} of the ${joints} joints`,
  );
  const axes = taskAxes(model).length;
  range(
    `${FIELD}.driven`,
    driven,
    driven >= axes,
    `to be no fewer than the ${axes} axes that the arm moves: \`axes\` names fewer`,
  );
  checkArmControl(model, around);
  checkPlace(model, around.payload);
}

/** Types that a program without a compiler can miss: before all other checks. */
export function checkArmTypes(model: ArmModel): void {
  const { tree, jointNames, servos, rate, axes, control } = model;
  checkTreeTypes(tree, `${FIELD}.tree`);
  list(`${FIELD}.jointNames`, jointNames);
  jointNames.forEach((name, index) => {
    text(`${FIELD}.jointNames[${index}]`, name);
  });
  list(`${FIELD}.servos`, servos);
  servos.forEach((servo, index) => {
    plain(`${FIELD}.servos[${index}]`, servo);
  });
  plain(`${FIELD}.rate`, rate);
  for (const [name, value] of Object.entries(rate)) {
    expect(`${FIELD}.rate.${name}`, value, typeof value === 'number', 'to be a number');
  }
  if (axes !== undefined) list(`${FIELD}.axes`, axes);
  if (control !== undefined) plain(`${FIELD}.control`, control);
}

function checkFloating({ links }: TreeModel): void {
  const standing = links.find(({ parent }, i) => i > 0 && parent < 0);
  if (standing === undefined) return;
  throw new BerthError(
    'BERTH_UNSUPPORTED',
    `Expected all links of ${FIELD} to hang on ${links[0].name}, which floats, got ${standing.name} on the base`,
    { field: FIELD },
  );
}

/** Refuses a moving base for all laws but resolved rates: they have no terms for its acceleration. */
function checkLaw(model: ArmModel): void {
  const law = model.control?.law ?? 'resolved-rate';
  const base = isFloating(model) ? 'free' : model.sway === undefined ? null : 'sway';
  if (base === null || law === 'resolved-rate') return;
  throw new BerthError(
    'BERTH_UNSUPPORTED',
    `Expected ${FIELD}.control to be resolved-rate with ${FIELD}.base.${base}, got "${law}": its dynamics are those of an arm whose base stands`,
    { field: `${FIELD}.control` },
  );
}

/**
 * Refuses gravity with a swaying base: the work of the base follows from momentum that only the
 * base changes. docs/theory/arm.md.
 */
function checkSway(model: ArmModel): void {
  const { sway, orbit } = model;
  if (sway === undefined) return;
  finite(`${FIELD}.base.sway.amplitude`, sway.amplitude, 3);
  finite(`${FIELD}.base.sway.rate`, sway.rate, 3);
  finite(`${FIELD}.base.sway.phase`, sway.phase, 3);
  const { turn } = sway;
  finite(`${FIELD}.base.sway.turn`, [turn.amplitude, turn.rate, turn.phase], 3);
  unit(`${FIELD}.base.sway.turn.axis`, turn.axis);
  const other = isFloating(model) ? 'free' : orbit === undefined ? null : 'orbit';
  if (other === null) return;
  throw new BerthError(
    'BERTH_MISMATCH',
    `Expected ${FIELD}.base.sway without ${FIELD}.base.${other}: the base is moved by one of them`,
    { field: `${FIELD}.base.sway` },
  );
}

/** @throws BerthError for gravity or an orbit that the arm does not support */
export function checkField(model: ArmModel, gravity: Triple): void {
  if (isFloating(model)) refuseGravity(gravity, 'base.free', 'as what floats would fall');
  if (model.sway !== undefined) {
    refuseGravity(gravity, 'base.sway', "whose work is told by the arm's momentum");
  }
  if (model.orbit === undefined) return;
  checkOrbit(model.orbit);
  refuseGravity(gravity, 'base.orbit', 'which has that of the Earth in it');
}

function refuseGravity(gravity: Triple, base: string, why: string): void {
  if (gravity.every((value) => value === 0)) return;
  throw new BerthError(
    'BERTH_MISMATCH',
    `Expected gravity to be zero with ${FIELD}.${base}, ${why}, got (${gravity.join(', ')})`,
    { field: 'gravity' },
  );
}

/** @throws BerthError for values that describe no orbit */
function checkOrbit({ rate, radial: r, normal: n }: OrbitModel): void {
  positive(`${FIELD}.base.orbit.rate`, rate);
  const along = r[0] * n[0] + r[1] * n[1] + r[2] * n[2];
  range(
    `${FIELD}.base.orbit.normal along radial`,
    along,
    Math.abs(along) <= SQUARE_TOLERANCE,
    'to be 0: the normal of an orbit is square to its radius',
  );
}

function checkPlace(model: ArmModel, payload: BodyModel): void {
  const { positions, rates } = treeFreedoms(model.tree);
  const arm = new ArmDrive(
    model,
    [0, 0, 0],
    new Float64Array(positions + rates),
    new Float64Array(armMemory(model)),
    null,
  );
  if (!movesMass(arm.tree)) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected ${FIELD} to have a regular mass matrix: some motion of its joints moves no mass at the start`,
      { field: FIELD },
    );
  }
  const error = new Float64Array(6);
  computePoseError(
    error,
    Float64Array.from([...payload.position, ...payload.orientation]),
    0,
    arm.tip,
    0,
  );
  const [x, y, z, a, b, c] = error;
  const [way, angle] = [Math.sqrt(x * x + y * y + z * z), Math.sqrt(a * a + b * b + c * c)];
  if (way <= PLACE_TOLERANCE && angle <= PLACE_TOLERANCE) return;
  const tip = Array.from(arm.tip.subarray(0, 3), (value) => value.toFixed(4)).join(', ');
  throw new BerthError(
    'BERTH_MISMATCH',
    `Expected ${FIELD} to hold ${payload.name} at the start, but its tip is ${way.toPrecision(3)} m and ` +
      `${angle.toPrecision(3)} rad away from it, at (${tip}); allowed: ${PLACE_TOLERANCE} of each, or another \`place\``,
    { field: FIELD },
  );
}
