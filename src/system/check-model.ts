/** Refuses a model that cannot be run, at load, with the name, the value and what is allowed. */
import { checkArm, checkArmTypes, checkField } from '../arm/check-arm.ts';
import { checkChain } from '../multibody/check-chain.ts';
import { checkContactCells, checkContactParts } from '../contact/check-contact.ts';
import { BerthError } from '../base/errors.ts';
import { symmetricEigenvalues } from '../math/mat3.ts';
import type { BodyModel, ContactModelSpec, SystemModel, ToolModel } from '../model/model.ts';
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

/** A body, or a link of a chain, which has no cells. */
interface Part {
  readonly cells?: readonly CellModel[];
}

function checkContact(contact: ContactModelSpec, parts: ReadonlyMap<string, Part>): void {
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
  checkContactCells(contact, (name) => parts.get(name)?.cells ?? [], field);
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
  const { bodies, chains = [], contacts, springs, tool, command } = model;
  const lists = { bodies, chains, contacts, springs, command };
  for (const [field, items] of Object.entries<readonly object[]>(lists)) {
    list(field, items);
    items.forEach((item, index) => {
      plain(`${field}[${index}]`, item);
    });
  }
  for (const [field, items] of Object.entries({ bodies, chains, contacts })) {
    items.forEach(({ name }, index) => {
      text(`${field}[${index}].name`, name);
    });
  }
  for (const { name, links } of chains) {
    list(`chain ${name}.links`, links);
    links.forEach((link, index) => {
      plain(`chain ${name}.links[${index}]`, link);
      text(`chain ${name}.links[${index}].name`, link.name);
      plain(`link ${link.name}.joint`, link.joint);
    });
  }
  if (tool !== null) plain('tool', tool);
  if (tool?.robot !== undefined) {
    plain('tool.robot', tool.robot);
    checkArmTypes(tool.robot);
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
  const chains = model.chains ?? [];
  const links = chains.flatMap((chain) => chain.links);
  uniqueNames(
    'bodies',
    [...model.bodies, ...links].map((body) => body.name),
  );
  uniqueNames(
    'chains',
    chains.map((chain) => chain.name),
  );
  uniqueNames(
    'contacts',
    model.contacts.map((contact) => contact.name),
  );
  const bodies = new Map(model.bodies.map((body) => [body.name, body]));
  for (const body of model.bodies) checkBody(body);
  for (const chain of chains) checkChain(chain);
  const parts = new Map<string, Part>([
    ...model.bodies.map((one): [string, Part] => [one.name, one]),
    ...links.map((one): [string, Part] => [one.name, {}]),
  ]);
  for (const contact of model.contacts) checkContact(contact, parts);
  model.springs.forEach((spring, index) => {
    const field = `springs[${index}]`;
    known(`${field}.body`, spring.body, parts);
    finite(`${field}.anchor`, spring.anchor, 3);
    positive(`${field}.stiffness`, spring.stiffness);
  });
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
