/** Pairs and laws are told apart by what the registry says of them: nobody outside their definitions asks for a kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FRICTION_LAWS, NORMAL_LAWS, PAIRS, ROLLING_LAWS } from '../../src/contact/registry.ts';
import { askedKinds } from './kinds.ts';
import { readSources } from './rooms.ts';

const sources = readSources();
/** Words that other things are called by, too. */
const SHARED = ['none'];
const KINDS = [PAIRS, NORMAL_LAWS, FRICTION_LAWS, ROLLING_LAWS]
  .flatMap((table) => Object.keys(table))
  .filter((kind, index, all) => all.indexOf(kind) === index && !SHARED.includes(kind));

test('no file outside the definitions asks for a kind of pair or law', () => {
  assert.ok(KINDS.includes('volumetric') && KINDS.length > 14, KINDS.join(', '));
  assert.deepEqual(askedKinds(sources, KINDS), []);
});

test('a question for a kind that comes back is found, wherever it stands', () => {
  const asked = (path: string, text: string): string[] =>
    askedKinds(new Map([[path, text]]), KINDS);
  assert.deepEqual(asked('src/system/x.ts', "if (pair.kind === 'volumetric') return true;"), [
    "src/system/x.ts: === 'volumetric'",
  ]);
  assert.deepEqual(asked('hil/loop/x.ts', "if (law.kind !== 'hertz') return;"), [
    "hil/loop/x.ts: !== 'hertz'",
  ]);
  assert.deepEqual(asked('config/compile.ts', "case 'sphere-cone':"), [
    "config/compile.ts: case 'sphere-cone'",
  ]);
  assert.deepEqual(asked('server/status/x.ts', "'volumetric' === pair.kind"), [
    "server/status/x.ts: 'volumetric' ===",
  ]);
  assert.deepEqual(asked('src/contact/pairs/convex.ts', "pair.kind === 'convex'"), []);
  assert.deepEqual(asked('server/validation/x.ts', "{ kind: 'volumetric' }"), []);
});
