/**
 * Interface of a running loop for the main thread. `startRuntime` (hil/threads/runtime.ts) makes
 * it; the server uses nothing else.
 */
import type { ModelNames } from '../contract/scene-columns.ts';
import type { Freeze } from '../recording/freezer.ts';
import type { InjectionName } from '../contract/injections.ts';
import type { SharedBuffers } from '../memory/shared.ts';
import type { RobotFacts, RobotRefusal } from './robot-book.ts';
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

/** Status of the recorder. */
export interface RecordingStatus {
  /** `off`, `armed` (waits for a fault), `recording`, `fault` (writes the time around one) or `failed`. */
  readonly state: string;
  /** Name of the present file; '' for none. */
  readonly file: string;
  /** Bytes written since the service started. */
  readonly bytes: number;
  /** Records missing in all recordings. */
  readonly dropped: number;
  /** Approximate time for which a flight is kept, s; 0 without recording. */
  readonly keeps_s: number;
  /** Newest files with the ticks before a fault, oldest first. */
  readonly freezes: readonly Freeze[];
}

export interface Runtime {
  readonly shared: SharedBuffers;
  /** Names of the loaded scenario and mode. */
  readonly scenario: string;
  readonly mode: string;
  /** Names of its bodies, contacts and constraints, another object after each load. */
  readonly names: ModelNames;
  /** Address for robots, e.g. ws://127.0.0.1:7411/robot, or the serial path; '' without a robot. */
  readonly robotAddress: string;
  /** Copies the newest telemetry row (hil/contract/columns.ts) to `row`. @returns false before the first tick */
  readNewest(row: Float64Array): boolean;
  /** Posts a command without waiting (operator input). @returns false when the ring is full */
  post(kind: number, ...args: number[]): boolean;
  /** Posts a command and waits for its ANSWER event: a name of COMMAND_RESULTS, or 'timeout'. */
  request(kind: number, ...args: number[]): Promise<string>;
  /** Ends the loop worker and starts one with another scenario or mode. @throws BerthError while ACTIVE or ARMING */
  load(scenario: string, mode: string): Promise<void>;
  /** Whether a recording is shown in place of a running loop. */
  readonly replay?: boolean;
  /** Status of the recorder. Absent for a played recording. */
  recording?(): RecordingStatus;
  /** Adds a line to the log of the recording, if any; level 20 information, 30 warning, 40 error. */
  note?(text: string, level: number): void;
  /** Injects the part of a fault that another worker than the loop executes. Absent for a played recording. */
  inject?(fault: InjectionName, amount: number): void;
  /**
   * Replaces the key of the robot and ends its session. @throws BerthError while ACTIVE or ARMING.
   * Absent for a played recording.
   */
  exchangeRobotKey?(key: string): Promise<void>;
  /** Registers a listener for each address that used a wrong key at the robot port. Absent for a played recording. */
  onWrongKey?(listener: (peer: string) => void): void;
  /** The robot of the newest session, and the newest refusal of one. Absent for a played recording. */
  robot?(): { readonly facts: RobotFacts | null; readonly lastReject: RobotRefusal | null };
  /** Registers a listener for refused robots: new ones at once, a repeated one once a minute with its number. */
  onRefused?(listener: (refusal: RobotRefusal, more: number) => void): void;
  /** Replaces the certificate of the robot link for new connections. Absent for a played recording. */
  exchangeTls?(material: TlsMaterial): void;
  /** Subscribes to every event of the loop, in order. @returns a function that ends the subscription */
  onEvent(listener: (event: LoopEvent) => void): () => void;
  /** Requests a category-1 stop, then ends all workers; resolves when they have ended. */
  close(): Promise<void>;
}
