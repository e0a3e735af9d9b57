/** Runs the cases: for each of them all engines in turns, each in processes of its own, alone and after other scenes. */
import type { StepCase } from './step-cases.ts';
import { SubjectProcess } from './subject-process.ts';

/** Time of a step. */
export interface Figure {
  /** Median of the rounds, µs of processor time. */
  readonly median_us: number;
  /** Half the distance of the quartiles, over the median. */
  readonly spread: number;
}

/** An engine with a scene. */
export interface Measured {
  readonly engine: string;
  readonly name: string;
  readonly contact: string;
  /** What came out, and whether it is about right. */
  readonly result: string;
  readonly holds: boolean;
  /** Why there are no figures. */
  readonly missing: string;
  readonly alone: Figure | null;
  readonly after: Figure | null;
}

/** A case. */
export interface MeasuredCase {
  readonly scene: string;
  /** Of the piece of arithmetic that never changes, µs. */
  readonly yardstick_us: number;
  readonly engines: readonly Measured[];
}

/** Median and spread of times. */
export function figure(times: readonly number[]): Figure | null {
  if (times.length === 0) return null;
  const sorted = [...times].sort((a, b) => a - b);
  const at = (q: number): number => sorted[Math.round(q * (sorted.length - 1))];
  const median = at(0.5);
  return { median_us: median, spread: (at(0.75) - at(0.25)) / 2 / median };
}

/** Where a round takes long, there are fewer: about this long for all, but so many at least. */
const ALL_ROUNDS_US = 4e6;
const LEAST_ROUNDS = 5;

function roundsOf({ ready }: SubjectProcess, most: number): number {
  const many = Math.ceil(ALL_ROUNDS_US / Math.max(1, ready.round_us));
  return Math.min(most, Math.max(LEAST_ROUNDS, many));
}

/** Times one scene. Peers of a scene that differs in Berth alone are measured with it again, in the same turns. */
export async function measureCase(
  { scene, peers }: StepCase,
  peerNames: readonly string[],
  rounds: number,
): Promise<MeasuredCase> {
  const engines = ['Berth', ...(peers === undefined ? [] : peerNames)];
  const scenes = engines.map((engine) => (engine === 'Berth' ? scene : peers!));
  const yardstick = await SubjectProcess.start({
    engine: 'yardstick',
    scene,
    after: false,
    result: false,
  });
  const started: (readonly [alone: SubjectProcess, after: SubjectProcess])[] = [];
  for (const [k, engine] of engines.entries()) {
    const subject = { engine, scene: scenes[k] };
    started.push([
      await SubjectProcess.start({ ...subject, after: false, result: true }),
      await SubjectProcess.start({ ...subject, after: true, result: false }),
    ]);
  }
  for (let round = 0; round < rounds; round++) {
    for (const each of [yardstick, ...started.flat()]) {
      if (round < roundsOf(each, rounds)) await each.round();
    }
  }
  for (const each of [yardstick, ...started.flat()]) each.end();
  return {
    scene,
    yardstick_us: figure(yardstick.times_us)!.median_us,
    engines: started.map(([alone, after], k) => ({
      engine: engines[k],
      name: alone.ready.name,
      contact: alone.ready.contact,
      result: alone.ready.result?.words ?? '',
      holds: alone.ready.result?.holds ?? false,
      missing: alone.missing,
      alone: figure(alone.times_us),
      after: figure(after.times_us),
    })),
  };
}
