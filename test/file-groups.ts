/**
 * Puts test files into groups, each group in one process: a process for every file spends most of its time on starting and on loading
 * the same modules. Each file of a group is a suite, whose hooks are its own. What starts services, waits or talks to other processes
 * is in small groups, so that it runs beside what computes. A file has a process of its own where it measures or changes its process.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** In the source or in the compiled text of a file: memory or time of its process, its environment, signals, streams and descriptors, or timers that are mocked. */
const OWN_PROCESS =
  /\bprocess[.](?!exec|version|platform|getuid|cwd)|[/]proc[/]self|\bmock[.]timers/;
/** The file starts services, threads or processes, or waits on the machine's clock. */
const WAITS =
  /child_process|worker_threads|startRuntime|[/]service[.][jt]s|setTimeout|timers[/]promises|node:(net|http)/;
/** Few enough that two cores end together, many enough that the start of a process costs little. */
const GROUP_FILES = 20;
const WAITING_GROUP_FILES = 9;

/** What one process runs. */
export interface TestProcess {
  /** Module to start: the test file, or one that imports the files of a group. */
  readonly entry: string;
  readonly files: readonly string[];
}

/**
 * Text of a module with a suite for each file; what fails on its import is a test that fails. A file is imported when the one before
 * has ended: two that wait for the same module at a time would both be put into the suite of the first.
 */
function groupEntry(root: string, files: readonly string[]): string {
  const suites = files.map((file) => [relative(root, file), pathToFileURL(file).href]);
  return `import { describe, test } from 'node:test';
for (const [name, url] of ${JSON.stringify(suites)}) {
  await describe(name, () => import(url).catch((error) => test('import', () => { throw error; })));
}
`;
}

/** Whether it starts services, threads or processes, or waits on the machine's clock. */
export function startsOrWaits(file: string): boolean {
  return WAITS.test(readFileSync(file, 'utf8'));
}

/** Files by the folder under `root` that they are in. */
function byFolder(root: string, files: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = relative(root, file).split(sep)[0];
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return folders;
}

/** Parts of the order by which the last group begins: groups take longest, and what begins last must not be what ends last. */
const ALONE_UNTIL = 0.9;
const WAITING_UNTIL = 0.6;
const COMPUTING_UNTIL = 0.7;

interface Share<T> {
  readonly list: readonly T[];
  /** Part of the order over which the list is spread, 0 … 1. */
  readonly until: number;
}

/** Several lists in turn, each spread evenly: what waits runs beside what computes. */
function interleave<T>(shares: readonly Share<T>[]): T[] {
  return shares
    .flatMap(({ list, until }) =>
      list.map((one, i) => ({ one, at: (until * (i + 0.5)) / list.length })),
    )
    .sort((x, y) => x.at - y.at)
    .map(({ one }) => one);
}

/** Processes for these files; `close` removes the modules that were written for groups. */
export function planProcesses(
  root: string,
  files: readonly string[],
): { processes: readonly TestProcess[]; close: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'berth-test-'));
  const kindOf = (file: string): 'own' | 'waits' | 'computes' => {
    const text = readFileSync(file, 'utf8');
    if (OWN_PROCESS.test(text)) return 'own';
    return WAITS.test(text) ? 'waits' : 'computes';
  };
  const kinds = new Map(files.map((file) => [file, kindOf(file)]));
  const groupsOf = (kind: 'waits' | 'computes', most: number): TestProcess[] => {
    const groups: TestProcess[] = [];
    const members = files.filter((file) => kinds.get(file) === kind);
    for (const [name, all] of byFolder(root, members)) {
      const count = Math.ceil(all.length / most);
      for (let n = 0; n < count; n++) {
        // every count-th, so that neighbours by name, which are alike, come to different groups
        const group = all.filter((_, i) => i % count === n);
        const entry = join(folder, `${name}-${kind}-${n + 1}.mjs`);
        if (group.length > 1) writeFileSync(entry, groupEntry(root, group));
        groups.push({ entry: group.length > 1 ? entry : group[0], files: group });
      }
    }
    return groups;
  };
  const alone = files
    .filter((file) => kinds.get(file) === 'own')
    .map((file) => ({ entry: file, files: [file] }));
  return {
    processes: interleave([
      { list: alone, until: ALONE_UNTIL },
      { list: groupsOf('waits', WAITING_GROUP_FILES), until: WAITING_UNTIL },
      { list: groupsOf('computes', GROUP_FILES), until: COMPUTING_UNTIL },
    ]),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
