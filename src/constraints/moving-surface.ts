/** A surface on a body in motion: a point of it with derivatives, normal and curvature in the world. */
import type { ContactBody } from '../contact/contact-body.ts';
import { rotate3 } from '../math/vec3.ts';
import {
  BY_U,
  BY_UU,
  BY_UV,
  BY_V,
  BY_VV,
  normalOf,
  type Surface,
  SURFACE_SLOTS,
} from '../shapes/surfaces/surface.ts';

const WORLD: Float64Array = Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0);
const WORLD_ROTATION: Float64Array = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

/** One surface. */
export class MovingSurface {
  /** p q v w of its body, world. */
  readonly state: Float64Array;
  /** S from the origin of the body, and the derivatives of S, in axes of the world. */
  readonly world: Float64Array = new Float64Array(SURFACE_SLOTS);
  readonly lever: Float64Array;
  /** Outward, and how it changes with u and with v. */
  readonly normal: Float64Array = new Float64Array(3);
  readonly normalByU: Float64Array = new Float64Array(3);
  readonly normalByV: Float64Array = new Float64Array(3);
  readonly #surface: Surface;
  readonly #rotation: Float64Array;
  readonly #own: Float64Array = new Float64Array(SURFACE_SLOTS);
  readonly #at: Float64Array = new Float64Array(2);
  #regular = false;

  constructor(surface: Surface, body: ContactBody | null) {
    this.#surface = surface;
    this.state = body?.state ?? WORLD;
    this.#rotation = body?.rotation ?? WORLD_ROTATION;
    this.lever = this.world.subarray(0, 3);
  }

  /** Everything at the parameters[o], parameters[o + 1]. @alloc none */
  place(parameters: Float64Array, o: number): void {
    const own = this.#own;
    const s = this.world;
    const n = this.normal;
    this.#at[0] = parameters[o];
    this.#at[1] = parameters[o + 1];
    this.#surface.evaluate(this.#at, own);
    for (let k = 0; k < SURFACE_SLOTS; k += 3) rotate3(s, k, this.#rotation, own, k);
    this.#regular = normalOf(n, 0, s, this.#surface.sign);
    this.#turnNormal(BY_UU, BY_UV, this.normalByU);
    this.#turnNormal(BY_UV, BY_VV, this.normalByV);
  }

  /** Whether the point is on the surface: within its domain, with a normal. @alloc none */
  holds(parameters: Float64Array, o: number): boolean {
    const { domain, periods } = this.#surface;
    for (let k = 0; k < 2; k++) {
      if (periods[k] > 0) continue;
      const value = parameters[o + k];
      if (!(value >= domain[2 * k] && value <= domain[2 * k + 1])) return false;
    }
    return this.#regular;
  }

  /** out := xx, xy, yy of B in two tangents: B = −E⁻ᵀ II E⁻¹ with II = n·S_ij and E = Tᵀ (S_u, S_v). @alloc none */
  writeCurvature(tangents: Float64Array, out: Float64Array): void {
    const s = this.world;
    const n = this.normal;
    const t = tangents;
    let xu = 0.0;
    let xv = 0.0;
    let yu = 0.0;
    let yv = 0.0;
    let uu = 0.0;
    let uv = 0.0;
    let vv = 0.0;
    for (let a = 0; a < 3; a++) {
      xu += t[a] * s[BY_U + a];
      xv += t[a] * s[BY_V + a];
      yu += t[3 + a] * s[BY_U + a];
      yv += t[3 + a] * s[BY_V + a];
      uu -= n[a] * s[BY_UU + a];
      uv -= n[a] * s[BY_UV + a];
      vv -= n[a] * s[BY_VV + a];
    }
    // columns of E⁻¹: parameter rates of unit tangents
    const k = 1 / (xu * yv - xv * yu);
    const ux = yv * k;
    const vx = -yu * k;
    const uy = -xv * k;
    const vy = xu * k;
    out[0] = uu * ux * ux + 2 * uv * ux * vx + vv * vx * vx;
    out[1] = uu * ux * uy + uv * (ux * vy + vx * uy) + vv * vx * vy;
    out[2] = uu * uy * uy + 2 * uv * uy * vy + vv * vy * vy;
  }

  /** out := (N' − n (n·N'))/|N| with N' = S_u' × S_v + S_u × S_v' and the normal of this side. */
  #turnNormal(byU: number, byV: number, out: Float64Array): void {
    const s = this.world;
    const n = this.normal;
    const { sign } = this.#surface;
    let along = 0.0;
    let size = 0.0;
    for (let a = 0; a < 3; a++) {
      const b = a === 2 ? 0 : a + 1;
      const c = a === 0 ? 2 : a - 1;
      const whole = s[BY_U + b] * s[BY_V + c] - s[BY_U + c] * s[BY_V + b];
      size += sign * n[a] * whole;
      out[a] =
        sign *
        (s[byU + b] * s[BY_V + c] -
          s[byU + c] * s[BY_V + b] +
          s[BY_U + b] * s[byV + c] -
          s[BY_U + c] * s[byV + b]);
      along += n[a] * out[a];
    }
    for (let a = 0; a < 3; a++) out[a] = (out[a] - n[a] * along) / size;
  }
}
