/** Kernels of the loop are compiled and optimised when they are loaded, not within the tick that calls them first. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { extname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PROCESS = fileURLToPath(
  new URL(`./compiling-process${extname(import.meta.url)}`, import.meta.url),
);

/** Functions that V8 says it has compiled: until the module is loaded, and after that. */
function compile(how: 'ahead' | 'late'): { atLoad: number; atCall: number } {
  const flags = [...process.execArgv, '--trace-wasm-compilation-times'];
  const text = execFileSync(process.execPath, [...flags, PROCESS, how], { encoding: 'utf8' });
  const [load, call] = text.split('loaded');
  const count = (part: string): number => part.split(/Compiled function/).length - 1;
  return { atLoad: count(load), atCall: count(call) };
}

test('a module that is loaded ahead compiles nothing when it is called', () => {
  const late = compile('late');
  assert.deepEqual(late, { atLoad: 0, atCall: 1 }, 'by default, or the test would not see it');
  assert.deepEqual(compile('ahead'), { atLoad: 1, atCall: 0 });
});
