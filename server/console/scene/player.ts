/** Draws the data of a source, at most once per frame of the display and only after a change. */
import type { Pose, Telemetry } from '../../client/messages.ts';
import { scheme } from '../shell/scheme.ts';
import { POSE, type SceneDescription, type ToolFrameName } from './description.ts';
import { Stage } from './stage.ts';

/** Least time between two frames with software rendering, ms, which would otherwise take all processor time. */
const SLOW_MS = 250;
const SLOW_TURN_MS = 45;

/** Where the messages come from: the feed of the loop, or a recording. */
export interface SceneSource {
  readonly newest: Telemetry | null;
  on(listener: (message: Telemetry) => void): () => void;
}

export class Player {
  readonly #stage: Stage;
  readonly #source: SceneSource;
  readonly #stops: (() => void)[] = [];
  #description: SceneDescription | null = null;
  /** Newest message that is not yet drawn. */
  #waiting: Telemetry | null = null;
  #shown: Telemetry | null = null;
  /** Closest points; they come less often than poses. */
  #lines: readonly number[] = [];
  #turned = false;
  #inSight = true;
  #request = 0;
  #last_ms = -Infinity;

  /** @throws when the browser has no WebGL */
  constructor(canvas: HTMLCanvasElement, source: SceneSource) {
    this.#source = source;
    this.#stage = new Stage(canvas, () => {
      this.#turned = true;
      this.#ask();
    });
    const size = new ResizeObserver(() => {
      this.#stage.resize(canvas.clientWidth, canvas.clientHeight);
    });
    size.observe(canvas);
    const sight = new IntersectionObserver((entries) => {
      this.#inSight = entries.at(-1)?.isIntersecting ?? true;
      this.#ask();
    });
    sight.observe(canvas);
    this.#stops.push(
      () => size.disconnect(),
      () => sight.disconnect(),
      source.on((message) => this.#take(message)),
      scheme.subscribe(() => this.#stage.paint()),
    );
  }

  /** Words for the scale of the arrows; '' without contact. */
  get scaleWords(): string {
    return (this.#shown?.scene?.points.length ?? 0) > 0 ? this.#stage.scaleWords : '';
  }

  /** What is drawn; null before the first scene. */
  get description(): SceneDescription | null {
    return this.#description;
  }

  build(description: SceneDescription): void {
    this.#description = description;
    this.#shown = this.#waiting = null;
    this.#lines = [];
    this.#stage.build(description);
    if (this.#source.newest !== null) this.#take(this.#source.newest);
  }

  /** Selects the drawn frames of the tool. */
  showFrames(names: readonly ToolFrameName[]): void {
    this.#stage.wanted.clear();
    for (const name of names) this.#stage.wanted.add(name);
    this.#waiting ??= this.#shown;
    this.#ask();
  }

  /** Whether the home view shows the whole arm. */
  showWhole(whole: boolean): void {
    this.#stage.showWhole(whole);
  }

  dispose(): void {
    cancelAnimationFrame(this.#request);
    for (const stop of this.#stops) stop();
    this.#stage.dispose();
  }

  /** Takes a message; those of the previous scenario are ignored, because they have other bodies. */
  #take(message: Telemetry): void {
    if (message.witnesses !== undefined) this.#lines = message.witnesses.lines;
    const bodies = this.#description?.bodies.length;
    if (bodies === undefined || message.scene?.poses.length !== POSE * bodies) return;
    this.#waiting = message;
    this.#ask();
  }

  #ask(): void {
    if (this.#request === 0) this.#request = requestAnimationFrame((now) => this.#picture(now));
  }

  #picture(now_ms: number): void {
    this.#request = 0;
    if (!this.#inSight || !(this.#turned || this.#waiting !== null)) return;
    const wait_ms = !this.#stage.slow ? 0 : this.#turned ? SLOW_TURN_MS : SLOW_MS;
    if (now_ms - this.#last_ms < wait_ms) {
      this.#ask();
      return;
    }
    this.#last_ms = now_ms;
    const message = this.#waiting;
    if (message?.scene !== undefined) {
      this.#stage.show(message.scene, message.state?.setpoint, measured(message));
      this.#stage.showWitnesses(this.#lines);
      this.#shown = message;
    }
    this.#waiting = null;
    this.#turned = false;
    this.#stage.draw();
  }
}

/** Measured pose; undefined before the first measurement. */
function measured({ state }: Telemetry): Pose | undefined {
  return state?.link?.up === true ? state.measured : undefined;
}
