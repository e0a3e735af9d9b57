/** The statistics of studies beside closed forms: indices of influence, intervals, tolerance limits, rare events. */
import { Random } from '../../../src/math/random.ts';
import { sobolDesign } from '../../../src/study/designs.ts';
import {
  meanInterval,
  quantileInterval,
  rateInterval,
  runsForTolerance,
  toleranceLimits,
} from '../../../src/study/intervals.ts';
import { normalQuantile } from '../../../src/study/normal.ts';
import { saltelliDesign, sobolIndices } from '../../../src/study/sobol-indices.ts';
import { SubsetSimulation } from '../../../src/study/subset-simulation.ts';
import {
  atMost,
  closedForm,
  curve,
  type Figure,
  type Plot,
  printed,
  type ValidationCase,
} from '../case.ts';

const CONFIDENCE = 0.95;
/** Seeds over which intervals are counted: a share of 95 % has a standard deviation of 1 %. */
const SEEDS = 500;
const HELD = 0.03;
/** Pairs of the design of the figures, and of the curve. */
const PAIRS = 4096;
const GROWTH = [128, 256, 512, 1024, 2048, PAIRS];
/** Probability behind a plane, seeds, most runs, and the factor that an estimate is to keep. */
const RARE = { truth: 1e-5, seeds: 60, runs: 20_000, factor: 1.5 };

interface Part {
  readonly figures: readonly Figure[];
  readonly plots: readonly Plot[];
}

/** Ishigami and Homma (1990): a = 7, b = 0.1, three angles uniform on (−π, π). */
export function ishigami(u: Float64Array, at: number): number {
  const [x, y, z] = [0, 1, 2].map((j) => Math.PI * (2 * u[at + j] - 1));
  return Math.sin(x) + 7 * Math.sin(y) ** 2 + 0.1 * z ** 4 * Math.sin(x);
}

/** Its indices in closed form, first and total. */
export function ishigamiIndices(): { readonly first: number[]; readonly total: number[] } {
  const pi4 = Math.PI ** 4;
  const [a, b] = [7, 0.1];
  const variance = (a * a) / 8 + (b * pi4) / 5 + (b * b * pi4 * pi4) / 18 + 0.5;
  const first = [0.5 * (1 + (b * pi4) / 5) ** 2, (a * a) / 8, 0].map((v) => v / variance);
  const both = (b * b * pi4 * pi4 * (1 / 18 - 1 / 50)) / variance;
  return { first, total: [first[0] + both, first[1], both] };
}

function influence(): Part {
  const { first, total } = ishigamiIndices();
  const indicesOf = (pairs: number): ReturnType<typeof sobolIndices> => {
    const { count, points } = saltelliDesign(sobolDesign(pairs, 6, 2026));
    const values = Float64Array.from({ length: count }, (_, i) => ishigami(points, 3 * i));
    return sobolIndices(values, 3, 200, 0.99, 1);
  };
  const grown = GROWTH.map(indicesOf);
  const found = grown[grown.length - 1];
  return {
    figures: found.flatMap((index, k) => [
      closedForm(`Ishigami, first index of x${k + 1}`, '1', index.first, first[k], 0.02),
      closedForm(`Ishigami, total index of x${k + 1}`, '1', index.total, total[k], 0.02),
    ]),
    plots: [
      {
        title: 'Indices of Ishigami over the pairs of runs',
        xLabel: 'pairs',
        yLabel: 'index',
        xScale: 'log',
        curves: [0, 1, 2].flatMap((k) => [
          curve(
            `first, x${k + 1}`,
            GROWTH,
            grown.map((one) => one[k].first),
          ),
          {
            name: `closed form, x${k + 1}`,
            kind: 'bound' as const,
            x: [GROWTH[0], PAIRS],
            y: [first[k], first[k]],
          },
        ]),
      },
    ],
  };
}

/** Probability that the interval of a rate holds it, over all numbers of hits. */
function rateCoverage(runs: number, rate: number): number {
  let held = 0;
  let share = (1 - rate) ** runs;
  for (let hits = 0; hits <= runs; hits++) {
    const { low, high } = rateInterval(hits, runs, CONFIDENCE);
    if (low <= rate && rate <= high) held += share;
    share *= ((runs - hits) * rate) / ((hits + 1) * (1 - rate));
  }
  return held;
}

function rates(): Part {
  const runs = 100;
  const probabilities = Array.from({ length: 199 }, (_, i) => (i + 1) / 200);
  const held = probabilities.map((p) => rateCoverage(runs, p));
  const none = rateInterval(0, 59, CONFIDENCE);
  return {
    figures: [
      atMost(
        'rate: share of intervals that miss, worst of 199 rates',
        '1',
        1 - Math.min(...held),
        0.05,
      ),
      closedForm('rate: upper end after 0 of 59', '1', none.high, 1 - 0.025 ** (1 / 59), 1e-12),
    ],
    plots: [
      {
        title: 'How often the interval of a rate of 100 runs holds it',
        xLabel: 'rate',
        yLabel: 'share',
        curves: [
          curve('Clopper and Pearson', probabilities, held),
          { name: '95 %', kind: 'bound', x: [0, 1], y: [0.95, 0.95] },
        ],
      },
    ],
  };
}

/** Intervals of a mean, of a median, and the largest of 59, over seeds. */
function intervals(): Part {
  const hits = { mean: 0, median: 0, wilks: 0 };
  const truth95 = normalQuantile(0.95);
  for (let seed = 0; seed < SEEDS; seed++) {
    const random = new Random(40_000 + seed);
    const draws = Float64Array.from({ length: 59 }, () => random.gaussian());
    const mean = meanInterval(draws, CONFIDENCE);
    if (mean.low <= 0 && 0 <= mean.high) hits.mean++;
    draws.sort();
    const median = quantileInterval(draws, 0.5, CONFIDENCE);
    if (median.low <= 0 && 0 <= median.high) hits.median++;
    if (toleranceLimits(draws, 0.95, CONFIDENCE).high >= truth95) hits.wilks++;
  }
  const share = (of: number): number => of / SEEDS;
  return {
    figures: [
      closedForm(
        `mean of 59 normal runs: share of ${SEEDS} intervals`,
        '1',
        share(hits.mean),
        CONFIDENCE,
        HELD,
      ),
      atMost(
        `median of 59: share of ${SEEDS} intervals that miss`,
        '1',
        1 - share(hits.median),
        0.05 + HELD,
      ),
      closedForm(
        'largest of 59 beyond the 95 % quantile',
        '1',
        share(hits.wilks),
        1 - 0.95 ** 59,
        HELD,
      ),
      printed('runs for 95 % with 95 %', '1', runsForTolerance(0.95, 0.95), 59, 0),
    ],
    plots: [],
  };
}

function rare(): Part {
  const beta = -normalQuantile(RARE.truth);
  const d = 2;
  const values: number[] = [];
  let [within, held, most] = [0, 0, 0];
  for (let seed = 1; seed <= RARE.seeds; seed++) {
    const simulation = new SubsetSimulation(
      { count: 3600, dimensions: d, levels: 8, seed },
      CONFIDENCE,
    );
    let runs = 0;
    while (simulation.event === null) {
      const { pending } = simulation;
      runs += pending.length / d;
      simulation.take(
        Float64Array.from({ length: pending.length / d }, (_, i) => {
          const sum = normalQuantile(pending[d * i]) + normalQuantile(pending[d * i + 1]);
          return sum / Math.SQRT2 - beta;
        }),
      );
    }
    const { value, low, high } = simulation.event;
    most = Math.max(most, runs);
    values.push(value);
    if (value > RARE.truth / RARE.factor && value < RARE.truth * RARE.factor) within++;
    if (low <= RARE.truth && RARE.truth <= high) held++;
  }
  const sorted = [...values].sort((a, b) => a - b);
  const share = (i: number): number => (i + 0.5) / RARE.seeds;
  // four standard deviations of a share of 95 % over the seeds
  const slack = 4 * Math.sqrt((0.95 * 0.05) / RARE.seeds);
  return {
    figures: [
      atMost('rare event of 1e-5: most runs', '1', most, RARE.runs),
      atMost('estimates beyond a factor of 1.5', '1', 1 - within / RARE.seeds, 0.05 + slack),
      atMost('intervals that miss it', '1', 1 - held / RARE.seeds, 0.05 + slack),
    ],
    plots: [
      {
        title: `Estimates of a probability of 1e-5 over ${RARE.seeds} seeds`,
        xLabel: 'estimate',
        yLabel: 'share of the seeds below',
        xScale: 'log',
        curves: [
          {
            name: 'subset simulation',
            kind: 'points',
            x: sorted,
            y: sorted.map((_, i) => share(i)),
          },
          { name: 'truth', kind: 'bound', x: [RARE.truth, RARE.truth], y: [0, 1] },
        ],
      },
    ],
  };
}

export const studyStatisticsCase: ValidationCase = {
  name: 'study-statistics',
  title: 'Statistics of studies',
  source: 'Ishigami and Homma 1990; Clopper and Pearson 1934; Wilks 1941; Au and Beck 2001',
  description:
    'Indices of influence of the function of Ishigami from the design of Saltelli; how often intervals of rates, means and medians hold the truth; tolerance limits of 59 runs; a probability of 1e-5 behind a plane by subset simulation.',
  equation: 'S = Var(E(y|x))/Var(y), P(low ≤ truth ≤ high) ≥ confidence, P(g > 0) = Φ(−β)',
  tolerances:
    'Indices of 4096 pairs scatter by some 0.01 with random points. A share of 500 has a standard deviation of 1 %: three are allowed; of 60 seeds four of 2.8 %. Intervals of rates hold the truth with 95 % at least, whatever the rate.',
  run() {
    const parts = [influence(), rates(), intervals(), rare()];
    return {
      figures: parts.flatMap(({ figures }) => figures),
      plots: parts.flatMap(({ plots }) => plots),
    };
  },
};
