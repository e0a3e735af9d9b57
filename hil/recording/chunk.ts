/**
 * One chunk of an MCAP file, put together in place. Messages are appended as they come, and the whole block, with the index of its
 * messages behind it, is written in one piece. (The writer of @mcap/core takes a promise and several bigints a message and ends a
 * chunk by size alone. A recorder must also end it by time, and drop it as a whole when the disk does not follow.) Layout:
 * https://mcap.dev/spec, records Chunk, Message and Message Index.
 */
import { Opcode } from '@mcap/core';
import { crc32 } from 'node:zlib';
import { type Compression, pack, unpack } from './chunk-codec.ts';

/** Most bytes of messages in a chunk, unless a single message is longer. */
export const CHUNK_BYTES: number = 256 * 1024;
const MESSAGE: number = Opcode.MESSAGE;
const MOST_MESSAGES = 4096;
const MOST_CHANNELS = 64;

/** Chunk record before its messages: opcode, length, start, end, size, CRC, length of the name of the compression (here none), size. */
const HEAD = 1 + 8 + 8 + 8 + 8 + 4 + 4 + 8;
/** Message record before its data: opcode, length, channel, sequence, log time, publish time. */
export const MESSAGE_HEAD: number = 1 + 8 + 2 + 4 + 8 + 8;
/** Message Index record before its entries: opcode, length, channel, bytes of entries. */
const INDEX_HEAD = 1 + 8 + 2 + 4;
const INDEX_ENTRY = 16;
const INDEX_BYTES = MOST_MESSAGES * INDEX_ENTRY + MOST_CHANNELS * INDEX_HEAD;

/** One message to be written. */
export interface ChunkMessage {
  /** Below 64. */
  channel: number;
  sequence: number;
  /** ns since 1970. */
  logTime: bigint;
  publishTime: bigint;
  data: Uint8Array;
}

/** A chunk that grows, is finished, written and used again. */
export class Chunk {
  messages = 0;
  /** Least and greatest log time, ns. */
  start = 0n;
  end = 0n;
  /** Messages of each channel. */
  readonly counts = new Uint32Array(MOST_CHANNELS);
  /** Place of each channel's index behind the beginning of the chunk record; −1 without messages. Set by `finish`. */
  readonly indexAt = new Int32Array(MOST_CHANNELS);
  /** Bytes of the chunk record and of the index records. Set by `finish`. */
  chunkLength = 0;
  indexLength = 0;
  /** How the messages are packed, and the bytes that they take so. Set by `finish`. */
  compression: Compression = '';
  packedSize = 0;
  #room = CHUNK_BYTES;
  #buffer = Buffer.allocUnsafeSlow(HEAD + CHUNK_BYTES + INDEX_BYTES);
  #at = HEAD;
  readonly #times = new BigUint64Array(MOST_MESSAGES);
  readonly #places = new Uint32Array(MOST_MESSAGES);
  readonly #channels = new Uint8Array(MOST_MESSAGES);

  /** Write to all of its memory, so that the system provides it now. Only before the first message. */
  touch(): void {
    this.#buffer.fill(0);
    this.#times.fill(0n);
    this.#places.fill(0);
    this.#channels.fill(0);
  }

  /** Bytes of messages so far. */
  get size(): number {
    return this.#at - HEAD;
  }

  /** Forget everything. */
  clear(): void {
    this.messages = 0;
    this.counts.fill(0);
    this.#at = HEAD;
    this.#room = CHUNK_BYTES;
  }

  /** Append a message. @returns false when there is no room: finish the chunk first */
  add(message: ChunkMessage): boolean {
    const { data, logTime } = message;
    const bytes = MESSAGE_HEAD + data.length;
    if (this.messages === MOST_MESSAGES) return false;
    if (this.size + bytes > this.#room) {
      if (this.messages > 0) return false;
      this.#grow(bytes);
    }
    const buffer = this.#buffer;
    const at = this.#at;
    buffer[at] = Opcode.MESSAGE;
    buffer.writeUInt32LE(bytes - 9, at + 1);
    buffer.writeUInt32LE(0, at + 5);
    buffer.writeUInt16LE(message.channel, at + 9);
    buffer.writeUInt32LE(message.sequence, at + 11);
    buffer.writeBigUInt64LE(logTime, at + 15);
    buffer.writeBigUInt64LE(message.publishTime, at + 23);
    buffer.set(data, at + MESSAGE_HEAD);
    const n = this.messages++;
    this.#times[n] = logTime;
    this.#places[n] = at - HEAD;
    this.#channels[n] = message.channel;
    this.counts[message.channel]++;
    if (n === 0 || logTime < this.start) this.start = logTime;
    if (n === 0 || logTime > this.end) this.end = logTime;
    this.#at = at + bytes;
    return true;
  }

  #grow(least: number): void {
    this.#room = least;
    const needed = HEAD + least + INDEX_BYTES;
    if (this.#buffer.length < needed) this.#buffer = Buffer.allocUnsafeSlow(needed);
  }

  /** Complete the chunk and its index, packed where that makes it smaller. @returns both, in the chunk's own buffer */
  finish(compression: Compression = ''): Uint8Array {
    const buffer = this.#buffer;
    const size = this.size;
    const checksum = crc32(buffer.subarray(HEAD, HEAD + size));
    const packed = compression === '' ? null : pack(buffer.subarray(HEAD, HEAD + size));
    const head = HEAD + compression.length;
    const isPacked = packed !== null && head + packed.length < HEAD + size;
    if (isPacked) packed.copy(buffer, head);
    this.compression = isPacked ? compression : '';
    this.packedSize = isPacked ? packed.length : size;
    const name = this.compression;
    buffer[0] = Opcode.CHUNK;
    buffer.writeBigUInt64LE(BigInt(HEAD - 9 + name.length + this.packedSize), 1);
    buffer.writeBigUInt64LE(this.start, 9);
    buffer.writeBigUInt64LE(this.end, 17);
    buffer.writeBigUInt64LE(BigInt(size), 25);
    buffer.writeUInt32LE(checksum, 33);
    buffer.writeUInt32LE(name.length, 37);
    buffer.write(name, 41, 'latin1');
    buffer.writeBigUInt64LE(BigInt(this.packedSize), 41 + name.length);
    this.chunkLength = HEAD + name.length + this.packedSize;
    this.#writeIndex(this.chunkLength);
    return buffer.subarray(0, this.chunkLength + this.indexLength);
  }

  /** One index record for each channel with messages. */
  #writeIndex(from: number): void {
    const buffer = this.#buffer;
    const next = new Uint32Array(MOST_CHANNELS);
    let at = from;
    for (let channel = 0; channel < MOST_CHANNELS; channel++) {
      const bytes = this.counts[channel] * INDEX_ENTRY;
      this.indexAt[channel] = bytes === 0 ? -1 : at;
      if (bytes === 0) continue;
      buffer[at] = Opcode.MESSAGE_INDEX;
      buffer.writeBigUInt64LE(BigInt(INDEX_HEAD - 9 + bytes), at + 1);
      buffer.writeUInt16LE(channel, at + 9);
      buffer.writeUInt32LE(bytes, at + 11);
      next[channel] = at + INDEX_HEAD;
      at += INDEX_HEAD + bytes;
    }
    for (let n = 0; n < this.messages; n++) {
      const place = next[this.#channels[n]];
      buffer.writeBigUInt64LE(this.#times[n], place);
      buffer.writeUInt32LE(this.#places[n], place + 8);
      buffer.writeUInt32LE(0, place + 12);
      next[this.#channels[n]] = place + INDEX_ENTRY;
    }
    this.indexLength = at - from;
  }
}

/** The messages of a whole Chunk record (opcode and length included) in order; `visit` gets views. @returns false when the CRC or the layout is wrong: nothing was visited */
export function readChunk(record: Buffer, visit: (message: ChunkMessage) => void): boolean {
  const records = recordsOf(record);
  if (records === null || !isWellFormed(records)) return false;
  for (let at = 0; at < records.length; at = endOf(records, at)) {
    if (records[at] !== MESSAGE) continue;
    visit({
      channel: records.readUInt16LE(at + 9),
      sequence: records.readUInt32LE(at + 11),
      logTime: records.readBigUInt64LE(at + 15),
      publishTime: records.readBigUInt64LE(at + 23),
      data: records.subarray(at + MESSAGE_HEAD, endOf(records, at)),
    });
  }
  return true;
}

/** The records within a Chunk record, unpacked; null when its lengths or its CRC are wrong. */
function recordsOf(record: Buffer): Buffer | null {
  const name = record.length < HEAD ? Infinity : record.readUInt32LE(37);
  const head = HEAD + name;
  if (head > record.length || record.length !== head + bigAt(record, 41 + name)) return null;
  const compression = record.toString('latin1', 41, 41 + name);
  const records = unpack(compression, record.subarray(head), bigAt(record, 25));
  return records !== null && crc32(records) === record.readUInt32LE(33) ? records : null;
}

function bigAt(record: Buffer, at: number): number {
  return Number(record.readBigUInt64LE(at));
}

/** End of the record among those of a chunk that begins at `at`. */
function endOf(records: Buffer, at: number): number {
  return at + 9 + bigAt(records, at + 1);
}

/** Whether records fill a chunk, and messages have their head and a channel of ours. A right CRC does not prove that. */
function isWellFormed(records: Buffer): boolean {
  let at = 0;
  while (at + 9 <= records.length) {
    const end = endOf(records, at);
    if (end > records.length) return false;
    const isMessage = records[at] === MESSAGE;
    if (isMessage && (end - at < MESSAGE_HEAD || records.readUInt16LE(at + 9) >= MOST_CHANNELS)) {
      return false;
    }
    at = end;
  }
  return at === records.length;
}
