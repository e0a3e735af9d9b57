/** The kernels of the build are there and compile; without WebAssembly a command refuses, with the reason. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { contactKernels } from '../../config/contact-kernels.ts';
import { packageRoot } from '../../config/paths.ts';
import { ContactKernels } from '../../src/contact/contact-loops.ts';

test('the build has kernels, compiled once', () => {
  assert.ok(contactKernels() instanceof ContactKernels);
  assert.equal(contactKernels(), contactKernels());
});

test('without WebAssembly a command says why it cannot run', () => {
  const main = join(packageRoot(), 'dist', 'server', 'main.js');
  assert.ok(existsSync(main));
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--jitless', main, 'simulate', 'ball-on-incline'],
    { encoding: 'utf8' },
  );
  assert.equal(status, 2, stderr);
  assert.match(stderr, /without WebAssembly/);
});
