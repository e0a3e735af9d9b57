/** Poses and contact points into the scene ring, every 20 ms of the loop's time. */
import { StateArena } from '../../src/math/state-arena.ts';
import type { System } from '../../src/system/system.ts';
import type { RecordingTap } from './tap.ts';
import { TelemetryRing } from '../memory/ring.ts';
import { SCENE_INTERVAL_S, SCENE_WIDTH } from '../contract/scene-columns.ts';
import { SceneRow } from './scene-row.ts';

/** Writes a scene row into the scene ring every 20 ms of loop time. */
export class SceneRecord {
  readonly arena: StateArena;
  readonly #scene = new SceneRow();
  readonly row: Float64Array = this.#scene.row;
  readonly #ring: TelemetryRing;
  readonly #every: number;
  readonly #tap: RecordingTap | null;
  /** [ticks until the next row] */
  readonly #wait: Float64Array;

  constructor(
    scene: SharedArrayBuffer,
    period_s: number,
    tap: RecordingTap | null,
    arena: StateArena = new StateArena(),
  ) {
    this.arena = arena;
    this.#wait = arena.add('wait', 1);
    this.#tap = tap;
    this.#ring = new TelemetryRing(scene, SCENE_WIDTH);
    this.#every = Math.max(1, Math.round(SCENE_INTERVAL_S / period_s));
  }

  /** Once per tick, after the model step. @alloc none */
  tick(system: System): void {
    if (this.#wait[0] > 0) {
      this.#wait[0]--;
      return;
    }
    this.#wait[0] = this.#every - 1;
    this.#scene.read(system);
    this.#ring.push(this.row);
    if (this.#tap !== null) this.#tap.scene(this.row);
  }
}
