/** Poses and contact points into the scene ring, every 20 ms of the loop's time. */
import type { System } from '../../src/system/system.ts';
import type { Stateful } from '../contract/stateful.ts';
import type { RecordingTap } from './tap.ts';
import { TelemetryRing } from '../memory/ring.ts';
import { SCENE_INTERVAL_S, SCENE_WIDTH } from '../contract/scene-columns.ts';
import { SceneRow } from './scene-row.ts';

/** Writes a scene row into the scene ring every 20 ms of loop time. */
export class SceneRecord implements Stateful {
  readonly #scene = new SceneRow();
  readonly row: Float64Array = this.#scene.row;
  readonly #ring: TelemetryRing;
  readonly #every: number;
  readonly #tap: RecordingTap | null;
  #wait = 0;

  constructor(scene: SharedArrayBuffer, period_s: number, tap: RecordingTap | null) {
    this.#tap = tap;
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
    this.#scene.read(system);
    this.#ring.push(this.row);
    if (this.#tap !== null) this.#tap.scene(this.row);
  }

  readonly stateLength: number = 1;

  saveState(into: Float64Array, at: number): void {
    into[at] = this.#wait;
  }

  loadState(from: Float64Array, at: number): void {
    this.#wait = from[at];
  }
}
