/** Mean of the last second and worst of the last ten, for each stage of the tick, from the newest ticks of the feed. */
import type { TimingStatus } from '../../client/messages.ts';

/** Stages in the order of a tick. */
const STAGES = ['rx', 'operator', 'safety', 'compensate', 'step', 'guard', 'tx', 'record'] as const;

const WORDS: Readonly<Record<string, string>> = {
  rx: 'receive',
  operator: 'operator',
  safety: 'safety',
  compensate: 'compensation',
  step: 'model step',
  guard: 'audit and guard',
  tx: 'send',
  record: 'record',
  margin: 'spare',
};

/** A part of the period. */
export interface StageFigure {
  readonly name: string;
  readonly words: string;
  readonly mean_s: number;
  /** Largest value; of the spare time the smallest. */
  readonly worst_s: number;
}

interface Second {
  readonly number: number;
  ticks: number;
  readonly sums: Map<string, number>;
  readonly worsts: Map<string, number>;
}

const KEPT = 10;

/** Parts by name; the spare time last. */
function partsOf(timing: TimingStatus): [string, number][] {
  const stages = STAGES.map((name): [string, number] => [name, timing[`stage_${name}_s`]]);
  return [...stages, ['margin', timing.margin_s]];
}

export class StageWindow {
  readonly #seconds: Second[] = [];

  /** Adds one tick received at `now_s`. */
  add(timing: TimingStatus, now_s: number): void {
    const number = Math.floor(now_s);
    let second = this.#seconds.at(-1);
    if (second?.number !== number) {
      second = { number, ticks: 0, sums: new Map(), worsts: new Map() };
      this.#seconds.push(second);
      while (this.#seconds[0].number <= number - KEPT) this.#seconds.shift();
    }
    second.ticks++;
    for (const [name, value] of partsOf(timing)) {
      second.sums.set(name, (second.sums.get(name) ?? 0) + value);
      second.worsts.set(name, worse(name, second.worsts.get(name) ?? value, value));
    }
  }

  /** Figures of the newest complete second, or of the present one when it is the first. */
  figures(): StageFigure[] {
    const newest = this.#seconds.at(-2) ?? this.#seconds.at(-1);
    if (newest === undefined) return [];
    return [...newest.sums].map(([name, sum]) => ({
      name,
      words: WORDS[name] ?? name,
      mean_s: sum / newest.ticks,
      worst_s: this.#seconds
        .flatMap((second) => second.worsts.get(name) ?? [])
        .reduce((a, b) => worse(name, a, b)),
    }));
  }
}

const worse = (name: string, a: number, b: number): number =>
  name === 'margin' ? Math.min(a, b) : Math.max(a, b);
