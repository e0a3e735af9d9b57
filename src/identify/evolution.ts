/**
 * Search without derivatives: the evolution strategy with adaptation of a matrix, CMA-ES without its covariance (Beyer and Sendhoff 2017, "Simplify your
 * covariance matrix adaptation evolution strategy", IEEE Trans. Evol. Comput. 21, 746). For rugged functions, or ones with flat parts, of few coordinates.
 *
 *   d_i = M z_i,  x_i = y + σ d_i,  y += σ ⟨d⟩,  s = (1 − c_s) s + √(μ c_s (2 − c_s)) ⟨z⟩,  σ ·= exp((c_s/d_s)(|s|/E|z| − 1)),
 *   M += ½ M (c_1 (s sᵀ − 1) + c_μ (⟨z zᵀ⟩ − 1))
 *
 * Coordinates are shares of the range between the bounds; what lies beyond one counts as at it, with the square of the way beyond on top.
 */
import { exp } from '../math/elementary/exponential.ts';
import { log } from '../math/elementary/logarithm.ts';
import { Random } from '../math/random.ts';

const FIRST_STEP = 0.3;
/** Shares of the range below which the search ends, and generations of which it has so many at most for each coordinate. */
const LAST_STEP = 1e-7;
const GENERATIONS = 200;

/** The best point of a loss within bounds, from `start` and with numbers drawn from `seed`. */
export function evolve(
  start: Float64Array,
  low: Float64Array,
  high: Float64Array,
  loss: (x: Float64Array) => number,
  seed: number,
): Float64Array {
  const n = start.length;
  const random = new Random(seed);
  const children = 8 + 2 * Math.floor(3 * log(n));
  const parents = children >> 1;
  const raw = Array.from({ length: parents }, (_, k) => log(parents + 0.5) - log(k + 1));
  const total = raw.reduce((sum, one) => sum + one, 0);
  const weights = raw.map((one) => one / total);
  const mu = 1 / weights.reduce((sum, one) => sum + one * one, 0);
  const cs = (mu + 2) / (n + mu + 5);
  const c1 = 2 / ((n + 1.3) * (n + 1.3) + mu);
  const cmu = Math.min(1 - c1, (2 * (mu - 2 + 1 / mu)) / ((n + 2) * (n + 2) + mu));
  const ds = 1 + cs + 2 * Math.max(0, Math.sqrt((mu - 1) / (n + 1)) - 1);
  const expected = Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
  const y = start.map((x, j) => (x - low[j]) / (high[j] - low[j]));
  const s = new Float64Array(n);
  let m = new Float64Array(n * n);
  for (let j = 0; j < n; j++) m[j * n + j] = 1;
  let sigma = FIRST_STEP;
  const best = start.slice();
  let least = loss(best);
  const at = new Float64Array(n);
  for (let generation = 0; generation < GENERATIONS * n && sigma > LAST_STEP; generation++) {
    const brood = Array.from({ length: children }, () => {
      const z = Float64Array.from({ length: n }, () => random.gaussian());
      const d = z.map((_, j) => z.reduce((sum, one, k) => sum + m[j * n + k] * one, 0));
      let beyond = 0;
      for (let j = 0; j < n; j++) {
        const share = y[j] + sigma * d[j];
        const inside = Math.min(1, Math.max(0, share));
        beyond += (share - inside) * (share - inside);
        at[j] = low[j] + inside * (high[j] - low[j]);
      }
      const inside = loss(at);
      if (inside < least) {
        least = inside;
        best.set(at);
      }
      return { z, d, value: inside * (1 + beyond) + beyond };
    }).sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0));
    const mean = (of: 'z' | 'd', j: number): number =>
      weights.reduce((sum, weight, k) => sum + weight * brood[k][of][j], 0);
    let square = 0;
    for (let j = 0; j < n; j++) {
      y[j] += sigma * mean('d', j);
      s[j] = (1 - cs) * s[j] + Math.sqrt(mu * cs * (2 - cs)) * mean('z', j);
      square += s[j] * s[j];
    }
    const change = new Float64Array(n * n);
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < n; k++) {
        const one = j === k ? 1 : 0;
        const drawn = weights.reduce((sum, w, b) => sum + w * brood[b].z[j] * brood[b].z[k], 0);
        change[j * n + k] = one + 0.5 * (c1 * (s[j] * s[k] - one) + cmu * (drawn - one));
      }
    }
    m = m.map((_, e) => {
      const [j, k] = [Math.floor(e / n), e % n];
      let sum = 0;
      for (let l = 0; l < n; l++) sum += m[j * n + l] * change[l * n + k];
      return sum;
    });
    sigma *= exp((cs / ds) * (Math.sqrt(square) / expected - 1));
  }
  return best;
}
