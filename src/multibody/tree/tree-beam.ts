/**
 * The bending of one flexible link: its end frame, the columns of its modes, its inertia and the forces that its motion takes, from
 * integrals of the modes alone. All terms of second order in the deflection are kept. `Kim 1999, (3.3)–(3.34)`; docs/theory/trees.md.
 *
 * The end frame is reached by (l, y, z) and two turns, Rot_z(y slope) then Rot_y(−z slope), both taken as exact rotations. The
 * twist is then the exact derivative of the pose. With centrifugal stiffening the beam keeps its arc length: axial positions draw
 * in by half the integral of the squared slope, in the end frame and in the inertia.
 */
import { multiplyQuaternion, normalizeQuaternion, rotationOf } from '../../math/quaternion.ts';
import { type BeamModes, beamModes } from './beam-modes.ts';
import { BeamShortening } from './beam-shortening.ts';
import { crossMotion } from './spatial.ts';
import type { LinkPlaces } from './tree-layout.ts';
import type { FlexibleBeamModel } from '../../model/tree-model.ts';
import { ANGLE, sinCos } from '../../math/elementary/circular.ts';

/** Sums over the modes of one plane: tip deflection, tip slope, first moment, moment of the moments. */
const TIP = 0;
const SLOPE = 1;
const FIRST = 2;
const LEVER = 3;
/** Sums of one plane. */
const SUMS = 4;

/** What a beam takes from the link it belongs to. Arrays are shared. */
export interface BeamHolder {
  readonly places: LinkPlaces;
  readonly mass: Float64Array;
  readonly state: Float64Array;
  readonly rotation: Float64Array;
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  readonly moment: Float64Array;
  readonly tensor: Float64Array;
}

/** A beam in motion. */
export class TreeBeam {
  /** Number of modes, y and z. */
  readonly count: number;
  readonly endState: Float64Array = new Float64Array(13);
  readonly endRotation: Float64Array = new Float64Array(9);
  readonly endVelocity: Float64Array = new Float64Array(6);
  readonly endAcceleration: Float64Array = new Float64Array(6);
  /** Momentum of the beam alone, about the common point, for unit modal rates: six numbers each. */
  readonly momenta: Float64Array;
  /** Stiffness, N/m, and damping, N s/m, of every mode. */
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
  private readonly link: BeamHolder;
  private readonly ny: number;
  private readonly first: number;
  private readonly length: number;
  private readonly torsion: number;
  private readonly modes: BeamModes;
  private readonly shortening: BeamShortening;
  /** Modal coordinates, their rates, and sums over them: y plane, z plane. */
  private readonly b: Float64Array;
  private readonly rate: Float64Array;
  private readonly sums: Float64Array = new Float64Array(2 * SUMS);
  private readonly sumRates: Float64Array = new Float64Array(2 * SUMS);
  private readonly sumChanges: Float64Array = new Float64Array(2 * SUMS);
  private readonly slope: Float64Array;
  /** Acceleration of the end frame against the joint when no rate changes. */
  readonly endBias: Float64Array = new Float64Array(6);
  private readonly scratch: Float64Array = new Float64Array(12);
  private readonly change: Float64Array;
  private readonly origin: Float64Array = new Float64Array(3);

  constructor(model: FlexibleBeamModel, torsion: number, link: BeamHolder) {
    const [ny, nz] = model.modes;
    const [stiffY, stiffZ] = model.bendingStiffness;
    const m = link.mass[0];
    this.count = ny + nz;
    this.ny = ny;
    this.link = link;
    this.first = link.places.modeRate;
    this.length = model.length;
    this.torsion = torsion;
    this.modes = beamModes(Math.max(ny, nz));
    this.shortening = new BeamShortening(this.modes, model.modes, model, link.mass);
    this.slope = this.modes.slope.map((value) => value / model.length);
    this.momenta = new Float64Array(6 * this.count);
    this.b = new Float64Array(this.count);
    this.rate = new Float64Array(this.count);
    this.change = new Float64Array(this.count);
    const cube = model.length * model.length * model.length;
    this.stiffness = Float64Array.from(this.b, (_, k) => {
      const j = k < ny ? k : k - ny;
      return ((k < ny ? stiffY : stiffZ) * this.modes.curvature[j]) / cube;
    });
    this.damping = this.stiffness.map((k) => 2 * model.damping * Math.sqrt(k * m));
  }

  /** Shape, end pose, and inertia in the axes of the link, from the modal coordinates. @alloc none */
  computeShape(q: Float64Array): void {
    const { b, sums, link } = this;
    for (let k = 0; k < this.count; k++) b[k] = q[link.places.modePosition + k];
    this.sum(b, sums);
    this.shortening.computeLoss(b);
    const l = this.length;
    const r = link.rotation;
    const x = l - this.shortening.lost[0];
    const y = sums[TIP];
    const z = sums[SUMS + TIP];
    const e = this.endState;
    for (let i = 0; i < 3; i++) {
      e[i] = link.state[i] + r[3 * i] * x + r[3 * i + 1] * y + r[3 * i + 2] * z;
    }
    const turnZ = 0.5 * sums[SLOPE];
    const turnY = -0.5 * sums[SUMS + SLOPE];
    const s = this.scratch;
    ANGLE[0] = turnZ;
    const about = sinCos();
    const sz = about[0];
    const cz = about[1];
    ANGLE[0] = turnY;
    sinCos();
    const sy = about[0];
    const cy = about[1];
    s[0] = -sz * sy;
    s[1] = cz * sy;
    s[2] = sz * cy;
    s[3] = cz * cy;
    multiplyQuaternion(e, 3, link.state, 3, s, 0);
    normalizeQuaternion(e, 3);
    rotationOf(this.endRotation, e, 3);
    this.computeInertia();
  }

  /** Columns and momenta of the modes about `origin`. @alloc none */
  computeColumns(columns: Float64Array, origin: Float64Array): void {
    const { tip, mean, lever } = this.modes;
    const { b, ny, link, slope } = this;
    const m = link.mass[0];
    const nz = this.count - ny;
    const s = this.scratch;
    ANGLE[0] = this.sums[SLOPE];
    const end = sinCos();
    const sine = end[0];
    const cosine = end[1];
    for (let i = 0; i < 3; i++) this.origin[i] = origin[i];
    for (let k = 0; k < this.count; k++) {
      const plane = k < ny ? 0 : 1;
      const j = k - plane * ny;
      // end frame: velocity, angular velocity in the axes of the link
      s[0] = -this.shortening.distance[k];
      s[1 + plane] = tip[j];
      s[2 - plane] = 0;
      s[3] = plane === 0 ? 0 : slope[j] * sine;
      s[4] = plane === 0 ? 0 : -slope[j] * cosine;
      s[5] = plane === 0 ? slope[j] : 0;
      this.place(columns, 6 * (this.first + k), this.endState);
      // momentum of the beam, and its moment about the joint
      const first = m * mean[j];
      const second = m * this.length * lever[j];
      s[0] = -this.shortening.moment[k];
      s[1 + plane] = first;
      s[2 - plane] = 0;
      if (plane === 0) {
        s[3] = j < nz ? -m * b[ny + j] : 0;
        s[4] = 0;
        s[5] = second;
      } else {
        s[3] = j < ny ? m * b[j] : 0;
        s[4] = -second;
        s[5] = 0;
      }
      this.placeMomentum(6 * k);
    }
  }

  /** Motion of the end frame from the columns and the rates. @alloc none */
  computeMotion(columns: Float64Array, u: Float64Array): void {
    const { rate, first, count, link, scratch: s } = this;
    for (let k = 0; k < count; k++) rate[k] = u[first + k];
    this.sum(rate, this.sumRates);
    for (let i = 0; i < 6; i++) {
      let sum = 0.0;
      for (let k = 0; k < count; k++) sum += columns[6 * (first + k) + i] * rate[k];
      s[i] = sum;
      this.endVelocity[i] = link.velocity[i] + sum;
    }
    const bias = this.endBias;
    crossMotion(bias, 0, link.velocity, s, 0);
    // as seen from the link: the axis of the second turn goes round with the first, and the axes go along with the tip
    const e = this.endState;
    const r = link.rotation;
    const x = e[0] - this.origin[0];
    const y = e[1] - this.origin[1];
    const z = e[2] - this.origin[2];
    const vx = s[0] - (y * s[5] - z * s[4]);
    const vy = s[1] - (z * s[3] - x * s[5]);
    const vz = s[2] - (x * s[4] - y * s[3]);
    const turn = this.sumRates[SLOPE] * this.sumRates[SUMS + SLOPE];
    ANGLE[0] = this.sums[SLOPE];
    const end = sinCos();
    const cosine = turn * end[1];
    const sine = turn * end[0];
    this.shortening.computeDraw(rate);
    const draw = this.shortening.draw[0];
    const ax = r[0] * cosine + r[1] * sine;
    const ay = r[3] * cosine + r[4] * sine;
    const az = r[6] * cosine + r[7] * sine;
    bias[0] += vy * s[5] - vz * s[4] + y * az - z * ay - r[0] * draw;
    bias[1] += vz * s[3] - vx * s[5] + z * ax - x * az - r[3] * draw;
    bias[2] += vx * s[4] - vy * s[3] + x * ay - y * ax - r[6] * draw;
    bias[3] += ax;
    bias[4] += ay;
    bias[5] += az;
  }

  /** Acceleration of the end frame for rates of change `acc`. @alloc none */
  computeAcceleration(columns: Float64Array, acc: Float64Array): void {
    const { first, count, link } = this;
    for (let i = 0; i < 6; i++) {
      let sum = link.acceleration[i] + this.endBias[i];
      for (let k = 0; k < count; k++) sum += columns[6 * (first + k) + i] * acc[first + k];
      this.endAcceleration[i] = sum;
    }
  }

  /** force := what the motion of the beam takes at its frame, out[modes] := what it takes of its modes. @alloc none */
  balance(acc: Float64Array, force: Float64Array, out: Float64Array): void {
    const { b, rate, change, first, ny, count, link } = this;
    const { sumRates: rates, sumChanges: changes, scratch: s } = this;
    const { mean, lever } = this.modes;
    const nz = count - ny;
    const m = link.mass[0];
    const r = link.rotation;
    const { velocity: v, acceleration: a } = link;
    for (let k = 0; k < count; k++) change[k] = acc[first + k];
    this.sum(change, changes);
    const px = link.state[0] - this.origin[0];
    const py = link.state[1] - this.origin[1];
    const pz = link.state[2] - this.origin[2];
    // acceleration of the joint, angular acceleration and velocity in the axes of the link
    const qx = v[0] + v[4] * pz - v[5] * py;
    const qy = v[1] + v[5] * px - v[3] * pz;
    const qz = v[2] + v[3] * py - v[4] * px;
    const ex = a[0] + a[4] * pz - a[5] * py + v[4] * qz - v[5] * qy;
    const ey = a[1] + a[5] * px - a[3] * pz + v[5] * qx - v[3] * qz;
    const ez = a[2] + a[3] * py - a[4] * px + v[3] * qy - v[4] * qx;
    const ax = r[0] * ex + r[3] * ey + r[6] * ez;
    const ay = r[1] * ex + r[4] * ey + r[7] * ez;
    const az = r[2] * ex + r[5] * ey + r[8] * ez;
    const dx = r[0] * a[3] + r[3] * a[4] + r[6] * a[5];
    const dy = r[1] * a[3] + r[4] * a[4] + r[7] * a[5];
    const dz = r[2] * a[3] + r[5] * a[4] + r[8] * a[5];
    const wx = r[0] * v[3] + r[3] * v[4] + r[6] * v[5];
    const wy = r[1] * v[3] + r[4] * v[4] + r[7] * v[5];
    const wz = r[2] * v[3] + r[5] * v[4] + r[8] * v[5];
    const c = link.moment;
    const t = link.tensor;
    // first moment: rate and its change
    let sx = 0.0;
    let cx = 0.0;
    let shrink = 0.0;
    if (this.shortening.active) {
      for (let k = 0; k < count; k++) {
        sx -= this.shortening.moment[k] * rate[k];
        cx -= this.shortening.moment[k] * change[k];
        shrink += 2 * this.shortening.inertia[k] * rate[k];
      }
      cx -= this.shortening.draw[1];
    }
    const sy = rates[FIRST];
    const sz = rates[SUMS + FIRST];
    const gx = wy * c[2] - wz * c[1] + 2 * sx;
    const gy = wz * c[0] - wx * c[2] + 2 * sy;
    const gz = wx * c[1] - wy * c[0] + 2 * sz;
    const fx = m * ax + dy * c[2] - dz * c[1] + wy * gz - wz * gy + cx;
    const fy = m * ay + dz * c[0] - dx * c[2] + wz * gx - wx * gz + changes[FIRST];
    const fz = m * az + dx * c[1] - dy * c[0] + wx * gy - wy * gx + changes[SUMS + FIRST];
    // sums of products of the two planes
    let along = 0.0;
    let yRateY = 0.0;
    let yRateZ = 0.0;
    let zRateY = 0.0;
    let zRateZ = 0.0;
    let spin = 0.0;
    for (let k = 0; k < ny; k++) yRateY += rate[k] * b[k];
    for (let k = ny; k < count; k++) zRateZ += rate[k] * b[k];
    for (let k = 0; k < ny && k < nz; k++) {
      yRateZ += rate[k] * b[ny + k];
      zRateY += rate[ny + k] * b[k];
      spin += b[k] * change[ny + k] - b[ny + k] * change[k];
    }
    along = yRateY + zRateZ;
    const hx = t[0] * wx + t[1] * wy + t[2] * wz;
    const hy = t[3] * wx + t[4] * wy + t[5] * wz;
    const hz = t[6] * wx + t[7] * wy + t[8] * wz;
    const mx =
      c[1] * az -
      c[2] * ay +
      t[0] * dx +
      t[1] * dy +
      t[2] * dz +
      wy * hz -
      wz * hy +
      m * (2 * wx * along + spin);
    const my =
      c[2] * ax -
      c[0] * az +
      t[3] * dx +
      t[4] * dy +
      t[5] * dz +
      wz * hx -
      wx * hz +
      2 * m * (wy * along - wy * yRateY - wz * yRateZ) -
      2 * wx * rates[LEVER] -
      changes[SUMS + LEVER] -
      shrink * wy;
    const mz =
      c[0] * ay -
      c[1] * ax +
      t[6] * dx +
      t[7] * dy +
      t[8] * dz +
      wx * hy -
      wy * hx +
      2 * m * (wz * along - wy * zRateY - wz * zRateZ) -
      2 * wx * rates[SUMS + LEVER] +
      changes[LEVER] -
      shrink * wz;
    for (let k = 0; k < count; k++) {
      const plane = k < ny ? 0 : 1;
      const j = k - plane * ny;
      const s1 = m * mean[j];
      const s2 = m * this.length * lever[j];
      const by = j < ny ? m * b[j] : 0;
      const bz = j < nz ? m * b[ny + j] : 0;
      const along2 = wx * s2 + wy * by + wz * bz;
      const square = wx * wx + wy * wy + wz * wz;
      if (plane === 0) {
        const cross = j < nz ? m * rate[ny + j] : 0;
        out[first + k] =
          ay * s1 + dz * s2 - dx * bz + wy * along2 - square * by - 2 * wx * cross + m * change[k];
      } else {
        const cross = j < ny ? m * rate[j] : 0;
        out[first + k] =
          az * s1 + dx * by - dy * s2 + wz * along2 - square * bz + 2 * wx * cross + m * change[k];
      }
      if (this.shortening.active) {
        out[first + k] +=
          (wy * wy + wz * wz) * this.shortening.inertia[k] - ax * this.shortening.moment[k];
      }
    }
    s[0] = r[0] * fx + r[1] * fy + r[2] * fz;
    s[1] = r[3] * fx + r[4] * fy + r[5] * fz;
    s[2] = r[6] * fx + r[7] * fy + r[8] * fz;
    force[0] = s[0];
    force[1] = s[1];
    force[2] = s[2];
    force[3] = r[0] * mx + r[1] * my + r[2] * mz + py * s[2] - pz * s[1];
    force[4] = r[3] * mx + r[4] * my + r[5] * mz + pz * s[0] - px * s[2];
    force[5] = r[6] * mx + r[7] * my + r[8] * mz + px * s[1] - py * s[0];
  }

  private computeInertia(): void {
    const { b, ny, count, link, length: l } = this;
    const { moment: c, tensor: t } = link;
    const m = link.mass[0];
    let yy = 0.0;
    let zz = 0.0;
    let yz = 0.0;
    for (let k = 0; k < ny; k++) yy += m * b[k] * b[k];
    for (let k = ny; k < count; k++) zz += m * b[k] * b[k];
    for (let k = 0; k < ny && ny + k < count; k++) yz += m * b[k] * b[ny + k];
    const across = (m * l * l) / 3 - this.shortening.lost[2];
    c[0] = 0.5 * m * l - this.shortening.lost[1];
    c[1] = this.sums[FIRST];
    c[2] = this.sums[SUMS + FIRST];
    t[0] = this.torsion + yy + zz;
    t[4] = across + zz;
    t[8] = across + yy;
    t[1] = -this.sums[LEVER];
    t[2] = -this.sums[SUMS + LEVER];
    t[5] = -yz;
    t[3] = t[1];
    t[6] = t[2];
    t[7] = t[5];
  }

  /** Sums of both planes over modal numbers. */
  private sum(values: Float64Array, out: Float64Array): void {
    const { tip, mean, lever } = this.modes;
    const m = this.link.mass[0];
    for (let i = 0; i < 2 * SUMS; i++) out[i] = 0;
    for (let k = 0; k < this.count; k++) {
      const o = k < this.ny ? 0 : SUMS;
      const j = k < this.ny ? k : k - this.ny;
      out[o + TIP] += tip[j] * values[k];
      out[o + SLOPE] += this.slope[j] * values[k];
      out[o + FIRST] += m * mean[j] * values[k];
      out[o + LEVER] += m * this.length * lever[j] * values[k];
    }
  }

  /** A motion in the axes of the link, velocity at the origin of `state`, scratch[0..5], to a column about the common point. */
  private place(columns: Float64Array, o: number, state: Float64Array): void {
    const s = this.scratch;
    const r = this.link.rotation;
    const x = state[0] - this.origin[0];
    const y = state[1] - this.origin[1];
    const z = state[2] - this.origin[2];
    const wx = r[0] * s[3] + r[1] * s[4] + r[2] * s[5];
    const wy = r[3] * s[3] + r[4] * s[4] + r[5] * s[5];
    const wz = r[6] * s[3] + r[7] * s[4] + r[8] * s[5];
    columns[o] = r[0] * s[0] + r[1] * s[1] + r[2] * s[2] + y * wz - z * wy;
    columns[o + 1] = r[3] * s[0] + r[4] * s[1] + r[5] * s[2] + z * wx - x * wz;
    columns[o + 2] = r[6] * s[0] + r[7] * s[1] + r[8] * s[2] + x * wy - y * wx;
    columns[o + 3] = wx;
    columns[o + 4] = wy;
    columns[o + 5] = wz;
  }

  /** A momentum in the axes of the link, scratch[0..5], about the common point. */
  private placeMomentum(o: number): void {
    const s = this.scratch;
    const r = this.link.rotation;
    const p = this.momenta;
    const x = this.link.state[0] - this.origin[0];
    const y = this.link.state[1] - this.origin[1];
    const z = this.link.state[2] - this.origin[2];
    const fx = r[0] * s[0] + r[1] * s[1] + r[2] * s[2];
    const fy = r[3] * s[0] + r[4] * s[1] + r[5] * s[2];
    const fz = r[6] * s[0] + r[7] * s[1] + r[8] * s[2];
    p[o] = fx;
    p[o + 1] = fy;
    p[o + 2] = fz;
    p[o + 3] = r[0] * s[3] + r[1] * s[4] + r[2] * s[5] + y * fz - z * fy;
    p[o + 4] = r[3] * s[3] + r[4] * s[4] + r[5] * s[5] + z * fx - x * fz;
    p[o + 5] = r[6] * s[3] + r[7] * s[4] + r[8] * s[5] + x * fy - y * fx;
  }
}
