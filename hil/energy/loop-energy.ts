/**
 * Energy of the loop in one tick: compensation and tank before the model steps, audit, removal and guard after it
 * (docs/theory/loop-energy.md). The contact of the tick is judged by the wrench of the newest frame in `hardware` mode and by that
 * of the model in `virtual`; `simulation` has no delay, and nothing here acts in it.
 */
import type { Settings } from '../../config/settings.ts';
import { isDriven } from '../../src/model/constraint-spec.ts';
import type { System, ToolPort } from '../../src/system/system.ts';
import { StateArena } from '../../src/math/state-arena.ts';
import { COMPENSATIONS, ENERGY_ARGUMENTS, EnergyArgument } from '../contract/commands.ts';
import { ShadowContact } from '../contract/shadow-contact.ts';
import type { ApparentInertia } from './apparent-inertia.ts';
import {
  type EnergyChoice,
  checkCompensation,
  isContactModelled,
  refusalOf,
} from './compensation-check.ts';
import { Compensation } from './compensation.ts';
import { AuditSlot, EnergyAudit } from './energy-audit.ts';
import { EnergyRemoval, RemovalCell } from './energy-removal.ts';
import { EnergyTank, TankSlot } from './energy-tank.ts';
import { GuardSlot, PassivityGuard } from './passivity-guard.ts';
import { PortSample } from './port-sample.ts';
import { PositionLead } from './position-lead.ts';
import { dot6, isSome } from './sextuple.ts';
import { ToolMotion } from '../../src/control/tool-port.ts';
import { LoopMode } from '../contract/codes.ts';

/** Largest share of the energy along the port that the removal takes in one tick: more, and the arm sticks at the turning point. */
const REMOVAL_SHARE = 0.1;

/** Share of the contact force from which a force counts for the beginning and the end of a contact. */
const SENSED_SHARE = 0.25;

/** Slots of `LoopEnergy.slots`. Energies in J; of the present or last contact unless stated otherwise. */
export const EnergySlot = Object.freeze({
  IN: 0,
  OUT: 1,
  CREATED: 2,
  /** Since the start, all contacts. */
  CREATED_TOTAL: 3,
  /** The same, without ever falling: for a counter. */
  CREATED_GROWN: 4,
  /** Of the last finished contact; NaN: too slow, or none yet. */
  RESTITUTION_SIM: 5,
  RESTITUTION_HW: 6,
  /** Largest force, N. */
  PEAK: 7,
  /** Finished contacts since the start. */
  CONTACTS: 8,
  /** 1 while a contact lasts. */
  OPEN: 9,
  /** The guard: energy that the contact holds, with what a driven partner put into it, taken away since the start, acting in this tick, ticks acted, ticks clamped. */
  PASSIVITY: 10,
  PASSIVITY_REMOVED: 11,
  PASSIVITY_ACTIVE: 12,
  PASSIVITY_ACTIVE_TICKS: 13,
  PASSIVITY_CLAMPED_TICKS: 14,
  TANK: 15,
  /** Lead on the set-point, s. */
  POSITION_LEAD: 16,
  /** Taken away by the removal. */
  REMOVED: 17,
});

/** What the energy of a loop is made of. */
export interface LoopEnergyParts {
  readonly system: System;
  readonly tool: ToolPort;
  /** Index in LOOP_MODES. */
  readonly mode: number;
  readonly settings: Settings['energy'];
  readonly period_s: number;
  /** Slots of DelaySlot. */
  readonly delay: Float64Array;
  /** Of the arm, kept up to date by the caller. */
  readonly inertia: ApparentInertia;
  /** [stiffness of all contacts that touch], N/m; NaN or 0 unknown. */
  readonly stiffness: Float64Array;
  /** Motion of the tool when the newest force was sampled: p(3), q(4), v(3), w(3). Kept up to date by the caller. */
  readonly motion: Float64Array;
}

/** Energy of the loop: compensation, tank, audit, removal and guard. */
export class LoopEnergy {
  readonly arena: StateArena;
  readonly slots: Float64Array;
  /** Wrench of guard and removal on the arm in the last tick. */
  readonly guardWrench: Float64Array = new Float64Array(6);
  /** Wrench that was added to the contact wrench in the last tick. */
  readonly compensationWrench: Float64Array = new Float64Array(6);
  readonly guard: PassivityGuard;
  readonly audit: EnergyAudit;
  readonly tank: EnergyTank;
  readonly compensation: Compensation;
  readonly positionLead: PositionLead;
  /** Index in COMPENSATIONS, and 0 or 1: guard, removal, position lead. Changed by `configure`. */
  readonly setting: Float64Array;
  readonly #parts: LoopEnergyParts;
  readonly #arm: number;
  /** Whether a constraint of the model has an imposed motion, which may work on what the tool touches. */
  readonly #driven: boolean;
  readonly #choice: EnergyChoice;
  readonly #sample = new PortSample();
  readonly #removal = new EnergyRemoval();
  readonly #armMotion = new Float64Array(13);
  readonly #armWrench = new Float64Array(6);
  readonly #twist = new Float64Array(6);
  readonly #product = new Float64Array(1);

  constructor(parts: LoopEnergyParts, arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.slots = arena.table(EnergySlot);
    this.setting = arena.add('setting', ENERGY_ARGUMENTS.length);
    arena.afterLoad(() => {
      this.compensation.kind = this.setting[EnergyArgument.compensation];
    });
    const { system, settings, period_s, delay, mode } = parts;
    const model = system.model;
    const payload = model.tool?.payload ?? '';
    this.#parts = parts;
    this.#arm = model.tool === null ? -1 : system.bodyIndex(model.tool.arm);
    this.#driven = (model.constraints ?? []).some(isDriven);
    const predicting = settings.compensation === 'model' && isContactModelled(model);
    const live = mode === LoopMode.VIRTUAL || mode === LoopMode.HARDWARE;
    const make = (): ShadowContact => new ShadowContact(model, payload, period_s);
    const shadows = live && predicting ? { arm: make(), robot: make() } : null;
    this.#choice = {
      compensation: settings.compensation,
      removal: settings.removal,
      tank_J: settings.tank_J,
      stiffnessKnown: parts.stiffness[0] > 0,
      contactModelled: live ? shadows !== null : predicting,
    };
    checkCompensation(this.#choice);
    const guarded = {
      period_s,
      tolerance_J: settings.guard_tolerance_J,
      largestStiffness_N_per_m: settings.stiffness_N_per_m,
    };
    this.guard = new PassivityGuard(guarded, arena.part('guard'));
    this.audit = new EnergyAudit(period_s, arena.part('audit'), this.#driven);
    this.tank = new EnergyTank(settings.tank_J, period_s, arena.part('tank'));
    const inverseMass = parts.inertia.inverse;
    const stiffness = parts.stiffness;
    const noise_N = mode === LoopMode.HARDWARE ? settings.contact_force_N : 0;
    this.compensation = new Compensation(
      { period_s, noise_N, delay, stiffness, inverseMass, shadows },
      arena.part('compensation'),
    );
    this.positionLead = new PositionLead(period_s, delay, arena.part('positionLead'));
    this.setting[EnergyArgument.compensation] = COMPENSATIONS.indexOf(settings.compensation);
    this.setting[EnergyArgument.guard] = settings.guard ? 1 : 0;
    this.setting[EnergyArgument.removal] = settings.removal ? 1 : 0;
    this.setting[EnergyArgument.position_lead] = settings.position_lead ? 1 : 0;
    this.compensation.kind = this.setting[EnergyArgument.compensation];
    this.#publish();
  }

  /**
   * Sets [compensation (index), guard, removal, position lead] from `values` at `at`; NaN keeps what is set. Not while the arm moves.
   * The model prediction must have been chosen at the start, because it needs models of its own.
   * @returns whether they go together; if not, nothing changes
   */
  configure(values: Float64Array, at: number): boolean {
    const choice = this.#choice;
    const setting = this.setting;
    const kind =
      values[at + EnergyArgument.compensation] >= 0
        ? values[at + EnergyArgument.compensation]
        : setting[EnergyArgument.compensation];
    const removal =
      values[at + EnergyArgument.removal] >= 0
        ? values[at + EnergyArgument.removal]
        : setting[EnergyArgument.removal];
    if (kind >= COMPENSATIONS.length) return false;
    choice.compensation = COMPENSATIONS[kind];
    choice.removal = removal === 1;
    choice.stiffnessKnown = this.#parts.stiffness[0] > 0;
    if (refusalOf(choice) !== null) return false;
    setting[EnergyArgument.compensation] = kind;
    setting[EnergyArgument.removal] = removal;
    if (values[at + EnergyArgument.guard] >= 0)
      setting[EnergyArgument.guard] = values[at + EnergyArgument.guard];
    if (values[at + EnergyArgument.position_lead] >= 0)
      setting[EnergyArgument.position_lead] = values[at + EnergyArgument.position_lead];
    this.compensation.kind = kind;
    this.compensation.reset();
    return true;
  }

  /** Before the step, when the measured motion and wrench are in the port of the tool. `fresh` 1: they came in this tick. @alloc none */
  beforeStep(fresh: number): void {
    const { tool, system, mode, inertia, motion } = this.#parts;
    if (this.#arm < 0) return;
    const sample = this.#sample;
    const arm = this.#armMotion;
    system.readBody(this.#arm, arm, 0);
    sample.fresh = fresh;
    for (let a = 0; a < 6; a++) sample.before[a] = arm[7 + a];
    for (let a = 0; a < 6; a++) tool.addedWrench[a] = 0;
    if (mode === LoopMode.VIRTUAL || mode === LoopMode.HARDWARE) {
      if (tool.motion !== ToolMotion.ACCOMMODATE) this.compensation.idle(motion, arm);
      else {
        const force = mode === LoopMode.HARDWARE ? tool.measuredWrench : tool.modelWrench;
        const touching = this.#isContact(force) ? 1 : 0;
        const wrench = this.#armWrench;
        const added = this.compensation.wrench;
        this.compensation.compute(force, fresh, touching, motion, arm);
        for (let a = 0; a < 6; a++) wrench[a] = force[a] + added[a];
        if (touching === 1) this.tank.open(wrench, sample.before, inertia.inverse);
        for (let a = 0; a < 6; a++) tool.addedWrench[a] = wrench[a] - force[a];
      }
    }
    for (let a = 0; a < 6; a++) this.compensationWrench[a] = tool.addedWrench[a];
  }

  /** After a step that did not fail. May change the twist of the arm. @alloc none */
  afterStep(): void {
    const { tool, system, mode } = this.#parts;
    if (this.#arm < 0) return;
    for (let a = 0; a < 6; a++) this.guardWrench[a] = 0;
    if (mode !== LoopMode.VIRTUAL && mode !== LoopMode.HARDWARE) return;
    if (tool.motion !== ToolMotion.ACCOMMODATE) this.#rest();
    else {
      this.#fill();
      this.audit.observe(this.#sample);
      const { slots } = this.audit;
      this.tank.settle(slots, AuditSlot.HARDWARE_STEP, slots[AuditSlot.OPEN] === 1);
      this.guard.observe(this.#sample);
      if (this.#driven) {
        this.audit.expectBrought(this.#sample, tool.setpoint, this.guard.brought);
      }
      for (let a = 0; a < 6; a++) this.#twist[a] = this.#sample.after[a];
      const removed = this.setting[EnergyArgument.removal] === 1 && this.#remove();
      const guarded = this.setting[EnergyArgument.guard] === 1 && this.#guard();
      if (removed || guarded) system.setArmTwist(this.#twist, 0);
    }
    this.#publish();
  }

  /** Puts the lead on the set-point that is to be sent, before its limits. @alloc none */
  leadSetpoint(setpoint: Float64Array): void {
    const { tool, mode } = this.#parts;
    if (mode === LoopMode.SIMULATION || tool.motion === ToolMotion.FOLLOW) this.positionLead.drop();
    else if (
      this.setting[EnergyArgument.position_lead] === 1 &&
      tool.motion === ToolMotion.ACCOMMODATE
    )
      this.positionLead.apply(setpoint);
    else this.positionLead.fade(setpoint);
  }

  /**
   * Whether a measured wrench is a contact, for the state of the loop. It begins at the contact force and lasts until only a share
   * is left that does not count. So noise in between changes nothing. @alloc none
   */
  isTouched(wrench: Float64Array, before: boolean): boolean {
    return this.#exceeds(wrench, before ? SENSED_SHARE : 1);
  }

  /** Whether force or moment of a wrench is above a share of what makes a contact. */
  #exceeds(w: Float64Array, share: number): boolean {
    const { contact_force_N, contact_moment_Nm } = this.#parts.settings;
    const force = share * contact_force_N;
    const moment = share * contact_moment_Nm;
    return (
      w[0] * w[0] + w[1] * w[1] + w[2] * w[2] > force * force ||
      w[3] * w[3] + w[4] * w[4] + w[5] * w[5] > moment * moment
    );
  }

  #isContact(wrench: Float64Array): boolean {
    return this.#parts.mode === LoopMode.HARDWARE ? this.#exceeds(wrench, 1) : isSome(wrench);
  }

  #fill(): void {
    const { tool, mode, system, motion } = this.#parts;
    const sample = this.#sample;
    const port = mode === LoopMode.HARDWARE ? tool.measuredWrench : tool.modelWrench;
    for (let i = 0; i < 13; i++) sample.measured[i] = motion[i];
    for (let a = 0; a < 6; a++) {
      sample.port[a] = port[a];
      sample.armWrench[a] = tool.meanArmWrench[a];
      sample.after[a] = tool.setpoint[7 + a];
    }
    sample.average();
    if (system.arm === null) system.accommodation?.computeActing(sample.armWrench, sample.acting);
    else for (let a = 0; a < 6; a++) sample.acting[a] = sample.armWrench[a]; // the whole wrench is on its tip
    const contact = this.#isContact(port);
    const sensed = mode === LoopMode.HARDWARE && this.#exceeds(port, SENSED_SHARE);
    sample.touching = contact || isSome(this.compensationWrench) ? 1 : 0;
    sample.sensed = sensed ? 1 : sample.touching;
  }

  /** The arm is not moved by the wrench on it: a contact has no effect on the arm now. */
  #rest(): void {
    this.audit.interrupt();
    this.tank.release();
    this.guard.release();
  }

  /** Takes away what the audit finds created, while the contact pushes the arm out. */
  #remove(): boolean {
    const s = this.audit.slots;
    const created = s[AuditSlot.CREATED] - s[AuditSlot.REMOVED];
    const { armWrench, touching } = this.#sample;
    dot6(this.#product, 0, armWrench, this.#twist);
    if (touching === 0 || !(created > 0) || !(this.#product[0] > 0)) return false;
    const { cells } = this.#removal;
    const acting = this.#sample.acting;
    cells[RemovalCell.ASKED] = created;
    cells[RemovalCell.SHARE] = REMOVAL_SHARE;
    this.#removal.remove(this.#twist, acting, this.#parts.inertia.inverse);
    const removed = cells[RemovalCell.REMOVED];
    if (removed === 0) return false;
    s[AuditSlot.REMOVED] += removed;
    this.guard.slots[GuardSlot.HELD] += removed;
    const k = -cells[RemovalCell.IMPULSE] / this.#parts.period_s;
    for (let a = 0; a < 6; a++) this.guardWrench[a] += k * acting[a];
    return true;
  }

  #guard(): boolean {
    const { settings, stiffness } = this.#parts;
    const one = settings.stiffness_N_per_m;
    if (one > 0) this.guard.together[0] = stiffness[0] > one ? stiffness[0] / one : 1;
    this.guard.act(this.#sample, this.#twist, this.#parts.inertia.inverse);
    if (this.guard.slots[GuardSlot.ACTIVE] === 0) return false;
    for (let a = 0; a < 6; a++) this.guardWrench[a] += this.guard.wrench[a];
    return true;
  }

  #publish(): void {
    const s = this.slots;
    const a = this.audit.slots;
    const g = this.guard.slots;
    s[EnergySlot.IN] = a[AuditSlot.IN];
    s[EnergySlot.OUT] = a[AuditSlot.OUT];
    s[EnergySlot.CREATED] = a[AuditSlot.CREATED];
    s[EnergySlot.CREATED_TOTAL] = a[AuditSlot.CREATED_TOTAL];
    s[EnergySlot.CREATED_GROWN] = a[AuditSlot.CREATED_GROWN];
    s[EnergySlot.RESTITUTION_SIM] = a[AuditSlot.RESTITUTION_SIM];
    s[EnergySlot.RESTITUTION_HW] = a[AuditSlot.RESTITUTION_HW];
    s[EnergySlot.PEAK] = a[AuditSlot.PEAK];
    s[EnergySlot.CONTACTS] = a[AuditSlot.CONTACTS];
    s[EnergySlot.OPEN] = a[AuditSlot.OPEN];
    s[EnergySlot.PASSIVITY] = g[GuardSlot.HELD] + this.guard.brought[0];
    s[EnergySlot.PASSIVITY_REMOVED] = g[GuardSlot.REMOVED];
    s[EnergySlot.PASSIVITY_ACTIVE] = g[GuardSlot.ACTIVE];
    s[EnergySlot.PASSIVITY_ACTIVE_TICKS] = g[GuardSlot.ACTIVE_TICKS];
    s[EnergySlot.PASSIVITY_CLAMPED_TICKS] = g[GuardSlot.CLAMPED_TICKS];
    s[EnergySlot.TANK] = this.tank.slots[TankSlot.LEVEL];
    s[EnergySlot.POSITION_LEAD] = this.positionLead.lead_s[0];
    s[EnergySlot.REMOVED] = a[AuditSlot.REMOVED];
  }
}
