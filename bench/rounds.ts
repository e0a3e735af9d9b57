/**
 * Times several candidates in turns, so that a slow spell of the machine hits all of them, and takes the median of the rounds. A round
 * should last about a millisecond: shorter than what a busy machine gives a process at once, so that most rounds are not interrupted.
 */

/** Rounds before those that count: the code is compiled by then. */
const WARM_UP = 30;

/** Something to time: runs `count` times and returns a number that depends on every run. */
export interface Candidate {
  readonly name: string;
  readonly count: number;
  run(count: number): number;
}

/** Median time of one run of each candidate, ns, in their order. */
export function medianTimes(candidates: readonly Candidate[], rounds: number): number[] {
  const times: number[][] = candidates.map(() => []);
  let consumed = 0;
  for (let round = -WARM_UP; round < rounds; round++) {
    candidates.forEach((candidate, index) => {
      const start = process.hrtime.bigint();
      consumed += candidate.run(candidate.count);
      const each = Number(process.hrtime.bigint() - start) / candidate.count;
      if (round >= 0) times[index].push(each);
    });
  }
  if (Number.isNaN(consumed)) throw new Error('a candidate gave no number');
  return times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]);
}

/** `3.14`, with three digits. */
export function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
