/** What the main thread holds of a running loop. Made by `startRuntime` (hil/runtime.ts); the server knows nothing else. */
import type { SharedBuffers } from './shared.ts';

/** One decoded event record (hil/events.ts). */
export interface LoopEvent {
  readonly kind: number;
  readonly tick: number;
  readonly time_s: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

export interface Runtime {
  readonly shared: SharedBuffers;
  /** Name of the scenario and mode now loaded. */
  readonly scenario: string;
  readonly mode: string;
  /** Address robots connect to, e.g. ws://127.0.0.1:7411/robot, or the serial path; '' without a robot. */
  readonly robotAddress: string;
  /** Newest telemetry row (hil/columns.ts) into `row`. @returns false before the first tick. */
  readNewest(row: Float64Array): boolean;
  /** Post a command without waiting (operator input). @returns false when the ring is full. */
  post(kind: number, ...args: number[]): boolean;
  /** Post a command and wait for its ANSWER event: a name of COMMAND_RESULTS, or 'timeout'. */
  request(kind: number, ...args: number[]): Promise<string>;
  /** End the loop worker and start one on another scenario or mode; refused (throws BerthError) while ACTIVE or ARMING. */
  load(scenario: string, mode: string): Promise<void>;
  /** Every event from the loop, in order. @returns unsubscribe. */
  onEvent(listener: (event: LoopEvent) => void): () => void;
  /** Category-1 stop, then end all workers; resolves when they have ended. */
  close(): Promise<void>;
}
