/** Poses and contact points into the scene ring, every 20 ms of the loop's time. */
import { CONTACT_READOUT, type System } from '../src/system.ts';
import { TelemetryRing } from './ring.ts';
import {
  SCENE_BODIES,
  SCENE_INTERVAL_S,
  SCENE_POINT,
  SCENE_POINTS,
  SCENE_POSE,
  SCENE_WIDTH,
  SceneColumn,
} from './scene-columns.ts';

const READOUT = CONTACT_READOUT.length;
const BODY = 13; // columns of System.readBody

/** See above. */
export class SceneRecord {
  readonly row: Float64Array = new Float64Array(SCENE_WIDTH);
  readonly #ring: TelemetryRing;
  readonly #every: number;
  readonly #contact = new Float64Array(READOUT);
  readonly #body = new Float64Array(BODY);
  #wait = 0;

  constructor(scene: SharedArrayBuffer, period_s: number) {
    this.#ring = new TelemetryRing(scene, SCENE_WIDTH);
    this.#every = Math.max(1, Math.round(SCENE_INTERVAL_S / period_s));
  }

  /** Once per tick, after the model step. @alloc none */
  tick(system: System): void {
    if (this.#wait > 0) {
      this.#wait--;
      return;
    }
    this.#wait = this.#every - 1;
    this.#poses(system);
    this.#points(system);
    this.row[SceneColumn.TIME] = system.time;
    this.#ring.push(this.row);
  }

  #poses(system: System): void {
    const row = this.row;
    const count = system.bodyCount < SCENE_BODIES ? system.bodyCount : SCENE_BODIES;
    for (let b = 0; b < count; b++) {
      system.readBody(b, this.#body, 0);
      const at = SceneColumn.POSES + b * SCENE_POSE;
      for (let a = 0; a < SCENE_POSE; a++) row[at + a] = this.#body[a];
    }
    row[SceneColumn.BODIES] = count;
  }

  #points(system: System): void {
    const row = this.row;
    const c = this.#contact;
    row[SceneColumn.POINTS] = 0;
    row[SceneColumn.TOUCHING] = 0;
    for (let k = 0; k < system.contactCount; k++) {
      const pairs = system.pairCount(k);
      if (pairs === 0) {
        system.readContact(k, c, 0);
        this.#point();
      }
      for (let pair = 0; pair < pairs; pair++) {
        system.readPair(k, pair, c, 0);
        this.#point();
      }
    }
  }

  /** The contact in `#contact`, when it touches. */
  #point(): void {
    const row = this.row;
    const c = this.#contact;
    if (c[0] === 0) return;
    row[SceneColumn.TOUCHING]++;
    if (row[SceneColumn.POINTS] === SCENE_POINTS) return;
    const at = SceneColumn.FIRST_POINT + row[SceneColumn.POINTS] * SCENE_POINT;
    for (let a = 0; a < 3; a++) {
      row[at + a] = c[16 + a];
      row[at + 3 + a] = c[3] * c[19 + a] + c[4 + a];
      row[at + 6 + a] = c[19 + a];
    }
    row[SceneColumn.POINTS]++;
  }
}
