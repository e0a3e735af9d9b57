/** Options of the process of the emulated robot, and the data shared by its threads. */
import type { ConnectionOptions } from 'node:tls';
import type { EmulatorOptions } from './options.ts';
import type { StopReport } from './stop-record.ts';
import { indicesOf, type NameIndices } from '../../src/base/name-indices.ts';

/** Connection to the loop. */
export type EmulatorTransport =
  | {
      readonly kind: 'websocket';
      readonly url: string;
      readonly protocol: 'binary' | 'msgpack';
      /** Certificates for wss. */
      readonly tls: ConnectionOptions;
    }
  | { readonly kind: 'serial'; readonly path: string; readonly baud: number }
  | { readonly kind: 'pty' };

/** Start of the tool, and what it touches there. */
export type EmulatorPlace = Pick<EmulatorOptions, 'position' | 'orientation' | 'wall'>;

export interface EmulatorProcessOptions {
  readonly transport: EmulatorTransport;
  /** Options of the robot; the process makes its link. */
  readonly robot: Omit<EmulatorOptions, 'link'>;
  /** Requested priority of the robot's thread; 0 for none. */
  readonly realtime_priority: number;
  /** Suppresses status lines. */
  readonly quiet: boolean;
  /** Ends when standard input closes, because the parent has ended, and takes the places that the parent writes there (PlaceRequest). */
  readonly child: boolean;
  /** Place of a scenario. @throws BerthError for one that cannot be read */
  readonly placeOf: (scenario: string) => EmulatorPlace;
}

/** A line that the parent writes: the robot starts again where the scenario begins. */
export interface PlaceRequest {
  readonly scenario: string;
}

/** Data of the robot's thread. */
export interface RobotThreadData {
  readonly robot: Omit<EmulatorOptions, 'link'>;
  readonly realtime_priority: number;
  /** Words of ControlWord. */
  readonly control: SharedArrayBuffer;
  /** Columns of STATUS_COLUMNS. */
  readonly status: SharedArrayBuffer;
  /** Descriptor of the serial line; −1: frames use the rings. */
  readonly fd: number;
  readonly fromLoop: SharedArrayBuffer;
  readonly toLoop: SharedArrayBuffer;
}

/** Messages of the robot's thread: once at its start, and each time the tool has come to rest. */
export type RobotMessage =
  | { readonly kind: 'ready'; readonly realtime: boolean; readonly reason: string }
  | { readonly kind: 'stopped'; readonly stop: StopReport };

/** Columns that the robot's thread writes each cycle and the main thread reads for its status lines. */
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
export const StatusColumn: NameIndices<typeof STATUS_COLUMNS> = indicesOf(STATUS_COLUMNS);
