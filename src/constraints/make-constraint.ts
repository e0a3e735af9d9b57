/** The constraint of a description, and what is refused of it. */
import type { ContactBody } from '../contact/contact-body.ts';
import { BerthError } from '../base/errors.ts';
import {
  expect,
  finite,
  oneOf,
  plain,
  positive,
  range,
  text,
  unit,
} from '../base/parameter-checks.ts';
import type {
  ConstraintModel,
  ImposedMotion,
  LockModel,
  MarkerAxis,
  MarkerModel,
  MotionLawModel,
} from '../model/constraint-spec.ts';
import { type Constraint, UNILATERAL_MEMORY } from './constraint.ts';
import { checkSurface } from '../shapes/surfaces/check-surface.ts';
import { Lock } from './lock.ts';
import { makeMotionLaw } from './motion-law.ts';
import { Sliding } from './sliding.ts';

const AXES: readonly MarkerAxis[] = ['x', 'y', 'z'];

/**
 * Builds a constraint between two bodies, null for the world, that stand where they start.
 * @param clock [time, s] that it asks for
 * @param memory `memoryOf` numbers of the arena
 * @throws BerthError for surfaces that do not touch in a point
 */
export function makeConstraint(
  model: ConstraintModel,
  first: ContactBody | null,
  second: ContactBody | null,
  clock: Float64Array,
  memory: Float64Array,
): Constraint {
  if (model.kind === 'sliding') return new Sliding(model, first, second, memory);
  return new Lock(model, first, second, clock);
}

/** Number of rows of a constraint. */
export function rowsOf(model: ConstraintModel): number {
  if (model.kind === 'sliding') return 1;
  const { translation, rotation, square } = model;
  return translation.length + rotation.length + (square === true ? 1 : 0);
}

/** Numbers that a constraint keeps from step to step beside its multipliers: the parameters of surfaces, and whether it is open. */
export function memoryOf(model: ConstraintModel): number {
  if (model.kind !== 'sliding') return 0;
  return model.unilateral === undefined ? 4 : 4 + UNILATERAL_MEMORY;
}

/** Checks all but the names of the bodies. @throws BerthError */
export function checkConstraint(model: ConstraintModel): void {
  plain('constraint', model);
  text('constraint.name', model.name);
  const field = `constraint ${model.name}`;
  oneOf(`${field}.kind`, model.kind, ['lock', 'sliding']);
  if (model.first.body === model.second.body) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected ${field} to join two bodies, got ${model.first.body === null ? 'the world' : `"${model.first.body}"`} twice`,
      { field },
    );
  }
  if (model.kind === 'lock') {
    checkMarker(model.first, `${field}.first`);
    checkMarker(model.second, `${field}.second`);
    checkLock(model, field);
    return;
  }
  checkSurface(model.first.surface, `${field}.first.surface`);
  checkSurface(model.second.surface, `${field}.second.surface`);
  finite(`${field}.start`, model.start, 4);
  if (model.unilateral === undefined) return;
  const { restitution: e, smallVelocity: v } = model.unilateral;
  range(`${field}.unilateral.restitution`, e, e >= 0 && e <= 1, 'from 0 to 1');
  range(`${field}.unilateral.smallVelocity`, v, v >= 0, 'to be >= 0, m/s');
}

function checkMarker(marker: MarkerModel, field: string): void {
  plain(field, marker);
  finite(`${field}.position`, marker.position, 3);
  finite(`${field}.orientation`, marker.orientation, 4);
  unit(`${field}.orientation`, marker.orientation);
}

function checkLock(model: LockModel, field: string): void {
  const { translation, rotation } = model;
  for (const [name, axes] of Object.entries({ translation, rotation })) {
    axes.forEach((axis, k) => {
      oneOf(`${field}.${name}[${k}]`, axis, AXES);
      const first = axes.indexOf(axis) === k;
      expect(`${field}.${name}`, axes.join(' '), first, 'to name each axis once');
    });
  }
  expect(field, rowsOf(model), rowsOf(model) > 0, 'to have a row');
  checkMotion(model.translationMotion, translation, `${field}.translationMotion`);
  checkMotion(model.rotationMotion, rotation, `${field}.rotationMotion`);
}

function checkMotion(
  motion: ImposedMotion | undefined,
  axes: readonly MarkerAxis[],
  field: string,
): void {
  if (motion === undefined) return;
  oneOf(`${field}.axis`, motion.axis, AXES);
  oneOf(`${field}.axis`, motion.axis, axes);
  checkLaw(motion.law, `${field}.law`);
}

function checkLaw(law: MotionLawModel, field: string): void {
  plain(field, law);
  oneOf(`${field}.kind`, law.kind, ['constant', 'ramp', 'sine', 'cycloidal']);
  if (law.kind === 'cycloidal') {
    makeMotionLaw(law);
    return;
  }
  for (const [name, value] of Object.entries<number | string>(law)) {
    if (name !== 'kind') range(`${field}.${name}`, Number(value), true, 'to be finite');
  }
  if (law.kind === 'sine') positive(`${field}.frequency`, law.frequency);
}
