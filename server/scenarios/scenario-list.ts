/** The scenarios that clients may load, with what their files say. A file is read again when it has changed. */
import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { type OfferedScenario, offeredScenarios, realPath } from '../../config/scenario-folders.ts';
import { scenarioFile } from '../../config/scenario.ts';
import type { Settings } from '../../config/settings.ts';
import { startThread } from '../../hil/os/start-thread.ts';
import type { ScenarioEntry } from '../client/messages.ts';
import type { Summary, SummaryWish } from './summary.ts';

export class ScenarioList {
  readonly #settings: Settings;
  /** Summaries by file, valid while the file has the same stamp. */
  readonly #known = new Map<string, { readonly stamp: string; readonly summary: Summary }>();
  /** Lists are read one after the other: the second finds what the first has read. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The offered scenario of a name; undefined for any other name, whatever file it may lead to. */
  find(name: string): OfferedScenario | undefined {
    return this.#offered().find((one) => one.name === name);
  }

  /** Names of all. */
  names(): string[] {
    return this.#offered().map(({ name }) => name);
  }

  /** All scenarios; `present` is the loaded one. */
  list(present: string): Promise<ScenarioEntry[]> {
    const reading = this.#reading.then(() => this.#list(present));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  #offered(): OfferedScenario[] {
    return offeredScenarios(this.#settings);
  }

  async #list(present: string): Promise<ScenarioEntry[]> {
    const offered = this.#offered().map((one) => ({ ...one, stamp: stampOf(one.file) }));
    const changed = offered.filter(({ file, stamp }) => {
      const known = this.#known.get(file);
      // what could not be read may be made good in a file that it names
      return known?.stamp !== stamp || known.summary.title === '';
    });
    if (changed.length > 0) {
      const summaries = await readSummaries(
        changed.map(({ file, folder }) => ({ file, checked: folder !== '' })),
      );
      for (const [i, { file, stamp }] of changed.entries()) {
        const summary = summaries[i];
        if (summary !== undefined) this.#known.set(file, { stamp, summary });
      }
    }
    const place = placeOf(present);
    return offered.flatMap(({ name, folder, file }) => {
      const summary = this.#known.get(file)?.summary;
      if (summary === undefined) return [];
      const loaded = name === present || (place !== null && realPath(file) === place);
      return [{ name, folder, loaded, ...summary }];
    });
  }
}

/** Where a scenario's file is; null for one that is gone. */
function placeOf(nameOrPath: string): string | null {
  try {
    return realPath(scenarioFile(nameOrPath));
  } catch {
    return null;
  }
}

/** Changes with the file. */
function stampOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'gone';
  }
}

function readSummaries(wishes: readonly SummaryWish[]): Promise<readonly Summary[]> {
  const entry = new URL(`./summary-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = startThread(entry, { workerData: wishes });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the reading thread ended with ${code}`)));
  });
}
