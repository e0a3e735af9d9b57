/**
 * Passivity observer and controller of one port: a contact may not give the simulated arm more energy than it took
 * (`hil-anchors 3`, remedy a; docs/theory/loop-energy.md, Passivity guard).
 *
 *   E ← E − h W·(V_before + V_after)/2      energy that the contact holds, exact with the mean twist
 *   D = F²/(2 k_max) − tolerance − E − B    what is missing; the first term only when k_max is known, of all contacts together
 *   D > 0: taken from the twist along the contact wrench, see energy-removal.ts
 *
 * Without reference a tick never lacks more than what W gave in that tick, and a free body always has that. The guard's impulse is
 * at most −h W, whatever the inertia and the number of contacts. An arm with a drive of its own may have less: the drive has taken
 * it, and what is gone is not asked for again. With a reference it may ask for more. Then it takes at most a share a tick, so that
 * the arm does not stick at the turning point, and the rest waits.
 *
 * B is what moves the other side has put in for certain (energy-audit.ts); 0 where nothing drives it.
 *
 * A measured contact is one only above the noise, so a contact begins before it is noticed and ends after. It begins with the first
 * of the ticks in a row in which the force is sensed, and ends some time after the last contact tick. From begin to end E takes in every
 * tick, however small its force: energy that it left out would stay in the arm unnoticed. A row of sensed ticks that leads to no
 * contact is noise, and forgotten; a long one fades, as slowly as the contact ends.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import { EnergyRemoval, RemovalCell } from './energy-removal.ts';
import { CONTACT_FREE_MEMORY, CONTACT_FREE_TICKS, type PortSample } from './port-sample.ts';
import { dot6, forceOf } from './sextuple.ts';

/** Slots of `PassivityGuard.slots`. */
export const GuardSlot = Object.freeze({
  /** E, J: energy that the contact took and has not given back. */
  HELD: 0,
  /** Kinetic energy taken away since the start, J. */
  REMOVED: 1,
  /** 1 when the guard acted in this tick. */
  ACTIVE: 2,
  /** Ticks in which it acted, and in which the arm did not have all that was missing. */
  ACTIVE_TICKS: 3,
  CLAMPED_TICKS: 4,
  /** Ticks since the last contact. */
  FREE_TICKS: 5,
});
const { HELD, REMOVED, ACTIVE, ACTIVE_TICKS, CLAMPED_TICKS, FREE_TICKS } = GuardSlot;

/** Share of the energy along the port that one tick may take. */
const LARGEST_SHARE = 0.5;
/** Less than this is rounding of the sums, J. */
const ROUNDING_J = 1e-12;

/** Options of a guard. */
export interface GuardOptions {
  readonly period_s: number;
  /** What a contact may give beyond what it took, J. */
  readonly tolerance_J: number;
  /** Largest stiffness that one contact can have, N/m; 0 unknown. */
  readonly largestStiffness_N_per_m: number;
}

/** Passivity observer and controller of one contact port. */
export class PassivityGuard {
  readonly arena: StateArena;
  readonly slots: Float64Array;
  /** Wrench of the guard on the arm in this tick. */
  readonly wrench: Float64Array = new Float64Array(6);
  /** [stiffness of all contacts that touch over that of one], before `act`. */
  readonly together: Float64Array = Float64Array.of(1);
  /** [B, J], before `act`. */
  readonly brought: Float64Array = new Float64Array(1);
  private readonly period_s: number;
  private readonly tolerance_J: number;
  /** 1/(2 k_max), 0 when it is unknown. */
  private readonly compliance: number;
  /** Wrench of the newest contact tick: what is missing is taken along it. */
  private readonly direction: Float64Array;
  private readonly removal = new EnergyRemoval();
  private readonly product = new Float64Array(1);

  constructor(options: GuardOptions, arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.slots = arena.table(GuardSlot);
    this.direction = arena.add('direction', 6);
    this.slots[FREE_TICKS] = CONTACT_FREE_TICKS;
    this.period_s = options.period_s;
    this.tolerance_J = options.tolerance_J;
    const k = options.largestStiffness_N_per_m;
    this.compliance = k > 0 ? 0.5 / k : 0;
  }

  /** Books the work of the wrench that acted in the step. @alloc none */
  observe(sample: PortSample): void {
    const s = this.slots;
    // no force and no contact: what was booked before did not lead to one
    if (sample.sensed === 0 && s[FREE_TICKS] >= CONTACT_FREE_TICKS) s[HELD] = 0;
    else {
      dot6(this.product, 0, sample.acting, sample.middle);
      s[HELD] -= this.period_s * this.product[0];
    }
    if (sample.touching === 1) {
      s[FREE_TICKS] = 0;
      // a compensated wrench may be zero in a contact: what is missing is then still taken along the one before
      dot6(this.product, 0, sample.acting, sample.acting);
      if (this.product[0] > 0) {
        for (let a = 0; a < 6; a++) this.direction[a] = sample.acting[a];
      }
    } else if (s[FREE_TICKS] < CONTACT_FREE_TICKS) s[FREE_TICKS]++;
    else s[HELD] *= CONTACT_FREE_MEMORY;
  }

  /** Takes what is missing from the twist. @alloc none */
  act(sample: PortSample, twist: Float64Array, inverseMass: Float64Array): void {
    const { slots: s, removal, wrench } = this;
    s[ACTIVE] = 0;
    for (let a = 0; a < 6; a++) wrench[a] = 0;
    let least = -this.tolerance_J;
    if (sample.touching === 1 && this.compliance > 0) {
      forceOf(this.product, 0, sample.acting);
      const force = this.product[0];
      least += (this.compliance * force * force) / this.together[0];
    }
    const missing = least - s[HELD] - this.brought[0];
    if (s[FREE_TICKS] >= CONTACT_FREE_TICKS || !(missing > ROUNDING_J)) return;
    removal.cells[RemovalCell.ASKED] = missing;
    removal.cells[RemovalCell.SHARE] = this.compliance > 0 ? LARGEST_SHARE : 1;
    removal.remove(twist, this.direction, inverseMass);
    const removed = removal.cells[RemovalCell.REMOVED];
    if (missing - removed > ROUNDING_J) s[CLAMPED_TICKS]++;
    s[HELD] += this.compliance > 0 ? removed : missing;
    if (removed === 0) return;
    s[REMOVED] += removed;
    s[ACTIVE] = 1;
    s[ACTIVE_TICKS]++;
    const k = -removal.cells[RemovalCell.IMPULSE] / this.period_s;
    for (let a = 0; a < 6; a++) wrench[a] = k * this.direction[a];
  }

  /** Forgets the contact: it has ended, or the arm no longer moves by its wrench. @alloc none */
  release(): void {
    this.slots[HELD] = 0;
    this.brought[0] = 0;
    this.slots[ACTIVE] = 0;
    this.slots[FREE_TICKS] = CONTACT_FREE_TICKS;
    for (let a = 0; a < 6; a++) {
      this.direction[a] = 0;
      this.wrench[a] = 0;
    }
  }
}
