/** State is slots of an arena: no class of the product writes its own save and load. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSources } from './rooms.ts';

/** The one that saves and loads. */
const ARENA = 'src/math/state-arena.ts';
const PRODUCT = /^(src|config|hil|server)\//;
/** A member or a function of that name, not a call of one. */
const DEFINED = /(?<![.\w])#?(saveState|loadState)\b\s*(?:\(|=|:)/g;

/** Files with a save or a load of their own. */
function handWritten(sources: ReadonlyMap<string, string>): string[] {
  return [...sources].flatMap(([path, text]) =>
    !PRODUCT.test(path) || path === ARENA
      ? []
      : [...text.matchAll(DEFINED)].map(([, name]) => `${path}: ${name}`),
  );
}

const sources = readSources();

test('no class writes its own save and load', () => {
  assert.ok(sources.has(ARENA));
  assert.deepEqual(handWritten(sources), []);
});

test('a save that is planted is found, a call of one is not', () => {
  const planted = (text: string): string[] => handWritten(new Map([['hil/loop/x.ts', text]]));
  const member = 'class X {\n  saveState(into: Float64Array, at: number): void {}\n}\n';
  assert.deepEqual(planted(member), ['hil/loop/x.ts: saveState']);
  assert.deepEqual(planted('  readonly #loadState = (from) => {};'), ['hil/loop/x.ts: loadState']);
  assert.deepEqual(planted('  loadState: (from) => {},'), ['hil/loop/x.ts: loadState']);
  assert.deepEqual(planted('tick.state.saveState(page, 3);'), []);
});
