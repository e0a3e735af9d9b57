/** Figures and tables of `npm run bench:step`: medians, growth, ratios to peers, absent peers, and the page that is generated. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readBaselines } from '../../../bench/step/baseline.ts';
import { figure, type Measured, type MeasuredCase } from '../../../bench/step/measure.ts';
import { benchmarkPage } from '../../../bench/step/page.ts';
import {
  bestPeer,
  engineTable,
  engineWords,
  ratioToPeer,
  summaryTable,
} from '../../../bench/step/report.ts';
import { exponent, STEP_CASES } from '../../../bench/step/step-cases.ts';
import { GROWTH } from '../../../bench/step/free-scenes.ts';
import { packageRoot } from '../../../config/paths.ts';

function measured(engine: string, alone: number | null, after: number | null): Measured {
  const one = (time: number | null): Measured['alone'] =>
    time === null ? null : { median_us: time, spread: 0.01 };
  return {
    engine,
    name: `${engine} 1.0`,
    contact: `contact of ${engine}`,
    result: 'e 0.8',
    holds: true,
    missing: alone === null ? 'absent' : '',
    alone: one(alone),
    after: one(after),
  };
}

const BALL: MeasuredCase = {
  scene: 'ball',
  yardstick_us: 1,
  engines: [measured('Berth', 0.2, 0.4), measured('slow', 3, 2), measured('fast', 2, 9)],
};

test('a figure is the median; its spread is half the distance of the quartiles over it', () => {
  assert.deepEqual(figure([5, 1, 3, 2, 4]), { median_us: 3, spread: 1 / 3 });
  assert.equal(figure([]), null);
});

test('the exponent of a power law is its power, whatever its factor', () => {
  for (const power of [0.5, 1, 1.7]) {
    const slope = exponent(GROWTH.map((pairs) => 3.7 * pairs ** power));
    // logs and sums of five numbers below 10: some rounding errors of 1e-16 each
    assert.ok(Math.abs(slope - power) < 1e-14, `${slope}`);
  }
});

test('the ratio takes the slower of the two figures here, and the faster peer alone', () => {
  assert.equal(bestPeer(BALL)?.engine, 'fast');
  assert.equal(ratioToPeer(BALL), 0.2);
  assert.equal(ratioToPeer({ ...BALL, engines: [measured('Berth', 1, 1)] }), null);
  const without = { ...BALL, engines: [measured('Berth', 1, 1), measured('gone', null, null)] };
  assert.equal(ratioToPeer(without), null);
});

test('an engine that comes out wrong is no peer to compare with, and the table says so', () => {
  const wrong = { ...measured('thrown', 0.1, 0.1), holds: false };
  const one = { ...BALL, engines: [...BALL.engines, wrong] };
  assert.equal(bestPeer(one)?.engine, 'fast');
  assert.match(engineTable(one, false), /\| thrown 1\.0 \|.*\| \*\*wrong\*\*: e 0\.8 \|/);
});

test('a target is met by the slower figure and the ratio together', () => {
  // P1: 0.3 µs, and a quarter of the best peer
  const row = (alone: number, after: number): string => {
    const engines = [measured('Berth', alone, after), measured('fast', 1.6, 9)];
    return summaryTable([{ ...BALL, engines }], false).split('\n')[2];
  };
  assert.match(row(0.2, 0.3), /\| met \|$/);
  assert.match(row(0.2, 0.31), /\| missed \|$/);
  assert.match(row(0.31, 0.2), /\| missed \|$/);
  const slow = summaryTable(
    [{ ...BALL, engines: [measured('Berth', 0.3, 0.3), measured('fast', 1.1, 9)] }],
    false,
  );
  assert.match(slow, /\| missed \|$/, '0.27 of the best peer');
});

test('a peer without its package is named as absent', () => {
  const engines = [...BALL.engines, measured('gone', null, null)];
  assert.match(
    engineTable({ ...BALL, engines }, false),
    /\| gone 1\.0 \| – \| – \| – \| – \| absent \|/,
  );
  assert.ok(
    engineWords([{ ...BALL, engines }]).includes('gone 1.0: absent: its package is not installed'),
  );
});

test('every scene has one row, and every target of the issue has one', () => {
  const scenes = STEP_CASES.map(({ scene }) => scene);
  assert.equal(new Set(scenes).size, scenes.length);
  const targets = new Set(STEP_CASES.flatMap(({ target }) => target ?? []));
  assert.deepEqual([...targets], ['P1', 'P2', 'P3', 'P4', 'P5', 'P9']);
});

test('docs/benchmarks.md is what the kept figures give', () => {
  const page = readFileSync(join(packageRoot(), 'docs', 'benchmarks.md'), 'utf8');
  assert.equal(page, benchmarkPage(readBaselines()));
});
