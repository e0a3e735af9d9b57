/** Tables of the mesh benchmark: exponents of growth, and what is missing with its reason. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  exponent,
  faults,
  type Measured,
  meshPage,
  timeTable,
  words,
} from '../../../bench/mesh/report.ts';
import { heightAt } from '../../../bench/mesh/ring-scene.ts';
import { layoutComplaints } from '../../docs/page-rules.ts';

const row = (size: Measured['size'], p50_us: number, missing = ''): Measured => ({
  name: 'Rapier',
  size,
  missing,
  words: 'Rapier 1.0: a mesh',
  p50_us,
  p99_us: 2 * p50_us,
  made_s: 1,
  heap_B: 0,
  contacts: '3 points',
  height: heightAt(0),
  missed: '',
});
const run = {
  machine: { cpu: 'c', cores: 2, system: 's', node: 'v' },
  load: 1,
  rows: [row(1000, 10), row(10000, 20), row(100000, 40), row(1000000, 1, 'too slow')],
};

test('the exponent of a power law is its power', () => {
  const points = [1e3, 1e4, 1e6].map((size): [number, number] => [size, 3 * size ** 0.7]);
  assert.ok(Math.abs(exponent(points) - 0.7) < 1e-12);
  assert.ok(Number.isNaN(exponent([[10, 1]])));
});

test('a size that is missing is a dash in the table, no part of the exponent, and has its reason', () => {
  const line = timeTable(run, false)
    .split('\n')
    .find((each) => each.includes('Rapier'));
  assert.equal(line, '| Rapier | 10.0 / 20.0 | 20.0 / 40.0 | 40.0 / 80.0 | – | 0.30 |');
  assert.deepEqual(words(run), ['Rapier: Rapier 1.0: a mesh.', 'Rapier, 1e6: too slow.']);
});

test('a row of Berth that allocates, has fallen through or has not computed all is a fault; a row of others is none', () => {
  const good = { ...row(1000, 10), name: 'Berth faceted' } as const;
  const fallen = { height: heightAt(0) - 0.01 };
  const rows = [
    good,
    { ...good, heap_B: 384 },
    { ...good, ...fallen },
    { ...good, height: Number.NaN },
    { ...good, missed: '3 pairs found no room' },
    { ...good, ...fallen, missing: 'too slow' },
    { ...row(1000, 10), ...fallen, heap_B: 1000 },
  ];
  assert.deepEqual(faults({ ...run, rows }), [
    'Berth faceted, 1000 triangles: a step leaves 384 B on the heap, 0 are allowed',
    'Berth faceted, 1000 triangles: the ring is -10.00 mm over touch',
    'Berth faceted, 1000 triangles: the ring is NaN mm over touch',
    'Berth faceted, 1000 triangles: 3 pairs found no room',
  ]);
});

test('the page keeps the layout of pages, with long words, with and without what is missing', () => {
  const long = { ...row(1000, 10), words: 'Rapier 1.0: a mesh of many words'.repeat(12) };
  for (const rows of [[long], [long, row(10000, 1, 'a reason of some words '.repeat(12))]]) {
    const page = meshPage({ ...run, rows });
    assert.deepEqual(layoutComplaints(page), []);
    assert.equal(page.includes('What there is not'), rows.length > 1);
  }
});
