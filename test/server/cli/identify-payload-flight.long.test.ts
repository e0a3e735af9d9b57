/**
 * The flight of the payload on the virtual clock: the script that `berth fly` flies, the whole loop in mode hardware, the emulated robot with the noise of the
 * bench and a payload that the service does not know, a recorder. `berth identify` gets the file alone.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { drawTruth, inTruth } from '../../../hil/emulator/bench-truth.ts';
import type { SensorErrors } from '../../../hil/emulator/force-sensor.ts';
import type { PayloadResidual } from '../../../hil/emulator/residual-payload.ts';
import { run } from '../../../server/cli/identify.ts';
import { flyOnVirtualClock, type VirtualFlight } from '../../fixtures/virtual-flight.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-identify-payload-'));
after(() => rmSync(folder, { recursive: true }));

const [SCENARIO, SCENARIO_TOOL] = ['half-sphere-on-plate', 'half-sphere'];
const PAYLOAD: PayloadResidual = {
  mass_kg: 0.4,
  center_m: [0.03, -0.04, 0.05],
  inertia_kgm2: [8e-4, 9e-4, 7e-4, 0, 0, 0],
};
const BIAS = [1.5, -2, 1, 0.1, -0.15, 0.2];
/** Shares of the diagonal; the filter is late by what the difference of a mean does not see. */
const sensorOf = (gain: readonly number[]): SensorErrors => ({
  gain: Array.from({ length: 36 }, (_, at) => (at % 7 === 0 ? gain[at / 7] : 0)),
  bias: BIAS,
  filter_s: 1e-3,
  saturation_N: 600,
  saturation_Nm: 60,
});
const ONES = [1, 1, 1, 1, 1, 1];
const NAMES = ['bias_force_x_N', 'bias_force_y_N', 'bias_force_z_N'];
const MOMENTS = ['bias_moment_x_Nm', 'bias_moment_y_Nm', 'bias_moment_z_Nm'];
const CENTER = ['center_x_m', 'center_y_m', 'center_z_m'];

interface Found {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

async function flown(t: TestContext, name: string, flight: VirtualFlight, ...more: string[]) {
  const { path, time_s } = await flyOnVirtualClock('identify-payload', join(folder, name), flight);
  t.diagnostic(`${time_s.toFixed(1)} s of model time`);
  const out = join(folder, `${name}.yaml`);
  const log = t.mock.method(console, 'log', () => undefined);
  assert.equal(await run([path, '--procedure', 'payload', '-o', out, ...more]), 0);
  for (const { arguments: line } of log.mock.calls) t.diagnostic(line.join(' '));
  log.mock.restore();
  return parse(readFileSync(out, 'utf8')) as {
    parameters: Record<string, Found>;
    not_identified: Record<string, string>;
  };
}

/** Checks values against the truth, each within its figure; of so many intervals at 95 % so many may miss it. */
function judge(
  parameters: Record<string, Found>,
  wanted: readonly (readonly [name: string, truth: number, within: number])[],
  mayMiss: number,
): void {
  const missed = wanted.filter(([name, truth, within]) => {
    const { value, low, high } = parameters[name];
    assert.ok(Math.abs(value - truth) < within, `${name} ${value} for ${truth} ± ${within}`);
    return truth < low || truth > high;
  });
  assert.ok(missed.length <= mayMiss, missed.join('; '));
}

/**
 * Standard errors of the flight, of n = 100,000 samples of 1 N and 0.1 N m in 101 s. Tilts of ±15° there and back are 26 s about each of x and y, sin² of them
 * 0.022 on average, and the tool leans by 15° about x for 35 s more. So the weight has a variance of (0.85 m/s²)² by y and of (1.4 m/s²)² by x, beside its
 * mean, which the bias has. The moment of c_x comes with the tilt about x, that of c_y with the one about y, that of c_z with both.
 */
const [ABOUT_X, ABOUT_Y] = [1.4, 0.75];
const MASS_SE = 1 / (Math.sqrt(1e5) * Math.hypot(ABOUT_X, ABOUT_Y));
const centerError = (mass: number): number[] =>
  [ABOUT_X, ABOUT_Y, Math.hypot(ABOUT_X, ABOUT_Y)].map(
    (weight) => 0.1 / (Math.sqrt(1e5) * weight * mass),
  );
/** Of the mass by the shakes: 30 changes of 40 mm/s, each within means of 50 ms, of 1000 samples of 1 N a second. */
const SHAKE_SE = 1 / Math.sqrt((30 * 0.04 ** 2 * 1000) / 0.05);

test('mass, centre and biases of a payload that the service does not know', async (t) => {
  const { parameters, not_identified } = await flown(t, 'free', {
    emulator: { payload: PAYLOAD, sensor: sensorOf(ONES) },
  });
  const { mass_kg: mass, center_m } = PAYLOAD;
  const center = centerError(mass);
  const force = [1 / 316, 1 / 316, 9.81 * MASS_SE];
  judge(
    parameters,
    [
      ['mass_kg', mass, 4 * MASS_SE],
      ...CENTER.map((name, k) => [name, center_m[k], 4 * center[k]] as const),
      ...NAMES.map((name, k) => [name, BIAS[k], 5 * force[k]] as const),
      // the moment of the weight about the upright axes is what the bias has, too
      ...MOMENTS.map(
        (name, k) => [name, BIAS[3 + k], 5 * 9.81 * mass * center[1 - (k % 2)]] as const,
      ),
    ],
    2,
  );
  // 20 mm/s and 0.05 rad/s turned round in 20 ms: 5 rad/s² · 8e-4 kg m² are far below 0.1 N m
  assert.match(not_identified['inertia_xx_kg_m2'], /not above zero/);
});

test('tared where the flight begins: found from the recording; the mass from shakes alone', async (t) => {
  const { parameters } = await flown(t, 'tared', {
    emulator: { payload: PAYLOAD, sensor: sensorOf(ONES) },
    tare: true,
  });
  const { mass_kg: mass, center_m } = PAYLOAD;
  const center = centerError(mass);
  judge(
    parameters,
    [
      ['mass_kg', mass, 4 * SHAKE_SE],
      // m c is as good as without a tare or twice worse, and the centre has the error of the mass beside it
      ...CENTER.map((name, k) => {
        const error = Math.hypot(2 * center[k], (center_m[k] * SHAKE_SE) / mass);
        return [name, center_m[k], 4 * error] as const;
      }),
      // of the turns: n samples of 1 N and 0.1 N m, sin² of the angle about the axis that turns it 0.006 and more
      ...NAMES.map((name, k) => [name, BIAS[k], 4 * (1 / 316 / Math.sqrt(0.006))] as const),
      ...MOMENTS.map((name, k) => [name, BIAS[3 + k], 4 * (0.1 / 316 / Math.sqrt(0.006))] as const),
      // after the tare the weight and the first bias are gone: −b − m g
      ['tare_force_z_N', mass * 9.80665 - BIAS[2], 9.81 * 4 * SHAKE_SE],
    ],
    2,
  );
});

test('gains of a sensor under a known payload of 10 kg, tared because its weight is beyond the dead-band', async (t) => {
  const gain = [1.02, 0.985, 1.01, 0.99, 1.015, 0.98];
  const mass_kg = 10;
  const heavy = { ...PAYLOAD, mass_kg, inertia_kgm2: [0.1, 0.1, 0.1, 0, 0, 0] } as const;
  const { parameters } = await flown(
    t,
    'gains',
    { emulator: { payload: heavy, sensor: sensorOf(gain) }, tare: true, stiff: true },
    ...['--mass', String(mass_kg), '--center', heavy.center_m.join(',')],
  );
  const axes = ['x', 'y', 'z'];
  // what the weights of the axes differ by holds their gains together; shakes along all three give the common one
  const common = SHAKE_SE / mass_kg;
  // moments of the weight, each by the tilt that shows it least
  const moment = 0.1 / (Math.sqrt(1e5) * ABOUT_Y * mass_kg * 0.03);
  judge(
    parameters,
    [
      ...axes.map((axis, k) => [`gain_force_${axis}`, gain[k], 4 * common] as const),
      ...axes.map((axis, k) => [`gain_moment_${axis}`, gain[3 + k], 4 * moment] as const),
    ],
    1,
  );
});

/** The emulated bench of a seed, as `berth emulate --truth-file` draws it. */
function drawnBench(seed: number): VirtualFlight['emulator'] {
  const { payload, sensor, ...plate } = drawTruth(seed);
  const model = inTruth(compileScenario(loadScenario(SCENARIO)), { payload, sensor, ...plate });
  const wall = { model, payload: SCENARIO_TOOL, plateStiffness: plate.plate_stiffness_N_per_m };
  return { payload, sensor, wall };
}

test('a drawn bench: mass and bias as far as gains of 2 % and cross-talk of 0.5 % let them', async (t) => {
  const seed = 3;
  const { payload, sensor } = drawTruth(seed);
  const { parameters } = await flown(t, 'drawn', { emulator: drawnBench(seed) });
  const { mass_kg: mass } = payload;
  const within = (name: string, truth: number, most: number): void => {
    const { value } = parameters[name];
    assert.ok(Math.abs(value - truth) < most, `${name} ${value} for ${truth} ± ${most}`);
  };
  within('mass_kg', mass, 0.02 * mass + 4 * MASS_SE);
  // the weight shows along all axes by the cross-talk, and gains make another weight of it
  const weight = 9.81 * mass;
  for (const [k, name] of NAMES.entries())
    within(name, sensor.bias[k], (k === 2 ? 0.02 : 0.01) * weight + 5 * 9.81 * MASS_SE);
});

for (const script of ['identify-press', 'identify-drag']) {
  test(`${script} on a drawn bench comes to its end, tared and not`, async () => {
    for (const tare of [false, true]) {
      const place = join(folder, `${script}-${tare}`);
      const { time_s } = await flyOnVirtualClock(script, place, { emulator: drawnBench(3), tare });
      assert.ok(time_s > 10);
    }
  });
}
