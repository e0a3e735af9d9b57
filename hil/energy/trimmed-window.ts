/**
 * Mean of the newest samples without the tenth at each end: one late frame, one stall or one loss in ten does not move it. A
 * delay that alternates between two values still comes out between them, which a median would not show.
 */
import { StateArena } from '../../src/math/state-arena.ts';

/** Part of the samples that is left out at each end. */
const TRIM = 0.1;
/** Samples present, and the slot of the next. */
const Place = Object.freeze({ COUNT: 0, NEXT: 1 });
const { COUNT, NEXT } = Place;

/** A window of fixed length. */
export class TrimmedWindow {
  /** In: the next sample. */
  readonly sample: Float64Array = new Float64Array(1);
  /** Out: the mean; 0 without a sample. */
  readonly mean: Float64Array;
  private readonly ring: Float64Array;
  private readonly sorted: Float64Array;
  private readonly place: Float64Array;

  constructor(length: number, arena: StateArena = new StateArena()) {
    this.place = arena.table(Place);
    this.mean = arena.add('mean', 1);
    this.ring = arena.add('ring', length);
    this.sorted = arena.add('sorted', length);
  }

  /** Samples present. */
  get count(): number {
    return this.place[COUNT];
  }

  /** Take `sample` in; the oldest goes when the window is full. @alloc none */
  add(): void {
    const { ring, sorted, place } = this;
    const value = this.sample[0];
    const slot = place[NEXT];
    let n = place[COUNT];
    let i = n; // slot of the sorted samples that is free
    if (n === ring.length) i = this.findOldest();
    else n++;
    while (i > 0 && sorted[i - 1] > value) {
      sorted[i] = sorted[i - 1];
      i--;
    }
    while (i + 1 < n && sorted[i + 1] < value) {
      sorted[i] = sorted[i + 1];
      i++;
    }
    sorted[i] = value;
    ring[slot] = value;
    place[NEXT] = slot + 1 === ring.length ? 0 : slot + 1;
    place[COUNT] = n;
  }

  /** Where the oldest sample is among the sorted ones. */
  private findOldest(): number {
    const { sorted } = this;
    const oldest = this.ring[this.place[NEXT]];
    let low = 0;
    let high = sorted.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] < oldest) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Bring `mean` up to date. @alloc none */
  average(): void {
    const n = this.place[COUNT];
    const cut = Math.floor(TRIM * n);
    let sum = 0;
    for (let i = cut; i < n - cut; i++) sum += this.sorted[i];
    this.mean[0] = n === 0 ? 0 : sum / (n - 2 * cut);
  }

  /** Forget everything. @alloc none */
  clear(): void {
    this.place.fill(0);
    this.mean[0] = 0;
  }
}
