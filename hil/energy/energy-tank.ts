/**
 * Energy tank: a budget for what the loop may create over a whole run (`hil-anchors 3`, remedy g; docs/theory/loop-energy.md,
 * Energy tank). It begins full. What the audit finds created drains it, what is dissipated fills it, up to its size when a contact
 * has ended. Within a contact, rebound takes out again what compression fills in, and what has been too much for a whole window is
 * spilt. A valve scales the wrench on the arm when the step would take out more than there is:
 *
 *   h α W·V + ½ h² α² W'M⁻¹W <= level + work that the hardware gave back in the tick before,  α in [least, 1]
 */
import { StateArena } from '../../src/math/state-arena.ts';
import { SWING_s } from './port-sample.ts';
import { dot6, multiply6 } from './sextuple.ts';

/** Slots of `EnergyTank.slots`. */
export const TankSlot = Object.freeze({
  /** J; below zero while a contact has created what its rebound has not paid yet. */
  LEVEL: 0,
  /** α of this tick. */
  VALVE: 1,
  /** Work that the hardware gave back in the tick before, J. */
  RETURNED: 2,
  /** Least level of the present window of a contact, J, and the ticks of that window. */
  LEAST: 3,
  LEAST_TICKS: 4,
});
const { LEVEL, VALVE, RETURNED, LEAST, LEAST_TICKS } = TankSlot;

/** A closed valve would leave the arm stuck at the turning point: half of the wrench always comes through. */
const LEAST_VALVE = 0.5;

/** Energy budget of the loop over a whole run. */
export class EnergyTank {
  readonly slots: Float64Array;
  private readonly size_J: number;
  private readonly period_s: number;
  private readonly response = new Float64Array(6);
  private readonly products = new Float64Array(2);

  /** @param size_J 0: no tank, the valve stays open */
  constructor(size_J: number, period_s: number, arena: StateArena = new StateArena()) {
    this.slots = arena.table(TankSlot);
    this.size_J = size_J;
    this.period_s = period_s;
    this.slots[LEVEL] = size_J;
    this.slots[VALVE] = 1;
  }

  /** Scales the wrench that acts on the arm in the step that begins with `twist`. @alloc none */
  open(wrench: Float64Array, twist: Float64Array, inverseMass: Float64Array): void {
    const { slots: s, response, products } = this;
    s[VALVE] = 1;
    if (this.size_J === 0) return;
    multiply6(response, inverseMass, wrench);
    const h = this.period_s;
    dot6(products, 0, wrench, twist);
    dot6(products, 1, wrench, response);
    const a = h * products[0];
    const c = h * h * products[1];
    const there = s[LEVEL] + s[RETURNED];
    const budget = there > 0 ? there : 0;
    if (a + 0.5 * c <= budget) return;
    const valve = c > 0 ? (Math.sqrt(a * a + 2 * budget * c) - a) / c : budget / a;
    s[VALVE] = valve > LEAST_VALVE ? valve : LEAST_VALVE;
    for (let i = 0; i < 6; i++) wrench[i] *= s[VALVE];
  }

  /** Books [hardware, simulated] work of the tick from `steps` at `at`, see energy-audit.ts; `open` within a contact. @alloc none */
  settle(steps: Float64Array, at: number, open: boolean): void {
    const s = this.slots;
    if (this.size_J === 0) return;
    const level = s[LEVEL] - (steps[at] - steps[at + 1]);
    s[RETURNED] = steps[at] < 0 ? -steps[at] : 0;
    s[LEVEL] = level;
    if (!open) {
      this.release();
      return;
    }
    if (level < s[LEAST]) s[LEAST] = level;
    if (++s[LEAST_TICKS] * this.period_s < SWING_s) return;
    if (s[LEAST] > this.size_J) s[LEVEL] -= s[LEAST] - this.size_J;
    s[LEAST] = s[LEVEL];
    s[LEAST_TICKS] = 0;
  }

  /** No contact, or none that acts on the arm: the level is at most the size. @alloc none */
  release(): void {
    const s = this.slots;
    if (s[LEVEL] > this.size_J) s[LEVEL] = this.size_J;
    s[LEAST] = s[LEVEL];
    s[LEAST_TICKS] = 0;
  }
}
