/**
 * What waits to be written: chunks, and where files begin and end. The queue is worked off in order, one write at a time. A
 * disk that is full or broken costs the chunks that it did not take. They are counted, and a GAP stands in their place.
 */
import type { Metadata } from '@mcap/core';
import { monotonic_us } from '../os/clock.ts';
import type { Compression } from './chunk-codec.ts';
import type { Chunk } from './chunk.ts';
import type { Disk } from './disk.ts';
import { type FileHead, McapFile } from './mcap-file.ts';
import type { FileKind } from './file-index.ts';
import { NoRoomError, type Retention } from './retention.ts';

/** A chunk with what the queue needs of it. */
export class Block {
  readonly chunk: Chunk;
  /** Records of the loop in it. */
  records = 0;
  /** Records lost since the block before. */
  lostBefore = 0;
  /** It begins with a STATE record. */
  hasState = false;
  /** Loop clock of its first record, µs. */
  start_us = 0;
  /** Number of the file that it goes to, and the bytes that it took there; 0 when it was lost. */
  part = 0;
  written = 0;

  constructor(chunk: Chunk) {
    this.chunk = chunk;
  }
}

/** Options of a queue. */
export interface FileQueueOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly kind: FileKind;
  readonly retention: Retention;
  readonly compression: Compression;
  /** Room that a new file is given, bytes. */
  readonly rotate_bytes: number;
  /** A chunk, finished, that reports records lost, at the log time of `next`. */
  readonly makeGap: (lost: number, next: Chunk) => { chunk: Chunk; bytes: Uint8Array };
  /** A block is done with, written or lost. */
  readonly release: (block: Block) => void;
  /** A chunk was written, and took so long, s. */
  readonly onWrite: (bytes: number, duration_s: number) => void;
  /** The disk refused or takes again what it is given. */
  readonly onTrouble: (message: string) => void;
}

type Step =
  | { readonly kind: 'begin'; readonly name: string; readonly head: FileHead }
  | { readonly kind: 'block'; readonly block: Block }
  | { readonly kind: 'metadata'; readonly metadata: Metadata }
  | { readonly kind: 'end' };

/** A file that could not be made is tried again so often. */
const RETRY_US = 1e6;
/** Most chunks that one synchronisation may stand for. */
const MOST_UNSYNCED = 8;
/** The room on the disk is checked after so many bytes, a third of a second of a flight. */
const CHECK_BYTES = 250e3;
/** A file is begun only with so much room beyond what is to be left free. */
const BEGIN_BYTES = 16e6;

/** Queue of chunks and of file starts and ends, written in order. */
export class FileQueue {
  /** Records lost in the queue. */
  lost = 0;
  /** The newest write failed. */
  failed = false;
  /** Blocks that wait. */
  waiting = 0;
  /** Name of the file that is written; '' for none. */
  file = '';
  readonly #options: FileQueueOptions;
  readonly #steps: Step[] = [];
  #mcap: McapFile | null = null;
  #wanted: { name: string; head: FileHead } | null = null;
  /** The newest that was asked for, and how often it was ended early for lack of room. */
  #newest: { name: string; head: FileHead } | null = null;
  #continuations = 0;
  #unchecked = 0;
  /** Name of the newest file that was written: another does not take its place. */
  #last = '';
  #tried_us = -Infinity;
  /** Lost since the last chunk that was written. */
  #gap = 0;
  #unsynced = 0;
  #worker: Promise<void> | null = null;

  constructor(options: FileQueueOptions) {
    this.#options = options;
  }

  /** The next blocks go to a new file. */
  begin(name: string, head: FileHead): void {
    this.#push({ kind: 'begin', name, head });
  }

  write(block: Block): void {
    this.waiting++;
    this.#push({ kind: 'block', block });
  }

  metadata(metadata: Metadata): void {
    this.#push({ kind: 'metadata', metadata });
  }

  /** Close the file after what waits. */
  end(): void {
    this.#push({ kind: 'end' });
  }

  /** Wait until everything is done. */
  async idle(): Promise<void> {
    while (this.#worker !== null) await this.#worker;
  }

  #push(step: Step): void {
    this.#steps.push(step);
    this.#worker ??= this.#work();
  }

  async #work(): Promise<void> {
    for (let step = this.#steps.shift(); step !== undefined; step = this.#steps.shift()) {
      try {
        await this.#do(step);
      } catch (error) {
        this.#fail(error);
      }
      if (step.kind === 'block') {
        this.waiting--;
        this.#options.release(step.block);
      }
    }
    this.#worker = null;
  }

  async #do(step: Step): Promise<void> {
    if (step.kind === 'begin') {
      this.#wanted = this.#newest = step;
      this.#continuations = 0;
      this.#tried_us = -Infinity;
      await this.#open();
    } else if (step.kind === 'block') {
      await this.#write(step.block);
    } else if (step.kind === 'metadata') {
      await this.#mcap?.metadata(step.metadata);
    } else {
      const mcap = this.#mcap;
      this.#mcap = null;
      this.#wanted = null;
      this.file = '';
      await mcap?.end();
    }
  }

  async #open(): Promise<void> {
    const wanted = this.#wanted;
    if (wanted === null || monotonic_us() - this.#tried_us < RETRY_US) return;
    this.#tried_us = monotonic_us();
    const { disk, folder, kind, retention, rotate_bytes } = this.#options;
    if (kind === 'flight') {
      await retention.keepBytes(rotate_bytes, wanted.name);
      await retention.keepFree(Math.min(rotate_bytes, BEGIN_BYTES), this.#last);
    }
    const file = await disk.create(folder, wanted.name);
    const mcap = new McapFile(file, wanted.head);
    try {
      await retention.made(wanted.name, kind);
      await mcap.begin();
    } catch (error) {
      await file.close();
      await disk.remove(folder, wanted.name);
      if (isFull(error)) await this.#giveUpOne(wanted.name);
      throw error;
    }
    this.#wanted = null;
    this.#mcap = mcap;
    this.#unchecked = 0;
    this.file = this.#last = wanted.name;
  }

  async #write(block: Block): Promise<void> {
    block.written = 0;
    this.#gap += block.lostBefore;
    try {
      await this.#open();
      const mcap = this.#mcap;
      if (mcap === null) throw new Error(`no file could be made in ${this.#options.folder}`);
      await this.#keepFree();
      const from_us = monotonic_us();
      if (this.#gap > 0) {
        const gap = this.#options.makeGap(this.#gap, block.chunk);
        await this.#append(mcap, gap.chunk, gap.bytes);
        this.#gap = 0;
      }
      const bytes = block.chunk.finish(this.#options.compression);
      await this.#append(mcap, block.chunk, bytes);
      block.written = bytes.length;
      this.#unchecked += bytes.length;
      // a disk that is behind is asked once for several chunks
      if (this.#steps.at(0)?.kind !== 'block' || ++this.#unsynced >= MOST_UNSYNCED) {
        this.#unsynced = 0;
        await mcap.sync();
      }
      this.#options.onWrite(bytes.length, (monotonic_us() - from_us) * 1e-6);
    } catch (error) {
      this.#gap += block.records;
      this.lost += block.records;
      throw error;
    }
    if (this.failed) this.#options.onTrouble('The recorder can write again');
    this.failed = false;
  }

  /** Now and then: is there room still? A file that must stop is closed whole; another is begun when there is room again. */
  async #keepFree(): Promise<void> {
    const { kind, retention } = this.#options;
    if (kind !== 'flight' || this.#unchecked < CHECK_BYTES) return;
    this.#unchecked = 0;
    try {
      await retention.keepFree(0, this.file);
    } catch (error) {
      if (error instanceof NoRoomError) await this.#interrupt();
      throw error;
    }
  }

  async #interrupt(): Promise<void> {
    const { name, head } = this.#newest!;
    const mcap = this.#mcap;
    this.#mcap = null;
    this.file = '';
    this.#tried_us = monotonic_us();
    this.#wanted = { name: name.replace(/\.mcap$/, `_${++this.#continuations + 1}.mcap`), head };
    await mcap?.end();
  }

  /** Write a chunk; on a full disk older flights are given up for it. */
  async #append(mcap: McapFile, chunk: Chunk, bytes: Uint8Array): Promise<void> {
    for (;;) {
      try {
        await mcap.chunk(chunk, bytes);
        return;
      } catch (error) {
        if (!isFull(error) || !(await this.#giveUpOne(this.file))) throw error;
      }
    }
  }

  #giveUpOne(current: string): Promise<boolean> {
    const { kind, retention } = this.#options;
    return kind === 'flight' ? retention.giveUpOne(current) : Promise.resolve(false);
  }

  #fail(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    if (!this.failed) this.#options.onTrouble(`The recorder cannot write: ${text}`);
    this.failed = true;
  }
}

/** Whether a disk reported that it takes no more. */
function isFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'ENOSPC' || code === 'EDQUOT';
}
