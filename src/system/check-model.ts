/** Refuses a model that cannot be run, at load, with the name, the value and what is allowed. */
import { checkArm, checkArmTypes, checkField } from '../arm/check-arm.ts';
import { checkTree, checkTreeTypes } from '../multibody/tree/check-tree.ts';
import { checkContactCells, checkContactParts } from '../contact/check-contact.ts';
import { checkConstraint } from '../constraints/make-constraint.ts';
import { pairDefinition } from '../contact/registry.ts';
import { BerthError } from '../base/errors.ts';
import { symmetricEigenvalues } from '../math/mat3.ts';
import {
  type BodyModel,
  type ConstraintModel,
  type ContactModelSpec,
  type GrappleModel,
  partModels,
  type SystemModel,
  type ToolModel,
  type TreeModel,
} from '../model/model.ts';
import {
  finite,
  flag,
  list,
  notNegative,
  oneOf,
  plain,
  positive,
  range,
  shown,
  text,
  unit,
} from '../base/parameter-checks.ts';
import { checkBodyCells } from '../overlap/check-cells.ts';
import type { CellModel } from '../shapes/cell-model.ts';
import { DISCRETE_KINDS } from './integrator-kinds.ts';
import { checkIntegration } from './make-stepper.ts';

function uniqueNames(what: string, names: readonly string[]): void {
  names.forEach((name, index) => {
    if (name === '' || names.indexOf(name) !== index) {
      throw new BerthError(
        'BERTH_DUPLICATE_NAME',
        name === '' ? `A ${what} has no name` : `Two ${what} are named "${name}"`,
        { field: what },
      );
    }
  });
}

function checkInertia(body: BodyModel, field: string): void {
  const [xx, yy, zz, xy, xz, yz] = body.inertia;
  const principal = symmetricEigenvalues([xx, xy, xz, xy, yy, yz, xz, yz, zz]);
  const [a, b, c] = principal;
  const text = `got principal moments ${principal.map((value) => value.toPrecision(6)).join(', ')}`;
  if (!(a > 0)) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected ${field}.inertia to be positive definite, ${text}`,
      { field: `${field}.inertia` },
    );
  }
  if (c > (a + b) * (1 + 1e-9)) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected ${field}.inertia to obey the triangle inequality (largest <= sum of the other two), ${text}`,
      { field: `${field}.inertia` },
    );
  }
}

function checkBody(body: BodyModel): void {
  const field = `body ${body.name}`;
  oneOf(`${field}.motion`, body.motion, ['dynamic', 'fixed', 'prescribed', 'accommodated']);
  finite(`${field}.position`, body.position, 3);
  finite(`${field}.orientation`, body.orientation, 4);
  unit(`${field}.orientation`, body.orientation);
  finite(`${field}.velocity`, body.velocity, 3);
  finite(`${field}.angularVelocity`, body.angularVelocity, 3);
  if (body.cells !== undefined) list(`${field}.cells`, body.cells);
  if (body.cells !== undefined) checkBodyCells(body.cells, `${field}.cells`);
  if (body.motion !== 'dynamic') return;
  positive(`${field}.mass`, body.mass);
  flag(`${field}.rotationLocked`, body.rotationLocked);
  if (body.rotationLocked) return;
  finite(`${field}.inertia`, body.inertia, 6);
  checkInertia(body, field);
}

/** A body or a link of a tree. */
interface Part {
  readonly cells?: readonly CellModel[];
}

function checkContact(
  contact: ContactModelSpec,
  parts: ReadonlyMap<string, Part>,
  integrator: SystemModel['integrator'],
): void {
  const field = `contact ${contact.name}`;
  for (const [end, name] of [
    ['bodyI', contact.bodyI],
    ['bodyJ', contact.bodyJ],
  ] as const) {
    known(`${field}.${end}`, name, parts);
  }
  if (contact.bodyI === contact.bodyJ) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected ${field} to join two bodies, got "${contact.bodyI}" twice`,
      { field },
    );
  }
  checkContactParts(contact, field);
  if (pairDefinition(contact.pair).step === 'face' && integrator !== 'implicit-contact') {
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected integrator implicit-contact for the elastic face of ${field}, got "${integrator}"`,
      { field: 'integrator' },
    );
  }
  checkContactCells(contact, (name) => parts.get(name)?.cells ?? [], field);
}

/** A grapple between bodies that no tool leads. */
function checkGrapple(
  grapple: GrappleModel,
  parts: ReadonlyMap<string, Part>,
  { tool, contacts, integrator }: SystemModel,
): void {
  const field = `grapple ${grapple.name}`;
  const { bodyI, bodyJ, pointsI, pointsJ, stiffness, damping, contact } = grapple;
  for (const [end, name] of [
    ['bodyI', bodyI],
    ['bodyJ', bodyJ],
  ] as const) {
    known(`${field}.${end}`, name, parts);
    if (name !== tool?.payload && name !== tool?.arm) continue;
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      `Expected ${field}.${end} to be a body that no tool leads, got "${name}"`,
      { field: `${field}.${end}` },
    );
  }
  if (bodyI === bodyJ) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected ${field} to join two bodies, got "${bodyI}" twice`,
      { field },
    );
  }
  list(`${field}.pointsI`, pointsI);
  list(`${field}.pointsJ`, pointsJ);
  const pairs = pointsI.length === pointsJ.length && pointsI.length > 0;
  range(
    `${field}.pointsJ`,
    pointsJ.length,
    pairs,
    `to have as many as pointsI (${pointsI.length})`,
  );
  for (const point of pointsI) finite(`${field}.pointsI`, point, 3);
  for (const point of pointsJ) finite(`${field}.pointsJ`, point, 3);
  notNegative(`${field}.stiffness`, stiffness);
  notNegative(`${field}.damping`, damping);
  range(`${field}.damping`, damping, stiffness > 0 || damping > 0, '> 0 beside a stiffness of 0');
  if (contact !== undefined)
    known(`${field}.contact`, contact, new Map(contacts.map((one) => [one.name, one])));
  if (integrator === 'implicit-contact') return;
  throw new BerthError(
    'BERTH_MISMATCH',
    `Expected integrator implicit-contact for ${field}, got "${integrator}"`,
    { field: 'integrator' },
  );
}

/** The bodies of a constraint; those that a tool leads have no answer to its forces. */
function checkHeld(
  constraint: ConstraintModel,
  parts: ReadonlyMap<string, Part>,
  { tool }: SystemModel,
): void {
  checkConstraint(constraint);
  for (const end of ['first', 'second'] as const) {
    const { body } = constraint[end];
    if (body === null) continue;
    const field = `constraint ${constraint.name}.${end}.body`;
    known(field, body, parts);
    if (body !== tool?.payload && body !== tool?.arm) continue;
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      `Expected ${field} to be a body that no tool leads, got "${body}"`,
      { field },
    );
  }
}

function known<T>(field: string, name: string, bodies: ReadonlyMap<string, T>): T {
  const body = bodies.get(name);
  if (body !== undefined) return body;
  throw new BerthError(
    'BERTH_UNKNOWN_NAME',
    `Expected ${field} to be one of ${[...bodies.keys()].join(', ')}, got ${shown(name)}`,
    { field },
  );
}

function checkTool(
  tool: ToolModel,
  bodies: ReadonlyMap<string, BodyModel>,
  { step, contacts, springs }: SystemModel,
): void {
  for (const [end, name, motion] of [
    ['tool.payload', tool.payload, 'prescribed'],
    ['tool.arm', tool.arm, 'accommodated'],
  ] as const) {
    const body = known(end, name, bodies);
    if (body.motion !== motion) {
      throw new BerthError(
        'BERTH_MISMATCH',
        `Expected ${end} to be a body of motion "${motion}", got "${name}" with motion "${body.motion}"`,
        { field: end },
      );
    }
  }
  if (tool.robot !== undefined) {
    const payload = known('tool.payload', tool.payload, bodies);
    checkArm(tool.robot, { payload, bodies, step, contacts, springs });
  }
  positive('tool.forceGain', tool.forceGain);
  positive('tool.momentGain', tool.momentGain);
  notNegative('tool.forceDeadband', tool.forceDeadband);
  notNegative('tool.momentDeadband', tool.momentDeadband);
  positive('tool.lag', tool.lag);
  positive('tool.maximumSpeed', tool.maximumSpeed);
  positive('tool.maximumAngularSpeed', tool.maximumAngularSpeed);
}

/** The lists of a model hold objects, and what is called by its name has one: types that a program without a compiler can miss. */
function checkTypes(model: SystemModel): void {
  plain('model', model);
  text('name', model.name);
  const {
    bodies,
    trees = [],
    contacts,
    springs,
    grapples = [],
    constraints = [],
    tool,
    command,
  } = model;
  const lists = { bodies, trees, contacts, springs, grapples, constraints, command };
  for (const [field, items] of Object.entries<readonly object[]>(lists)) {
    list(field, items);
    items.forEach((item, index) => {
      plain(`${field}[${index}]`, item);
    });
  }
  for (const [field, items] of Object.entries({ bodies, contacts, grapples })) {
    items.forEach(({ name }, index) => {
      text(`${field}[${index}].name`, name);
    });
  }
  trees.forEach((tree, index) => {
    checkTreeTypes(tree, `trees[${index}]`);
  });
  if (tool !== null) plain('tool', tool);
  if (tool?.robot !== undefined) {
    plain('tool.robot', tool.robot);
    checkArmTypes(tool.robot);
  }
}

/** A tree of the system has no motors at its joints: what belongs to a motor is refused. */
function checkMovingTree(tree: TreeModel): void {
  checkTree(tree);
  for (const { name, joint, cells } of tree.links) {
    if (cells !== undefined) checkBodyCells(cells, `link ${name}.cells`);
    if ((joint.kind !== 'revolute' && joint.kind !== 'prismatic') || !joint.friction) continue;
    const field = `link ${name}.joint.friction`;
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      `Expected ${field} to be left out: joints of a tree of the system have springs and dampers, friction only those of an arm`,
      { field },
    );
  }
}

/** Throws BerthError for the first thing that is wrong with a model. */
export function checkModel(model: SystemModel): void {
  checkTypes(model);
  finite('gravity', model.gravity, 3);
  positive('step', model.step);
  positive('duration', model.duration);
  const most = model.maximumSubsteps;
  range('maximumSubsteps', most, Number.isInteger(most) && most >= 1, 'to be a whole number >= 1');
  if (model.tool?.robot !== undefined) {
    oneOf('integrator', model.integrator, DISCRETE_KINDS);
    checkField(model.tool.robot, model.gravity);
  }
  checkIntegration(model);
  const trees = model.trees ?? [];
  uniqueNames(
    'bodies',
    partModels(model).map((part) => part.name),
  );
  uniqueNames(
    'trees',
    trees.map((tree) => tree.name),
  );
  uniqueNames(
    'contacts',
    model.contacts.map((contact) => contact.name),
  );
  const bodies = new Map(model.bodies.map((body) => [body.name, body]));
  for (const body of model.bodies) checkBody(body);
  for (const tree of trees) checkMovingTree(tree);
  const parts = new Map<string, Part>(partModels(model).map((part) => [part.name, part]));
  for (const contact of model.contacts) checkContact(contact, parts, model.integrator);
  model.springs.forEach((spring, index) => {
    const field = `springs[${index}]`;
    known(`${field}.body`, spring.body, parts);
    finite(`${field}.anchor`, spring.anchor, 3);
    positive(`${field}.stiffness`, spring.stiffness);
  });
  for (const grapple of model.grapples ?? []) checkGrapple(grapple, parts, model);
  uniqueNames(
    'grapples',
    (model.grapples ?? []).map(({ name }) => name),
  );
  for (const constraint of model.constraints ?? []) checkHeld(constraint, parts, model);
  uniqueNames(
    'constraints',
    (model.constraints ?? []).map(({ name }) => name),
  );
  if (model.tool !== null) checkTool(model.tool, bodies, model);
  else if (model.bodies.some((body) => body.motion === 'accommodated')) {
    throw new BerthError('BERTH_MISMATCH', 'An accommodated body needs a tool that drives it', {
      field: 'tool',
    });
  }
  model.command.forEach((piece, index) => {
    const field = `command[${index}]`;
    finite(`${field}.twist`, piece.twist, 6);
    const after = index === 0 ? 0 : model.command[index - 1].time;
    range(
      `${field}.time`,
      piece.time,
      piece.time >= after,
      `>= ${after} (pieces in order of time)`,
    );
  });
}
