/**
 * The energy ledger of a system. Every step adds the work that contacts took from the bodies and the work that came from
 * outside (external wrenches, prescribed bodies); the rest is read from the state.
 *
 *   dissipated = contact work − elastic − bristle          balance = K + U + contact work − external − (K + U at start)
 *
 * The articulated arm of a tool brings its kinetic and potential energy. The strain of its beams and gears is in U here and in the
 * elastic column of the readout. What its dampers take is dissipated; its servos, brakes and a measured wrench work from outside.
 * Springs and dampers in joints of articulated movers are booked the same way.
 *
 * The balance is what the integration gained (> 0) or lost (< 0); exact dynamics keep it at 0.
 */
import { indicesOf, type NameIndices } from '../base/name-indices.ts';
import { OWN_COLUMNS } from '../math/columns.ts';
import { addressIn, type ContactLoops } from '../contact/contact-loops.ts';
import type { ContactList } from '../contact/contact-list.ts';
import type { DeclaredContacts } from '../contact/declared-contacts.ts';
import { ElasticContact } from '../contact/elastic/elastic-contact.ts';
import type { ContactModel } from '../contact/contact-model.ts';
import { ARM_I, ARM_J, SPIN, VELOCITY } from '../contact/pair.ts';
import { KINETIC, type Mover, type Part, POTENTIAL, STRAIN } from './mover.ts';

/** Columns of `System.readEnergy`, J. */
export const ENERGY_READOUT = [
  'kinetic',
  'potential',
  'elastic',
  'bristle',
  'dissipated',
  'externalWork',
  'balance',
] as const;
/** Index of each of them. */
export const EnergyReadout: NameIndices<typeof ENERGY_READOUT> = indicesOf(ENERGY_READOUT);

// slots of the integrated work (contacts and dampers inside movers come first) and of the stored energies
const CONTACT_WORK = 0;
const EXTERNAL_WORK = 1;
const INITIAL = 0;
const ELASTIC_ENERGY = 1;
const BRISTLE_ENERGY = 2;

/** What a sub-step works on, as the ledger reads it. */
export interface LedgerPortion {
  readonly movers: readonly Mover[];
  readonly moverCount: number;
  /** 1 for each part that belongs to it. */
  readonly parts: Uint8Array;
}

/** The simulated arm as an articulated tree, as the ledger reads it. */
export interface LedgerArm {
  /** out := [kinetic energy, strain energy, potential energy], J. @alloc none */
  computeEnergy(out: Float64Array): void;
}

/** Accounts of one system. */
export class EnergyLedger {
  private readonly movers: readonly Mover[];
  private readonly parts: readonly Part[];
  /** Contacts that touch. */
  private readonly contacts: ContactList;
  private readonly springBodies: readonly Part[];
  private readonly springs: Float64Array;
  private readonly gravity: Float64Array;
  private readonly work: Float64Array;
  private readonly workRates: Float64Array;
  private readonly energy: Float64Array;
  private readonly sums: Float64Array;
  private readonly sumsAt: number;
  private readonly arm: LedgerArm | null;
  private readonly declared: DeclaredContacts;
  private readonly loops: ContactLoops | null;
  private readonly armEnergy: Float64Array = new Float64Array(3);
  /** Of movers and arm: kinetic, potential without strain, strain. */
  private readonly mechanical: Float64Array = new Float64Array(3);
  /** Of the parts at the start of the sub-step, six numbers each: `rememberParts`. */
  readonly oldTwists: Float64Array;
  /** Means over the sub-step, six numbers a part, where `meant` has 1. */
  private readonly meanTwists: Float64Array;
  private readonly meant: Uint8Array;

  constructor(
    movers: readonly Mover[],
    parts: readonly Part[],
    contacts: ContactList,
    springBodies: readonly Part[],
    springs: Float64Array,
    gravity: Float64Array,
    work: Float64Array,
    workRates: Float64Array,
    energy: Float64Array,
    arm: LedgerArm | null,
    declared: DeclaredContacts,
    loops: ContactLoops | null,
  ) {
    this.declared = declared;
    const columns = loops?.memory ?? OWN_COLUMNS;
    this.loops = loops;
    this.sums = columns.doubles(2);
    this.sumsAt = addressIn(this.sums);
    this.movers = movers;
    this.parts = parts;
    this.contacts = contacts;
    this.springBodies = springBodies;
    this.springs = springs;
    this.gravity = gravity;
    this.work = work;
    this.workRates = workRates;
    this.energy = energy;
    this.arm = arm;
    this.oldTwists = columns.doubles(6 * parts.length);
    this.meanTwists = new Float64Array(6 * parts.length);
    this.meant = new Uint8Array(parts.length);
    this.sumMechanical();
    energy[INITIAL] =
      this.mechanical[KINETIC] + this.mechanical[POTENTIAL] + this.mechanical[STRAIN];
  }

  /** Keeps the relative velocity of a contact at the start of a sub-step. @alloc none */
  rememberVelocity(contact: ContactModel): void {
    const k = contact.kinematics;
    const v = contact.oldVelocity;
    v[0] = k[VELOCITY];
    v[1] = k[VELOCITY + 1];
    v[2] = k[VELOCITY + 2];
    for (let a = 0; a < 3; a++) v[3 + a] = k[SPIN + a];
  }

  /**
   * A contact was found with energy already in its spring. An overlap at time zero belongs to the start; a depth that the step
   * jumped over is energy that the integration gained. @alloc none
   */
  addFound(contact: ContactModel, atStart: boolean): void {
    contact.atStart = atStart;
    contact.storeEnergy();
    contact.atStart = false;
    const found = contact.stored[0];
    this.work[CONTACT_WORK] += found;
    if (atStart) this.energy[INITIAL] += found;
  }

  /** Keeps the twists of the parts at the start of a sub-step. @alloc none */
  rememberParts(): void {
    for (let b = 0; b < this.parts.length; b++) {
      const x = this.parts[b].state;
      for (let a = 0; a < 6; a++) this.oldTwists[6 * b + a] = x[7 + a];
    }
  }

  /**
   * Means over a sub-step in which a face took n of its own, for parts that it pushes: v' − lag − (v' − v)/(2n), see face-parts.ts. Three calls:
   * under the smooth forces, with the first push of the face, with both. @alloc none
   */
  openMeans(parts: Int32Array, n: number): void {
    const part = -0.5 * (1 - 1 / n);
    for (let k = 0; k < parts.length; k++) {
      const at = 6 * parts[k];
      const x = this.parts[parts[k]].state;
      this.meant[parts[k]] = 1;
      for (let a = 0; a < 6; a++) {
        this.meanTwists[at + a] = part * (x[7 + a] - this.oldTwists[at + a]);
      }
    }
  }

  addMeans(parts: Int32Array): void {
    for (let k = 0; k < parts.length; k++) {
      const x = this.parts[parts[k]].state;
      for (let a = 0; a < 6; a++) this.meanTwists[6 * parts[k] + a] += x[7 + a];
    }
  }

  closeMeans(parts: Int32Array, n: number): void {
    for (let k = 0; k < parts.length; k++) {
      const at = 6 * parts[k];
      const x = this.parts[parts[k]].state;
      for (let a = 0; a < 6; a++) {
        this.meanTwists[at + a] -= (x[7 + a] - this.oldTwists[at + a]) / (2 * n);
      }
    }
  }

  /** out[0..5] := mean twist of part b over the present sub-step, all impulses applied. @alloc none */
  writeMean(b: number, out: Float64Array): void {
    const x = this.parts[b].state;
    for (let a = 0; a < 6; a++) {
      out[a] =
        this.meant[b] === 1
          ? this.meanTwists[6 * b + a]
          : 0.5 * (this.oldTwists[6 * b + a] + x[7 + a]);
    }
  }

  /** Work of a sub-step: impulse times the mean of the velocities before and after, which is exact. @alloc none */
  account(portion: LedgerPortion, timing: Float64Array, external: Float64Array): void {
    const h = timing[0];
    const sums = this.sums;
    sums[0] = 0;
    sums[1] = 0;
    if (this.contacts.count > 0) this.accountContacts();
    for (let b = 0; b < this.parts.length; b++) {
      const body = this.parts[b];
      if (!body.dynamic || portion.parts[b] === 0) continue;
      if (this.meant[b] === 1) {
        this.meant[b] = 0;
        for (let a = 0; a < 6; a++) {
          sums[EXTERNAL_WORK] += external[6 * b + a] * this.meanTwists[6 * b + a];
        }
        continue;
      }
      for (let a = 0; a < 6; a++) {
        sums[EXTERNAL_WORK] +=
          0.5 * external[6 * b + a] * (this.oldTwists[6 * b + a] + body.state[7 + a]);
      }
    }
    this.work[CONTACT_WORK] += h * sums[CONTACT_WORK];
    this.work[EXTERNAL_WORK] += h * sums[EXTERNAL_WORK];
    const { movers, moverCount } = portion;
    for (let m = 0; m < moverCount; m++) movers[m].addLoss(timing, this.work);
  }

  /** Powers of the contacts of a sub-step into the sums. */
  private accountContacts(): void {
    const { sums, loops } = this;
    const { items, count } = this.contacts;
    if (loops !== null) {
      loops.exports.accountContacts(loops.currentAt, count, this.sumsAt);
      return;
    }
    for (let k = 0; k < count; k++) {
      const contact = items[k];
      if (contact.i.yields || contact.j.yields) contact.measureVelocity(); // else it is as it was
      const f = contact.force;
      const v = contact.oldVelocity;
      const n = contact.kinematics;
      if (contact instanceof ElasticContact && contact.parts[0] > 1) {
        sums[CONTACT_WORK] += contact.power[0];
        addImposedPower(contact, sums);
        continue;
      }
      sums[CONTACT_WORK] -=
        0.5 *
        (f[0] * (v[0] + n[VELOCITY]) +
          f[1] * (v[1] + n[VELOCITY + 1]) +
          f[2] * (v[2] + n[VELOCITY + 2]));
      if (contact.turns) {
        const t = contact.torque;
        for (let a = 0; a < 3; a++) sums[CONTACT_WORK] -= 0.5 * t[a] * (v[3 + a] + n[SPIN + a]);
      }
      addImposedPower(contact, sums);
    }
  }

  /** Adds what contacts and dampers took, and what came from outside, in a motion of the arm. @alloc none */
  addArm(work: Float64Array): void {
    this.work[CONTACT_WORK] += work[0];
    this.work[EXTERNAL_WORK] += work[1];
  }

  /** Adds work[0], J, that imposed motions did. @alloc none */
  addImposedWork(work: Float64Array): void {
    this.work[EXTERNAL_WORK] += work[0];
  }

  /** Adds energy[0], J, that is stored beside that of contacts; after `store`. @alloc none */
  addElastic(energy: Float64Array): void {
    this.energy[ELASTIC_ENERGY] += energy[0];
  }

  /** Springs that begin to hold bring energy[0], J, from outside. @alloc none */
  addBrought(energy: Float64Array): void {
    this.work[CONTACT_WORK] += energy[0];
    this.work[EXTERNAL_WORK] += energy[0];
  }

  /** Adds loss[0], J, that impacts of constraints, or grapples, took. @alloc none */
  addImpactLoss(loss: Float64Array): void {
    this.work[CONTACT_WORK] += loss[0];
  }

  /** Adds power[0], W, that imposed motions feed in, to the present rates. @alloc none */
  addImposedPower(power: Float64Array): void {
    this.workRates[EXTERNAL_WORK] += power[0];
  }

  /** Powers at the present state, for Runge–Kutta. @alloc none */
  computeRates(external: Float64Array): void {
    const sums = this.workRates;
    sums[0] = 0;
    sums[1] = 0;
    const { items, count } = this.contacts;
    for (let k = 0; k < count; k++) {
      const contact = items[k];
      const f = contact.force;
      const n = contact.kinematics;
      sums[CONTACT_WORK] -= f[0] * n[VELOCITY] + f[1] * n[VELOCITY + 1] + f[2] * n[VELOCITY + 2];
      if (contact.turns) {
        const t = contact.torque;
        for (let a = 0; a < 3; a++) sums[CONTACT_WORK] -= t[a] * n[SPIN + a];
      }
      addImposedPower(contact, sums);
    }
    for (let b = 0; b < this.parts.length; b++) {
      const body = this.parts[b];
      if (!body.dynamic) continue;
      for (let a = 0; a < 6; a++) sums[EXTERNAL_WORK] += external[6 * b + a] * body.state[7 + a];
    }
    for (let m = 0; m < this.movers.length; m++) this.movers[m].addLossRate(sums);
  }

  /** Energies in the contacts at the end of a step; contacts are measured there or not. @alloc none */
  store(measured: boolean): void {
    let elastic = 0.0;
    let bristle = 0.0;
    const { items, count } = this.contacts;
    if (this.loops !== null && count > 0) {
      const { exports, currentAt } = this.loops;
      if (!measured) this.declared.measureActive();
      exports.storeEnergies(currentAt, count, this.sumsAt);
      this.energy[ELASTIC_ENERGY] = this.sums[0];
      this.energy[BRISTLE_ENERGY] = this.sums[1];
      return;
    }
    for (let k = 0; k < count; k++) {
      const contact = items[k];
      if (!measured) contact.measure();
      contact.computeElastic(); // bristles hold what the present normal force lets them
      contact.storeEnergy();
      elastic += contact.stored[0];
      bristle += contact.stored[1];
    }
    this.energy[ELASTIC_ENERGY] = elastic;
    this.energy[BRISTLE_ENERGY] = bristle;
  }

  /** Columns of ENERGY_READOUT. @alloc none */
  read(out: Float64Array, at: number): void {
    this.sumMechanical();
    const kinetic = this.mechanical[KINETIC];
    const potential = this.mechanical[POTENTIAL];
    const strain = this.mechanical[STRAIN];
    const elastic = this.energy[ELASTIC_ENERGY];
    const bristle = this.energy[BRISTLE_ENERGY];
    const contactWork = this.work[CONTACT_WORK];
    const external = this.work[EXTERNAL_WORK];
    out[at + EnergyReadout.kinetic] = kinetic;
    out[at + EnergyReadout.potential] = potential;
    out[at + EnergyReadout.elastic] = elastic + strain;
    out[at + EnergyReadout.bristle] = bristle;
    out[at + EnergyReadout.dissipated] = contactWork - elastic - bristle;
    out[at + EnergyReadout.externalWork] = external;
    out[at + EnergyReadout.balance] =
      kinetic + potential + strain + contactWork - external - this.energy[INITIAL];
  }

  /** Kinetic, potential and strain energy of movers, arm and springs into `mechanical`. */
  private sumMechanical(): void {
    const sum = this.mechanical;
    sum[KINETIC] = 0;
    sum[POTENTIAL] = 0;
    sum[STRAIN] = 0;
    if (this.arm !== null) {
      const e = this.armEnergy;
      this.arm.computeEnergy(e);
      sum[KINETIC] = e[0];
      sum[POTENTIAL] = e[2];
      sum[STRAIN] = e[1];
    }
    for (let m = 0; m < this.movers.length; m++) this.movers[m].addEnergy(this.gravity, sum);
    const s = this.springs;
    for (let i = 0; i < this.springBodies.length; i++) {
      const body = this.springBodies[i];
      if (!body.dynamic) continue;
      const x = body.state[0] - s[4 * i];
      const y = body.state[1] - s[4 * i + 1];
      const z = body.state[2] - s[4 * i + 2];
      sum[POTENTIAL] += 0.5 * s[4 * i + 3] * (x * x + y * y + z * z);
    }
  }
}

/** Adds the power that bodies with imposed motion feed into the system through a contact, W, to sums[1]. */
function addImposedPower(contact: ContactModel, sums: Float64Array): void {
  const k = contact.kinematics;
  const t = contact.torque;
  if (!contact.j.yields) {
    addPointPower(contact.force, t, contact.j.state, k, ARM_J, 1, sums);
  }
  if (!contact.i.yields) {
    addPointPower(contact.force, t, contact.i.state, k, ARM_I, -1, sums);
  }
}

function addPointPower(
  f: Float64Array,
  t: Float64Array,
  x: Float64Array,
  k: Float64Array,
  arm: number,
  sign: number,
  sums: Float64Array,
): void {
  sums[EXTERNAL_WORK] +=
    sign *
    (f[0] * (x[7] + x[11] * k[arm + 2] - x[12] * k[arm + 1]) +
      f[1] * (x[8] + x[12] * k[arm] - x[10] * k[arm + 2]) +
      f[2] * (x[9] + x[10] * k[arm + 1] - x[11] * k[arm]) +
      t[0] * x[10] +
      t[1] * x[11] +
      t[2] * x[12]);
}
