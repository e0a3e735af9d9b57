/** Figures that several compute side by side: each does a share of them, and all get the same bits as one alone. */

/** Who computes them. All members take the same way, and come to the same calls. */
export interface Team {
  /**
   * So many arrays of a length. A compute function does not call the team itself.
   * @param compute - out := array k, the same for every member
   * @returns all of them; they hold until the call after the next one
   */
  arrays(
    count: number,
    length: number,
    compute: (k: number, out: Float64Array) => void,
  ): readonly Float64Array[];
}

/** One alone. */
export const ONE_ALONE: Team = {
  arrays: (count, length, compute) =>
    Array.from({ length: count }, (_, k) => {
      const out = new Float64Array(length);
      compute(k, out);
      return out;
    }),
};
