/** The shared memory of one running service: made once on the main thread, handed to each worker. */
import { ROW_WIDTH } from './columns.ts';
import { COMMAND_WIDTH } from './commands.ts';
import { LINK_FAMILIES, LOOP_FAMILIES, layoutCounters } from './counters.ts';
import { EVENT_WIDTH } from './events.ts';
import { FrameRing, RecordRing, TelemetryRing } from './ring.ts';
import { SCENE_WIDTH } from './scene-columns.ts';

/** Words of `control`, Int32. */
export const ControlWord = Object.freeze({
  /** 1 asks the loop worker to end after a category-1 stop. */
  SHUTDOWN: 0,
  /** Link worker: number of connected robot peers. */
  ROBOT_CONNECTED: 1,
  /** Private word the loop waits on between ticks. */
  LOOP_SLEEP: 2,
  /** Loop worker state: 0 not started, 1 warming up, 2 running, 3 ended. */
  LOOP_STATE: 3,
});

/** Buffers only: what is passed as `workerData`. */
export interface SharedBuffers {
  readonly control: SharedArrayBuffer;
  readonly commands: SharedArrayBuffer;
  readonly events: SharedArrayBuffer;
  readonly telemetry: SharedArrayBuffer;
  /** Poses and contact points (hil/scene-columns.ts). */
  readonly scene: SharedArrayBuffer;
  /** Loop → robot frames (link worker transport only). */
  readonly toRobot: SharedArrayBuffer;
  /** Robot → loop frames. */
  readonly fromRobot: SharedArrayBuffer;
  readonly loopCounters: SharedArrayBuffer;
  readonly linkCounters: SharedArrayBuffer;
}

/** Allocate everything, zeroed. */
export function allocateShared(): SharedBuffers {
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
  };
}
