/**
 * Sections of a half ball on a round body, cut by a plane (sections.ts): the end of a capsule.
 *
 * Let ζ run from the centre outwards along the axis, 0 <= ζ <= R. c_ζ = ±c is the part of the
 * normal along it and D_c the depth of the centre. The plane cuts the ball in a circle of radius a
 * = √(R² − D_c²), and ψ about its centre gives
 *
 *   ζ = c_ζ D_c + s a cos ψ,   q = a sin ψ,   b = −s D_c + c_ζ a cos ψ,   dζ = s a sin ψ dψ,   τ_b = s z_c ± a cos ψ     (1)
 *
 * Cut sections have 0 <= ψ <= ψ_0, where the circle leaves the half ball:
 *
 *   tan ψ_0 = √((s R − D_c)(s R + D_c))/(−c_ζ D_c)                                                                     (2)
 *
 * Beyond ζ(0) discs are whole when the pole of the ball is under the plane, before ζ(π) when all of
 * ζ = 0 is. At the pole the angle of a segment has a logarithm: panels are at most the distance
 * from it, cosh η = (R − c_ζ D_c)/(s a).
 */
import { gaussLegendre } from '../../math/quadrature.ts';
import { DISCS, PLANE, SECTION, type Sections } from './sections.ts';
import { ANGLE, sinCos } from '../../math/elementary/circular.ts';
import { atan2 } from '../../math/elementary/inverse-circular.ts';
import { acosh } from '../../math/elementary/hyperbolic.ts';

const NODES = 20;
const RULE = gaussLegendre(NODES);
const LONGEST = 0.5 * Math.PI;
const SHORTEST = 1e-6;

/** The part of a half ball below a plane. */
export class HalfBallSections {
  /** Height of the centre, radius, side: 1 up, −1 down. */
  readonly #size: Float64Array;

  constructor(center: number, radius: number, side: 1 | -1) {
    this.#size = Float64Array.of(center, radius, side);
  }

  /** Adds its sections. */
  add(sections: Sections): void {
    const plane = sections.plane;
    const center = this.#size[0];
    const r = this.#size[1];
    const side = this.#size[2];
    const sine = plane[PLANE.sine];
    const cosine = side * plane[PLANE.cosine];
    const depth = plane[PLANE.offset] - plane[PLANE.cosine] * center;
    if (depth <= -r) return;
    const a = depth >= r ? 0 : Math.sqrt((r - depth) * (r + depth));
    const top = depth >= r ? r : cosine * depth + sine * a;
    const bottom = depth >= r ? r : cosine * depth - sine * a;
    const discs = sections.discs;
    if (depth >= sine * r && bottom > 0) {
      discs[DISCS.from] = 0;
      discs[DISCS.to] = bottom;
      this.#addDiscs(sections);
    }
    if (depth > cosine * r && top < r) {
      discs[DISCS.from] = top > 0 ? top : 0;
      discs[DISCS.to] = r;
      this.#addDiscs(sections);
    }
    if (a === 0) return;
    const square = (sine * r - depth) * (sine * r + depth);
    if (square <= 0 && cosine * depth < 0) return;
    if (sine === 0) {
      sections.section[SECTION.weight] = Math.PI * a * a;
      sections.addArea();
      return;
    }
    const last = square <= 0 ? Math.PI : atan2(Math.sqrt(square), -cosine * depth);
    const along = sine * center - plane[PLANE.along];
    const ratio = (r - cosine * depth) / (sine * a);
    const high = ratio > 1 ? acosh(ratio) : 0;
    const section = sections.section;
    let done = 0;
    while (done < last) {
      let step = Math.min(Math.sqrt(done * done + high * high), LONGEST);
      if (step < SHORTEST) step = SHORTEST;
      if (done + step > last) step = last - done;
      for (let k = 0; k < NODES; k++) {
        const angle = done + 0.5 * step * (1 + RULE.nodes[k]);
        ANGLE[0] = angle;
        const turn = sinCos();
        const q = a * turn[0];
        const aCos = a * turn[1];
        const b = cosine * aCos - sine * depth;
        section[SECTION.radius] = Math.sqrt(q * q + b * b);
        section[SECTION.halfChord] = q;
        section[SECTION.distance] = b;
        section[SECTION.weight] = 0.5 * step * RULE.weights[k] * q;
        section[SECTION.along] = along + side * aCos;
        sections.addSection();
      }
      done = done + step > last - SHORTEST * 1e-6 ? last : done + step;
    }
  }

  /** From and to are given as ζ. */
  #addDiscs(sections: Sections): void {
    const discs = sections.discs;
    const center = this.#size[0];
    const from = discs[DISCS.from];
    const to = discs[DISCS.to];
    const up = this.#size[2] > 0;
    discs[DISCS.from] = up ? center + from : center - to;
    discs[DISCS.to] = up ? center + to : center - from;
    discs[DISCS.origin] = center;
    discs[DISCS.square] = this.#size[1] * this.#size[1];
    discs[DISCS.square + 1] = 0;
    discs[DISCS.square + 2] = -1;
    sections.addDiscs();
  }
}
