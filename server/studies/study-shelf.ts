/**
 * The studies of the service's folder: study files, and the folders of `berth study` beside them. One at a time runs, as a process of its own at the
 * lowest priority: it must not take a core from the loop.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { access, lstat, readdir, stat } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../config/settings.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { ListedStudy, StudyList } from '../contract/studies.ts';

const MAIN = fileURLToPath(new URL(`../main${extname(import.meta.url)}`, import.meta.url));
const NAME = /^\w[\w.-]{0,63}$/;
const YAML = /[.]yaml$/;
/** How each run of a plan begins; inside of a string the quotes would be escaped. */
const RUN = '{"id":"';
const LOWEST = 19;
/** What is kept of the end of what a study said, characters. */
const TAIL = 500;

/** How often a text occurs in a file from an offset on. */
async function countIn(path: string, words: string, from: number): Promise<number> {
  let count = 0;
  let rest = '';
  for await (const chunk of createReadStream(path, { start: from, encoding: 'latin1' })) {
    const text = rest + (chunk as string);
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) count++;
    rest = text.slice(text.length - words.length + 1);
  }
  return count;
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The folder of studies. */
export class StudyShelf {
  readonly #settings: Settings['studies'];
  /** Counts of files, up to their size. */
  readonly #counts = new Map<string, { mark: string; size: number; count: number }>();
  readonly #troubles = new Map<string, string>();
  #running: { readonly name: string; readonly child: ChildProcess } | null = null;
  #reading: Promise<StudyList> | null = null;

  constructor(settings: Settings['studies']) {
    this.#settings = settings;
  }

  /** Those who ask while the folder is read get the same answer: many pages cost what one does. */
  list(): Promise<StudyList> {
    if (this.#reading !== null) return this.#reading;
    const reading = this.#list().finally(() => {
      if (this.#reading === reading) this.#reading = null;
    });
    this.#reading = reading;
    return reading;
  }

  async #list(): Promise<StudyList> {
    const { folder } = this.#settings;
    const found = await namesIn(folder);
    const files = found.filter((name) => YAML.test(name)).map((name) => name.replace(YAML, ''));
    const names = [...new Set([...files, ...found.filter((name) => !YAML.test(name))])];
    const studies: ListedStudy[] = [];
    for (const name of names.filter((each) => NAME.test(each)).sort()) {
      const runnable = files.includes(name);
      const planned = await this.#planned(name);
      if (!runnable && planned === null) continue; // another folder
      const place = join(folder, name);
      studies.push({
        ...{ name, runnable, planned },
        done: await this.#done(name),
        running: this.#running?.name === name,
        report: await isThere(join(place, 'report.html')),
        notable: (await namesIn(join(place, 'notable'))).filter((one) => one.endsWith('.mcap')),
        trouble: this.#troubles.get(name) ?? '',
      });
    }
    return { folder, studies };
  }

  /** Path of a file of a study, `report.html` or one of its notable runs. @throws BerthError when there is none */
  async path(name: string, ...file: readonly string[]): Promise<string> {
    const path = join(this.#settings.folder, name, ...file);
    const found = await lstat(path).catch(() => null); // a link could lead anywhere
    if (NAME.test(name) && found?.isFile() === true) return path;
    throw new BerthError('BERTH_NOT_FOUND', `The study "${name}" has no ${file.join('/')}.`, {
      field: 'name',
    });
  }

  /** Runs what a study has not done yet. @throws BerthError when there is none of that name, or while one runs */
  async start(name: string): Promise<void> {
    const { folder, workers } = this.#settings;
    if (!NAME.test(name) || !(await isThere(join(folder, `${name}.yaml`)))) {
      throw new BerthError('BERTH_NOT_FOUND', `There is no study file "${name}.yaml".`, {
        field: 'name',
      });
    }
    if (this.#running !== null) {
      const text = `The study "${this.#running.name}" runs; one runs at a time.`;
      throw new BerthError('BERTH_WRONG_STATE', text);
    }
    const rest = ['-o', name, '--workers', String(workers), '--child'];
    const words = ['study', 'run', `${name}.yaml`, ...rest];
    const child = spawn(process.execPath, [...process.execArgv, MAIN, ...words], {
      cwd: folder,
      // an open standard input is the sign of life that `--child` watches: no study outlives a service that was killed
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.#troubles.delete(name);
    let output = '';
    child.on('error', (error) => void this.#troubles.set(name, error.message));
    if (child.pid === undefined) return; // there is no process, and no end of one
    this.#running = { name, child };
    this.#reading = null; // who asks from now on sees it run
    child.stdin.on('error', () => undefined); // it has ended
    child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-TAIL)));
    child.on('close', (code) => {
      this.#running = null;
      const isRefused = code !== 0 && !output.includes('goes on with the rest');
      if (isRefused) this.#troubles.set(name, output.trim().split('\n').at(-1) ?? '');
    });
    setPriority(child.pid, LOWEST);
  }

  /** Stops the one that runs; what it has done stays. @throws BerthError when another one or none runs */
  stop(name: string): void {
    if (this.#running?.name !== name)
      throw new BerthError('BERTH_WRONG_STATE', `The study "${name}" does not run.`);
    this.#running.child.kill('SIGINT');
  }

  close(): void {
    this.#running?.child.kill('SIGINT');
  }

  async #planned(name: string): Promise<number | null> {
    const path = join(this.#settings.folder, name, 'manifest.json');
    const found = await stat(path).catch(() => null);
    if (found === null) return null;
    const mark = `${found.mtimeMs} ${found.size}`;
    const known = this.#counts.get(path);
    if (known?.mark === mark) return known.count;
    const count = await countIn(path, RUN, 0);
    this.#counts.set(path, { mark, size: found.size, count });
    return count;
  }

  async #done(name: string): Promise<number> {
    const parts = join(this.#settings.folder, name, 'parts');
    let sum = 0;
    for (const part of (await namesIn(parts)).filter((one) => one.endsWith('.jsonl'))) {
      const path = join(parts, part);
      const size = (await stat(path).catch(() => null))?.size ?? 0;
      const known = this.#counts.get(path) ?? { mark: '', size: 0, count: 0 };
      const before = known.size <= size ? known : { mark: '', size: 0, count: 0 };
      // lines are only added
      const count =
        before.size === size
          ? before.count
          : before.count + (await countIn(path, '\n', before.size));
      this.#counts.set(path, { mark: '', size, count });
      sum += count;
    }
    return sum;
  }
}
