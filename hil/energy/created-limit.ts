/**
 * Limit of the energy that one contact may create before the arm is held (hil-anchors 9.3). At its end the limit is a share of what
 * it took, and at least a floor that noise does not reach. At any time it is an absolute limit. What guard and removal have taken
 * away again does not count.
 */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';
import { EnergySlot } from './loop-energy.ts';

/** Limits, settings `energy`. */
export interface CreatedLimits {
  readonly hold_ratio: number;
  readonly hold_floor_J: number;
  readonly hold_J: number;
}

const FIELDS = { exceeded: 0 } as const;

/** Limit of the energy that the loop may create in one contact. */
export class CreatedLimit {
  readonly cells: Float64Array;
  /** 1 in the tick in which a contact exceeded its limit for the first time. */
  declare exceeded: number;
  readonly #limits: CreatedLimits;
  /** [removed before this contact, J] */
  readonly #before: Float64Array;
  /** [a contact lasts, it has been reported, contacts finished so far] */
  readonly #marks: Float64Array;

  constructor(limits: CreatedLimits, arena: StateArena = new StateArena()) {
    this.cells = arena.fields(FIELDS);
    this.#before = arena.add('before', 1);
    this.#marks = arena.add('marks', 3);
    this.#limits = limits;
  }

  /** Judge the contact by the slots of EnergySlot. @alloc none */
  observe(slots: Float64Array): void {
    const marks = this.#marks;
    const lasted = marks[0] === 1;
    const finished = slots[EnergySlot.CONTACTS] > marks[2];
    this.exceeded = 0;
    marks[0] = slots[EnergySlot.OPEN];
    marks[2] = slots[EnergySlot.CONTACTS];
    if (marks[0] === 0 && !lasted) return;
    if (!lasted) {
      marks[1] = 0;
      this.#before[0] = slots[EnergySlot.PASSIVITY_REMOVED];
    }
    if (marks[1] === 1) return;
    const { hold_ratio, hold_floor_J, hold_J } = this.#limits;
    const removed = slots[EnergySlot.PASSIVITY_REMOVED] - this.#before[0];
    const kept = slots[EnergySlot.CREATED] - slots[EnergySlot.REMOVED] - removed;
    // within a contact the two ends hold different parts of what is stored: the share is judged when it is over, not when it is cut off
    const share = finished && kept > hold_ratio * slots[EnergySlot.IN] && kept > hold_floor_J;
    if (!share && !(kept > hold_J)) return;
    marks[1] = 1;
    this.exceeded = 1;
  }
}

defineFields(CreatedLimit, FIELDS);
