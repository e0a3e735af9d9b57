/**
 * Contact permit (hil-anchors 3 and 9.3; docs/theory/loop-energy.md, Permit). Before the arm may move, the prediction from measured
 * delay, effective mass and stiffness must keep the limits of restitution and margin. Otherwise the holder of authority has to
 * acknowledge it.
 *
 * An acknowledgement covers what was predicted then and a fifth more: a delay that goes on growing needs another one. Of what was
 * not known then it covers only that it is not known. It lasts until authority changes hands or the link is lost.
 */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';
import { pow } from '../../src/math/elementary/power.ts';
import { PermitState } from '../contract/commands.ts';

/** Slots of `ContactPermit.predicted`, filled by the caller before `update`: the worst of the contacts that are known. */
export const PermitSlot = Object.freeze({
  /** Restitution as the loop is set. */
  RESTITUTION: 0,
  /** Critical delay over delay. */
  MARGIN: 1,
  /** K_a k T of the accommodation. */
  GAIN: 2,
  /** Contacts of which nothing is known. */
  UNKNOWN: 3,
});
const SLOTS = 4;

/** Marks of a permit and what they begin with. */
const FIELDS = { state: PermitState.NONE, lost: 0, acknowledged: false };

/** Limits of a permit. */
export interface PermitLimits {
  readonly restitution_limit: number;
  readonly margin_limit: number;
  /** `advisory` reports, and never requires an acknowledgement. */
  readonly permit: 'required' | 'advisory';
}

/** K_a k T from which the force of a rate loop overshoots. */
export const GAIN_LIMIT: number = 1 / Math.E;
/** What an acknowledgement covers beyond what was predicted when it was given. */
const ALLOWANCE = 1.2;
/** A permit that is missing for so long is lost, s. */
const LOST_s = 1;

/** Contact permit of the current authority holder. */
export class ContactPermit {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  /** Index in PERMIT_STATES. */
  declare state: number;
  /** 1 when it has been missing for a second. */
  declare lost: number;
  readonly predicted: Float64Array;
  readonly #limits: PermitLimits;
  readonly #covered: Float64Array;
  readonly #missing_s: Float64Array;
  declare private acknowledged: boolean;

  constructor(limits: PermitLimits, arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.cells = arena.fields(FIELDS);
    this.#missing_s = arena.add('missing_s', 1);
    this.predicted = arena.add('predicted', SLOTS);
    this.#covered = arena.add('covered', SLOTS);
    this.predicted.set([0, Infinity, 0, 1]);
    this.#limits = limits;
  }

  /** Take the contact as it is predicted now. @alloc none */
  acknowledge(): void {
    const p = this.predicted;
    const c = this.#covered;
    c[PermitSlot.RESTITUTION] = cover(p[PermitSlot.RESTITUTION]);
    c[PermitSlot.MARGIN] = p[PermitSlot.MARGIN] / ALLOWANCE;
    c[PermitSlot.GAIN] = p[PermitSlot.GAIN] * ALLOWANCE;
    c[PermitSlot.UNKNOWN] = p[PermitSlot.UNKNOWN];
    this.acknowledged = true;
    this.judge();
  }

  /** Take an acknowledgement back. @alloc none */
  withdraw(): void {
    this.acknowledged = false;
    this.judge();
  }

  /** Judge `predicted` between two `update`: a command of the same tick may need it next. @alloc none */
  judge(): void {
    if (this.state === PermitState.NONE) return;
    if (this.#within()) this.state = PermitState.VALID;
    else
      this.state =
        this.acknowledged && this.#covers() ? PermitState.ACKNOWLEDGED : PermitState.NEEDED;
  }

  /** Once per tick; `expected`: a contact over a delayed loop is possible. `elapsed` is [s]. @alloc none */
  update(expected: boolean, elapsed: Float64Array): void {
    if (!expected) {
      // the link is not up, or was lost: no operator has seen what comes over the next one
      this.state = PermitState.NONE;
      this.acknowledged = false;
      this.#missing_s[0] = 0;
      this.lost = 0;
      return;
    }
    if (this.state === PermitState.NONE) this.state = PermitState.NEEDED;
    this.judge();
    this.#missing_s[0] = this.needed ? this.#missing_s[0] + elapsed[0] : 0;
    this.lost = this.#missing_s[0] >= LOST_s ? 1 : 0;
  }

  /** Whether ARM must wait for an acknowledgement. @alloc none */
  get needed(): boolean {
    return this.state === PermitState.NEEDED && this.#limits.permit === 'required';
  }

  #within(): boolean {
    const p = this.predicted;
    const { restitution_limit, margin_limit } = this.#limits;
    return (
      p[PermitSlot.RESTITUTION] <= restitution_limit &&
      p[PermitSlot.MARGIN] >= margin_limit &&
      p[PermitSlot.GAIN] < GAIN_LIMIT &&
      p[PermitSlot.UNKNOWN] === 0
    );
  }

  #covers(): boolean {
    const p = this.predicted;
    const c = this.#covered;
    const { restitution_limit, margin_limit } = this.#limits;
    const restitution = p[PermitSlot.RESTITUTION];
    const margin = p[PermitSlot.MARGIN];
    const gain = p[PermitSlot.GAIN];
    return (
      (restitution <= restitution_limit || restitution <= c[PermitSlot.RESTITUTION]) &&
      (margin >= margin_limit || margin >= c[PermitSlot.MARGIN]) &&
      (gain < GAIN_LIMIT || gain <= c[PermitSlot.GAIN]) &&
      p[PermitSlot.UNKNOWN] <= c[PermitSlot.UNKNOWN]
    );
  }
}

defineFields(ContactPermit, FIELDS);

/** Restitution of a fifth more delay: above 1 it grows as exp(T), up to 1 nothing is gained. */
function cover(restitution: number): number {
  return restitution > 1 ? pow(restitution, ALLOWANCE) : Math.min(1, restitution * ALLOWANCE);
}
