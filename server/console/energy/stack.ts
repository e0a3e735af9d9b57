/** Geometry of the bars of the energy page. */

/** Part of a bar. */
export interface StackBox {
  readonly from: number;
  readonly width: number;
}

/**
 * Parts side by side and a mark on one scale, which ends a tenth beyond the longer of both. An
 * unknown or negative part has no width. A mark that would compress the parts to less than a
 * twentieth is left out.
 */
export function stackOf(
  parts: readonly (number | null)[],
  mark: number | null,
  width: number,
): { boxes: StackBox[]; mark: number | null } {
  const sizes = parts.map((part) => Math.max(0, part ?? 0));
  const sum = sizes.reduce((a, b) => a + b, 0);
  const shown = mark !== null && mark <= 20 * sum ? mark : null;
  const end = 1.1 * Math.max(sum, shown ?? 0);
  if (!(end > 0)) return { boxes: sizes.map(() => ({ from: 0, width: 0 })), mark: null };
  let at = 0;
  const boxes = sizes.map((size) => {
    const box = { from: (at / end) * width, width: (size / end) * width };
    at += size;
    return box;
  });
  return { boxes, mark: shown === null ? null : (shown / end) * width };
}

/** Position of a margin on a logarithmic scale from 0.1 to 100, as a fraction, clamped to its ends. */
export function marginPlace(margin: number): number {
  const share = (Math.log10(Math.max(margin, 1e-9)) + 1) / 3;
  return Math.min(1, Math.max(0, share));
}

/** Range of both axes of the plot of restitutions: it contains 1 and every point, its ends are tenths. */
export function restitutionRange(values: readonly number[]): readonly [number, number] {
  const low = Math.min(0.8, ...values);
  const high = Math.max(1.2, ...values);
  return [Math.floor(low * 10 + 1e-9) / 10, Math.ceil(high * 10 - 1e-9) / 10];
}

/** Why a part of the delay is below zero, as sentences; none when no part is. */
export function delayNotes({
  wire_s,
  robot_s,
}: {
  readonly wire_s: number | null;
  readonly robot_s: number | null;
}): string[] {
  const notes: string[] = [];
  if ((wire_s ?? 0) < 0) {
    notes.push(
      'The wire is below zero while frames are there and back sooner than the period by which a set-point looks ahead. ' +
        'What counts is the total T.',
    );
  }
  if ((robot_s ?? 0) < 0) {
    notes.push(
      'The robot is below zero when it runs ahead of the set-point, as with position lead.',
    );
  }
  return notes;
}
