/**
 * Injected faults of the loop: which are active, with what amount, and when they end. The injecting
 * link, the operator port and the tick read their amounts here. Faults are counted and reported as
 * events, so that a recording contains them.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import { EventKind } from '../contract/events.ts';
import { INJECTION_TABLE, LASTING_INJECTIONS } from '../contract/injections.ts';
import { LoopSlot } from '../memory/loop-counters.ts';
import type { LoopEvents } from '../telemetry/loop-events.ts';

const COUNT = INJECTION_TABLE.length;
const LEAST = Float64Array.from(INJECTION_TABLE, ({ least }) => least);
const MOST = Float64Array.from(INJECTION_TABLE, ({ most }) => most);
const LASTING = -1;
/** Place of each kind among those with a gauge, −1 for what ends with its tick. */
const GAUGE = Int32Array.from(INJECTION_TABLE, ({ name }) => LASTING_INJECTIONS.indexOf(name));
const ACTIVE = LoopSlot.injected_fault_active;

/** Table of the faults that are active, with amounts and end times. */
export class FaultInjection {
  /** Amount of each kind, 0 where it is not active. */
  readonly amounts: Float64Array;
  /** Remaining ticks of each, −1 for a fault without an end time. */
  readonly #left: Float64Array;
  readonly #period_s: Float64Array;
  readonly #events: LoopEvents;
  readonly #slots: Float64Array;

  constructor(
    events: LoopEvents,
    counters: SharedArrayBuffer,
    period_s: number,
    arena: StateArena = new StateArena(),
  ) {
    this.amounts = arena.add('amounts', COUNT);
    this.#left = arena.add('left', COUNT);
    this.#events = events;
    this.#slots = new Float64Array(counters);
    // the counters outlive a loop, its faults do not
    this.#slots.fill(0, ACTIVE, ACTIVE + LASTING_INJECTIONS.length);
    this.#period_s = Float64Array.of(period_s);
  }

  /** Ends faults whose time is over. Call it once per tick, before the commands. @alloc none */
  advance(): void {
    const left = this.#left;
    for (let kind = 0; kind < COUNT; kind++) {
      if (left[kind] > 0 && --left[kind] === 0) this.#end(kind);
    }
  }

  /**
   * Starts a fault with the amount values[at]; an amount of 0 ends it. Kind −1 ends all.
   * @returns whether kind and amount are allowed
   * @alloc none
   */
  inject(kind: number, values: Float64Array, at: number): boolean {
    if (kind < 0) {
      for (let each = 0; each < COUNT; each++) this.#end(each);
      return true;
    }
    if (!(kind < COUNT && values[at] >= LEAST[kind] && values[at] <= MOST[kind])) return false;
    const { end, unit } = INJECTION_TABLE[kind];
    if (values[at] === 0) {
      this.#end(kind);
      return true;
    }
    this.amounts[kind] = values[at];
    if (end === 'lasting') this.#left[kind] = LASTING;
    else if (end === 'once') this.#left[kind] = 1;
    else this.#left[kind] = Math.ceil(unit === 's' ? values[at] / this.#period_s[0] : values[at]);
    this.#slots[LoopSlot.injected_faults_total + kind]++;
    this.#mark(kind, 1);
    this.#events.detail[0] = values[at];
    this.#events.write(EventKind.INJECTED, kind, 1);
    return true;
  }

  /** Whether an instantaneous fault occurred in this tick. @alloc none */
  came(kind: number): boolean {
    return this.amounts[kind] !== 0;
  }

  #mark(kind: number, active: number): void {
    if (GAUGE[kind] >= 0) this.#slots[ACTIVE + GAUGE[kind]] = active;
  }

  #end(kind: number): void {
    if (this.amounts[kind] === 0) return;
    this.amounts[kind] = 0;
    this.#left[kind] = 0;
    this.#mark(kind, 0);
    if (INJECTION_TABLE[kind].end !== 'once') this.#events.write(EventKind.INJECTED, kind, 0);
  }
}

/** Names of the active faults, from the loop's counters. */
export function injectedNow(counters: SharedArrayBuffer): string[] {
  const slots = new Float64Array(counters);
  return LASTING_INJECTIONS.filter((_, index) => slots[ACTIVE + index] === 1);
}
