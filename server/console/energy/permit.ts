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

/** A permit in words. An advisory one that is needed blocks nothing. */
export function permitWords(state: string | undefined, required = true): PermitWords {
  const words = WORDS[state ?? ''] ?? UNKNOWN;
  return state === 'needed' && !required ? { ...words, symbol: '▲', level: 'hold' } : words;
}

/** Comparison of one limit of the permit with the prediction. */
export interface PermitCheck {
  readonly name: string;
  /** null: unbounded when `known`, else unknown. */
  readonly value: number | null;
  readonly limit: number;
  /** True: the value must not exceed the limit; false: not fall below it. */
  readonly most: boolean;
  readonly known: boolean;
  readonly kept: boolean;
  /** Sentence about a broken limit; '' otherwise. */
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
    // an unbounded margin has no number: the loop has no delay
    const kept = known && (value === null ? !most : most ? value <= limit : value >= limit);
    const figure = value === null ? 'is not known' : fixed(value, 3);
    const border = `${most ? 'at most' : 'at least'} ${fixed(limit, 3)}`;
    const reason =
      !known || value === null ? `Not known yet: ${name}.` : `${too} ${figure}, ${border}.`;
    return { ...one, known, kept, reason: kept ? '' : reason };
  });
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
