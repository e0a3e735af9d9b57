/**
 * Makes messages of the records of the loop, gathers them in chunks of at most 256 KB and 1 s, and decides which file they go to.
 * `continuous` writes all of them, `on-fault` keeps the last seconds in memory and writes those around a fault. A STATE record
 * begins a chunk, and every file, so that a file or an excerpt replays from its beginning.
 *
 * Nothing here waits for the disk: when it does not follow, new records are lost, counted, and a GAP stands in their place.
 */
import type { Settings } from '../../config/settings.ts';
import { EventColumn, EventKind } from '../contract/events.ts';
import { CommandKind } from '../contract/commands.ts';
import { FAULT_CODES, FaultCode, SAFETY_STATES } from '../contract/codes.ts';
import { TRANSITIONS } from '../safety/transitions.ts';
import { type ModelNames, modelNames } from '../contract/scene-columns.ts';
import { CdrWriter } from './cdr.ts';
import { channelTables } from './channel-tables.ts';
import {
  BODIES_CHANNEL,
  CHANNELS,
  FORCES_CHANNEL,
  FRAME,
  frameOf,
  NUMBER_CHANNELS,
  type NumberChannel,
  RECORD_CHANNELS,
  type Source,
  writeLog,
} from './channels.ts';
import { possibleCompression } from './chunk-codec.ts';
import { CHUNK_BYTES, Chunk, type ChunkMessage } from './chunk.ts';
import type { Disk } from './disk.ts';
import { LogLevel } from './event-words.ts';
import { type RecordingFacts, factsAttachments, factsMetadata } from './facts.ts';
import { Block, FileQueue } from './file-queue.ts';
import type { FileHead } from './mcap-file.ts';
import { type LogRecord, RecordKind, STATE_INTERVAL_S } from '../memory/records.ts';
import { type Retention, recordingName } from './retention.ts';
import { type DrawnEntity, entitiesOf, writeBodies, writeForces } from './scene-update.ts';
import { Stamp } from './stamp.ts';

/** Oldest data that a chunk may hold, with some time to write it before the second is over. */
const CHUNK_AGE_US = 0.8e6;
/** Time for which losses are shown as a failure. */
const FAILED_US = 2e6;
/** Chunks that may wait for the disk: some seconds of a loop at 1 kHz. */
const QUEUE_BLOCKS = 48;
/** More than a tick ever takes: records of a period of a contact task at 1 kHz take 2.5 kB. */
const BYTES_PER_TICK = 4000;

/** Causes after which the surroundings of a fault are worth keeping: those that stop the arm, but no ordinary shutdown. */
const EXCERPT_CAUSES: ReadonlySet<number> = new Set(
  TRANSITIONS.flatMap(({ cause, latch }) =>
    cause !== null && latch ? [FaultCode[cause]] : [],
  ).filter((code) => code !== FaultCode.SHUTDOWN),
);

/** `armed` waits for a fault, `fault` writes what surrounds one. */
export type RecorderState = 'armed' | 'recording' | 'fault' | 'failed';

/** Options of a recorder. */
export interface RecorderOptions {
  readonly settings: Settings['recording'];
  readonly facts: RecordingFacts;
  readonly disk: Disk;
  readonly retention: Retention;
  /** Name of the one file, of what came before a fault; by time, scenario and part when left out. */
  readonly file?: string;
  /** Ask the loop for a STATE record. */
  readonly requestState: () => void;
  readonly onWrite: (bytes: number, duration_s: number) => void;
  readonly onTrouble: (message: string) => void;
}

interface Output {
  readonly channel: number;
  readonly write: NumberChannel['write'];
}
const outputs = (source: Source): readonly Output[] =>
  NUMBER_CHANNELS.flatMap((c, channel) =>
    c.source === source ? [{ channel, write: c.write }] : [],
  );
const OUTPUTS = {
  row: outputs('row'),
  scene: outputs('scene'),
  event: outputs('event'),
  input: outputs('input'),
};
const EVENTS_CHANNEL = OUTPUTS.event[0].channel;
const BODIES = CHANNELS.indexOf(BODIES_CHANNEL);
const FORCES = CHANNELS.indexOf(FORCES_CHANNEL);
const recordChannel = (kind: number): number => CHANNELS.indexOf(RECORD_CHANNELS.get(kind)!);
const RECORD_IDS = new Map([...RECORD_CHANNELS.keys()].map((kind) => [kind, recordChannel(kind)]));
const BYTE_KINDS: readonly number[] = [
  RecordKind.FRAME_IN,
  RecordKind.FRAME_OUT,
  RecordKind.LAYOUT,
];
const NO_VALUES = new Float64Array(0);

const TABLES = channelTables(CHANNELS);

/** Recorder of the loop: turns records into chunks and assigns the chunks to files. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #continuous: boolean;
  readonly #stamp: Stamp;
  readonly #writer = new CdrWriter();
  readonly #names: ModelNames;
  readonly #entities: readonly DrawnEntity[];
  /** The next scene has the bodies before it: the first after a STATE record, and so the first of a file. */
  #drawing = true;
  readonly #message: ChunkMessage;
  readonly #queue: FileQueue;
  readonly #free: Block[] = [];
  readonly #gap = new Chunk();
  /** Blocks before a fault, oldest first. */
  #kept: Block[] = [];
  #blocksLeft: number;
  #block: Block | null = null;
  /** Records lost for lack of a block: all, and since the last block. */
  #lost = 0;
  #lostNow = 0;
  #lostAt_us = -Infinity;
  /** Newest time from `poll` or a record, µs. */
  #now_us = 0;
  #tick = 0;
  #part = 0;
  #partBytes = 0;
  #rotating = false;
  /** End of the excerpt that is written, µs of the loop clock; NaN for none. */
  #until_us = NaN;

  constructor(options: RecorderOptions) {
    const { settings, facts } = options;
    this.#options = options;
    this.#continuous = settings.mode === 'continuous';
    this.#stamp = new Stamp(facts.wallStart_ns, facts.loopStart_us);
    this.#names = modelNames(facts.model);
    this.#entities = entitiesOf(facts.model, facts.scenario);
    this.#message = {
      channel: 0,
      sequence: 0,
      logTime: 0n,
      publishTime: 0n,
      data: new Uint8Array(),
    };
    const kept_s = this.#continuous ? 0 : settings.before_fault_s + 2 * STATE_INTERVAL_S;
    const kept =
      (kept_s * BYTES_PER_TICK) / facts.settings.loop.period_s / CHUNK_BYTES + 2 * kept_s;
    this.#blocksLeft = QUEUE_BLOCKS + Math.ceil(kept);
    this.#queue = new FileQueue({
      disk: options.disk,
      folder: settings.folder,
      kind: options.file === undefined ? 'flight' : 'freeze',
      retention: options.retention,
      compression: possibleCompression(settings.compression),
      rotate_bytes: settings.rotate_bytes,
      makeGap: (lost, next) => this.#makeGap(lost, next),
      release: (block) => this.#release(block),
      onWrite: options.onWrite,
      onTrouble: options.onTrouble,
    });
    options.requestState();
    if (this.#continuous) this.#begin(facts.wallStart_ns, '');
  }

  /**
   * Take the memory of all blocks that may wait for the disk, some 18 MB. Without it the recorder takes a block whenever the disk
   * is further behind than ever before, and the process grows for hours until all are there.
   */
  reserve(): void {
    for (let n = 0; n < QUEUE_BLOCKS; n++) {
      const block = this.#makeBlock();
      block.chunk.touch();
      this.#free.push(block);
    }
  }

  /** Records lost here. */
  get lost(): number {
    return this.#lost + this.#queue.lost;
  }

  /** Share of the blocks that wait for the disk, 0 to 1. */
  get queueRatio(): number {
    return Math.min(1, this.#queue.waiting / QUEUE_BLOCKS);
  }

  /** Name of the file that is written; '' for none. */
  get file(): string {
    return this.#queue.file;
  }

  get state(): RecorderState {
    if (this.#queue.failed || this.#now_us - this.#lostAt_us < FAILED_US) return 'failed';
    if (this.#continuous) return 'recording';
    return Number.isNaN(this.#until_us) ? 'armed' : 'fault';
  }

  /** Take one record; its bytes may be used again afterwards. */
  take(record: LogRecord): void {
    const { kind, bytes } = record;
    // what the loop reports before its first tick has no time yet
    const time_us = Math.max(record.time_us, this.#options.facts.loopStart_us);
    if (kind === RecordKind.STATE) this.#atState();
    if (time_us > this.#until_us) this.#endExcerpt();
    const values = BYTE_KINDS.includes(kind)
      ? NO_VALUES
      : new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length >> 3);
    if (kind === RecordKind.TICK) this.#tick = values[0];
    if (!this.#write(record, time_us, values)) this.#lose();
    else if (this.#block !== null) {
      this.#block.records++;
      if (kind === RecordKind.STATE) this.#block.hasState = true;
    }
    if (kind === RecordKind.EVENT) this.#atEvent(values, time_us);
  }

  /** A line of the log beside the events of the loop. Loop clock, µs. */
  note(text: string, level: number, time_us: number): void {
    this.#stamp.set(time_us);
    writeLog(this.#writer.begin(), this.#stamp, level, text);
    this.#add(EVENTS_CHANNEL, time_us);
  }

  /** Now and then, at least every 100 ms: end a chunk that is old enough. Loop clock, µs. */
  poll(now_us: number): void {
    this.#now_us = now_us;
    if (now_us > this.#until_us) this.#endExcerpt();
    if (this.#block !== null && now_us - this.#block.start_us > CHUNK_AGE_US) this.#cut();
  }

  /** A metadata record in the file. */
  mark(name: string, metadata: Readonly<Record<string, string>>): void {
    this.#cut();
    this.#queue.metadata({ name, metadata: new Map(Object.entries(metadata)) });
  }

  /** Write what is left and close the file. */
  async close(): Promise<void> {
    if (this.#continuous || !Number.isNaN(this.#until_us)) {
      this.#cut();
      this.#queue.end();
    }
    await this.#queue.idle();
  }

  /** All messages of a record. @returns false when one found no room */
  #write(record: LogRecord, time_us: number, values: Float64Array): boolean {
    const { kind, bytes } = record;
    if (kind === RecordKind.ROW) return this.#addAll(OUTPUTS.row, values, time_us);
    if (kind === RecordKind.SCENE) return this.#addScene(values, time_us);
    if (kind === RecordKind.EVENT) this.#addAll(OUTPUTS.event, values, time_us);
    if (kind === RecordKind.COMMAND && values[0] === CommandKind.INPUT) {
      this.#addAll(OUTPUTS.input, values, time_us);
    }
    const channel = RECORD_IDS.get(kind);
    if (channel === undefined) return true;
    this.#stamp.set(time_us);
    const writer = this.#writer.begin().f64(record.time_us);
    if (BYTE_KINDS.includes(kind)) writer.u32(bytes.length).bytes(bytes);
    else writer.u32(values.length).doubles(values, 0, values.length);
    return this.#add(channel, time_us);
  }

  #addScene(values: Float64Array, time_us: number): boolean {
    this.#stamp.set(time_us);
    let done = true;
    if (this.#drawing) {
      this.#drawing = false;
      writeBodies(this.#writer.begin(), this.#stamp, this.#entities, frameOf);
      done = this.#add(BODIES, time_us);
    }
    done = this.#addAll(OUTPUTS.scene, values, time_us) && done;
    writeForces(this.#writer.begin(), this.#stamp, values, FRAME);
    return this.#add(FORCES, time_us) && done;
  }

  #addAll(to: readonly Output[], values: Float64Array, time_us: number): boolean {
    this.#stamp.set(time_us);
    let done = true;
    for (const { channel, write } of to) {
      write(this.#writer.begin(), values, this.#stamp, this.#names);
      done = this.#add(channel, time_us) && done;
    }
    return done;
  }

  /** Append the message in the writer. Log times never go back, so that a file sorted by time is in the order of the loop. */
  #add(channel: number, time_us: number): boolean {
    const message = this.#message;
    message.channel = channel;
    message.sequence = this.#tick >>> 0; // 32 bits in the file, full after 50 days at 1 kHz
    message.publishTime = this.#stamp.nanoseconds;
    if (message.publishTime > message.logTime) message.logTime = message.publishTime;
    message.data = this.#writer.end();
    if (this.#block?.chunk.add(message) === true) return true;
    this.#cut();
    this.#block = this.#takeBlock(time_us);
    return this.#block?.chunk.add(message) === true;
  }

  #takeBlock(time_us: number): Block | null {
    const block = this.#free.pop() ?? (this.#blocksLeft > 0 ? this.#makeBlock() : null);
    if (block === null) return null;
    block.chunk.clear();
    block.records = 0;
    block.hasState = false;
    block.start_us = time_us;
    block.lostBefore = this.#lostNow;
    if (this.#lostNow > 0) this.#options.requestState();
    this.#lostNow = 0;
    return block;
  }

  #makeBlock(): Block {
    this.#blocksLeft--;
    return new Block(new Chunk());
  }

  #lose(): void {
    this.#lost++;
    this.#lostNow++;
    this.#lostAt_us = this.#now_us;
  }

  /** The present chunk is complete. */
  #cut(): void {
    const block = this.#block;
    this.#block = null;
    if (block === null) return;
    if (!this.#continuous && Number.isNaN(this.#until_us)) {
      this.#kept.push(block);
      this.#forget(block.start_us - 1e6 * this.#options.settings.before_fault_s);
      return;
    }
    this.#give(block);
    const { rotate_bytes } = this.#options.settings;
    if (this.#continuous && !this.#rotating && this.#partBytes > rotate_bytes) {
      this.#rotating = true;
      this.#options.requestState();
    }
  }

  #give(block: Block): void {
    block.part = this.#part;
    this.#queue.write(block);
  }

  #release(block: Block): void {
    if (block.part === this.#part) this.#partBytes += block.written;
    this.#free.push(block);
  }

  /** Let go what is older than a moment, but keep the newest STATE before it. */
  #forget(before_us: number): void {
    const kept = this.#kept;
    for (let i = kept.length - 1; i > 0; i--) {
      if (!kept[i].hasState || kept[i].start_us > before_us) continue;
      this.#free.push(...kept.splice(0, i));
      break;
    }
  }

  #atState(): void {
    this.#drawing = true;
    this.#cut();
    if (!this.#rotating) return;
    this.#rotating = false;
    this.#queue.end();
    this.#begin(this.#options.facts.wallStart_ns, '');
  }

  #atEvent(event: Float64Array, time_us: number): void {
    if (
      event[EventColumn.kind] !== EventKind.TRANSITION ||
      !EXCERPT_CAUSES.has(event[EventColumn.c])
    )
      return;
    const code = FAULT_CODES[event[EventColumn.c]];
    const wall = this.#stamp.set(time_us).nanoseconds;
    if (!this.#continuous) {
      if (Number.isNaN(this.#until_us)) {
        this.#begin(wall, `fault-${code}`);
        for (const block of this.#kept) this.#give(block);
        this.#kept = [];
      }
      this.#until_us = time_us + 1e6 * this.#options.settings.after_fault_s;
    }
    this.#queue.metadata({
      name: 'fault',
      metadata: new Map([
        ['code', code],
        ['to', SAFETY_STATES[event[EventColumn.b]]],
        ['tick', String(event[EventColumn.tick])],
        ['time_s', String(event[EventColumn.time_s])],
        ['log_time_ns', String(wall)],
      ]),
    });
  }

  #endExcerpt(): void {
    this.#cut();
    this.#until_us = NaN;
    this.#queue.end();
    this.#options.requestState();
  }

  /** Begin a file; parts of a continuous recording are numbered. */
  #begin(wall_ns: bigint, excerpt: string): void {
    const { facts } = this.#options;
    this.#partBytes = 0;
    const part = excerpt === '' ? String(++this.#part).padStart(3, '0') : excerpt;
    const head: FileHead = {
      library: `berth ${facts.version}`,
      metadata: [factsMetadata(facts, part)],
      attachments: factsAttachments(facts),
      ...TABLES,
    };
    const name = this.#options.file ?? recordingName(wall_ns, facts.scenario, part);
    this.#queue.begin(name, head);
  }

  /** A chunk that reports records lost before another. */
  #makeGap(lost: number, next: Chunk): { chunk: Chunk; bytes: Uint8Array } {
    this.#options.requestState();
    const chunk = this.#gap;
    chunk.clear();
    const time = next.start;
    const stamp = new Stamp(time, 0).set(0);
    const writer = new CdrWriter();
    const add = (channel: number): void => {
      const data = writer.end();
      chunk.add({ channel, sequence: this.#tick >>> 0, logTime: time, publishTime: time, data });
    };
    const time_us = Number(time - this.#options.facts.wallStart_ns) / 1000;
    writer
      .begin()
      .f64(this.#options.facts.loopStart_us + time_us)
      .u32(1)
      .f64(this.lost);
    add(recordChannel(RecordKind.GAP));
    const text = `${lost} records are missing here: the disk did not take them in time`;
    writeLog(writer.begin(), stamp, LogLevel.ERROR, text);
    add(EVENTS_CHANNEL);
    return { chunk, bytes: chunk.finish() };
  }
}
