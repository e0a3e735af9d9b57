/** Values of a scenario against those of files of `berth identify -o`. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { stringify } from 'yaml';
import { compileScenario } from '../../../../config/compile.ts';
import { loadScenario } from '../../../../config/scenario.ts';
import { identifiedDoubts, readIdentified } from '../../../../server/cli/identify/identified.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-identified-'));
after(() => rmSync(folder, { recursive: true }));

type Value = readonly [value: number, low: number, high: number];
let files = 0;

/** Doubts about a scenario with changes, beside values that were identified. */
function doubts(
  name: string,
  changes: readonly string[],
  found: Readonly<Record<string, Value>>,
  range: Readonly<Record<string, readonly number[]>> = {},
): string[] {
  const file = join(folder, `${files++}.yaml`);
  const parameters = Object.fromEntries(
    Object.entries(found).map(([key, [value, low, high]]) => [key, { value, low, high }]),
  );
  writeFileSync(file, stringify({ format: 'berth-identified-1', range, parameters }));
  const scenario = loadScenario(name, changes);
  return identifiedDoubts([readIdentified(file)], scenario, compileScenario(scenario)).map((one) =>
    one.replace(file, 'FILE'),
  );
}

const PLATE = 'half-sphere-on-plate';
const SHORT = 'duration_s=0.01';

test('stiction and bristles by the names of their fields', () => {
  const found = {
    stiction: [0.2, 0.19, 0.21],
    bristle_stiffness_per_m: [4000, 3900, 4100],
    bristle_damping_s_per_m: [10.5, 10, 11],
  } as const;
  assert.deepEqual(doubts(PLATE, [SHORT], found), [
    'contacts[0].friction_law.stiction is 0.1600, and 0.2000 (0.1900 to 0.2100) was identified in FILE',
    'contacts[0].friction_law.bristle_stiffness_per_m is 3333, and 4000 (3900 to 4100) was identified in FILE',
  ]);
});

test('a restitution that falls: its slope, and 1 at rest', () => {
  const law = 'contacts.0.normal_law.restitution={ slope_s_per_m: 0.2 }';
  const found = {
    restitution_at_rest: [0.95, 0.93, 0.97],
    'restitution.slope_s_per_m': [0.3, 0.28, 0.32],
  } as const;
  assert.deepEqual(doubts(PLATE, [SHORT, law], found), [
    'contacts[0].normal_law.restitution.slope_s_per_m is 0.2000, and 0.3000 (0.2800 to 0.3200) was identified in FILE',
    'contacts[0].normal_law.restitution at rest is 1.000, and 0.9500 (0.9300 to 0.9700) was identified in FILE',
  ]);
  const right = {
    restitution_at_rest: [1, 0.98, 1.02],
    'restitution.slope_s_per_m': [0.2, 0.1, 0.3],
  } as const;
  assert.deepEqual(doubts(PLATE, [SHORT, law], right), []);
});

test('a restitution that is a number, beside one that was found to fall: at the fastest impact', () => {
  // touches at 2 mm/s after half a second: 0.99 − 60 s/m · 2 mm/s = 0.87
  const found = {
    restitution_at_rest: [0.99, 0.985, 0.995],
    'restitution.slope_s_per_m': [60, 59, 61],
  } as const;
  const [text, ...more] = doubts(PLATE, ['duration_s=1'], found);
  assert.deepEqual(more, []);
  assert.match(
    text,
    /restitution is 0\.8500, and 0\.87\d* \(0\.86\d* to 0\.87\d*\) was identified/,
  );
  const slower = { ...found, 'restitution.slope_s_per_m': [70, 68, 72] } as const;
  assert.deepEqual(doubts(PLATE, ['duration_s=1'], slower), []);
});

test('the slope of a law that has no other restitution', () => {
  const law =
    'contacts.0.normal_law={ kind: restitution-slope-hertz, stiffness_N_per_m1_5: 2.5e8, restitution_slope_s_per_m: 0.9 }';
  assert.deepEqual(
    doubts(PLATE, [SHORT, law], { 'restitution.slope_s_per_m': [0.3, 0.28, 0.32] }),
    [
      'contacts[0].normal_law.restitution_slope_s_per_m is 0.9000, and 0.3000 (0.2800 to 0.3200) was identified in FILE',
    ],
  );
});

test('the factor of spin of a volumetric law', () => {
  const found = { spin_scale: [0.8, 0.79, 0.81] } as const;
  const [text] = doubts('canadarm-berthing', ['duration_s=0.001'], found);
  assert.equal(
    text,
    'contacts[0].friction_law.spin_scale is 1.000, and 0.8000 (0.7900 to 0.8100) was identified in FILE',
  );
});

test('the payload that the arm carries: mass, centre and moments, without a run', () => {
  const found = {
    mass_kg: [2900, 2890, 2910],
    center_x_m: [-1.7, -1.71, -1.69],
    center_y_m: [0.02, 0.01, 0.03],
    inertia_yy_kg_m2: [3100, 3050, 3150],
  } as const;
  assert.deepEqual(doubts('canadarm-berthing', [], found), [
    'tool.robot.payload.mass_kg is 3000, and 2900 (2890 to 2910) was identified in FILE',
    'tool.robot.payload.center_m[1] is 0.000, and 0.02000 (0.01000 to 0.03000) was identified in FILE',
    'tool.robot.payload.moments_kg_m2[1] is 3300, and 3100 (3050 to 3150) was identified in FILE',
  ]);
});

test('a range beside a value that is right', () => {
  const [text, ...more] = doubts(
    PLATE,
    ['duration_s=1'],
    { restitution: [0.85, 0.84, 0.86] },
    { impact_speed_mps: [0.01, 0.1] },
  );
  assert.deepEqual(more, []);
  assert.match(
    text,
    /restitution was identified in FILE from 0\.01000 to 0\.1000 m\/s, and the scenario comes to an impact speed of 0\.00\d+ m\/s$/,
  );
});
