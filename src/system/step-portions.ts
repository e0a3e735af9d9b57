/**
 * What a sub-step works on. Bodies that touch, or will within the step, need the sub-steps of the stiffest contact among them; bodies apart
 * from them take their own. So a step falls into portions, one for each number of sub-steps, that do not see each other: a body moves bit by
 * bit as it would without the others. docs/theory/implicit-step.md, Sub-steps.
 *
 * Movers are joined by contacts that touch, that need sub-steps, or that would touch within twice the step at their rate. A body whose motion is
 * imposed joins all that touch it. A contact between movers of two portions waits until the step is over: its bodies are apart.
 */
import type { CellContact } from '../contact/cellular/cell-contact.ts';
import type { ContactModel } from '../contact/contact-model.ts';
import { GAP, RATE } from '../contact/pair.ts';
import type { Dynamics } from './dynamics.ts';
import type { Mover } from './mover.ts';

/** No mover: a part that never moves. */
const NONE = -1;
/** Steps within which a contact joins its bodies. */
const AHEAD = 2;

/** Movers, parts and contacts of a sub-step. */
export class Portion {
  readonly movers: Mover[] = [];
  /** Those of them that the tool does not lead and constraints do not move. */
  readonly free: Mover[] = [];
  readonly points: ContactModel[] = [];
  readonly groups: CellContact[] = [];
  // how many of each list count
  moverCount = 0;
  freeCount = 0;
  pointCount = 0;
  groupCount = 0;
  /** 1 for each part that belongs to it, and for each contact model. */
  readonly parts: Uint8Array;
  readonly contacts: Uint8Array;

  /** All of a system. */
  constructor({ moving, parts, contacts, declared, constraints }: Dynamics) {
    this.movers.push(...moving);
    const held = new Set(constraints?.movers);
    this.free.push(...moving.filter((mover) => !mover.led && !held.has(mover)));
    this.points.push(...declared.points);
    this.groups.push(...declared.groups);
    this.moverCount = this.movers.length;
    this.freeCount = this.free.length;
    this.pointCount = this.points.length;
    this.groupCount = this.groups.length;
    this.parts = new Uint8Array(parts.length).fill(1);
    this.contacts = new Uint8Array(contacts.length).fill(1);
  }
}

/** The portions of one system. */
export class StepPortions {
  /** Everything. */
  readonly whole: Portion;
  /** Of the last `take`. */
  readonly part: Portion;
  readonly #dynamics: Dynamics;
  /** Mover of each part among those that move. */
  readonly #moverOf: Int32Array;
  /** Parts of body i and j of each point contact and group; index of its first contact model, and how many it has. */
  readonly #pointEnds: Int32Array;
  readonly #groupEnds: Int32Array;
  readonly #pointModel: Int32Array;
  readonly #groupModels: Int32Array;
  readonly #root: Int32Array;
  /** Sub-steps of each mover, after `find`. */
  readonly #substeps: Int32Array;

  constructor(dynamics: Dynamics) {
    const { parts, moving, declared, contacts } = dynamics;
    const { points, groups } = declared;
    this.#dynamics = dynamics;
    this.whole = new Portion(dynamics);
    this.part = new Portion(dynamics);
    const moverOf = (part: ContactModel['i']): number =>
      moving.findIndex((mover) => (mover.parts as readonly ContactModel['i'][]).includes(part));
    this.#moverOf = Int32Array.from(parts, moverOf);
    this.#pointEnds = Int32Array.from(points.flatMap(({ i, j }) => [moverOf(i), moverOf(j)]));
    this.#groupEnds = Int32Array.from(groups.flatMap(({ i, j }) => [moverOf(i), moverOf(j)]));
    this.#pointModel = Int32Array.from(points, (point) => contacts.indexOf(point));
    this.#groupModels = Int32Array.from(
      groups.flatMap(({ slots }) => [contacts.indexOf(slots[0].model), slots.length]),
    );
    this.#root = new Int32Array(moving.length);
    this.#substeps = new Int32Array(moving.length);
  }

  /** Finds how many sub-steps of stepLength[0], of `most` in all, each mover needs; whether they differ. Phases are computed. @alloc none */
  find(stepLength: Float64Array, most: number): boolean {
    const root = this.#root;
    const substeps = this.#substeps;
    for (let m = 0; m < root.length; m++) {
      root[m] = m;
      substeps[m] = 1;
    }
    this.#join(stepLength);
    this.#count(most);
    let differ = false;
    for (let m = 0; m < root.length; m++) {
      substeps[m] = substeps[this.#rootOf(m)];
      if (substeps[m] !== substeps[0]) differ = true;
    }
    return differ;
  }

  /** The least number of sub-steps above `n` that a mover needs; 0 when there is none. @alloc none */
  next(n: number): number {
    let least = 0;
    for (let m = 0; m < this.#substeps.length; m++) {
      const own = this.#substeps[m];
      if (own > n && (least === 0 || own < least)) least = own;
    }
    return least;
  }

  /** Fills `part` with what needs n sub-steps. @alloc none */
  take(n: number): void {
    const { part, whole } = this;
    const { moving } = this.#dynamics;
    part.moverCount = 0;
    part.freeCount = 0;
    part.pointCount = 0;
    part.groupCount = 0;
    for (let m = 0; m < moving.length; m++) {
      if (this.#substeps[m] !== n) continue;
      part.movers[part.moverCount++] = moving[m];
      if (!moving[m].led) part.free[part.freeCount++] = moving[m];
    }
    for (let p = 0; p < part.parts.length; p++) {
      const mover = this.#moverOf[p];
      part.parts[p] = mover !== NONE && this.#substeps[mover] === n ? 1 : 0;
    }
    part.contacts.fill(0);
    for (let k = 0; k < whole.pointCount; k++) {
      if (!this.#belongs(this.#pointEnds, k, n)) continue;
      part.points[part.pointCount++] = whole.points[k];
      part.contacts[this.#pointModel[k]] = 1;
    }
    for (let g = 0; g < whole.groupCount; g++) {
      if (!this.#belongs(this.#groupEnds, g, n)) continue;
      part.groups[part.groupCount++] = whole.groups[g];
      const first = this.#groupModels[2 * g];
      part.contacts.fill(1, first, first + this.#groupModels[2 * g + 1]);
    }
  }

  /** Whether all that moves at a contact needs n sub-steps; a contact of bodies that never move goes with the first mover. */
  #belongs(ends: Int32Array, k: number, n: number): boolean {
    const i = ends[2 * k];
    const j = ends[2 * k + 1];
    if (i === NONE && j === NONE) return this.#substeps[0] === n;
    return (i === NONE || this.#substeps[i] === n) && (j === NONE || this.#substeps[j] === n);
  }

  #join(stepLength: Float64Array): void {
    const { points, pointCount, groups, groupCount } = this.whole;
    const ahead = AHEAD * stepLength[0];
    for (let k = 0; k < pointCount; k++) {
      const { kinematics, phase, active } = points[k];
      const nears = kinematics[GAP] + ahead * kinematics[RATE] < 0;
      if (active || nears || phase[0] > 0) this.#unite(this.#pointEnds, k);
    }
    for (let g = 0; g < groupCount; g++) {
      const { activeCount, phaseSquare } = groups[g];
      if (activeCount > 0 || phaseSquare[0] > 0) this.#unite(this.#groupEnds, g);
    }
  }

  #count(most: number): void {
    const { points, pointCount, groups, groupCount } = this.whole;
    for (let k = 0; k < pointCount; k++) this.#need(this.#pointEnds, k, points[k].phase[0], most);
    for (let g = 0; g < groupCount; g++) {
      this.#need(this.#groupEnds, g, Math.sqrt(groups[g].phaseSquare[0]), most);
    }
  }

  /** The island of a contact needs so many sub-steps, at most `most`. */
  #need(ends: Int32Array, k: number, phase: number, most: number): void {
    if (!(phase > 1)) return;
    const wanted = Math.ceil(phase);
    const n = wanted <= most ? wanted : most;
    const mover = ends[2 * k] === NONE ? ends[2 * k + 1] : ends[2 * k];
    if (mover === NONE) return;
    const root = this.#rootOf(mover);
    if (n > this.#substeps[root]) this.#substeps[root] = n;
  }

  #unite(ends: Int32Array, k: number): void {
    const i = ends[2 * k];
    const j = ends[2 * k + 1];
    if (i === NONE || j === NONE) return;
    const p = this.#rootOf(i);
    const q = this.#rootOf(j);
    if (p < q) this.#root[q] = p;
    else this.#root[p] = q;
  }

  #rootOf(mover: number): number {
    let m = mover;
    while (this.#root[m] !== m) m = this.#root[m];
    return m;
  }
}
