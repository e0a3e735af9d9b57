/**
 * Velocities of what moves at elastic faces where the length of its (sub-)steps changes. A step x' = x + h v' has its velocities half a step
 * before its poses; what it keeps is the energy with u = v + (h/2) a. From steps of h to parts of h/n, as a body comes to its face, the same v
 * would lose m (u a) (h − h/n)/2, and again where it goes. So v is brought to its new level: by the difference of the halves, times the
 * acceleration by smooth forces. docs/theory/elastic-contact.md, Parts of a step.
 *
 * Not while something touches: the acceleration is then that of all forces, none at rest. A tree flies by the mean of its rates, which stand at
 * its poses: its level is 0 there, and half a (sub-)step at a face.
 */
import type { CellContact } from '../contact/cellular/cell-contact.ts';
import type { ContactModel } from '../contact/contact-model.ts';
import { ElasticContact } from '../contact/elastic/elastic-contact.ts';
import type { Dynamics } from './dynamics.ts';
import type { Grapple } from './grapple.ts';
import type { Mover } from './mover.ts';
import type { Portion } from './step-portions.ts';

/** What moves at faces, and all that may touch it. */
interface Held {
  readonly mover: Mover;
  /** Place of its first part. */
  readonly part: number;
  readonly faces: readonly ElasticContact[];
  readonly points: readonly ContactModel[];
  readonly groups: readonly CellContact[];
  readonly grapples: readonly Grapple[];
}

/** The levels of one system. */
export class FaceLevels {
  readonly #held: readonly Held[];
  readonly #dynamics: Dynamics;
  /** By how much the velocities of each mover are before its pose, s; of a body 0 before the first step. In the arena. */
  readonly #levels: Float64Array;
  readonly #change: Float64Array = new Float64Array(1);

  constructor(dynamics: Dynamics) {
    const { declared, parts, faceMovers, faceLevels, grapples } = dynamics;
    this.#dynamics = dynamics;
    this.#levels = faceLevels;
    this.#held = faceMovers.map((mover) => {
      const own: readonly unknown[] = mover.parts;
      const meets = ({ i, j }: { i: unknown; j: unknown }): boolean =>
        own.includes(i) || own.includes(j);
      const points = declared.points.filter(meets);
      return {
        mover,
        part: parts.indexOf(mover.parts[0]),
        faces: points.filter((point) => point instanceof ElasticContact),
        points: points.filter((point) => !(point instanceof ElasticContact)),
        groups: declared.groups.filter(meets),
        grapples: grapples.filter(meets),
      };
    });
  }

  /** Brings velocities to the level of a (sub-)step of timing[0], smooth forces collected, contacts found. @alloc none */
  carry({ parts }: Portion, timing: Float64Array): void {
    for (let b = 0; b < this.#held.length; b++) {
      const held = this.#held[b];
      if (parts[held.part] === 0) continue;
      const { mover, faces } = held;
      const n = partsOf(held);
      const before = this.#levels[b];
      const level = n === 0 ? (mover.wholeSteps ? 0 : 0.5 * timing[0]) : (0.5 * timing[0]) / n;
      if (level === before) continue;
      this.#levels[b] = level;
      if ((before === 0 && !mover.wholeSteps) || isTouched(held)) continue;
      this.#change[0] = before - level;
      mover.accelerate(this.#change);
      for (let k = 0; k < faces.length; k++) {
        if (!faces[k].active) continue;
        faces[k].measureVelocity();
        this.#dynamics.ledger.rememberVelocity(faces[k]);
      }
    }
  }
}

/** Parts of the present (sub-)step at the faces of a mover; 0 where none may touch. */
function partsOf({ faces }: Held): number {
  let most = 0;
  for (let k = 0; k < faces.length; k++) {
    if (faces[k].active && faces[k].parts[0] > most) most = faces[k].parts[0];
  }
  return most;
}

/** Whether anything pushes a mover. */
function isTouched({ faces, points, groups, grapples }: Held): boolean {
  for (let k = 0; k < faces.length; k++) if (faces[k].pairCount > 0) return true;
  for (let k = 0; k < points.length; k++) if (points[k].active) return true;
  for (let g = 0; g < groups.length; g++) if (groups[g].activeCount > 0) return true;
  for (let k = 0; k < grapples.length; k++) if (grapples[k].isEngaged) return true;
  return false;
}
