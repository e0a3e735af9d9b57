/**
 * The lock formulation: marker P on body 1 keeps its place and attitude in marker S on body 2, in the rows that are chosen.
 * `Tasora, (5), (7), (8)`. With d = P − S and s the axes of S in the world,
 *
 *   translation   c = s·d − q_D        J = [s, r1 × s, −s, −(P − x2) × s]
 *   rotation      c = 2 e_v            J = E A_Δᵀ A_sᵀ A_2ᵀ on w1 − w2,   E = e0 1 − [e_v]×
 *   Cardano       c = u1·u2            J = u1 × u2 on w1 − w2
 *
 * e = q_Δ* q_s* q_2* q_1 q_p. Twice its vector part is the angle of a small turn, so that a multiplier is a moment. Here marker P
 * does not move in its body, nor S in its own: of the terms of (8) those of moving markers are absent.
 */
import { cross3 } from '../math/vec3.ts';
import { multiplyQuaternion, rotationOf } from '../math/quaternion.ts';
import { ANGLE, sinCos } from '../math/elementary/circular.ts';
import type { ContactBody } from '../contact/contact-body.ts';
import type { LockModel, MarkerAxis } from '../model/constraint-spec.ts';
import { type Constraint, ROW } from './constraint.ts';
import { Marker } from './marker.ts';
import { makeMotionLaw, type MotionLaw } from './motion-law.ts';

const AXES: readonly MarkerAxis[] = ['x', 'y', 'z'];

/** One lock. */
export class Lock implements Constraint {
  readonly name: string;
  readonly first: ContactBody | null;
  readonly second: ContactBody | null;
  readonly rows: readonly string[];
  readonly lost: boolean = false;
  readonly touch: null = null;
  readonly unilateral: null = null;
  readonly turns: Uint8Array;
  /** Axes of the rows, 0 … 2. */
  readonly #translation: Int32Array;
  readonly #rotation: Int32Array;
  readonly #square: boolean;
  readonly #p: Marker;
  readonly #s: Marker;
  readonly #clock: Float64Array;
  readonly #shift: MotionLaw | null;
  readonly #turn: MotionLaw | null;
  readonly #shiftAxis: number;
  readonly #turnAxis: number;
  /** d, its rate with markers fixed in their bodies, and scratch. */
  readonly #d: Float64Array = new Float64Array(3);
  readonly #rate: Float64Array = new Float64Array(3);
  readonly #a: Float64Array = new Float64Array(3);
  readonly #b: Float64Array = new Float64Array(3);
  readonly #c: Float64Array = new Float64Array(3);
  /** q_2 q_s q_Δ and its matrix; e. */
  readonly #target: Float64Array = new Float64Array(4);
  readonly #targetAxes: Float64Array = new Float64Array(9);
  readonly #e: Float64Array = new Float64Array(4);
  readonly #q: Float64Array = new Float64Array(4);

  /** @param clock [time, s] of what is asked for */
  constructor(
    model: LockModel,
    first: ContactBody | null,
    second: ContactBody | null,
    clock: Float64Array,
  ) {
    this.name = model.name;
    this.first = first;
    this.second = second;
    this.#clock = clock;
    this.#p = new Marker(model.first, first);
    this.#s = new Marker(model.second, second);
    this.#translation = axesOf(model.translation);
    this.#rotation = axesOf(model.rotation);
    this.#square = model.square === true;
    const { translationMotion, rotationMotion } = model;
    this.#shift = translationMotion === undefined ? null : makeMotionLaw(translationMotion.law);
    this.#turn = rotationMotion === undefined ? null : makeMotionLaw(rotationMotion.law);
    this.#shiftAxis = translationMotion === undefined ? -1 : AXES.indexOf(translationMotion.axis);
    this.#turnAxis = rotationMotion === undefined ? -1 : AXES.indexOf(rotationMotion.axis);
    this.rows = [
      ...model.translation.map((axis) => `translation ${axis}`),
      ...model.rotation.map((axis) => `rotation ${axis}`),
      ...(this.#square ? ['square axes'] : []),
    ];
    const shifts = model.translation.length;
    this.turns = Uint8Array.from(this.rows, (_, row) => (row < shifts ? 0 : 1));
  }

  writeGaps(gaps: Float64Array, at: number): void {
    this.#place();
    const s = this.#s.axes;
    const d = this.#d;
    let row = at;
    for (let k = 0; k < this.#translation.length; k++) {
      const a = this.#translation[k];
      gaps[row] = s[a] * d[0] + s[3 + a] * d[1] + s[6 + a] * d[2];
      if (a === this.#shiftAxis && this.#shift !== null) gaps[row] -= this.#shift.state[0];
      row++;
    }
    for (let k = 0; k < this.#rotation.length; k++) gaps[row++] = 2 * this.#e[this.#rotation[k]];
    if (!this.#square) return;
    const p = this.#p.axes;
    gaps[row] = p[0] * s[1] + p[3] * s[4] + p[6] * s[7];
  }

  writeRows(jacobian: Float64Array, drift: Float64Array, at: number): void {
    this.#place();
    const { lever: r1, axes: p } = this.#p;
    const { lever: r2, axes: s } = this.#s;
    const d = this.#d;
    let row = at;
    for (let k = 0; k < this.#translation.length; k++) {
      const a = this.#translation[k];
      const o = ROW * row;
      const x = s[a];
      const y = s[3 + a];
      const z = s[6 + a];
      jacobian[o] = x;
      jacobian[o + 1] = y;
      jacobian[o + 2] = z;
      jacobian[o + 3] = r1[1] * z - r1[2] * y;
      jacobian[o + 4] = r1[2] * x - r1[0] * z;
      jacobian[o + 5] = r1[0] * y - r1[1] * x;
      const rx = r2[0] + d[0];
      const ry = r2[1] + d[1];
      const rz = r2[2] + d[2];
      jacobian[o + 6] = -x;
      jacobian[o + 7] = -y;
      jacobian[o + 8] = -z;
      jacobian[o + 9] = rz * y - ry * z;
      jacobian[o + 10] = rx * z - rz * x;
      jacobian[o + 11] = ry * x - rx * y;
      drift[row] = a === this.#shiftAxis && this.#shift !== null ? -this.#shift.state[1] : 0;
      row++;
    }
    for (let k = 0; k < this.#rotation.length; k++) {
      this.#writeTurn(this.#rotation[k]);
      writeSpin(jacobian, ROW * row, this.#c);
      drift[row] = 0;
      if (this.#turn !== null) {
        drift[row] = -this.#a[this.#turnAxis] * this.#turn.state[1];
      }
      row++;
    }
    if (!this.#square) return;
    const c = this.#c;
    c[0] = p[3] * s[7] - p[6] * s[4];
    c[1] = p[6] * s[1] - p[0] * s[7];
    c[2] = p[0] * s[4] - p[3] * s[1];
    writeSpin(jacobian, ROW * row, c);
    drift[row] = 0;
  }

  writePlace(out: Float64Array, at: number): void {
    this.#p.place();
    const { lever, state } = this.#p;
    for (let a = 0; a < 3; a++) out[at + a] = state[a] + lever[a];
  }

  writeCurvature(curvature: Float64Array, at: number): void {
    this.#place();
    let row = at;
    if (this.#translation.length > 0) this.#computeBend();
    const s = this.#s.axes;
    const w2 = this.#s.state;
    const bend = this.#a;
    const axis = this.#b;
    const turned = this.#c;
    for (let k = 0; k < this.#translation.length; k++) {
      const a = this.#translation[k];
      axis[0] = s[a];
      axis[1] = s[3 + a];
      axis[2] = s[6 + a];
      turned[0] = w2[11] * axis[2] - w2[12] * axis[1];
      turned[1] = w2[12] * axis[0] - w2[10] * axis[2];
      turned[2] = w2[10] * axis[1] - w2[11] * axis[0];
      const { 0: x, 1: y, 2: z } = turned;
      const d = this.#d;
      const v = this.#rate;
      // (w2 × (w2 × s))·d = −(w2 × s)·(w2 × d)
      const wx = w2[11] * d[2] - w2[12] * d[1];
      const wy = w2[12] * d[0] - w2[10] * d[2];
      const wz = w2[10] * d[1] - w2[11] * d[0];
      let sum = axis[0] * bend[0] + axis[1] * bend[1] + axis[2] * bend[2];
      sum += 2 * (x * v[0] + y * v[1] + z * v[2]) - (x * wx + y * wy + z * wz);
      curvature[row] = -sum;
      if (a === this.#shiftAxis && this.#shift !== null) curvature[row] += this.#shift.state[2];
      row++;
    }
    for (let k = 0; k < this.#rotation.length; k++) {
      this.#writeTurnCurvature(this.#rotation[k], curvature, row);
      row++;
    }
    if (this.#square) this.#writeSquareCurvature(curvature, row);
  }

  /** Markers, d and e at the present poses; imposed motions at the present time. */
  #place(): void {
    const { lever: r1, state: x1 } = this.#p;
    const { lever: r2, state: x2 } = this.#s;
    this.#p.place();
    this.#s.place();
    for (let a = 0; a < 3; a++) this.#d[a] = x1[a] + r1[a] - (x2[a] + r2[a]);
    if (this.#shift !== null) this.#shift.evaluate(this.#clock);
    if (this.#rotation.length === 0) return;
    const t = this.#target;
    if (this.#turn === null) {
      for (let a = 0; a < 4; a++) t[a] = this.#s.quaternion[a];
    } else {
      const q = this.#q;
      this.#turn.evaluate(this.#clock);
      ANGLE[0] = 0.5 * this.#turn.state[0];
      const half = sinCos();
      for (let a = 0; a < 3; a++) q[a] = a === this.#turnAxis ? half[0] : 0;
      q[3] = half[1];
      multiplyQuaternion(t, 0, this.#s.quaternion, 0, q, 0);
    }
    rotationOf(this.#targetAxes, t, 0);
    // e = t* q
    for (let a = 0; a < 3; a++) this.#q[a] = -t[a];
    this.#q[3] = t[3];
    multiplyQuaternion(this.#e, 0, this.#q, 0, this.#p.quaternion, 0);
  }

  /** a := row k of E, in the axes of the turned marker; c := the same in the world. */
  #writeTurn(k: number): void {
    const e = this.#e;
    const a = this.#a;
    const t = this.#targetAxes;
    const next = k === 2 ? 0 : k + 1;
    const last = k === 0 ? 2 : k - 1;
    a[k] = e[3];
    a[next] = e[last];
    a[last] = -e[next];
    for (let i = 0; i < 3; i++) {
      this.#c[i] = t[3 * i] * a[0] + t[3 * i + 1] * a[1] + t[3 * i + 2] * a[2];
    }
  }

  /** Q of rotation row k: Ë e with Ω̇ at constant rates, and −|Ω|² e_v / 2. */
  #writeTurnCurvature(k: number, curvature: Float64Array, row: number): void {
    const x1 = this.#p.state;
    const x2 = this.#s.state;
    const t = this.#targetAxes;
    const b = this.#b;
    const own = this.#rate;
    for (let i = 0; i < 3; i++) b[i] = x1[10 + i] - x2[10 + i];
    for (let i = 0; i < 3; i++) own[i] = t[i] * b[0] + t[3 + i] * b[1] + t[6 + i] * b[2];
    cross3(this.#d, 0, x2, 10, b, 0);
    this.#writeTurn(k);
    const { 0: ax, 1: ay, 2: az } = this.#a;
    const { 0: cx, 1: cy, 2: cz } = this.#c;
    const d = this.#d;
    let sum = -(cx * d[0] + cy * d[1] + cz * d[2]);
    let square = 0.0;
    if (this.#turn !== null) {
      const w = this.#c;
      for (let i = 0; i < 3; i++) w[i] = 0;
      w[this.#turnAxis] = this.#turn.state[1];
      // −w_Δ × Ω', with Ω' the relative angular velocity in the turned axes; then −ẇ_Δ
      sum -= ax * (w[1] * own[2] - w[2] * own[1]);
      sum -= ay * (w[2] * own[0] - w[0] * own[2]);
      sum -= az * (w[0] * own[1] - w[1] * own[0]);
      sum -= this.#a[this.#turnAxis] * this.#turn.state[2];
      for (let i = 0; i < 3; i++) own[i] -= w[i];
    }
    for (let i = 0; i < 3; i++) square += own[i] * own[i];
    curvature[row] = -(sum - 0.5 * square * this.#e[k]);
  }

  /** Q of u1·u2, both turning with their bodies. */
  #writeSquareCurvature(curvature: Float64Array, row: number): void {
    const { axes: p, state: x1 } = this.#p;
    const { axes: s, state: x2 } = this.#s;
    const first = this.#a;
    const second = this.#b;
    const own = this.#c;
    let sum = 0.0;
    for (let i = 0; i < 3; i++) own[i] = p[3 * i];
    cross3(first, 0, x1, 10, own, 0);
    cross3(own, 0, x1, 10, first, 0);
    for (let i = 0; i < 3; i++) sum += own[i] * s[3 * i + 1];
    for (let i = 0; i < 3; i++) own[i] = s[3 * i + 1];
    cross3(second, 0, x2, 10, own, 0);
    cross3(own, 0, x2, 10, second, 0);
    for (let i = 0; i < 3; i++) sum += own[i] * p[3 * i] + 2 * first[i] * second[i];
    curvature[row] = -sum;
  }

  /** a := the acceleration of P against S with no body accelerated; rate := their relative velocity. */
  #computeBend(): void {
    const { lever: r1, state: x1 } = this.#p;
    const { lever: r2, state: x2 } = this.#s;
    const v = this.#rate;
    const own = this.#b;
    const turned = this.#c;
    cross3(own, 0, x1, 10, r1, 0);
    cross3(this.#a, 0, x1, 10, own, 0);
    for (let i = 0; i < 3; i++) v[i] = x1[7 + i] - x2[7 + i] + own[i];
    cross3(own, 0, x2, 10, r2, 0);
    cross3(turned, 0, x2, 10, own, 0);
    for (let i = 0; i < 3; i++) {
      v[i] -= own[i];
      this.#a[i] -= turned[i];
    }
  }
}

/** A row on w1 − w2. */
function writeSpin(jacobian: Float64Array, o: number, axis: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    jacobian[o + i] = 0;
    jacobian[o + 3 + i] = axis[i];
    jacobian[o + 6 + i] = 0;
    jacobian[o + 9 + i] = -axis[i];
  }
}

function axesOf(axes: readonly MarkerAxis[]): Int32Array {
  return Int32Array.from(axes, (axis) => AXES.indexOf(axis));
}
