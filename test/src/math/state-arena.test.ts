/** Slots of a state: their order, their names, and that what is saved is loaded bit for bit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineFields, StateArena } from '../../../src/math/state-arena.ts';

const FIELDS = { height_m: 0.25, flies: true, ticks: 7 } as const;

class Kite {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  declare height_m: number;
  declare flies: boolean;
  declare ticks: number;

  constructor(arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.cells = arena.fields(FIELDS);
  }
}

defineFields(Kite, FIELDS);

const saved = (arena: StateArena): Float64Array => {
  const state = new Float64Array(arena.stateLength);
  arena.saveState(state, 0);
  return state;
};

test('slots lie in the order in which they were reserved, parts in their place', () => {
  const arena = new StateArena();
  const first = arena.add('first', 2).fill(1);
  const before = arena.part('before'); // filled after what stands behind it
  const own = new StateArena();
  const table = arena.table({ A: 0, B: 1 });
  const elsewhere = Float64Array.of(8, 9);
  arena.adopt('elsewhere', elsewhere);
  arena.part('own', own);
  before.add('x', 1).fill(2);
  own.add('x', 1).fill(10);
  table.set([6, 7]);
  assert.deepEqual([...saved(arena)], [1, 1, 2, 6, 7, 8, 9, 10]);
  assert.deepEqual(
    arena.slots.map(({ name, start, length }) => [name, start, length]),
    [
      ['first', 0, 2],
      ['before.x', 2, 1],
      ['A', 3, 1],
      ['B', 4, 1],
      ['elsewhere', 5, 2],
      ['own.x', 7, 1],
    ],
  );
  assert.deepEqual(arena.lengths, [2, 1, 1, 1, 2, 1]);
  const state = Float64Array.from({ length: 12 }, (_, i) => 100 + i);
  arena.loadState(state, 3);
  assert.deepEqual([...first, ...table, ...elsewhere], [103, 104, 106, 107, 108, 109]);
  arena.saveState(state, 1);
  assert.deepEqual([...state], [100, 103, 104, 105, 106, 107, 108, 109, 110, 109, 110, 111]);
});

test('more slots than a block of memory holds are saved and loaded alike', () => {
  const arena = new StateArena();
  const lengths = [1, 63, 1, 5000, 0, 4095, 2, 129];
  const arrays = lengths.map((length, i) => arena.add(`slot${i}`, length));
  let n = 0;
  for (const array of arrays) for (let i = 0; i < array.length; i++) array[i] = ++n;
  const state = saved(arena);
  assert.equal(state.length, n);
  assert.ok(state.every((value, i) => value === i + 1));
  arena.loadState(new Float64Array(n), 0);
  assert.ok(arrays.every((array) => array.every((value) => value === 0)));
  arena.loadState(state, 0);
  assert.deepEqual(saved(arena), state);
});

test('every double and every word comes back bit for bit', () => {
  const arena = new StateArena();
  const doubles = arena.add('doubles', 6);
  const words = Uint32Array.of(0xffffffff, 0x80000001);
  const integers = Int32Array.of(-(2 ** 31), 2 ** 31 - 1);
  const bytes = Uint8Array.of(0, 255);
  arena.adopt('words', words);
  arena.adopt('integers', integers);
  arena.adopt('bytes', bytes);
  const values = [-0, NaN, -Infinity, Number.MIN_VALUE, Number.MAX_VALUE, 0.1 + 0.2];
  doubles.set(values);
  const state = saved(arena);
  doubles.fill(1);
  words.fill(1);
  integers.fill(1);
  bytes.fill(1);
  arena.loadState(state, 0);
  assert.ok(values.every((value, i) => Object.is(doubles[i], value)));
  assert.deepEqual([...words], [0xffffffff, 0x80000001]);
  assert.deepEqual([...integers], [-(2 ** 31), 2 ** 31 - 1]);
  assert.deepEqual([...bytes], [0, 255]);
});

test('what is computed from the state follows what it is computed from, before the rest is loaded', () => {
  const arena = new StateArena();
  const part = arena.part('part');
  const limit = part.add('limit', 1);
  const rest = arena.add('rest', 1);
  const seen: number[] = [];
  part.afterLoad(() => seen.push(limit[0], rest[0]));
  arena.loadState(Float64Array.of(5, 6), 0);
  assert.deepEqual(seen, [5, 0]);
  assert.deepEqual([...rest], [6]);
});

test('fields of an object are its slots', () => {
  const kite = new Kite();
  assert.deepEqual([kite.height_m, kite.flies, kite.ticks], [0.25, true, 7]);
  kite.height_m += 0.5;
  kite.flies = false;
  kite.ticks++;
  assert.deepEqual([...saved(kite.arena)], [0.75, 0, 8]);
  const other = new Kite();
  other.arena.loadState(Float64Array.of(3, 1, 2), 0);
  assert.deepEqual([other.height_m, other.flies, other.ticks], [3, true, 2]);
  assert.deepEqual([kite.height_m, kite.ticks], [0.75, 8], 'each object has its own');
});

test('a name that comes twice, a table with a hole and a slot that comes too late are refused', () => {
  const arena = new StateArena();
  arena.add('x', 1);
  assert.throws(() => arena.part('x'), { code: 'BERTH_DUPLICATE_NAME' });
  assert.throws(() => arena.table({ A: 0, B: 2 }), { code: 'BERTH_MISMATCH' });
  assert.equal(new StateArena().stateLength, 0);
  const fixed = new StateArena();
  fixed.add('x', 1);
  assert.equal(fixed.stateLength, 1);
  assert.throws(() => fixed.add('y', 1), /"y" comes too late/);
});
