/** Limits of the contact permit and whether the prediction keeps them (docs/theory/loop-energy.md, Permit). */
import type { Accommodation, EnergyLimits, LoopEnergyStatus } from '../../client/messages.ts';
import { fixed } from '../shell/words.ts';

/** Display level of a permit, like those of the states of the machine. */
export type PermitLevel = 'idle' | 'ready' | 'hold' | 'fault';

export interface PermitWords {
  readonly symbol: string;
  readonly word: string;
  readonly level: PermitLevel;
  readonly sentence: string;
}

const WORDS: Readonly<Record<string, PermitWords>> = {
  none: {
    symbol: '○',
    word: 'not needed',
    level: 'idle',
    sentence: 'No contact goes over the delayed loop: no permit is needed.',
  },
  valid: {
    symbol: '●',
    word: 'valid',
    level: 'ready',
    sentence: 'The predicted contact keeps every limit.',
  },
  acknowledged: {
    symbol: '▲',
    word: 'acknowledged',
    level: 'hold',
    sentence: 'The predicted contact exceeds a limit, and somebody has acknowledged that.',
  },
  needed: {
    symbol: '■',
    word: 'needed',
    level: 'fault',
    sentence: 'The predicted contact exceeds a limit, and nobody has acknowledged that.',
  },
};
const UNKNOWN: PermitWords = { symbol: '○', word: '—', level: 'idle', sentence: 'Not known yet.' };

/** Sentences where no limit is exceeded as far as is known, but one cannot be judged. */
const UNJUDGED: Readonly<Record<string, string>> = {
  acknowledged: 'What the contact will do is not known, and somebody has acknowledged that.',
  needed: 'What the contact will do is not known, and nobody has acknowledged that.',
};

/** A permit in words. An advisory one that is needed blocks nothing. */
export function permitWords(
  state = '',
  required = true,
  checks: readonly PermitCheck[] = [],
): PermitWords {
  const words = WORDS[state] ?? UNKNOWN;
  const has = (verdict: Verdict): boolean => checks.some((check) => check.verdict === verdict);
  const unjudged = has('unknown') && !has('exceeded') ? UNJUDGED[state] : undefined;
  const sentence = unjudged ?? words.sentence;
  return state === 'needed' && !required
    ? { ...words, sentence, symbol: '▲', level: 'hold' }
    : { ...words, sentence };
}

/** Whether the prediction keeps a limit. */
export type Verdict = 'kept' | 'exceeded' | 'unknown';

/** Comparison of one limit of the permit with the prediction. */
export interface PermitCheck {
  readonly name: string;
  /** null: unbounded when `known`, else unknown. */
  readonly value: number | null;
  readonly limit: number;
  /** True: the value must not exceed the limit; false: not fall below it. */
  readonly most: boolean;
  readonly known: boolean;
  readonly verdict: Verdict;
  /** Sentence about a limit that is not known to be kept; '' otherwise. */
  readonly reason: string;
}

/** k T/g of the accommodation: the change of force within the delay, relative to the force, at its gain 1/g. */
export function accommodationNumber(
  { delay, prediction }: LoopEnergyStatus,
  accommodation: Accommodation | undefined,
): number | null {
  const { total_s } = delay;
  const { contact_stiffness_N_per_m: k } = prediction;
  if (total_s === null || k === null || accommodation === undefined) return null;
  return (k * Math.max(0, total_s)) / accommodation.force_gain_Ns_per_m;
}

interface Wanted {
  readonly name: string;
  readonly value: number | null;
  readonly limit: number;
  readonly most: boolean;
  readonly too: string;
}

/** Checks of all limits, in display order. */
export function permitChecks(
  energy: LoopEnergyStatus,
  limits: EnergyLimits,
  accommodation: Accommodation | undefined,
): PermitCheck[] {
  const { delay, prediction } = energy;
  const known = delay.known && prediction.contact_stiffness_N_per_m !== null;
  const wanted: Wanted[] = [
    {
      name: 'restitution as the loop is set',
      value: prediction.restitution_active,
      limit: limits.restitution,
      most: true,
      too: 'A contact gives back more than it took: restitution',
    },
    {
      name: 'stability margin as the loop is set',
      value: prediction.stability_margin_active,
      limit: limits.stability_margin,
      most: false,
      too: 'The delay is too near to the critical one: margin',
    },
  ];
  if (accommodation !== undefined) {
    wanted.push({
      name: 'accommodation number k T/g',
      value: accommodationNumber(energy, accommodation),
      limit: limits.accommodation_number,
      most: true,
      too: 'The accommodation overshoots its force: k T/g',
    });
  }
  return wanted.map(({ too, ...one }) => {
    const { name, value, limit, most } = one;
    const verdict = known ? judge(one) : 'unknown';
    const border = `${most ? 'at most' : 'at least'} ${fixed(limit, 3)}`;
    const reasons = {
      kept: '',
      exceeded: `${too} ${fixed(value ?? NaN, 3)}, ${border}.`,
      unknown: `Not known yet: ${name}.`,
    };
    return { ...one, known, verdict, reason: reasons[verdict] };
  });
}

/** An unbounded margin has no number: the loop has no delay. */
function judge({ value, limit, most }: Omit<Wanted, 'too'>): Verdict {
  if (value === null) return most ? 'unknown' : 'kept';
  return (most ? value <= limit : value >= limit) ? 'kept' : 'exceeded';
}

/** Reasons why the permit must be acknowledged, as sentences; none when it need not be. */
export function permitReasons(permit: string, checks: readonly PermitCheck[]): string[] {
  if (permit !== 'needed' && permit !== 'acknowledged') return [];
  const reasons = checks.flatMap(({ reason }) => (reason === '' ? [] : [reason]));
  // the permit judges the worst of all contacts, the figures are those of one
  const other = 'Another contact of the tool, or several together, are beyond a limit.';
  return reasons.length === 0 ? [other] : reasons;
}

/** Band of a margin: below 1 the loop is unstable, from the limit on it is within the permit. */
export type MarginBand = 'unstable' | 'narrow' | 'wide';

export function marginBand(margin: number, limit: number): MarginBand {
  if (margin < 1) return 'unstable';
  return margin < limit ? 'narrow' : 'wide';
}
