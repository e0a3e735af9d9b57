/** Counters of the loop in shared memory: slots are looked up once, and every tick adds to them without allocation. */
import {
  type FamilySlots,
  FORCE_BUCKETS,
  GAIN_BUCKETS,
  LATENCY_BUCKETS,
  LOOP_FAMILIES,
  RESTITUTION_BUCKETS,
  slotsOf,
} from '../contract/counters.ts';

/** Slots of the loop: the first series of each family; the others follow in the order of their labels. */
export const LoopSlot: FamilySlots<typeof LOOP_FAMILIES> = slotsOf(LOOP_FAMILIES);

const LATENCIES = Float64Array.from(LATENCY_BUCKETS);
const LATENCY_WIDTH = LATENCIES.length + 2;
const FORCES = Float64Array.from(FORCE_BUCKETS);
const RESTITUTIONS = Float64Array.from(RESTITUTION_BUCKETS);
const RESTITUTION_WIDTH = RESTITUTIONS.length + 2;
const GAINS = Float64Array.from(GAIN_BUCKETS);

/**
 * The loop's block of counters. An observed value is passed in `value[0]`, because a double
 * argument might be boxed.
 */
export class LoopCounters {
  readonly slots: Float64Array;
  readonly value: Float64Array = new Float64Array(1);

  constructor(buffer: SharedArrayBuffer) {
    this.slots = new Float64Array(buffer);
  }

  /** Adds `value[0]`, s, to the latency histogram at `at`. */
  observeLatency(at: number): void {
    this.#observe(at, LATENCIES);
  }

  /** Adds `value[0]`, s, to the duration histogram of stage number `stage`. */
  observeStage(stage: number): void {
    this.#observe(LoopSlot.loop_stage_duration_seconds + stage * LATENCY_WIDTH, LATENCIES);
  }

  /** Adds `value[0]`, N, to the force histogram at `at`. */
  observeForce(at: number): void {
    this.#observe(at, FORCES);
  }

  /** Adds `value[0]` to the restitution histogram of a side, 0 simulated, 1 hardware. */
  observeRestitution(side: number): void {
    this.#observe(LoopSlot.contact_restitution_ratio + side * RESTITUTION_WIDTH, RESTITUTIONS);
  }

  /** Adds `value[0]` to the histogram of energy gain. */
  observeGain(): void {
    this.#observe(LoopSlot.contact_energy_gain_ratio, GAINS);
  }

  #observe(at: number, buckets: Float64Array): void {
    const value = this.value[0];
    let bucket = 0;
    while (bucket < buckets.length && value > buckets[bucket]) bucket++;
    this.slots[at + bucket] += 1;
    this.slots[at + buckets.length + 1] += value;
  }
}
