/** What carries a tree: fixed, or moved by others (a spacecraft on its orbit, a vehicle, a shaker). */
import { advanceQuaternion, normalizeQuaternion, rotationOf } from '../../math/quaternion.ts';
import type { Quadruple, Triple } from '../../model/model.ts';
import type { LinkEnd } from './tree-link.ts';

/** The base of one tree. */
export class TreeBase implements LinkEnd {
  /** p q v w, world. */
  readonly endState: Float64Array = new Float64Array(13);
  /** Acceleration of its origin and angular acceleration, world. */
  readonly motion: Float64Array = new Float64Array(6);
  readonly endRotation: Float64Array = new Float64Array(9);
  readonly endVelocity: Float64Array = new Float64Array(6);
  readonly endAcceleration: Float64Array = new Float64Array(6);

  constructor(position: Triple, orientation: Quadruple) {
    this.endState.set(position);
    this.endState.set(orientation, 3);
    normalizeQuaternion(this.endState, 3);
  }

  /** Rotation from the pose. @alloc none */
  refresh(): void {
    rotationOf(this.endRotation, this.endState, 3);
  }

  /** Velocity about `origin`. @alloc none */
  computeVelocity(origin: Float64Array): void {
    const s = this.endState;
    const v = this.endVelocity;
    const x = origin[0] - s[0];
    const y = origin[1] - s[1];
    const z = origin[2] - s[2];
    v[0] = s[7] + s[11] * z - s[12] * y;
    v[1] = s[8] + s[12] * x - s[10] * z;
    v[2] = s[9] + s[10] * y - s[11] * x;
    v[3] = s[10];
    v[4] = s[11];
    v[5] = s[12];
  }

  /** Spatial acceleration about `origin`, less that of gravity. @alloc none */
  computeAcceleration(origin: Float64Array, gravity: Float64Array): void {
    const s = this.endState;
    const m = this.motion;
    const a = this.endAcceleration;
    const x = origin[0] - s[0];
    const y = origin[1] - s[1];
    const z = origin[2] - s[2];
    // a spatial acceleration is that of the flow at a fixed point: without w × v
    a[0] = m[0] - (s[11] * s[9] - s[12] * s[8]) + m[4] * z - m[5] * y - gravity[0];
    a[1] = m[1] - (s[12] * s[7] - s[10] * s[9]) + m[5] * x - m[3] * z - gravity[1];
    a[2] = m[2] - (s[10] * s[8] - s[11] * s[7]) + m[3] * y - m[4] * x - gravity[2];
    a[3] = m[3];
    a[4] = m[4];
    a[5] = m[5];
  }

  /** Moves with its acceleration for timing[0]. @alloc none */
  advance(timing: Float64Array): void {
    const h = timing[0];
    const s = this.endState;
    const m = this.motion;
    for (let i = 0; i < 3; i++) {
      s[i] += h * (s[7 + i] + 0.5 * h * m[i]);
      s[7 + i] += h * m[i];
      s[10 + i] += 0.5 * h * m[3 + i];
    }
    if (s[10] !== 0 || s[11] !== 0 || s[12] !== 0) advanceQuaternion(s, 3, s, 3, s, 10, timing);
    for (let i = 0; i < 3; i++) s[10 + i] += 0.5 * h * m[3 + i];
  }
}
