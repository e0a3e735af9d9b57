/**
 * Volume and moments of an overlap with a cone or frustum about z: the flux along z of flux-sums.ts through the flat faces, and through the
 * side, of which an integral around its edge is left.
 *
 * The side stands at the radius r = R − k z. With w = z − o_z from the origin o, the point of a generator at w' is
 *
 *   x' = ξ − k w' cos θ,   y' = η − k w' sin θ,   r' = r_o − k w',   ν·dA = k r' dθ dw'                                 (1)
 *
 * from o, with ξ, η at the height of o. By Green's theorem an integral over the side is that of its integral over w' from 0 to w around the
 * arcs of the faces. With m_n = ∫_0^w w'^n r' dw' = w^(n+1) (r_o/(n + 1) − k w/(n + 2)), a = k cos θ, b = k sin θ,
 *
 *   F = ∮ m_1 k dθ,   P = ∮ (ξ m_1 − a m_2, η m_1 − b m_2, m_2) k dθ                                                  (2)
 *   Q_xx = ∮ (ξ² m_1 − 2 ξ a m_2 + a² m_3) k dθ,   Q_xz = ∮ (ξ m_2 − a m_3) k dθ,   Q_zz = ∮ m_3 k dθ, and so on         (3)
 *
 * dθ = (X dY − Y dX)/(X² + Y²) about the axis, at the nodes of conic-arc.ts. Nothing is measured from the apex, so that a frustum that is
 * hardly a cone, and a thin overlap, keep their digits.
 *
 * Where the side reaches the apex of a cone, at w_a, arcs alone do not close around it in θ. They lack what lies at the apex, of the angle
 * −Σ dθ, and so with the moments of cos θ and sin θ over it: J_0 = Σ dθ, J_c = Σ cos θ dθ, J_cc and so on. With the apex at (x_a, y_a)
 * from o, m_n at w_a, d_1 = w_a m_1 − m_2, d_2 = w_a² m_1 − 2 w_a m_2 + m_3 the rest is
 *
 *   F: −k m_1 J_0,   P_x: −k (x_a m_1 J_0 + k d_1 J_c),   P_z: −k m_2 J_0,   Q_zz: −k m_3 J_0                           (4)
 *   Q_xy: −k (x_a y_a m_1 J_0 + k d_1 (x_a J_s + y_a J_c) + k² d_2 J_cs),   Q_xz: −k (x_a m_2 J_0 + k (w_a m_2 − m_3) J_c)
 *
 * It takes back what an arc that passes too close to the apex to be summed leaves, as both have w = w_a.
 */
import { type ConicArcs, PATCH } from './conic-arc.ts';
import { FLUX, FluxSums } from './flux-sums.ts';
import type { PatchSums } from './patch-sums.ts';

/** Slots of J. */
const TURN = { one: 0, c: 1, s: 2, cc: 3, ss: 4, cs: 5 } as const;
const TURN_SIZE = 6;
/** Σ dθ of arcs that close, rad: rounding and the error of the nodes leave 1e-12. */
const CLOSED = 1e-9;

/** Sums over an overlap with a cone. */
export class ConeSums implements PatchSums {
  readonly #flux = new FluxSums();
  /** R, k, height of the apex, or 0 for a frustum. */
  readonly #side = new Float64Array(3);
  readonly #turn = new Float64Array(TURN_SIZE);

  /** Takes R, m; k; and the height of the apex, m, or 0 when it is cut off. @alloc none */
  use(side: Float64Array): void {
    for (let k = 0; k < 3; k++) this.#side[k] = side[k];
  }

  start(points: Float64Array, p: number): void {
    this.#flux.start(points, p);
    for (let k = 0; k < TURN_SIZE; k++) this.#turn[k] = 0;
  }

  add(patch: Float64Array, ofPolytope: boolean): void {
    this.#flux.add(patch, ofPolytope);
  }

  addRim({ patch, form, rule }: ConicArcs): void {
    const { sums, origin } = this.#flux;
    const turn = this.#turn;
    const k = this.#side[1];
    const base = this.#side[0] - k * origin[2];
    const a = form[0];
    const c = form[1];
    const d = form[2];
    const tx = patch[PATCH.along];
    const ty = patch[PATCH.along + 1];
    const tz = patch[PATCH.along + 2];
    const ex = patch[PATCH.across];
    const ey = patch[PATCH.across + 1];
    const ez = patch[PATCH.across + 2];
    for (let n = 0; n < rule.length; n += 4) {
      const rest = rule[n];
      const root = Math.sqrt(d * d + c * a * rest);
      const u = (a * rest) / (d + root);
      const bend = (a * rule[n + 3]) / root;
      for (let side = -1; side <= 1; side += 2) {
        const s = side * rule[n + 3];
        const slope = -side * bend;
        const x = patch[PATCH.middle] + s * tx + u * ex;
        const y = patch[PATCH.middle + 1] + s * ty + u * ey;
        const w = patch[PATCH.middle + 2] + s * tz + u * ez - origin[2];
        const square = x * x + y * y;
        const angle = (x * (ty + slope * ey) - y * (tx + slope * ex)) / square;
        const share = 0.5 * rule[n + 2] * angle;
        const weight = k * share;
        const radius = Math.sqrt(square);
        const cosine = x / radius;
        const sine = y / radius;
        turn[TURN.one] += share;
        turn[TURN.c] += share * cosine;
        turn[TURN.s] += share * sine;
        turn[TURN.cc] += share * cosine * cosine;
        turn[TURN.ss] += share * sine * sine;
        turn[TURN.cs] += share * cosine * sine;
        const ax = k * cosine;
        const ay = k * sine;
        const xi = x - origin[0] + w * ax;
        const eta = y - origin[1] + w * ay;
        const one = weight * w * w * (base / 2 - (k * w) / 3);
        const two = weight * w * w * w * (base / 3 - (k * w) / 4);
        const three = weight * w * w * w * w * (base / 4 - (k * w) / 5);
        const px = xi * one - ax * two;
        const py = eta * one - ay * two;
        const qx = xi * two - ax * three;
        const qy = eta * two - ay * three;
        sums[FLUX.volume] += one;
        sums[FLUX.first] += px;
        sums[FLUX.first + 1] += py;
        sums[FLUX.first + 2] += two;
        sums[FLUX.second] += xi * px - ax * qx;
        sums[FLUX.second + 1] += eta * py - ay * qy;
        sums[FLUX.second + 2] += three;
        sums[FLUX.second + 3] += xi * py - ax * qy;
        sums[FLUX.second + 4] += qx;
        sums[FLUX.second + 5] += qy;
      }
    }
  }

  /** Sections of a cone come as arcs. */
  addCircle(): void {}

  /** Adds (4). */
  #addApex(): void {
    const turn = this.#turn;
    let open = false;
    for (let n = 0; n < TURN_SIZE; n++) if (Math.abs(turn[n]) > CLOSED) open = true;
    if (!open) return;
    const { sums, origin } = this.#flux;
    const k = this.#side[1];
    const w = this.#side[2] - origin[2];
    const base = this.#side[0] - k * origin[2];
    const one = w * w * (base / 2 - (k * w) / 3);
    const two = w * w * w * (base / 3 - (k * w) / 4);
    const three = w * w * w * w * (base / 4 - (k * w) / 5);
    const x = -origin[0];
    const y = -origin[1];
    const first = k * (w * one - two);
    const second = k * k * (w * w * one - 2 * w * two + three);
    const across = k * (w * two - three);
    const all = turn[TURN.one];
    const c = turn[TURN.c];
    const s = turn[TURN.s];
    sums[FLUX.volume] -= k * one * all;
    sums[FLUX.first] -= k * (x * one * all + first * c);
    sums[FLUX.first + 1] -= k * (y * one * all + first * s);
    sums[FLUX.first + 2] -= k * two * all;
    sums[FLUX.second] -= k * (x * x * one * all + 2 * first * x * c + second * turn[TURN.cc]);
    sums[FLUX.second + 1] -= k * (y * y * one * all + 2 * first * y * s + second * turn[TURN.ss]);
    sums[FLUX.second + 2] -= k * three * all;
    sums[FLUX.second + 3] -=
      k * (x * y * one * all + first * (x * s + y * c) + second * turn[TURN.cs]);
    sums[FLUX.second + 4] -= k * (x * two * all + across * c);
    sums[FLUX.second + 5] -= k * (y * two * all + across * s);
  }

  /** Writes volume, centroid, second moments and vector area. @alloc none */
  write(local: Float64Array): void {
    if (this.#side[2] > 0) this.#addApex();
    this.#flux.write(local);
  }
}
