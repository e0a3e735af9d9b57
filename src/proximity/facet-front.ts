/**
 * The front of a search of pairs of nodes: where its descent stopped, in the order of the tree of pairs. Entries that are examined again stay
 * where they are; those that split go to a list of their own and are put in their places at the end of the search.
 */

import type { Columns } from '../math/columns.ts';

/** Pairs of nodes with bounds of their distances. */
export class FacetFront {
  /** Nodes of A and of B. */
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** Bound of the distance plus the motion until it was taken, m. */
  readonly budgets: Float64Array;
  /** For two facets what had their closest points, or NO_GUESS. */
  readonly guesses: Int32Array;
  count = 0;
  /** Whether there was no place for an entry: the front is of no use. */
  overflowed = false;
  /** Parts of entries that split, one after the other. */
  private readonly partA: Int32Array;
  private readonly partB: Int32Array;
  private readonly partBudgets: Float64Array;
  private readonly partGuesses: Int32Array;
  private parts = 0;
  /** Entries that split, and where their parts end. */
  private readonly split: Int32Array;
  private readonly ends: Int32Array;
  private splits = 0;

  constructor(capacity: number, columns: Columns) {
    this.a = columns.integers(capacity);
    this.b = columns.integers(capacity);
    this.budgets = columns.doubles(capacity);
    this.guesses = columns.integers(capacity);
    this.partA = new Int32Array(capacity);
    this.partB = new Int32Array(capacity);
    this.partBudgets = new Float64Array(capacity);
    this.partGuesses = new Int32Array(capacity);
    this.split = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
  }

  /** Before a search. */
  begin(): void {
    this.parts = 0;
    this.splits = 0;
    this.overflowed = false;
  }

  /** A part of the entry that is examined, or of the whole search. */
  add(i: number, j: number, budget: Float64Array, guess: number): void {
    const at = this.parts;
    if (at >= this.partA.length) {
      this.overflowed = true;
      return;
    }
    this.parts++;
    this.partA[at] = i;
    this.partB[at] = j;
    this.partBudgets[at] = budget[0];
    this.partGuesses[at] = guess;
  }

  /** Entry n has been examined: its parts are those that were added since the entry before. */
  settle(n: number): void {
    const { splits, ends, parts } = this;
    const from = splits > 0 ? ends[splits - 1] : 0;
    const whole = parts === from + 1 && this.partA[from] === this.a[n];
    if (whole && this.partB[from] === this.b[n]) {
      this.budgets[n] = this.partBudgets[from];
      this.guesses[n] = this.partGuesses[from];
      this.parts = from;
      return;
    }
    this.split[splits] = n;
    ends[splits] = parts;
    this.splits++;
  }

  /** All parts together are the front: after a search from the roots. */
  takeAll(): void {
    const { a, b, budgets, guesses, partA, partB, partBudgets, partGuesses } = this;
    this.count = this.parts;
    for (let n = 0; n < this.count; n++) {
      a[n] = partA[n];
      b[n] = partB[n];
      budgets[n] = partBudgets[n];
      guesses[n] = partGuesses[n];
    }
  }

  /** Parts take the places of the entries that split. */
  merge(): void {
    const { a, b, budgets, guesses, split, ends } = this;
    const { partA, partB, partBudgets, partGuesses } = this;
    const count = this.count + this.parts - this.splits;
    if (count > a.length) {
      this.overflowed = true;
      return;
    }
    let to = count;
    let end = this.count;
    let part = this.parts;
    for (let s = this.splits - 1; s >= 0; s--) {
      const n = split[s];
      for (let e = end - 1; e > n; e--) {
        to--;
        a[to] = a[e];
        b[to] = b[e];
        budgets[to] = budgets[e];
        guesses[to] = guesses[e];
      }
      const from = s > 0 ? ends[s - 1] : 0;
      while (part > from) {
        part--;
        to--;
        a[to] = partA[part];
        b[to] = partB[part];
        budgets[to] = partBudgets[part];
        guesses[to] = partGuesses[part];
      }
      end = n;
    }
    this.count = count;
  }
}
