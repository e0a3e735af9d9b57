/**
 * A rigid body: thirteen state values in the arena (p, q, v, w; world frame, origin at the centre of mass) and what
 * follows from them. Newton–Euler; the orientation advances by the exponential map.
 *
 * The discrete step keeps the angular momentum L = I w exactly: torques change L, the orientation turns with the angular
 * velocity at mid-step and w' = I(q')⁻¹ L. That contains the gyroscopic term without its stiffness, and a free asymmetric
 * body neither gains nor loses momentum.
 */
import { columnOf, type Columns, OWN_COLUMNS } from '../math/columns.ts';
import { invert3, multiply3, rotateTensor } from '../math/mat3.ts';
import { advanceQuaternion, normalizeQuaternion, rotationOf } from '../math/quaternion.ts';
import type { BodyModel } from '../model/model.ts';

/** Length of a body's state. */
export const BODY_STATE = 13;
/** Offsets in a body's state. */
export const BODY_Q = 3;
export const BODY_V = 7;
export const BODY_W = 10;

/** One rigid body of a system. */
export class RigidBody {
  readonly name: string;
  readonly dynamic: boolean;
  readonly prescribed: boolean;
  readonly accommodated: boolean;
  /** Fixed: it never moves. */
  readonly still: boolean;
  /** Moved from outside during a step (the payload of a tool). */
  driven = false;
  /** View into the arena: p(3) q(4) v(3) w(3). */
  readonly state: Float64Array;
  /** Derivative of the state, filled by `computeDerivative`. */
  readonly rate: Float64Array;
  readonly velocities: Float64Array;
  readonly lag: Float64Array = new Float64Array(6);
  private readonly mean: Float64Array = new Float64Array(3);
  readonly wholeSteps: boolean = false;
  pushed = false;
  readonly rotation: Float64Array = new Float64Array(9);
  /** 1/kg; 0 unless dynamic. */
  readonly inverseMass: number;
  readonly mass: number;
  /** Contacts see it as a body of its own that yields when it is dynamic (src/contact/contact-body.ts). */
  readonly yields: boolean;
  readonly assembly: null = null;
  readonly place: number = 0;
  /** A body is its own only part. */
  readonly parts: readonly RigidBody[] = [this];
  /** World inertia and its inverse; the inverse is 0 for a body that does not turn freely. */
  readonly inertia: Float64Array;
  readonly inverseInertia: Float64Array;
  /** What a kernel has to know. */
  readonly loop: {
    readonly inertia: Float64Array;
    readonly inverseInertia: Float64Array;
    readonly masses: Float64Array;
  };
  /** Force and moment about the centre of mass, collected for one evaluation. */
  readonly wrench: Float64Array = new Float64Array(6);
  private readonly turns: boolean;
  private readonly isotropic: boolean;
  private readonly bodyInertia: Float64Array = new Float64Array(9);
  private readonly bodyInverse: Float64Array = new Float64Array(9);
  private readonly scratch: Float64Array = new Float64Array(6);
  private readonly midQuaternion: Float64Array = new Float64Array(4);
  private readonly halfStep: Float64Array = new Float64Array(1);

  constructor(
    model: BodyModel,
    state: Float64Array,
    rate: Float64Array,
    columns: Columns = OWN_COLUMNS,
  ) {
    this.inertia = columns.doubles(9);
    this.inverseInertia = columns.doubles(9);
    this.name = model.name;
    this.dynamic = model.motion === 'dynamic';
    this.prescribed = model.motion === 'prescribed';
    this.accommodated = model.motion === 'accommodated';
    this.still = model.motion === 'fixed';
    this.state = state;
    this.velocities = state.subarray(BODY_V);
    this.rate = rate;
    this.mass = this.dynamic ? model.mass : 0;
    this.inverseMass = this.dynamic ? 1 / model.mass : 0;
    const masses = columnOf(columns, this.mass, this.inverseMass);
    this.loop = { inertia: this.inertia, inverseInertia: this.inverseInertia, masses };
    this.yields = this.dynamic;
    this.turns = this.dynamic && !model.rotationLocked;
    const [xx, yy, zz, xy, xz, yz] = model.inertia;
    this.isotropic = xx === yy && yy === zz && xy === 0 && xz === 0 && yz === 0;
    state.set(model.position, 0);
    state.set(model.orientation, BODY_Q);
    if (model.motion !== 'fixed') {
      state.set(model.velocity, BODY_V);
      if (!model.rotationLocked) state.set(model.angularVelocity, BODY_W);
    }
    if (this.turns) {
      this.bodyInertia.set([xx, xy, xz, xy, yy, yz, xz, yz, zz]);
      invert3(this.bodyInverse, this.bodyInertia);
      if (this.isotropic) {
        this.inertia.set(this.bodyInertia);
        this.inverseInertia.set(this.bodyInverse);
      }
    }
    this.refresh();
  }

  /** Whether the tool sets its pose. */
  get led(): boolean {
    return this.driven || this.accommodated;
  }

  /** Recomputes rotation and world inertia from the state. @alloc none */
  refresh(): void {
    rotationOf(this.rotation, this.state, BODY_Q);
    if (this.turns && !this.isotropic) {
      rotateTensor(this.inertia, this.rotation, this.bodyInertia);
      rotateTensor(this.inverseInertia, this.rotation, this.bodyInverse);
    }
  }

  /** Nothing: its mass and inertia are at hand. @alloc none */
  prepare(): void {}

  /** Nothing: they lie in `rate`. @alloc none */
  refreshAccelerations(): void {}

  /** See Part. @alloc none */
  writeAcceleration(out: Float64Array, at: number): void {
    for (let a = 0; a < 6; a++) out[at + a] = this.rate[BODY_V + a];
  }

  /** Nothing: no dampers inside. @alloc none */
  addLoss(): void {}

  /** Nothing: no dampers inside. @alloc none */
  addLossRate(): void {}

  /** Adds the weight to the collected wrench. @alloc none */
  addWeight(gravity: Float64Array): void {
    for (let a = 0; a < 3; a++) this.wrench[a] += this.mass * gravity[a];
  }

  /** Nothing: `applyWrenches` takes smooth forces and contact forces together. @alloc none */
  applyForces(): void {}

  /** Changes the velocities by the collected wrench times timing[0]. @alloc none */
  applyWrenches(timing: Float64Array): void {
    if (!this.dynamic) return;
    const h = timing[0];
    const x = this.state;
    const f = this.wrench;
    const k = h * this.inverseMass;
    x[7] += k * f[0];
    x[8] += k * f[1];
    x[9] += k * f[2];
    if (!this.turns) return;
    const m = this.inverseInertia;
    const a = h * f[3];
    const b = h * f[4];
    const c = h * f[5];
    x[10] += m[0] * a + m[1] * b + m[2] * c;
    x[11] += m[3] * a + m[4] * b + m[5] * c;
    x[12] += m[6] * a + m[7] * b + m[8] * c;
  }

  /** As `applyWrenches`. @alloc none */
  accelerate(time: Float64Array): void {
    this.applyWrenches(time);
  }

  /** Changes the velocities by an impulse, N s, at the point origin + kinematics[arm..]. @alloc none */
  push(kinematics: Float64Array, arm: number, impulse: Float64Array): void {
    const x = this.state;
    const m = this.inverseInertia;
    const rx = kinematics[arm];
    const ry = kinematics[arm + 1];
    const rz = kinematics[arm + 2];
    const px = impulse[0];
    const py = impulse[1];
    const pz = impulse[2];
    x[7] += this.inverseMass * px;
    x[8] += this.inverseMass * py;
    x[9] += this.inverseMass * pz;
    const a = ry * pz - rz * py;
    const b = rz * px - rx * pz;
    const c = rx * py - ry * px;
    x[10] += m[0] * a + m[1] * b + m[2] * c;
    x[11] += m[3] * a + m[4] * b + m[5] * c;
    x[12] += m[6] * a + m[7] * b + m[8] * c;
  }

  /** Changes the angular velocity by a moment impulse, N m s. @alloc none */
  turn(impulse: Float64Array): void {
    const m = this.inverseInertia;
    const x = this.state;
    for (let a = 0; a < 3; a++) {
      x[10 + a] += m[3 * a] * impulse[0] + m[3 * a + 1] * impulse[1] + m[3 * a + 2] * impulse[2];
    }
  }

  /** Adds d_a·K d_b, K = 1/m + [r]× I⁻¹ [r]×ᵀ: tangential (11, 12, 22) and normal, 1/kg. @alloc none */
  addMobility(
    kinematics: Float64Array,
    arm: number,
    basis: Float64Array,
    mobility: Float64Array,
  ): void {
    const m = this.inverseInertia;
    const s = this.scratch;
    mobility[0] += this.inverseMass;
    mobility[2] += this.inverseMass;
    mobility[3] += this.inverseMass;
    crossInto(s, 0, kinematics, arm, basis, 0);
    crossInto(s, 3, kinematics, arm, basis, 3);
    addForm(mobility, 0, m, s, 0, s, 0);
    addForm(mobility, 1, m, s, 0, s, 3);
    addForm(mobility, 2, m, s, 3, s, 3);
    crossInto(s, 0, kinematics, arm, basis, 6);
    addForm(mobility, 3, m, s, 0, s, 0);
  }

  /** Adds the world inverse inertia, 1/(kg m²). @alloc none */
  addSpinMobility(spinMobility: Float64Array): void {
    for (let a = 0; a < 9; a++) spinMobility[a] += this.inverseInertia[a];
  }

  /** Inverse mass and world inverse inertia as a 6 × 6 block. @alloc none */
  writeResponse(out: Float64Array, at: number, stride: number): void {
    const m = this.inverseInertia;
    for (let a = 0; a < 3; a++) {
      const upper = at + a * stride;
      const lower = upper + 3 * stride;
      for (let b = 0; b < 3; b++) {
        out[upper + b] = a === b ? this.inverseMass : 0;
        out[upper + 3 + b] = 0;
        out[lower + b] = 0;
        out[lower + 3 + b] = m[3 * a + b];
      }
    }
  }

  /** Momentum and angular momentum of a change of the twist; none about axes that are locked. @alloc none */
  writeMomentum(change: Float64Array, momentum: Float64Array, at: number): void {
    const m = this.inertia;
    for (let a = 0; a < 3; a++) {
      momentum[at + a] = this.mass * change[at + a];
      momentum[at + 3 + a] =
        m[3 * a] * change[at + 3] + m[3 * a + 1] * change[at + 4] + m[3 * a + 2] * change[at + 5];
    }
  }

  /** Moves the pose by the present velocities for timing[0]; then w follows from the unchanged angular momentum. @alloc none */
  advancePose(timing: Float64Array): void {
    const h = timing[0];
    const x = this.state;
    const { lag, mean } = this;
    x[0] += h * (x[7] - lag[0]);
    x[1] += h * (x[8] - lag[1]);
    x[2] += h * (x[9] - lag[2]);
    if (!this.turns || this.isotropic) {
      for (let a = 0; a < 3; a++) mean[a] = x[10 + a] - lag[3 + a];
      if (mean[0] !== 0 || mean[1] !== 0 || mean[2] !== 0)
        advanceQuaternion(x, BODY_Q, x, BODY_Q, mean, 0, timing);
      return;
    }
    const s = this.scratch;
    multiply3(s, 0, this.inertia, x, BODY_W); // L
    this.halfStep[0] = 0.5 * h;
    advanceQuaternion(this.midQuaternion, 0, x, BODY_Q, x, BODY_W, this.halfStep);
    rotationOf(this.rotation, this.midQuaternion, 0);
    rotateTensor(this.inverseInertia, this.rotation, this.bodyInverse);
    multiply3(s, 3, this.inverseInertia, s, 0); // w at mid-step
    for (let a = 0; a < 3; a++) s[3 + a] -= lag[3 + a];
    advanceQuaternion(x, BODY_Q, x, BODY_Q, s, 3, timing);
    rotationOf(this.rotation, x, BODY_Q);
    rotateTensor(this.inverseInertia, this.rotation, this.bodyInverse);
    multiply3(x, BODY_W, this.inverseInertia, s, 0);
  }

  /** Newton–Euler in the form x' = f(x) from the collected wrench, for Runge–Kutta. @alloc none */
  computeDerivative(): void {
    const x = this.state;
    const r = this.rate;
    for (let i = 0; i < BODY_STATE; i++) r[i] = 0;
    if (this.driven) return;
    r[0] = x[7];
    r[1] = x[8];
    r[2] = x[9];
    const wx = x[10];
    const wy = x[11];
    const wz = x[12];
    r[3] = 0.5 * (x[6] * wx + wy * x[5] - wz * x[4]);
    r[4] = 0.5 * (x[6] * wy + wz * x[3] - wx * x[5]);
    r[5] = 0.5 * (x[6] * wz + wx * x[4] - wy * x[3]);
    r[6] = -0.5 * (wx * x[3] + wy * x[4] + wz * x[5]);
    if (!this.dynamic) return;
    const f = this.wrench;
    r[7] = this.inverseMass * f[0];
    r[8] = this.inverseMass * f[1];
    r[9] = this.inverseMass * f[2];
    if (!this.turns) return;
    const s = this.scratch;
    multiply3(s, 0, this.inertia, x, BODY_W);
    s[3] = f[3] - (wy * s[2] - wz * s[1]);
    s[4] = f[4] - (wz * s[0] - wx * s[2]);
    s[5] = f[5] - (wx * s[1] - wy * s[0]);
    multiply3(r, BODY_W, this.inverseInertia, s, 3);
  }

  /** Scales the quaternion to unit length; rotation and inertia follow. @alloc none */
  normalize(): void {
    normalizeQuaternion(this.state, BODY_Q);
    this.refresh();
  }

  /** sum[0] += m v²/2 + w·I w/2, sum[1] −= m g·p, J; nothing unless dynamic. @alloc none */
  addEnergy(gravity: Float64Array, sum: Float64Array): void {
    if (!this.dynamic) return;
    const g = gravity;
    const x = this.state;
    const s = this.scratch;
    multiply3(s, 0, this.inertia, x, BODY_W);
    sum[0] +=
      0.5 * this.mass * (x[7] * x[7] + x[8] * x[8] + x[9] * x[9]) +
      0.5 * (s[0] * x[10] + s[1] * x[11] + s[2] * x[12]);
    sum[1] -= this.mass * (g[0] * x[0] + g[1] * x[1] + g[2] * x[2]);
  }
}

/** out := r × b. */
function crossInto(
  out: Float64Array,
  o: number,
  r: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
): void {
  out[o] = r[i + 1] * b[j + 2] - r[i + 2] * b[j + 1];
  out[o + 1] = r[i + 2] * b[j] - r[i] * b[j + 2];
  out[o + 2] = r[i] * b[j + 1] - r[i + 1] * b[j];
}

/** out[o] += a·M b; a number returned by a call that is not inlined would be allocated. */
function addForm(
  out: Float64Array,
  o: number,
  m: Float64Array,
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
): void {
  const x = m[0] * b[j] + m[1] * b[j + 1] + m[2] * b[j + 2];
  const y = m[3] * b[j] + m[4] * b[j + 1] + m[5] * b[j + 2];
  const z = m[6] * b[j] + m[7] * b[j + 1] + m[8] * b[j + 2];
  out[o] += a[i] * x + a[i + 1] * y + a[i + 2] * z;
}
