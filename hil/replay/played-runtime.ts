/**
 * A recording in place of a running loop: rows, scenes and events come at their recorded pace.
 * Console, telemetry sockets and Foxglove show the run as it was. Commands are impossible; every
 * request is refused.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { BerthError } from '../../src/base/errors.ts';
import { Column, ROW_WIDTH } from '../contract/columns.ts';
import { LATENCY_BUCKETS, observe } from '../contract/counters.ts';
import { LoopSlot } from '../memory/loop-counters.ts';
import { TelemetryRing } from '../memory/ring.ts';
import type { LoopEvent, Runtime } from '../threads/runtime-types.ts';
import { type ModelNames, modelNames, SCENE_WIDTH } from '../contract/scene-columns.ts';
import { ControlWord, LoopState, allocateShared } from '../memory/shared.ts';
import type { Recording } from '../recording/read-recording.ts';
import { type LogRecord, RecordKind } from '../memory/records.ts';

const NOT_HERE = 'not_allowed';
const LATENESS = Column.lateness_s;
const SLIPPED = Column.slipped;
/** Accuracy of the pace, ms, enough for a display. */
const GRAIN_MS = 4;

const doubles = ({ bytes }: LogRecord): Float64Array =>
  new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);

/** Runtime that plays a recording. */
export class PlayedRuntime implements Runtime {
  readonly shared = allocateShared();
  readonly scenario: string;
  readonly mode: string;
  readonly names: ModelNames;
  readonly robotAddress = '';
  readonly replay = true;
  /** Resolves at the end of the recording, or when it is closed. */
  readonly ended: Promise<void>;
  readonly #recording: Recording;
  readonly #speed: number;
  readonly #stop = new AbortController();
  readonly #listeners = new Set<(event: LoopEvent) => void>();
  readonly #telemetry = new TelemetryRing(this.shared.telemetry, ROW_WIDTH);
  readonly #scene = new TelemetryRing(this.shared.scene, SCENE_WIDTH);
  readonly #counters = new Float64Array(this.shared.loopCounters);
  readonly #control = new Int32Array(this.shared.control);

  /** @param speed 1 for the recorded pace, 2 for twice as fast */
  constructor(recording: Recording, speed = 1) {
    this.#recording = recording;
    this.#speed = speed;
    this.scenario = recording.facts.scenario;
    this.mode = recording.facts.mode;
    this.names = modelNames(recording.facts.model);
    this.ended = this.#play();
  }

  async #play(): Promise<void> {
    Atomics.store(this.#control, ControlWord.LOOP_STATE, LoopState.RUNNING);
    const begin = performance.now();
    let first_us = NaN;
    for await (const record of this.#recording.records()) {
      if (this.#stop.signal.aborted) break;
      if (record.kind === RecordKind.ROW) {
        if (Number.isNaN(first_us)) first_us = record.time_us;
        const due = begin + (record.time_us - first_us) / 1000 / this.#speed;
        const early = due - performance.now();
        if (early > GRAIN_MS) {
          await wait(early, undefined, { signal: this.#stop.signal }).catch(() => undefined);
        }
        this.#row(doubles(record));
      } else if (record.kind === RecordKind.SCENE) this.#scene.push(doubles(record));
      else if (record.kind === RecordKind.EVENT) this.#event(doubles(record));
    }
    Atomics.store(this.#control, ControlWord.LOOP_STATE, LoopState.ENDED);
  }

  #row(row: Float64Array): void {
    this.#telemetry.push(row);
    const lateness = row[LATENESS] + row[SLIPPED] * this.#recording.facts.settings.loop.period_s;
    observe(this.#counters, LoopSlot.loop_wake_lateness_seconds, LATENCY_BUCKETS, lateness);
    if (lateness > this.#counters[LoopSlot.loop_wake_lateness_max_seconds]) {
      this.#counters[LoopSlot.loop_wake_lateness_max_seconds] = lateness;
    }
    this.#counters[LoopSlot.loop_ticks_total]++;
  }

  #event(record: Float64Array): void {
    const [kind, tick, time_s, a, b, c] = record;
    for (const listener of this.#listeners) listener({ kind, tick, time_s, a, b, c });
  }

  readNewest(row: Float64Array): boolean {
    return this.#telemetry.readNewest(row);
  }

  post(): boolean {
    return true; // an input to a recording: accepted, without effect
  }

  request(): Promise<string> {
    return Promise.resolve(NOT_HERE);
  }

  load(): Promise<void> {
    const text = 'scenario: a recording is shown; start "berth serve" to load a scenario';
    return Promise.reject(new BerthError('BERTH_WRONG_STATE', text, { field: 'scenario' }));
  }

  onEvent(listener: (event: LoopEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.ended;
  }
}
