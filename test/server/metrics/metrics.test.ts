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
import {
  type LoadedSession,
  MOST_JOINTS,
  MOST_TOUCHES,
} from '../../../server/metrics/session-families.ts';
import {
  SCENE_JOINT,
  SCENE_TOUCH,
  SCENE_WIDTH,
  SceneColumn,
} from '../../../hil/contract/scene-columns.ts';
import { TelemetryRing } from '../../../hil/memory/ring.ts';
import { ArmReadout, JointReadout } from '../../../src/model/arm-spec.ts';

const shared = allocateShared();
const counters = new Float64Array(shared.loopCounters);
const layout = layoutCounters(LOOP_FAMILIES);
const stage = counterSlot(layout, LOOP_FAMILIES, 'loop_stage_duration_seconds', 'step');
for (const value of [5e-6, 15e-6, 15e-6, 1]) observe(counters, stage, LATENCY_BUCKETS, value);
const server = new ServerCounters();
server.add('ws_rejects_total', 3, 'origin');
const session: LoadedSession = {
  scenario: 'battery "box"',
  mode: 'virtual',
  joints: [
    { name: 'boom', kind: 'revolute', driven: false },
    { name: 'shoulder', kind: 'revolute', driven: true },
    { name: 'slide', kind: 'prismatic', driven: true },
  ],
  touches: ['nose', 'pad', 'roller'],
};
const registry = makeRegistry(
  () => shared,
  server,
  () => session,
  false,
);

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

test('scenario and mode are labels, and joints of the arm are there while there is one', async () => {
  assert.match(
    await registry.metrics(),
    /^berth_scenario_info\{scenario="battery \\"box\\"",mode="virtual"\} 1$/m,
  );
  assert.doesNotMatch(await registry.metrics(), /^berth_arm_/m);
  const row = new Float64Array(SCENE_WIDTH);
  row[SceneColumn.JOINTS] = 3;
  const [, shoulder, slide] = [0, 1, 2].map((j) => SceneColumn.FIRST_JOINT + j * SCENE_JOINT);
  row[shoulder + JointReadout.torque] = -3.5;
  row[shoulder + JointReadout.margin] = Infinity;
  row[slide + JointReadout.position] = 0.25;
  row[SceneColumn.ARM + ArmReadout.deflectionX] = 0.003;
  row[SceneColumn.ARM + ArmReadout.deflectionZ] = 0.004;
  new TelemetryRing(shared.scene, SCENE_WIDTH).push(row);
  const text = await registry.metrics();
  assert.match(text, /^berth_arm_joint_torque_newton_meters\{joint="shoulder"\} -3\.5$/m);
  assert.match(text, /^berth_arm_joint_margin_radians\{joint="shoulder"\} \+Inf$/m);
  assert.match(text, /^berth_arm_joint_position_meters\{joint="slide"\} 0\.25$/m);
  assert.match(text, /^berth_arm_tip_deflection_meters 0\.005$/m);
  assert.doesNotMatch(text, /joint_torque_newton_meters\{joint="slide"\}|joint="boom"/);
});

test('surfaces that touch have series of their own, with the name of their contact', async () => {
  assert.doesNotMatch(await registry.metrics(), /^berth_touch_each_/m);
  const row = new Float64Array(SCENE_WIDTH);
  row[SceneColumn.POINTS] = 3;
  // number, places, least and largest curvature, axis, reciprocal condition; the second has no surfaces, the third is on a border
  row.set([1, 2, 8, 9, 1, 0, 0, 0.1], SceneColumn.FIRST_TOUCH);
  row.set([0], SceneColumn.FIRST_TOUCH + SCENE_TOUCH);
  row.set([2, 1], SceneColumn.FIRST_TOUCH + 2 * SCENE_TOUCH);
  new TelemetryRing(shared.scene, SCENE_WIDTH).push(row);
  const text = await registry.metrics();
  assert.match(text, /^berth_touch_each_curvature_ratio\{touch="pad"\} 0\.08$/m);
  assert.match(text, /^berth_touch_each_curvature_ratio\{touch="roller"\} Nan$/m);
  assert.doesNotMatch(text, /touch="nose"/);
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
  // of the joints that have series one turns here: three families of each of the others
  // and two touch
  assert.ok(series + 3 * (MOST_JOINTS - 1) + MOST_TOUCHES - 2 < 600, `${series} series`);
  const check = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  if (check.error !== undefined) {
    context.skip('promtool is not installed');
    return;
  }
  assert.equal(check.status, 0, check.stderr);
});
