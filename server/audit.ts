/**
 * The audit log on disk: append-only, hash-chained (audit-chain.ts), written behind the caller's back in order and made
 * durable before its head is noted. Never blocks and never throws; a disk that fails is told once and tried again. One
 * service writes a log: the file is locked.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { type FileHandle, open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { lockFile } from '../hil/os-file-lock.ts';
import { BerthError } from '../src/errors.ts';
import { type ChainHead, chainLine, headPath, verifyChain } from './audit-chain.ts';
import type { AuditEntry, AuditSink } from './audit-sink.ts';

/** Entries that may wait for the disk; more are counted and left out. */
const MOST_WAITING = 10_000;
const RETRY_MS = 1000;

export interface AuditLogOptions {
  readonly file: string;
  /** Wall clock, ms. */
  readonly now_ms?: () => number;
  /** A record went into the chain. */
  readonly onRecord?: () => void;
  /** The disk does not take the log (told once until it does again), or the file cannot be locked here. */
  readonly onNote?: (message: string) => void;
}

/** A sink that keeps nothing: audit.file is empty. */
export const NO_AUDIT: AuditSink & { close(): Promise<void> } = {
  write: () => undefined,
  close: () => Promise.resolve(),
};

/** An entry and when it was said, which is not when the disk takes it. */
interface Stamped {
  readonly entry: AuditEntry;
  readonly time: string;
}

/** Tells of records that did not wait for the disk. */
function leftOut(records: number): AuditEntry {
  return { actor: 'server', action: 'audit.left-out', result: 'ok', detail: { records } };
}

/** See above; made by `openAuditLog`. */
class AuditLog implements AuditSink {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #options: AuditLogOptions;
  #head: ChainHead;
  /** Bytes known to be on disk. */
  #durable: number;
  #waiting: Stamped[] = [];
  #left = 0;
  #writing: Promise<void> | null = null;
  #failed = false;
  #retry: NodeJS.Timeout | null = null;

  constructor(options: AuditLogOptions, handle: FileHandle, head: ChainHead, durable: number) {
    this.#file = options.file;
    this.#options = options;
    this.#handle = handle;
    this.#head = head;
    this.#durable = durable;
  }

  write(entry: AuditEntry): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#left++;
      return;
    }
    this.#waiting.push(this.#stamp(entry));
    this.#start();
  }

  #stamp(entry: AuditEntry): Stamped {
    return { entry, time: new Date(this.#options.now_ms?.() ?? Date.now()).toISOString() };
  }

  #start(): void {
    if (this.#writing !== null || this.#retry !== null) return;
    this.#writing = this.#drain().finally(() => {
      this.#writing = null;
    });
  }

  async #drain(): Promise<void> {
    // one turn later, so that everything said in this one is one write
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const entries = this.#waiting;
      this.#waiting = [];
      const left = this.#left;
      const all = left > 0 ? [...entries, this.#stamp(leftOut(left))] : entries;
      if (!(await this.#append(all))) {
        // those that came during the write have taken up room that there is not
        const waiting = [...entries, ...this.#waiting];
        this.#waiting = waiting.slice(0, MOST_WAITING);
        this.#left += waiting.length - this.#waiting.length;
        return;
      }
      this.#left -= left;
    }
  }

  async #append(entries: readonly Stamped[]): Promise<boolean> {
    let head = this.#head;
    let text = '';
    for (const { entry, time } of entries) {
      const next = chainLine(entry, time, head);
      text += next.line + '\n';
      head = next.head;
    }
    const bytes = Buffer.from(text);
    try {
      for (let done = 0; done < bytes.length; ) {
        const part = bytes.subarray(done);
        done += (await this.#handle.write(part, 0, part.length, this.#durable + done)).bytesWritten;
      }
      await this.#handle.datasync();
    } catch (error) {
      await this.#takeBack(error);
      return false;
    }
    this.#durable += bytes.length;
    this.#head = head;
    this.#failed = false;
    for (let i = 0; i < entries.length; i++) this.#options.onRecord?.();
    await this.#noteHead();
    return true;
  }

  /** Half a record must not stay in the file; the same entries are tried again later. */
  async #takeBack(error: unknown): Promise<void> {
    await this.#handle.truncate(this.#durable).catch(() => undefined);
    if (!this.#failed) {
      const text = error instanceof Error ? error.message : String(error);
      this.#options.onNote?.(`audit.file: ${this.#file} cannot be written: ${text}`);
    }
    this.#failed = true;
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.#start();
    }, RETRY_MS);
    this.#retry.unref();
  }

  async #noteHead(): Promise<void> {
    const path = headPath(this.#file);
    try {
      // on disk before it takes the place of the old one: after a loss of power an empty head would keep the service from starting
      await writeFile(`${path}.new`, `${this.#head.n} ${this.#head.hash}\n`, { flush: true });
      await rename(`${path}.new`, path);
    } catch {
      // the chain itself is safe; the head follows with the next record
    }
  }

  /** Write what waits and close the file. */
  async close(): Promise<void> {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    this.#start();
    await this.#writing;
    await this.#handle.close();
  }
}

/** Open the file for writing and lock it. @throws BerthError when another service writes it */
async function openLocked({ file, onNote }: AuditLogOptions, flags: string): Promise<FileHandle> {
  const handle = await open(file, flags, 0o640);
  const lock = lockFile(handle.fd);
  if (lock === 'taken') {
    await handle.close();
    const text = `audit.file: ${file} is written by another service; name another file`;
    throw new BerthError('BERTH_MISMATCH', text, { field: 'audit.file' });
  }
  if (lock === 'unknown') {
    onNote?.(`audit.file: ${file} cannot be locked here: see that no other service writes it`);
  }
  return handle;
}

/** See `openAuditLog`. `handle` is that of the locked file, null when there is no file yet. */
async function continueLog(options: AuditLogOptions, locked: FileHandle | null): Promise<AuditLog> {
  const { file } = options;
  const { head, fault, tornBytes: torn, noted, headFault } = await verifyChain(file);
  const wrong = fault?.text ?? headFault;
  if (wrong !== null) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `audit.file: ${file} is broken (${wrong}); keep it and ${headPath(file)} for inspection: move both aside or name another file`,
      { field: 'audit.file' },
    );
  }
  const handle = locked ?? (await openLocked(options, 'wx+'));
  const size = (await handle.stat()).size - torn;
  if (torn > 0) await handle.truncate(size);
  const log = new AuditLog(options, handle, head, size);
  if (torn > 0) {
    const detail = { bytes: torn };
    log.write({ actor: 'server', action: 'audit.cut-off-line-removed', result: 'ok', detail });
  }
  // from before there were heads, or a crash came before the first; or somebody removed it with the tail
  if (noted === 'none' && head.n > 0) {
    const detail = { records: head.n };
    log.write({ actor: 'server', action: 'audit.head-missing', result: 'ok', detail });
  }
  return log;
}

/**
 * Open a log and go on with its chain. A last line that a crash cut off is taken away and said in the log, and so is a head
 * file that is missing.
 * @throws BerthError when the file cannot be opened, another service writes it, or its chain is broken or not the one that its
 * head file notes: such a log is kept as it is for whoever has to look at it, and is not written on.
 */
export async function openAuditLog(
  options: AuditLogOptions,
): Promise<AuditSink & { close(): Promise<void> }> {
  const { file } = options;
  let locked: FileHandle | null = null;
  try {
    mkdirSync(dirname(file), { recursive: true });
    // locked before it is read; one that is missing is made only when its head does not miss it
    if (existsSync(file)) locked = await openLocked(options, 'r+');
    return await continueLog(options, locked);
  } catch (error) {
    await locked?.close();
    if (error instanceof BerthError) throw error;
    const text = error instanceof Error ? error.message : String(error);
    throw new BerthError('BERTH_MISSING_FILE', `audit.file: ${file} cannot be opened: ${text}`, {
      field: 'audit.file',
      cause: error,
    });
  }
}
