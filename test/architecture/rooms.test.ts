/** The walls of the house: every folder is a room of the table, every room a folder, and no import goes up. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../config/paths.ts';
import {
  forbiddenImports,
  HOUSES,
  readRooms,
  readSources,
  roomOf,
  type Room,
  tableFaults,
} from './rooms.ts';

/** Files that may stand at the root of a house. */
const MOST_AT_ROOT = 6;

const rooms = readRooms();
const sources = readSources();

const file = (path: string, text: string): Map<string, string> => new Map([[path, text]]);
const planted = (path: string, text: string): Map<string, string> =>
  new Map([...sources, ...file(path, text)]);

test('every folder is a room and every room a folder, and a room sees only rooms below it', () => {
  assert.ok(sources.size > 1000, `${sources.size} source files found`);
  assert.deepEqual(tableFaults(rooms, sources), []);
});

test('no import leaves the rooms that the table allows', () => {
  assert.deepEqual(forbiddenImports(rooms, sources), []);
});

test('at most six files stand at the root of src, hil and server', () => {
  for (const house of HOUSES) {
    const here = [...sources.keys()].filter((path) => new RegExp(`^${house}/[^/]+$`).test(path));
    assert.ok(here.length <= MOST_AT_ROOT, `${house}/ has ${here.join(', ')}`);
  }
});

test('the page of the architecture has a line of each room', () => {
  const page = readFileSync(join(packageRoot(), 'docs/architecture.md'), 'utf8');
  for (const { room, what } of rooms) {
    assert.ok(page.includes(`| \`${room}\` | ${what} |`), `docs/architecture.md: ${room}, ${what}`);
  }
});

test('an arrow up that is planted is found, also one of a type', () => {
  const up = file('hil/contract/up.ts', "import type { Tick } from '../loop/tick.ts';\n");
  assert.deepEqual(forbiddenImports(rooms, up), ['hil/contract/up.ts -> hil/loop/tick.ts']);
  const across = file('server/client/up.ts', "export * from '../../src/system/system.ts';\n");
  assert.deepEqual(forbiddenImports(rooms, across), [
    'server/client/up.ts -> src/system/system.ts',
  ]);
  const fixture = file('src/arm/up.ts', "import '../../test/fixtures/models.ts';\n");
  assert.deepEqual(forbiddenImports(rooms, fixture), ['src/arm/up.ts -> test/fixtures/models.ts']);
});

test('a folder without a rule, a rule without a folder and a room that sees up are found', () => {
  const folder = planted('hil/cellar/wine.ts', '');
  assert.deepEqual(tableFaults(rooms, folder), ['hil/cellar/wine.ts: no room has it']);
  const attic: Room = { room: 'hil/attic', what: 'nothing', sees: [] };
  assert.deepEqual(tableFaults([attic, ...rooms], sources), ['hil/attic: a rule without a folder']);
  const upward = rooms.map((one) =>
    one.room === 'src/base' ? { ...one, sees: ['src/math'] } : one,
  );
  assert.deepEqual(tableFaults(upward, sources), ['src/base sees src/math, which is not below it']);
});

test('a file belongs to the innermost room', () => {
  assert.equal(roomOf(rooms, 'test/fixtures/models.ts')?.room, 'test/fixtures');
  assert.equal(roomOf(rooms, 'test/hil/loop/timing.test.ts')?.room, 'test');
  assert.equal(roomOf(rooms, 'server/app.ts')?.room, 'server/app.ts');
});
