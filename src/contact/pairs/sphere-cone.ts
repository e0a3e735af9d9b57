/**
 * Sphere on body i against an infinite circular cone on body j with half apex angle α. The gap is the signed distance of the
 * sphere centre from the cone, less R: over the tip n = p/|p|, on the flank n = u cos α + a sin α, with u the direction from the
 * axis. Inside the cone the normal turns about the axis and has no value on it; there it is a. `Gonthier 2007, A.2.4`,
 * docs/theory/sphere-pairs.md.
 */
import type { SphereConeModel } from '../../model/contact-spec.ts';
import { finite, positive, range, unit } from '../../base/parameter-checks.ts';
import type { ContactBody } from '../contact-body.ts';
import { type ContactPair, GAP, type PairDefinition } from '../pair.ts';
import { DEGENERATE, isOff, locateSphere, placeContact, unitOf } from './sphere-frame.ts';
import { cos, sin } from '../../math/elementary/circular.ts';
import { ball } from './pair-shapes.ts';

/** The sphere–cone pair. */
export class SphereCone implements ContactPair {
  usesFallback = false;
  /** [R, length below which the direction from apex or axis is rounding], m. */
  private readonly size: Float64Array;
  private readonly center: Float64Array;
  private readonly origin: Float64Array;
  private readonly axis: Float64Array;
  /** [cos α, sin α] */
  private readonly half: Float64Array;
  private readonly p: Float64Array = new Float64Array(3);
  private readonly n: Float64Array = new Float64Array(3);

  constructor(model: SphereConeModel) {
    const alpha = 0.5 * model.apexAngle;
    this.size = Float64Array.of(model.radius, DEGENERATE * model.radius);
    this.center = Float64Array.from(model.center);
    this.origin = Float64Array.from(model.apex);
    this.axis = unitOf(model.axis);
    this.half = Float64Array.of(cos(alpha), sin(alpha));
  }

  /** @alloc none */
  compute(i: ContactBody, j: ContactBody, kinematics: Float64Array): void {
    const { p, n, axis, size } = this;
    locateSphere(i, j, this.center, this.origin, p, kinematics);
    const c = this.half[0];
    const s = this.half[1];
    const height = p[0] * axis[0] + p[1] * axis[1] + p[2] * axis[2];
    const qx = p[0] - height * axis[0];
    const qy = p[1] - height * axis[1];
    const qz = p[2] - height * axis[2];
    const q = Math.sqrt(qx * qx + qy * qy + qz * qz);
    if (height * c > q * s) {
      const distance = Math.sqrt(q * q + height * height);
      const near = distance <= size[1];
      this.usesFallback = near;
      n[0] = near ? axis[0] : p[0] / distance;
      n[1] = near ? axis[1] : p[1] / distance;
      n[2] = near ? axis[2] : p[2] / distance;
      kinematics[GAP] = distance - size[0];
    } else {
      const near = q <= size[1];
      this.usesFallback = near;
      n[0] = near ? axis[0] : (c * qx) / q + s * axis[0];
      n[1] = near ? axis[1] : (c * qy) / q + s * axis[1];
      n[2] = near ? axis[2] : (c * qz) / q + s * axis[2];
      kinematics[GAP] = c * q + s * height - size[0];
    }
    placeContact(j, n, size, kinematics);
  }
}

export const SPHERE_CONE: PairDefinition<SphereConeModel> = {
  step: 'point',
  endless: true,
  // no effective radius: the cone's curvature depends on how far from the apex the sphere touches
  supplies: [],
  check(model, field) {
    positive(`${field}.radius`, model.radius);
    finite(`${field}.center`, model.center, 3);
    finite(`${field}.apex`, model.apex, 3);
    finite(`${field}.axis`, model.axis, 3);
    unit(`${field}.axis`, model.axis);
    const angle = model.apexAngle;
    range(
      `${field}.apexAngle`,
      angle,
      angle > 0 && angle <= Math.PI,
      'above 0 and at most pi rad (the full angle; pi is a plane)',
    );
  },
  effectiveRadius: () => 0,
  isEccentric: (model) => isOff(model.center),
  make: (model) => new SphereCone(model),
  // a cone has no end to draw; the sphere shows where it is
  shapes: (model) => ({ i: [ball(model.radius, model.center)], j: [] }),
};
