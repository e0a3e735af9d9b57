/**
 * A serial chain of revolute joints on a fixed base, in joint coordinates: angles q and rates u are the state, poses and twists of
 * the links follow. M(q) u' = Jᵀ f − c(q, u), docs/theory/chains.md.
 *
 * M by the composite-rigid-body method, c by recursive Newton–Euler with the wrenches on the links (gravity, springs, external,
 * contacts) taken in, u' by Cholesky factors. `Featherstone 2008, Rigid Body Dynamics Algorithms, 5.3 and 6.2`, written with world
 * vectors about centres of mass. Contact impulses change u by M⁻¹ Jᵀ p.
 */
import { factorCholesky, solveLower, solveLowerTransposed } from '../math/cholesky.ts';
import { normalizeQuaternion, rotationOf } from '../math/quaternion.ts';
import type { ChainModel, LinkModel } from '../model/model.ts';
import { BODY_Q, BODY_STATE } from './body.ts';
import { ChainSegment, type SegmentAssembly, type SegmentSpec } from './chain-segment.ts';
import { CompositeInertia } from './composite-inertia.ts';
import { NewtonEuler } from './newton-euler.ts';

/** A pivot of M that is smaller than this part of its diagonal element is rounding, not inertia. */
const SINGULAR = 1e-12;

/** Degrees of freedom of a chain: the arena holds twice as many values. */
export function chainFreedoms(model: ChainModel): number {
  return model.links.reduce((sum, link) => sum + (link.joint.kind === 'universal' ? 2 : 1), 0);
}

/** One chain of a system. */
export class Chain implements SegmentAssembly {
  readonly name: string;
  readonly led: boolean = false;
  /** One per degree of freedom, from the base outwards. */
  readonly segments: readonly ChainSegment[];
  /** The segments that carry a link, in the order of the model. */
  readonly links: readonly ChainSegment[];
  /** Angles, rad, then rates, rad/s, in the arena. */
  readonly state: Float64Array;
  /** Their derivative. */
  readonly rate: Float64Array;
  /** Views of the two halves of the state. */
  readonly q: Float64Array;
  readonly u: Float64Array;
  /** M, n × n, kg m². */
  readonly massMatrix: Float64Array;
  /** u' of the last `computeAccelerations`, rad/s². */
  readonly acceleration: Float64Array;
  /** False when M had no Cholesky factors at the last `refresh`: what follows is then not finite. */
  regular = true;
  private readonly n: number;
  private readonly root: Float64Array = new Float64Array(BODY_STATE);
  private readonly rootRotation: Float64Array = new Float64Array(9);
  private readonly factors: Float64Array;
  private readonly tolerance: Float64Array = Float64Array.of(SINGULAR);
  private readonly composite: CompositeInertia;
  private readonly newtonEuler: NewtonEuler;
  /** Rows of generalized forces: three of one body, three of another. */
  private readonly rows: Float64Array;
  private readonly oldState: Float64Array;
  private readonly drift: Float64Array;
  /** Whether an impulse came since `applyForces`. */
  private pushed = false;
  private readonly unit: Float64Array = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

  constructor(model: ChainModel, state: Float64Array, rate: Float64Array) {
    this.name = model.name;
    const specs = model.links.flatMap(segmentsOf);
    const n = specs.length;
    this.n = n;
    this.segments = specs.map((spec, place) => new ChainSegment(this, place, spec));
    this.links = this.segments.filter((_, place) => specs[place].link !== null);
    this.state = state;
    this.rate = rate;
    this.q = new Float64Array(state.buffer, state.byteOffset, n);
    this.u = new Float64Array(state.buffer, state.byteOffset + 8 * n, n);
    this.massMatrix = new Float64Array(n * n);
    this.factors = new Float64Array(n * n);
    this.acceleration = new Float64Array(n);
    this.composite = new CompositeInertia(this.segments);
    this.newtonEuler = new NewtonEuler(this.segments, this.root);
    this.rows = new Float64Array(6 * n);
    this.oldState = new Float64Array(2 * n);
    this.drift = new Float64Array(n);
    this.root.set(model.position, 0);
    this.root.set(model.orientation, BODY_Q);
    normalizeQuaternion(this.root, BODY_Q);
    rotationOf(this.rootRotation, this.root, BODY_Q);
    const joints = model.links.map((link) => link.joint);
    this.q.set(joints.flatMap((j) => (j.kind === 'universal' ? [...j.angles] : [j.angle])));
    this.u.set(joints.flatMap((j) => (j.kind === 'universal' ? [...j.rates] : [j.rate])));
    this.refresh();
  }

  /** What contacts, springs and rows see: the links. */
  get parts(): readonly ChainSegment[] {
    return this.links;
  }

  /** Poses, twists, mass matrix and its factors from the state. @alloc none */
  refresh(): void {
    let parent = this.root;
    let rotation = this.rootRotation;
    for (let k = 0; k < this.n; k++) {
      const segment = this.segments[k];
      segment.computePose(parent, rotation, this.q);
      parent = segment.state;
      rotation = segment.rotation;
    }
    this.computeTwists();
    this.composite.computeMassMatrix(this.massMatrix);
    this.regular = factorCholesky(this.factors, this.massMatrix, this.n, this.tolerance) === 1;
  }

  /** Acceleration from the collected wrenches at the present state. @alloc none */
  computeAccelerations(): void {
    const a = this.acceleration;
    this.newtonEuler.computeForces(this.u, a);
    solveLower(this.factors, this.n, a, 0);
    solveLowerTransposed(this.factors, this.n, a, 0);
  }

  /** x' = f(x) from the collected wrenches, for explicit methods. @alloc none */
  computeDerivative(): void {
    this.computeAccelerations();
    for (let k = 0; k < this.n; k++) {
      this.rate[k] = this.u[k];
      this.rate[this.n + k] = this.acceleration[k];
    }
  }

  /**
   * Rates after timing[0] under the collected wrenches, by the midpoint rule, and takes the wrenches off; poses and factors stay
   * those of the start, for the contacts. @alloc none
   */
  applyForces(timing: Float64Array): void {
    const h = timing[0];
    const n = this.n;
    const { q, u, acceleration: a, oldState: old } = this;
    for (let k = 0; k < 2 * n; k++) old[k] = this.state[k];
    this.pushed = false;
    this.computeAccelerations();
    for (let k = 0; k < n; k++) {
      q[k] += 0.5 * h * u[k];
      u[k] += 0.5 * h * a[k];
    }
    this.refresh();
    this.computeAccelerations();
    for (let k = 0; k < n; k++) {
      q[k] = old[k];
      u[k] = old[n + k] + h * a[k];
      this.drift[k] = -0.5 * h * h * a[k];
    }
    this.refresh();
    for (let k = 0; k < n; k++) {
      for (let i = 0; i < 6; i++) this.segments[k].wrench[i] = 0;
    }
  }

  /** Changes the rates by the collected wrenches times timing[0]: explicit contact forces. @alloc none */
  applyWrenches(timing: Float64Array): void {
    const h = timing[0];
    const a = this.acceleration;
    this.newtonEuler.projectWrenches(a);
    solveLower(this.factors, this.n, a, 0);
    solveLowerTransposed(this.factors, this.n, a, 0);
    for (let k = 0; k < this.n; k++) {
      if (a[k] !== 0) this.pushed = true;
      this.u[k] += h * a[k];
    }
    this.computeTwists();
  }

  /**
   * Angles after timing[0]: with the present rates, less half a step of the smooth acceleration when nothing pushed the chain. In
   * contact the rates count fully, so that a chain at rest has rates of zero. `refresh` has to follow. @alloc none
   */
  advancePose(timing: Float64Array): void {
    const h = timing[0];
    for (let k = 0; k < this.n; k++) {
      this.q[k] += h * this.u[k];
      if (!this.pushed) this.q[k] += this.drift[k];
    }
  }

  /** Nothing: angles have no quaternions. @alloc none */
  normalize(): void {}

  /** Adds the weight to the wrenches of the links. @alloc none */
  addWeight(gravity: Float64Array): void {
    for (let l = 0; l < this.links.length; l++) {
      const { wrench, mass } = this.links[l];
      for (let a = 0; a < 3; a++) wrench[a] += mass * gravity[a];
    }
  }

  /** sum[0] += kinetic energy, sum[1] += potential energy, J. @alloc none */
  addEnergy(gravity: Float64Array, sum: Float64Array): void {
    for (let l = 0; l < this.links.length; l++) this.links[l].addEnergy(gravity, sum);
  }

  /** u += M⁻¹ Jᵀ p for an impulse, N s, at the point origin + kinematics[arm..] of a segment. @alloc none */
  push(segment: ChainSegment, kinematics: Float64Array, arm: number, impulse: Float64Array): void {
    this.projectForce(segment, segment, kinematics, arm, impulse, 0, 0);
    this.addRow();
  }

  /** u += M⁻¹ J_wᵀ m for a moment impulse, N m s, on a segment. @alloc none */
  turn(segment: ChainSegment, impulse: Float64Array): void {
    this.projectMoment(segment, impulse, 0, 0);
    this.addRow();
  }

  /** Adds d_a·J M⁻¹ Jᵀ d_b at a point of a segment: tangential (11, 12, 22) and normal, 1/kg. @alloc none */
  addMobility(
    segment: ChainSegment,
    kinematics: Float64Array,
    arm: number,
    basis: Float64Array,
    mobility: Float64Array,
  ): void {
    this.fillRows(segment, segment, kinematics, arm, basis, 0);
    this.addProduct(0, 0, 1, mobility, 0);
    this.addProduct(0, 1, 1, mobility, 1);
    this.addProduct(1, 1, 1, mobility, 2);
    this.addProduct(2, 2, 1, mobility, 3);
  }

  /** What a contact between two segments has beside the terms of each: see ContactAssembly. @alloc none */
  addCoupling(
    placeI: number,
    placeJ: number,
    kinematics: Float64Array,
    arm: number,
    basis: Float64Array,
    mobility: Float64Array,
  ): void {
    const i = this.segments[placeI];
    this.fillRows(i, i, kinematics, arm, basis, 0);
    this.fillRows(this.segments[placeJ], i, kinematics, arm, basis, 3);
    this.addProduct(0, 3, -2, mobility, 0);
    this.addProduct(0, 4, -1, mobility, 1);
    this.addProduct(1, 3, -1, mobility, 1);
    this.addProduct(1, 4, -2, mobility, 2);
    this.addProduct(2, 5, -2, mobility, 3);
  }

  /** Adds J_w M⁻¹ J_wᵀ of a segment, 1/(kg m²), row by row. @alloc none */
  addSpinMobility(segment: ChainSegment, spinMobility: Float64Array): void {
    this.fillSpinRows(segment, 0);
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) this.addProduct(a, b, 1, spinMobility, 3 * a + b);
    }
  }

  /** As `addCoupling` for angular velocities and moments. @alloc none */
  addSpinCoupling(placeI: number, placeJ: number, spinMobility: Float64Array): void {
    this.fillSpinRows(this.segments[placeI], 0);
    this.fillSpinRows(this.segments[placeJ], 3);
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) {
        this.addProduct(a, 3 + b, -1, spinMobility, 3 * a + b);
        this.addProduct(b, 3 + a, -1, spinMobility, 3 * a + b);
      }
    }
  }

  private computeTwists(): void {
    let parent = this.root;
    for (let k = 0; k < this.n; k++) {
      this.segments[k].computeTwist(parent, this.u);
      parent = this.segments[k].state;
    }
  }

  /** u += M⁻¹ of the first row. */
  private addRow(): void {
    solveLower(this.factors, this.n, this.rows, 0);
    solveLowerTransposed(this.factors, this.n, this.rows, 0);
    this.pushed = true;
    for (let k = 0; k < this.n; k++) this.u[k] += this.rows[k];
    this.computeTwists();
  }

  /** Rows L⁻¹ Jᵀ d of the three directions of a basis. */
  private fillRows(
    segment: ChainSegment,
    holder: ChainSegment,
    kinematics: Float64Array,
    arm: number,
    basis: Float64Array,
    row: number,
  ): void {
    for (let d = 0; d < 3; d++) {
      this.projectForce(segment, holder, kinematics, arm, basis, 3 * d, row + d);
      solveLower(this.factors, this.n, this.rows, (row + d) * this.n);
    }
  }

  private fillSpinRows(segment: ChainSegment, row: number): void {
    for (let d = 0; d < 3; d++) {
      this.projectMoment(segment, this.unit, 3 * d, row + d);
      solveLower(this.factors, this.n, this.rows, (row + d) * this.n);
    }
  }

  /** Row := Jᵀ f for the force f[at..] on a segment at the point (origin of `holder`) + kinematics[arm..]. */
  private projectForce(
    segment: ChainSegment,
    holder: ChainSegment,
    kinematics: Float64Array,
    arm: number,
    f: Float64Array,
    at: number,
    row: number,
  ): void {
    const x = holder.state;
    const px = x[0] + kinematics[arm];
    const py = x[1] + kinematics[arm + 1];
    const pz = x[2] + kinematics[arm + 2];
    const o = row * this.n;
    for (let k = 0; k < this.n; k++) {
      if (k > segment.place) {
        this.rows[o + k] = 0;
        continue;
      }
      const p = this.segments[k].joint;
      const a = this.segments[k].axis;
      const rx = px - p[0];
      const ry = py - p[1];
      const rz = pz - p[2];
      this.rows[o + k] =
        a[0] * (ry * f[at + 2] - rz * f[at + 1]) +
        a[1] * (rz * f[at] - rx * f[at + 2]) +
        a[2] * (rx * f[at + 1] - ry * f[at]);
    }
  }

  /** Row := J_wᵀ m for the moment m[at..] on a segment. */
  private projectMoment(segment: ChainSegment, m: Float64Array, at: number, row: number): void {
    const o = row * this.n;
    for (let k = 0; k < this.n; k++) {
      const a = this.segments[k].axis;
      this.rows[o + k] = k > segment.place ? 0 : a[0] * m[at] + a[1] * m[at + 1] + a[2] * m[at + 2];
    }
  }

  /** out[o] += factor · row a · row b; the factor is a small whole number. */
  private addProduct(a: number, b: number, factor: number, out: Float64Array, o: number): void {
    const n = this.n;
    let sum = 0.0;
    for (let k = 0; k < n; k++) sum += this.rows[a * n + k] * this.rows[b * n + k];
    out[o] += factor * sum;
  }
}

/** The segments of a link: one for each axis of its joint. */
function segmentsOf(link: LinkModel): SegmentSpec[] {
  const rest = Float64Array.from(link.orientation ?? [0, 0, 0, 1]);
  normalizeQuaternion(rest, 0);
  const orientation = [rest[0], rest[1], rest[2], rest[3]] as const;
  const { jointInParent, jointInLink: jointInSegment, joint } = link;
  if (joint.kind === 'revolute') {
    return [{ axis: joint.axis, jointInParent, jointInSegment, orientation, link }];
  }
  const here = [0, 0, 0] as const;
  const [first, second] = joint.axes;
  return [
    { axis: first, jointInParent, jointInSegment: here, orientation, link: null },
    { axis: second, jointInParent: here, jointInSegment, orientation: [0, 0, 0, 1], link },
  ];
}
