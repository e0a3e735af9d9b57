/** The metrics page: names, cumulative buckets, and what promtool thinks of it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import {
  counterSlot,
  LOOP_FAMILIES,
  layoutCounters,
  observe,
} from '../../../hil/contract/counters.ts';
import { LATENCY_BUCKETS } from '../../../hil/contract/counters.ts';
import { allocateShared } from '../../../hil/memory/shared.ts';
import { allMetricNames, makeRegistry } from '../../../server/metrics/metrics.ts';
import { ServerCounters } from '../../../server/metrics/metrics-families.ts';

const shared = allocateShared();
const counters = new Float64Array(shared.loopCounters);
const layout = layoutCounters(LOOP_FAMILIES);
const stage = counterSlot(layout, LOOP_FAMILIES, 'loop_stage_duration_seconds', 'step');
for (const value of [5e-6, 15e-6, 15e-6, 1]) observe(counters, stage, LATENCY_BUCKETS, value);
const server = new ServerCounters();
server.add('ws_rejects_total', 3, 'origin');
const registry = makeRegistry(() => shared, server);

test('stored buckets are rendered cumulative, with sum and count', async () => {
  const text = await registry.metrics();
  const value = (series: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  const name = 'berth_loop_stage_duration_seconds';
  assert.equal(value(`${name}_bucket{stage="step",le="0.00001"}`), 1);
  assert.equal(value(`${name}_bucket{stage="step",le="0.00002"}`), 3);
  assert.equal(value(`${name}_bucket{stage="step",le="0.1"}`), 3);
  assert.equal(value(`${name}_bucket{stage="step",le="+Inf"}`), 4);
  assert.equal(value(`${name}_count{stage="step"}`), 4);
  assert.ok(Math.abs(value(`${name}_sum{stage="step"}`) - 1.000035) < 1e-12);
  assert.equal(value('berth_ws_rejects_total{reason="origin"}'), 3);
});

test('every name is on the page once', async () => {
  const text = await registry.metrics();
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]);
  assert.equal(new Set(names).size, names.length);
  assert.deepEqual([...names].sort(), [...allMetricNames()].sort());
});

test('fewer than 600 series, and promtool accepts them', async (context) => {
  const text = await registry.metrics();
  const series = text.split('\n').filter((line) => line.startsWith('berth_')).length;
  assert.ok(series < 600, `${series} series`);
  const check = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  if (check.error !== undefined) {
    context.skip('promtool is not installed');
    return;
  }
  assert.equal(check.status, 0, check.stderr);
});
