/** What the main thread hands to the workers, and the one message of each before it begins. */
import type { Settings } from '../../config/settings.ts';
import type { InjectionName } from '../contract/injections.ts';
import type { Freeze } from '../recording/freezer.ts';
import type { BerthErrorCode } from '../../src/base/errors.ts';
import type { SystemModel } from '../../src/model/model.ts';
import type { LoopModeName } from '../contract/codes.ts';
import type { RobotRejectName } from '../contract/counters.ts';
import type { SharedBuffers } from '../memory/shared.ts';
import type { TlsMaterial } from '../access/tls.ts';

/** What crosses between threads of the stage on which one of two loop workers does a tick. */
export interface StageMemory {
  /** Those that a tick writes or takes from; the others are the service's. */
  readonly buffers: SharedBuffers;
  readonly pages: SharedArrayBuffer;
}

/** What crosses between two loop workers beside the memory of the service. */
export interface PairMemory {
  readonly turn: SharedArrayBuffer;
  readonly stages: readonly StageMemory[];
}

/** For one of two loop workers that share the loop. */
export interface PairSeat {
  readonly memory: PairMemory;
  readonly worker: number;
  /** Core to run on, −1 any. */
  readonly core: number;
}

/** For the loop worker. */
export interface LoopWorkerData {
  readonly shared: SharedBuffers;
  readonly settings: Settings;
  readonly model: SystemModel;
  readonly mode: LoopModeName;
  /** Key of the emulated robot that the service starts itself, when it starts one. */
  readonly runKey?: string;
  /** False: the first ticks are late, and allocate. */
  readonly warmUp?: boolean;
  /** With redundant release only. */
  readonly pair?: PairSeat;
}

/** For the link worker. */
export interface LinkWorkerData {
  readonly shared: SharedBuffers;
  readonly host: string;
  readonly port: number;
  /** Certificate and key of the listener; null: no TLS. */
  readonly tls: TlsMaterial | null;
  /** Real-time priority to ask for, 0 none. */
  readonly priority: number;
  /** Where the loop's doorbell arrives, the worker's own descriptor; −1 none. */
  readonly doorbellFd: number;
}

/** For the recorder worker. */
export interface RecorderWorkerData {
  readonly shared: SharedBuffers;
  /** Without secrets. */
  readonly settings: Settings;
  readonly model: SystemModel;
  readonly scenario: string;
  readonly mode: LoopModeName;
}

/** To the recorder worker: a line for the log of the recording, or the end. */
export type RecorderRequest =
  | { readonly kind: 'note'; readonly text: string; readonly level: number }
  | { readonly kind: 'close' }
  | WorkerInjection;

/** To the link worker: end, another certificate for later connections, the end of the robot's connection, or a fault. */
export type LinkRequest =
  | 'close'
  | { readonly kind: 'tls'; readonly tls: TlsMaterial }
  | { readonly kind: 'drop' }
  | WorkerInjection;

/** A fault injected on purpose, for the worker that it happens in. */
export interface WorkerInjection {
  readonly kind: 'inject';
  readonly fault: InjectionName;
  readonly amount: number;
}

/** A robot that the port refused, or whose turn came to nothing. */
export interface PortRefusal {
  /** Of ROBOT_REJECTS. */
  readonly reason: RobotRejectName;
  readonly peer: string;
  /** One sentence. */
  readonly message: string;
  /** How many are reported by this message. */
  readonly more: number;
  /** The loop has read its HELLO: what it says of itself is known. */
  readonly read: boolean;
}

/** From a worker. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly port: number }
  | { readonly kind: 'error'; readonly code: BerthErrorCode; readonly message: string }
  | { readonly kind: 'note'; readonly message: string }
  /** A robot at that address had a wrong key. */
  | { readonly kind: 'wrong-key'; readonly peer: string }
  /** The loop reads the robot at that address from now on. */
  | { readonly kind: 'turn'; readonly peer: string }
  | ({ readonly kind: 'refused' } & PortRefusal)
  | { readonly kind: 'recording'; readonly state: string; readonly file: string }
  | ({ readonly kind: 'freeze' } & Freeze);
