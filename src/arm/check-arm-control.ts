/** Checks of the control law of an arm. */
import {
  type ArmControlModel,
  type ArmForceCorrection,
  type ArmImpedance,
  type ArmModel,
  jointCount,
  TASK_AXES,
  taskAxes,
} from '../model/arm-spec.ts';
import { ArmJoints } from './arm-joints.ts';
import { rigidTree } from './rigid-tree.ts';
import type { ContactModelSpec } from '../model/contact-spec.ts';
import { BerthError } from '../base/errors.ts';
import { SingularValues } from '../math/singular-values.ts';
import { rotationOf } from '../math/quaternion.ts';
import type { BodyModel, SpringModel } from '../model/model.ts';
import { treeFreedoms } from '../multibody/tree/tree-layout.ts';
import { Tree } from '../multibody/tree/tree.ts';
import {
  finite,
  list,
  notNegative,
  oneOf,
  plain,
  positive,
  range,
} from '../base/parameter-checks.ts';

const FIELD = 'tool.robot';
const CONTROL = `${FIELD}.control`;
const LAWS = ['resolved-rate', 'computed-torque', 'impedance', 'composite'];
/**
 * Least ratio of singular values of the task at which a row can still be moved. It allows for
 * rounding and typed-in poses.
 */
const LEAST_RATIO = 1e-6;
/** Largest distance of the start of a path from the tool point, m. It allows for typed-in numbers. */
const PLACE_TOLERANCE = 1e-4;

/** Parts of the system against which an arm is checked. */
export interface ArmSurroundings {
  readonly payload: BodyModel;
  readonly bodies: ReadonlyMap<string, BodyModel>;
  /** Step of the system, s. */
  readonly step: number;
  readonly contacts: readonly Pick<ContactModelSpec, 'bodyI' | 'bodyJ'>[];
  readonly springs: readonly Pick<SpringModel, 'body'>[];
}

/** @throws BerthError for axes that the arm cannot move, or for a law that it cannot have */
export function checkArmControl(model: ArmModel, around: ArmSurroundings): void {
  const { control } = model;
  if (model.axes !== undefined || (control !== undefined && control.law !== 'resolved-rate')) {
    checkReach(model);
  }
  if (control === undefined) return;
  oneOf(`${CONTROL}.law`, control.law, LAWS);
  if (control.law === 'computed-torque') {
    plain(`${CONTROL}.gains`, control.gains);
    const { frequency, damping } = control.gains;
    positive(`${CONTROL}.bandwidth_radps`, frequency);
    positive(`${CONTROL}.damping_ratio`, damping);
    checkRate(
      'bandwidth_radps',
      around.step * (2 * damping * frequency + around.step * frequency * frequency),
    );
  }
  if (control.law === 'composite') {
    plain(`${CONTROL}.fast`, control.fast);
    list(`${CONTROL}.fast.gain`, control.fast.gain);
    checkComposite(model, control);
  }
  if (control.law === 'impedance' || control.law === 'composite') {
    plain(`${CONTROL}.impedance`, control.impedance);
    checkImpedance(control.impedance, taskAxes(model), around);
  }
}

/** Checks that the rows of the task differ and that the driven joints can move each of them at the start. */
function checkReach(model: ArmModel): void {
  const axes = taskAxes(model);
  const { driven, tip, rate } = model;
  const names = axes.map((row) => TASK_AXES[row] ?? String(row));
  const known = axes.every((row, i) => TASK_AXES[row] !== undefined && axes.indexOf(row) === i);
  if (!known || axes.length < 1 || axes.length > driven) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected ${FIELD}.axes to be 1 … ${Math.min(6, driven)} different ones of ${TASK_AXES.join(', ')}, as ${driven} joints are driven, got ${names.join(', ')}`,
      { field: `${FIELD}.axes` },
    );
  }
  const rigid = rigidTree(model.tree);
  const { positions, rates } = treeFreedoms(rigid);
  const tree = new Tree(rigid, new Float64Array(positions + rates));
  const jacobian = new Float64Array(6 * rates);
  tree.frameJacobian(
    rigid.frames.findIndex(({ name }) => name === tip),
    jacobian,
  );
  const svd = new SingularValues(driven, axes.length);
  const columns = Array.from({ length: driven }, (_, j) => rates - driven + j);
  svd.decompose(
    Float64Array.from(
      columns.flatMap((j) =>
        axes.map((row) => jacobian[row * rates + j] * (row < 3 ? 1 / rate.length : 1)),
      ),
    ),
  );
  const { values } = svd;
  if (values[axes.length - 1] > LEAST_RATIO * values[0]) return;
  throw new BerthError(
    'BERTH_MISMATCH',
    `Expected ${FIELD}.axes to be what the arm can move at the start, each by itself, got ${names.join(', ')}, ` +
      'of which some motion together is beyond its joints; name fewer or another pose',
    { field: `${FIELD}.axes` },
  );
}

function checkComposite(
  model: ArmModel,
  { fast }: Extract<ArmControlModel, { law: 'composite' }>,
): void {
  const { positions, rates } = treeFreedoms(model.tree);
  const joints = new ArmJoints(
    model.tree,
    new Tree(model.tree, new Float64Array(positions + rates)),
  );
  const refuse = (reason: string): never => {
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      `Expected an arm for the law "composite" of ${CONTROL} ${reason}`,
      { field: CONTROL },
    );
  };
  const modes = joints.modeStiffness.length;
  if (modes === 0) refuse('whose links bend, got none with modes: "impedance" is that law without');
  const gear = joints.stiffness.findIndex((value) => value > 0);
  if (gear >= 0) {
    refuse(
      `whose gears are stiff, got a flexible one at ${model.jointNames[gear]}: its regulator knows the bending of links alone`,
    );
  }
  const count = jointCount(model);
  if (model.driven !== count) {
    refuse(`all of whose ${count} joints are driven, got ${model.driven}`);
  }
  const size = count * 2 * modes;
  finite(`${CONTROL}.fast.gain`, fast.gain, size);
  positive(`${CONTROL}.fast.scale`, fast.scale);
}

function checkImpedance(
  { rows, target, path, correction, selfMotionDamping }: ArmImpedance,
  axes: readonly number[],
  around: ArmSurroundings,
): void {
  const { payload, bodies, step } = around;
  plain(`${CONTROL}.rows`, rows);
  for (const name of ['mass', 'damping', 'stiffness'] as const) {
    const field = `${CONTROL}.${name}`;
    const values = rows[name];
    const wanted = `to have ${axes.length} values, one for each of the axes`;
    list(field, values);
    range(field, values.length, values.length === axes.length, wanted);
    values.forEach((value, r) => {
      if (name === 'mass') positive(`${field}[${r}]`, value);
      else notNegative(`${field}[${r}]`, value);
    });
  }
  rows.mass.forEach((mass, r) => {
    checkRate(`damping[${r}]`, (step * (rows.damping[r] + step * rows.stiffness[r])) / mass);
  });
  notNegative(`${CONTROL}.selfMotionDamping`, selfMotionDamping);
  checkRate('selfMotionDamping', step * selfMotionDamping);
  const body = target === null ? null : (bodies.get(target) ?? null);
  if (target !== null && (body === null || body.motion === 'accommodated' || body === payload)) {
    const names = [...bodies.values()].filter(
      (one) => one.motion !== 'accommodated' && one !== payload,
    );
    throw new BerthError(
      'BERTH_UNKNOWN_NAME',
      `Expected ${CONTROL}.target to be one of ${names.map(({ name }) => name).join(', ')}, got "${target}"`,
      { field: `${CONTROL}.target` },
    );
  }
  if (body?.motion === 'dynamic') checkFreedom(body, around);
  if (path !== null) checkPath(path, payload, body);
  if (correction !== null) plain(`${CONTROL}.force_correction`, correction);
  if (correction !== null) checkCorrection(correction, rows.stiffness, axes, body);
}

/**
 * Refuses a target that is held. The law feeds the target's own motion forward as that of a free
 * body; on a held one, the push would feed back.
 */
function checkFreedom({ name }: BodyModel, { payload, contacts, springs }: ArmSurroundings): void {
  const touched = contacts.flatMap(({ bodyI, bodyJ }) => {
    if (bodyI !== name && bodyJ !== name) return [];
    const other = bodyI === name ? bodyJ : bodyI;
    return other === payload.name ? [] : [`touches ${other}`];
  });
  if (springs.some(({ body }) => body === name)) touched.push('hangs on a spring');
  if (touched.length === 0) return;
  throw new BerthError(
    'BERTH_UNSUPPORTED',
    `Expected ${CONTROL}.target to be a body that moves freely but for the tool, got "${name}", which ${touched.join(' and ')}`,
    { field: `${CONTROL}.target` },
  );
}

/** Checks that a law removes less than a whole rate per step, because it acts once per step. */
function checkRate(name: string, part: number): void {
  range(
    `${CONTROL}.${name}`,
    part,
    part < 1,
    'to take less than all of a rate in one step (damping × step/mass + stiffness × step²/mass < 1)',
  );
}

function checkPath(
  path: NonNullable<ArmImpedance['path']>,
  payload: BodyModel,
  target: BodyModel | null,
): void {
  const field = `${CONTROL}.path`;
  list(field, path);
  range(field, path.length, path.length >= 2, 'to have at least 2 points');
  path.forEach((point, i) => {
    plain(`${field}[${i}]`, point);
    const { time, position } = point;
    finite(`${field}[${i}].position`, position, 3);
    const after = i === 0 ? -Infinity : path[i - 1].time;
    range(`${field}[${i}].time`, time, time > after && time < Infinity, `above ${after}`);
  });
  const rotation = rotationMatrix(target);
  const start = [0, 1, 2].map((a) =>
    path[0].position.reduce(
      (sum, value, b) => sum + rotation[3 * a + b] * value,
      target?.position[a] ?? 0,
    ),
  );
  const way = Math.sqrt(
    start
      .map((value, a) => value - payload.position[a])
      .reduce((sum, value) => sum + value * value, 0),
  );
  if (way <= PLACE_TOLERANCE) return;
  throw new BerthError(
    'BERTH_MISMATCH',
    `Expected ${field} to begin where the tool point starts, at (${payload.position.join(', ')}), got (${start.map((value) => value.toFixed(4)).join(', ')})`,
    { field },
  );
}

/** Axes of the target at the start, row by row; without a target, those of the world. */
function rotationMatrix(target: BodyModel | null): Float64Array {
  const rotation = new Float64Array(9);
  rotationOf(rotation, Float64Array.from(target?.orientation ?? [0, 0, 0, 1]), 0);
  return rotation;
}

function checkCorrection(
  { direction, force, kind, start, time }: ArmForceCorrection,
  stiffness: readonly number[],
  axes: readonly number[],
  target: BodyModel | null,
): void {
  const field = `${CONTROL}.force_correction`;
  range(`${field}.force`, force, Number.isFinite(force), 'to be finite');
  oneOf(`${field}.kind`, kind, ['integral', 'repeated']);
  finite(`${field}.direction`, direction, 3);
  notNegative(`${field}.start`, start);
  positive(`${field}.time`, time);
  const rotation = rotationMatrix(target);
  const along = axes.reduce((sum, row, r) => {
    if (row >= 3) return sum;
    const e = direction.reduce((of, value, b) => of + rotation[3 * row + b] * value, 0);
    return sum + stiffness[r] * e * e;
  }, 0);
  range(
    `${field}.direction`,
    along,
    along > 0,
    'to be one along which the impedance has a stiffness, N/m',
  );
}
