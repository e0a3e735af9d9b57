/**
 * Sphere on body i against the convex edge of two half-planes on body j, the wedge { p·n_1 <= 0 and p·n_2 <= 0 }. The gap is the
 * signed distance of the sphere centre from the wedge, less R; the normal turns smoothly from n_1 to n_2 as the sphere passes
 * over the edge. `Gonthier 2007, A.2.2`, docs/theory/sphere-pairs.md.
 */
import type { SphereEdgeModel, Triple } from '../../model/contact-spec.ts';
import { BerthError } from '../../base/errors.ts';
import { finite, positive, unit } from '../../base/parameter-checks.ts';
import type { ContactBody } from '../contact-body.ts';
import { type ContactPair, GAP, type PairDefinition } from '../pair.ts';
import { DEGENERATE, isOff, locateSphere, placeContact, unitOf } from './sphere-frame.ts';
import { ball, halfSpace } from './pair-shapes.ts';

/** Sine of the angle between the planes at and below which they do not make an edge. */
const PARALLEL = 1e-6;

/** The sphere–edge pair. */
export class SphereEdge implements ContactPair {
  usesFallback = false;
  /** [R, length below which the direction to the edge is rounding], m. */
  private readonly size: Float64Array;
  private readonly center: Float64Array;
  private readonly origin: Float64Array;
  private readonly n1: Float64Array;
  private readonly n2: Float64Array;
  /** Along the edge. */
  private readonly e: Float64Array;
  /** In plane 1 and in plane 2, away from the edge. */
  private readonly t1: Float64Array;
  private readonly t2: Float64Array;
  /** Mean normal, which stands in on the edge itself. */
  private readonly mean: Float64Array;
  private readonly p: Float64Array = new Float64Array(3);
  private readonly n: Float64Array = new Float64Array(3);

  constructor(model: SphereEdgeModel) {
    this.size = Float64Array.of(model.radius, DEGENERATE * model.radius);
    this.center = Float64Array.from(model.center);
    this.origin = Float64Array.from(model.edgePoint);
    this.n1 = unitOf(model.normal1);
    this.n2 = unitOf(model.normal2);
    this.e = unitOf(cross(this.n1, this.n2));
    this.t1 = unitOf(cross(this.n1, this.e));
    this.t2 = unitOf(cross(this.e, this.n2));
    this.mean = unitOf([this.n1[0] + this.n2[0], this.n1[1] + this.n2[1], this.n1[2] + this.n2[2]]);
  }

  /** @alloc none */
  compute(i: ContactBody, j: ContactBody, kinematics: Float64Array): void {
    const { p, n, n1, n2, e, t1, t2, mean, size } = this;
    locateSphere(i, j, this.center, this.origin, p, kinematics);
    const x = p[0];
    const y = p[1];
    const z = p[2];
    const h1 = x * n1[0] + y * n1[1] + z * n1[2];
    const h2 = x * n2[0] + y * n2[1] + z * n2[2];
    const below = h1 < 0 && h2 < 0;
    this.usesFallback = false;
    if (below ? h1 > h2 : h1 >= 0 && x * t1[0] + y * t1[1] + z * t1[2] > 0) {
      n[0] = n1[0];
      n[1] = n1[1];
      n[2] = n1[2];
      kinematics[GAP] = h1 - size[0];
    } else if (below || (h2 >= 0 && x * t2[0] + y * t2[1] + z * t2[2] > 0)) {
      n[0] = n2[0];
      n[1] = n2[1];
      n[2] = n2[2];
      kinematics[GAP] = h2 - size[0];
    } else {
      const along = x * e[0] + y * e[1] + z * e[2];
      const qx = x - along * e[0];
      const qy = y - along * e[1];
      const qz = z - along * e[2];
      const q = Math.sqrt(qx * qx + qy * qy + qz * qz);
      const near = q <= size[1];
      this.usesFallback = near;
      n[0] = near ? mean[0] : qx / q;
      n[1] = near ? mean[1] : qy / q;
      n[2] = near ? mean[2] : qz / q;
      kinematics[GAP] = q - size[0];
    }
    placeContact(j, n, size, kinematics);
  }
}

function cross(a: ArrayLike<number>, b: ArrayLike<number>): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Two planes make an edge unless they are parallel. */
function checkEdge(model: SphereEdgeModel, field: string): void {
  const [x, y, z] = cross(model.normal1, model.normal2);
  if (Math.sqrt(x * x + y * y + z * z) > PARALLEL) return;
  const [a, b] = [model.normal1, model.normal2];
  const reason =
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > 0
      ? 'parallel planes meet in no edge; use a sphere-plane pair'
      : 'opposite planes enclose a sheet without thickness, which has no inside';
  throw new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected ${field}.normal2 to make an angle between 0 and pi with ${field}.normal1 [${a.join(', ')}], got [${b.join(', ')}]: ${reason}`,
    { field: `${field}.normal2` },
  );
}

export const SPHERE_EDGE: PairDefinition<SphereEdgeModel> = {
  step: 'point',
  // no effective radius: the contact of a sphere with a sharp edge is not Hertz's
  supplies: [],
  check(model, field) {
    positive(`${field}.radius`, model.radius);
    finite(`${field}.center`, model.center, 3);
    finite(`${field}.edgePoint`, model.edgePoint, 3);
    for (const name of ['normal1', 'normal2'] as const) {
      finite(`${field}.${name}`, model[name], 3);
      unit(`${field}.${name}`, model[name]);
    }
    checkEdge(model, field);
  },
  effectiveRadius: () => 0,
  isEccentric: (model) => isOff(model.center),
  make: (model) => new SphereEdge(model),
  shapes: (model) => ({
    i: [ball(model.radius, model.center)],
    j: [halfSpace(model.normal1, model.edgePoint), halfSpace(model.normal2, model.edgePoint)],
  }),
};
