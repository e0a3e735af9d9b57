/**
 * What is kept of a folder of recordings. Only files of the recorder's own index are ever removed, the oldest first, and never one
 * that is pinned. Flights are removed when they exceed `keep_bytes` together, or when less than `keep_free_bytes` would be left on
 * the disk. Files of what came before a fault are removed by their number alone, however many flights come after them. Every
 * removal is reported.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import type { Disk } from './disk.ts';
import { FileIndex, type FileKind, type IndexedFile } from './file-index.ts';
import type { RemovalReason } from '../contract/removal-reasons.ts';

/** Less room is left than is to be left, and nothing more can be given up for it. */
export class NoRoomError extends Error {}

/** Options of a retention. */
export interface RetentionOptions {
  readonly disk: Disk;
  readonly settings: Pick<
    Settings['recording'],
    'folder' | 'keep_bytes' | 'keep_free_bytes' | 'freezes'
  >;
  readonly onRemoved: (name: string, bytes: number, reason: RemovalReason) => void;
}

interface SizedFile extends IndexedFile {
  readonly size: number;
}

/** `berth-<UTC time>-<scenario>-<part>.mcap`; sorts by time, and has no character that a file system refuses. */
export function recordingName(wall_ns: bigint, scenario: string, part: string): string {
  const time = new Date(Number(wall_ns / 1_000_000n)).toISOString().replaceAll(':', '-');
  return `berth-${time}-${scenario.replaceAll(/[^\w.-]/g, '_')}-${part}.mcap`;
}

/** Retention of recordings in one folder. Calls may overlap; they run one after the other. */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #index: FileIndex;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#index = new FileIndex(options.settings.folder);
  }

  /** A file was just made. */
  made(name: string, kind: FileKind): Promise<void> {
    return this.#inTurn(() => this.#index.add(name, kind));
  }

  /** Flights of ours that are there, the bytes of those that may go, and recordings of others. */
  survey(): Promise<{ files: number; bytes: number; others: number; free_bytes: number }> {
    return this.#inTurn(async () => {
      const { others, files } = await this.#index.list();
      const bytes = (await this.#flights('')).reduce((sum, { size }) => sum + size, 0);
      const free_bytes = await this.#options.disk.free(this.#options.settings.folder);
      return { files: files.length, bytes, others, free_bytes };
    });
  }

  /**
   * Remove the oldest flights until those that are left and `reserve` more bytes fit into `keep_bytes`.
   * @param current the file that is written
   */
  keepBytes(reserve: number, current: string): Promise<void> {
    return this.#inTurn(async () => {
      const flights = await this.#flights(current);
      let total = reserve + flights.reduce((sum, { size }) => sum + size, 0);
      for (const file of flights) {
        if (total <= this.#options.settings.keep_bytes) break;
        await this.#remove(file, 'keep_bytes');
        total -= file.size;
      }
    });
  }

  /**
   * Remove the oldest flights until `keep_free_bytes` and `reserve` more are free; none when all of them were not enough.
   * @param current the file that is written, or was last
   * @throws NoRoomError when that is not enough
   */
  keepFree(reserve: number, current: string): Promise<void> {
    return this.#inTurn(async () => {
      const { disk, settings } = this.#options;
      const { folder, keep_free_bytes } = settings;
      if (keep_free_bytes === 0) return;
      let free = await disk.free(folder);
      if (free >= keep_free_bytes + reserve) return;
      const flights = await this.#flights(current);
      const most = flights.reduce((sum, { size }) => sum + size, free);
      // what a file gives back is reckoned: some file systems report it later
      for (const file of most < keep_free_bytes + reserve ? [] : flights) {
        await this.#remove(file, 'keep_free_bytes');
        free += file.size;
        if (free >= keep_free_bytes + reserve) return;
      }
      const wanted = reserve === 0 ? '' : ` and ${megabytes(reserve)} for a new file`;
      throw new NoRoomError(
        `${megabytes(free)} are free in ${folder}; recording.keep_free_bytes asks for ${megabytes(keep_free_bytes)}${wanted}, and all older recordings that may go are not enough`,
      );
    });
  }

  /** Remove the oldest flight, for a disk that is full. @returns false when there is none */
  giveUpOne(current: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const [oldest] = await this.#flights(current);
      if (oldest === undefined) return false;
      await this.#remove(oldest, 'disk_full');
      return true;
    });
  }

  /** Remove the oldest files of kind `freeze` beyond their number. */
  keepFreezes(): Promise<void> {
    return this.#inTurn(async () => {
      const { files } = await this.#index.list();
      const freezes = files.filter(({ kind, pinned }) => kind === 'freeze' && !pinned);
      const excess = Math.max(0, freezes.length - this.#options.settings.freezes);
      for (const file of await this.#sized(freezes.slice(0, excess))) {
        await this.#remove(file, 'freezes');
      }
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Flights that may be removed, oldest first. */
  async #flights(current: string): Promise<SizedFile[]> {
    const { files } = await this.#index.list();
    return this.#sized(
      files.filter(({ name, kind, pinned }) => kind === 'flight' && !pinned && name !== current),
    );
  }

  async #sized(files: readonly IndexedFile[]): Promise<SizedFile[]> {
    const about = files.map(async (file) => {
      const found = await lstat(join(this.#options.settings.folder, file.name)).catch(() => null); // another program may remove it, too
      return found?.isFile() === true ? [{ ...file, size: found.size }] : [];
    });
    return (await Promise.all(about)).flat();
  }

  async #remove({ name, size }: SizedFile, reason: RemovalReason): Promise<void> {
    const { disk, settings, onRemoved } = this.#options;
    await disk.remove(settings.folder, name);
    await this.#index.forget(name);
    onRemoved(name, size, reason);
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
