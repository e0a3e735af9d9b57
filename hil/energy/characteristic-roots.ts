/**
 * Dominant root of a contact loop with delay (docs/theory/loop-energy.md, Delay), in units of w = √(k/m):
 *
 *   z² + α z + (1 + β z) e^{−θz} G(z) = 0,   z = s/w,  α = d/(m w),  β = b w/k,  θ = w T
 *
 * G = 1, or with a force lead G = 1 + θz/(1 + θz/5). Without damping z = (2/θ) W₀(jθ/2), Lambert's function (`hil-anchors 3`, eq. 5);
 * from there the root is followed by Newton's method while the damping is brought in. Numbers pass in one array of cells, because a
 * double given to a call may be allocated.
 */
import { ANGLE, sinCos } from '../../src/math/elementary/circular.ts';
import { exp } from '../../src/math/elementary/exponential.ts';
import { atan, atan2 } from '../../src/math/elementary/inverse-circular.ts';
import { log } from '../../src/math/elementary/logarithm.ts';

/** Slots of the cells. */
export const RootSlot = Object.freeze({
  /** In: α, β, θ, and the share of the force lead, 0 or 1. */
  ALPHA: 0,
  BETA: 1,
  THETA: 2,
  LEAD: 3,
  /** Out: the root, imaginary part > 0; 0 when the pair is real. */
  RE: 4,
  IM: 5,
  /** Out: derivative of the characteristic function there. */
  SLOPE_RE: 6,
  SLOPE_IM: 7,
  /** Out: G at the root. */
  GAIN_RE: 8,
  GAIN_IM: 9,
});
const { ALPHA, BETA, THETA, LEAD, RE, IM, SLOPE_RE, SLOPE_IM, GAIN_RE, GAIN_IM } = RootSlot;
// Where a path begins, and how far along it the root is looked for.
const START_ALPHA = 10;
const START_BETA = 11;
const START_THETA = 12;
const START_LEAD = 13;
const PART = 14;
export const ROOT_SLOTS = 15;

/** Filter of the force lead: its time constant is the delay over this. */
const LEAD_FILTER = 5;
const MOST_ITERATIONS = 20;
/** Steps of a path are halved down to this. */
const LEAST_STEP = 1 / 512;
/** A pair this near to the real axis has met. */
const REAL = 1e-7;

/** Root of z² + 1·e^{−θz} = 0, principal branch: W by Winitzki's approximation, then Newton. */
function startFromLambert(c: Float64Array): void {
  const y = 0.5 * c[THETA];
  if (y < 1e-6) {
    // W(jy) = jy + y² − …, z = 2 W/θ
    c[RE] = y;
    c[IM] = 1;
    return;
  }
  // L = ln(1 + jy), W ≈ L (1 − ln(1 + L)/(2 + L))
  const lr = 0.5 * log(1 + y * y);
  const li = atan(y);
  const mr = 0.5 * log((1 + lr) * (1 + lr) + li * li);
  const mi = atan2(li, 1 + lr);
  const n = (2 + lr) * (2 + lr) + li * li;
  const fr = 1 - (mr * (2 + lr) + mi * li) / n;
  const fi = -(mi * (2 + lr) - mr * li) / n;
  c[RE] = (lr * fr - li * fi) / y;
  c[IM] = (lr * fi + li * fr) / y;
}

/** Newton at the part c[PART] of the path from where it begins. @returns whether it converged near where it began @alloc none */
function refine(c: Float64Array): boolean {
  const part = c[PART];
  const alpha = c[START_ALPHA] + part * (c[ALPHA] - c[START_ALPHA]);
  const beta = c[START_BETA] + part * (c[BETA] - c[START_BETA]);
  const theta = c[START_THETA] + part * (c[THETA] - c[START_THETA]);
  const lead = c[START_LEAD] + part * (c[LEAD] - c[START_LEAD]);
  let x = c[RE];
  let y = c[IM];
  const reach = 0.3 * Math.sqrt(x * x + y * y);
  for (let i = 0; i < MOST_ITERATIONS; i++) {
    const decay = exp(-theta * x);
    ANGLE[0] = theta * y;
    const turn = sinCos();
    const er = decay * turn[1];
    const ei = -decay * turn[0];
    // G = 1 + lead θz/(1 + θz/5) and its derivative lead θ/(1 + θz/5)²
    const ur = 1 + (theta * x) / LEAD_FILTER;
    const ui = (theta * y) / LEAD_FILTER;
    const n = ur * ur + ui * ui;
    const gr = 1 + (lead * theta * (x * ur + y * ui)) / n;
    const gi = (lead * theta * (y * ur - x * ui)) / n;
    const hr = (lead * theta * (ur * ur - ui * ui)) / (n * n);
    const hi = (-2 * lead * theta * ur * ui) / (n * n);
    const br = 1 + beta * x;
    const bi = beta * y;
    const qr = br * gr - bi * gi; // (1 + βz) G
    const qi = br * gi + bi * gr;
    const fr = x * x - y * y + alpha * x + er * qr - ei * qi;
    const fi = 2 * x * y + alpha * y + er * qi + ei * qr;
    const pr = beta * gr - theta * qr + br * hr - bi * hi;
    const pi = beta * gi - theta * qi + br * hi + bi * hr;
    const sr = 2 * x + alpha + er * pr - ei * pi;
    const si = 2 * y + er * pi + ei * pr;
    const s = sr * sr + si * si;
    const dx = (fr * sr + fi * si) / s;
    const dy = (fi * sr - fr * si) / s;
    x -= dx;
    y -= dy;
    const ox = x - c[RE];
    const oy = y - c[IM];
    if (!(ox * ox + oy * oy <= reach * reach) || !(y > 0)) return false;
    if (dx * dx + dy * dy > 1e-24 * (x * x + y * y)) continue;
    c[RE] = x;
    c[IM] = y;
    c[SLOPE_RE] = sr;
    c[SLOPE_IM] = si;
    c[GAIN_RE] = gr;
    c[GAIN_IM] = gi;
    return true;
  }
  return false;
}

/** Follows the root from the cells of START to the wanted ones. @returns false when the pair meets on the real axis @alloc none */
function follow(c: Float64Array): boolean {
  let done = 0;
  let step = 0.25;
  while (done < 1) {
    const next = done + step < 1 ? done + step : 1;
    c[PART] = next;
    if (refine(c)) {
      done = next;
      step = 2 * step;
      continue;
    }
    step = 0.5 * step;
    if (step < LEAST_STEP) return false;
  }
  return c[IM] > REAL * Math.abs(c[RE]);
}

/**
 * Fills the root that the undamped loop leads to. @returns false when the pair has met on the real axis: the contact then creeps and
 * does not rebound. A real pair is stable: along the whole path the delay is below the critical one (scanned for α, β < 6, θ < 8).
 * @alloc none
 */
export function findDominantRoot(c: Float64Array): boolean {
  startFromLambert(c);
  c[START_ALPHA] = 0;
  c[START_BETA] = 0;
  c[START_THETA] = c[THETA];
  c[START_LEAD] = 0;
  c[PART] = 0;
  if (refine(c) && follow(c)) return true;
  c[IM] = 0;
  return false;
}
