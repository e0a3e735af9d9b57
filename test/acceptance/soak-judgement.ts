/** Requirements of a soak run, its results, and the Markdown of both. Lateness is reported and not judged. */
import { availableParallelism, release } from 'node:os';
import type { COMPENSATIONS } from '../../hil/contract/commands.ts';
import type { LoopModeName } from '../../hil/contract/codes.ts';
import type { Accounting } from '../fixtures/accounting.ts';
import type { RowFigures } from './soak-figures.ts';
import type { HoldExplanations } from './soak-holds.ts';
import { type DurationBins, fitSlope } from './soak-report.ts';
import type { Viewed } from './soak-viewers.ts';
import { formatList, formatVerdicts, wrap } from './markdown.ts';

const LOSS = 0.005;
/**
 * The robot: a pure delay with the noise of the facility. With the standard one, which follows with 50 Hz, contacts of 16 Hz win 9 %
 * whatever the delay, by its lag while it is accelerated (docs/theory/loop-energy.md).
 */
export const ROBOT = ['--tracking', 'ideal', '--delay', '1', '--loss', String(LOSS)];
/** Memory grows until caches, rings and code are warm; a line is put through what comes after. */
export const WARM_MIN = 10;
/**
 * Shortest run for which memory and created energy are judged, min. The standard error decides
 * whether the memory line is significant. Created energy grows with the delay, so in a short run a
 * busy machine decides it.
 */
const JUDGED_MIN = 30;
/** A run of this length must decide on memory, h. */
const DECIDED_H = 4;
/** Standard errors to the limit within which a line is not significant. */
const ERRORS = 2;
/** Largest mean time between contacts, s. An unhindered pilot makes one every 2 s or so; fewer indicate a fault. */
const SELDOM_S = 3;
export const MB_PER_HOUR = 1;
export const CREATED_SHARE = 0.01;
/** Causes that a stalled machine, a lossy line, and the recovering pilot can give. */
export const EXPECTED = [
  'STATE_MISSING',
  'LINK_LOST',
  'QUALITY_LOW',
  'OVERRUN_CONSECUTIVE',
  'OVERRUN_BUCKET',
  'OVERRUN_SINGLE',
  'INPUT_STALE',
  'DEADMAN_RELEASED',
  'AUTHORITY_CHANGED',
  'OPERATOR_HOLD',
  'ROBOT_PROTECTIVE_STOP',
  'POSE_MISMATCH',
  'ROBOT_NOT_ARMED',
  'HOLD_TIMEOUT',
  'PERMIT_LOST',
  'SHUTDOWN',
  'after the stop',
];

/** One line of the result: what, pass figure, measured, verdict. */
type Line = readonly [what: string, pass: string, measured: string, kept: boolean | null];

export type CompensationName = (typeof COMPENSATIONS)[number];

/** The verdict. */
export interface Judged {
  readonly lines: readonly Line[];
  readonly text: string;
  /** Figures for the table of acceptance tests. */
  readonly acceptance: readonly (readonly [test: number, measured: string])[];
}

/** What was seen. */
export interface Run {
  readonly minutes: number;
  readonly mode: LoopModeName;
  readonly compensation: CompensationName;
  readonly account: Accounting;
  readonly figures: RowFigures;
  readonly holds: HoldExplanations;
  /** Results of the viewers at their end; null without any. */
  readonly viewed: Viewed | null;
  readonly at_min: number[];
  /** Resident memory after a collection of all heaps that have garbage. */
  readonly kept_MB: number[];
  /** The most before one. */
  readonly most_MB: number;
  /** Descriptors at the end less those after the first minute. */
  readonly fds: number;
  /** Shortened flights by the pilot's reason. */
  readonly cuts: ReadonlyMap<string, number>;
}

/**
 * Whether a line of memory stays below the limit; null where its error, MB/h like the slope, allows
 * no decision and the run is short.
 */
export function judgeSlope(slope: number, error: number, hours: number): boolean | null {
  if (slope + ERRORS * error < MB_PER_HOUR) return true;
  if (slope - ERRORS * error >= MB_PER_HOUR) return false;
  return hours < DECIDED_H ? null : false;
}

/** Text appended to an undecided line. */
export function undecided(slope: number, error: number): string {
  return Math.abs(slope - MB_PER_HOUR) <= ERRORS * error ? '; not decided' : '';
}

/** Words for a verdict on a page. */
export const verdictWord = (kept: boolean | null): string =>
  kept === null ? 'told' : kept ? 'ok' : 'NOT KEPT';

function memory({ at_min, kept_MB, most_MB, minutes }: Run): Line {
  const from = at_min.findIndex((at) => at >= WARM_MIN);
  const line = fitSlope(at_min.slice(from), kept_MB.slice(from));
  const slope = 60 * line.slope;
  const error = 60 * line.error;
  const most = `at most ${most_MB.toFixed(0)} MB before a collection`;
  const pass = `< ${MB_PER_HOUR} MB/h`;
  const what = 'memory of the server process after a collection';
  if (minutes - WARM_MIN < JUDGED_MIN)
    return [what, pass, `${most}; too short a run to judge`, null];
  const told = `${slope.toFixed(1)} ± ${error.toFixed(1)} MB/h (standard error, ${WARM_MIN} to ${minutes} min); ${kept_MB.at(-1)?.toFixed(0)} MB at the end, ${most}`;
  return [what, pass, told + undecided(slope, error), judgeSlope(slope, error, minutes / 60)];
}

/** Every line with its verdict. */
export function judge(run: Run): Judged {
  const { account, figures, holds: explanations, viewed: seen } = run;
  const ms = (bins: DurationBins, q: number): string => (1e3 * bins.quantile(q)).toFixed(4);
  const grown_J = account.counter('loop_energy_created_joules_total');
  const { created_J } = figures;
  const share = created_J / figures.contact_J;
  const contacts = account.counter('contacts_total');
  const every_s = (60 * run.minutes) / contacts;
  const cut = [...run.cuts.values()].reduce((sum, n) => sum + n, 0);
  const unexpected = [...account.entered].filter(
    ([key]) => !EXPECTED.some((cause) => key.endsWith(` ${cause}`)),
  );
  const holds = [...account.entered].map(([key, count]) => `${key} ${count}`).join(', ');
  const added_us = 1e6 * (figures.watched.quantile(0.99) - figures.alone.quantile(0.99));
  const sum = `${account.executed} executed + ${account.slipped} slipped = ${account.elapsed} periods`;
  const { stallsInMotion, stallsNotHeld } = figures;
  const removed_J = account.counter('passivity_dissipated_joules_total');
  const lines: Line[] = [
    memory(run),
    ['open descriptors, end less first minute', 'flat (≤ 5)', String(run.fds), run.fds <= 5],
    [
      'ticks unaccounted for',
      '0',
      `${account.violationCount} (${sum})`,
      account.violationCount === 0,
    ],
    [
      'energy that the loop created',
      `≤ ${100 * CREATED_SHARE} % of what contacts took`,
      `${created_J.toPrecision(3)} J of ${figures.contact_J.toPrecision(3)} J: ${(100 * share).toFixed(2)} %; ${grown_J.toPrecision(3)} J counted that stayed for half a second or to the end of its contact; the guard removed ${removed_J.toPrecision(3)} J`,
      run.minutes - WARM_MIN >= JUDGED_MIN ? share <= CREATED_SHARE : null,
    ],
    [
      'contacts',
      `one every 2 s or so; every ${SELDOM_S} s when no flight was cut short`,
      `${contacts}, one every ${every_s.toFixed(1)} s; ${cut} flights cut short and resumed`,
      every_s < SELDOM_S || (contacts > 0 && cut > 0) ? null : false,
    ],
    [
      'holds and stops',
      'each after a miss, a run of lost frames or an act of the pilot that its cause speaks of',
      `${holds === '' ? 'none' : holds}${unexpected.length > 0 ? `; unexpected: ${unexpected.map(([key]) => key).join(', ')}` : ''}; ${explanations.explained} explained by the second before, ${explanations.unexplainedCount} not${explanations.unexplained.map((one) => `; ${one}`).join('')}`,
      unexpected.length === 0 && explanations.unexplainedCount === 0,
    ],
    [
      'stalls > 25 ms while the arm moves (test 5)',
      'each leads to a hold',
      `${stallsInMotion} of ${figures.stalls}; not held: ${stallsNotHeld.length === 0 ? 'none' : stallsNotHeld.join('; ')}`,
      stallsNotHeld.length === 0,
    ],
    [
      'wake lateness alone (test 5)',
      'p50 ≤ 0.3 ms',
      `p50 ${ms(figures.alone, 0.5)}, p99 ${ms(figures.alone, 0.99)}, max ${(1e3 * figures.alone.most_s).toFixed(1)} ms`,
      figures.alone.quantile(0.5) <= 0.3e-3,
    ],
    [
      'added p99 by 20 viewers and 100 scrapes/s (test 6)',
      '≤ 50 µs, told only',
      `${added_us.toFixed(0)} µs (p50 ${ms(figures.watched, 0.5)}, p99 ${ms(figures.watched, 0.99)}, max ${(1e3 * figures.watched.most_s).toFixed(1)} ms)`,
      null,
    ],
    [
      'viewers',
      'none closed or refused, no scrape failed',
      seen === null
        ? 'not run'
        : `${seen.joined} joined, ${seen.messages} messages, ${seen.closed} closed, ${seen.refused} refused${seen.reason === '' ? '' : ` (${seen.reason})`}, ${seen.unanswered} without an answer in time; ${seen.scrapes} scrapes, ${seen.scrapesFailed} failed`,
      seen !== null && seen.closed + seen.refused + seen.scrapesFailed === 0,
    ],
  ];
  const lost = ['rx', 'tx'].map((d) => account.counter('robot_frames_lost_total', d));
  const machine = `${availableParallelism()} cores, Linux ${release()}, Node ${process.version}`;
  const text = [
    `\`npm run soak -- --minutes ${run.minutes} --mode ${run.mode} --compensation ${run.compensation}\`: ${machine}.`,
    `${100 * LOSS} % of frames lost in each direction (${lost[0]} and ${lost[1]} counted), half-sphere on the force plate, recording on.`,
    `Robot: \`${ROBOT.join(' ')}\`.`,
    '',
    formatVerdicts(
      lines.map(([what, pass, measured, kept]) => [what, pass, measured, verdictWord(kept)]),
    ),
    '',
    `Misses by cause: ${account.misses === '' ? 'none' : account.misses}.`,
    '',
    wrap(
      `Contacts that won more than 5 % of what they took: ${figures.richCount}${figures.rich.map((one) => `; ${one}`).join('')}.`,
    ),
    '',
    `Flights cut short: ${cut}${cut > 0 ? ', by what the pilot said of them' : ''}`,
    ...(cut > 0
      ? ['', formatList([...run.cuts].map(([reason, count]) => `${count} × ${reason}`))]
      : []),
    ...account.violations.map((v) => `\nViolation: ${v}`),
  ].join('\n');
  const kept = (part: string): string => lines.find(([what]) => what.includes(part))![2];
  return {
    lines,
    text,
    acceptance: [
      [
        5,
        `${run.minutes} min: wake lateness ${kept('lateness alone')}; stalls in motion ${kept('stalls')}; ${sum}`,
      ],
      [
        6,
        `${run.minutes} min: ${kept('added p99')}; ${account.violationCount} ticks unaccounted for`,
      ],
      [
        52,
        `${run.minutes} min: ${kept('memory')}; ${account.violationCount} ticks unaccounted for; created ${kept('energy')}`,
      ],
    ],
  };
}
