/**
 * Sphere on body i against a sphere on body j: x = |d| − (R_i + R_j) with d = c_i − c_j and n = d/|d|. The point of action is
 * the mean of the two deepest points, so that exchanging i and j changes signs and nothing else, to the last bit.
 * docs/theory/sphere-pairs.md.
 */
import type { SphereSphereModel } from '../../model/contact-spec.ts';
import { finite, positive } from '../../base/parameter-checks.ts';
import type { ContactBody } from '../contact-body.ts';
import { type ContactPair, GAP, NORMAL, type PairDefinition, POINT } from '../pair.ts';
import { DEGENERATE, isOff } from './sphere-frame.ts';
import { ball } from './pair-shapes.ts';

/** The sphere–sphere pair. */
export class SphereSphere implements ContactPair {
  usesFallback = false;
  /** [R_i, R_j, R_i + R_j, distance below which the direction between the centres is rounding], m. */
  private readonly size: Float64Array;
  private readonly centerI: Float64Array;
  private readonly centerJ: Float64Array;

  constructor(model: SphereSphereModel) {
    const sum = model.radius + model.radiusJ;
    this.size = Float64Array.of(model.radius, model.radiusJ, sum, DEGENERATE * sum);
    this.centerI = Float64Array.from(model.center);
    this.centerJ = Float64Array.from(model.centerJ);
  }

  /** @alloc none */
  compute(i: ContactBody, j: ContactBody, kinematics: Float64Array): void {
    const a = i.rotation;
    const b = j.rotation;
    const c = this.centerI;
    const d = this.centerJ;
    const size = this.size;
    const cx = i.state[0] + (a[0] * c[0] + a[1] * c[1] + a[2] * c[2]);
    const cy = i.state[1] + (a[3] * c[0] + a[4] * c[1] + a[5] * c[2]);
    const cz = i.state[2] + (a[6] * c[0] + a[7] * c[1] + a[8] * c[2]);
    const dx = j.state[0] + (b[0] * d[0] + b[1] * d[1] + b[2] * d[2]);
    const dy = j.state[1] + (b[3] * d[0] + b[4] * d[1] + b[5] * d[2]);
    const dz = j.state[2] + (b[6] * d[0] + b[7] * d[1] + b[8] * d[2]);
    const x = cx - dx;
    const y = cy - dy;
    const z = cz - dz;
    const distance = Math.sqrt(x * x + y * y + z * z);
    // concentric spheres have no normal: the z axis of body j stands in
    const near = distance <= size[3];
    this.usesFallback = near;
    const nx = near ? b[2] : x / distance;
    const ny = near ? b[5] : y / distance;
    const nz = near ? b[8] : z / distance;
    kinematics[GAP] = distance - size[2];
    kinematics[NORMAL] = nx;
    kinematics[NORMAL + 1] = ny;
    kinematics[NORMAL + 2] = nz;
    kinematics[POINT] = 0.5 * (cx - size[0] * nx + (dx + size[1] * nx));
    kinematics[POINT + 1] = 0.5 * (cy - size[0] * ny + (dy + size[1] * ny));
    kinematics[POINT + 2] = 0.5 * (cz - size[0] * nz + (dz + size[1] * nz));
  }
}

export const SPHERE_SPHERE: PairDefinition<SphereSphereModel> = {
  step: 'point',
  supplies: ['effective-radius'],
  check(model, field) {
    positive(`${field}.radius`, model.radius);
    finite(`${field}.center`, model.center, 3);
    positive(`${field}.radiusJ`, model.radiusJ);
    finite(`${field}.centerJ`, model.centerJ, 3);
  },
  effectiveRadius: ({ radius, radiusJ }) => (radius * radiusJ) / (radius + radiusJ),
  isEccentric: (model) => isOff(model.center),
  make: (model) => new SphereSphere(model),
  shapes: (model) => ({
    i: [ball(model.radius, model.center)],
    j: [ball(model.radiusJ, model.centerJ)],
  }),
};
