/**
 * Runs the test suite: every `*.test.*` beside this file in a process of its own under Node's test runner. Tests that watch
 * the wall clock (`test/wall/`), tests in a browser (`test/browser/`), which need more than Node, flights, floods and loop workers
 * of a minute (`test/flight/`), and what measures allocation (`*allocation*`), which takes its time, want a quiet machine: they run only
 * when they are named, one at a time.
 *
 * Usage: run [name-part …] — only files whose path contains one of the parts.
 */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const parts = process.argv.slice(2);
const files = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((path) => /[.]test[.](ts|js)$/.test(path))
  .filter((path) =>
    parts.length === 0
      ? !/^(browser|flight|wall)[/]|allocation/.test(path)
      : parts.some((part) => path.includes(part)),
  )
  .sort()
  .map((path) => join(here, path));
const wall = files.filter((path) => /[/](wall|browser|flight|allocation)[/]/.test(path));
const virtual = files.filter((path) => !wall.includes(path));

let passed = 0;
let failed = 0;
let skipped = 0;

async function runFiles(selection: string[], concurrency: number, timeout: number): Promise<void> {
  if (selection.length === 0) return;
  const stream = run({ files: selection, concurrency, timeout });
  stream.on('test:pass', (event) => {
    if (event.skip !== undefined && event.skip !== false) skipped++;
    else if (event.details.type !== 'suite') passed++;
  });
  stream.on('test:fail', (event) => {
    if (event.details.type !== 'suite') failed++;
  });
  const report = stream.compose(new spec()) as unknown as AsyncIterable<string>;
  for await (const chunk of report) process.stdout.write(chunk);
}

// patience with the machine: who needs this long hangs
await runFiles(virtual, 2, 600_000);
await runFiles(wall, 1, 600_000);
if (passed + failed + skipped === 0) failed = 1; // a run that found nothing has not passed
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
