/**
 * The step allocates nothing: 600,000 steps of the half-sphere loop in a process of its own. The child runs plain compiled
 * JavaScript, because a loader that wraps functions allocates on its own account.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
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

test('600,000 steps of the half-sphere loop grow the heap by 0 bytes a step', () => {
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
        join(root, 'test/src/models.ts'),
        join(root, 'src/index.ts'),
      ]);
      writeFileSync(join(scratch, 'package.json'), '{"type":"module"}');
    }
    const script = join(scratch, 'measure.mjs');
    const system = pathToFileURL(join(code, 'src/index.js')).href;
    const models = pathToFileURL(join(code, 'test/src/models.js')).href;
    writeFileSync(
      script,
      `import { makeSystem } from '${system}';
import { halfSphere } from '${models}';
const run = makeSystem(halfSphere(0.02, { command: [{ time: 0, twist: [1e-3, 0, -2e-3, 0, 0, 0] }] }));
const contact = new Float64Array(32);
const energy = new Float64Array(8);
function steps(n) {
  for (let k = 0; k < n; k++) {
    run.step(1e-3);
    run.readContact(0, contact, 0);
    run.readEnergy(energy, 0);
  }
}
steps(200000);
let grown = Infinity;
for (let block = 0; block < 3; block++) {
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  steps(600000);
  grown = Math.min(grown, process.memoryUsage().heapUsed - before);
}
console.log(JSON.stringify({ perStep: grown / 600000, force: contact[3] }));
`,
    );
    const child = spawnSync(
      process.execPath,
      ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64', script],
      { encoding: 'utf8', env: { PATH: process.env.PATH } },
    );
    assert.equal(child.status, 0, child.stderr);
    const { perStep, force } = JSON.parse(child.stdout) as { perStep: number; force: number };
    assert.ok(force > 20, 'the loop was in contact while it was measured');
    // the compiler leaves up to 200 kB at some moment of a run, 0.3 B a step; one boxed double would be 16 B a step
    assert.ok(perStep < 0.5, `${perStep} bytes a step`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
