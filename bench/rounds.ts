/**
 * Times several candidates in turns, so that a slow spell of the machine hits all of them, and takes the median of the rounds. A round
 * lasts about half a millisecond: shorter than what a busy machine gives a process at once, so that most are not interrupted.
 */

/** Length of a round, ns. */
const ROUND = 5e5;
/** Rounds of `first` runs before those that count: the code is compiled by then, and the number of runs in a round is known. */
const WARM_UP = 30;
/** Runs in a round are a multiple of this. */
const MULTIPLE = 10;

/** Something to time: runs so many times and returns a number that depends on every run. */
export interface Candidate {
  readonly name: string;
  /** Runs in a round of the warm-up. */
  readonly first: number;
  run(count: number): number;
}

/** Median time of one run of each candidate, ns, in their order. */
export function medianTimes(candidates: readonly Candidate[], rounds: number): number[] {
  let consumed = 0;
  const time = (candidate: Candidate, count: number): number => {
    const start = process.hrtime.bigint();
    consumed += candidate.run(count);
    return Number(process.hrtime.bigint() - start) / count;
  };
  const fastest = candidates.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < WARM_UP; round++) {
    candidates.forEach((candidate, index) => {
      fastest[index] = Math.min(fastest[index], time(candidate, candidate.first));
    });
  }
  const counts = fastest.map((each) => MULTIPLE * Math.max(1, Math.round(ROUND / each / MULTIPLE)));
  const times: number[][] = candidates.map(() => []);
  for (let round = 0; round < rounds; round++) {
    candidates.forEach((candidate, index) => times[index].push(time(candidate, counts[index])));
  }
  if (Number.isNaN(consumed)) throw new Error('a candidate gave no number');
  return times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]);
}

/** `3.14`, with three digits. */
export function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
