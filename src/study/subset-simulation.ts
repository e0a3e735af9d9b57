/**
 * Probability of a rare event by subset simulation (Au and Beck 2001, Probab. Eng. Mech. 16): it is the product of the shares of nested events
 * g ≥ b₁ < b₂ < …, each of which about a tenth of the points of the one before reach. Points of a level come from chains that begin at the points of
 * the level before that reach its threshold, in normal scores z: a candidate is √(1 − σ²) z + σ ξ, and is taken where g reaches the threshold
 * (conditional sampling; Papaioannou, Betz, Zwirglmaier and Straub 2015, Probab. Eng. Mech. 41). All chains make a step at a time, so that their runs may
 * be done in any order; σ follows the share of candidates that were taken.
 */
import { expect, range } from '../base/parameter-checks.ts';
import { exp } from '../math/elementary/exponential.ts';
import { log } from '../math/elementary/logarithm.ts';
import { Random } from '../math/random.ts';
import { type Figure, rateInterval } from './intervals.ts';
import { normalProbability, normalQuantile } from './normal.ts';

/** A tenth of the points of a level begin the chains of the next one, each of so many points. */
export const CHAIN = 10;
/** Factor of σ at first, and the share of candidates taken that it is led to (Papaioannou et al. 2015, 4.2). */
const FIRST_SCALE = 0.6;
const WANTED_SHARE = 0.44;

export interface SubsetOptions {
  /** Points of a level, a multiple of CHAIN. */
  readonly count: number;
  readonly dimensions: number;
  /** Levels at most: the least probability that can be told is about 10^-levels. */
  readonly levels: number;
  readonly seed: number;
}

/** A level. */
export interface SubsetLevel {
  /** What its points had to reach; −∞ of the first. */
  readonly threshold: number;
  /** Part of them that reached the threshold of the next level; of the last level, the event. */
  readonly share: number;
}

/** What came out. */
export interface RareEvent extends Figure {
  readonly levels: readonly SubsetLevel[];
  /** Standard deviation of the probability over the probability; infinite when no point had the event. */
  readonly variation: number;
}

/** The points whose responses are wanted next, until the probability is known. */
export class SubsetSimulation {
  /** Points of the unit cube whose responses are wanted, row by row. */
  pending: Float64Array;
  /** Null before the end. */
  event: RareEvent | null = null;
  readonly #options: SubsetOptions;
  readonly #confidence: number;
  readonly #random: Random;
  readonly #chains: number;
  /** Normal scores and responses of the points of a level, step by step, chain by chain. */
  readonly #scores: Float64Array;
  readonly #responses: Float64Array;
  readonly #candidates: Float64Array;
  /** Point of the first level that each one comes from. */
  readonly #ancestors: Int32Array;
  /** Points of the level that are there. */
  #filled = 0;
  #threshold = -Infinity;
  readonly #sigma: Float64Array;
  readonly #spread: Float64Array;
  #scale = FIRST_SCALE;
  /** Steps of the chains of the level. */
  #steps = 0;
  readonly #levels: SubsetLevel[] = [];
  #probability = 1;

  /** @throws BerthError naming the option */
  constructor(options: SubsetOptions, confidence: number) {
    const { count, dimensions: d, levels, seed } = options;
    const whole = Number.isInteger(count) && count >= 10 * CHAIN && count % CHAIN === 0;
    expect('runs', count, whole, `to be a multiple of ${CHAIN}, and ${10 * CHAIN} at least`);
    range('levels', levels, Number.isInteger(levels) && levels >= 1, 'to be a whole number ≥ 1');
    this.#options = options;
    this.#confidence = confidence;
    this.#random = new Random(seed);
    this.#chains = count / CHAIN;
    this.#scores = new Float64Array(count * d);
    this.#responses = new Float64Array(count);
    this.#ancestors = Int32Array.from({ length: count }, (_, n) => n);
    this.#candidates = Float64Array.from({ length: count * d }, () => this.#random.gaussian());
    this.#sigma = new Float64Array(d);
    this.#spread = new Float64Array(d);
    this.pending = this.#candidates.map(normalProbability);
  }

  /** Responses g of the pending points, larger the nearer to the event, which is g > 0. */
  take(responses: Float64Array): void {
    const { count } = this.#options;
    expect(
      'responses',
      responses.length,
      this.event === null && responses.length === this.#pendingCount(),
      'to be one of each pending point',
    );
    if (this.#filled === 0) {
      this.#scores.set(this.#candidates);
      this.#responses.set(responses);
      this.#filled = count;
    } else this.#stepChains(responses);
    if (this.#filled === count) this.#endLevel();
    if (this.event === null) this.#propose();
    else this.pending = new Float64Array(0);
  }

  #pendingCount(): number {
    return this.pending.length / this.#options.dimensions;
  }

  /** Each chain goes to its candidate where that reaches the threshold, else it stays. */
  #stepChains(responses: Float64Array): void {
    const { dimensions: d } = this.#options;
    let taken = 0;
    for (let c = 0; c < this.#chains; c++) {
      const to = this.#filled + c;
      const from = to - this.#chains;
      this.#ancestors[to] = this.#ancestors[from];
      if (responses[c] >= this.#threshold) {
        taken++;
        this.#responses[to] = responses[c];
        for (let j = 0; j < d; j++) this.#scores[d * to + j] = this.#candidates[d * c + j];
      } else {
        this.#responses[to] = this.#responses[from];
        this.#scores.copyWithin(d * to, d * from, d * (from + 1));
      }
    }
    this.#filled += this.#chains;
    this.#steps++;
    this.#scale *= exp((taken / this.#chains - WANTED_SHARE) / Math.sqrt(this.#steps));
  }

  #endLevel(): void {
    const { count, levels } = this.#options;
    const order = Float64Array.from(this.#responses).sort();
    const at = count - this.#chains;
    // two infinite responses have no middle
    const next = order[at - 1] === order[at] ? order[at] : 0.5 * (order[at - 1] + order[at]);
    const isLast = next > 0 || this.#levels.length + 1 === levels || next <= this.#threshold;
    const reaches = isLast
      ? (response: number): boolean => response > 0
      : (response: number): boolean => response >= next;
    const hits = this.#responses.filter(reaches).length;
    const share = hits / count;
    this.#levels.push({ threshold: this.#threshold, share });
    if (isLast) {
      this.#end(hits, reaches);
      return;
    }
    this.#probability *= share;
    this.#threshold = next;
    this.#beginChains(reaches);
  }

  /** A chain begins at each of the first points that reach the threshold; there are as many as chains, or more where responses are equal. */
  #beginChains(reaches: (response: number) => boolean): void {
    const { dimensions: d } = this.#options;
    let chain = 0;
    for (let n = 0; chain < this.#chains; n++) {
      if (!reaches(this.#responses[n])) continue;
      this.#responses[chain] = this.#responses[n];
      this.#ancestors[chain] = this.#ancestors[n];
      this.#scores.copyWithin(d * chain, d * n, d * (n + 1));
      chain++;
    }
    for (let j = 0; j < d; j++) {
      let sum = 0;
      for (let c = 0; c < this.#chains; c++) sum += this.#scores[d * c + j];
      let square = 0;
      for (let c = 0; c < this.#chains; c++) {
        const off = this.#scores[d * c + j] - sum / this.#chains;
        square += off * off;
      }
      this.#spread[j] = Math.sqrt(square / (this.#chains - 1));
    }
    this.#filled = this.#chains;
    this.#scale = FIRST_SCALE;
    this.#steps = 0;
  }

  #propose(): void {
    const { dimensions: d } = this.#options;
    for (let j = 0; j < d; j++) this.#sigma[j] = Math.min(1, this.#scale * this.#spread[j]);
    this.pending = new Float64Array(this.#chains * d);
    for (let c = 0; c < this.#chains; c++) {
      const from = d * (this.#filled - this.#chains + c);
      for (let j = 0; j < d; j++) {
        const sigma = this.#sigma[j];
        const z =
          Math.sqrt(1 - sigma * sigma) * this.#scores[from + j] + sigma * this.#random.gaussian();
        this.#candidates[d * c + j] = z;
        this.pending[d * c + j] = normalProbability(z);
      }
    }
  }

  /**
   * Points that have the event are clusters of those that come from the same point of the first level: Σ (size of a cluster over all)² is the square of
   * the variation (Lee and Whiteley 2018, Biometrika 105(3), with all that chains and levels correlate). The interval is that of a log-normal estimate; of one level,
   * and without a point that had the event, that of a rate.
   */
  #end(hits: number, reaches: (response: number) => boolean): void {
    const { count } = this.#options;
    const levels = this.#levels;
    const p = this.#probability;
    const clusters = new Float64Array(count);
    for (let n = 0; n < count; n++)
      if (reaches(this.#responses[n])) clusters[this.#ancestors[n]] += 1 / hits;
    const variance = hits === 0 ? Infinity : clusters.reduce((sum, part) => sum + part * part, 0);
    const value = (p * hits) / count;
    const variation = Math.sqrt(variance);
    if (levels.length === 1 || hits === 0) {
      const { low, high } = rateInterval(hits, count, this.#confidence);
      this.event = { value, low: p * low, high: p * high, levels, variation };
      return;
    }
    const width = normalQuantile(0.5 + 0.5 * this.#confidence) * Math.sqrt(log(1 + variance));
    const [low, high] = [value * exp(-width), Math.min(1, value * exp(width))];
    this.event = { value, low, high, levels, variation };
  }
}
