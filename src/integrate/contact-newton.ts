/**
 * The velocities at the end of a step under contacts that are implicit in them, by Newton's method on an island of contacts.
 * docs/theory/contact-step.md.
 *
 * Unknown is the impulse P on every part that yields, six numbers about its origin. With the response W of the parts (inverse mass and
 * inertia; J A⁻¹ Jᵀ between links of a tree), their twists u* under all other forces, and the wrenches w of the contacts:
 *
 *   u = u* + W P         R = h Σ Xᵀ w(X u) − P = 0         (1 + S W) ΔP = R,  S = h Σ Xᵀ K X
 *
 * X takes the twist of a part to the contact point, K = −∂w/∂u there. P needs no mass matrix: a link of a planar chain answers in few
 * directions only, and W is singular. A contact between parts a and b adds to S_aa, S_bb and, with the other sign, to S_ab and S_ba.
 *
 * - Guess: bodies keep their twist from before the step, so that what rests is solved by one evaluation. Links get the impulse of the
 *   forces there.
 * - Stop: |R| <= 1e-10 h Σ max(f, f_el), moments with the largest lever, after a step 1e-12 of it. Below that stands rounding: 1e-15 of P* = W⁻¹ u* for a body.
 * - Where Rᵀ W R grows, the energy of the impulse that is missing, the step is made with secants in place of slopes: drag over slip. A drag
 *   that saturates throws Newton's step far beyond the slip where it turns; with its secant the slip converges from one side. Where that is
 *   slow, Newton's step is halved, up to six times; then that of the secants.
 * - After 12 steps, or when halving does not help, the tolerances of all regularised directions are widened so far that nothing saturates,
 *   and narrowed by 2 from solution to solution.
 * - When that does not help the island is swept (contact-sweeps.ts) and counted. So is one of more than 64 parts.
 *
 * At the end the forces of the last evaluation push the bodies, so that momentum and energy ledger are exact, whatever is left of R.
 */
import type { ContactBody } from '../contact/contact-body.ts';
import { OWN_COLUMNS } from '../math/columns.ts';
import { addressIn, type ContactLoops } from '../contact/contact-loops.ts';
import type { ContactList } from '../contact/contact-list.ts';
import type { ContactModel } from '../contact/contact-model.ts';
import { ELASTIC } from '../contact/normal/normal-law.ts';
import { ARM_I, ARM_J, STEP } from '../contact/pair.ts';
import { factorize, solveFactored } from '../math/lu.ts';
import { addBlock, addWrench, carry, clearBlock } from './contact-blocks.ts';
import { ContactIslands } from './contact-islands.ts';
import { sweepContacts } from './contact-sweeps.ts';
import { prepareAlone, prepareImplicit, solveImplicit } from './implicit-contact.ts';
import {
  COUNT_EVALUATIONS,
  COUNT_SLOPES,
  FLOOR,
  FORCE,
  LENGTH,
  LEVER,
  MERIT,
  MOST_HALVINGS,
  MOST_PARTS,
  MOST_STEPS,
  REFINED,
  ROUNDING,
  SIX,
  START,
  SUMS,
  TOLERANCE,
  WORST,
} from './newton-slots.ts';

/** Widest tolerance of a direction, over that of its law, and what the next one is narrower by. */
const WIDEST = 65_536;
const NARROWER = 2;

/** What the solver did, since it was made. */
export const NewtonCount = {
  islands: 0,
  evaluations: COUNT_EVALUATIONS,
  slopes: COUNT_SLOPES,
  /** Islands that were swept. */
  swept: 3,
} as const;

const NO_RECORD = new Int32Array(0);

/** The solver of one system. */
export class ContactNewton {
  /** Slots of NewtonCount. */
  readonly counts: Float64Array;
  private readonly islands: ContactIslands;
  /** Twists of the parts before the step, by part. */
  private readonly oldTwists: Float64Array;
  // of an island, six numbers a part
  private readonly target: Float64Array; //   u*
  private readonly impulse: Float64Array; //  P
  private readonly trial: Float64Array; //    P of the last evaluation
  private readonly residual: Float64Array; // R
  private readonly left: Float64Array; //     R of the step before
  private readonly change: Float64Array; //   ΔP
  private readonly answer: Float64Array; //   W R, and u of the guess
  private readonly response: Float64Array; // W
  private readonly slope: Float64Array; //    S
  private readonly matrix: Float64Array; //   1 + S W, then its factors
  private readonly pivots: Int32Array;
  private readonly loops: ContactLoops | null;
  /** What the kernel reads, last the contacts and parts of the island. */
  private readonly record: Int32Array;
  private readonly recordAt: number;
  /** Whether the last evaluation was at P. */
  private fresh = false;
  /** [tolerances over those of the laws] */
  private readonly width: Float64Array = Float64Array.of(1);
  private readonly timing: Float64Array = new Float64Array(1);
  private readonly sums: Float64Array;
  /** K of a contact, and K X of one of its bodies. */
  private readonly contactSlope: Float64Array;
  private readonly carried: Float64Array;

  /**
   * @param oldTwists of the parts before the step, kept by the caller
   * @param loops of the same contacts; null where the reference modules do all
   */
  constructor(
    contacts: readonly ContactModel[],
    parts: readonly ContactBody[],
    oldTwists: Float64Array,
    loops: ContactLoops | null = null,
  ) {
    const columns = loops?.memory ?? OWN_COLUMNS;
    this.islands = new ContactIslands(contacts, parts, columns);
    this.oldTwists = oldTwists;
    this.counts = columns.doubles(4);
    this.sums = columns.doubles(SUMS);
    this.contactSlope = columns.doubles(36);
    this.carried = columns.doubles(36);
    const n = SIX * Math.min(this.islands.yielding, MOST_PARTS);
    this.target = columns.doubles(n);
    this.impulse = columns.doubles(n);
    this.trial = columns.doubles(n);
    this.residual = columns.doubles(n);
    this.left = columns.doubles(n);
    this.change = columns.doubles(n);
    this.answer = columns.doubles(n);
    this.response = columns.doubles(n * n);
    this.slope = columns.doubles(n * n);
    this.matrix = columns.doubles(n * n);
    this.pivots = columns.integers(n);
    this.loops = loops;
    this.record = loops === null ? NO_RECORD : this.writeRecord(loops, parts);
    this.recordAt = addressIn(this.record);
  }

  /** Writes down for the kernel where everything lies. */
  private writeRecord(loops: ContactLoops, parts: readonly ContactBody[]): Int32Array {
    const { islands } = this;
    const bodies = loops.record(parts.map((part) => loops.bodyAddress(part)));
    const columns = [
      islands.partI,
      islands.partJ,
      islands.contactPlaces,
      islands.partPlaces,
      islands.localOf,
      this.oldTwists,
      this.target,
      this.impulse,
      this.trial,
      this.residual,
      this.left,
      this.change,
      this.answer,
      this.response,
      this.slope,
      this.matrix,
      this.pivots,
      this.sums,
      this.contactSlope,
      this.carried,
      this.counts,
    ];
    const fields = [addressIn(loops.addresses), bodies, ...columns.map(addressIn)];
    const record = loops.memory.integers(fields.length + 3);
    record.set(fields);
    return record;
  }

  /** Forces of the contacts that touch, prepared for the step, and their impulses on the bodies. @alloc none */
  solve(list: ContactList, timing: Float64Array): void {
    const { islands } = this;
    if (list.count === 0) return;
    this.timing[0] = timing[0];
    if (this.loops !== null) {
      const { exports, currentAt } = this.loops;
      if (exports.solveImposedContacts(currentAt, list.count) === 0) return;
    } else solveImposed(list);
    const found = islands.find(list);
    for (let island = 0; island < found; island++) {
      islands.take(island);
      this.counts[NewtonCount.islands]++;
      if (!islands.isSloped) {
        solveInTurn(islands.contacts, islands.contactCount);
        continue;
      }
      if (islands.partCount <= MOST_PARTS && this.solveIsland()) continue;
      this.counts[NewtonCount.swept]++;
      sweepContacts(islands.contacts, islands.contactCount);
    }
  }

  /** Solves the island and pushes its bodies; false leaves them as they were. */
  private solveIsland(): boolean {
    if (this.loops !== null) {
      const { islands, record } = this;
      record[record.length - 3] = islands.contactCount;
      record[record.length - 2] = islands.partCount;
      if (this.loops.exports.solveIsland(this.recordAt) !== 0) return true;
    } else {
      this.takeTargets();
      this.fillResponse();
      this.guess();
      if (this.approach()) return this.finish();
    }
    // what is not a number stays so, and has to end soon
    if (!(this.sums[MERIT] < Infinity)) return this.giveUp();
    return this.narrow() ? this.finish() : this.giveUp();
  }

  /** From tolerances so wide that nothing saturates to those of the laws, each solution the guess of the next. */
  private narrow(): boolean {
    const { width } = this;
    this.guess();
    for (width[0] = WIDEST; width[0] > 1; width[0] /= NARROWER) {
      this.widen();
      this.approach();
      for (let a = 0; a < SIX * this.islands.partCount; a++) this.impulse[a] = this.trial[a];
    }
    width[0] = 1;
    this.widen();
    return this.approach();
  }

  private widen(): void {
    const { islands } = this;
    for (let c = 0; c < islands.contactCount; c++) islands.contacts[c].widen(this.width);
  }

  /** Newton's method from P; whether it came to an end, where the forces of the contacts then are. */
  private approach(): boolean {
    const { impulse, trial, left, sums } = this;
    const n = SIX * this.islands.partCount;
    for (let a = 0; a < n; a++) trial[a] = impulse[a];
    this.evaluate();
    for (let step = 0; step < MOST_STEPS; step++) {
      const worst = sums[WORST];
      if (!(sums[MERIT] < Infinity)) return false;
      const close = worst <= TOLERANCE * sums[FORCE];
      const fine = step === 0 || worst <= REFINED * sums[FORCE];
      if ((close && fine) || this.isRounding()) return true;
      for (let a = 0; a < n; a++) {
        impulse[a] = trial[a];
        left[a] = this.residual[a];
      }
      this.fresh = true;
      sums[START] = sums[MERIT];
      if (this.search(false, 1, 0)) continue;
      if (!close) {
        if (this.search(true, 0.25, 0)) continue;
        if (this.search(false, 0.5, MOST_HALVINGS)) continue;
        if (this.search(true, 1, MOST_HALVINGS)) continue;
      }
      this.goBack();
      return worst <= FLOOR * sums[FORCE]; // as close as rounding lets it
    }
    return false;
  }

  /**
   * The step ΔP from P by the slopes or the secants of the contacts, in full or halved up to `halvings` times, until Rᵀ W R is below a
   * part of what it was. False when it is not.
   */
  private search(secant: boolean, part: number, halvings: number): boolean {
    const { sums, change, left } = this;
    const n = SIX * this.islands.partCount;
    if (!this.fresh) this.goBack();
    this.fillSlope(secant);
    this.fillMatrix();
    if (!factorize(this.matrix, n, this.pivots)) return false;
    for (let a = 0; a < n; a++) change[a] = left[a];
    solveFactored(this.matrix, n, this.pivots, change, 0);
    sums[LENGTH] = 1;
    for (let halving = 0; halving <= halvings; halving++) {
      this.follow();
      if (sums[MERIT] < part * sums[START]) return true;
      sums[LENGTH] *= 0.5;
    }
    return false;
  }

  /** Evaluates P again. */
  private goBack(): void {
    const n = SIX * this.islands.partCount;
    for (let a = 0; a < n; a++) this.trial[a] = this.impulse[a];
    this.evaluate();
  }

  /** Evaluates P + LENGTH ΔP. */
  private follow(): void {
    const { trial, impulse, change, sums } = this;
    const n = SIX * this.islands.partCount;
    for (let a = 0; a < n; a++) trial[a] = impulse[a] + sums[LENGTH] * change[a];
    this.evaluate();
    this.fresh = false;
  }

  /** Twists under all other forces. */
  private takeTargets(): void {
    const { islands, target } = this;
    for (let p = 0; p < islands.partCount; p++) {
      const x = islands.parts[islands.partPlaces[p]].state;
      for (let a = 0; a < SIX; a++) target[SIX * p + a] = x[7 + a];
    }
  }

  /** W: blocks of bodies, and those between links of one tree. */
  private fillResponse(): void {
    const { islands, response } = this;
    const n = SIX * islands.partCount;
    for (let p = 0; p < islands.partCount; p++) {
      const part = islands.parts[islands.partPlaces[p]];
      for (let q = 0; q < islands.partCount; q++) {
        const other = islands.parts[islands.partPlaces[q]];
        const at = SIX * (p * n + q);
        if (p === q) part.writeResponse(response, at, n);
        else if (part.assembly !== null && part.assembly === other.assembly) {
          part.assembly.writeResponse(part.place, other.place, response, at, n);
        } else clearBlock(response, at, n);
      }
    }
  }

  /** P: a body goes on as before the step, a link gets the forces there. */
  private guess(): void {
    const { islands, impulse, target, answer, oldTwists, residual } = this;
    const n = SIX * islands.partCount;
    let linked = false;
    for (let p = 0; p < islands.partCount; p++) {
      const place = islands.partPlaces[p];
      const part = islands.parts[place];
      for (let a = 0; a < SIX; a++) {
        const old = oldTwists[SIX * place + a];
        part.state[7 + a] = old;
        answer[SIX * p + a] = old - target[SIX * p + a];
        impulse[SIX * p + a] = 0;
      }
      if (part.assembly === null) part.writeMomentum(answer, impulse, SIX * p);
      else linked = true;
    }
    if (!linked) return;
    for (let a = 0; a < n; a++) residual[a] = 0;
    this.collect();
    for (let p = 0; p < islands.partCount; p++) {
      if (islands.parts[islands.partPlaces[p]].assembly === null) continue;
      for (let a = 0; a < SIX; a++) impulse[SIX * p + a] = residual[SIX * p + a];
    }
  }

  /** R and its sums at the impulses `trial`. */
  private evaluate(): void {
    const { islands, trial, residual, answer, target, sums } = this;
    const n = SIX * islands.partCount;
    this.multiplyResponse(trial);
    for (let p = 0; p < islands.partCount; p++) {
      const x = islands.parts[islands.partPlaces[p]].state;
      for (let a = 0; a < SIX; a++) x[7 + a] = target[SIX * p + a] + answer[SIX * p + a];
    }
    for (let a = 0; a < n; a++) residual[a] = -trial[a];
    this.collect();
    this.multiplyResponse(residual);
    let merit = 0.0;
    let worst = 0.0;
    for (let p = 0; p < islands.partCount; p++) {
      for (let a = 0; a < SIX; a++) {
        const r = residual[SIX * p + a];
        merit += r * answer[SIX * p + a];
        const size = Math.abs(r) / (a < 3 ? 1 : sums[LEVER]);
        if (!(size <= worst)) worst = size;
      }
    }
    sums[MERIT] = merit;
    sums[WORST] = worst;
  }

  /** residual += h Σ Xᵀ w at the twists of the bodies; the scales of the sums. */
  private collect(): void {
    const { islands, sums, residual } = this;
    const { contacts, contactPlaces, localOf } = islands;
    sums[FORCE] = 0;
    sums[LEVER] = 0; // its square
    this.counts[NewtonCount.evaluations]++;
    for (let c = 0; c < islands.contactCount; c++) {
      const contact = contacts[c];
      contact.respond();
      const elastic = contact.normal[ELASTIC];
      const f = contact.flags[1];
      sums[FORCE] += contact.mobility[STEP] * (f > elastic ? f : elastic);
      const i = islands.partI[contactPlaces[c]];
      const j = islands.partJ[contactPlaces[c]];
      if (i >= 0) addWrench(residual, SIX * localOf[i], contact, ARM_I, 1, sums);
      if (j >= 0) addWrench(residual, SIX * localOf[j], contact, ARM_J, -1, sums);
    }
    sums[LEVER] = sums[LEVER] > 0 ? Math.sqrt(sums[LEVER]) : 1;
  }

  /** Whether what is left of R is the rounding of the momenta. */
  private isRounding(): boolean {
    const { islands, target, response, sums } = this;
    const n = SIX * islands.partCount;
    let momentum = 0.0;
    for (let p = 0; p < islands.partCount; p++) {
      const inverse = response[SIX * p * (n + 1)];
      if (!(inverse > 0)) continue;
      let speed = 0.0;
      for (let a = 0; a < 3; a++) {
        const v = target[SIX * p + a];
        const w = sums[LEVER] * target[SIX * p + 3 + a];
        speed += v * v + w * w;
      }
      momentum += Math.sqrt(speed) / inverse;
    }
    return sums[WORST] <= ROUNDING * momentum;
  }

  /** answer := W P; W has blocks only where parts are of one assembly, and of a body the inverse mass and inertia. */
  private multiplyResponse(impulse: Float64Array): void {
    const { islands, response, answer } = this;
    const n = SIX * islands.partCount;
    for (let p = 0; p < islands.partCount; p++) {
      const { assembly } = islands.parts[islands.partPlaces[p]];
      const at = SIX * p;
      const corner = at * (n + 1);
      if (assembly === null) {
        const inverse = response[corner];
        const x = impulse[at + 3];
        const y = impulse[at + 4];
        const z = impulse[at + 5];
        for (let a = 0; a < 3; a++) {
          const row = corner + (3 + a) * n + 3;
          answer[at + a] = inverse * impulse[at + a];
          answer[at + 3 + a] = response[row] * x + response[row + 1] * y + response[row + 2] * z;
        }
        continue;
      }
      for (let a = 0; a < SIX; a++) {
        const row = (at + a) * n;
        let sum = 0.0;
        for (let q = 0; q < islands.partCount; q++) {
          if (islands.parts[islands.partPlaces[q]].assembly !== assembly) continue;
          for (let b = SIX * q; b < SIX * q + SIX; b++) sum += response[row + b] * impulse[b];
        }
        answer[at + a] = sum;
      }
    }
  }

  /** S at the last evaluation. */
  private fillSlope(secant: boolean): void {
    const { islands, slope, contactSlope, carried } = this;
    const { contacts, contactPlaces, localOf } = islands;
    const n = SIX * islands.partCount;
    for (let k = 0; k < n * n; k++) slope[k] = 0;
    this.counts[NewtonCount.slopes]++;
    for (let c = 0; c < islands.contactCount; c++) {
      const contact = contacts[c];
      contact.computeSlope(contactSlope, secant);
      const i = islands.partI[contactPlaces[c]];
      const j = islands.partJ[contactPlaces[c]];
      if (i >= 0) {
        carry(contactSlope, contact.kinematics, ARM_I, carried);
        addBlock(slope, SIX * localOf[i] * (n + 1), n, contact, ARM_I, carried, 1);
        if (j >= 0) {
          addBlock(slope, SIX * (localOf[j] * n + localOf[i]), n, contact, ARM_J, carried, -1);
        }
      }
      if (j >= 0) {
        carry(contactSlope, contact.kinematics, ARM_J, carried);
        addBlock(slope, SIX * localOf[j] * (n + 1), n, contact, ARM_J, carried, 1);
        if (i >= 0) {
          addBlock(slope, SIX * (localOf[i] * n + localOf[j]), n, contact, ARM_I, carried, -1);
        }
      }
    }
  }

  /** 1 + S W. */
  private fillMatrix(): void {
    const { islands, slope, response, matrix } = this;
    const n = SIX * islands.partCount;
    for (let q = 0; q < islands.partCount; q++) {
      const { assembly } = islands.parts[islands.partPlaces[q]];
      const at = SIX * q;
      if (assembly === null) this.fillColumns(at);
      else {
        for (let r = 0; r < n; r++) {
          for (let b = at; b < at + SIX; b++) {
            let sum = 0.0;
            for (let s = 0; s < islands.partCount; s++) {
              if (islands.parts[islands.partPlaces[s]].assembly !== assembly) continue;
              for (let c = SIX * s; c < SIX * s + SIX; c++)
                sum += slope[r * n + c] * response[c * n + b];
            }
            matrix[r * n + b] = sum;
          }
        }
      }
      for (let b = at; b < at + SIX; b++) matrix[b * n + b] += 1;
    }
  }

  /** S W in the columns of a body. */
  private fillColumns(at: number): void {
    const { slope: s, response: w, matrix } = this;
    const n = SIX * this.islands.partCount;
    const corner = at * (n + 1);
    const inverse = w[corner];
    const i = corner + 3 * n + 3;
    const j = i + n;
    const k = j + n;
    for (let r = at; r < n * n; r += n) {
      const x = s[r + 3];
      const y = s[r + 4];
      const z = s[r + 5];
      for (let b = 0; b < 3; b++) {
        matrix[r + b] = s[r + b] * inverse;
        matrix[r + 3 + b] = x * w[i + b] + y * w[j + b] + z * w[k + b];
      }
    }
  }

  /** The forces of the last evaluation push the bodies. */
  private finish(): boolean {
    const { islands } = this;
    this.setTwists(this.target);
    for (let c = 0; c < islands.contactCount; c++) islands.contacts[c].pushBodies();
    return true;
  }

  /** Velocities as the contacts had them when they were prepared, for `prepareImplicit`; then those without contacts. */
  private giveUp(): boolean {
    const { islands, target, oldTwists } = this;
    for (let p = 0; p < islands.partCount; p++) {
      const { state } = islands.parts[islands.partPlaces[p]];
      for (let a = 0; a < SIX; a++) state[7 + a] = oldTwists[SIX * islands.partPlaces[p] + a];
    }
    for (let c = 0; c < islands.contactCount; c++) {
      islands.contacts[c].measureVelocity();
      prepareImplicit(islands.contacts[c], this.timing);
    }
    this.setTwists(target);
    return false;
  }

  private setTwists(twists: Float64Array): void {
    const { islands } = this;
    for (let p = 0; p < islands.partCount; p++) {
      const { state } = islands.parts[islands.partPlaces[p]];
      for (let a = 0; a < SIX; a++) state[7 + a] = twists[SIX * p + a];
    }
  }
}

/** Contacts of which one has no slope; it needs no second solution where it is the only one. */
function solveInTurn(contacts: readonly ContactModel[], count: number): void {
  if (count === 1) solveImplicit(contacts[0]);
  else sweepContacts(contacts, count);
}

/** The contacts whose bodies do not yield. */
function solveImposed(list: ContactList): void {
  for (let n = 0; n < list.count; n++) {
    const contact = list.items[n];
    if (contact.i.yields || contact.j.yields) continue;
    prepareAlone(contact);
    solveImplicit(contact);
  }
}
