/**
 * Mass matrix of a tree: everything outward of a column is one body; the momentum that a unit rate gives it, seen by the columns
 * inward, is a column of M. `Featherstone 2008, 6.2`. With all spatial vectors about one point nothing is transformed.
 */
import { applyInertia, INERTIA } from './spatial.ts';
import type { TreeKinematics } from './tree-kinematics.ts';
import type { TreeLink } from './tree-link.ts';

/** Work space of one tree. */
export class TreeMass {
  private readonly kinematics: TreeKinematics;
  /** Of a link with all that hangs on it. */
  private readonly composites: readonly Float64Array[];
  /** Of what moves with the end frame of a link: the same for a rigid link. */
  private readonly ends: readonly Float64Array[];
  private readonly momentum: Float64Array = new Float64Array(6);
  private readonly rotors: readonly { readonly place: number; readonly inertia: number }[];

  constructor(
    kinematics: TreeKinematics,
    rotors: readonly { readonly place: number; readonly inertia: number }[],
  ) {
    this.kinematics = kinematics;
    this.rotors = rotors;
    this.composites = kinematics.links.map(() => new Float64Array(INERTIA));
    this.ends = kinematics.links.map((link, i) =>
      link.beam === null ? this.composites[i] : new Float64Array(INERTIA),
    );
  }

  /** Fills the symmetric rates × rates matrix, row by row. @alloc none */
  compute(out: Float64Array): void {
    const { links, layout } = this.kinematics;
    const n = layout.rates;
    for (let k = 0; k < n * n; k++) out[k] = 0;
    for (let i = 0; i < links.length; i++) {
      const end = this.ends[i];
      for (let e = 0; e < INERTIA; e++) end[e] = 0;
      const composite = this.composites[i];
      const own = links[i].inertia;
      for (let e = 0; e < INERTIA; e++) composite[e] = own[e];
    }
    for (let i = links.length - 1; i >= 0; i--) {
      const link = links[i];
      const composite = this.composites[i];
      if (link.beam !== null) {
        this.addModes(link, out);
        for (let e = 0; e < INERTIA; e++) composite[e] += this.ends[i][e];
      }
      this.addJoint(link, out);
      if (link.parent < 0) continue;
      const parent = this.ends[link.parent];
      for (let e = 0; e < INERTIA; e++) parent[e] += composite[e];
    }
    for (let r = 0; r < this.rotors.length; r++) {
      out[(n + 1) * this.rotors[r].place] += this.rotors[r].inertia;
    }
  }

  private addJoint(link: TreeLink, out: Float64Array): void {
    const { columns, columnsOf } = this.kinematics;
    const { rate, freedoms } = link.places;
    const inward = link.parent < 0 ? null : columnsOf[link.parent];
    for (let k = rate; k < rate + freedoms; k++) {
      applyInertia(this.momentum, 0, this.composites[link.index], columns, 6 * k);
      for (let j = rate; j <= k; j++) this.write(out, j, k);
      if (inward === null) continue;
      for (let j = 0; j < inward.length; j++) this.write(out, inward[j], k);
    }
  }

  private addModes(link: TreeLink, out: Float64Array): void {
    const beam = link.beam!;
    const { columns, columnsOf, layout } = this.kinematics;
    const n = layout.rates;
    const inward = columnsOf[link.index];
    const first = link.places.modeRate;
    const p = this.momentum;
    for (let k = first; k < first + beam.count; k++) {
      applyInertia(p, 0, this.ends[link.index], columns, 6 * k);
      for (let j = first; j <= k; j++) this.write(out, j, k);
      out[(n + 1) * k] += link.mass[0];
      for (let i = 0; i < 6; i++) p[i] += beam.momenta[6 * (k - first) + i];
      for (let j = 0; j < inward.length - beam.count; j++) this.write(out, inward[j], k);
    }
  }

  /** M_jk := column j · momentum. */
  private write(out: Float64Array, j: number, k: number): void {
    const x = this.kinematics.columns;
    const p = this.momentum;
    const n = this.kinematics.layout.rates;
    const o = 6 * j;
    const value =
      x[o] * p[0] +
      x[o + 1] * p[1] +
      x[o + 2] * p[2] +
      x[o + 3] * p[3] +
      x[o + 4] * p[4] +
      x[o + 5] * p[5];
    out[n * j + k] = value;
    out[n * k + j] = value;
  }
}
