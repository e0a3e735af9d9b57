/**
 * Puts test files that only compute into groups, each group in one process: a process for every file spends most of its time on
 * starting and on loading the same modules. A file that starts threads, processes or services, waits on the machine's clock, looks at
 * its own process, or hooks every test keeps a process of its own.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** In the source or in the compiled text of a file: it does more than to compute. */
const OWN_PROCESS =
  /child_process|worker_threads|\bprocess[.]|startRuntime|[/]service[.][jt]s|setTimeout|timers[/]promises|node:(net|http)|^(before|after)Each\(/m;
/** Few enough that two cores end together, many enough that the start of a process costs little. */
const GROUP_FILES = 12;

/** What one process runs. */
export interface TestProcess {
  /** Module to start: the test file, or one that imports the files of a group. */
  readonly entry: string;
  readonly files: readonly string[];
}

/** Text of a module that imports one file after the other; what fails on its import is a test that fails. */
function groupEntry(files: readonly string[]): string {
  const urls = files.map((file) => pathToFileURL(file).href);
  return `import { test } from 'node:test';
for (const url of ${JSON.stringify(urls)}) {
  await import(url).catch((error) => test('import of ' + url, () => { throw error; }));
}
`;
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

/** Part of the order in which the groups are: they take longest, and what begins last must not be what ends last. */
const GROUPS_UNTIL = 0.7;

/** Files and groups in turn: what waits runs beside what computes. Single files alone come last. */
function interleave<T>(alone: readonly T[], groups: readonly T[]): T[] {
  const share = (list: readonly T[], until: number): { one: T; at: number }[] =>
    list.map((one, i) => ({ one, at: (until * (i + 0.5)) / list.length }));
  return [...share(alone, 1), ...share(groups, GROUPS_UNTIL)]
    .sort((x, y) => x.at - y.at)
    .map(({ one }) => one);
}

/** Processes for these files; `close` removes the modules that were written for groups. */
export function planProcesses(
  root: string,
  files: readonly string[],
): { processes: readonly TestProcess[]; close: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'berth-test-'));
  const own = files.filter((file) => OWN_PROCESS.test(readFileSync(file, 'utf8')));
  const groups: TestProcess[] = [];
  for (const [name, all] of byFolder(
    root,
    files.filter((file) => !own.includes(file)),
  )) {
    const count = Math.ceil(all.length / GROUP_FILES);
    for (let n = 0; n < count; n++) {
      // every count-th, so that neighbours by name, which are alike, come to different groups
      const members = all.filter((_, i) => i % count === n);
      const entry = join(folder, `${name}-${n + 1}.mjs`);
      if (members.length > 1) writeFileSync(entry, groupEntry(members));
      groups.push({ entry: members.length > 1 ? entry : members[0], files: members });
    }
  }
  const alone = own.map((file) => ({ entry: file, files: [file] }));
  return {
    processes: interleave(alone, groups),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
