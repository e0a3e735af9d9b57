/** A surface on a body in motion: a point of it with derivatives, normal and curvature in the world. */
import type { ContactBody } from '../contact/contact-body.ts';
import { makeSurface } from '../shapes/surfaces/make-surface.ts';
import { normalOf, type Surface, SURFACE_SLOTS } from '../shapes/surfaces/surface.ts';
import { writeCurvature, writeNormalRates } from '../shapes/surfaces/surface-curvature.ts';
import type { SurfaceSpec } from '../shapes/surfaces/surface-spec.ts';
import { TrimRegion } from '../shapes/surfaces/trim-region.ts';

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
  readonly normalByU: Float64Array;
  readonly normalByV: Float64Array;
  readonly #surface: Surface;
  readonly #region: TrimRegion;
  readonly #rotation: Float64Array;
  readonly #own: Float64Array = new Float64Array(SURFACE_SLOTS);
  /** Parameters of `#own`. */
  readonly #at: Float64Array = new Float64Array(2).fill(Number.NaN);
  readonly #rates: Float64Array = new Float64Array(6);
  #regular = false;

  constructor(spec: SurfaceSpec, body: ContactBody | null) {
    this.#surface = makeSurface(spec);
    this.#region = new TrimRegion(this.#surface, spec.trim);
    this.state = body?.state ?? WORLD;
    this.#rotation = body?.rotation ?? WORLD_ROTATION;
    this.lever = this.world.subarray(0, 3);
    this.normalByU = this.#rates.subarray(0, 3);
    this.normalByV = this.#rates.subarray(3, 6);
  }

  /** Point, derivatives and normal at the parameters[o], parameters[o + 1]. @alloc none */
  place(parameters: Float64Array, o: number): void {
    const at = this.#at;
    // a first guess is the point of the last pose: the surface is the same there in its body
    if (at[0] !== parameters[o] || at[1] !== parameters[o + 1]) {
      at[0] = parameters[o];
      at[1] = parameters[o + 1];
      this.#surface.evaluate(at, this.#own);
    }
    turn(this.world, this.#rotation, this.#own);
    this.#regular = normalOf(this.normal, 0, this.world, this.#surface.sign);
  }

  /** How the normal changes with the parameters, at the point of `place`. @alloc none */
  placeRates(): void {
    writeNormalRates(this.#rates, 0, this.world, this.normal);
  }

  /** Whether the point of `place` is on the surface: within its border, with a normal. @alloc none */
  get holds(): boolean {
    return this.#regular && this.#region.contains(this.#at);
  }

  /** out := 11, 12, 22 of B in two unit tangents, 1/m. @alloc none */
  writeCurvature(tangents: Float64Array, out: Float64Array): void {
    writeCurvature(out, this.world, this.normal, tangents);
  }
}

/** out := six vectors turned by a rotation matrix. */
function turn(out: Float64Array, r: Float64Array, from: Float64Array): void {
  const { 0: xx, 1: xy, 2: xz, 3: yx, 4: yy, 5: yz, 6: zx, 7: zy, 8: zz } = r;
  for (let k = 0; k < SURFACE_SLOTS; k += 3) {
    const x = from[k];
    const y = from[k + 1];
    const z = from[k + 2];
    out[k] = xx * x + xy * y + xz * z;
    out[k + 1] = yx * x + yy * y + yz * z;
    out[k + 2] = zx * x + zy * y + zz * z;
  }
}
