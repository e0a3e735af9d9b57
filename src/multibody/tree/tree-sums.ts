/** Energy and momentum of a tree at the poses and twists of its links. */
import { applyInertia } from './spatial.ts';
import type { TreeElastic } from './tree-elastic.ts';
import type { TreeKinematics } from './tree-kinematics.ts';

/** Work space of one tree. */
export class TreeSums {
  private readonly kinematics: TreeKinematics;
  private readonly elastic: TreeElastic;
  private readonly momentum: Float64Array = new Float64Array(6);
  private readonly strain: Float64Array = new Float64Array(1);

  constructor(kinematics: TreeKinematics, elastic: TreeElastic) {
    this.kinematics = kinematics;
    this.elastic = elastic;
  }

  /** out := [kinetic energy, strain energy of beams and drives, −Σ m g · c], J. @alloc none */
  computeEnergy(q: Float64Array, u: Float64Array, gravity: Float64Array, out: Float64Array): void {
    const p = this.momentum;
    const { origin } = this.kinematics;
    for (let e = 0; e < 3; e++) out[e] = 0;
    for (let i = 0; i < this.kinematics.links.length; i++) {
      const { inertia, velocity, beam, mass } = this.kinematics.links[i];
      applyInertia(p, 0, inertia, velocity, 0);
      if (beam !== null) {
        for (let k = 0; k < beam.count; k++) {
          const rate = u[this.kinematics.links[i].places.modeRate + k];
          for (let e = 0; e < 6; e++) p[e] += 2 * beam.momenta[6 * k + e] * rate;
          out[0] += 0.5 * mass[0] * rate * rate;
        }
      }
      for (let e = 0; e < 6; e++) out[0] += 0.5 * p[e] * velocity[e];
      for (let e = 0; e < 3; e++) {
        out[2] -= gravity[e] * (inertia[1 + e] + mass[0] * origin[e]);
      }
    }
    const { rotors } = this.elastic;
    for (let r = 0; r < rotors.length; r++) {
      const rate = u[rotors[r].place];
      out[0] += 0.5 * rotors[r].inertia * rate * rate;
    }
    this.strain[0] = 0;
    this.elastic.addEnergy(q, this.strain);
    out[1] = this.strain[0];
  }

  /** out := momentum and angular momentum about the world's origin of all links; rotors count for nothing here. @alloc none */
  computeMomentum(u: Float64Array, out: Float64Array): void {
    const p = this.momentum;
    const { origin } = this.kinematics;
    for (let e = 0; e < 6; e++) out[e] = 0;
    for (let i = 0; i < this.kinematics.links.length; i++) {
      const { inertia, velocity, beam } = this.kinematics.links[i];
      applyInertia(p, 0, inertia, velocity, 0);
      for (let e = 0; e < 6; e++) out[e] += p[e];
      if (beam === null) continue;
      for (let k = 0; k < beam.count; k++) {
        const rate = u[this.kinematics.links[i].places.modeRate + k];
        for (let e = 0; e < 6; e++) out[e] += beam.momenta[6 * k + e] * rate;
      }
    }
    out[3] += origin[1] * out[2] - origin[2] * out[1];
    out[4] += origin[2] * out[0] - origin[0] * out[2];
    out[5] += origin[0] * out[1] - origin[1] * out[0];
  }
}
