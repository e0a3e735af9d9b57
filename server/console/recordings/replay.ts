/** A recording that plays: frames are fetched ahead and shown at their time. A source of the scene. */
import { signal } from '@preact/signals';
import type { Telemetry } from '../../client/messages.ts';
import type { SceneSource } from '../scene/player.ts';
import { framesOf, type RecordedFrame, type RecordedScene, sceneOf } from './shelf.ts';

/** Part that is fetched in one piece, s, and how far ahead of the picture the next one is asked for, s. */
const PART_S = 10;
const AHEAD_S = 6;
const TURN_MS = 40;

export class Replay implements SceneSource {
  readonly name: string;
  /** Address of the file. */
  readonly path: string;
  readonly scene = signal<RecordedScene | null>(null);
  /** Time of the picture since the start of the file, s. */
  readonly at_s = signal(0);
  readonly playing = signal(false);
  readonly speed = signal(1);
  /** Frame that is shown. */
  readonly shown = signal<RecordedFrame | null>(null);
  readonly trouble = signal('');
  newest: Telemetry | null = null;
  readonly #listeners = new Set<(message: Telemetry) => void>();
  /** Parts by their number. */
  readonly #parts = new Map<number, RecordedFrame[]>();
  readonly #asked = new Set<number>();
  readonly #timer: ReturnType<typeof setInterval>;
  #turned_ms = performance.now();

  constructor(name: string, path: string) {
    this.name = name;
    this.path = path;
    this.#timer = setInterval(() => this.#turn(), TURN_MS);
    void this.#load();
  }

  on(listener: (message: Telemetry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  seek(at_s: number): void {
    this.at_s.value = Math.min(Math.max(0, at_s), this.scene.peek()?.length_s ?? 0);
    this.#show();
  }

  toggle(): void {
    const end_s = this.scene.peek()?.length_s ?? 0;
    if (!this.playing.peek() && this.at_s.peek() >= end_s) this.seek(0);
    this.playing.value = !this.playing.peek();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#listeners.clear();
  }

  async #load(): Promise<void> {
    try {
      this.scene.value = await sceneOf(this.path);
      this.#show();
      this.playing.value = true;
    } catch (error) {
      this.trouble.value = (error as Error).message;
    }
  }

  #turn(): void {
    const now_ms = performance.now();
    const gone_s = (now_ms - this.#turned_ms) / 1000;
    this.#turned_ms = now_ms;
    const scene = this.scene.peek();
    if (scene === null || !this.playing.peek()) return;
    // the picture waits for frames that are on their way
    if (!this.#parts.has(Math.floor(this.at_s.peek() / PART_S))) {
      this.#show();
      return;
    }
    const at_s = this.at_s.peek() + gone_s * this.speed.peek();
    if (at_s >= scene.length_s) this.playing.value = false;
    this.seek(at_s);
  }

  #show(): void {
    const at_s = this.at_s.peek();
    const number = Math.floor(at_s / PART_S);
    void this.#fetch(number);
    const end_s = this.scene.peek()?.length_s ?? 0;
    const ahead = Math.floor((at_s + AHEAD_S * Math.max(1, this.speed.peek())) / PART_S);
    if (ahead * PART_S < end_s) void this.#fetch(ahead);
    const frames = this.#parts.get(number);
    const frame = frames?.findLast((one) => one.at_s <= at_s) ?? frames?.[0];
    if (frame === undefined || frame === this.shown.peek()) return;
    this.shown.value = frame;
    this.newest = frame as unknown as Telemetry;
    for (const listener of this.#listeners) listener(this.newest);
  }

  async #fetch(number: number): Promise<void> {
    if (this.#asked.has(number)) return;
    this.#asked.add(number);
    try {
      this.#parts.set(number, await framesOf(this.path, number * PART_S, PART_S));
      this.trouble.value = '';
      this.#show();
    } catch (error) {
      this.#asked.delete(number);
      this.playing.value = false;
      this.trouble.value = (error as Error).message;
    }
  }
}
