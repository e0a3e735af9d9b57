/**
 * What hangs on the force sensor of the bench and its compensation does not know: a rigid body. In the frame of the tool, with the centre c from the tool
 * point, it puts on the sensor (Newton and Euler)
 *
 *   f = m (s − ẇ × c − w × (w × c))      τ = c × f − I ẇ − w × I w      s = Rᵀ(g − a)
 *
 * a and ẇ are means over the cycle, of the true motion: its change of twist over the period. The arm is not loaded by it: its servos hold some newtons
 * within a micrometre.
 */
import { rotationOf } from '../../src/math/quaternion.ts';
import type { Sextuple, Triple } from '../../src/model/model.ts';

/** Standard gravity along −z of the base frame, m/s². */
const GRAVITY_mps2 = 9.80665;

/** A payload beside the one that the bench compensates. */
export interface PayloadResidual {
  readonly mass_kg: number;
  /** From the tool point, in the frame of the tool. */
  readonly center_m: Triple;
  /** About the centre, axes of the tool: xx, yy, zz, xy, xz, yz. */
  readonly inertia_kgm2: Sextuple;
}

/** The payload on the sensor. */
export class ResidualPayload {
  /** Contact and payload together, at the tool point, base frame. */
  readonly wrench = new Float64Array(6);
  /** m, c, I, and the period. */
  readonly #body: Float64Array;
  readonly #last = new Float64Array(6);
  readonly #rotation = new Float64Array(9);
  /** s, ẇ and w in the frame of the tool. */
  readonly #motion = new Float64Array(9);
  /** f and τ there. */
  readonly #own = new Float64Array(6);

  /** @param twist - of the tool before the first cycle */
  constructor(payload: PayloadResidual, period_s: number, twist: Float64Array) {
    const { mass_kg, center_m, inertia_kgm2 } = payload;
    this.#body = Float64Array.of(mass_kg, ...center_m, ...inertia_kgm2, period_s);
    this.#last.set(twist);
  }

  /** Adds what the payload puts on the sensor at this motion to the wrench of the contact. Call once per cycle. @alloc none */
  addLoad(orientation: Float64Array, twist: Float64Array, contact: Float64Array): void {
    const r = this.#rotation;
    const own = this.#own;
    rotationOf(r, orientation, 0);
    this.#read(twist);
    this.#load();
    for (let part = 0; part < 6; part += 3) {
      for (let a = 0; a < 3; a++) {
        const turned =
          r[3 * a] * own[part] + r[3 * a + 1] * own[part + 1] + r[3 * a + 2] * own[part + 2];
        this.wrench[part + a] = contact[part + a] + turned;
      }
    }
  }

  #read(twist: Float64Array): void {
    const r = this.#rotation;
    const last = this.#last;
    const period = this.#body[10];
    const sx = (last[0] - twist[0]) / period;
    const sy = (last[1] - twist[1]) / period;
    const sz = (last[2] - twist[2]) / period - GRAVITY_mps2;
    const dx = (twist[3] - last[3]) / period;
    const dy = (twist[4] - last[4]) / period;
    const dz = (twist[5] - last[5]) / period;
    for (let a = 0; a < 3; a++) {
      this.#motion[a] = r[a] * sx + r[3 + a] * sy + r[6 + a] * sz;
      this.#motion[3 + a] = r[a] * dx + r[3 + a] * dy + r[6 + a] * dz;
      this.#motion[6 + a] = r[a] * twist[3] + r[3 + a] * twist[4] + r[6 + a] * twist[5];
    }
    for (let i = 0; i < 6; i++) last[i] = twist[i];
  }

  #load(): void {
    const b = this.#body;
    const motion = this.#motion;
    const own = this.#own;
    const m = b[0];
    const cx = b[1];
    const cy = b[2];
    const cz = b[3];
    const xx = b[4];
    const yy = b[5];
    const zz = b[6];
    const xy = b[7];
    const xz = b[8];
    const yz = b[9];
    const dx = motion[3];
    const dy = motion[4];
    const dz = motion[5];
    const wx = motion[6];
    const wy = motion[7];
    const wz = motion[8];
    // w × (w × c) = w (w · c) − c w²
    const along = wx * cx + wy * cy + wz * cz;
    const square = wx * wx + wy * wy + wz * wz;
    const fx = m * (motion[0] - (dy * cz - dz * cy) - (wx * along - cx * square));
    const fy = m * (motion[1] - (dz * cx - dx * cz) - (wy * along - cy * square));
    const fz = m * (motion[2] - (dx * cy - dy * cx) - (wz * along - cz * square));
    const lx = xx * wx + xy * wy + xz * wz;
    const ly = xy * wx + yy * wy + yz * wz;
    const lz = xz * wx + yz * wy + zz * wz;
    own[0] = fx;
    own[1] = fy;
    own[2] = fz;
    own[3] = cy * fz - cz * fy - (xx * dx + xy * dy + xz * dz) - (wy * lz - wz * ly);
    own[4] = cz * fx - cx * fz - (xy * dx + yy * dy + yz * dz) - (wz * lx - wx * lz);
    own[5] = cx * fy - cy * fx - (xz * dx + yz * dy + zz * dz) - (wx * ly - wy * lx);
  }
}
