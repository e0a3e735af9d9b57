/**
 * Recursive Newton–Euler for a chain: outward the accelerations that the present rates cause without joint accelerations, inward
 * the joint moments that they and the wrenches on the segments leave unbalanced. `Featherstone 2008, 5.3`, with world vectors about
 * centres of mass.
 */
import type { ChainSegment } from './chain-segment.ts';

/** Work space of one chain. */
export class NewtonEuler {
  private readonly segments: readonly ChainSegment[];
  private readonly root: Float64Array;
  /** Acceleration of the origin and angular acceleration: of the base (zero), then of each segment. */
  private readonly accelerations: Float64Array;
  /** Force and moment about the present joint that the segments so far leave over. */
  private readonly force: Float64Array = new Float64Array(3);
  private readonly moment: Float64Array = new Float64Array(3);

  /** @param root state of the base, for its position */
  constructor(segments: readonly ChainSegment[], root: Float64Array) {
    this.segments = segments;
    this.root = root;
    this.accelerations = new Float64Array(6 * segments.length + 6);
  }

  /** out := Jᵀ f − c(q, u): what accelerates the joints, N m. @alloc none */
  computeForces(u: Float64Array, out: Float64Array): void {
    this.computeAccelerations(u);
    this.collect(out, true);
  }

  /** out := Jᵀ f of the collected wrenches alone, N m. @alloc none */
  projectWrenches(out: Float64Array): void {
    this.collect(out, false);
  }

  /** Accelerations at the present rates with u' = 0. */
  private computeAccelerations(u: Float64Array): void {
    const s = this.accelerations;
    let parent = this.root;
    for (let k = 0; k < this.segments.length; k++) {
      const segment = this.segments[k];
      const x = segment.state;
      const p = segment.joint;
      const a = segment.axis;
      const at = 6 * k + 6;
      const rate = u[k];
      const wx = parent[10];
      const wy = parent[11];
      const wz = parent[12];
      // angular: that of the parent and the axis carried along
      s[at + 3] = s[at - 3] + rate * (wy * a[2] - wz * a[1]);
      s[at + 4] = s[at - 2] + rate * (wz * a[0] - wx * a[2]);
      s[at + 5] = s[at - 1] + rate * (wx * a[1] - wy * a[0]);
      for (let i = 0; i < 3; i++) s[at + i] = s[at - 6 + i];
      addPointAcceleration(s, at, at - 3, parent, p, parent);
      addPointAcceleration(s, at, at + 3, x, x, p);
      parent = x;
    }
  }

  /** Inward: sums of wrenches, less the rates of momentum when `inertial`; out[k] is the moment about the axis of joint k. */
  private collect(out: Float64Array, inertial: boolean): void {
    const f = this.force;
    const m = this.moment;
    const s = this.accelerations;
    for (let i = 0; i < 3; i++) {
      f[i] = 0;
      m[i] = 0;
    }
    for (let k = this.segments.length - 1; k >= 0; k--) {
      const segment = this.segments[k];
      const x = segment.state;
      const p = segment.joint;
      const w = segment.wrench;
      const a = segment.axis;
      const at = 6 * k + 6;
      // own force and moment about the own centre of mass
      let fx = w[0];
      let fy = w[1];
      let fz = w[2];
      let mx = w[3];
      let my = w[4];
      let mz = w[5];
      if (inertial && segment.mass !== 0) {
        const i = segment.inertia;
        const wx = x[10];
        const wy = x[11];
        const wz = x[12];
        const bx = s[at + 3];
        const by = s[at + 4];
        const bz = s[at + 5];
        const lx = i[0] * wx + i[1] * wy + i[2] * wz;
        const ly = i[3] * wx + i[4] * wy + i[5] * wz;
        const lz = i[6] * wx + i[7] * wy + i[8] * wz;
        fx -= segment.mass * s[at];
        fy -= segment.mass * s[at + 1];
        fz -= segment.mass * s[at + 2];
        mx -= i[0] * bx + i[1] * by + i[2] * bz + wy * lz - wz * ly;
        my -= i[3] * bx + i[4] * by + i[5] * bz + wz * lx - wx * lz;
        mz -= i[6] * bx + i[7] * by + i[8] * bz + wx * ly - wy * lx;
      }
      // moments so far are about the joint of the next segment; from there and from the own centre to the own joint
      if (k + 1 < this.segments.length) {
        const o = this.segments[k + 1].joint;
        shiftMoment(m, f, o, p);
      }
      f[0] += fx;
      f[1] += fy;
      f[2] += fz;
      const rx = x[0] - p[0];
      const ry = x[1] - p[1];
      const rz = x[2] - p[2];
      m[0] += mx + ry * fz - rz * fy;
      m[1] += my + rz * fx - rx * fz;
      m[2] += mz + rx * fy - ry * fx;
      out[k] = a[0] * m[0] + a[1] * m[1] + a[2] * m[2];
    }
  }
}

/** s[at..] += α × r + w × (w × r), r from `from` to `to`; α is s[alpha..], w that of `state`. */
function addPointAcceleration(
  s: Float64Array,
  at: number,
  alpha: number,
  state: Float64Array,
  to: Float64Array,
  from: Float64Array,
): void {
  const ax = s[alpha];
  const ay = s[alpha + 1];
  const az = s[alpha + 2];
  const rx = to[0] - from[0];
  const ry = to[1] - from[1];
  const rz = to[2] - from[2];
  const wx = state[10];
  const wy = state[11];
  const wz = state[12];
  const vx = wy * rz - wz * ry;
  const vy = wz * rx - wx * rz;
  const vz = wx * ry - wy * rx;
  s[at] += ay * rz - az * ry + wy * vz - wz * vy;
  s[at + 1] += az * rx - ax * rz + wz * vx - wx * vz;
  s[at + 2] += ax * ry - ay * rx + wx * vy - wy * vx;
}

/** m += (o − p) × f: the moment about p from that about o. */
function shiftMoment(m: Float64Array, f: Float64Array, o: Float64Array, p: Float64Array): void {
  const rx = o[0] - p[0];
  const ry = o[1] - p[1];
  const rz = o[2] - p[2];
  m[0] += ry * f[2] - rz * f[1];
  m[1] += rz * f[0] - rx * f[2];
  m[2] += rx * f[1] - ry * f[0];
}
