/**
 * One degree of freedom of a chain and the rigid part that turns with it. The last segment of a joint is the link; a universal
 * joint has a segment without mass before it. Contacts see a segment as a body (src/contact/contact-body.ts) whose answer to an
 * impulse is that of the whole chain.
 */
import { rotateTensor } from '../math/mat3.ts';
import { multiplyQuaternion, rotationOf } from '../math/quaternion.ts';
import type { LinkModel, Quadruple, Triple } from '../model/model.ts';
import { BODY_Q, BODY_STATE, BODY_W } from './body.ts';
import { ANGLE, sinCos } from '../math/elementary/circular.ts';

/** Where a segment sits on its parent. */
export interface SegmentSpec {
  readonly axis: Triple;
  readonly jointInParent: Triple;
  readonly jointInSegment: Triple;
  readonly orientation: Quadruple;
  /** The link that this segment carries; null for the middle of a universal joint. */
  readonly link: LinkModel | null;
}

/** What a segment belongs to and answers impulses with. `Chain` says what each does. */
export interface SegmentAssembly {
  push(segment: ChainSegment, kinematics: Float64Array, arm: number, impulse: Float64Array): void;
  turn(segment: ChainSegment, impulse: Float64Array): void;
  addMobility(
    segment: ChainSegment,
    kinematics: Float64Array,
    arm: number,
    basis: Float64Array,
    mobility: Float64Array,
  ): void;
  addSpinMobility(segment: ChainSegment, spinMobility: Float64Array): void;
  addCoupling(
    placeI: number,
    placeJ: number,
    kinematics: Float64Array,
    armI: number,
    basis: Float64Array,
    mobility: Float64Array,
  ): void;
  addSpinCoupling(placeI: number, placeJ: number, spinMobility: Float64Array): void;
}

/** One segment; all vectors are in the world frame unless they say otherwise. */
export class ChainSegment {
  readonly name: string;
  readonly dynamic: boolean = true;
  readonly yields: boolean = true;
  readonly assembly: SegmentAssembly;
  /** Index of its degree of freedom. */
  readonly place: number;
  /** p(3) q(4) v(3) w(3) of the centre of mass; follows from the angles and rates of the chain. */
  readonly state: Float64Array = new Float64Array(BODY_STATE);
  readonly rotation: Float64Array = new Float64Array(9);
  /** Force and moment about the centre of mass, collected for one evaluation. */
  readonly wrench: Float64Array = new Float64Array(6);
  readonly mass: number;
  readonly inertia: Float64Array = new Float64Array(9);
  /** Joint, m, and unit axis. */
  readonly joint: Float64Array = new Float64Array(3);
  readonly axis: Float64Array = new Float64Array(3);
  private readonly bodyInertia: Float64Array = new Float64Array(9);
  private readonly bodyAxis: Float64Array;
  private readonly inParent: Float64Array;
  private readonly inSegment: Float64Array;
  private readonly rest: Float64Array;
  /** Rotation by the joint angle; then the product with `rest`. */
  private readonly turned: Float64Array = new Float64Array(8);

  constructor(assembly: SegmentAssembly, place: number, spec: SegmentSpec) {
    this.assembly = assembly;
    this.place = place;
    this.name = spec.link?.name ?? '';
    this.mass = spec.link?.mass ?? 0;
    this.bodyAxis = Float64Array.from(spec.axis);
    this.inParent = Float64Array.from(spec.jointInParent);
    this.inSegment = Float64Array.from(spec.jointInSegment);
    this.rest = Float64Array.from(spec.orientation);
    if (spec.link === null) return;
    const [xx, yy, zz, xy, xz, yz] = spec.link.inertia;
    this.bodyInertia.set([xx, xy, xz, xy, yy, yz, xz, yz, zz]);
  }

  /** Pose from that of the parent and the angle q[place]. @alloc none */
  computePose(parent: Float64Array, parentRotation: Float64Array, q: Float64Array): void {
    const x = this.state;
    const a = this.bodyAxis;
    const t = this.turned;
    ANGLE[0] = 0.5 * q[this.place];
    const half = sinCos();
    const sine = half[0];
    t[0] = sine * a[0];
    t[1] = sine * a[1];
    t[2] = sine * a[2];
    t[3] = half[1];
    multiplyQuaternion(t, 4, this.rest, 0, t, 0);
    multiplyQuaternion(x, BODY_Q, parent, BODY_Q, t, 4);
    rotationOf(this.rotation, x, BODY_Q);
    const r = this.rotation;
    const o = parentRotation;
    const p = this.inParent;
    const s = this.inSegment;
    for (let i = 0; i < 3; i++) {
      const row = 3 * i;
      this.axis[i] = r[row] * a[0] + r[row + 1] * a[1] + r[row + 2] * a[2];
      this.joint[i] = parent[i] + o[row] * p[0] + o[row + 1] * p[1] + o[row + 2] * p[2];
      x[i] = this.joint[i] - (r[row] * s[0] + r[row + 1] * s[1] + r[row + 2] * s[2]);
    }
    if (this.mass !== 0) rotateTensor(this.inertia, r, this.bodyInertia);
  }

  /** Twist from that of the parent and the rate u[place]. @alloc none */
  computeTwist(parent: Float64Array, u: Float64Array): void {
    const x = this.state;
    const p = this.joint;
    const rate = u[this.place];
    for (let i = 0; i < 3; i++) x[BODY_W + i] = parent[BODY_W + i] + this.axis[i] * rate;
    // v of the joint, then of the centre of mass
    const rx = p[0] - parent[0];
    const ry = p[1] - parent[1];
    const rz = p[2] - parent[2];
    const sx = x[0] - p[0];
    const sy = x[1] - p[1];
    const sz = x[2] - p[2];
    x[7] = parent[7] + parent[11] * rz - parent[12] * ry + x[11] * sz - x[12] * sy;
    x[8] = parent[8] + parent[12] * rx - parent[10] * rz + x[12] * sx - x[10] * sz;
    x[9] = parent[9] + parent[10] * ry - parent[11] * rx + x[10] * sy - x[11] * sx;
  }

  /** sum[0] += m v²/2 + w·I w/2, sum[1] −= m g·p, J. @alloc none */
  addEnergy(gravity: Float64Array, sum: Float64Array): void {
    const g = gravity;
    const x = this.state;
    const m = this.inertia;
    const wx = x[10];
    const wy = x[11];
    const wz = x[12];
    sum[0] +=
      0.5 * this.mass * (x[7] * x[7] + x[8] * x[8] + x[9] * x[9]) +
      0.5 *
        (wx * (m[0] * wx + m[1] * wy + m[2] * wz) +
          wy * (m[3] * wx + m[4] * wy + m[5] * wz) +
          wz * (m[6] * wx + m[7] * wy + m[8] * wz));
    sum[1] -= this.mass * (g[0] * x[0] + g[1] * x[1] + g[2] * x[2]);
  }

  /** Changes the rates of the chain by an impulse, N s, at the point origin + kinematics[arm..]. @alloc none */
  push(kinematics: Float64Array, arm: number, impulse: Float64Array): void {
    this.assembly.push(this, kinematics, arm, impulse);
  }

  /** Changes the rates of the chain by a moment impulse on this segment, N m s. @alloc none */
  turn(impulse: Float64Array): void {
    this.assembly.turn(this, impulse);
  }

  /** Adds d_a·K d_b at the point origin + kinematics[arm..]: tangential (11, 12, 22) and normal, 1/kg. @alloc none */
  addMobility(
    kinematics: Float64Array,
    arm: number,
    basis: Float64Array,
    mobility: Float64Array,
  ): void {
    this.assembly.addMobility(this, kinematics, arm, basis, mobility);
  }

  /** Adds the angular velocity by unit moments on this segment, 1/(kg m²). @alloc none */
  addSpinMobility(spinMobility: Float64Array): void {
    this.assembly.addSpinMobility(this, spinMobility);
  }
}
