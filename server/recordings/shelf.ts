/** The recordings of the folder as a page shows them: what they are, what is kept of them, and what goes next. */
import { createReadStream, type ReadStream } from 'node:fs';
import { lstat, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { PIN_ENDING, readIndex } from '../../hil/recording/file-index.ts';
import { roomForFlights } from '../../hil/recording/kept-time.ts';
import type { RecordingStatus } from '../../hil/threads/runtime-types.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { KeptRoom, ListedRecording, RecordingList } from '../contract/recordings.ts';
import { RecordingReader } from './reader.ts';

/** Most files that are listed, the newest ones. */
const MOST_LISTED = 500;
const PIN_MODE = 0o640;

interface ShelfFile extends Omit<ListedRecording, 'summary' | 'trouble' | 'next'> {
  readonly changed_ms: number;
}

/** The folder of recordings. */
export class RecordingShelf {
  readonly reader = new RecordingReader();
  readonly #settings: Settings['recording'];
  readonly #status: () => RecordingStatus | undefined;

  constructor(settings: Settings['recording'], status: () => RecordingStatus | undefined) {
    this.#settings = settings;
    this.#status = status;
  }

  async list(): Promise<RecordingList> {
    const { folder } = this.#settings;
    const files = await this.#files();
    const kept = await this.#room(files);
    // in the order in which the recorder made them: the first that may go is the next
    const oldest = (kind: 'flight' | 'freeze'): string | undefined =>
      files.find((file) => removable(file, kind))?.name;
    const next = new Set([oldest('flight')]);
    if (kept.freezes >= kept.keep_freezes) next.add(oldest('freeze'));
    const newest = files.toSorted((a, b) => b.changed_ms - a.changed_ms).slice(0, MOST_LISTED);
    const read = await this.reader.summaries(newest.map(({ name }) => join(folder, name)));
    const recordings = newest.map((file, i): ListedRecording => {
      const { name, kind, bytes, pinned, writing } = file;
      const known = { name, kind, bytes, pinned, writing, next: next.has(name) };
      const of = read[i];
      return 'summary' in of
        ? { ...known, summary: of.summary, trouble: '' }
        : { ...known, summary: null, trouble: of.trouble };
    });
    return { folder, kept, recordings, more: files.length - newest.length };
  }

  /** Path of a recording of the folder. @throws BerthError when there is none of that name */
  async path(name: string): Promise<string> {
    return join(this.#settings.folder, (await this.#find(name)).name);
  }

  /** The bytes that a file has now. @throws BerthError when there is none of that name */
  async open(name: string): Promise<{ bytes: number; stream: ReadStream | null }> {
    const { bytes } = await this.#find(name);
    const path = join(this.#settings.folder, name);
    // one that is written grows meanwhile
    return { bytes, stream: bytes === 0 ? null : createReadStream(path, { end: bytes - 1 }) };
  }

  /** Keeps a recording, or leaves it to the recorder. @throws BerthError when there is none of that name */
  async pin(name: string, pinned: boolean): Promise<void> {
    const pin = `${await this.path(name)}${PIN_ENDING}`;
    if (pinned) await writeFile(pin, '', { mode: PIN_MODE });
    else await rm(pin, { force: true });
  }

  async #find(name: string): Promise<ShelfFile> {
    const found = (await this.#files()).find((file) => file.name === name);
    if (found !== undefined) return found;
    throw new BerthError('BERTH_NOT_FOUND', `No recording is named "${name}".`, { field: 'name' });
  }

  async #files(): Promise<ShelfFile[]> {
    const { folder } = this.#settings;
    const { ours, others } = await readIndex(folder);
    const writing = this.#status()?.file;
    const all = [
      ...ours.map(({ name, kind, pinned }) => ({ name, kind: kindOf(name, kind), pinned })),
      ...others.map((name) => ({ name, kind: 'other' as const, pinned: false })),
    ];
    const about = all.map(async (file): Promise<ShelfFile[]> => {
      const found = await lstat(join(folder, file.name)).catch(() => null); // it may be removed meanwhile
      if (found?.isFile() !== true) return [];
      const { size: bytes, mtimeMs: changed_ms } = found;
      return [{ ...file, bytes, changed_ms, writing: file.name === writing }];
    });
    return (await Promise.all(about)).flat();
  }

  async #room(files: readonly ShelfFile[]): Promise<KeptRoom> {
    const { folder, keep_bytes, keep_free_bytes, freezes: keep_freezes } = this.#settings;
    const flight_bytes = files
      .filter((file) => isFlight(file) && !file.pinned)
      .reduce((sum, { bytes }) => sum + bytes, 0);
    const disk = await statfs(folder).catch(() => null);
    const free_bytes = disk === null ? 0 : disk.bavail * disk.bsize;
    const room_bytes = roomForFlights(this.#settings, flight_bytes, free_bytes);
    const keeps_s = this.#status()?.keeps_s ?? 0;
    const left_s =
      keeps_s > 0 ? (Math.max(0, room_bytes - flight_bytes) / room_bytes) * keeps_s : null;
    const freezes = files.filter((file) => removable(file, 'freeze')).length;
    return {
      flight_bytes,
      room_bytes,
      keep_bytes,
      free_bytes,
      keep_free_bytes,
      left_s,
      freezes,
      keep_freezes,
    };
  }
}

const isFlight = ({ kind }: ShelfFile): boolean => kind === 'flight' || kind === 'excerpt';

const removable = (file: ShelfFile, kind: 'flight' | 'freeze'): boolean =>
  !file.pinned && !file.writing && (kind === 'flight' ? isFlight(file) : file.kind === 'freeze');

function kindOf(name: string, kind: 'flight' | 'freeze'): 'flight' | 'excerpt' | 'freeze' {
  if (kind === 'freeze') return kind;
  return /-fault-\w+(_\d+)?\.mcap$/.test(name) ? 'excerpt' : kind;
}
