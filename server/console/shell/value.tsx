/** A figure on the console: number with fixed digits, unit, and its quality in a word unless it is good. */
import type { JSX } from 'preact';
import type { ValueQuality } from '../../client/messages.ts';
import { freshness } from '../store.ts';
import { duration, fixed, joules, metres } from './words.ts';

/** Displayed quality: that of the value, or that of its connection. */
export type ShownQuality = ValueQuality | 'disconnected';

/** From best to worst. */
const ORDER: readonly ShownQuality[] = [
  'good',
  'extrapolated',
  'held',
  'stale',
  'invalid',
  'disconnected',
];

/** The worse of two qualities. */
export function worse(a: ShownQuality, b: ShownQuality): ShownQuality {
  return ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b;
}

export interface ValueProps {
  /** A missing value is a dash. */
  readonly value: number | null | undefined;
  /** Decimals, 0 by default. */
  readonly digits?: number;
  readonly unit?: string;
  /** Quality at its source, good by default; that of the connection is combined with it. */
  readonly quality?: ValueQuality;
  /** Label for screen readers. */
  readonly label?: string;
  readonly id?: string;
}

/**
 * A number with its unit. Its width is constant: digits are tabular, the word of the quality stands
 * before the number.
 */
export function Value({ value, digits = 0, unit, ...rest }: ValueProps): JSX.Element {
  const known = value !== null && value !== undefined && Number.isFinite(value);
  return (
    <Marked {...rest}>
      {known ? fixed(value, digits) : '—'}
      {unit === undefined || !known ? null : <span class="unit"> {unit}</span>}
    </Marked>
  );
}

export type DurationProps = Omit<ValueProps, 'value' | 'digits' | 'unit'> & {
  readonly seconds: number | null | undefined;
};

/** A duration in a suitable unit: µs, ms or s. */
export function Duration({ seconds, ...rest }: DurationProps): JSX.Element {
  return <Marked {...rest}>{duration(seconds)}</Marked>;
}

export type EnergyProps = Omit<ValueProps, 'value' | 'digits' | 'unit'> & {
  readonly joules: number | null | undefined;
};

/** An energy in a suitable unit: µJ, mJ or J. */
export function Energy({ joules: value, ...rest }: EnergyProps): JSX.Element {
  return <Marked {...rest}>{joules(value)}</Marked>;
}

export type LengthProps = Omit<ValueProps, 'value' | 'digits' | 'unit'> & {
  readonly metres: number | null | undefined;
};

/** A length in a suitable unit: µm, mm or m. */
export function Length({ metres: value, ...rest }: LengthProps): JSX.Element {
  return <Marked {...rest}>{metres(value)}</Marked>;
}

export type WordProps = Omit<ValueProps, 'value' | 'digits' | 'unit'> & { readonly text: string };

/** A word that is a value, such as a state. */
export function Word({ text, ...rest }: WordProps): JSX.Element {
  return <Marked {...rest}>{text}</Marked>;
}

interface MarkedProps {
  readonly quality?: ValueQuality;
  readonly label?: string;
  readonly id?: string;
  readonly children: unknown;
}

function Marked({ quality = 'good', label, id, children }: MarkedProps): JSX.Element {
  const shown = worse(quality, freshness.value);
  return (
    <span class="value" data-quality={shown} aria-label={label} id={id}>
      {shown === 'good' ? null : <span class="quality">{shown} </span>}
      <span class="figure">{children as JSX.Element}</span>
    </span>
  );
}
