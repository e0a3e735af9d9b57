/**
 * Mass matrix of a tree: everything outward of a column is one body. The momentum that a unit rate gives it, seen by the columns
 * inward, is a column of M. `Featherstone 2008, 6.2`. With all spatial vectors about one point nothing is transformed.
 */
import { applyInertia, INERTIA } from './spatial.ts';
import type { TreeKinematics } from './tree-kinematics.ts';
import type { TreeLink } from './tree-link.ts';

/** Work space of one tree. */
export class TreeMass {
  private readonly kinematics: TreeKinematics;
  /** Number of rates. */
  private readonly n: number;
  /** Whether every rate moves what every other moves, too: a chain without rotors, whose matrix has no zeros. */
  private readonly full: boolean;
  /** Links that hang on each, the last first. */
  private readonly children: readonly (readonly number[])[];
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
    this.n = kinematics.layout.rates;
    this.rotors = rotors;
    const { links } = kinematics;
    this.full = rotors.length === 0 && links.every(({ parent, index }) => parent === index - 1);
    const indices = links.map(({ index }) => index);
    this.children = indices.map((i) => indices.filter((c) => links[c].parent === i).reverse());
    // a rigid link that carries none is its own composite
    this.composites = links.map(({ beam, inertia }, i) =>
      beam === null && this.children[i].length === 0 ? inertia : new Float64Array(INERTIA),
    );
    this.ends = links.map((link, i) =>
      link.beam === null ? this.composites[i] : new Float64Array(INERTIA),
    );
  }

  /** Fills the symmetric rates × rates matrix, row by row. @alloc none */
  compute(out: Float64Array): void {
    const { links } = this.kinematics;
    const { n } = this;
    if (!this.full) for (let k = 0; k < n * n; k++) out[k] = 0;
    for (let i = links.length - 1; i >= 0; i--) {
      const link = links[i];
      const end = this.ends[i];
      const own = link.inertia;
      const list = this.children[i];
      if (link.beam !== null) {
        for (let e = 0; e < INERTIA; e++) end[e] = 0;
        for (let c = 0; c < list.length; c++) addInertia(end, end, this.composites[list[c]]);
        this.addModes(link, out);
        addInertia(this.composites[i], own, end);
      } else if (list.length > 0) {
        addInertia(end, own, this.composites[list[0]]);
        for (let c = 1; c < list.length; c++) addInertia(end, end, this.composites[list[c]]);
      }
      this.addJoint(link, out);
    }
    for (let r = 0; r < this.rotors.length; r++) {
      out[(n + 1) * this.rotors[r].place] += this.rotors[r].inertia;
    }
  }

  private addJoint(link: TreeLink, out: Float64Array): void {
    const { columns, columnsOf } = this.kinematics;
    const { rate, freedoms } = link.places;
    const { momentum, n } = this;
    const inward = link.parent < 0 ? null : columnsOf[link.parent];
    for (let k = rate; k < rate + freedoms; k++) {
      applyInertia(momentum, 0, this.composites[link.index], columns, 6 * k);
      for (let j = rate; j <= k; j++) write(out, n, j, k, columns, momentum);
      if (inward === null) continue;
      for (let j = 0; j < inward.length; j++) write(out, n, inward[j], k, columns, momentum);
    }
  }

  private addModes(link: TreeLink, out: Float64Array): void {
    const beam = link.beam!;
    const { columns, columnsOf } = this.kinematics;
    const { n } = this;
    const inward = columnsOf[link.index];
    const first = link.places.modeRate;
    const p = this.momentum;
    for (let k = first; k < first + beam.count; k++) {
      applyInertia(p, 0, this.ends[link.index], columns, 6 * k);
      for (let j = first; j <= k; j++) write(out, n, j, k, columns, p);
      out[(n + 1) * k] += link.mass[0];
      for (let i = 0; i < 6; i++) p[i] += beam.momenta[6 * (k - first) + i];
      for (let j = 0; j < inward.length - beam.count; j++) write(out, n, inward[j], k, columns, p);
    }
  }
}

/** out := a + b */
function addInertia(out: Float64Array, a: Float64Array, b: Float64Array): void {
  for (let e = 0; e < INERTIA; e++) out[e] = a[e] + b[e];
}

/** M_jk := column j · momentum. */
function write(
  out: Float64Array,
  n: number,
  j: number,
  k: number,
  x: Float64Array,
  p: Float64Array,
): void {
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
