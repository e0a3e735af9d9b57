/**
 * Forward dynamics by the articulated-body method, time in proportion to the number of links. What a link with everything outward
 * of it does under an acceleration is an inertia and a bias force. Modes, then joints are eliminated on the way inward;
 * accelerations follow on the way outward. `Featherstone 2008, 7.3`; the modes of a beam are eliminated as a joint between its two
 * frames. Rigid drives add their rotor to the joint, rotors behind a gear are bodies of their own.
 */
import { factorCholesky, solveLower, solveLowerTransposed } from '../../math/cholesky.ts';
import { addCrossForce, applyInertia } from './spatial.ts';
import type { TreeKinematics } from './tree-kinematics.ts';
import type { TreeLink } from './tree-link.ts';
import { takeWrench } from './tree-newton-euler.ts';

/** Work space of one link. */
interface Outward {
  readonly link: TreeLink;
  /** Articulated inertia (6 × 6) and bias force at the frame, and at the end frame (the same for a rigid link). */
  readonly inertia: Float64Array;
  readonly bias: Float64Array;
  readonly endInertia: Float64Array;
  readonly endBias: Float64Array;
  /** Of modes and of the joint: forces per unit rate (6 each), Cholesky factors of their own inertia, what is left of their force. */
  readonly modes: Elimination;
  readonly joint: Elimination;
}

interface Elimination {
  readonly count: number;
  readonly first: number;
  readonly coupling: Float64Array;
  readonly factors: Float64Array;
  readonly rest: Float64Array;
}

/** Work space of one tree. */
export class ArticulatedBody {
  private readonly kinematics: TreeKinematics;
  private readonly outward: readonly Outward[];
  private readonly rotorInertia: Float64Array;
  private readonly momentum: Float64Array = new Float64Array(6);
  private readonly row: Float64Array;
  private readonly zero: Float64Array;
  private readonly own: Float64Array;
  private readonly tolerance: Float64Array = new Float64Array(1);

  constructor(
    kinematics: TreeKinematics,
    rotors: readonly { readonly place: number; readonly inertia: number }[],
  ) {
    this.kinematics = kinematics;
    const { rates } = kinematics.layout;
    this.rotorInertia = new Float64Array(rates);
    for (const { place, inertia } of rotors) this.rotorInertia[place] = inertia;
    this.row = new Float64Array(12);
    this.zero = new Float64Array(rates);
    this.own = new Float64Array(rates);
    this.outward = kinematics.links.map((link) => {
      const inertia = new Float64Array(36);
      const bias = new Float64Array(6);
      const { places, beam } = link;
      return {
        link,
        inertia,
        bias,
        endInertia: beam === null ? inertia : new Float64Array(36),
        endBias: beam === null ? bias : new Float64Array(6),
        modes: elimination(places.modes[0] + places.modes[1], places.modeRate),
        joint: elimination(places.freedoms, places.rate),
      };
    });
  }

  /** out (rates) := u' under the generalized forces `net` (elastic forces taken off) and the wrenches on the links. @alloc none */
  compute(net: Float64Array, gravity: Float64Array, out: Float64Array): void {
    const { kinematics, outward } = this;
    // velocity products alone: accelerations of the links with u' = 0 are not needed, only their parts, which refresh left behind
    for (let i = 0; i < outward.length; i++) this.begin(outward[i]);
    for (let i = outward.length - 1; i >= 0; i--) {
      const body = outward[i];
      if (body.link.beam !== null) this.eliminateModes(body, net);
      this.eliminateJoint(body, net);
    }
    const { base, layout } = kinematics;
    base.computeAcceleration(kinematics.origin, gravity);
    for (let i = 0; i < outward.length; i++) this.release(outward[i], out);
    for (let k = layout.moving; k < layout.rates; k++) out[k] = net[k] / this.rotorInertia[k];
  }

  /** Inertia and bias of the link alone. */
  private begin(body: Outward): void {
    const { link, inertia, bias, endInertia, endBias } = body;
    if (link.beam === null) {
      applyInertia(this.momentum, 0, link.inertia, link.velocity, 0);
      for (let e = 0; e < 6; e++) bias[e] = 0;
      addCrossForce(bias, link.velocity, this.momentum);
    } else {
      for (let e = 0; e < 6; e++) link.acceleration[e] = 0;
      link.beam.balance(this.zero, bias, this.own);
      for (let e = 0; e < 36; e++) endInertia[e] = 0;
      for (let e = 0; e < 6; e++) endBias[e] = 0;
      takeWrench(endBias, link.endWrench, link.endState, this.kinematics.origin);
    }
    takeWrench(bias, link.wrench, link.state, this.kinematics.origin);
    expandInertia(inertia, link.inertia);
  }

  private eliminateModes(body: Outward, net: Float64Array): void {
    const { link, modes, endInertia, endBias, inertia, bias } = body;
    const beam = link.beam!;
    const { columns } = this.kinematics;
    const { count, first, coupling, factors, rest } = modes;
    // what hangs on the end frame also has the acceleration that the modal rates give it
    addProduct(endBias, endInertia, beam.endBias);
    for (let k = 0; k < count; k++) {
      multiply6(coupling, 6 * k, endInertia, columns, 6 * (first + k));
      for (let j = 0; j < count; j++) {
        let sum = j === k ? link.mass[0] : 0.0;
        for (let e = 0; e < 6; e++) sum += columns[6 * (first + j) + e] * coupling[6 * k + e];
        factors[count * j + k] = sum;
      }
      let left = net[first + k] - this.own[first + k];
      for (let e = 0; e < 6; e++) left -= columns[6 * (first + k) + e] * endBias[e];
      rest[k] = left;
    }
    for (let e = 0; e < 6 * count; e++) coupling[e] += beam.momenta[e];
    for (let e = 0; e < 36; e++) inertia[e] += endInertia[e];
    for (let e = 0; e < 6; e++) bias[e] += endBias[e];
    this.eliminate(modes, inertia, bias);
  }

  private eliminateJoint(body: Outward, net: Float64Array): void {
    const { link, joint, inertia, bias } = body;
    const { columns } = this.kinematics;
    const { count, first, coupling, factors, rest } = joint;
    addProduct(bias, inertia, link.jointBias);
    for (let k = 0; k < count; k++) {
      multiply6(coupling, 6 * k, inertia, columns, 6 * (first + k));
      for (let j = 0; j < count; j++) {
        let sum = j === k ? this.rotorInertia[first + k] : 0.0;
        for (let e = 0; e < 6; e++) sum += columns[6 * (first + j) + e] * coupling[6 * k + e];
        factors[count * j + k] = sum;
      }
      let left = net[first + k];
      for (let e = 0; e < 6; e++) left -= columns[6 * (first + k) + e] * bias[e];
      rest[k] = left;
    }
    this.eliminate(joint, inertia, bias);
    if (link.parent < 0) return;
    const parent = this.outward[link.parent];
    for (let e = 0; e < 36; e++) parent.endInertia[e] += inertia[e];
    for (let e = 0; e < 6; e++) parent.endBias[e] += bias[e];
  }

  /** inertia −= U D⁻¹ Uᵀ, bias += U D⁻¹ rest; the coupling becomes L⁻¹ Uᵀ column by column, rest L⁻¹ rest. */
  private eliminate(part: Elimination, inertia: Float64Array, bias: Float64Array): void {
    const { count, coupling, factors, rest } = part;
    if (count === 0) return;
    factorCholesky(factors, factors, count, this.tolerance);
    const row = this.row;
    for (let e = 0; e < 6; e++) {
      for (let k = 0; k < count; k++) row[k] = coupling[6 * k + e];
      solveLower(factors, count, row, 0);
      for (let k = 0; k < count; k++) coupling[6 * k + e] = row[k];
    }
    solveLower(factors, count, rest, 0);
    for (let k = 0; k < count; k++) {
      const o = 6 * k;
      for (let e = 0; e < 6; e++) {
        for (let f = 0; f < 6; f++) inertia[6 * e + f] -= coupling[o + e] * coupling[o + f];
        bias[e] += coupling[o + e] * rest[k];
      }
    }
  }

  /** Rates of change of the joint and of the modes, and the accelerations of both frames. */
  private release(body: Outward, out: Float64Array): void {
    const { link, joint, modes } = body;
    const a = link.acceleration;
    const parent = link.parentEnd.endAcceleration;
    for (let e = 0; e < 6; e++) a[e] = parent[e];
    // U holds the joint's forces for the acceleration without its own bias, which is in the bias force already
    this.solve(joint, a, out);
    link.computeAcceleration(this.kinematics.columns, out);
    if (link.beam === null) return;
    this.solve(modes, a, out);
    link.beam.computeAcceleration(this.kinematics.columns, out);
  }

  private solve(part: Elimination, a: Float64Array, out: Float64Array): void {
    const { count, first, coupling, factors, rest } = part;
    for (let k = 0; k < count; k++) {
      let left = rest[k];
      for (let e = 0; e < 6; e++) left -= coupling[6 * k + e] * a[e];
      out[first + k] = left;
    }
    solveLowerTransposed(factors, count, out, first);
  }
}

function elimination(count: number, first: number): Elimination {
  return {
    count,
    first,
    coupling: new Float64Array(6 * count),
    factors: new Float64Array(count * count),
    rest: new Float64Array(count),
  };
}

/** The 6 × 6 matrix of ten numbers: mass and first moment above, second moments below. */
function expandInertia(out: Float64Array, i: Float64Array): void {
  for (let e = 0; e < 36; e++) out[e] = 0;
  out[0] = i[0];
  out[7] = i[0];
  out[14] = i[0];
  // w × h = −h × w on the right above, h × v on the left below
  out[4] = i[3];
  out[5] = -i[2];
  out[9] = -i[3];
  out[11] = i[1];
  out[15] = i[2];
  out[16] = -i[1];
  out[19] = -i[3];
  out[20] = i[2];
  out[24] = i[3];
  out[26] = -i[1];
  out[30] = -i[2];
  out[31] = i[1];
  out[21] = i[4];
  out[28] = i[5];
  out[35] = i[6];
  out[22] = i[7];
  out[27] = i[7];
  out[23] = i[8];
  out[33] = i[8];
  out[29] = i[9];
  out[34] = i[9];
}

/** out[o..] := A x[i..] */
function multiply6(
  out: Float64Array,
  o: number,
  a: Float64Array,
  x: Float64Array,
  i: number,
): void {
  for (let e = 0; e < 6; e++) {
    let sum = 0.0;
    for (let f = 0; f < 6; f++) sum += a[6 * e + f] * x[i + f];
    out[o + e] = sum;
  }
}

/** out += A x */
function addProduct(out: Float64Array, a: Float64Array, x: Float64Array): void {
  for (let e = 0; e < 6; e++) {
    let sum = 0.0;
    for (let f = 0; f < 6; f++) sum += a[6 * e + f] * x[f];
    out[e] += sum;
  }
}
