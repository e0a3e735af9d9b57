/**
 * One link of a tree and the joint that carries it: pose, twist and inertia from the coordinates, and the world motions (columns) that
 * unit rates of the joint give. `Featherstone 2008, 4.4`, with spatial vectors about one common point.
 */
import { multiplyQuaternion, normalizeQuaternion, rotationOf } from '../../math/quaternion.ts';
import { crossMotion, INERTIA, placeInertia } from './spatial.ts';
import { TreeBeam } from './tree-beam.ts';
import type { LinkPlaces } from './tree-layout.ts';
import type { TreeLinkModel } from '../../model/tree-model.ts';
import type { Triple } from '../../base/tuples.ts';
import { ANGLE, sinCos } from '../../math/elementary/circular.ts';

/** Length of a pose and twist: p(3) q(4) v(3) w(3). */
export const FRAME_STATE = 13;

export const FIXED = 0;
export const REVOLUTE = 1;
export const PRISMATIC = 2;
export const UNIVERSAL = 3;
export const SPHERICAL = 4;
export const FREE = 5;
const KINDS = {
  fixed: FIXED,
  revolute: REVOLUTE,
  prismatic: PRISMATIC,
  universal: UNIVERSAL,
  spherical: SPHERICAL,
  free: FREE,
};

/** What links hang on: the end frame of a link, or the base. Motions about the common point. */
export interface LinkEnd {
  readonly endState: Float64Array;
  readonly endRotation: Float64Array;
  readonly endVelocity: Float64Array;
  readonly endAcceleration: Float64Array;
}

/** A link in motion. */
export class TreeLink implements LinkEnd {
  readonly name: string;
  readonly index: number;
  /** −1 for the base. */
  readonly parent: number;
  readonly kind: number;
  readonly places: LinkPlaces;
  /** Rotor of a rigid drive, kg m² or kg; 0 without one. */
  readonly rotorInertia: number;
  /** Frame at the joint: p q v w, and its rotation. */
  readonly state: Float64Array = new Float64Array(FRAME_STATE);
  readonly rotation: Float64Array = new Float64Array(9);
  /** About the common point. */
  readonly velocity: Float64Array = new Float64Array(6);
  readonly acceleration: Float64Array = new Float64Array(6);
  readonly inertia: Float64Array = new Float64Array(INERTIA);
  /** Acceleration that the joint adds at its present rate when that does not change. */
  readonly jointBias: Float64Array = new Float64Array(6);
  /** Frame that children hang on; those of the link itself when it is rigid. */
  readonly endState: Float64Array;
  readonly endRotation: Float64Array;
  readonly endVelocity: Float64Array;
  readonly endAcceleration: Float64Array;
  /** External force and moment on the link, world, about the origin of its frame, and of its end frame. */
  readonly wrench: Float64Array = new Float64Array(6);
  readonly endWrench: Float64Array;
  /** How it bends; null for a rigid link. */
  readonly beam: TreeBeam | null;
  /** Mass, first moment and inertia matrix about the link frame's origin, its axes. */
  readonly mass: Float64Array;
  readonly moment: Float64Array = new Float64Array(3);
  readonly tensor: Float64Array = new Float64Array(9);
  /** What the joint stands on. */
  readonly parentEnd: LinkEnd;
  private readonly mount: Float64Array;
  private readonly mountQuaternion: Float64Array;
  /** Whether the link is not turned against its parent at zero. */
  private readonly straight: boolean;
  /** Axis of the joint in the frame of the link, and in the end frame of the parent; the second axis of a universal joint. */
  private readonly axis: Float64Array = new Float64Array(3);
  private readonly axisInParent: Float64Array = new Float64Array(3);
  private readonly secondAxis: Float64Array = new Float64Array(3);
  private readonly scratch: Float64Array = new Float64Array(8);
  private readonly carriedAxis: Float64Array = new Float64Array(6);
  /** Whether what the joint stands on can move. */
  carried = true;

  constructor(model: TreeLinkModel, index: number, places: LinkPlaces, parentEnd: LinkEnd) {
    this.name = model.name;
    this.index = index;
    this.parent = model.parent;
    this.kind = KINDS[model.joint.kind];
    this.places = places;
    this.parentEnd = parentEnd;
    this.mount = Float64Array.from(model.position);
    this.mountQuaternion = Float64Array.from(model.orientation);
    normalizeQuaternion(this.mountQuaternion, 0);
    const [x, y, z] = this.mountQuaternion;
    this.straight = x === 0 && y === 0 && z === 0 && this.mountQuaternion[3] === 1;
    this.mass = Float64Array.of(model.mass);
    this.rotorInertia = 0;
    if (model.joint.kind === 'universal') {
      this.setAxis(model.joint.axes[0]);
      this.secondAxis.set(unitVector(model.joint.axes[1]));
    }
    if (model.joint.kind === 'revolute' || model.joint.kind === 'prismatic') {
      const { axis, drive } = model.joint;
      this.setAxis(axis);
      if (drive !== undefined && drive.stiffness === null) this.rotorInertia = drive.rotorInertia;
    }
    this.setRigidInertia(model);
    this.beam = model.beam === undefined ? null : new TreeBeam(model.beam, model.inertia[0], this);
    const end = this.beam;
    this.endState = end?.endState ?? this.state;
    this.endRotation = end?.endRotation ?? this.rotation;
    this.endVelocity = end?.endVelocity ?? this.velocity;
    this.endAcceleration = end?.endAcceleration ?? this.acceleration;
    this.endWrench = end === null ? this.wrench : new Float64Array(6);
  }

  /** Pose from the pose of the parent's end and the positions of the joint. @alloc none */
  computePose(q: Float64Array): void {
    const o = this.places.position;
    const s = this.scratch;
    const d = this.mount;
    let x = d[0];
    let y = d[1];
    let z = d[2];
    const turn = this.mountQuaternion;
    if (this.kind === REVOLUTE) {
      if (this.straight) writeTurnQuaternion(s, 0, this.axis, q, o);
      else {
        writeTurnQuaternion(s, 4, this.axis, q, o);
        multiplyQuaternion(s, 0, turn, 0, s, 4);
      }
    } else if (this.kind === UNIVERSAL) {
      writeTurnQuaternion(s, 0, this.axis, q, o);
      multiplyQuaternion(s, 4, turn, 0, s, 0);
      const t = this.state; // free until the pose is written
      writeTurnQuaternion(t, 3, this.secondAxis, q, o + 1);
      multiplyQuaternion(s, 0, s, 4, t, 3);
    } else if (this.kind >= SPHERICAL) {
      if (this.kind === FREE) {
        x += q[o];
        y += q[o + 1];
        z += q[o + 2];
        multiplyQuaternion(s, 0, q, o + 3, turn, 0);
      } else {
        multiplyQuaternion(s, 0, q, o, turn, 0);
      }
    } else {
      for (let i = 0; i < 4; i++) s[i] = turn[i];
      if (this.kind === PRISMATIC) {
        x += q[o] * this.axisInParent[0];
        y += q[o] * this.axisInParent[1];
        z += q[o] * this.axisInParent[2];
      }
    }
    const e = this.parentEnd.endState;
    const r = this.parentEnd.endRotation;
    this.state[0] = e[0] + r[0] * x + r[1] * y + r[2] * z;
    this.state[1] = e[1] + r[3] * x + r[4] * y + r[5] * z;
    this.state[2] = e[2] + r[6] * x + r[7] * y + r[8] * z;
    multiplyQuaternion(this.state, 3, e, 3, s, 0);
    normalizeQuaternion(this.state, 3);
    rotationOf(this.rotation, this.state, 3);
    if (this.beam !== null) this.beam.computeShape(q);
  }

  /** Columns of the joint and of the modes about `origin`. @alloc none */
  computeColumns(columns: Float64Array, origin: Float64Array): void {
    if (this.beam !== null) this.beam.computeColumns(columns, origin);
    const r = this.parentEnd.endRotation;
    let o = 6 * this.places.rate;
    if (this.kind >= REVOLUTE && this.kind <= UNIVERSAL) {
      turnVector(this.scratch, r, this.axisInParent);
      const s = this.scratch;
      if (this.kind !== PRISMATIC) {
        this.writeTurn(columns, o, origin);
        if (this.kind === UNIVERSAL) {
          turnVector(s, this.rotation, this.secondAxis);
          this.writeTurn(columns, o + 6, origin);
        }
        return;
      }
      for (let i = 0; i < 3; i++) {
        columns[o + i] = s[i];
        columns[o + 3 + i] = 0;
      }
      return;
    }
    if (this.kind === FREE) {
      for (let k = 0; k < 3; k++, o += 6) {
        for (let i = 0; i < 3; i++) {
          columns[o + i] = r[3 * i + k];
          columns[o + 3 + i] = 0;
        }
      }
    }
    if (this.kind >= SPHERICAL) {
      for (let k = 0; k < 3; k++, o += 6) {
        for (let i = 0; i < 3; i++) this.scratch[i] = r[3 * i + k];
        this.writeTurn(columns, o, origin);
      }
    }
  }

  /** Velocity, twist of the frame, bias of the joint, inertia, from the columns and the rates. @alloc none */
  computeMotion(columns: Float64Array, u: Float64Array, origin: Float64Array): void {
    const { rate } = this.places;
    const v = this.velocity;
    const s = this.scratch;
    this.computeVelocity(columns, u);
    const bias = this.jointBias;
    if (this.carried) crossMotion(bias, 0, this.parentEnd.endVelocity, s, 0);
    else for (let i = 0; i < 6; i++) bias[i] = 0;
    if (this.kind === UNIVERSAL) this.addCarriedAxis(columns, u);
    if (this.kind === FREE) {
      // the axes of turning go along with the origin: its relative velocity × relative angular velocity
      for (let i = 0; i < 3; i++) {
        s[i] =
          columns[6 * rate + i] * u[rate] +
          columns[6 * rate + 6 + i] * u[rate + 1] +
          columns[6 * rate + 12 + i] * u[rate + 2];
      }
      bias[0] += s[1] * s[5] - s[2] * s[4];
      bias[1] += s[2] * s[3] - s[0] * s[5];
      bias[2] += s[0] * s[4] - s[1] * s[3];
    }
    writeTwist(this.state, v, origin);
    const { mass, moment, tensor, rotation, state } = this;
    placeInertia(this.inertia, mass, moment, tensor, rotation, state, origin);
    if (this.beam === null) return;
    this.beam.computeMotion(columns, u);
    writeTwist(this.endState, this.endVelocity, origin);
  }

  /** Velocity of a rigid link and twist of its frame, from the columns and the rates. @alloc none */
  computeTwist(columns: Float64Array, u: Float64Array, origin: Float64Array): void {
    this.computeVelocity(columns, u);
    writeTwist(this.state, this.velocity, origin);
  }

  /** Acceleration from that of the parent's end; rates of change `acc` of all rates. @alloc none */
  computeAcceleration(columns: Float64Array, acc: Float64Array): void {
    const { rate, freedoms } = this.places;
    const parent = this.parentEnd.endAcceleration;
    const { jointBias: bias, acceleration: a } = this;
    if (freedoms === 1) {
      const o = 6 * rate;
      const x = acc[rate];
      a[0] = parent[0] + bias[0] + columns[o] * x;
      a[1] = parent[1] + bias[1] + columns[o + 1] * x;
      a[2] = parent[2] + bias[2] + columns[o + 2] * x;
      a[3] = parent[3] + bias[3] + columns[o + 3] * x;
      a[4] = parent[4] + bias[4] + columns[o + 4] * x;
      a[5] = parent[5] + bias[5] + columns[o + 5] * x;
    } else {
      for (let i = 0; i < 6; i++) {
        let sum = parent[i] + bias[i];
        for (let k = 0; k < freedoms; k++) sum += columns[6 * (rate + k) + i] * acc[rate + k];
        a[i] = sum;
      }
    }
    if (this.beam !== null) this.beam.computeAcceleration(columns, acc);
  }

  /** velocity := that of the parent's end and what the joint adds to it; the latter is left in scratch[0..5]. */
  private computeVelocity(columns: Float64Array, u: Float64Array): void {
    const { rate, freedoms } = this.places;
    const { velocity: v, scratch: s } = this;
    const parent = this.parentEnd.endVelocity;
    if (freedoms === 1) {
      const o = 6 * rate;
      const x = u[rate];
      s[0] = 0 + columns[o] * x;
      s[1] = 0 + columns[o + 1] * x;
      s[2] = 0 + columns[o + 2] * x;
      s[3] = 0 + columns[o + 3] * x;
      s[4] = 0 + columns[o + 4] * x;
      s[5] = 0 + columns[o + 5] * x;
      v[0] = parent[0] + s[0];
      v[1] = parent[1] + s[1];
      v[2] = parent[2] + s[2];
      v[3] = parent[3] + s[3];
      v[4] = parent[4] + s[4];
      v[5] = parent[5] + s[5];
      return;
    }
    for (let i = 0; i < 6; i++) {
      let sum = 0.0;
      for (let k = 0; k < freedoms; k++) sum += columns[6 * (rate + k) + i] * u[rate + k];
      s[i] = sum;
      v[i] = parent[i] + sum;
    }
  }

  /** Column of a turn about the direction scratch[0..2] through the origin of the frame. */
  private writeTurn(columns: Float64Array, o: number, origin: Float64Array): void {
    const s = this.scratch;
    const x = this.state[0] - origin[0];
    const y = this.state[1] - origin[1];
    const z = this.state[2] - origin[2];
    columns[o] = y * s[2] - z * s[1];
    columns[o + 1] = z * s[0] - x * s[2];
    columns[o + 2] = x * s[1] - y * s[0];
    columns[o + 3] = s[0];
    columns[o + 4] = s[1];
    columns[o + 5] = s[2];
  }

  /** jointBias += how the first axis of a universal joint carries the second: (s₁ u₁) × (s₂ u₂). */
  private addCarriedAxis(columns: Float64Array, u: Float64Array): void {
    const { rate } = this.places;
    const s = this.scratch;
    const c = this.carriedAxis;
    for (let i = 0; i < 6; i++) s[i] = columns[6 * rate + i] * (u[rate] * u[rate + 1]);
    crossMotion(c, 0, s, columns, 6 * rate + 6);
    for (let i = 0; i < 6; i++) this.jointBias[i] += c[i];
  }

  private setAxis(axis: Triple): void {
    this.axis.set(unitVector(axis));
    rotationOf(this.rotation, this.mountQuaternion, 0);
    turnVector(this.axisInParent, this.rotation, this.axis);
  }

  private setRigidInertia(model: TreeLinkModel): void {
    const m = model.mass;
    const [x, y, z] = model.center;
    const [xx, yy, zz, xy, xz, yz] = model.inertia;
    this.moment.set([m * x, m * y, m * z]);
    const a = [xx + m * (y * y + z * z), xy - m * x * y, xz - m * x * z];
    const b = [yy + m * (x * x + z * z), yz - m * y * z, zz + m * (x * x + y * y)];
    this.tensor.set([a[0], a[1], a[2], a[1], b[0], b[1], a[2], b[1], b[2]]);
  }
}

function unitVector([x, y, z]: Triple): Float64Array {
  const length = Math.sqrt(x * x + y * y + z * z);
  return Float64Array.of(x / length, y / length, z / length);
}

/** out[0..2] := R v */
function turnVector(out: Float64Array, r: Float64Array, v: Float64Array): void {
  const x = v[0];
  const y = v[1];
  const z = v[2];
  out[0] = r[0] * x + r[1] * y + r[2] * z;
  out[1] = r[3] * x + r[4] * y + r[5] * z;
  out[2] = r[6] * x + r[7] * y + r[8] * z;
}

/** out[o..] := quaternion of the turn by q[k] about a unit axis. */
function writeTurnQuaternion(
  out: Float64Array,
  o: number,
  axis: Float64Array,
  q: Float64Array,
  k: number,
): void {
  ANGLE[0] = 0.5 * q[k];
  const half = sinCos();
  const s = half[0];
  out[o] = s * axis[0];
  out[o + 1] = s * axis[1];
  out[o + 2] = s * axis[2];
  out[o + 3] = half[1];
}

/** Velocity of the frame's origin and angular velocity, from the motion about the common point. */
export function writeTwist(state: Float64Array, v: Float64Array, origin: Float64Array): void {
  const x = state[0] - origin[0];
  const y = state[1] - origin[1];
  const z = state[2] - origin[2];
  state[7] = v[0] + v[4] * z - v[5] * y;
  state[8] = v[1] + v[5] * x - v[3] * z;
  state[9] = v[2] + v[3] * y - v[4] * x;
  state[10] = v[3];
  state[11] = v[4];
  state[12] = v[5];
}
