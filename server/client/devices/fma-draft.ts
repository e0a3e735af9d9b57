/** Draft of a setting of force and moment accommodation, compared with the present setting and the allowed ranges. */
import type { Accommodation } from '../messages.ts';

export const FMA_AXES = ['Fx', 'Fy', 'Fz', 'Mx', 'My', 'Mz'] as const;

/** A draft as typed: accommodating axes, and numbers as text. */
export interface FmaDraft {
  readonly axes: readonly boolean[];
  readonly setPoint: readonly string[];
}

/** Largest force and moment, N and N m. */
export interface FmaLimits {
  readonly force_N: number;
  readonly moment_Nm: number;
}

/** Shortest text of a number without visible loss. */
const text = (value: number): string => String(Number(value.toFixed(3)));

export const draftOf = ({ axes, set_point }: Accommodation): FmaDraft => ({
  axes: [...axes],
  setPoint: set_point.map(text),
});

/** @returns the number, or null for other text; a decimal comma is accepted */
export function readNumber(typed: string): number | null {
  const trimmed = typed.trim().replace(',', '.').replace('−', '-');
  const value = Number(trimmed);
  return trimmed === '' || !Number.isFinite(value) ? null : value;
}

/** Whether axis `i` of the draft differs from the setting. */
export function differs(draft: FmaDraft, set: Accommodation, i: number): boolean {
  if (draft.axes[i] !== set.axes[i]) return true;
  return readNumber(draft.setPoint[i] ?? '') !== readNumber(text(set.set_point[i] ?? 0));
}

/** @returns the first reason why the draft cannot be sent, in one sentence; null without one */
export function draftProblem(draft: FmaDraft, limits: FmaLimits): string | null {
  for (const [first, limit, unit] of [
    [0, limits.force_N, 'N'],
    [3, limits.moment_Nm, 'N m'],
  ] as const) {
    let sum = 0;
    for (let i = first; i < first + 3; i++) {
      const value = readNumber(draft.setPoint[i] ?? '');
      const name = FMA_AXES[i];
      if (value === null) return `${name} "${draft.setPoint[i] ?? ''}" is no number of ${unit}.`;
      if (value !== 0 && !draft.axes[i]) {
        return `${name} has a set-point of ${text(value)} ${unit} and does not accommodate: switch it on or set 0.`;
      }
      sum += value * value;
    }
    const size = Math.sqrt(sum);
    if (size > limit) {
      const word = first === 0 ? 'force' : 'moment';
      return `The ${word} of ${text(size)} ${unit} is above the limit of ${text(limit)} ${unit}.`;
    }
  }
  return null;
}

/** Request of a valid draft. */
export function wishOf(draft: FmaDraft): Pick<Accommodation, 'axes' | 'set_point'> {
  return { axes: draft.axes, set_point: draft.setPoint.map((typed) => readNumber(typed) ?? 0) };
}
