/** What the main thread holds of a running loop. Made by `startRuntime` (hil/threads/runtime.ts); the server knows nothing else. */
import type { Freeze } from '../recording/freezer.ts';
import type { InjectionName } from '../contract/injections.ts';
import type { SharedBuffers } from '../memory/shared.ts';
import type { TlsMaterial } from '../access/tls.ts';

/** One decoded event record (hil/contract/events.ts). */
export interface LoopEvent {
  readonly kind: number;
  readonly tick: number;
  readonly time_s: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** What the recorder does. */
export interface RecordingStatus {
  /** `off`, `armed` (waits for a fault), `recording`, `fault` (writes what surrounds one) or `failed`. */
  readonly state: string;
  /** Name of the file that is written; '' for none. */
  readonly file: string;
  /** Bytes written since the service started. */
  readonly bytes: number;
  /** Records that no recording has. */
  readonly dropped: number;
  /** About how long a flight is kept before its oldest file goes, s; 0 when none is recorded. */
  readonly keeps_s: number;
  /** Newest files with the ticks before a fault, oldest first. */
  readonly freezes: readonly Freeze[];
}

export interface Runtime {
  readonly shared: SharedBuffers;
  /** Name of the scenario and mode now loaded. */
  readonly scenario: string;
  readonly mode: string;
  /** Names of its bodies, in the order of a scene row. */
  readonly bodies: readonly string[];
  /** Address robots connect to, e.g. ws://127.0.0.1:7411/robot, or the serial path; '' without a robot. */
  readonly robotAddress: string;
  /** Newest telemetry row (hil/contract/columns.ts) into `row`. @returns false before the first tick. */
  readNewest(row: Float64Array): boolean;
  /** Post a command without waiting (operator input). @returns false when the ring is full. */
  post(kind: number, ...args: number[]): boolean;
  /** Post a command and wait for its ANSWER event: a name of COMMAND_RESULTS, or 'timeout'. */
  request(kind: number, ...args: number[]): Promise<string>;
  /** End the loop worker and start one on another scenario or mode; refused (throws BerthError) while ACTIVE or ARMING. */
  load(scenario: string, mode: string): Promise<void>;
  /** A recording is shown, not a running loop. */
  readonly replay?: boolean;
  /** What the recorder does; not there when a recording is played. */
  recording?(): RecordingStatus;
  /** A line for the log of the recording, if there is one; level 20 information, 30 warning, 40 error. */
  note?(text: string, level: number): void;
  /** The part of an injected fault that happens in another worker than the loop; not there when a recording is played. */
  inject?(fault: InjectionName, amount: number): void;
  /** Another key of the robot, whose session ends; refused (throws BerthError) while ACTIVE or ARMING. Not there when a recording is played. */
  exchangeRobotKey?(key: string): Promise<void>;
  /** Who is told of each address that had a wrong key at the robot port; not there when a recording is played. */
  hearWrongKeys?(listener: (peer: string) => void): void;
  /** Another certificate of the robot link, for whoever connects from now on; not there when a recording is played. */
  exchangeTls?(material: TlsMaterial): void;
  /** Every event from the loop, in order. @returns unsubscribe. */
  onEvent(listener: (event: LoopEvent) => void): () => void;
  /** Category-1 stop, then end all workers; resolves when they have ended. */
  close(): Promise<void>;
}
