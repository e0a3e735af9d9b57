/** Walks over the records of an MCAP file, closed or not, without an index. */
import { MCAP_MAGIC, Opcode } from '@mcap/core';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { BerthError } from '../../src/base/errors.ts';

const RECORD_HEAD = 9;
/** Most bytes of a record: chunks of ours have 256 KB, models some MB. A length that lies costs no more memory than this. */
const MOST_RECORD = 2 ** 28;
const MAGIC = Buffer.from(MCAP_MAGIC);

/** Of a chunk, behind its head: times of its first and its last message. */
const CHUNK_TIMES = 16;

/** One record: opcode, length and content; of an index of messages only opcode and length, and of a chunk its times when asked. */
export interface ScannedRecord {
  readonly opcode: Opcode;
  readonly bytes: Buffer;
}

/** Times of the first and the last message of a chunk, ns since 1970; null when it is cut off. */
export function chunkTimes({ bytes }: ScannedRecord): readonly [bigint, bigint] | null {
  if (bytes.length < RECORD_HEAD + CHUNK_TIMES) return null;
  return [bytes.readBigUInt64LE(RECORD_HEAD), bytes.readBigUInt64LE(RECORD_HEAD + 8)];
}

/** Sequential reader of the records of an MCAP file. */
export class McapScan {
  /** Bytes of the file. */
  readonly size: number;
  /** The file has a summary and ends with it. */
  readonly closed: boolean;
  readonly #fd: number;
  #at = MAGIC.length;
  /** `next` ended at the record that ends the data. */
  atDataEnd = false;

  /** Chunks are read as far as their times only. */
  readonly #timesOnly: boolean;

  /** @throws BerthError when there is no such file, or it does not begin like an MCAP file */
  constructor(path: string, { timesOnly = false }: { readonly timesOnly?: boolean } = {}) {
    this.#timesOnly = timesOnly;
    try {
      // a pipe without a writer must not block the open
      this.#fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (error) {
      throw new BerthError('BERTH_MISSING_FILE', `file: "${path}" cannot be opened`, {
        field: 'file',
        cause: error,
      });
    }
    const about = fstatSync(this.#fd);
    this.size = about.isFile() ? about.size : 0;
    if (!about.isFile() || !this.#read(0, MAGIC.length).equals(MAGIC)) {
      this.close();
      throw new BerthError('BERTH_MISMATCH', `file: "${path}" is no MCAP file`, { field: 'file' });
    }
    const tail = this.#read(Math.max(MAGIC.length, this.size - MAGIC.length), MAGIC.length);
    this.closed = tail.equals(MAGIC);
  }

  /** Place of the next record: everything before it was whole. */
  get position(): number {
    return this.#at;
  }

  /** The next whole record; null at the end of the data, and where what follows is no whole record. */
  next(): ScannedRecord | null {
    const head = this.#read(this.#at, RECORD_HEAD);
    if (head.length < RECORD_HEAD) return null;
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- a byte of a file; its range is checked below
    const opcode = head[0] as Opcode;
    const length = RECORD_HEAD + Number(head.readBigUInt64LE(1));
    if (opcode < Opcode.MIN || opcode > Opcode.MAX) return null;
    if (length > MOST_RECORD || this.#at + length > this.size) return null;
    this.atDataEnd = opcode === Opcode.DATA_END;
    if (this.atDataEnd) return null;
    const bytes = opcode === Opcode.MESSAGE_INDEX ? head : this.#content(opcode, length);
    this.#at += length;
    return { opcode, bytes };
  }

  #content(opcode: Opcode, length: number): Buffer {
    const times = opcode === Opcode.CHUNK && this.#timesOnly;
    return this.#read(this.#at, times ? Math.min(length, RECORD_HEAD + CHUNK_TIMES) : length);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #read(position: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafeSlow(length);
    let done = 0;
    while (done < length) {
      const count = readSync(this.#fd, buffer, done, length - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return buffer.subarray(0, done);
  }
}
