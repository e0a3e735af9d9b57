/**
 * What a delay does to a contact of the simulated arm: m x'' + d x' + F(t − T) = 0 with F = max(0, k x + b x') while it touches
 * (docs/theory/loop-energy.md, Delay, Critical delay, FMA limit; `hil-anchors 3`, eq. 1–10, with the undelayed damping d).
 * Pure functions on one array of cells, slots of PredictionSlot.
 */
import { findDominantRoot, ROOT_SLOTS, RootSlot } from './characteristic-roots.ts';
import { ANGLE, sinCos } from '../../src/math/elementary/circular.ts';
import { EXPONENTIALS, exponentials } from '../../src/math/elementary/exponential.ts';
import { atan, DIRECTION, directions } from '../../src/math/elementary/inverse-circular.ts';

/** Slots of the cells. The first ones are those of characteristic-roots.ts. */
export const PredictionSlot = Object.freeze({
  /** In: apparent mass m, kg, > 0, and damping d, N s/m, >= 0, of the arm along the contact normal. */
  MASS: ROOT_SLOTS,
  DAMPING: ROOT_SLOTS + 1,
  /** In: stiffness k, N/m, > 0, and damping b, N s/m, >= 0, of the contact. */
  STIFFNESS: ROOT_SLOTS + 2,
  CONTACT_DAMPING: ROOT_SLOTS + 3,
  /** In: T, s; below 0 counts as 0. */
  DELAY: ROOT_SLOTS + 4,
  /** In: restitution that the stiffness limit is for. */
  RESTITUTION_LIMIT: ROOT_SLOTS + 5,
  /** Out of `predictRestitution`: e; 0 when the contact does not rebound. */
  RESTITUTION: ROOT_SLOTS + 6,
  /** Out of `predictRestitution`: real and imaginary part of the dominant root, 1/s; 0 and 0 without one. */
  GROWTH: ROOT_SLOTS + 7,
  FREQUENCY: ROOT_SLOTS + 8,
  /** Out of `findCriticalDelay`: T_c, s. */
  CRITICAL_DELAY: ROOT_SLOTS + 9,
  /** Out of `findStiffnessLimit`: k_max, N/m; Infinity when no stiffness reaches the limit. In: where it may be; NaN unknown. */
  STIFFNESS_LIMIT: ROOT_SLOTS + 10,
  /** Out of `findMargin`: see there. */
  MARGIN: ROOT_SLOTS + 11,
});
export const PREDICTION_SLOTS = ROOT_SLOTS + 12;

const { ALPHA, BETA, THETA, RE, IM, SLOPE_RE, SLOPE_IM, GAIN_RE, GAIN_IM } = RootSlot;
const S = PredictionSlot;
/** Bisections of the stiffness limit, in the logarithm: 2⁻²⁰ of the range of decades is 2e-5 of the stiffness. */
const BISECTIONS = 20;
/** Half a piece of the grid, as a factor: 10^(10 · 2⁻²¹). A result is the lower end of its piece. */
const HALF_PIECE = 1.000011;
/** Bisections that are taken back where the limit is not in the piece of the guess. */
const WIDER = 2;
/** Bisections of the phase at the crossing: 3π 2⁻³⁰. */
const CROSSING_BISECTIONS = 30;
/** Least limit that is looked for, N/m; a limit beyond the greatest is none. */
const LEAST = 1;
const STIFFEST = 1e10;

/** Cells for the functions below. */
export function makePredictionCells(): Float64Array {
  return new Float64Array(PREDICTION_SLOTS);
}

/**
 * Restitution of a free contact: speed when the force on the arm has gone, over the speed at touch. The motion is the
 * dominant mode of m s² + d s + (k + b s) e^{−sT} = 0 with its share in the start x = 0, x' = v0:
 *
 *   x(t) = 2 Re[m v0 e^{st}/Δ'(s)],   e = −x'(t_f)/v0,   t_f: force on the arm ~ Re[(k + b s) e^{−sT} G(s) e^{st}/Δ'(s)] falls through 0
 *
 * For T = 0 this is exact, and eq. 6 for d = 0. c[RootSlot.LEAD] = 1 adds the force lead. @alloc none
 */
export function predictRestitution(c: Float64Array): void {
  scale(c);
  c[S.RESTITUTION] = 0;
  c[S.GROWTH] = 0;
  c[S.FREQUENCY] = 0;
  if (!findDominantRoot(c)) return;
  const w = Math.sqrt(c[S.STIFFNESS] / c[S.MASS]);
  const x = c[RE];
  const y = c[IM];
  c[S.GROWTH] = x * w;
  c[S.FREQUENCY] = y * w;
  // each angle by a slot: this runs too seldom for atan2 to be inlined
  const direction = DIRECTION;
  direction[0] = -c[SLOPE_IM];
  direction[1] = c[SLOPE_RE];
  directions();
  const touch = direction[0]; // of 1/Δ', near −π/2
  direction[0] = c[BETA] * y;
  direction[1] = 1 + c[BETA] * x;
  directions();
  const contact = direction[0]; // of k + b s
  direction[0] = c[GAIN_IM];
  direction[1] = c[GAIN_RE];
  directions();
  const gain = direction[0];
  direction[0] = y;
  direction[1] = x;
  directions();
  const root = direction[0];
  const size = 1 / Math.sqrt(c[SLOPE_RE] * c[SLOPE_RE] + c[SLOPE_IM] * c[SLOPE_IM]);
  const force = touch + contact + gain - c[THETA] * y;
  const end = (0.5 * Math.PI - force) / y;
  EXPONENTIALS[0] = x * end;
  exponentials();
  const speed = -2 * size * EXPONENTIALS[0] * Math.sqrt(x * x + y * y);
  ANGLE[0] = root + touch + y * end;
  sinCos();
  const e = speed * ANGLE[1];
  if (e > 0) c[S.RESTITUTION] = e;
}

/** α, β, θ of the cells. */
function scale(c: Float64Array): void {
  const root = Math.sqrt(c[S.STIFFNESS] * c[S.MASS]);
  const w = Math.sqrt(c[S.STIFFNESS] / c[S.MASS]);
  c[ALPHA] = c[S.DAMPING] / root;
  c[BETA] = c[S.CONTACT_DAMPING] / root;
  c[THETA] = c[S.DELAY] > 0 ? c[S.DELAY] * w : 0;
}

/**
 * Critical delay T_c: the loop is stable for T < T_c and unstable for T > T_c. |m s² + d s| = |k + b s| at s = jω has one solution,
 *
 *   ω_c² = [b² − d² + √((b² − d²)² + 4 m² k²)]/(2 m²),   T_c = [atan(b ω_c/k) + atan(d/(m ω_c))]/ω_c
 *
 * so that nothing is stable again beyond. With the force lead |G| and arg G join both conditions. @alloc none
 */
export function findCriticalDelay(c: Float64Array): void {
  scale(c);
  const a = c[ALPHA];
  const b = c[BETA];
  let gain = 1; // |G|²
  let u = 0; // ω_c T_c
  if (c[RootSlot.LEAD] !== 0) {
    u = crossingWithLead(a, b);
    gain = leadGain(u);
  }
  const y = crossing(a, b, gain);
  const theta = (u > 0 ? u : atan(b * y) + atan(a / y)) / y;
  c[S.CRITICAL_DELAY] = theta * Math.sqrt(c[S.MASS] / c[S.STIFFNESS]);
}

/** ω/w with |−ω² + jαω| = |1 + jβω| |G|, `gain` = |G|². */
function crossing(a: number, b: number, gain: number): number {
  const p = 0.5 * (b * b * gain - a * a);
  const q = Math.sqrt(p * p + gain);
  return Math.sqrt(p > 0 ? p + q : gain / (q - p)); // p + q without cancellation
}

/** |1 + ju/(1 + ju/5)|² */
function leadGain(u: number): number {
  return (1 + 1.44 * u * u) / (1 + 0.04 * u * u);
}

/** u = ωT at which the phases meet: u − arg G(u) = atan(βω) + atan(α/ω); the left side rises from 0. */
function crossingWithLead(a: number, b: number): number {
  let low = 0;
  let high = 3 * Math.PI;
  for (let i = 0; i < CROSSING_BISECTIONS; i++) {
    const u = 0.5 * (low + high);
    const y = crossing(a, b, leadGain(u));
    const left = u - atan(1.2 * u) + atan(0.2 * u);
    if (left < atan(b * y) + atan(a / y)) low = u;
    else high = u;
  }
  return 0.5 * (low + high);
}

/**
 * Largest stiffness for which the predicted restitution does not exceed c[RESTITUTION_LIMIT], everything else unchanged: eq. 8 for
 * b = d = 0. Restitution rises with k. Leaves the other results as they were for k.
 *
 * In: c[STIFFNESS_LIMIT] is where the limit may be, NaN when nothing is known. Any value gives the same result, to the last bit: the
 * bisection begins in the piece of its own grid in which the guess lies, if the restitutions at both ends say that the limit is
 * there, and in a piece four times as wide otherwise, and so on. A good guess takes two predictions, none takes 22. @alloc none
 */
export function findStiffnessLimit(c: Float64Array): void {
  const stiffness = c[S.STIFFNESS];
  const e = c[S.RESTITUTION];
  const growth = c[S.GROWTH];
  const frequency = c[S.FREQUENCY];
  searchStiffness(c);
  c[S.STIFFNESS] = stiffness;
  c[S.RESTITUTION] = e;
  c[S.GROWTH] = growth;
  c[S.FREQUENCY] = frequency;
}

/** Ends of the present piece of the grid of stiffnesses, N/m. */
const LOW = 0;
const HIGH = 1;
const PIECE = new Float64Array(2);

/** Whether the restitution exceeds the limit at c[STIFFNESS]. */
function exceeds(c: Float64Array): boolean {
  predictRestitution(c);
  return c[S.RESTITUTION] > c[S.RESTITUTION_LIMIT];
}

/** PIECE := the piece of the grid, after so many bisections, in which c[STIFFNESS_LIMIT] lies. */
function pieceOfGuess(c: Float64Array, bisections: number): void {
  const guess = c[S.STIFFNESS_LIMIT] * HALF_PIECE;
  let low = LEAST;
  let high = STIFFEST;
  for (let i = 0; i < bisections; i++) {
    const middle = Math.sqrt(low * high);
    if (middle > guess) high = middle;
    else low = middle;
  }
  PIECE[LOW] = low;
  PIECE[HIGH] = high;
}

/** Finds the piece to begin in. @returns bisections that it has had; 0: all of the range, of which nothing is known */
function findPiece(c: Float64Array): number {
  const guess = c[S.STIFFNESS_LIMIT];
  let done = guess > LEAST && guess < STIFFEST ? BISECTIONS : 0;
  for (; done > 0; done -= WIDER) {
    pieceOfGuess(c, done);
    c[S.STIFFNESS] = PIECE[LOW];
    if (exceeds(c)) continue;
    c[S.STIFFNESS] = PIECE[HIGH];
    if (exceeds(c)) break;
  }
  return done;
}

function searchStiffness(c: Float64Array): void {
  const done = findPiece(c);
  if (done === 0) {
    PIECE[LOW] = LEAST;
    PIECE[HIGH] = STIFFEST;
    c[S.STIFFNESS] = STIFFEST;
    c[S.STIFFNESS_LIMIT] = Number.POSITIVE_INFINITY;
    if (!exceeds(c)) return;
    c[S.STIFFNESS] = LEAST;
    c[S.STIFFNESS_LIMIT] = 0;
    if (exceeds(c)) return;
  }
  for (let i = done; i < BISECTIONS; i++) {
    c[S.STIFFNESS] = Math.sqrt(PIECE[LOW] * PIECE[HIGH]);
    if (exceeds(c)) PIECE[HIGH] = c[S.STIFFNESS];
    else PIECE[LOW] = c[S.STIFFNESS];
  }
  c[S.STIFFNESS_LIMIT] = PIECE[LOW];
}

/**
 * Margin of the loop: T_c/T; without any damping, where no delay is stable, k_max/k for the restitution limit. Infinity without a
 * delay. Needs `findCriticalDelay` and `findStiffnessLimit`. @alloc none
 */
export function findMargin(c: Float64Array): void {
  const delay = c[S.DELAY];
  const damped = c[S.DAMPING] > 0 || c[S.CONTACT_DAMPING] > 0;
  if (!(delay > 0)) c[S.MARGIN] = Number.POSITIVE_INFINITY;
  else if (damped) c[S.MARGIN] = c[S.CRITICAL_DELAY] / delay;
  else c[S.MARGIN] = c[S.STIFFNESS_LIMIT] / c[S.STIFFNESS];
}
