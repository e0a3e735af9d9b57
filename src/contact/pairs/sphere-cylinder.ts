/**
 * Sphere on body i against an infinite circular cylinder on body j, from outside or in a bore. With q the part of the centre's
 * position across the axis: outside n = q/|q|, x = |q| − R − r; inside n = −q/|q|, x = r − R − |q|.
 * `Gonthier 2007, A.2.3` (where a bore has a negative radius), docs/theory/sphere-pairs.md.
 */
import type { SphereCylinderModel } from '../../model/contact-spec.ts';
import { tangentBasis } from '../../math/vec3.ts';
import { finite, oneOf, positive, range, unit } from '../../base/parameter-checks.ts';
import type { ContactBody } from '../contact-body.ts';
import { type ContactPair, GAP, type PairDefinition } from '../pair.ts';
import { equivalentRadius } from './elliptic-contact.ts';
import { DEGENERATE, isOff, locateSphere, placeContact, unitOf } from './sphere-frame.ts';
import { ball } from './pair-shapes.ts';
import type { CellShape } from '../../shapes/cell-model.ts';
import { turnZTo } from '../../shapes/placement.ts';

/** The sphere–cylinder pair. */
export class SphereCylinder implements ContactPair {
  usesFallback = false;
  /** [R, length below which the direction from the axis is rounding, signed radius: > 0 outside, < 0 bore], m. */
  private readonly size: Float64Array;
  private readonly center: Float64Array;
  private readonly origin: Float64Array;
  private readonly axis: Float64Array;
  /** A direction across the axis, which stands in on the axis itself. */
  private readonly across: Float64Array = new Float64Array(6);
  private readonly p: Float64Array = new Float64Array(3);
  private readonly n: Float64Array = new Float64Array(3);

  constructor(model: SphereCylinderModel) {
    const r = model.side === 'outside' ? model.cylinderRadius : -model.cylinderRadius;
    this.size = Float64Array.of(model.radius, DEGENERATE * model.radius, r);
    this.center = Float64Array.from(model.center);
    this.origin = Float64Array.from(model.axisPoint);
    this.axis = unitOf(model.axis);
    tangentBasis(this.across, this.axis, 0);
  }

  /** @alloc none */
  compute(i: ContactBody, j: ContactBody, kinematics: Float64Array): void {
    const { p, n, axis, across, size } = this;
    locateSphere(i, j, this.center, this.origin, p, kinematics);
    const along = p[0] * axis[0] + p[1] * axis[1] + p[2] * axis[2];
    const qx = p[0] - along * axis[0];
    const qy = p[1] - along * axis[1];
    const qz = p[2] - along * axis[2];
    const q = Math.sqrt(qx * qx + qy * qy + qz * qz);
    const r = size[2];
    const sign = r > 0 ? 1 : -1;
    this.usesFallback = q <= size[1];
    if (q <= size[1]) {
      n[0] = sign * across[0];
      n[1] = sign * across[1];
      n[2] = sign * across[2];
    } else {
      n[0] = (sign * qx) / q;
      n[1] = (sign * qy) / q;
      n[2] = (sign * qz) / q;
    }
    kinematics[GAP] = sign * q - r - size[0];
    placeContact(j, n, size, kinematics);
  }
}

export const SPHERE_CYLINDER: PairDefinition<SphereCylinderModel> = {
  step: 'point',
  endless: true,
  supplies: ['effective-radius'],
  check(model, field) {
    positive(`${field}.radius`, model.radius);
    finite(`${field}.center`, model.center, 3);
    finite(`${field}.axisPoint`, model.axisPoint, 3);
    finite(`${field}.axis`, model.axis, 3);
    unit(`${field}.axis`, model.axis);
    positive(`${field}.cylinderRadius`, model.cylinderRadius);
    oneOf(`${field}.side`, model.side, ['outside', 'inside']);
    if (model.side === 'outside') return;
    range(
      `${field}.radius`,
      model.radius,
      model.radius < model.cylinderRadius,
      `below cylinderRadius ${model.cylinderRadius}, so that the sphere fits into the bore`,
    );
  },
  effectiveRadius: ({ radius, cylinderRadius, side }) =>
    equivalentRadius(1 / radius, 1 / radius + (side === 'outside' ? 1 : -1) / cylinderRadius),
  isEccentric: (model) => isOff(model.center),
  make: (model) => new SphereCylinder(model),
  shapes({ radius, center, axisPoint, axis, cylinderRadius, side }) {
    // of the infinite cylinder as much as is four radii long
    const surface: CellShape =
      side === 'inside'
        ? { kind: 'bore', radius: cylinderRadius }
        : { kind: 'cylinder', radius: cylinderRadius, length: 4 * cylinderRadius };
    const place = { position: axisPoint, orientation: turnZTo(axis) };
    return { i: [ball(radius, center)], j: [{ ...place, shape: surface }] };
  },
};
