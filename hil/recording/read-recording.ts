/** Reads a recording back: what was running, and every record in the order in which the loop wrote it. */
import { Opcode } from '@mcap/core';
import { setImmediate } from 'node:timers/promises';
import { Column, OLDER_ROW_WIDTH, ROW_WIDTH } from '../contract/columns.ts';
import {
  SCENE_JOINT,
  SCENE_POINT,
  SCENE_POSE,
  SCENE_WIDTH,
  SceneColumn,
} from '../contract/scene-columns.ts';
import { CdrReader } from './cdr.ts';
import { RECORD_CHANNELS } from './channels.ts';
import { type ChunkMessage, readChunk } from './chunk.ts';
import { type DrawnFacts, drawnFacts, type RecordingFacts, readFacts, SIMULATED } from './facts.ts';
import { readFileHead } from './file-head.ts';
import { type LogRecord, RecordKind } from '../memory/records.ts';
import { chunkTimes, McapScan, type ScannedRecord } from './scan-mcap.ts';

/** An opened recording. */
export interface Recording<F = RecordingFacts> {
  readonly facts: F;
  /** Whether the file was closed in order; an unclosed one ends with the last chunk that is whole. */
  readonly closed: boolean;
  /**
   * Records of every kind of RecordKind in the order of the ring; `bytes` begin at a multiple of 8 in their buffer and stay
   * valid. Where a chunk or a message is damaged there is a GAP record. The time of ROW and SCENE records is rounded to the nanosecond.
   */
  records(part?: RecordingPart): AsyncIterable<LogRecord>;
}

/** A part of a recording: whole chunks with messages in it, and kinds of records. */
export interface RecordingPart {
  /** ns since 1970. */
  readonly from: bigint;
  readonly to: bigint;
  readonly kinds: ReadonlySet<number>;
}

type Decode = (message: CdrReader, time_us: number) => LogRecord;

const readDoubles =
  (kind: number): Decode =>
  (message) => {
    const time_us = message.f64();
    return { kind, time_us, bytes: message.bytes(8 * message.u32(), 8) };
  };
const readFrame =
  (kind: number): Decode =>
  (message) => {
    const time_us = message.f64();
    return { kind, time_us, bytes: message.bytes(message.u32(), 1) };
  };

function skipHeader(message: CdrReader): CdrReader {
  message.u32();
  message.u32();
  message.string();
  return message;
}

const readRow: Decode = (message, time_us) => {
  const older = skipHeader(message).left === 8 * OLDER_ROW_WIDTH;
  const row = new Float64Array(ROW_WIDTH); // of columns that are new since then only these are not 0
  row.fill(NaN, Column.least_distance_m, Column.touch_curvature + 1);
  const bytes = new Uint8Array(row.buffer);
  bytes.set(message.bytes(8 * (older ? OLDER_ROW_WIDTH : ROW_WIDTH), 8));
  return { kind: RecordKind.ROW, time_us, bytes };
};

const readScene: Decode = (message, time_us) => {
  const row = new Float64Array(SCENE_WIDTH);
  const copy = (at: number, width: number, end: number): number => {
    const count = message.u32();
    if (at + count * width > end) throw new RangeError(`${count} entries in a scene`);
    for (let i = 0; i < count * width; i++) row[at + i] = message.f64();
    return count;
  };
  row[SceneColumn.TIME] = skipHeader(message).f64();
  row[SceneColumn.TOUCHING] = message.u32();
  row[SceneColumn.BODIES] = copy(SceneColumn.POSES, SCENE_POSE, SceneColumn.FIRST_POINT);
  row[SceneColumn.POINTS] = copy(SceneColumn.FIRST_POINT, SCENE_POINT, SceneColumn.ARM);
  copy(SceneColumn.ARM, 1, SceneColumn.FIRST_JOINT);
  row[SceneColumn.JOINTS] = copy(SceneColumn.FIRST_JOINT, 1, SceneColumn.FIRST_FACE) / SCENE_JOINT;
  // recordings from before faces end here, and those from before surfaces after them
  if (message.left > 0) copy(SceneColumn.FIRST_FACE, 1, SceneColumn.FIRST_TOUCH);
  if (message.left > 0) copy(SceneColumn.FIRST_TOUCH, 1, SCENE_WIDTH);
  return { kind: RecordKind.SCENE, time_us, bytes: new Uint8Array(row.buffer) };
};

/** How the messages of a topic become records again. */
const DECODERS = new Map<string, Decode>([
  ['/berth/tick', readRow],
  ['/berth/scene', readScene],
]);
const KINDS = new Map<string, number>([
  ['/berth/tick', RecordKind.ROW],
  ['/berth/scene', RecordKind.SCENE],
  ...[...RECORD_CHANNELS].map(([kind, { topic }]) => [topic, kind] as const),
]);
for (const [kind, { topic, schemaName }] of RECORD_CHANNELS) {
  DECODERS.set(topic, (schemaName.endsWith('Frame') ? readFrame : readDoubles)(kind));
}

const gap = (): LogRecord => ({
  kind: RecordKind.GAP,
  time_us: 0,
  bytes: new Uint8Array(8),
});

/** Open a recording, closed or not. @throws BerthError when the file is none, or has no facts of a run */
export function openRecording(path: string): Promise<Recording> {
  return new Promise((resolve) => resolve(readHead(path, readFacts)));
}

/** The same for a picture, of a simulated run as well: a row has the setpoint and the wrench of the model only. @throws BerthError */
export function openDrawn(path: string): Promise<Recording<DrawnFacts>> {
  return new Promise((resolve) => resolve(readHead(path, drawnFacts)));
}

/** Decoders of a simulated run: its topics that rows and scenes are made of. */
function simulatedDecoders(): Map<string, Decode> {
  const row = new Float64Array(ROW_WIDTH);
  const columns =
    (from: number, count: number): Decode =>
    (message, time_us) => {
      skipHeader(message);
      for (let i = 0; i < count; i++) row[from + i] = message.f64();
      return { kind: RecordKind.ROW, time_us, bytes: new Uint8Array(row.slice().buffer) };
    };
  return new Map([
    ['/berth/setpoint', columns(Column.setpoint_p_x_m, 7)],
    ['/berth/wrench_model', columns(Column.model_force_x_N, 6)],
    ['/berth/scene', readScene],
  ]);
}

function readHead<F extends DrawnFacts>(
  path: string,
  factsOf: (...head: Parameters<typeof readFacts>) => F,
): Recording<F> {
  const { head, closed } = readFileHead(path);
  const facts = factsOf(head.metadata, head.attachments);
  const decoders = new Map<number, Decode>();
  const isSimulated = facts.mode === SIMULATED;
  const known = isSimulated ? simulatedDecoders() : DECODERS;
  for (const { id, topic } of head.channels) {
    const decode = known.get(topic);
    if (decode !== undefined) decoders.set(id, decode);
  }
  const kindOf = new Map(
    head.channels.map(({ id, topic }) => [
      id,
      KINDS.get(topic) ?? (isSimulated ? RecordKind.ROW : undefined),
    ]),
  );
  return {
    facts,
    closed,
    records: (part) => {
      const wanted = [...decoders].filter(([id]) => part?.kinds.has(kindOf.get(id) ?? -1) ?? true);
      return readRecords(path, facts, new Map(wanted), part);
    },
  };
}

function hasPart(chunk: ScannedRecord, part: RecordingPart | undefined): boolean {
  const times = part === undefined ? null : chunkTimes(chunk);
  return part === undefined || times === null || (times[0] <= part.to && times[1] >= part.from);
}

async function* readRecords(
  path: string,
  facts: DrawnFacts,
  decoders: ReadonlyMap<number, Decode>,
  part?: RecordingPart,
): AsyncGenerator<LogRecord> {
  const scan = new McapScan(path);
  const records: LogRecord[] = [];
  const take = (message: ChunkMessage): void => {
    const elapsed_us = Number(message.publishTime - facts.wallStart_ns) / 1000;
    const decode = decoders.get(message.channel);
    if (decode === undefined) return;
    try {
      records.push(decode(new CdrReader(message.data), facts.loopStart_us + elapsed_us));
    } catch {
      records.push(gap()); // shorter than its header states
    }
  };
  try {
    for (let record = scan.next(); record !== null; record = scan.next()) {
      if (record.opcode !== Opcode.CHUNK || !hasPart(record, part)) continue;
      records.length = 0;
      await setImmediate(); // others have their turn while a long recording is read
      if (!readChunk(record.bytes, take)) {
        records.push(gap());
      }
      yield* records;
    }
  } finally {
    scan.close();
  }
}
