/** Records as a loop would write them, and a recorder that takes them, without a loop. */
import { compileScenario } from '../../../config/compile.ts';
import { loadSettings } from '../../../config/load-settings.ts';
import { loadScenario } from '../../../config/scenario.ts';
import type { Settings } from '../../../config/settings.ts';
import { ROW_WIDTH } from '../../../hil/contract/columns.ts';
import { COMMAND_WIDTH, CommandKind } from '../../../hil/contract/commands.ts';
import { EVENT_WIDTH, EventKind } from '../../../hil/contract/events.ts';
import { type Disk, systemDisk } from '../../../hil/recording/disk.ts';
import type { RecordingFacts } from '../../../hil/recording/facts.ts';
import { Recorder } from '../../../hil/recording/recorder.ts';
import { type LogRecord, RecordKind, TICK_INPUTS } from '../../../hil/memory/records.ts';
import { Retention } from '../../../hil/recording/retention.ts';
import { FaultCode, SafetyState } from '../../../hil/contract/codes.ts';
import { SCENE_WIDTH, SceneColumn } from '../../../hil/contract/scene-columns.ts';

export const START_US = 5_000_000;
export const START_NS = 1_800_000_000_123_456_000n;
const STATE_DOUBLES = 700;

const bytesOf = (values: Float64Array): Uint8Array => new Uint8Array(values.buffer);
/** Distinct doubles of all sizes and signs, the same at every run. */
export function numbers(count: number, seed: number): Float64Array {
  return Float64Array.from(
    { length: count },
    (_, i) => Math.sin(seed * 0.1 + i) * 10 ** ((i % 9) - 4),
  );
}

/** The records of one tick, about 2 kB, with a STATE first when `state` is true. */
export function tickRecords(tick: number, state = false): LogRecord[] {
  const time_us = START_US + 1000 * tick + 0.125;
  const record = (kind: number, values: Float64Array): LogRecord => ({
    kind,
    time_us,
    bytes: bytesOf(values),
  });
  const inputs = numbers(TICK_INPUTS.length, tick);
  inputs[0] = tick;
  const command = numbers(COMMAND_WIDTH, tick);
  command[0] = CommandKind.INPUT;
  command.set([1, 0, 2], 9);
  const records = [
    ...(state ? [record(RecordKind.STATE, numbers(STATE_DOUBLES, tick))] : []),
    record(RecordKind.TICK, inputs),
    {
      kind: RecordKind.FRAME_IN,
      time_us: time_us - 50,
      bytes: bytesOf(numbers(20, tick)).subarray(0, 157),
    },
    { kind: RecordKind.FRAME_OUT, time_us, bytes: bytesOf(numbers(30, tick)).subarray(0, 201) },
    ...(tick % 10 === 0 ? [record(RecordKind.COMMAND, command)] : []),
    record(RecordKind.ROW, numbers(ROW_WIDTH, tick)),
  ];
  if (tick % 20 === 0) records.push(record(RecordKind.SCENE, scene(tick)));
  return records;
}

/** A scene of two bodies; every other one has a contact point. */
function scene(tick: number): Float64Array {
  const row = new Float64Array(SCENE_WIDTH);
  row[SceneColumn.TIME] = tick * 1e-3;
  row[SceneColumn.BODIES] = 2;
  row[SceneColumn.POINTS] = (tick / 20) % 2;
  row[SceneColumn.TOUCHING] = 3;
  row.set(numbers(14, tick), SceneColumn.POSES);
  if (row[SceneColumn.POINTS] === 1) {
    row.set(numbers(9, tick), SceneColumn.FIRST_POINT);
    row.set([(tick / 40) % 3, tick * 1e3], SceneColumn.FIRST_FACE);
  }
  return row;
}

/** The loop stopped by a fault. */
export function faultRecord(tick: number, code: number = FaultCode.FORCE_LIMIT): LogRecord {
  const event = new Float64Array(EVENT_WIDTH);
  event.set([
    EventKind.TRANSITION,
    tick,
    tick * 1e-3,
    SafetyState.ACTIVE_CONTACT,
    SafetyState.STOPPING,
    code,
  ]);
  return { kind: RecordKind.EVENT, time_us: START_US + 1000 * tick, bytes: bytesOf(event) };
}

/** Facts of a run with secrets in its settings. */
export function testFacts(): RecordingFacts {
  const settings = structuredClone(loadSettings());
  settings.server.keys = { viewer: 'secret-of-viewer', operator: 'secret-of-operator' };
  settings.robot.key = 'secret-of-robot';
  return {
    settings,
    model: compileScenario(loadScenario('battery-box-insertion')),
    scenario: 'battery-box-insertion',
    mode: 'virtual',
    version: '0.0.0',
    node: process.version,
    protocolHash: '0x01234567',
    wallStart_ns: START_NS,
    loopStart_us: START_US,
  };
}

/** A recorder that is fed by hand. */
export class Feed {
  readonly recorder: Recorder;
  readonly troubles: string[] = [];
  /** Files removed, and why. */
  readonly removed: string[] = [];
  /** Every record given. */
  readonly given: LogRecord[] = [];
  stateWanted = false;
  #tick = 0;

  constructor(
    folder: string,
    change: (settings: Settings['recording']) => void = () => undefined,
    disk: Disk = systemDisk,
  ) {
    const facts = testFacts();
    const settings = { ...facts.settings.recording, folder, keep_free_bytes: 0 };
    change(settings);
    this.recorder = new Recorder({
      settings,
      facts,
      disk,
      retention: new Retention({
        disk,
        settings,
        onRemoved: (name, _, reason) => this.removed.push(`${name} ${reason}`),
      }),
      requestState: () => (this.stateWanted = true),
      onWrite: () => undefined,
      onTrouble: (message) => this.troubles.push(message),
    });
  }

  get tick(): number {
    return this.#tick;
  }

  give(record: LogRecord): void {
    this.given.push(record);
    this.recorder.take(record);
  }

  /** `count` ticks, as fast as they go; every 10 of them the disk gets its turn. */
  async run(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const state = this.stateWanted || this.#tick % 5000 === 0;
      this.stateWanted = false;
      for (const record of tickRecords(this.#tick, state)) this.give(record);
      if (++this.#tick % 10 !== 0) continue;
      this.recorder.poll(START_US + 1000 * this.#tick);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The disk has taken what was given: how long that takes is the machine's affair. */
  async written(): Promise<void> {
    while (this.recorder.queueRatio > 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
