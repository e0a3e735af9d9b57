/**
 * Elastic faces that take sub-steps by themselves while the rest of the system steps once: where nothing else touches, or may touch, what moves at
 * the face, no constraint holds it and no tool leads it. docs/theory/elastic-contact.md, Parts of a step.
 *
 * Such a face pushes its bodies twice (ElasticContact): what brings them to where its sub-steps end, then the rest, by which they do not move
 * in this step. Other forces act evenly over the step: in n sub-steps they move a body by (1 − 1/n)/2 of their change of its velocity less than
 * the new velocity does. Both are the `lag` of the movers.
 */
import { ElasticContact } from '../contact/elastic/elastic-contact.ts';
import type { CellContact } from '../contact/cellular/cell-contact.ts';
import type { ContactModel } from '../contact/contact-model.ts';
import { GAP, RATE } from '../contact/pair.ts';
import type { Dynamics } from './dynamics.ts';
import type { Mover } from './mover.ts';
import type { Portion } from './step-portions.ts';

/** Steps within which another contact counts as one that touches. */
const AHEAD = 2;

/** A face, what moves at it, and the contacts beside it. */
interface Face {
  readonly contact: ElasticContact;
  readonly movers: readonly Mover[];
  /** Places of their parts. */
  readonly parts: Int32Array;
  readonly points: readonly ContactModel[];
  readonly groups: readonly CellContact[];
  /** Velocities of the movers one after the other: before the step, under smooth forces, with the first push of the face. */
  readonly before: Float64Array;
  readonly smooth: Float64Array;
  readonly pushed: Float64Array;
  /** [sub-steps that the face needs in a whole step] */
  readonly wanted: Float64Array;
  /** Index of the contact; [1 where it takes parts of the present (sub-)step]. */
  readonly index: number;
  readonly acts: Uint8Array;
}

/** The faces of one system. */
export class FaceParts {
  /** Sub-steps of the face that took most in the last step; 1: none. */
  most = 1;
  /** Whether one would need more than the model allows. */
  bounded = false;
  readonly #faces: readonly Face[];
  readonly #dynamics: Dynamics;
  /** Whether any face takes parts of the present step. */
  #busy = false;

  constructor(dynamics: Dynamics) {
    this.#dynamics = dynamics;
    const { declared, moving, parts, constraints, drive } = dynamics;
    const { points, groups } = declared;
    const moverOf = (part: ContactModel['i']): Mover[] =>
      moving.filter((mover) => (mover.parts as readonly ContactModel['i'][]).includes(part));
    const free = constraints === null && drive === null;
    const faces = free ? points.filter((point) => point instanceof ElasticContact) : [];
    this.#faces = faces.map((contact) => {
      const movers = [...new Set([...moverOf(contact.i), ...moverOf(contact.j)])];
      const beside = ({ i, j }: { i: ContactModel['i']; j: ContactModel['i'] }): boolean =>
        [...moverOf(i), ...moverOf(j)].some((mover) => movers.includes(mover));
      const length = movers.reduce((sum, { velocities }) => sum + velocities.length, 0);
      return {
        contact,
        movers,
        parts: Int32Array.from(
          movers.flatMap((mover) => mover.parts.map((part) => parts.indexOf(part))),
        ),
        points: points.filter((point) => point !== contact && beside(point)),
        groups: groups.filter(beside),
        before: new Float64Array(length),
        smooth: new Float64Array(length),
        pushed: new Float64Array(length),
        wanted: new Float64Array(1),
        index: dynamics.contacts.indexOf(contact),
        acts: new Uint8Array(1),
      };
    });
  }

  /** Takes faces that stand alone out of the phases of the step, which are computed. @alloc none */
  claim(stepLength: Float64Array): void {
    this.most = 1;
    this.bounded = false;
    this.#busy = false;
    for (let f = 0; f < this.#faces.length; f++) {
      const face = this.#faces[f];
      const { contact, wanted } = face;
      contact.parts[0] = 1;
      face.acts[0] = 0;
      wanted[0] = 1;
      if (!(contact.phase[0] > 1) || !isAlone(face, stepLength)) continue;
      wanted[0] = contact.phase[0];
      // it still joins its bodies, and is measured
      contact.phase[0] = 1;
      this.#busy = true;
    }
  }

  /** Parts of each face of a portion that takes n sub-steps. @alloc none */
  divide({ contacts }: Portion, n: number): void {
    if (!this.#busy) return;
    const { maximumSubsteps } = this.#dynamics.model;
    const most = Math.max(1, Math.floor(maximumSubsteps / n));
    for (let f = 0; f < this.#faces.length; f++) {
      const { contact, wanted, index } = this.#faces[f];
      if (contacts[index] === 0) continue;
      const parts = Math.ceil(wanted[0] / n);
      if (parts > most) this.bounded = true;
      contact.parts[0] = parts > most ? most : parts;
      if (n * contact.parts[0] > this.most) this.most = n * contact.parts[0];
    }
  }

  /** Before forces act on a portion, its contacts known. @alloc none */
  open({ contacts }: Portion): void {
    if (!this.#busy) return;
    for (let f = 0; f < this.#faces.length; f++) {
      const { contact, index, acts } = this.#faces[f];
      acts[0] = contacts[index] === 1 && contact.active && contact.parts[0] > 1 ? 1 : 0;
    }
    this.#keep('before');
  }

  /** After smooth forces, before contacts. @alloc none */
  take(): void {
    if (!this.#busy) return;
    this.#keep('smooth');
    for (let f = 0; f < this.#faces.length; f++) {
      const { contact, parts, acts } = this.#faces[f];
      if (acts[0] === 1) this.#dynamics.ledger.openMeans(parts, contact.parts[0]);
    }
  }

  /** After contacts: the second push of each face, and the lags. @alloc none */
  finish(): void {
    if (!this.#busy) return;
    const { ledger } = this.#dynamics;
    this.#keep('pushed');
    for (let f = 0; f < this.#faces.length; f++) {
      const { contact, movers, parts, acts, before, smooth, pushed } = this.#faces[f];
      if (acts[0] === 0) continue;
      const n = contact.parts[0];
      ledger.addMeans(parts);
      contact.pushLate();
      ledger.closeMeans(parts, n);
      const part = 0.5 * (1 - 1 / n);
      let at = 0;
      for (let m = 0; m < movers.length; m++) {
        const { velocities, lag } = movers[m];
        for (let a = 0; a < lag.length; a++, at++) {
          lag[a] = velocities[a] - pushed[at] + part * (smooth[at] - before[at]);
        }
      }
    }
  }

  /** After poses have advanced. @alloc none */
  close(): void {
    if (!this.#busy) return;
    for (let f = 0; f < this.#faces.length; f++) {
      const { movers } = this.#faces[f];
      for (let m = 0; m < movers.length; m++) movers[m].lag.fill(0);
    }
  }

  #keep(what: 'before' | 'smooth' | 'pushed'): void {
    for (let f = 0; f < this.#faces.length; f++) {
      const face = this.#faces[f];
      if (face.acts[0] === 0) continue;
      const { movers } = face;
      const out = face[what];
      let at = 0;
      for (let m = 0; m < movers.length; m++) {
        const { velocities } = movers[m];
        for (let a = 0; a < velocities.length; a++) out[at++] = velocities[a];
      }
    }
  }
}

/** Whether nothing but the face touches, or may within the step, what moves at it. */
function isAlone({ points, groups }: Face, stepLength: Float64Array): boolean {
  const ahead = AHEAD * stepLength[0];
  for (let k = 0; k < points.length; k++) {
    const { active, phase, kinematics } = points[k];
    if (active || phase[0] > 0 || kinematics[GAP] + ahead * kinematics[RATE] < 0) return false;
  }
  for (let g = 0; g < groups.length; g++) {
    if (groups[g].activeCount > 0 || groups[g].phaseSquare[0] > 0) return false;
  }
  return true;
}
