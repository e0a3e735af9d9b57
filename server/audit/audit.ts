/**
 * The audit log on disk: append-only, hash-chained (audit-chain.ts), written in order in the
 * background. A record is durable before the head file names it. It never blocks and never throws;
 * a failing disk is reported once and tried again. The file is locked, so one service writes a log.
 * A full file is put aside and a new one started (audit-rotation.ts).
 */
import { existsSync, mkdirSync } from 'node:fs';
import { type FileHandle, open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { lockFile } from '../../hil/os/os-file-lock.ts';
import { BerthError } from '../../src/base/errors.ts';
import { type ChainHead, chainLine, GENESIS, headPath, verifyChain } from './audit-chain.ts';
import { continues, freshPath, putAside } from './audit-rotation.ts';
import type { AuditEntry, AuditSink } from './audit-sink.ts';

/** Most entries that wait for the disk; further ones are counted and left out. */
const MOST_WAITING = 10_000;
const RETRY_MS = 1000;

export interface AuditLogOptions {
  readonly file: string;
  /** Size at which a file is full, bytes; unbounded without it. */
  readonly rotate_bytes?: number;
  /** Number of kept files, including the present one. */
  readonly files?: number;
  /** Wall clock, ms. */
  readonly now_ms?: () => number;
  /** Called for each record of the chain. */
  readonly onRecord?: () => void;
  /** Called once when the disk fails, until it works again, or when the file cannot be locked here. */
  readonly onNote?: (message: string) => void;
}

/** A log on disk. */
export interface OpenAuditLog extends AuditSink {
  /** Writes the waiting entries and closes the file. */
  close(): Promise<void>;
}

/** An entry and the time at which it was made, which is before the time of writing. */
interface Stamped {
  readonly entry: AuditEntry;
  readonly time: string;
}

/** Entry about records that were left out. */
function leftOut(records: number): AuditEntry {
  return { actor: 'server', action: 'audit.left-out', result: 'ok', detail: { records } };
}

/** Made by `openAuditLog`. */
class AuditLog implements OpenAuditLog {
  readonly #file: string;
  #handle: FileHandle;
  readonly #options: AuditLogOptions;
  #head: ChainHead;
  /** Bytes known to be on disk. */
  #durable: number;
  #waiting: Stamped[] = [];
  #left = 0;
  #writing: Promise<void> | null = null;
  #failed = false;
  #unrotated = false;
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
    // one turn later, so that all entries of this turn are one write
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const entries = this.#waiting;
      this.#waiting = [];
      const left = this.#left;
      const all = left > 0 ? [...entries, this.#stamp(leftOut(left))] : entries;
      for (let done = 0; done < all.length; ) {
        const written = await this.#append(all.slice(done));
        if (written === 0) {
          // entries that came during the write have used the remaining places
          const waiting = [...entries.slice(done), ...this.#waiting];
          this.#waiting = waiting.slice(0, MOST_WAITING);
          this.#left += waiting.length - this.#waiting.length;
          return;
        }
        done += written;
      }
      this.#left -= left;
    }
  }

  /** Writes as many of these as fit into the file. @returns how many; 0 when the disk fails */
  async #append(entries: readonly Stamped[]): Promise<number> {
    const { rotate_bytes = Infinity } = this.#options;
    let part = this.#fitting(entries, rotate_bytes);
    if (part.count === 0) {
      // a file that is too long is better than a lost record
      const bound = (await this.#rotate()) ? rotate_bytes : Infinity;
      part = this.#fitting(entries, bound, true);
    }
    try {
      await writeAt(this.#handle, part.text, this.#durable);
    } catch (error) {
      await this.#takeBack(error);
      return 0;
    }
    this.#durable += Buffer.byteLength(part.text);
    this.#head = part.head;
    this.#failed = false;
    for (let i = 0; i < part.count; i++) this.#options.onRecord?.();
    await this.#noteHead();
    return part.count;
  }

  /** Lines of the first entries that fit into the file; `atLeastOne` regardless of the space. */
  #fitting(
    entries: readonly Stamped[],
    bound: number,
    atLeastOne = this.#durable === 0,
  ): { text: string; head: ChainHead; count: number } {
    let [text, head, count, bytes] = ['', this.#head, 0, this.#durable];
    for (const { entry, time } of entries) {
      const next = chainLine(entry, time, head);
      bytes += Buffer.byteLength(next.line) + 1;
      if (bytes > bound && (count > 0 || !atLeastOne)) break;
      text += next.line + '\n';
      head = next.head;
      count++;
    }
    return { text, head, count };
  }

  /** Replaces the full file by a new one. @returns false on failure, which is reported once */
  async #rotate(): Promise<boolean> {
    const { onNote, onRecord, files = 1 } = this.#options;
    const { entry, time } = this.#stamp(continues(this.#head));
    const { line, head } = chainLine(entry, time, { n: 0, hash: GENESIS });
    let fresh: FileHandle | null = null;
    try {
      fresh = await openLocked({ ...this.#options, file: freshPath(this.#file) }, 'w+');
      await writeAt(fresh, line + '\n', 0);
      await putAside(this.#file, files);
    } catch (error) {
      await fresh?.close();
      if (!this.#unrotated) {
        const text = error instanceof Error ? error.message : String(error);
        onNote?.(`audit.file: ${this.#file} is full and goes on: no new one can be begun: ${text}`);
      }
      this.#unrotated = true;
      return false;
    }
    const full = this.#handle;
    this.#handle = fresh;
    this.#durable = Buffer.byteLength(line) + 1;
    this.#head = head;
    this.#unrotated = false;
    onRecord?.();
    await this.#noteHead();
    await full.close();
    return true;
  }

  /** Removes a half-written record from the file; its entries are tried again later. */
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
      // on disk before it replaces the old one: after a power failure an empty head would keep the
      // service from starting
      await writeFile(`${path}.new`, `${this.#head.n} ${this.#head.hash}\n`, { flush: true });
      await rename(`${path}.new`, path);
    } catch {
      // the chain itself is intact; the head follows with the next record
    }
  }

  async close(): Promise<void> {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    this.#start();
    await this.#writing;
    await this.#handle.close();
  }
}

/** Writes a whole text and syncs it to disk. */
async function writeAt(handle: FileHandle, text: string, at: number): Promise<void> {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    const part = bytes.subarray(done);
    done += (await handle.write(part, 0, part.length, at + done)).bytesWritten;
  }
  await handle.datasync();
}

/** Opens the file for writing and locks it. @throws BerthError when another service writes it */
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

/** Does the work of `openAuditLog`. `handle` is that of the locked file, null when there is no file yet. */
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
  // a log from before head files, a crash before the first one, or a head file that was removed
  // with the tail
  if (noted === 'none' && head.n > 0) {
    const detail = { records: head.n };
    log.write({ actor: 'server', action: 'audit.head-missing', result: 'ok', detail });
  }
  return log;
}

/**
 * Opens a log and continues its chain. A last line truncated by a crash is removed and noted in the
 * log, and so is a missing head file.
 * @throws BerthError when the file cannot be opened, another service writes it, its chain is
 *   broken, or its head file names another chain. Such a log is kept unchanged for inspection.
 */
export async function openAuditLog(options: AuditLogOptions): Promise<OpenAuditLog> {
  const { file } = options;
  let locked: FileHandle | null = null;
  try {
    mkdirSync(dirname(file), { recursive: true });
    // locked before it is read; a missing one is made only when no head file names it
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
