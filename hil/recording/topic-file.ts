/**
 * Messages of an MCAP file by topic, decoded by the schemas of the file itself: recordings of every version, simulated runs, closed or
 * not. What cannot be read is counted and passed over.
 */
import { parse } from '@foxglove/rosmsg';
import { MessageReader } from '@foxglove/rosmsg2-serialization';
import { Opcode } from '@mcap/core';
import { setImmediate } from 'node:timers/promises';
import { BerthError } from '../../src/base/errors.ts';
import { readChunk } from './chunk.ts';
import { SIMULATION } from './facts.ts';
import { type HeadReader, readFileHead } from './file-head.ts';
import { McapScan } from './scan-mcap.ts';

/** A decoded message. */
export type Fields = Readonly<Record<string, unknown>>;

/** A message with its log time since the start of the recording, s, and since 1970, ns. */
export interface TimedFields {
  readonly time_s: number;
  readonly time_ns: bigint;
  readonly fields: Fields;
}

/** One topic of a file. */
export interface FileTopic {
  readonly topic: string;
  /** Type as in the file, e.g. `berth_msgs/msg/Tick`. */
  readonly type: string;
  /** Whether messages of the type may differ in the number of their values. */
  readonly varies: boolean;
}

/** An opened file. */
export interface TopicFile {
  readonly path: string;
  /** Topics in the order of the file; those under /berth/record, which are for a replay, are left out. */
  readonly topics: readonly FileTopic[];
  /** Chunks and messages that could not be read by the last `messages`. */
  readonly damaged: number;
  /** Messages of a topic of this file, in the order of the file. */
  messages(topic: string): AsyncIterable<TimedFields>;
}

const START = 'wall_start_ns';
const FOR_REPLAY = '/berth/record/';

interface Entry extends FileTopic {
  readonly id: number;
  readonly reader: MessageReader<Fields>;
}

/** Opens a file. @throws BerthError when it cannot be opened, is no MCAP file, or not one of Berth */
export function openTopics(path: string): TopicFile {
  const { head } = readFileHead(path);
  return new OpenedFile(path, startOf(head, path), entriesOf(head, path));
}

/** Start of the recording, ns since 1970; the time of a simulated run counts from 1970. */
function startOf({ metadata }: HeadReader, path: string): bigint {
  if (metadata.some(({ name }) => name === SIMULATION)) return 0n;
  const start = metadata.map((record) => record.metadata.get(START)).find((text) => text);
  if (start !== undefined && /^\d{1,19}$/.test(start)) return BigInt(start);
  throw new BerthError(
    'BERTH_MISMATCH',
    `FILE: "${path}" is neither a recording of Berth nor a run of "berth simulate": it does not say when it began`,
    { field: 'file' },
  );
}

function entriesOf({ channels, schemas }: HeadReader, path: string): Entry[] {
  return channels
    .filter(({ topic }) => !topic.startsWith(FOR_REPLAY))
    .map(({ id, topic, schemaId }) => {
      const schema = schemas.find((s) => s.id === schemaId);
      try {
        const definitions = parse(new TextDecoder().decode(schema?.data), { ros2: true });
        const varies = definitions.some(({ definitions: fields }) =>
          fields.some(({ isArray, arrayLength }) => isArray === true && arrayLength === undefined),
        );
        const reader = new MessageReader<Fields>(definitions);
        return { id, topic, type: schema?.name ?? '', varies, reader };
      } catch (error) {
        throw new BerthError('BERTH_MISMATCH', `FILE: "${path}" has a damaged schema of ${topic}`, {
          field: 'file',
          cause: error,
        });
      }
    });
}

class OpenedFile implements TopicFile {
  readonly path: string;
  readonly topics: readonly Entry[];
  damaged = 0;
  readonly #start_ns: bigint;

  constructor(path: string, start_ns: bigint, topics: readonly Entry[]) {
    this.path = path;
    this.#start_ns = start_ns;
    this.topics = topics;
  }

  async *messages(topic: string): AsyncGenerator<TimedFields> {
    const entry = this.topics.find((e) => e.topic === topic);
    if (entry === undefined) throw new Error(`No topic ${topic} in ${this.path}`);
    this.damaged = 0;
    const found: TimedFields[] = [];
    const scan = new McapScan(this.path);
    try {
      for (let record = scan.next(); record !== null; record = scan.next()) {
        if (record.opcode !== Opcode.CHUNK) continue;
        found.length = 0;
        await setImmediate();
        const whole = readChunk(record.bytes, ({ channel, logTime, data }) => {
          if (channel === entry.id) this.#take(entry, logTime, data, found);
        });
        if (!whole) this.damaged++;
        yield* found;
      }
    } finally {
      scan.close();
    }
  }

  #take(entry: Entry, time_ns: bigint, data: Uint8Array, into: TimedFields[]): void {
    try {
      const fields = entry.reader.readMessage(data);
      into.push({ time_s: Number(time_ns - this.#start_ns) / 1e9, time_ns, fields });
    } catch {
      this.damaged++; // shorter than its schema states
    }
  }
}
