/**
 * When and where the tool first touches if it goes on at its commanded twist: computed here, beside the loop, from the newest row and the
 * newest poses. It takes at most a twentieth of the time of this thread, which also carries the operator's inputs.
 */
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { Column } from '../../hil/contract/columns.ts';
import {
  type ModelNames,
  SCENE_BODIES,
  SCENE_WIDTH,
  SceneColumn,
} from '../../hil/contract/scene-columns.ts';
import { TelemetryRing } from '../../hil/memory/ring.ts';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import { BerthError } from '../../src/base/errors.ts';
import { partModels } from '../../src/model/model.ts';
import { FirstTouch } from '../../src/system/first-touch.ts';
import type { FirstTouchStatus } from '../client/messages.ts';

/** How far ahead, s. */
const HORIZON_S = 10;
/** Time from one forecast to the next over that of making one. */
const REST = 20;

/** The forecast of one scenario, kept until the next one is due. */
class TouchForecast {
  readonly #touch: FirstTouch;
  readonly #scene = new Float64Array(SCENE_WIDTH);
  #newest: FirstTouchStatus | null = null;
  #due_ms = 0;

  constructor(touch: FirstTouch) {
    this.#touch = touch;
  }

  /** The first touch at the twist of the row; null without one within the horizon. */
  read(runtime: Runtime, row: Float64Array): FirstTouchStatus | null {
    const began_ms = performance.now();
    if (began_ms < this.#due_ms) return this.#newest;
    const scene = this.#scene;
    this.#newest = null;
    const twist = row.subarray(Column.command_v_x_mps, Column.command_v_x_mps + 6);
    const there = new TelemetryRing(runtime.shared.scene, SCENE_WIDTH).readNewest(scene);
    const found = there ? this.#touch.find(scene, SceneColumn.POSES, twist, HORIZON_S) : null;
    if (found !== null) {
      const { contact, time, point } = found;
      this.#newest = { contact, after_ms: 1000 * time, point_m: [...point] };
    }
    const ended_ms = performance.now();
    this.#due_ms = ended_ms + REST * (ended_ms - began_ms);
    return this.#newest;
  }
}

/** By the list of bodies, which is another one after each load. */
const forecasts = new WeakMap<ModelNames, TouchForecast | null>();

/** Null without a tool, and when the scenario cannot be read any more. */
function makeForecast(scenario: string): TouchForecast | null {
  try {
    const model = compileScenario(loadScenario(scenario));
    if (model.tool === null || partModels(model).length > SCENE_BODIES) return null;
    return new TouchForecast(new FirstTouch(model));
  } catch (error) {
    if (error instanceof BerthError) return null;
    throw error;
  }
}

function forecastOf({ scenario, names }: Runtime): TouchForecast | null {
  const known = forecasts.get(names);
  if (known !== undefined) return known;
  const forecast = makeForecast(scenario);
  forecasts.set(names, forecast);
  return forecast;
}

/** For the status; nothing where it cannot be told, as of a recording. */
export function firstTouchOf(
  runtime: Runtime,
  row: Float64Array,
): { readonly first_touch?: FirstTouchStatus | null } {
  if (runtime.replay === true) return {};
  const forecast = forecastOf(runtime);
  return forecast === null ? {} : { first_touch: forecast.read(runtime, row) };
}
