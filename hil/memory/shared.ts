/** The shared memory of one running service: made once on the main thread, handed to each worker. */
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
  /** 1 asks the loop worker to end after a category-1 stop. */
  SHUTDOWN: 0,
  /** Link worker: number of connected robot peers. */
  ROBOT_CONNECTED: 1,
  /** Private word the loop waits on between ticks. */
  LOOP_SLEEP: 2,
  /** One of `LoopState`. */
  LOOP_STATE: 3,
  /** Set to 1 by the recorder: the next tick begins with a STATE record, and the loop sets it back. */
  STATE_WANTED: 4,
  /** Counted up by the recorder while it works and loses nothing. */
  RECORDER_BEAT: 5,
  /** Descriptor that wakes the link worker (os-doorbell.ts), 0 none. */
  DOORBELL: 6,
  /** Descriptor of the serial line (links/serial-link.ts): LINE_GONE by the loop, the next one by the main thread. */
  SERIAL: 7,
});

/** State of the loop worker, told by itself; NOT_STARTED and FAILED by the main thread, which starts it. */
export const LoopState = Object.freeze({
  NOT_STARTED: 0,
  WARMING_UP: 1,
  RUNNING: 2,
  ENDED: 3,
  /** Could not be started: there is no loop. */
  FAILED: 4,
});

/** Buffers only: what is passed as `workerData`. */
export interface SharedBuffers {
  readonly control: SharedArrayBuffer;
  readonly commands: SharedArrayBuffer;
  readonly events: SharedArrayBuffer;
  readonly telemetry: SharedArrayBuffer;
  /** Poses and contact points (hil/contract/scene-columns.ts). */
  readonly scene: SharedArrayBuffer;
  /** Loop → robot frames (link worker transport only). */
  readonly toRobot: SharedArrayBuffer;
  /** Robot → loop frames. */
  readonly fromRobot: SharedArrayBuffer;
  readonly loopCounters: SharedArrayBuffer;
  readonly linkCounters: SharedArrayBuffer;
  readonly recorderCounters: SharedArrayBuffer;
  /** Loop → recorder (memory/log-ring.ts); empty when nothing is recorded. */
  readonly log: SharedArrayBuffer;
  /** Room for one tick's records ahead of `log`, with redundant loop workers only (redundant/stage.ts). */
  readonly logStage?: SharedArrayBuffer;
}

/** Allocate everything, zeroed; `logBytes` is the size of the recorder's ring, 0 none. */
export function allocateShared(logBytes = 0): SharedBuffers {
  return {
    control: new SharedArrayBuffer(64),
    commands: RecordRing.allocate(1024, COMMAND_WIDTH),
    events: RecordRing.allocate(4096, EVENT_WIDTH),
    telemetry: TelemetryRing.allocate(16384, ROW_WIDTH),
    scene: TelemetryRing.allocate(16, SCENE_WIDTH),
    toRobot: FrameRing.allocate(256),
    fromRobot: FrameRing.allocate(256),
    loopCounters: new SharedArrayBuffer(layoutCounters(LOOP_FAMILIES).length * 8),
    linkCounters: new SharedArrayBuffer(layoutCounters(LINK_FAMILIES).length * 8),
    recorderCounters: new SharedArrayBuffer(layoutCounters(RECORDER_FAMILIES).length * 8),
    log: logBytes > 0 ? LogRing.allocate(logBytes) : new SharedArrayBuffer(0),
  };
}
