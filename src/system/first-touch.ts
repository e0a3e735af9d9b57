/**
 * When and where the tool first touches another body if it goes on at a twist, the other bodies at rest: the ways and the search of
 * contact/crossing/moving-pair.ts over a time ahead. A contact that touches already counts at once, unless the twist takes it apart.
 * docs/theory/crossing.md
 */
import {
  BETWEEN,
  MOVED,
  type MovingPair,
  TOUCH_PART,
  TOUCH_POINT,
} from '../contact/crossing/moving-pair.ts';
import { rotationOf } from '../math/quaternion.ts';
import type { SystemModel } from '../model/model.ts';
import { Dynamics } from './dynamics.ts';

/** Numbers of a pose: p(3) q(4). */
const POSE = 7;

/** The touch that comes first. */
export interface FoundTouch {
  readonly contact: string;
  /** From now, s. */
  readonly time: number;
  /** World, m. */
  readonly point: readonly [number, number, number];
}

interface Candidate {
  readonly name: string;
  readonly pair: MovingPair;
  readonly placeI: number;
  readonly placeJ: number;
}

/** The contacts of the payload of a model. */
export class FirstTouch {
  readonly #candidates: readonly Candidate[];
  readonly #payload: number;
  /** A body at a pose with a twist, in the layout of a state. */
  readonly #state: Float64Array = new Float64Array(13);
  readonly #rotation: Float64Array = new Float64Array(9);
  readonly #time: Float64Array = new Float64Array(1);

  constructor(model: SystemModel) {
    const { declared, parts, drive } = new Dynamics(model);
    this.#payload = drive === null ? -1 : parts.indexOf(drive.payload);
    this.#candidates = model.contacts.flatMap(({ name, bodyI, bodyJ }, k) => {
      const placeI = parts.findIndex((part) => part.name === bodyI);
      const placeJ = parts.findIndex((part) => part.name === bodyJ);
      if (placeI !== this.#payload && placeJ !== this.#payload) return [];
      return [{ name, pair: declared.makeMovingPair(k), placeI, placeJ }];
    });
  }

  /**
   * The first touch within `horizon`, s, of the payload at the twist, v(3) w(3), m/s and rad/s, about its origin; null when there is none.
   * @param poses p(3) q(4) of each body from poses[at] on, in the order of the system
   */
  find(poses: Float64Array, at: number, twist: Float64Array, horizon: number): FoundTouch | null {
    let found: FoundTouch | null = null;
    let ahead = horizon;
    for (const { name, pair, placeI, placeJ } of this.#candidates) {
      this.#time[0] = ahead;
      this.#follow(pair.pathI, placeI, poses, at, twist);
      this.#follow(pair.pathJ, placeJ, poses, at, twist);
      pair.measureMotion();
      if (!(pair.motion[MOVED] > 0) || pair.motion[BETWEEN] > pair.motion[MOVED]) continue;
      if (!pair.findTouch()) continue;
      const { touch } = pair;
      if (touch[TOUCH_PART] === 0 && pair.leaves()) continue;
      ahead *= touch[TOUCH_PART];
      const point = [touch[TOUCH_POINT], touch[TOUCH_POINT + 1], touch[TOUCH_POINT + 2]] as const;
      found = { contact: name, time: ahead, point };
      if (ahead === 0) break;
    }
    return found;
  }

  #follow(
    path: MovingPair['pathI'],
    place: number,
    poses: Float64Array,
    at: number,
    twist: Float64Array,
  ): void {
    const state = this.#state;
    const moves = place === this.#payload;
    for (let a = 0; a < POSE; a++) state[a] = poses[at + POSE * place + a];
    for (let a = 0; a < 6; a++) state[POSE + a] = moves ? twist[a] : 0;
    rotationOf(this.#rotation, state, 3);
    path.follow(state, this.#rotation, this.#time);
  }
}
