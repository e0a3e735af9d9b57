/** What the process of the emulated robot is started with, and what its threads share. */
import type { ConnectionOptions } from 'node:tls';
import type { EmulatorOptions } from './options.ts';
import type { StopReport } from './stop-record.ts';

/** Where the loop is found. */
export type EmulatorTransport =
  | {
      readonly kind: 'websocket';
      readonly url: string;
      readonly protocol: 'binary' | 'msgpack';
      /** What is trusted of the loop, and shown to it, over wss. */
      readonly tls: ConnectionOptions;
    }
  | { readonly kind: 'serial'; readonly path: string; readonly baud: number }
  | { readonly kind: 'pty' };

export interface EmulatorProcessOptions {
  readonly transport: EmulatorTransport;
  /** The robot; its link is made here. */
  readonly robot: Omit<EmulatorOptions, 'link'>;
  /** Priority asked for the robot's thread; 0 asks for nothing. */
  readonly realtime_priority: number;
  /** No status lines. */
  readonly quiet: boolean;
  /** End when standard input closes: the parent is gone. */
  readonly child: boolean;
}

/** Handed to the robot's thread. */
export interface RobotThreadData {
  readonly robot: Omit<EmulatorOptions, 'link'>;
  readonly realtime_priority: number;
  /** Words of ControlWord. */
  readonly control: SharedArrayBuffer;
  /** Columns of STATUS_COLUMNS. */
  readonly status: SharedArrayBuffer;
  /** Descriptor of the serial line, or −1: frames by the rings. */
  readonly fd: number;
  readonly fromLoop: SharedArrayBuffer;
  readonly toLoop: SharedArrayBuffer;
}

/** From the robot's thread: once at its start, and each time the tool has come to rest. */
export type RobotMessage =
  | { readonly kind: 'ready'; readonly realtime: boolean; readonly reason: string }
  | { readonly kind: 'stopped'; readonly stop: StopReport };

/** Written by the robot's thread each cycle, read by the main thread for its status lines. */
export const STATUS_COLUMNS = [
  'cycles',
  'slipped',
  'phase',
  'linkState',
  'safety',
  'fault',
  'x_m',
  'y_m',
  'z_m',
  'speed_mps',
  'force_N',
  'lateness_max_us',
  'framesIn',
  'framesOut',
  'lostIn',
  'lostOut',
] as const;
