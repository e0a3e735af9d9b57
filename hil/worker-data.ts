/** What the main thread hands to the workers, and what they say once, before they go quiet. */
import type { Settings } from '../config/settings.ts';
import type { SystemModel } from '../src/model.ts';
import type { LoopModeName } from './safety/codes.ts';
import type { SharedBuffers } from './shared.ts';

/** For the loop worker. */
export interface LoopWorkerData {
  readonly shared: SharedBuffers;
  readonly settings: Settings;
  readonly model: SystemModel;
  readonly mode: LoopModeName;
  /** Descriptor of the opened serial line, −1 without one. */
  readonly serialFd: number;
}

/** For the link worker. */
export interface LinkWorkerData {
  readonly shared: SharedBuffers;
  readonly host: string;
  readonly port: number;
  readonly key: string;
  /** Real-time priority to ask for, 0 none. */
  readonly priority: number;
}

/** From either worker. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly port: number }
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  | { readonly kind: 'note'; readonly message: string };
