/**
 * The table of channels: topic, schema and encoder of everything that a recording and the live view show. Channels of a
 * telemetry row, of a scene row, of an event and of a hand-controller reading are for people and ROS tools. Those under
 * /berth/record carry the remaining records as they are, for a replay.
 */
import { COMMAND_ARGUMENT, InputArgument } from '../contract/commands.ts';
import { Column, type ColumnName, ROW_WIDTH } from '../contract/columns.ts';
import {
  type ModelNames,
  SCENE_ARM,
  SCENE_FACE,
  SCENE_JOINT,
  SCENE_POINT,
  SCENE_POSE,
  SceneColumn,
  touchNumbers,
} from '../contract/scene-columns.ts';
import { CdrWriter } from './cdr.ts';
import { eventLevel, eventWords } from './event-words.ts';
import { RecordKind } from '../memory/records.ts';
import { schemaName, schemaText } from './ros-schemas.ts';
import type { Stamp } from './stamp.ts';

/** What a message is made of: a telemetry row, a scene row, an event record, an INPUT command, a record as it is, or the model. */
export type Source = 'row' | 'scene' | 'event' | 'input' | 'record' | 'drawing';

/** One channel. */
export interface Channel {
  readonly topic: string;
  /** ROS 2 name, e.g. `geometry_msgs/msg/PoseStamped`. */
  readonly schemaName: string;
  readonly schema: string;
  readonly encoding: 'cdr';
  readonly schemaEncoding: 'ros2msg';
  readonly source: Source;
}

/** `names`: those of the model that the numbers of scene rows and events stand for. */
type Write = (to: CdrWriter, values: Float64Array, stamp: Stamp, names: ModelNames) => void;

/** A channel whose messages are made of numbers. */
export interface NumberChannel extends Channel {
  readonly source: Exclude<Source, 'record' | 'drawing'>;
  /** Write the message into `to`. */
  readonly write: Write;
}

/** The frame that poses, twists and wrenches are in, and ready as a CDR string. */
export const FRAME = 'base';
const FRAME_ID = new TextEncoder().encode(`${FRAME}\0`);

function header(to: CdrWriter, stamp: Stamp): CdrWriter {
  return to.i32(stamp.sec).u32(stamp.nanosec).u32(FRAME_ID.length).bytes(FRAME_ID);
}

function channel<S extends Source>(
  topic: string,
  type: string,
  source: S,
): Channel & { source: S } {
  return {
    topic,
    schemaName: schemaName(type),
    schema: schemaText(type),
    encoding: 'cdr',
    schemaEncoding: 'ros2msg',
    source,
  };
}

/** A header, then columns of the telemetry row as they lie. */
function columns(topic: string, type: string, first: ColumnName, count: number): NumberChannel {
  const from = Column[first];
  return {
    ...channel(topic, type, 'row'),
    write: (to, row, stamp) => void header(to, stamp).doubles(row, from, count),
  };
}

/** The ledger of the model, then what crossed the contact and what the guard did; both as they lie in the row. */
const LEDGER = Column.energy_kinetic_J;
const LEDGER_COUNT = 6;
/** First column of the energy of the loop, and how many there are. */
export const LOOP_ENERGY: number = Column.energy_in_J;
export const LOOP_ENERGY_COUNT: number = Column.tank_J + 1 - LOOP_ENERGY;
const writeEnergy: Write = (to, row, stamp) => {
  header(to, stamp).doubles(row, LEDGER, LEDGER_COUNT).doubles(row, LOOP_ENERGY, LOOP_ENERGY_COUNT);
};

/** Calibrated axes −1 … 1; buttons are deadman, coarse gear and frame (0 base, 1 tool, 2 camera). */
const writeInput: Write = (to, command, stamp) => {
  header(to, stamp).u32(6);
  for (let i = 0; i < 6; i++) to.f32(command[COMMAND_ARGUMENT + InputArgument.axis_x + i]);
  to.u32(3);
  for (let i = 0; i < 3; i++) to.i32(command[COMMAND_ARGUMENT + InputArgument.deadman + i]);
};

const writeScene: Write = (to, row, stamp) => {
  const bodies = row[SceneColumn.BODIES];
  const points = row[SceneColumn.POINTS];
  header(to, stamp).f64(row[SceneColumn.TIME]).u32(row[SceneColumn.TOUCHING]);
  to.u32(bodies).doubles(row, SceneColumn.POSES, bodies * SCENE_POSE);
  to.u32(points).doubles(row, SceneColumn.FIRST_POINT, points * SCENE_POINT);
  const joints = row[SceneColumn.JOINTS];
  const arm = joints > 0 ? SCENE_ARM : 0;
  to.u32(arm).doubles(row, SceneColumn.ARM, arm);
  to.u32(joints * SCENE_JOINT).doubles(row, SceneColumn.FIRST_JOINT, joints * SCENE_JOINT);
  to.u32(points * SCENE_FACE).doubles(row, SceneColumn.FIRST_FACE, points * SCENE_FACE);
  const touches = touchNumbers(row);
  to.u32(touches).doubles(row, SceneColumn.FIRST_TOUCH, touches);
};

/** Frame of a body; one that has the name of the base frame gets another, as no frame is in itself. */
export const frameOf = (name: string): string => (name === FRAME ? `${FRAME} body` : name);

/** A frame a body. */
const writeFrames: Write = (to, row, stamp, names) => {
  const bodies = row[SceneColumn.BODIES];
  to.u32(bodies);
  for (let b = 0; b < bodies; b++) {
    header(to, stamp).string(frameOf(names.bodies[b]));
    to.doubles(row, SceneColumn.POSES + b * SCENE_POSE, SCENE_POSE);
  }
};

/** One line of the log. */
export function writeLog(to: CdrWriter, stamp: Stamp, level: number, text: string): void {
  to.i32(stamp.sec).u32(stamp.nanosec).u8(level);
  to.string('berth').string(text).string('').string('').u32(0);
}

const writeEvent: Write = (to, event, stamp, names) => {
  writeLog(to, stamp, eventLevel(event), eventWords(event, names));
};

/** Channels of numbers; those of the telemetry row first. */
export const NUMBER_CHANNELS: readonly NumberChannel[] = [
  columns('/berth/setpoint', 'geometry_msgs/PoseStamped', 'setpoint_p_x_m', 7),
  columns('/berth/measured', 'geometry_msgs/PoseStamped', 'measured_p_x_m', 7),
  columns('/berth/setpoint_twist', 'geometry_msgs/TwistStamped', 'setpoint_v_x_mps', 6),
  columns('/berth/setpoint_wrench', 'geometry_msgs/WrenchStamped', 'setpoint_force_x_N', 6),
  columns('/berth/wrench_raw', 'geometry_msgs/WrenchStamped', 'measured_force_x_N', 6),
  columns('/berth/wrench_model', 'geometry_msgs/WrenchStamped', 'model_force_x_N', 6),
  columns('/berth/wrench_comp', 'geometry_msgs/WrenchStamped', 'compensation_force_x_N', 6),
  columns('/berth/wrench_guard', 'geometry_msgs/WrenchStamped', 'guard_force_x_N', 6),
  columns('/berth/command', 'geometry_msgs/TwistStamped', 'command_v_x_mps', 6),
  { ...channel('/berth/energy', 'berth_msgs/Energy', 'row'), write: writeEnergy },
  columns('/berth/tick', 'berth_msgs/Tick', 'tick', ROW_WIDTH),
  { ...channel('/berth/scene', 'berth_msgs/Scene', 'scene'), write: writeScene },
  { ...channel('/tf', 'tf2_msgs/TFMessage', 'scene'), write: writeFrames },
  { ...channel('/berth/events', 'rcl_interfaces/Log', 'event'), write: writeEvent },
  { ...channel('/berth/operator', 'sensor_msgs/Joy', 'input'), write: writeInput },
];

const doubles = (name: string): Channel =>
  channel(`/berth/record/${name}`, 'berth_msgs/Doubles', 'record');
const frame = (name: string): Channel =>
  channel(`/berth/record/${name}`, 'berth_msgs/Frame', 'record');

/** Records that are written as they are. Rows and scenes are in /berth/tick and /berth/scene. */
export const RECORD_CHANNELS: ReadonlyMap<number, Channel> = new Map([
  [RecordKind.TICK, doubles('tick_inputs')],
  [RecordKind.FRAME_IN, frame('frame_in')],
  [RecordKind.FRAME_OUT, frame('frame_out')],
  [RecordKind.COMMAND, doubles('command')],
  [RecordKind.EVENT, doubles('event')],
  [RecordKind.STATE, doubles('state')],
  [RecordKind.GAP, doubles('gap')],
  [RecordKind.NONCE, doubles('nonce')],
  [RecordKind.LAYOUT, frame('layout')],
]);

/** What the console draws, for Foxglove's 3-D panel: bodies with every STATE record, forces with every scene row. */
export const BODIES_CHANNEL: Channel = channel(
  '/berth/bodies',
  'foxglove_msgs/SceneUpdate',
  'drawing',
);
export const FORCES_CHANNEL: Channel = channel(
  '/berth/forces',
  'foxglove_msgs/SceneUpdate',
  'drawing',
);

/** Every channel of a recording; a live view offers those of rows, scenes and events. */
export const CHANNELS: readonly Channel[] = [
  ...NUMBER_CHANNELS,
  ...RECORD_CHANNELS.values(),
  BODIES_CHANNEL,
  FORCES_CHANNEL,
];

/** Encodes messages of one channel into a buffer of its own, used again for each. */
export class MessageEncoder {
  readonly #writer = new CdrWriter();
  readonly #write: Write;

  constructor(of: NumberChannel) {
    this.#write = of.write;
  }

  /**
   * Message of a row, scene row, event or command; `names` are those of the model.
   * @returns view into the buffer, valid until the next call
   */
  encode(values: Float64Array, stamp: Stamp, names: ModelNames): Uint8Array {
    this.#write(this.#writer.begin(), values, stamp, names);
    return this.#writer.end();
  }
}
