/**
 * Nothing passes through another body between two steps. A body that moves in a step by less than a part of what is thick on both sides cannot:
 * such contacts cost a comparison. For the others the first touch on the way is sought (contact/crossing/moving-pair.ts).
 *
 *   before a step   way at the present twists → a touch asks for sub-steps of `FREE` motion each, up to the bound of the model
 *   virtual, hardware   way of the payload from its last measured pose to the new one, along their screw: sub-steps stand on that way
 *   after a (sub-)step that was longer than that   way between the poses → a contact crossed
 *
 * A contact is crossed when its bodies touched on the way without a force, and are apart at its end or beyond each other's middle: by more than
 * half of their thicknesses since the touch. One that pushed is crossed when its bodies moved on by that much against each other along its
 * normal. Of a measured motion, which no force of the model stops, it does not matter whether it pushed on the way.
 *
 * The guard keeps nothing from step to step, and changes nothing where nothing moves that fast. docs/theory/crossing.md
 */
import type { ContactModel } from '../contact/contact-model.ts';
import {
  BETWEEN,
  type BodyPath,
  FREE,
  MIDDLE,
  MOVED,
  type MovingPair,
  REACH_I,
  REACH_J,
  TOUCH_PART,
  TOUCH_POINT,
} from '../contact/crossing/moving-pair.ts';
import { NORMAL, POINT } from '../contact/pair.ts';
import { LoopMode } from '../control/tool-port.ts';
import type { Dynamics } from './dynamics.ts';
import type { Part } from './mover.ts';

/** Pose of a part before: p(3) q(4), then its rotation. */
const ROTATION = 7;
const POSE = 16;
const NONE = -1;
/** Slots of a way: travel, m, and turn, rad. */
const WAY = 4;
/** At most the turn over the difference of unit quaternions: θ = 4 asin(|Δq|/2), |Δq| <= √2. */
const TURN_OF_CHORD = 2.2215;

/** A contact whose bodies may pass each other. */
interface Watched {
  /** Its index among the declared ones, and its contact models. */
  readonly contact: number;
  readonly models: readonly ContactModel[];
  readonly pair: MovingPair;
  /** Its bodies, and their indices. */
  readonly i: Part;
  readonly j: Part;
  readonly placeI: number;
  readonly placeJ: number;
}

/** The guard of one system. */
export class CrossingGuard {
  /** Contacts crossed in the last step, and the first of them; −1: none. */
  count = 0;
  first: number = NONE;
  /** Where its bodies touched, world, m. */
  readonly point: Float64Array = new Float64Array(3);
  /** Sub-steps that contacts ask for in this step; 1: none. */
  substeps = 1;
  /** Whether something moves so fast that every sub-step has to be checked. */
  armed = false;
  readonly #dynamics: Dynamics;
  readonly #watched: readonly Watched[];
  readonly #payload: number;
  /** Sub-steps that each watched contact asks for, and whether it was crossed in this step. */
  readonly #wanted: Int32Array;
  readonly #crossed: Uint8Array;
  /** Poses of all parts before the (sub-)step; of the payload before the step. */
  readonly #before: Float64Array;
  readonly #from: Float64Array = new Float64Array(7);
  readonly #rotation: Float64Array = new Float64Array(9);
  readonly #ways: Float64Array = new Float64Array(2 * WAY);
  readonly #part: Float64Array = new Float64Array(1);
  /** Path of the payload on which sub-steps stand. */
  #way: BodyPath | null = null;

  constructor(dynamics: Dynamics) {
    const { parts, declared, model, drive } = dynamics;
    this.#dynamics = dynamics;
    this.#watched = model.contacts.flatMap(({ bodyI, bodyJ, normalLaw }, contact) => {
      if (normalLaw.kind === 'observer') return [];
      const pair = declared.makeMovingPair(contact);
      const placeI = dynamics.bodyIndex(bodyI);
      const placeJ = dynamics.bodyIndex(bodyJ);
      if (pair.size[FREE] === Infinity) return [];
      const models = declared.byDeclaration[contact];
      return [{ contact, models, pair, i: parts[placeI], j: parts[placeJ], placeI, placeJ }];
    });
    this.#payload = drive === null ? NONE : parts.indexOf(drive.payload);
    this.#wanted = new Int32Array(this.#watched.length);
    this.#crossed = new Uint8Array(this.#watched.length);
    this.#before = new Float64Array(POSE * parts.length);
  }

  /** Contacts crossed in the last step, by their index. */
  get crossed(): number[] {
    return this.#watched.filter((_, w) => this.#crossed[w] === 1).map(({ contact }) => contact);
  }

  /** Before a step places its payload. @alloc none */
  begin(): void {
    if (this.count > 0) this.#crossed.fill(0);
    this.count = 0;
    this.first = NONE;
    if (this.#payload !== NONE && this.#watched.length > 0) this.#keep(this.#payload);
  }

  /** Before a step of the length of the dynamics, its payload placed. @alloc none */
  foresee(): void {
    const wanted = this.#wanted;
    const { drive } = this.#dynamics;
    const jumps = drive !== null && drive.port.mode !== LoopMode.SIMULATION;
    this.substeps = 1;
    this.armed = false;
    this.#way = null;
    for (let w = 0; w < this.#watched.length; w++) {
      wanted[w] = 0;
      const watched = this.#watched[w];
      const measured =
        jumps && (watched.placeI === this.#payload || watched.placeJ === this.#payload);
      if (!this.#isFast(watched, jumps)) continue;
      this.#follow(watched.pair.pathI, watched.i, watched.placeI, jumps);
      this.#follow(watched.pair.pathJ, watched.j, watched.placeJ, jumps);
      if (this.#isFree(watched)) continue;
      if (!measured) this.armed = true;
      this.#ask(w, watched, measured);
    }
  }

  /** Raises the phases of contacts to what they ask for. Phases are computed. @alloc none */
  raisePhases(): void {
    if (this.substeps === 1) return;
    for (let w = 0; w < this.#watched.length; w++) {
      const wanted = this.#wanted[w];
      if (wanted === 0) continue;
      const { models, contact } = this.#watched[w];
      const group = this.#dynamics.declared.groupOf(contact);
      if (group === null) {
        if (models[0].phase[0] < wanted) models[0].phase[0] = wanted;
      } else if (group.phaseSquare[0] < wanted * wanted) group.phaseSquare[0] = wanted * wanted;
    }
  }

  /** Before sub-step k of n: keeps poses, and puts a payload that jumped on its way. @alloc none */
  open(k: number, n: number): void {
    if (this.armed) {
      for (let p = 0; p < this.#dynamics.parts.length; p++) if (p !== this.#payload) this.#keep(p);
    }
    const way = this.#way;
    const { drive } = this.#dynamics;
    if (way === null || drive === null) return;
    this.#part[0] = (k + 1) / n;
    if (k + 1 === n) {
      drive.placePayload();
      return;
    }
    for (let a = 0; a < ROTATION; a++) this.#from[a] = this.#before[POSE * this.#payload + a];
    drive.standOn(way, this.#from, this.#part);
  }

  /** After a sub-step: whether bodies that moved far in it passed each other. @alloc none */
  close(): void {
    if (!this.armed) return;
    const { drive } = this.#dynamics;
    const jumps = drive !== null && drive.port.mode !== LoopMode.SIMULATION;
    for (let w = 0; w < this.#watched.length; w++) {
      const watched = this.#watched[w];
      const { pair, placeI, placeJ } = watched;
      if (jumps && (placeI === this.#payload || placeJ === this.#payload)) continue;
      this.#join(pair.pathI, watched.i, placeI, false);
      this.#join(pair.pathJ, watched.j, placeJ, false);
      if (!this.#isFree(watched)) this.#judge(w, watched);
    }
  }

  /** Sub-steps for a contact that is touched on the way; a measured one is judged at once. */
  #ask(w: number, watched: Watched, measured: boolean): void {
    const { pair } = watched;
    if (measured) this.#judge(w, watched);
    if (this.#isActive(watched) || !this.#meets(pair)) return;
    const most = this.#dynamics.model.maximumSubsteps + 1; // one more than there may be is counted as a bound that was hit
    const n = Math.ceil(pair.motion[MOVED] / pair.size[FREE]);
    this.#wanted[w] = n < most ? n : most;
    if (this.#wanted[w] > this.substeps) this.substeps = this.#wanted[w];
    if (measured) this.#way = watched.placeI === this.#payload ? pair.pathI : pair.pathJ;
  }

  /** Whether a contact was crossed on its paths. */
  #judge(w: number, watched: Watched): void {
    const { pair } = watched;
    const { size, motion, touch } = pair;
    if (this.#isActive(watched)) {
      if (this.#goesOn(watched)) this.#cross(w, watched);
      return;
    }
    if (!this.#meets(pair)) return;
    const beyond = (1 - touch[TOUCH_PART]) * motion[MOVED] > size[MIDDLE];
    if (beyond || pair.endsApart()) this.#cross(w, watched);
  }

  /** Whether bodies without a force touch on their way; those that come apart from a touch do not. */
  #meets(pair: MovingPair): boolean {
    return pair.findTouch() && !(pair.touch[TOUCH_PART] === 0 && pair.leaves());
  }

  #cross(w: number, { contact, pair, models }: Watched): void {
    if (this.#crossed[w] === 1) return;
    this.#crossed[w] = 1;
    this.count++;
    if (this.first !== NONE) return;
    this.first = contact;
    const active = this.#firstActive(models);
    for (let a = 0; a < 3; a++)
      this.point[a] =
        active < 0 ? pair.touch[TOUCH_POINT + a] : models[active].kinematics[POINT + a];
  }

  /** Whether bodies that push move on against each other by more than half of what is thick, along the normal. */
  #goesOn({ pair, models }: Watched): boolean {
    const { pathI, pathJ, size } = pair;
    for (let m = 0; m < models.length; m++) {
      if (!models[m].active) continue;
      const k = models[m].kinematics;
      let way = 0;
      for (let a = 0; a < 3; a++) way -= k[NORMAL + a] * (pathI.travel[a] - pathJ.travel[a]);
      if (way > size[MIDDLE]) return true;
    }
    return false;
  }

  #isActive({ models }: Watched): boolean {
    return this.#firstActive(models) >= 0;
  }

  #firstActive(models: readonly ContactModel[]): number {
    for (let m = 0; m < models.length; m++) if (models[m].active) return m;
    return NONE;
  }

  /** Whether the bodies may move by more than is free; from speeds alone, or for a payload that jumped from both poses. */
  #isFast({ pair, i, j, placeI, placeJ }: Watched, jumps: boolean): boolean {
    const { size } = pair;
    const ways = this.#ways;
    this.#measureWay(i, placeI, jumps, 0);
    this.#measureWay(j, placeJ, jumps, WAY);
    let travel = 0;
    let away = 0;
    for (let a = 0; a < 3; a++) {
      const d = ways[a] - ways[WAY + a];
      const x = i.state[a] - j.state[a];
      travel += d * d;
      away += x * x;
    }
    const moved = Math.sqrt(travel);
    const beyond = Math.sqrt(away) + 2 * moved;
    const reachI = size[REACH_I] < Infinity ? size[REACH_I] : beyond + size[REACH_J];
    const reachJ = size[REACH_J] < Infinity ? size[REACH_J] : beyond + size[REACH_I];
    return moved + ways[3] * reachI + ways[WAY + 3] * reachJ > size[FREE];
  }

  /** Travel (3) of a part in this step, m, and a bound of its turn, rad. */
  #measureWay({ state }: Part, place: number, jumps: boolean, at: number): void {
    const ways = this.#ways;
    let square = 0;
    if (jumps && place === this.#payload) {
      const before = this.#before;
      const o = POSE * place;
      let cosine = 0;
      for (let a = 0; a < 3; a++) ways[at + a] = state[a] - before[o + a];
      for (let a = 3; a < ROTATION; a++) cosine += state[a] * before[o + a];
      const sign = cosine < 0 ? -1 : 1;
      for (let a = 3; a < ROTATION; a++) {
        const d = state[a] - sign * before[o + a];
        square += d * d;
      }
      ways[at + 3] = TURN_OF_CHORD * Math.sqrt(square);
      return;
    }
    const h = this.#dynamics.stepLength[0];
    for (let a = 0; a < 3; a++) {
      ways[at + a] = h * state[7 + a];
      square += state[10 + a] * state[10 + a];
    }
    ways[at + 3] = h * Math.sqrt(square);
  }

  /** Whether the paths of a contact are too short to pass, or to meet. */
  #isFree({ pair }: Watched): boolean {
    const { motion, size } = pair;
    pair.measureMotion();
    if (!(motion[MOVED] < Infinity)) return true; // the step fails
    return motion[MOVED] <= size[FREE] || motion[BETWEEN] > motion[MOVED];
  }

  /** The way of a part through the step to come; of a payload that jumped the one behind it. */
  #follow(path: BodyPath, part: Part, place: number, jumps: boolean): void {
    if (jumps && place === this.#payload) this.#join(path, part, place, true);
    else path.follow(part.state, part.rotation, this.#dynamics.stepLength);
  }

  /** The way of a part from where it was kept to where it is. */
  #join(path: BodyPath, { state }: Part, place: number, screw: boolean): void {
    const before = this.#before;
    const o = POSE * place;
    for (let a = 0; a < ROTATION; a++) this.#from[a] = before[o + a];
    for (let a = 0; a < 9; a++) this.#rotation[a] = before[o + ROTATION + a];
    path.join(this.#from, this.#rotation, state, screw);
  }

  #keep(p: number): void {
    const { state, rotation } = this.#dynamics.parts[p];
    const before = this.#before;
    const o = POSE * p;
    for (let a = 0; a < ROTATION; a++) before[o + a] = state[a];
    for (let a = 0; a < 9; a++) before[o + ROTATION + a] = rotation[a];
  }
}
