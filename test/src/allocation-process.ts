/**
 * Runs a measurement of the heap in a process of its own, on plain compiled JavaScript: a loader that wraps functions allocates
 * on its own account.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const compiled = import.meta.url.endsWith('.js');

function packageDirectory(): string {
  let at = here;
  while (!existsSync(join(at, 'tsconfig.json'))) {
    if (at === dirname(at)) throw new Error(`no tsconfig.json above ${here}`);
    at = dirname(at);
  }
  return at;
}

/**
 * What the script prints as JSON. The script gets `makeSystem` and everything that test/src/`models`.ts exports under the name
 * `models`, and may call `gc()`.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller says what its script prints
export function measureHeap<T>(models: string, script: string): T {
  const root = packageDirectory();
  const scratch = mkdtempSync(join(tmpdir(), 'berth-allocation-'));
  try {
    let code = join(here, '..', '..');
    if (!compiled) {
      code = scratch;
      const options =
        '--target ES2022 --module NodeNext --strict --rewriteRelativeImportExtensions';
      execFileSync(process.execPath, [
        join(root, 'node_modules/typescript/bin/tsc'),
        ...`${options} --rootDir ${root} --outDir ${scratch} --noCheck --ignoreConfig`.split(' '),
        join(root, `test/src/${models}.ts`),
        join(root, 'src/index.ts'),
      ]);
      writeFileSync(join(scratch, 'package.json'), '{"type":"module"}');
    }
    const file = join(scratch, 'measure.mjs');
    const system = pathToFileURL(join(code, 'src/index.js')).href;
    const library = pathToFileURL(join(code, `test/src/${models}.js`)).href;
    writeFileSync(
      file,
      `import { makeSystem } from '${system}';\nimport * as models from '${library}';\n${script}`,
    );
    const child = spawnSync(
      process.execPath,
      ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64', file],
      { encoding: 'utf8', env: { PATH: process.env['PATH'] } },
    );
    if (child.status !== 0) throw new Error(child.stderr);
    return JSON.parse(child.stdout) as T;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
