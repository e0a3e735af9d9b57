/** Refuses a tree that cannot move: order, masses, inertias, axes, beams, and a mass matrix that is singular at the start. */
import { BerthError } from '../../base/errors.ts';
import { factorCholesky } from '../../math/cholesky.ts';
import { symmetricEigenvalues } from '../../math/mat3.ts';
import {
  expect,
  finite,
  flag,
  list,
  notNegative,
  oneOf,
  plain,
  positive,
  range,
  text,
  unit,
} from '../../base/parameter-checks.ts';
import { movesMass, turnsMass } from './moves-mass.ts';
import { Tree } from './tree.ts';
import { type LinkPlaces, layoutTree } from './tree-layout.ts';
import type {
  FlexibleBeamModel,
  JointDriveModel,
  JointFrictionModel,
  JointSpringModel,
  TreeJointModel,
  TreeLinkModel,
  TreeModel,
} from '../../model/tree-model.ts';

/** Rounding of typed-in moments. */
const ROUNDING = 1e-9;
const MOST_MODES = 6;
/** A pivot below this part of its diagonal element is rounding. */
const SINGULAR = 1e-12;

/** Whether lists are lists, parts are objects and names are texts: types that a program without a compiler can miss. */
export function checkTreeTypes(model: TreeModel, path: string): void {
  plain(path, model);
  text(`${path}.name`, model.name);
  for (const [field, items] of Object.entries({ links: model.links, frames: model.frames })) {
    list(`${path}.${field}`, items);
    items.forEach((item, index) => {
      plain(`${path}.${field}[${index}]`, item);
      text(`${path}.${field}[${index}].name`, item.name);
    });
  }
  model.links.forEach(({ joint, beam }, index) => {
    plain(`${path}.links[${index}].joint`, joint);
    if (beam !== undefined) plain(`${path}.links[${index}].beam`, beam);
  });
}

/** Throws BerthError for the first thing that is wrong with a tree. */
export function checkTree(model: TreeModel): void {
  const field = `tree ${model.name}`;
  checkNames(`${field} links`, model.links);
  checkNames(`${field} frames`, model.frames);
  checkTreeParts(model);
  checkMotion(model, field);
}

/** Throws BerthError for the first base, link or frame that is wrong by itself. */
export function checkTreeParts(model: TreeModel): void {
  const field = `tree ${model.name}`;
  finite(`${field}.position`, model.position, 3);
  checkOrientation(field, model.orientation);
  range(`${field}.links`, model.links.length, model.links.length > 0, 'to be at least one');
  model.links.forEach(checkLink);
  for (const frame of model.frames) {
    const path = `frame ${frame.name}`;
    const known =
      Number.isInteger(frame.link) && frame.link >= 0 && frame.link < model.links.length;
    range(`${path}.link`, frame.link, known, `to be a link, 0 to ${model.links.length - 1}`);
    finite(`${path}.position`, frame.position, 3);
    checkOrientation(path, frame.orientation);
  }
}

function checkNames(field: string, parts: readonly { readonly name: string }[]): void {
  const names = new Set<string>();
  for (const { name } of parts) {
    if (names.has(name)) {
      const message = `Expected ${field} to have different names, got "${name}" twice`;
      throw new BerthError('BERTH_DUPLICATE_NAME', message, { field });
    }
    names.add(name);
  }
}

function checkLink(link: TreeLinkModel, index: number): void {
  const field = `link ${link.name}`;
  const { parent } = link;
  const before = Number.isInteger(parent) && parent >= -1 && parent < index;
  range(
    `${field}.parent`,
    parent,
    before,
    `to be −1 (the base) or a link before it, below ${index}`,
  );
  finite(`${field}.position`, link.position, 3);
  checkOrientation(field, link.orientation);
  notNegative(`${field}.mass`, link.mass);
  finite(`${field}.center`, link.center, 3);
  finite(`${field}.inertia`, link.inertia, 6);
  checkJoint(link.joint, `${field}.joint`);
  if (link.beam === undefined) checkInertia(link, field);
  else checkBeam(link.beam, link, `${field}.beam`);
}

function checkOrientation(field: string, orientation: readonly number[]): void {
  finite(`${field}.orientation`, orientation, 4);
  unit(`${field}.orientation`, orientation);
}

function checkInertia(link: TreeLinkModel, field: string): void {
  const [xx, yy, zz, xy, xz, yz] = link.inertia;
  const [a, b, c] = symmetricEigenvalues([xx, xy, xz, xy, yy, yz, xz, yz, zz]);
  const path = `${field}.inertia`;
  const text = `got principal moments ${[a, b, c].map((value) => value.toPrecision(6)).join(', ')}`;
  if (a < -ROUNDING * Math.abs(c) || c < 0) {
    const message = `Expected ${path} to have no negative moment, ${text}`;
    throw new BerthError('BERTH_PARAMETER_RANGE', message, { field: path });
  }
  if (c > (a + b) * (1 + ROUNDING)) {
    const message = `Expected ${path} to obey the triangle inequality (largest <= sum of the other two), ${text}`;
    throw new BerthError('BERTH_PARAMETER_RANGE', message, { field: path });
  }
}

function checkJoint(joint: TreeJointModel, field: string): void {
  const kinds = ['fixed', 'revolute', 'prismatic', 'universal', 'spherical', 'free'];
  oneOf(`${field}.kind`, joint.kind, kinds);
  if (joint.kind === 'revolute' || joint.kind === 'prismatic') {
    finite(`${field}.axis`, joint.axis, 3);
    unit(`${field}.axis`, joint.axis);
    range(`${field}.position`, joint.position, true, 'to be finite');
    range(`${field}.rate`, joint.rate, true, 'to be finite');
    const { lower = -Infinity, upper = Infinity, rateLimit = Infinity, drive } = joint;
    const { effortLimit = Infinity } = joint;
    expect(`${field}.lower`, lower, typeof lower === 'number', 'to be a number');
    expect(`${field}.upper`, upper, typeof upper === 'number', 'to be a number');
    if (!(lower <= upper)) {
      const message = `Expected ${field}.lower <= upper, got ${lower} and ${upper}`;
      throw new BerthError('BERTH_PARAMETER_RANGE', message, { field: `${field}.lower` });
    }
    if (rateLimit !== Infinity) positive(`${field}.rateLimit`, rateLimit);
    if (effortLimit !== Infinity) positive(`${field}.effortLimit`, effortLimit);
    if (drive !== undefined) {
      plain(`${field}.drive`, drive);
      checkDrive(drive, `${field}.drive`);
    }
    if (joint.spring !== undefined) checkSpring(joint.spring, `${field}.spring`);
    if (joint.friction !== undefined) {
      plain(`${field}.friction`, joint.friction);
      checkFriction(joint.friction, `${field}.friction`);
    }
  }
  if (joint.kind === 'universal') {
    list(`${field}.axes`, joint.axes);
    joint.axes.forEach((axis, i) => {
      finite(`${field}.axes[${i}]`, axis, 3);
      unit(`${field}.axes[${i}]`, axis);
    });
    finite(`${field}.angles`, joint.angles, 2);
    finite(`${field}.rates`, joint.rates, 2);
    if (joint.springs !== undefined) checkSprings(joint.springs, `${field}.springs`);
  }
  if (joint.kind === 'spherical' || joint.kind === 'free') {
    checkOrientation(field, joint.orientation);
    finite(`${field}.angularVelocity`, joint.angularVelocity, 3);
  }
  if (joint.kind === 'free') {
    finite(`${field}.position`, joint.position, 3);
    finite(`${field}.velocity`, joint.velocity, 3);
  }
}

function checkSprings(springs: readonly JointSpringModel[], field: string): void {
  list(field, springs);
  expect(field, springs, springs.length === 2, 'to have one spring for each axis, 2');
  springs.forEach((spring, i) => {
    checkSpring(spring, `${field}[${i}]`);
  });
}

function checkSpring(spring: JointSpringModel, field: string): void {
  plain(field, spring);
  notNegative(`${field}.stiffness`, spring.stiffness);
  notNegative(`${field}.damping`, spring.damping);
  range(`${field}.rest`, spring.rest, true, 'to be finite');
}

function checkDrive(drive: JointDriveModel, field: string): void {
  positive(`${field}.rotorInertia`, drive.rotorInertia);
  if (drive.stiffness !== null) positive(`${field}.stiffness`, drive.stiffness);
  notNegative(`${field}.damping`, drive.damping);
  if (drive.effortLimit !== Infinity) positive(`${field}.effortLimit`, drive.effortLimit);
}

/** Below the last bound a slipping bristle can give back what it never got: docs/theory/joint-friction.md. */
function checkFriction(friction: JointFrictionModel, field: string): void {
  const { stiction, coulomb, bristleDamping, stribeckSpeed } = friction;
  notNegative(`${field}.coulomb`, coulomb);
  range(`${field}.stiction`, stiction, stiction >= coulomb, `to be at least coulomb, ${coulomb}`);
  positive(`${field}.bristleStiffness`, friction.bristleStiffness);
  positive(`${field}.stribeckSpeed`, stribeckSpeed);
  notNegative(`${field}.viscous`, friction.viscous);
  notNegative(`${field}.dwellTime`, friction.dwellTime);
  const least = coulomb / (2 * stribeckSpeed);
  const passive = bristleDamping > 0 && bristleDamping >= least * (1 - ROUNDING);
  const wanted = `to be at least coulomb/(2 stribeckSpeed), ${least}, and above 0: else it can give energy back`;
  range(`${field}.bristleDamping`, bristleDamping, passive, wanted);
}

function checkBeam(beam: FlexibleBeamModel, link: TreeLinkModel, field: string): void {
  positive(`${field}.length`, beam.length);
  positive(`link ${link.name}.mass`, link.mass);
  notNegative(`link ${link.name}.inertia[0]`, link.inertia[0]);
  finite(`${field}.bendingStiffness`, beam.bendingStiffness, 2);
  finite(`${field}.modes`, beam.modes, 2);
  beam.bendingStiffness.forEach((value, k) => {
    positive(`${field}.bendingStiffness[${k}]`, value);
  });
  beam.modes.forEach((count, k) => {
    const whole = Number.isInteger(count) && count >= 0 && count <= MOST_MODES;
    range(`${field}.modes[${k}]`, count, whole, `to be a whole number from 0 to ${MOST_MODES}`);
  });
  notNegative(`${field}.damping`, beam.damping);
  const { centrifugalStiffening } = beam;
  if (centrifugalStiffening !== undefined) {
    flag(`${field}.centrifugalStiffening`, centrifugalStiffening);
  }
  const count = beam.modes[0] + beam.modes[1];
  if (beam.deflection !== undefined) finite(`${field}.deflection`, beam.deflection, count);
  if (beam.deflectionRate !== undefined)
    finite(`${field}.deflectionRate`, beam.deflectionRate, count);
  const [x, y, z] = link.center;
  const off = Math.abs(x - beam.length / 2) + Math.abs(y) + Math.abs(z);
  if (off <= ROUNDING * beam.length) return;
  const message = `Expected link ${link.name}.center of a flexible link to be [${beam.length / 2}, 0, 0] (half its length), got [${link.center.join(', ')}]`;
  throw new BerthError('BERTH_MISMATCH', message, { field: `link ${link.name}.center` });
}

/** The mass matrix must have Cholesky factors at the start; the first link whose coordinates move no mass is named. */
function checkMotion(model: TreeModel, field: string): void {
  const { positions, rates } = layoutTree(model);
  range(`${field}.links`, rates, rates > 0, 'to have at least one joint that moves or one mode');
  const tree = new Tree(model, new Float64Array(positions + rates));
  if (movesMass(tree)) return;
  const matrix = new Float64Array(rates * rates);
  tree.computeMassMatrix(matrix);
  const culprit = tree.links.find(
    (link) => !isRegular(matrix, rates, link.places) || !turnsMass(tree, matrix, link),
  );
  const name = culprit === undefined ? field : `link ${culprit.name}`;
  const reason =
    culprit === undefined
      ? 'some motion of several joints together moves no mass (parallel axes through links without inertia)'
      : 'some motion of its joint moves no mass (nothing outward has any, the axis passes through the centre of links without inertia about it, or two axes are parallel)';
  const message = `Expected ${name} to have a regular mass matrix at the start, got one where ${reason}`;
  throw new BerthError('BERTH_MISMATCH', message, { field: name });
}

/** Whether the joint of a link alone, all others held, always moves some mass. */
function isRegular(matrix: Float64Array, n: number, { rate, freedoms }: LinkPlaces): boolean {
  const block = new Float64Array(freedoms * freedoms);
  for (let i = 0; i < freedoms; i++) {
    for (let j = 0; j < freedoms; j++) block[freedoms * i + j] = matrix[n * (rate + i) + rate + j];
  }
  return factorCholesky(block, block, freedoms, Float64Array.of(SINGULAR)) === 1;
}
