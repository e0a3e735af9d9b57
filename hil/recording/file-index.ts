/**
 * Which files of a folder the recorder made itself: a line of JSON for each in `recorder-index.jsonl`, only ever appended to. A file
 * that is not in it is never removed, whatever it is called. A file is made first and entered then, so that a name in the index is
 * always that of a file of the recorder. A crash between the two leaves an empty file that is never removed.
 */
import { open, readFile, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

export const INDEX_FILE = 'recorder-index.jsonl';
/** Beside a recording `NAME.mcap`: it is never removed while this file is there. */
export const PIN_ENDING = '.pin';

/** Recordings of flights, excerpts included; the ticks before a fault. */
const KINDS = ['flight', 'freeze'] as const;
export type FileKind = (typeof KINDS)[number];

/** No path, no dot in front. */
const NAME = /^[\w-][\w.-]*\.mcap$/;
/** Lines of files that are gone after which the index is written anew. */
const MOST_GONE = 1000;
const MODE = 0o640;

/** A file of ours that is there. */
export interface IndexedFile {
  readonly name: string;
  readonly kind: FileKind;
  readonly pinned: boolean;
}

/** Index of the files that the recorder made in one folder. Calls must not overlap. */
export class FileIndex {
  readonly #folder: string;
  /** In the order in which they were made. */
  #files: Map<string, FileKind> | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Enter a file that was just made; returns when that would survive a loss of power. */
  async add(name: string, kind: FileKind): Promise<void> {
    const files = await this.#load();
    const handle = await open(join(this.#folder, INDEX_FILE), 'a', MODE);
    try {
      await handle.chmod(MODE).catch(() => undefined); // some mounted file systems have no modes
      // a line that a crash cut off must not swallow this one
      await handle.appendFile(`\n${JSON.stringify({ file: name, kind })}\n`);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    files.set(name, kind);
  }

  /** A file is gone. */
  async forget(name: string): Promise<void> {
    (await this.#load()).delete(name);
  }

  /** Files of ours that are there, oldest first, and how many recordings in the folder are not ours. */
  async list(): Promise<{ files: IndexedFile[]; others: number }> {
    const ours = await this.#load();
    const present = new Set(await namesIn(this.#folder));
    const files = [...ours].flatMap(([name, kind]) =>
      present.has(name) ? [{ name, kind, pinned: present.has(name + PIN_ENDING) }] : [],
    );
    const recordings = [...present].filter((name) => name.endsWith('.mcap'));
    return { files, others: recordings.length - files.length };
  }

  async #load(): Promise<Map<string, FileKind>> {
    if (this.#files !== null) return this.#files;
    const text = await readFile(join(this.#folder, INDEX_FILE), 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    });
    const present = new Set(await namesIn(this.#folder));
    const files = new Map<string, FileKind>();
    let gone = 0;
    for (const [name, kind] of entries(text)) {
      if (present.has(name)) files.set(name, kind);
      else gone++;
    }
    if (gone > MOST_GONE) await this.#rewrite(files);
    return (this.#files = files);
  }

  async #rewrite(files: ReadonlyMap<string, FileKind>): Promise<void> {
    const path = join(this.#folder, INDEX_FILE);
    const handle = await open(`${path}.new`, 'w', MODE);
    try {
      const lines = [...files].map(([file, kind]) => `${JSON.stringify({ file, kind })}\n`);
      await handle.writeFile(lines.join(''));
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(`${path}.new`, path);
  }
}

/** Files of a folder as its recorder has entered them, for another thread: nothing is written. */
export async function readIndex(
  folder: string,
): Promise<{ ours: IndexedFile[]; others: string[] }> {
  const text = await readFile(join(folder, INDEX_FILE), 'utf8').catch(() => '');
  const present = new Set(await namesIn(folder));
  const files = new Map([...entries(text)].filter(([name]) => present.has(name)));
  const pinned = (name: string): boolean => present.has(name + PIN_ENDING);
  return {
    ours: [...files].map(([name, kind]) => ({ name, kind, pinned: pinned(name) })),
    others: [...present].filter((name) => NAME.test(name) && !files.has(name)),
  };
}

/** Entries of the lines that can be read. */
function* entries(text: string): Generator<[string, FileKind]> {
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      const { file, kind } = JSON.parse(line) as { file?: unknown; kind?: unknown };
      const known = KINDS.find((one) => one === kind);
      if (known !== undefined && typeof file === 'string' && NAME.test(file)) yield [file, known];
    } catch {
      // cut off by a crash
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
}
