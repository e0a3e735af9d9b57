/**
 * A compiled contact system: a constant model, one arena that holds everything that evolves, and one fixed step.
 *
 * A discrete step (implicit-contact, symplectic-euler) is cut into n = ceil(w_c dt / 0.2) equal sub-steps from the stiffest
 * contact, at most `maximumSubsteps`. In each: geometry and contact events, elastic forces, velocities (other forces, then
 * contacts), poses with the new velocities, contact states. `Gonthier 2007, 7.1, 7.3`. RK4 is the reference path.
 */
import { checkModel } from './check-model.ts';
import type { ContactModel } from './contact/contact-model.ts';
import { CONTACT_READOUT } from './contact/contact-model.ts';
import { makeContact, planContactMemory, planContactStates } from './contact/make-contact.ts';
import { GAP, POINT, RATE } from './contact/pair.ts';
import { ToolPort } from './control/tool-port.ts';
import { EnergyLedger } from './energy-ledger.ts';
import { BerthError } from './errors.ts';
import { prepareImplicit, solveImplicit } from './integrate/implicit-contact.ts';
import { type RateFunction, RungeKutta4 } from './integrate/runge-kutta.ts';
import { Arena, ArenaPlan, type Slice } from './math/arena.ts';
import { normalizeQuaternion } from './math/quaternion.ts';
import type { SystemModel } from './model.ts';
import { BODY_Q, BODY_STATE, RigidBody } from './multibody/body.ts';
import { ToolDrive } from './tool-drive.ts';

export { CONTACT_READOUT } from './contact/contact-model.ts';
export { ToolPort } from './control/tool-port.ts';
export { ENERGY_READOUT } from './energy-ledger.ts';

/** Contact phase w_c dt that one sub-step may cover. `Gonthier 2007, 7.1`. */
const PHASE_PER_SUBSTEP = 0.2;
/** Sweeps over contacts that depend on each other. */
const SWEEPS = 8;

/** A system that can be stepped. Built by `makeSystem`. */
export class System implements RateFunction {
  readonly model: SystemModel;
  /** Everything that evolves, time included. */
  readonly state: Float64Array;
  readonly bodyCount: number;
  readonly contactCount: number;
  readonly tool: ToolPort | null;
  /** Lets the model's schedule fly the tool. */
  useSchedule = true;
  /** Of the last step. */
  substeps = 1;
  substepBoundHit = false;

  private readonly arena: Arena;
  private readonly bodies: readonly RigidBody[];
  private readonly contacts: readonly ContactModel[];
  private readonly springBodies: readonly RigidBody[];
  /** Anchor and stiffness of each spring. */
  private readonly springs: Float64Array;
  private readonly gravity: Float64Array;
  /** External wrench of each body, in the arena. */
  private readonly external: Float64Array;
  private readonly clock: Float64Array;
  private readonly rates: Float64Array;
  private readonly previous: Float64Array;
  /** State before a Runge–Kutta trial step. */
  private readonly trial: Float64Array;
  private readonly ledger: EnergyLedger;
  private readonly drive: ToolDrive | null;
  private readonly method: number;
  private readonly sweeps: number;
  private readonly rungeKutta: RungeKutta4;
  /** [length of the sub-step, s]: a double passed to a call that is not inlined would be allocated. */
  private readonly timing: Float64Array = new Float64Array(1);
  private readonly gaps: Float64Array;
  private readonly gapRates: Float64Array;

  constructor(model: SystemModel) {
    this.model = model;
    this.bodyCount = model.bodies.length;
    this.contactCount = model.contacts.length;
    const plan = new ArenaPlan();
    const bodySlices = model.bodies.map((body) => plan.add(`body ${body.name}`, BODY_STATE));
    const states = model.contacts.map((contact) => planContactStates(plan, contact));
    const work = plan.add('ledger.work', 2);
    const integrated = plan.length;
    const energy = plan.add('ledger.energy', 3);
    const clock = plan.add('clock', 1);
    const external = plan.add('external', 6 * this.bodyCount);
    const slices = model.contacts.map((contact, k) => planContactMemory(plan, contact, states[k]));
    this.arena = new Arena(plan);
    this.state = this.arena.values;
    this.rates = new Float64Array(integrated);
    this.previous = new Float64Array(plan.length);
    this.trial = new Float64Array(plan.length);
    this.clock = this.arena.view(clock);
    this.external = this.arena.view(external);
    const ratesOf = (slice: Slice): Float64Array =>
      new Float64Array(this.rates.buffer, slice.start * 8, slice.length);
    const bodies = model.bodies.map(
      (body, b) => new RigidBody(body, this.arena.view(bodySlices[b]), ratesOf(bodySlices[b])),
    );
    this.bodies = bodies;
    this.contacts = model.contacts.map((spec, k) =>
      makeContact(
        spec,
        bodies[this.bodyIndex(spec.bodyI)],
        bodies[this.bodyIndex(spec.bodyJ)],
        this.arena,
        slices[k],
        ratesOf,
      ),
    );
    this.springBodies = model.springs.map((spring) => bodies[this.bodyIndex(spring.body)]);
    this.springs = Float64Array.from(
      model.springs.flatMap((spring) => [...spring.anchor, spring.stiffness]),
    );
    this.gravity = Float64Array.from(model.gravity);
    this.gaps = new Float64Array(this.contactCount);
    this.gapRates = new Float64Array(this.contactCount);
    this.rungeKutta = new RungeKutta4(integrated);
    this.method = ['implicit-contact', 'symplectic-euler', 'rk4'].indexOf(model.integrator);
    this.sweeps = needsSweeps(model) ? SWEEPS : 1;
    if (model.tool === null) {
      this.tool = null;
      this.drive = null;
    } else {
      const arm = bodies[this.bodyIndex(model.tool.arm)];
      const payload = bodies[this.bodyIndex(model.tool.payload)];
      arm.state.set(payload.state);
      this.tool = new ToolPort();
      this.drive = new ToolDrive(this.tool, model.tool, arm, payload, model.command);
      arm.refresh();
    }
    for (let k = 0; k < this.contactCount; k++) {
      this.contacts[k].measure();
      this.contacts[k].writeReadout();
    }
    this.ledger = new EnergyLedger(
      bodies,
      this.contacts,
      this.springBodies,
      this.springs,
      this.gravity,
      this.arena.view(work),
      ratesOf(work),
      this.arena.view(energy),
    );
    this.previous.set(this.state);
  }

  /** Model time, s. */
  get time(): number {
    return this.clock[0];
  }

  /** Index of a body; throws for a name that is not there. */
  bodyIndex(name: string): number {
    return indexOfName('body', this.model.bodies, name);
  }

  /** Index of a contact; throws for a name that is not there. */
  contactIndex(name: string): number {
    return indexOfName('contact', this.model.contacts, name);
  }

  /** p(3) q(4) v(3) w(3) of a body. @alloc none */
  readBody(i: number, out: Float64Array, at: number): void {
    const x = this.bodies[i].state;
    for (let a = 0; a < BODY_STATE; a++) out[at + a] = x[a];
  }

  /** Sets the motion of a prescribed body; between calls it keeps its twist. */
  setBodyMotion(i: number, motion: Float64Array, at: number): void {
    const body = this.bodies[i];
    if (!body.prescribed) {
      throw new BerthError(
        'BERTH_WRONG_STATE',
        `The motion of body "${body.name}" cannot be set: it is not prescribed`,
      );
    }
    for (let a = 0; a < BODY_STATE; a++) body.state[a] = motion[at + a];
    body.refresh();
  }

  /** Force and moment about the centre of mass, world; kept until set again. @alloc none */
  setExternalWrench(i: number, wrench: Float64Array, at: number): void {
    for (let a = 0; a < 6; a++) this.external[6 * i + a] = wrench[at + a];
  }

  /**
   * One fixed step. Returns 0, or 1 when the result was not finite: the state is then the one before the step.
   * @alloc none
   */
  step(dt: number): number {
    const values = this.state;
    this.previous.set(values);
    if (this.drive !== null) {
      if (this.useSchedule) this.drive.followSchedule(this.clock);
      this.drive.placePayload();
    }
    this.substeps = 1;
    this.substepBoundHit = false;
    if (this.method === 2) {
      this.stepRungeKutta(dt);
    } else {
      const n = this.countSubsteps(dt);
      this.substeps = n;
      this.timing[0] = dt / n;
      for (let s = 0; s < n; s++) this.substep();
    }
    this.clock[0] += dt;
    if (this.drive !== null) {
      if (this.drive.port.mode === 0) this.drive.placePayload();
      this.drive.publish();
    }
    for (let k = 0; k < this.contactCount; k++) this.contacts[k].writeReadout();
    this.ledger.store();
    const n = this.rates.length;
    let check = 0;
    for (let i = 0; i < n; i++) check += values[i] - values[i];
    if (check === 0) return 0;
    this.restore(this.previous);
    return 1;
  }

  /** Columns of CONTACT_READOUT, as of the force evaluation of the last step. @alloc none */
  readContact(k: number, out: Float64Array, at: number): void {
    const r = this.contacts[k].readout;
    for (let a = 0; a < CONTACT_READOUT.length; a++) out[at + a] = r[a];
  }

  /** Sum of the contact wrenches on a body about a world point, as of the last step. @alloc none */
  contactWrench(
    body: number,
    px: number,
    py: number,
    pz: number,
    out: Float64Array,
    at: number,
  ): void {
    for (let a = 0; a < 6; a++) out[at + a] = 0;
    const target = this.bodies[body];
    for (let k = 0; k < this.contactCount; k++) {
      const contact = this.contacts[k];
      const sign = contact.i === target ? 1 : contact.j === target ? -1 : 0;
      if (sign === 0 || contact.readout[0] === 0) continue;
      const r = contact.readout;
      const fx = sign * (r[3] * r[19] + r[4]);
      const fy = sign * (r[3] * r[20] + r[5]);
      const fz = sign * (r[3] * r[21] + r[6]);
      const x = r[16] - px;
      const y = r[17] - py;
      const z = r[18] - pz;
      out[at] += fx;
      out[at + 1] += fy;
      out[at + 2] += fz;
      out[at + 3] += y * fz - z * fy;
      out[at + 4] += z * fx - x * fz;
      out[at + 5] += x * fy - y * fx;
    }
  }

  /** Columns of ENERGY_READOUT after the last step. @alloc none */
  readEnergy(out: Float64Array, at: number): void {
    this.ledger.read(out, at);
  }

  /** Copies the whole state out; `into` is as long as `state`. @alloc none */
  snapshot(into: Float64Array): void {
    this.arena.snapshot(into);
  }

  /** Puts a snapshot back. @alloc none */
  restore(from: Float64Array): void {
    this.arena.restore(from);
    for (let b = 0; b < this.bodyCount; b++) this.bodies[b].refresh();
    for (let k = 0; k < this.contactCount; k++) {
      this.contacts[k].measure();
      if (this.contacts[k].active) this.contacts[k].computeElastic();
    }
    if (this.drive !== null) this.drive.publish();
  }

  /** 64-bit FNV-1a of the state, hex. */
  hash(): string {
    return this.arena.hash();
  }

  /** Rates of the integrated values at the present values, for Runge–Kutta. @alloc none */
  computeRates(): void {
    this.rates.fill(0); // contacts that are apart have no rates
    if (this.drive !== null) this.drive.placePayload();
    for (let b = 0; b < this.bodyCount; b++) this.bodies[b].refresh();
    this.collectForces();
    for (let k = 0; k < this.contactCount; k++) {
      const contact = this.contacts[k];
      contact.measure();
      if (!contact.active) continue;
      contact.computeForce();
      contact.addWrenches();
    }
    for (let b = 0; b < this.bodyCount; b++) this.bodies[b].computeDerivative();
    if (this.drive !== null) {
      this.computeModelWrench();
      this.drive.computeRates();
    }
    this.ledger.computeRates(this.external);
  }

  private countSubsteps(dt: number): number {
    let phase = 0;
    for (let k = 0; k < this.contactCount; k++) {
      const contact = this.contacts[k];
      contact.measure();
      contact.computeMobility();
      const p = contact.frequencyStep(dt);
      if (p > phase) phase = p;
    }
    const wanted = Math.ceil(phase / PHASE_PER_SUBSTEP);
    if (!(wanted > 1)) return 1;
    if (wanted <= this.model.maximumSubsteps) return wanted;
    this.substepBoundHit = true;
    return this.model.maximumSubsteps;
  }

  private substep(): void {
    const drive = this.drive;
    const count = this.contactCount;
    if (drive !== null && drive.port.mode === 0) drive.placePayload();
    for (let k = 0; k < count; k++) {
      const contact = this.contacts[k];
      contact.measure();
      const before = contact.active;
      contact.detect();
      this.ledger.rememberVelocity(contact);
      if (!contact.active) continue;
      if (this.method === 0) {
        contact.computeMobility();
        prepareImplicit(contact, this.timing);
      } else {
        contact.friction.prepare(contact.kinematics, this.timing);
        contact.computeForce();
      }
      if (!before) this.ledger.addFound(contact, this.clock[0] === 0);
    }
    this.ledger.rememberBodies();
    this.collectForces();
    if (this.method === 1) {
      for (let k = 0; k < count; k++) if (this.contacts[k].active) this.contacts[k].addWrenches();
    }
    for (let b = 0; b < this.bodyCount; b++) this.bodies[b].applyImpulse(this.timing);
    if (this.method === 0) {
      for (let sweep = 0; sweep < this.sweeps; sweep++) {
        for (let k = 0; k < count; k++) {
          if (this.contacts[k].active) solveImplicit(this.contacts[k]);
        }
      }
    }
    this.ledger.account(this.timing, this.external);
    if (drive !== null) {
      this.computeModelWrench();
      drive.moveArm(this.timing);
    }
    for (let b = 0; b < this.bodyCount; b++) {
      const body = this.bodies[b];
      if (body.driven || body.accommodated) continue;
      body.advancePose(this.timing);
      body.refresh();
    }
    for (let k = 0; k < count; k++) {
      if (!this.contacts[k].active) continue;
      this.contacts[k].normalLaw.advance(this.timing);
      this.contacts[k].friction.advance(this.timing);
    }
  }

  /**
   * Runge–Kutta with contact events once a step. A contact that closes within the step is found by a trial step, begun
   * with the rate at touch (linear between the ends), and the step is made again: no penetration is jumped over.
   */
  private stepRungeKutta(h: number): void {
    const drive = this.drive;
    this.timing[0] = h;
    if (drive !== null) drive.beforeRungeKutta(this.timing);
    for (let b = 0; b < this.bodyCount; b++) this.bodies[b].refresh();
    for (let k = 0; k < this.contactCount; k++) {
      const contact = this.contacts[k];
      contact.measure();
      if (contact.active && contact.kinematics[GAP] >= 0) contact.end();
      else if (!contact.active && contact.kinematics[GAP] < 0) {
        contact.begin(contact.kinematics[RATE], 0);
        contact.computeElastic();
        this.ledger.addFound(contact, this.clock[0] === 0);
      }
      if (contact.active) contact.friction.prepare(contact.kinematics, this.timing);
      this.gaps[k] = contact.kinematics[GAP];
      this.gapRates[k] = contact.kinematics[RATE];
    }
    this.trial.set(this.state);
    this.rungeKutta.step(this.state, this.rates, this, h);
    if (this.closesWithinStep()) this.rungeKutta.step(this.state, this.rates, this, h);
    for (let b = 0; b < this.bodyCount; b++) normalizeQuaternion(this.bodies[b].state, BODY_Q);
    this.computeRates(); // forces of the read-out belong to the state after the step
  }

  private closesWithinStep(): boolean {
    if (this.drive !== null) this.drive.placePayload();
    for (let b = 0; b < this.bodyCount; b++) this.bodies[b].refresh();
    let closes = false;
    for (let k = 0; k < this.contactCount; k++) {
      const contact = this.contacts[k];
      if (contact.active) continue;
      contact.measure();
      const gap = contact.kinematics[GAP];
      if (gap >= 0) continue;
      const fraction = this.gaps[k] / (this.gaps[k] - gap);
      this.gapRates[k] += fraction * (contact.kinematics[RATE] - this.gapRates[k]);
      this.gaps[k] = Number.NaN; // marks the contact for onset
      closes = true;
    }
    if (!closes) return false;
    this.state.set(this.trial);
    for (let k = 0; k < this.contactCount; k++) {
      if (Number.isNaN(this.gaps[k])) this.contacts[k].begin(this.gapRates[k], 0);
    }
    return true;
  }

  /** Gravity, springs and external wrenches into the bodies' wrenches. */
  private collectForces(): void {
    const g = this.gravity;
    for (let b = 0; b < this.bodyCount; b++) {
      const body = this.bodies[b];
      for (let a = 0; a < 6; a++) body.wrench[a] = this.external[6 * b + a];
      for (let a = 0; a < 3; a++) body.wrench[a] += body.mass * g[a];
    }
    const s = this.springs;
    for (let i = 0; i < this.springBodies.length; i++) {
      const body = this.springBodies[i];
      for (let a = 0; a < 3; a++) body.wrench[a] -= s[4 * i + 3] * (body.state[a] - s[4 * i + a]);
    }
  }

  /** Contact wrench on the payload about its origin, from the forces of this evaluation. */
  private computeModelWrench(): void {
    const drive = this.drive;
    if (drive === null) return;
    const payload = drive.payload;
    const w = drive.port.modelWrench;
    for (let a = 0; a < 6; a++) w[a] = 0;
    for (let k = 0; k < this.contactCount; k++) {
      const contact = this.contacts[k];
      const sign = contact.i === payload ? 1 : contact.j === payload ? -1 : 0;
      if (sign === 0 || !contact.active) continue;
      const f = contact.force;
      const p = contact.kinematics;
      const x = p[POINT] - payload.state[0];
      const y = p[POINT + 1] - payload.state[1];
      const z = p[POINT + 2] - payload.state[2];
      w[0] += sign * f[0];
      w[1] += sign * f[1];
      w[2] += sign * f[2];
      w[3] += sign * (y * f[2] - z * f[1]);
      w[4] += sign * (z * f[0] - x * f[2]);
      w[5] += sign * (x * f[1] - y * f[0]);
    }
  }
}

/** Builds a system; throws BerthError for a model that cannot be run. Allocates everything that a step needs. */
export function makeSystem(model: SystemModel): System {
  checkModel(model);
  return new System(model);
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

/** True when one pass over the contacts does not solve the implicit step: shared moving bodies or eccentric spheres. */
function needsSweeps(model: SystemModel): boolean {
  const uses = new Map<string, number>();
  const moves = new Set(
    model.bodies.filter((body) => body.motion === 'dynamic').map((body) => body.name),
  );
  for (const { bodyI, bodyJ, pair } of model.contacts) {
    uses.set(bodyI, (uses.get(bodyI) ?? 0) + 1);
    uses.set(bodyJ, (uses.get(bodyJ) ?? 0) + 1);
    if (moves.has(bodyJ)) return true;
    if (pair.center.some((value) => value !== 0) && moves.has(bodyI)) return true;
  }
  return [...moves].some((name) => (uses.get(name) ?? 0) > 1);
}
