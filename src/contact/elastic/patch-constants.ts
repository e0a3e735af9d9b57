/**
 * What a patch keeps for steps h: modes below 1/(2 h) of the longest step move, everything else is static and has no mass.
 *
 * C_r = C − Σ φ φᵀ/ω²             what the kept modes leave of the compliance
 * A   = C_r + Σ φ φᵀ (h²/4)/d,    d = 1 + ζ ω h + ω² h²/4        the displacement at mid-step under a force during the step
 */
import { BerthError } from '../../base/errors.ts';
import { finite, positive, range } from '../../base/parameter-checks.ts';
import { factorCholesky } from '../../math/cholesky.ts';
import { type Columns, OWN_COLUMNS } from '../../math/columns.ts';
import type { PatchModel } from '../../model/patch-spec.ts';

/** Part of a diagonal element of C_r below which a pivot is none. */
const LEAST_PIVOT = 1e-13;

/** Constants of a patch. Axes of the body, SI. */
export interface PatchConstants {
  /** [h, s] */
  readonly timing: Float64Array;
  /** Number of points and of modes that move. */
  readonly count: number;
  readonly modes: number;
  /** Points, three numbers each, m. */
  readonly points: Float64Array;
  /** C_r and A, 3n × 3n, row by row, m/N. */
  readonly rest: Float64Array;
  readonly compliance: Float64Array;
  /** Displacement of the points, 3n numbers a mode, 1/√kg. */
  readonly shapes: Float64Array;
  /** 2 ζ ω of each mode, 1/s, ω², 1/s², and d. */
  readonly dampings: Float64Array;
  readonly squares: Float64Array;
  readonly dividers: Float64Array;
}

/** The constants for steps of h seconds at most. @throws BerthError for numbers out of range, and for modes that C does not contain */
export function makePatch(
  model: PatchModel,
  step: number,
  columns: Columns = OWN_COLUMNS,
): PatchConstants {
  positive('step', step);
  const count = model.areas.length;
  range('areas', count, count >= 1, 'to have a point at least');
  const n = 3 * count;
  finite('points', model.points, n);
  finite('compliance', model.compliance, n * n);
  const moving = model.modes.filter(({ frequency }) => frequency < Math.PI / step);
  const filled = (values: readonly number[]): Float64Array => {
    const column = columns.doubles(values.length);
    column.set(values);
    return column;
  };
  const rest = filled(model.compliance);
  for (const [k, { frequency, shape, damping }] of moving.entries()) {
    positive(`modes[${k}].frequency`, frequency);
    range(`modes[${k}].damping`, damping, damping >= 0 && damping < 1, 'to lie from 0 to 1');
    finite(`modes[${k}].shape`, shape, n);
    for (let e = 0; e < n * n; e++) {
      rest[e] -= (shape[Math.floor(e / n)] * shape[e % n]) / (frequency * frequency);
    }
  }
  if (factorCholesky(new Float64Array(n * n), rest, n, Float64Array.of(LEAST_PIVOT)) === 0) {
    throw new BerthError(
      'BERTH_MISMATCH',
      'Expected compliance to be positive definite without the modes that move, got a matrix that is not; give fewer modes or points',
      { field: 'compliance' },
    );
  }
  const patch: PatchConstants = {
    timing: columns.doubles(1),
    count,
    modes: moving.length,
    points: filled(model.points),
    rest,
    compliance: columns.doubles(n * n),
    shapes: filled(moving.flatMap(({ shape }) => shape)),
    dampings: filled(moving.map(({ frequency, damping }) => 2 * damping * frequency)),
    squares: filled(moving.map(({ frequency }) => frequency * frequency)),
    dividers: columns.doubles(moving.length),
  };
  patch.compliance.set(rest);
  setStep(patch, Float64Array.of(step));
  return patch;
}

/** A and d for steps of timing[0]. @alloc none */
export function setStep(patch: PatchConstants, timing: Float64Array): void {
  const { count, modes, rest, compliance, shapes, dampings, squares, dividers } = patch;
  const h = timing[0];
  if (patch.timing[0] === h) return;
  patch.timing[0] = h;
  if (modes === 0) return;
  const n = 3 * count;
  compliance.set(rest);
  for (let k = 0; k < modes; k++) {
    dividers[k] = 1 + (h / 2) * dampings[k] + (h * h * squares[k]) / 4;
    const scale = (h * h) / 4 / dividers[k];
    for (let i = 0; i < n; i++) {
      const left = scale * shapes[n * k + i];
      for (let j = 0; j < n; j++) compliance[n * i + j] += left * shapes[n * k + j];
    }
  }
}
