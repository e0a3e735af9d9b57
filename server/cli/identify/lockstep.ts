/**
 * A search that several threads do in step: each has the same data and takes the same way, and computes a share of what
 * can be computed in parts, which all read from shared memory. What comes out has the bits of one thread alone. A member that fails leaves all to the others.
 */
import type { Team } from '../../../src/identify/team.ts';

/** Words: members that have arrived, the count of meetings, and whether a member has failed. */
const ARRIVED = 0;
const MEETING = 1;
const FAILED = 2;
const HEAD_BYTES = 64;
/** Doubles of a half. Memory that is not used costs nothing; a set that does not fit is computed by each. */
const CAPACITY = 1 << 23;
/** How long a member waits before it looks whether another one has failed, ms. */
const LOOK_MS = 200;

/** Memory of a team. */
export const lockstepMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer(HEAD_BYTES + 2 * CAPACITY * Float64Array.BYTES_PER_ELEMENT);

/** One member of a team. */
export class Lockstep implements Team {
  readonly #words: Int32Array;
  /** A half is written while the other one is read. */
  readonly #halves: readonly Float64Array[];
  readonly #member: number;
  readonly #members: number;
  #sets = 0;

  constructor(memory: SharedArrayBuffer, member: number, members: number) {
    this.#words = new Int32Array(memory, 0, HEAD_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.#halves = [0, 1].map(
      (half) =>
        new Float64Array(
          memory,
          HEAD_BYTES + half * CAPACITY * Float64Array.BYTES_PER_ELEMENT,
          CAPACITY,
        ),
    );
    this.#member = member;
    this.#members = members;
  }

  arrays(
    count: number,
    length: number,
    compute: (k: number, out: Float64Array) => void,
  ): readonly Float64Array[] {
    const half = this.#halves[this.#sets++ % 2];
    // a member that has seen another one fail does not meet any more: what it wrote into shared memory might be read as another set
    const shared = count * length <= CAPACITY && !this.#hasFailed();
    const all = Array.from({ length: count }, (_, k) =>
      shared ? half.subarray(k * length, (k + 1) * length) : new Float64Array(length),
    );
    const isOwn = (k: number): boolean => k % this.#members === this.#member;
    for (const [k, out] of all.entries()) if (!shared || isOwn(k)) compute(k, out);
    if (!shared || this.#meet()) return all;
    // in memory of its own: another member may still write its share
    return all.map((own, k) => {
      const out = isOwn(k) ? own : new Float64Array(length);
      if (!isOwn(k)) compute(k, out);
      return out;
    });
  }

  /** Says that this member does not go on. */
  fail(): void {
    Atomics.store(this.#words, FAILED, 1);
    Atomics.add(this.#words, MEETING, 1);
    Atomics.notify(this.#words, MEETING);
  }

  #hasFailed(): boolean {
    return Atomics.load(this.#words, FAILED) === 1;
  }

  /** Waits until all have arrived. @returns whether they have; false once a member has failed */
  #meet(): boolean {
    const meeting = Atomics.load(this.#words, MEETING);
    if (Atomics.add(this.#words, ARRIVED, 1) + 1 === this.#members) {
      Atomics.store(this.#words, ARRIVED, 0);
      Atomics.add(this.#words, MEETING, 1);
      Atomics.notify(this.#words, MEETING);
    } else {
      while (Atomics.load(this.#words, MEETING) === meeting && !this.#hasFailed())
        Atomics.wait(this.#words, MEETING, meeting, LOOK_MS);
    }
    return !this.#hasFailed();
  }
}
