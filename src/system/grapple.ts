/**
 * A grapple: springs and dampers between pairs of points of two bodies, from the first touch of a contact on. `Kim 1999, (6.1)–(6.6)`.
 *
 * Implicit in the velocities of its points, as a damper may be stiff against what it moves: with the impulses p and the answer W of all points,
 *
 *   p = −h (K (x + h v') + C v'),  v' = v + W p    →    (W + 1/(h C + h² K)) p = −v − h K x/(h C + h² K)
 *
 * Force and reaction act at the point of body i, so that momenta stay. It takes energy at any step, and never gives any.
 */
import type { ContactModel } from '../contact/contact-model.ts';
import { writeRelativeResponse } from '../contact/faceted/response.ts';
import { ARM_I, ARM_J, KINEMATICS } from '../contact/pair.ts';
import { factorCholesky, solveLower, solveLowerTransposed } from '../math/cholesky.ts';
import { rotate3 } from '../math/vec3.ts';
import type { GrappleModel } from '../model/grapple-spec.ts';
import type { EnergyLedger } from './energy-ledger.ts';
import type { Part } from './mover.ts';

/** One grapple. */
export class Grapple {
  readonly i: Part;
  readonly j: Part;
  /** [1 since it was engaged], in the arena. */
  readonly #engaged: Float64Array;
  /** The models of the contact that engages it; null where it holds from the start. */
  readonly #contacts: readonly ContactModel[] | null;
  readonly #count: number;
  readonly #pointsI: Float64Array;
  readonly #pointsJ: Float64Array;
  readonly #stiffness: number;
  readonly #damping: number;
  /** From the origins of both bodies to each point of body i, six numbers a pair; Δr, world. */
  readonly #levers: Float64Array;
  readonly #offsets: Float64Array;
  /** Relative velocities; impulses. */
  readonly #rates: Float64Array;
  readonly #impulses: Float64Array;
  readonly #matrix: Float64Array;
  readonly #kinematics: Float64Array = new Float64Array(KINEMATICS);
  readonly #response: Float64Array = new Float64Array(36);
  readonly #wrench: Float64Array = new Float64Array(6);
  readonly #twist: Float64Array = new Float64Array(6);
  readonly #vector: Float64Array = new Float64Array(3);
  readonly #zero: Float64Array = new Float64Array(1);
  readonly #sum: Float64Array = new Float64Array(1);
  /** Places of the bodies among the parts, and their twists. */
  readonly #places: readonly [number, number];
  readonly #twists: readonly [Float64Array, Float64Array] = [
    new Float64Array(6),
    new Float64Array(6),
  ];

  constructor(
    model: GrappleModel,
    parts: readonly Part[],
    places: readonly [number, number],
    contacts: readonly ContactModel[] | null,
    engaged: Float64Array,
  ) {
    this.i = parts[places[0]];
    this.j = parts[places[1]];
    this.#places = places;
    this.#contacts = contacts;
    this.#engaged = engaged;
    const n = 3 * model.pointsI.length;
    this.#count = model.pointsI.length;
    this.#pointsI = Float64Array.from(model.pointsI.flat());
    this.#pointsJ = Float64Array.from(model.pointsJ.flat());
    this.#stiffness = model.stiffness;
    this.#damping = model.damping;
    this.#levers = new Float64Array(2 * n);
    this.#offsets = new Float64Array(n);
    this.#rates = new Float64Array(n);
    this.#impulses = new Float64Array(n);
    this.#matrix = new Float64Array(n * n);
  }

  /** Whether it holds. */
  get isEngaged(): boolean {
    return this.#engaged[0] !== 0;
  }

  /** Engages at a touch; contacts are found. @alloc none */
  open(ledger: EnergyLedger): void {
    if (this.isEngaged || !this.#isTouched()) return;
    this.#engaged[0] = 1;
    this.#measure();
    this.#fillEnergy();
    ledger.addBrought(this.#sum);
  }

  /** The impulses of a (sub-)step of timing[0], smooth forces taken. @alloc none */
  apply(timing: Float64Array): void {
    if (!this.isEngaged) return;
    const p = this.#impulses;
    const n = p.length;
    const h = timing[0];
    const answer = h * this.#damping + h * h * this.#stiffness;
    this.#measure();
    this.#takeTwists();
    this.#measureRates();
    this.#fillMatrix();
    for (let k = 0; k < n; k++) {
      this.#matrix[(n + 1) * k] += 1 / answer;
      p[k] = -this.#rates[k] - (h * this.#stiffness * this.#offsets[k]) / answer;
    }
    factorCholesky(this.#matrix, this.#matrix, n, this.#zero);
    solveLower(this.#matrix, n, p, 0);
    solveLowerTransposed(this.#matrix, n, p, 0);
    const v = this.#vector;
    for (let a = 0; a < this.#count; a++) {
      for (let c = 0; c < 3; c++) v[c] = p[3 * a + c];
      if (this.i.yields) this.i.push(this.#levers, 6 * a, v);
      for (let c = 0; c < 3; c++) v[c] = -v[c];
      if (this.j.yields) this.j.push(this.#levers, 6 * a + 3, v);
    }
  }

  /** What it took of the bodies in the (sub-)step, to the ledger, all impulses of it applied. @alloc none */
  account(ledger: EnergyLedger): void {
    if (!this.isEngaged) return;
    ledger.writeMean(this.#places[0], this.#twists[0]);
    ledger.writeMean(this.#places[1], this.#twists[1]);
    this.#measureRates();
    this.#sum[0] = 0;
    for (let k = 0; k < this.#rates.length; k++) {
      this.#sum[0] -= this.#impulses[k] * this.#rates[k];
    }
    ledger.addImpactLoss(this.#sum);
  }

  /** Energy of the springs at the present poses, to the ledger. @alloc none */
  store(ledger: EnergyLedger): void {
    if (!this.isEngaged) return;
    this.#measure();
    this.#fillEnergy();
    ledger.addElastic(this.#sum);
  }

  #isTouched(): boolean {
    const contacts = this.#contacts;
    if (contacts === null) return true;
    for (let k = 0; k < contacts.length; k++) if (contacts[k].active) return true;
    return false;
  }

  #fillEnergy(): void {
    this.#sum[0] = 0;
    for (let k = 0; k < this.#offsets.length; k++) {
      this.#sum[0] += 0.5 * this.#stiffness * this.#offsets[k] * this.#offsets[k];
    }
  }

  #takeTwists(): void {
    for (let a = 0; a < 6; a++) {
      this.#twists[0][a] = this.i.state[7 + a];
      this.#twists[1][a] = this.j.state[7 + a];
    }
  }

  /** Levers and Δr from the poses. */
  #measure(): void {
    const x = this.i.state;
    const y = this.j.state;
    const v = this.#vector;
    for (let a = 0; a < this.#count; a++) {
      rotate3(this.#levers, 6 * a, this.i.rotation, this.#pointsI, 3 * a);
      rotate3(v, 0, this.j.rotation, this.#pointsJ, 3 * a);
      for (let c = 0; c < 3; c++) {
        const lever = this.#levers[6 * a + c] + (x[c] - y[c]);
        this.#levers[6 * a + 3 + c] = lever;
        this.#offsets[3 * a + c] = lever - v[c];
      }
    }
  }

  /** Relative velocities of the points by the twists. */
  #measureRates(): void {
    const x = this.#twists[0];
    const y = this.#twists[1];
    for (let a = 0; a < this.#count; a++) {
      const o = 6 * a;
      for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        this.#rates[3 * a + c] =
          x[c] +
          x[3 + d] * this.#levers[o + e] -
          x[3 + e] * this.#levers[o + d] -
          (y[c] + y[3 + d] * this.#levers[o + 3 + e] - y[3 + e] * this.#levers[o + 3 + d]);
      }
    }
  }

  /** W: relative velocities of all points by unit impulses at them. */
  #fillMatrix(): void {
    const k = this.#kinematics;
    const levers = this.#levers;
    const n = 3 * this.#count;
    const w = this.#wrench;
    const t = this.#twist;
    for (let c = 0; c < 3; c++) {
      k[ARM_I + c] = levers[c];
      k[ARM_J + c] = levers[3 + c];
    }
    writeRelativeResponse(this.i, this.j, k, this.#response);
    for (let b = 0; b < this.#count; b++) {
      for (let axis = 0; axis < 3; axis++) {
        const next = (axis + 1) % 3;
        const last = (axis + 2) % 3;
        w.fill(0);
        w[axis] = 1;
        // r × e, r from the first point
        w[3 + next] = levers[6 * b + last] - levers[last];
        w[3 + last] = -(levers[6 * b + next] - levers[next]);
        for (let r = 0; r < 6; r++) {
          let sum = 0.0;
          for (let s = 0; s < 6; s++) sum += this.#response[6 * r + s] * w[s];
          t[r] = sum;
        }
        for (let a = 0; a < this.#count; a++) {
          for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            this.#matrix[n * (3 * a + c) + 3 * b + axis] =
              t[c] +
              t[3 + d] * (levers[6 * a + e] - levers[e]) -
              t[3 + e] * (levers[6 * a + d] - levers[d]);
          }
        }
      }
    }
  }
}
