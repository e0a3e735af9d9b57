/** Shared memory of one running service: the main thread makes it once and passes it to each worker. */
import { ROW_WIDTH } from '../contract/columns.ts';
import { COMMAND_WIDTH } from '../contract/commands.ts';
import {
  LINK_FAMILIES,
  LOOP_FAMILIES,
  RECORDER_FAMILIES,
  layoutCounters,
} from '../contract/counters.ts';
import { EVENT_WIDTH } from '../contract/events.ts';
import { LogRing } from './log-ring.ts';
import { FrameRing, RecordRing, TelemetryRing } from './ring.ts';
import { SCENE_WIDTH } from '../contract/scene-columns.ts';

/** Words of `control`, Int32. */
export const ControlWord = Object.freeze({
  /** 1 ends the loop worker after a category-1 stop. */
  SHUTDOWN: 0,
  /** Link worker: number of connected robot peers. */
  ROBOT_CONNECTED: 1,
  /** Private word on which the loop waits between ticks. */
  LOOP_SLEEP: 2,
  /** One of `LoopState`. */
  LOOP_STATE: 3,
  /** The recorder sets it to 1: the next tick then begins with a STATE record, and the loop resets it. */
  STATE_WANTED: 4,
  /** Incremented by the recorder while it works without losses. */
  RECORDER_BEAT: 5,
  /** Descriptor that wakes the link worker (os-doorbell.ts), 0 for none. */
  DOORBELL: 6,
  /**
   * Descriptor of the serial line (links/serial-link.ts). The loop sets LINE_GONE, the main thread
   * the next descriptor.
   */
  SERIAL: 7,
});

/** State of the loop worker. The worker sets it, except NOT_STARTED and FAILED, which the main thread sets. */
export const LoopState = Object.freeze({
  NOT_STARTED: 0,
  WARMING_UP: 1,
  RUNNING: 2,
  ENDED: 3,
  /** The start failed: there is no loop. */
  FAILED: 4,
});

/** Buffers only: the content of `workerData`. */
export interface SharedBuffers {
  readonly control: SharedArrayBuffer;
  readonly commands: SharedArrayBuffer;
  readonly events: SharedArrayBuffer;
  readonly telemetry: SharedArrayBuffer;
  /** Poses and contact points (hil/contract/scene-columns.ts). */
  readonly scene: SharedArrayBuffer;
  /** Frames from the loop to the robot (link worker transport only). */
  readonly toRobot: SharedArrayBuffer;
  /** Frames from the robot to the loop. */
  readonly fromRobot: SharedArrayBuffer;
  /** Frames of handshakes, from the loop to the main thread (hil/telemetry/handshakes.ts). */
  readonly handshakes: SharedArrayBuffer;
  readonly loopCounters: SharedArrayBuffer;
  readonly linkCounters: SharedArrayBuffer;
  readonly recorderCounters: SharedArrayBuffer;
  /** Records from the loop to the recorder (memory/log-ring.ts); empty without a recording. */
  readonly log: SharedArrayBuffer;
  /** Space for the records of one tick ahead of `log`, with redundant loop workers only (redundant/stage.ts). */
  readonly logStage?: SharedArrayBuffer;
}

/** Rows of the telemetry ring of a service: 16 s at 1 kHz. */
const TELEMETRY_ROWS = 16384;

/** Allocates everything, zeroed. `logBytes` is the size of the recorder's ring, 0 for none. */
export function allocateShared(logBytes = 0, telemetryRows = TELEMETRY_ROWS): SharedBuffers {
  return {
    control: new SharedArrayBuffer(64),
    commands: RecordRing.allocate(1024, COMMAND_WIDTH),
    events: RecordRing.allocate(4096, EVENT_WIDTH),
    telemetry: TelemetryRing.allocate(telemetryRows, ROW_WIDTH),
    scene: TelemetryRing.allocate(16, SCENE_WIDTH),
    toRobot: FrameRing.allocate(256),
    fromRobot: FrameRing.allocate(256),
    handshakes: FrameRing.allocate(64),
    loopCounters: new SharedArrayBuffer(layoutCounters(LOOP_FAMILIES).length * 8),
    linkCounters: new SharedArrayBuffer(layoutCounters(LINK_FAMILIES).length * 8),
    recorderCounters: new SharedArrayBuffer(layoutCounters(RECORDER_FAMILIES).length * 8),
    log: logBytes > 0 ? LogRing.allocate(logBytes) : new SharedArrayBuffer(0),
  };
}

/** Least page of a machine, bytes. */
const PAGE = 4096;

/**
 * Brings in every page of the buffers: a page that is touched first is one that the kernel finds and clears meanwhile, 1 to 60 µs of a
 * tick. Contents stay, also those that other threads write now.
 */
export function touchMemory(shared: SharedBuffers): void {
  for (const buffer of Object.values(shared) as SharedArrayBuffer[]) {
    const bytes = new Uint8Array(buffer);
    for (let at = 0; at < bytes.length; at += PAGE) Atomics.or(bytes, at, 0);
  }
}
