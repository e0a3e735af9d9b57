/** One axis as a bar about its middle, −1 … 1. */
import type { JSX } from 'preact';

export interface AxisBarProps {
  /** Length of the bar. */
  readonly value: number;
  /** Thin mark, for a value at an earlier stage. */
  readonly mark?: number;
  /** Half-width of the dead zone about the middle. */
  readonly zone?: number;
  /** Without a measurement the bar is hatched. */
  readonly missing?: boolean;
  readonly label: string;
}

const percent = (part: number): string => `${(50 * part).toFixed(1)}%`;
const within = (value: number): number => Math.max(-1, Math.min(1, value));

export function AxisBar({ value, mark, zone = 0, missing, label }: AxisBarProps): JSX.Element {
  const shown = within(value);
  return (
    <div
      class="axis-bar"
      role="meter"
      aria-label={label}
      aria-valuemin={-1}
      aria-valuemax={1}
      aria-valuenow={Number(shown.toFixed(2))}
      data-missing={missing === true}
    >
      {zone > 0 ? (
        <span class="axis-zone" style={{ left: percent(1 - zone), width: percent(2 * zone) }} />
      ) : null}
      <span
        class="axis-fill"
        style={{ left: percent(1 + Math.min(0, shown)), width: percent(Math.abs(shown)) }}
      />
      {mark === undefined ? null : (
        <span class="axis-mark" style={{ left: percent(1 + within(mark)) }} />
      )}
    </div>
  );
}
