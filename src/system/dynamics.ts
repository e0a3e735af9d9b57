/**
 * Bodies, contacts, springs and tool of a system on one arena, and the rates of its state: what every stepper works on.
 *
 * The arena holds first what is integrated (bodies, states of the laws, the ledger's work), then what is stored.
 */
import { ArmDrive, armMemory } from '../arm/arm-drive.ts';
import type { ArmModel } from '../model/arm-spec.ts';
import { isAdaptive } from './integrator-kinds.ts';
import { CellPlacements } from '../contact/cellular/cell-placements.ts';
import { hasLoops, memoryFor } from './contact-memory.ts';
import { type ContactKernels, ContactLoops } from '../contact/contact-loops.ts';
import { type Columns, OWN_COLUMNS } from '../math/columns.ts';
import { memoryOf, rowsOf } from '../constraints/make-constraint.ts';
import { ContactList } from '../contact/contact-list.ts';
import type { ContactModel } from '../contact/contact-model.ts';
import { isElastic } from '../contact/elastic/elastic-spec.ts';
import { DeclaredContacts } from '../contact/declared-contacts.ts';
import { POINT } from '../contact/pair.ts';
import { PlacesContact } from '../contact/faceted/faceted-contact.ts';
import { ToolPort } from '../control/tool-port.ts';
import { EnergyLedger } from './energy-ledger.ts';
import { Grapple } from './grapple.ts';
import type { Mover, Part } from './mover.ts';
import { SystemConstraints } from './system-constraints.ts';
import { BerthError } from '../base/errors.ts';
import { CONTROL_MEMORY } from '../integrate/step-control.ts';
import { Arena, ArenaPlan, type Slice } from '../math/arena.ts';
import { partModels, type SystemModel } from '../model/model.ts';
import type { TreeModel } from '../model/tree-model.ts';
import { BODY_STATE, RigidBody } from '../multibody/body.ts';
import { treeFreedoms } from '../multibody/tree/tree-layout.ts';
import { TreeMover } from '../multibody/tree/tree-mover.ts';
import { ToolDrive } from '../arm/tool-drive.ts';

/** What moves and what acts on it. */
export class Dynamics {
  readonly model: SystemModel;
  readonly arena: Arena;
  /** Everything that evolves, time included; the first `rates.length` values are integrated. */
  readonly state: Float64Array;
  readonly rates: Float64Array;
  readonly bodies: readonly RigidBody[];
  /** Bodies, then trees; and those of them that are not still. */
  readonly movers: readonly Mover[];
  readonly moving: readonly Mover[];
  /** Those of them that are free and have an elastic face, or touch one; a level of the velocities of each in the arena: face-levels.ts. */
  readonly faceMovers: readonly Mover[];
  readonly faceLevels: Float64Array;
  /** Parts of the movers, bodies before links: what names, indices, wrenches and contacts refer to. */
  readonly parts: readonly Part[];
  /** Every contact model: those of point contacts and the pools of volumetric ones, in the order of declaration. */
  readonly contacts: readonly ContactModel[];
  /** The contacts as the model declares them. */
  readonly declared: DeclaredContacts;
  /** The contact models that touch, in their order; `gather` brings it up to date. */
  readonly current: ContactList;
  /** Loops for all contacts at once; null where the reference modules do them. */
  readonly loops: ContactLoops | null;
  /** [model time, s], in the arena. */
  readonly clock: Float64Array;
  /** [length of the present step, s]: a cell, because a double argument of a call may be boxed. */
  readonly stepLength: Float64Array;
  /** Where the arrays of the system lie. */
  readonly columns: Columns;
  /** External wrench of each body, in the arena. */
  readonly external: Float64Array;
  /** Where the ledger's work lies. */
  readonly workSlice: Slice;
  /** What an adaptive method keeps from step to step, in the arena; empty for fixed steps. */
  readonly stepMemory: Float64Array;
  readonly ledger: EnergyLedger;
  readonly grapples: readonly Grapple[];
  /** Null without any. */
  readonly constraints: SystemConstraints | null;
  readonly tool: ToolPort | null;
  readonly drive: ToolDrive | null;
  private readonly springBodies: readonly Part[];
  /** Anchor and stiffness of each spring. */
  private readonly springs: Float64Array;
  private readonly gravity: Float64Array;
  private readonly imposed: Float64Array = new Float64Array(1);

  /** @param kernels for the contacts, where they have loops for all of them; null: the reference modules */
  constructor(model: SystemModel, kernels: ContactKernels | null = null) {
    this.model = model;
    const plan = new ArenaPlan();
    const bodySlices = model.bodies.map((body) => plan.add(`body ${body.name}`, BODY_STATE));
    const treeModels = model.trees ?? [];
    const treeSlices = treeModels.map((tree) => plan.add(`tree ${tree.name}`, stateLength(tree)));
    const declared = new DeclaredContacts(model);
    declared.planStates(plan);
    const work = plan.add('ledger.work', 2);
    const integrated = plan.length;
    const energy = plan.add('ledger.energy', 3);
    const clock = plan.add('clock', 1);
    const external = plan.add('external', 6 * partModels(model).length);
    declared.planMemory(plan);
    const robot = model.tool?.robot ?? null;
    const armState = plan.add('arm', robot === null ? 0 : stateLength(robot.tree));
    const armKept = plan.add('arm control', robot === null ? 0 : armMemory(robot));
    const adaptive = plan.add('integrator', isAdaptive(model.integrator) ? CONTROL_MEMORY : 0);
    const held = model.constraints ?? [];
    const kept = held.reduce((sum, one) => sum + rowsOf(one) + memoryOf(one), 0);
    const multipliers = kept === 0 ? null : plan.add('constraints', kept);
    const atFaces = moversAtFaces(model);
    const levels = plan.add('face levels', atFaces.length);
    const engaged = plan.add('grapples', model.grapples?.length ?? 0);
    const memory =
      kernels !== null && hasLoops(model)
        ? memoryFor(model, declared.modelCount, plan.length)
        : null;
    const columns = memory ?? OWN_COLUMNS;
    this.columns = columns;
    this.stepLength = columns.doubles(1);
    this.arena = new Arena(plan, columns);
    this.stepMemory = this.arena.view(adaptive);
    this.workSlice = work;
    this.state = this.arena.values;
    this.rates = columns.doubles(integrated);
    this.clock = this.arena.view(clock);
    this.external = this.arena.view(external);
    const ratesOf = (slice: Slice): Float64Array =>
      this.rates.subarray(slice.start, slice.start + slice.length);
    const bodies = model.bodies.map(
      (body, b) =>
        new RigidBody(body, this.arena.view(bodySlices[b]), ratesOf(bodySlices[b]), columns),
    );
    this.bodies = bodies;
    this.faceLevels = this.arena.view(levels);
    const trees = treeModels.map(
      (tree, t) =>
        new TreeMover(tree, model.gravity, this.arena.view(treeSlices[t]), ratesOf(treeSlices[t])),
    );
    this.movers = [...bodies, ...trees];
    this.moving = this.movers.filter(({ still }) => !still);
    this.faceMovers = this.movers.filter(({ name }) => atFaces.includes(name));
    const parts = this.movers.flatMap((mover) => mover.parts);
    this.parts = parts;
    const placements = partModels(model).map(
      ({ cells = [] }) => new CellPlacements(cells, columns),
    );
    const index = (name: string): number => this.bodyIndex(name);
    declared.make(parts, placements, index, this.arena, ratesOf);
    this.declared = declared;
    if (kernels !== null)
      for (const contact of declared.spread)
        if (contact instanceof PlacesContact) contact.useKernels(kernels);
    this.contacts = declared.models;
    this.loops =
      memory !== null && kernels !== null
        ? new ContactLoops(kernels, memory, declared.models)
        : null;
    if (this.loops !== null) declared.follow(this.loops, this.stepLength);
    this.current = new ContactList(declared.models, this.loops);
    const flags = this.arena.view(engaged);
    this.grapples = (model.grapples ?? []).map(
      (grapple, k) =>
        new Grapple(
          grapple,
          parts,
          [this.bodyIndex(grapple.bodyI), this.bodyIndex(grapple.bodyJ)],
          grapple.contact === undefined
            ? null
            : declared.byDeclaration[this.contactIndex(grapple.contact)],
          flags.subarray(k, k + 1),
        ),
    );
    this.springBodies = model.springs.map((spring) => parts[this.bodyIndex(spring.body)]);
    this.springs = Float64Array.from(
      model.springs.flatMap((spring) => [...spring.anchor, spring.stiffness]),
    );
    this.gravity = Float64Array.from(model.gravity);
    if (model.tool === null) {
      this.tool = null;
      this.drive = null;
    } else {
      const arm = bodies[this.bodyIndex(model.tool.arm)];
      const payload = bodies[this.bodyIndex(model.tool.payload)];
      arm.state.set(payload.state);
      this.tool = new ToolPort();
      const joints =
        robot === null
          ? null
          : new ArmDrive(
              robot,
              model.gravity,
              this.arena.view(armState),
              this.arena.view(armKept),
              this.targetOf(robot),
            );
      this.drive = new ToolDrive(this.tool, model.tool, arm, payload, model.command, joints);
      arm.refresh();
    }
    for (let k = 0; k < this.declared.points.length; k++) {
      this.declared.points[k].measure();
      this.declared.points[k].writeReadout();
    }
    this.constraints =
      multipliers === null
        ? null
        : new SystemConstraints(held, this.movers, this.arena.view(multipliers));
    this.constraints?.start();
    this.ledger = new EnergyLedger(
      this.moving,
      parts,
      this.current,
      this.springBodies,
      this.springs,
      this.gravity,
      this.arena.view(work),
      ratesOf(work),
      this.arena.view(energy),
      this.drive?.joints ?? null,
      declared,
      this.loops,
    );
    if (this.constraints === null) return;
    this.collectForces();
    this.addConstraintForces();
    this.constraints.measure(this.clock);
  }

  /** Index of a body or link among `parts`; throws for a name that is not there. */
  bodyIndex(name: string): number {
    return indexOfName('body', this.parts, name);
  }

  /** Body that the reference of an arm goes with; null without one. */
  private targetOf({ control }: ArmModel): RigidBody | null {
    const moving = control?.law === 'impedance' || control?.law === 'composite';
    const name = moving ? control.impedance.target : null;
    return name === null ? null : this.bodies[this.bodyIndex(name)];
  }

  /** Index of a contact; throws for a name that is not there. */
  contactIndex(name: string): number {
    return indexOfName('contact', this.model.contacts, name);
  }

  /** What is not state follows from the state: rotations, contact geometry. @alloc none */
  refresh(): void {
    for (let m = 0; m < this.movers.length; m++) this.movers[m].refresh();
    const { points } = this.declared;
    this.declared.invalidate();
    for (let k = 0; k < points.length; k++) points[k].measure();
    this.gather();
    const { items } = this.current;
    for (let k = 0; k < this.current.count; k++) {
      items[k].measure();
      items[k].computeElastic();
    }
    if (this.drive !== null) this.drive.refresh();
    if (this.constraints !== null) this.constraints.measure(this.clock);
  }

  /** Brings `current` up to date with the contacts that touch. @alloc none */
  gather(): void {
    this.current.gather();
  }

  /** Bodies where the present values put them, before contacts are measured. @alloc none */
  place(): void {
    if (this.drive !== null) this.drive.placePayload();
    for (let m = 0; m < this.moving.length; m++) this.moving[m].refresh();
  }

  /** Rates of the integrated values at the present values, for Runge–Kutta. @alloc none */
  computeRates(): void {
    this.place();
    const { points } = this.declared;
    for (let k = 0; k < points.length; k++) if (points[k].active) points[k].measure();
    this.computePlacedRates();
  }

  /** The same with the bodies where they are, and point contacts that touch measured there. @alloc none */
  computePlacedRates(): void {
    this.rates.fill(0); // contacts that are apart have no rates
    this.computeForces();
    for (let m = 0; m < this.moving.length; m++) this.moving[m].computeDerivative();
    if (this.constraints !== null) this.constraints.addForces();
    if (this.drive !== null) this.drive.computeRates();
    this.ledger.computeRates(this.external);
    if (this.constraints === null) return;
    this.imposed[0] = 0;
    this.constraints.addPower(this.imposed);
    this.ledger.addImposedPower(this.imposed);
  }

  /** Forces and gaps at the present state, bodies where they are: for the read-outs. @alloc none */
  evaluateForces(): void {
    const { points } = this.declared;
    for (let k = 0; k < points.length; k++) points[k].measure();
    this.computeForces();
    this.addConstraintForces();
  }

  /** Forces of the constraints under the wrenches that are there. */
  private addConstraintForces(): void {
    const { constraints } = this;
    if (constraints === null) return;
    for (let m = 0; m < constraints.movers.length; m++) constraints.movers[m].computeDerivative();
    constraints.addForces();
  }

  /** Forces at the present state, point contacts measured there. */
  private computeForces(): void {
    this.collectForces();
    const { items } = this.current;
    for (let k = 0; k < this.current.count; k++) {
      const contact = items[k];
      if (contact.pooled) contact.measure();
      contact.computeForce();
      contact.addWrenches();
    }
    this.computeModelWrench();
  }

  /** External wrenches, weights and springs into the wrenches of the parts. @alloc none */
  collectForces(): void {
    for (let b = 0; b < this.parts.length; b++) {
      const { wrench } = this.parts[b];
      for (let a = 0; a < 6; a++) wrench[a] = this.external[6 * b + a];
    }
    for (let m = 0; m < this.moving.length; m++) this.moving[m].addWeight(this.gravity);
    const s = this.springs;
    for (let i = 0; i < this.springBodies.length; i++) {
      const body = this.springBodies[i];
      for (let a = 0; a < 3; a++) body.wrench[a] -= s[4 * i + 3] * (body.state[a] - s[4 * i + a]);
    }
  }

  /** Contact wrench on the payload about its origin, from the forces of this evaluation. */
  computeModelWrench(): void {
    const drive = this.drive;
    if (drive === null) return;
    const payload = drive.payload;
    const w = drive.port.modelWrench;
    for (let a = 0; a < 6; a++) w[a] = 0;
    const { items } = this.current;
    for (let k = 0; k < this.current.count; k++) {
      const contact = items[k];
      const sign = contact.i === payload ? 1 : contact.j === payload ? -1 : 0;
      if (sign === 0) continue;
      const f = contact.force;
      const p = contact.kinematics;
      const x = p[POINT] - payload.state[0];
      const y = p[POINT + 1] - payload.state[1];
      const z = p[POINT + 2] - payload.state[2];
      w[0] += sign * f[0];
      w[1] += sign * f[1];
      w[2] += sign * f[2];
      const t = contact.torque;
      w[3] += sign * (y * f[2] - z * f[1] + t[0]);
      w[4] += sign * (z * f[0] - x * f[2] + t[1]);
      w[5] += sign * (x * f[1] - y * f[0] + t[2]);
    }
  }
}

/** Names of the free bodies and of the trees that have an elastic face, or touch one. */
function moversAtFaces({ bodies, trees = [], contacts }: SystemModel): string[] {
  const ends = contacts.filter(isElastic).flatMap(({ bodyI, bodyJ }) => [bodyI, bodyJ]);
  const free = bodies.filter(({ name, motion }) => motion === 'dynamic' && ends.includes(name));
  const touching = trees.filter(({ links }) => links.some(({ name }) => ends.includes(name)));
  return [...free, ...touching].map(({ name }) => name);
}

function stateLength(tree: TreeModel): number {
  const { positions, rates } = treeFreedoms(tree);
  return positions + rates;
}

function indexOfName(
  what: string,
  list: readonly { readonly name: string }[],
  name: string,
): number {
  const index = list.findIndex((item) => item.name === name);
  if (index >= 0) return index;
  throw new BerthError(
    'BERTH_UNKNOWN_NAME',
    `There is no ${what} named "${name}"; there are: ${list.map((item) => item.name).join(', ')}`,
  );
}
