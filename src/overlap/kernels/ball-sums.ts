/**
 * Volume and moments of an overlap with a ball, or with a half ball, about the origin: the flux of flux-sums.ts through the flat faces and
 * through the spherical part of the surface, which is an integral over the rim of that part.
 *
 * ν points against the normal of the plane that is farthest out, that of the half included, to the pole that is deepest in the overlap.
 * The pole R ν is the origin. With x, y across ν and the drop h = R − ν·p = −w >= 0 under the pole,
 *
 *   x² + y² = h (2 R − h),   (R − h) dh = x dx + y dy,   ν·dA = dx dy                                                 (1)
 *
 * Let G_k(h) = ∫_0^h h^k (R − h) dh = h^(k+1) (R/(k + 1) − h/(k + 2)) and I[f] = ∫ f dx dy over the part. By Green's theorem, around it,
 *
 *   I[h^k]   = ∮ h^k (R/(k + 1) − h/(k + 2))/(2 R − h) (x dy − y dx)                                                  (2)
 *   I[h^k x] = ∮ G_k dy,   I[h^k y] = −∮ G_k dx                                                                       (3)
 *   I[h x y] = ∮ y G_1 dy,   I[h x²] = ∮ x G_1 dy − I[G_1],   I[h y²] = −∮ y G_1 dx − I[G_1]                            (4)
 *   I[G_1]   = ∮ h² (R²/6 − 5 R h/24 + h²/15)/(2 R − h) (x dy − y dx)                                                  (5)
 *
 * and F = −I[h], P = (−I[h x], −I[h y], I[h²]), Q from −I[h x²], −I[h x y], −I[h y²], I[h² x], I[h² y], −I[h³]. With that plane
 * at or beyond the centre 2 R − h >= R; with all of them on the inner side, rims stay away from the other pole by as much as the largest
 * circle. Every integrand is a polynomial but for this factor. All vanish with h, so that a thin cap keeps its digits. Arcs are summed at the nodes of conic-arc.ts, and whole circles at 24 equal steps, where a pole at
 * 3 − 2 √2 of the circle leaves 4e-19.
 */
import { cos, sin } from '../../math/elementary/circular.ts';
import { type ConicArcs, PATCH } from './conic-arc.ts';
import { FLUX, FluxSums } from './flux-sums.ts';
import type { PatchSums } from './patch-sums.ts';

/** Slots of the integrals around the spherical part. */
const RIM = { h: 0, hx: 1, hy: 2, hh: 3, hxx: 4, hyy: 5, hxy: 6, hhx: 7, hhy: 8, hhh: 9 } as const;
const RIM_SIZE = 10;

/** Points on a whole circle: cosine and sine. */
const STEPS = 24;
const CIRCLE = Float64Array.from(
  Array.from({ length: STEPS }, (_, k) => (2 * Math.PI * k) / STEPS).flatMap((angle) => [
    cos(angle),
    sin(angle),
  ]),
);

/** Sums over an overlap with a ball about the origin. */
export class BallSums implements PatchSums {
  readonly #flux = new FluxSums();
  readonly #rim = new Float64Array(RIM_SIZE);
  /** Two axes across ν. */
  readonly #across = new Float64Array(6);
  readonly #radius = new Float64Array(1);
  readonly #pole = new Float64Array(3);
  /** Distance of the centre beyond the plane that is farthest out. */
  readonly #out = new Float64Array(1);
  /** A point of the rim, its derivative, and the weight of both. */
  readonly #point = new Float64Array(7);

  /**
   * Starts an overlap of a ball of the radius `radius[0]` with planes n·p <= d, four numbers each, in a frame placed by `pose` in that of
   * the ball: the half ball on the side `half` of z = 0, 1 or −1, or with 0 the whole one. False when a plane is out of reach. @alloc none
   */
  aim(radius: Float64Array, planes: Float64Array, pose: Float64Array, half: number): boolean {
    const r = radius[0];
    this.#radius[0] = r;
    const { axis } = this.#flux;
    let most = half === 0 ? Number.NEGATIVE_INFINITY : 0;
    axis[0] = 0;
    axis[1] = 0;
    axis[2] = half;
    for (let f = 0; f < planes.length; f += 4) {
      const a = planes[f];
      const b = planes[f + 1];
      const c = planes[f + 2];
      const x = pose[0] * a + pose[1] * b + pose[2] * c;
      const y = pose[3] * a + pose[4] * b + pose[5] * c;
      const z = pose[6] * a + pose[7] * b + pose[8] * c;
      const out = -planes[f + 3] - (x * pose[9] + y * pose[10] + z * pose[11]);
      if (out <= most) continue;
      if (out >= r) return false;
      most = out;
      axis[0] = -x;
      axis[1] = -y;
      axis[2] = -z;
    }
    this.#out[0] = most;
    const x = axis[0];
    const y = axis[1];
    const z = axis[2];
    const across = this.#across;
    // Duff and others 2017
    const sign = z < 0 ? -1 : 1;
    const b = -1 / (sign + z);
    across[0] = 1 + sign * x * x * b;
    across[1] = sign * x * y * b;
    across[2] = -sign * x;
    across[3] = x * y * b;
    across[4] = sign + y * y * b;
    across[5] = -y;
    for (let k = 0; k < 3; k++) this.#pole[k] = r * axis[k];
    this.#flux.start(this.#pole, 0);
    for (let k = 0; k < RIM_SIZE; k++) this.#rim[k] = 0;
    return true;
  }

  /** Whether no plane reaches the ball. @alloc none */
  isInside(): boolean {
    return this.#out[0] <= -this.#radius[0];
  }

  /** `aim` has started. */
  start(): void {}

  add(patch: Float64Array, ofPolytope: boolean): void {
    this.#flux.add(patch, ofPolytope);
  }

  /** Subtracts the integrals along an arc of a face: the spherical part has it the other way around. @alloc none */
  addRim(arcs: ConicArcs): void {
    const { patch, form, rule } = arcs;
    const point = this.#point;
    const a = form[0];
    const c = form[1];
    const d = form[2];
    for (let n = 0; n < rule.length; n += 4) {
      const rest = rule[n];
      const root = Math.sqrt(d * d + c * a * rest);
      const u = (a * rest) / (d + root);
      const slope = (a * rule[n + 3]) / root;
      point[6] = -0.5 * rule[n + 2];
      for (let side = -1; side <= 1; side += 2) {
        const s = side * rule[n + 3];
        for (let k = 0; k < 3; k++) {
          const t = patch[PATCH.along + k];
          const e = patch[PATCH.across + k];
          point[k] = patch[PATCH.middle + k] + s * t + u * e;
          point[3 + k] = t - side * slope * e;
        }
        this.#addPoint();
      }
    }
  }

  /** Subtracts the integrals around a whole section. @alloc none */
  addCircle(patch: Float64Array): void {
    const point = this.#point;
    point[6] = (-2 * Math.PI) / STEPS;
    for (let n = 0; n < 2 * STEPS; n += 2) {
      const c = CIRCLE[n];
      const s = CIRCLE[n + 1];
      for (let k = 0; k < 3; k++) {
        const t = patch[PATCH.along + k];
        const e = patch[PATCH.across + k];
        point[k] = patch[PATCH.middle + k] + c * t + s * e;
        point[3 + k] = c * e - s * t;
      }
      this.#addPoint();
    }
  }

  #addPoint(): void {
    const point = this.#point;
    const across = this.#across;
    const rim = this.#rim;
    const { axis } = this.#flux;
    const r = this.#radius[0];
    const px = point[0];
    const py = point[1];
    const pz = point[2];
    const x = px * across[0] + py * across[1] + pz * across[2];
    const y = px * across[3] + py * across[4] + pz * across[5];
    const height = px * axis[0] + py * axis[1] + pz * axis[2];
    const weight = point[6];
    const dx = weight * (point[3] * across[0] + point[4] * across[1] + point[5] * across[2]);
    const dy = weight * (point[3] * across[3] + point[4] * across[4] + point[5] * across[5]);
    const h = (x * x + y * y) / (r + height);
    const turn = (x * dy - y * dx) / (r + height);
    const first = h * h * (0.5 * r - h / 3);
    const second = h * h * h * (r / 3 - 0.25 * h);
    const whole = h * h * ((r * r) / 6 + h * (h / 15 - (5 / 24) * r)) * turn;
    rim[RIM.h] += h * (0.5 * r - h / 3) * turn;
    rim[RIM.hh] += h * h * (r / 3 - 0.25 * h) * turn;
    rim[RIM.hhh] += h * h * h * (0.25 * r - 0.2 * h) * turn;
    rim[RIM.hx] += first * dy;
    rim[RIM.hy] -= first * dx;
    rim[RIM.hhx] += second * dy;
    rim[RIM.hhy] -= second * dx;
    rim[RIM.hxy] += y * first * dy;
    rim[RIM.hxx] += x * first * dy - whole;
    rim[RIM.hyy] -= y * first * dx + whole;
  }

  /** Writes volume, centroid, second moments and vector area. @alloc none */
  write(local: Float64Array): void {
    const { sums, axis } = this.#flux;
    const rim = this.#rim;
    const across = this.#across;
    const q = FLUX.second;
    sums[FLUX.volume] -= rim[RIM.h];
    for (let i = 0; i < 3; i++) {
      const a = across[i];
      const b = across[3 + i];
      const n = axis[i];
      sums[FLUX.first + i] += n * rim[RIM.hh] - a * rim[RIM.hx] - b * rim[RIM.hy];
      for (let j = i; j < 3; j++) {
        const c = across[j];
        const d = across[3 + j];
        const m = axis[j];
        sums[q + (i === j ? i : i + j + 2)] +=
          (a * m + n * c) * rim[RIM.hhx] +
          (b * m + n * d) * rim[RIM.hhy] -
          a * c * rim[RIM.hxx] -
          b * d * rim[RIM.hyy] -
          (a * d + b * c) * rim[RIM.hxy] -
          n * m * rim[RIM.hhh];
      }
    }
    this.#flux.write(local);
  }
}
