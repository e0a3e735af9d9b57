/**
 * Coulomb friction of a round patch that slides and spins at once, exactly: shares C_v of the friction in the force and C_w in the
 * moment, F = μ N C_v, T = μ N r C_w. The pressure is that of a paraboloid cap, p ∝ 1 − (ρ/a)², with the radius of gyration r = a/√3.
 * `Contensou 1962`; the pressure is that of the foundation of a ball, `Gonthier 2007, (4.2)`.
 *
 * Every point slides about the instantaneous centre at the distance u a from the middle, u = v/(ω a). In polar coordinates about it the
 * direction of slip depends on the angle θ alone, and along a ray the integrals are polynomials of the distance q from the foot of the
 * middle. With σ = sin θ, c² = 1 − u² cos² θ:
 *
 *   F/(μ N)   = 2/π ∫ −σ [c² (q²/2 − u σ q) − q⁴/4 + u σ q³/3] dθ
 *   T/(μ N a) = 2/π ∫ [c² (q³/3 − u σ q²/2) − q⁵/5 + u σ q⁴/4] dθ           q from u σ to c, u < 1
 *
 * Outside of the patch the rays that meet it are cos θ = sin α/u:
 *
 *   F/(μ N)   = 8/(3 π) ∫ cos⁴ α √(1 − sin² α/u²) dα
 *   T/(μ N a) = 8/(15 π u) ∫ cos⁶ α/√(1 − sin² α/u²) dα                      α from −π/2 to π/2, u >= 1
 *
 * A tick takes both from a table over v/(v + r ω): the third differences are continuous but at u = 1, and the error is below 1e-6.
 */
import { cos, sin } from '../../math/elementary/circular.ts';

/** r/a of the paraboloid cap. */
const GYRATION = 1 / Math.sqrt(3);
/** Nodes of the rule over an angle: the integrands are smooth and periodic. */
const NODES = 512;
/** Intervals of the table. */
const INTERVALS = 256;

/** F/(μ N) and T/(μ N a) of a patch at v/(ω a) = u in [0, ∞]. */
export function contensouShares(u: number): { readonly force: number; readonly moment: number } {
  if (u === Infinity) return { force: 1, moment: 0 };
  let force = 0;
  let moment = 0;
  for (let n = 0; n < NODES; n++) {
    const angle = (2 * Math.PI * (n + 0.5)) / NODES;
    const s = sin(angle);
    const k = cos(angle);
    if (u < 1) {
      const c2 = 1 - u * u * k * k;
      const c = Math.sqrt(c2);
      const us = u * s;
      const ofForce = (q: number): number =>
        c2 * (0.5 * q * q - us * q) - 0.25 * q * q * q * q + (us * q * q * q) / 3;
      const ofMoment = (q: number): number =>
        q * q * (c2 * (q / 3 - 0.5 * us) - q * q * (0.2 * q - 0.25 * us));
      force -= s * (ofForce(c) - ofForce(us));
      moment += ofMoment(c) - ofMoment(us);
    } else {
      // α over a whole turn counts each ray twice
      const root = Math.sqrt(1 - (s * s) / (u * u));
      const k4 = k * k * k * k;
      force += (2 / 3) * k4 * root;
      moment += root > 0 ? ((2 / 15) * k4 * k * k) / (u * root) : 0;
    }
  }
  const weight = 4 / NODES; // 2/π times the step of the rule
  return { force: weight * force, moment: weight * moment };
}

/** In: slip and r times the spin, m/s, >= 0, not both 0; out: C_v and C_w. A call that is not inlined boxes its numbers. */
export const SHARES = new Float64Array(2);

let table: Float64Array | null = null;

/** C_v and C_w at the nodes, one node beyond each end. */
export function contensouTable(): Float64Array {
  if (table !== null) return table;
  table = new Float64Array(2 * (INTERVALS + 3));
  for (let n = 0; n <= INTERVALS; n++) {
    const x = n / INTERVALS;
    const { force, moment } = contensouShares((GYRATION * x) / (1 - x));
    table[2 * n + 2] = force;
    table[2 * n + 3] = moment / GYRATION;
  }
  // beyond the ends as a parabola goes on
  const end = 2 * INTERVALS + 2;
  for (let a = 0; a < 2; a++) {
    table[a] = 3 * table[2 + a] - 3 * table[4 + a] + table[6 + a];
    table[end + 2 + a] = 3 * table[end + a] - 3 * table[end - 2 + a] + table[end - 4 + a];
  }
  return table;
}

/** Replaces SHARES by C_v and C_w; the table comes from `contensouTable`. @alloc none */
export function takeShares(nodes: Float64Array): void {
  const slip = SHARES[0];
  const place = (INTERVALS * slip) / (slip + SHARES[1]);
  let n = Math.floor(place) | 0;
  if (n > INTERVALS - 1) n = INTERVALS - 1;
  const t = place - n;
  // Lagrange's polynomial through four nodes
  const a = (-t * (t - 1) * (t - 2)) / 6;
  const b = 0.5 * (t + 1) * (t - 1) * (t - 2);
  const c = -0.5 * (t + 1) * t * (t - 2);
  const d = ((t + 1) * t * (t - 1)) / 6;
  for (let k = 0; k < 2; k++) {
    const o = 2 * n + k;
    SHARES[k] = a * nodes[o] + b * nodes[o + 2] + c * nodes[o + 4] + d * nodes[o + 6];
  }
}
