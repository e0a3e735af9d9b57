/**
 * Sphere on body i against a half-space on body j: x = (p_a − r_j)·n − h_j with the deepest point p_a = c − R n.
 * `Gonthier 2007, (3.1)–(3.2), A.2.1`.
 */
import type { SpherePlaneModel, Triple } from '../../model/contact-spec.ts';
import { finite, positive, range, unit } from '../../base/parameter-checks.ts';
import type { ContactBody } from '../contact-body.ts';
import { addRotated3, copy3, rotate3 } from '../../math/vec3.ts';
import { type ContactPair, GAP, NORMAL, type PairDefinition, POINT } from '../pair.ts';
import { ball, halfSpace } from './pair-shapes.ts';

/** The sphere–plane pair. */
export class SpherePlane implements ContactPair {
  readonly usesFallback = false;
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
    const { radius } = this;
    rotate3(kinematics, NORMAL, j.rotation, this.normal, 0);
    copy3(kinematics, POINT, i.state, 0);
    addRotated3(kinematics, POINT, i.rotation, this.center, 0);
    kinematics[POINT] -= radius * kinematics[NORMAL];
    kinematics[POINT + 1] -= radius * kinematics[NORMAL + 1];
    kinematics[POINT + 2] -= radius * kinematics[NORMAL + 2];
    const { state } = j;
    kinematics[GAP] =
      (kinematics[POINT] - state[0]) * kinematics[NORMAL] +
      (kinematics[POINT + 1] - state[1]) * kinematics[NORMAL + 1] +
      (kinematics[POINT + 2] - state[2]) * kinematics[NORMAL + 2] -
      this.offset;
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
