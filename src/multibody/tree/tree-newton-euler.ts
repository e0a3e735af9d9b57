/**
 * Generalized forces of a tree by recursive Newton–Euler: accelerations outward, forces inward, each column takes its part.
 * `Featherstone 2008, 5.3`; beams `Kim 1999, (3.34)`.
 */
import { balanceForce } from './spatial.ts';
import type { TreeKinematics } from './tree-kinematics.ts';
import type { TreeLink } from './tree-link.ts';

/** Work space of one tree. */
export class TreeNewtonEuler {
  private readonly kinematics: TreeKinematics;
  /** On a link with all that hangs on it, and on what hangs on its end frame (the same for a rigid link). */
  private readonly forces: readonly Float64Array[];
  private readonly ends: readonly Float64Array[];

  constructor(kinematics: TreeKinematics) {
    this.kinematics = kinematics;
    this.forces = kinematics.links.map(() => new Float64Array(6));
    this.ends = kinematics.links.map((link, i) =>
      link.beam === null ? this.forces[i] : new Float64Array(6),
    );
  }

  /**
   * out := forces of joints and modes that give the rates of change `acc` under `gravity`, without elastic forces and rotors;
   * external wrenches are counted when `loaded` is 1. @alloc none
   */
  compute(acc: Float64Array, gravity: Float64Array, loaded: number, out: Float64Array): void {
    const { links } = this.kinematics;
    this.kinematics.computeAccelerations(acc, gravity);
    for (let i = 0; i < links.length; i++) {
      const link = links[i];
      if (link.beam === null)
        balanceForce(this.forces[i], link.inertia, link.acceleration, link.velocity);
      else {
        for (let e = 0; e < 6; e++) this.ends[i][e] = 0;
        link.beam.balance(acc, this.forces[i], out);
      }
      if (loaded === 1) this.takeWrenches(link);
    }
    this.gather(out);
  }

  /** out := generalized forces of the external wrenches. @alloc none */
  project(out: Float64Array): void {
    const { links } = this.kinematics;
    for (let k = 0; k < out.length; k++) out[k] = 0;
    for (let i = 0; i < links.length; i++) {
      for (let e = 0; e < 6; e++) {
        this.forces[i][e] = 0;
        this.ends[i][e] = 0;
      }
      this.takeWrenches(links[i]);
    }
    this.gather(out);
    for (let k = 0; k < out.length; k++) out[k] = -out[k];
  }

  /** Sums the forces inward; out := part of joints, out[modes] += part of modes. */
  private gather(out: Float64Array): void {
    const { links, columns } = this.kinematics;
    for (let i = links.length - 1; i >= 0; i--) {
      const link = links[i];
      const force = this.forces[i];
      if (link.beam !== null) {
        const end = this.ends[i];
        const first = link.places.modeRate;
        for (let k = first; k < first + link.beam.count; k++) {
          let sum = out[k];
          for (let e = 0; e < 6; e++) sum += columns[6 * k + e] * end[e];
          out[k] = sum;
        }
        for (let e = 0; e < 6; e++) force[e] += end[e];
      }
      const { rate, freedoms } = link.places;
      for (let k = rate; k < rate + freedoms; k++) {
        const o = 6 * k;
        out[k] =
          0 +
          columns[o] * force[0] +
          columns[o + 1] * force[1] +
          columns[o + 2] * force[2] +
          columns[o + 3] * force[3] +
          columns[o + 4] * force[4] +
          columns[o + 5] * force[5];
      }
      if (link.parent < 0) continue;
      const parent = this.ends[link.parent];
      parent[0] += force[0];
      parent[1] += force[1];
      parent[2] += force[2];
      parent[3] += force[3];
      parent[4] += force[4];
      parent[5] += force[5];
    }
    for (let k = this.kinematics.layout.moving; k < this.kinematics.layout.rates; k++) out[k] = 0;
  }

  private takeWrenches(link: TreeLink): void {
    takeWrench(this.forces[link.index], link.wrench, link.state, this.kinematics.origin);
    if (link.beam === null) return;
    takeWrench(this.ends[link.index], link.endWrench, link.endState, this.kinematics.origin);
  }
}

/** f −= a wrench at the origin of a frame, seen about the common point. @alloc none */
export function takeWrench(
  f: Float64Array,
  wrench: Float64Array,
  state: Float64Array,
  origin: Float64Array,
): void {
  const x = state[0] - origin[0];
  const y = state[1] - origin[1];
  const z = state[2] - origin[2];
  f[0] -= wrench[0];
  f[1] -= wrench[1];
  f[2] -= wrench[2];
  f[3] -= wrench[3] + y * wrench[2] - z * wrench[1];
  f[4] -= wrench[4] + z * wrench[0] - x * wrench[2];
  f[5] -= wrench[5] + x * wrench[1] - y * wrench[0];
}
