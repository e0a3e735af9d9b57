/**
 * Sphere on body i against a half-space on body j: x = (p_a − r_j)·n − h_j with the deepest point p_a = c − R n.
 * `Gonthier 2007, (3.1)–(3.2), A.2.1`.
 */
import type { SpherePlaneModel, Triple } from '../../model/contact-spec.ts';
import { finite, positive, range, unit } from '../../base/parameter-checks.ts';
import type { ContactBody } from '../contact-body.ts';
import { type ContactPair, GAP, NORMAL, type PairDefinition, POINT } from '../pair.ts';
import { ball, halfSpace } from './pair-shapes.ts';

/** The sphere–plane pair. */
export class SpherePlane implements ContactPair {
  private readonly radius: number;
  private readonly offset: number;
  private readonly center: Float64Array;
  private readonly normal: Float64Array;

  constructor(model: SpherePlaneModel) {
    this.radius = model.radius;
    this.offset = model.offset;
    this.center = Float64Array.from(model.center);
    this.normal = Float64Array.from(model.normal);
  }

  /** @alloc none */
  compute(i: ContactBody, j: ContactBody, kinematics: Float64Array): void {
    const a = i.rotation;
    const b = j.rotation;
    const c = this.center;
    const m = this.normal;
    const nx = b[0] * m[0] + b[1] * m[1] + b[2] * m[2];
    const ny = b[3] * m[0] + b[4] * m[1] + b[5] * m[2];
    const nz = b[6] * m[0] + b[7] * m[1] + b[8] * m[2];
    const r = this.radius;
    const px = i.state[0] + a[0] * c[0] + a[1] * c[1] + a[2] * c[2] - r * nx;
    const py = i.state[1] + a[3] * c[0] + a[4] * c[1] + a[5] * c[2] - r * ny;
    const pz = i.state[2] + a[6] * c[0] + a[7] * c[1] + a[8] * c[2] - r * nz;
    const s = j.state;
    kinematics[GAP] = (px - s[0]) * nx + (py - s[1]) * ny + (pz - s[2]) * nz - this.offset;
    kinematics[NORMAL] = nx;
    kinematics[NORMAL + 1] = ny;
    kinematics[NORMAL + 2] = nz;
    kinematics[POINT] = px;
    kinematics[POINT + 1] = py;
    kinematics[POINT + 2] = pz;
  }
}

export const SPHERE_PLANE: PairDefinition<SpherePlaneModel> = {
  step: 'point',
  supplies: ['effective-radius'],
  check(model, field) {
    positive(`${field}.radius`, model.radius);
    finite(`${field}.center`, model.center, 3);
    finite(`${field}.normal`, model.normal, 3);
    unit(`${field}.normal`, model.normal);
    range(`${field}.offset`, model.offset, true, 'to be finite');
  },
  effectiveRadius: (model) => model.radius,
  isEccentric: (model) => model.center.some((value) => value !== 0),
  make: (model) => new SpherePlane(model),
  shapes({ radius, center, normal, offset }) {
    const [x, y, z] = normal;
    const point: Triple = [x * offset, y * offset, z * offset];
    return { i: [ball(radius, center)], j: [halfSpace(normal, point)] };
  },
};
