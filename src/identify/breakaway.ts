/**
 * Stiction, Coulomb friction and dwell time from breakaways after rests (Gonthier 2007, 3.3). A contact that has slipped and then rests for t has
 * s_dw = 1 − exp(−t/τ_dw), (3.36), and breaks away at μ_max = μ_C + (μ_S − μ_C) s_dw, (3.37).
 *
 * That is so when the tangential force rises fast beside τ_dw and the travel μ_S/σ₀ before breakaway is covered below a third of the Stribeck
 * speed; faster, the contact loses its dwell before it breaks away, and stiction comes out too small. Samples become such a table in rests.ts.
 */
import { BerthError } from '../base/errors.ts';
import { exp } from '../math/elementary/exponential.ts';
import { identify, type Identification } from './estimate.ts';

/** Breakaways in any order. */
export interface BreakawayData {
  /** From the end of the slip before to the breakaway, s. */
  readonly dwell: Float64Array;
  /** Normal force at the breakaway, N. */
  readonly force: Float64Array;
  /** Friction force at the breakaway, N. */
  readonly friction: Float64Array;
  /** Samples whose mean a row is; all the same when left out. */
  readonly samples?: Float64Array;
}

/** Result of breakaways. */
export interface BreakawayResult {
  /** Coulomb friction, stiction less it, dwell time. */
  readonly identification: Identification;
  /** Friction numbers as measured and of the law, in the order of the data. */
  readonly ratios: Float64Array;
  readonly fitted: Float64Array;
}

const LEAST_RESTS = 4;
/** Range of the dwell time beyond the rests on both sides. */
const RANGE = 30;

/** Identifies the law. @throws BerthError for values out of their ranges, or rests that are too few to hold three parameters */
export function identifyBreakaway(
  { dwell, force, friction, samples }: BreakawayData,
  confidence: number,
): BreakawayResult {
  const rows = dwell.length;
  for (const [name, values] of Object.entries({ dwell, force, friction })) {
    const bad = values.findIndex((value) => !(value > 0));
    if (bad >= 0) throw refused(name, `is ${values[bad]} in row ${bad + 1}; allowed: above 0`);
  }
  const rests = new Set(dwell).size;
  if (rests < LEAST_RESTS) {
    throw refused(
      'dwell',
      `${rests} different rests do not hold three parameters; allowed: ${LEAST_RESTS} or more`,
    );
  }
  const ratios = dwell.map((_, i) => friction[i] / force[i]);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  const [shortest, longest] = [Math.min(...dwell), Math.max(...dwell)];
  const all = samples?.reduce((sum, one) => sum + one, 0) ?? 0;
  const weights = dwell.map((_, i) =>
    samples === undefined ? 1 : Math.sqrt((samples[i] * rows) / all),
  );
  const fitted = new Float64Array(rows);
  const evaluate = (
    [coulomb, rise, time]: ArrayLike<number> & Iterable<number>,
    out: Float64Array,
  ): void => {
    for (let i = 0; i < rows; i++) {
      fitted[i] = coulomb + rise * (1 - exp(-dwell[i] / time));
      out[i] = weights[i] * (ratios[i] - fitted[i]);
    }
  };
  const identification = identify({
    parameters: [
      { name: 'coulomb', unit: '1', start: least, low: 0, high: 2 * most, logarithmic: false },
      {
        name: 'stiction_less_coulomb',
        unit: '1',
        start: most - least,
        low: 0,
        high: 2 * most,
        logarithmic: false,
      },
      {
        name: 'dwell_time',
        unit: 's',
        start: Math.sqrt(shortest * longest),
        low: shortest / RANGE,
        high: longest * RANGE,
        logarithmic: true,
      },
    ],
    rows,
    residuals: evaluate,
    robust: false,
    starts: 4,
    confidence,
  });
  evaluate(identification.values, new Float64Array(rows));
  return { identification, ratios, fitted: fitted.slice() };
}

function refused(field: string, text: string): BerthError {
  return new BerthError('BERTH_MISMATCH', `${field}: ${text}`, { field });
}
