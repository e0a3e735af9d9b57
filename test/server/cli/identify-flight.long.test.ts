/**
 * Flights on the virtual clock: the whole loop in mode hardware, the emulated robot with the noise of the bench, a recorder. The plate of the robot
 * is another one than that of the scenario. `berth identify` gets the file alone.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import type { LoopModeName } from '../../../hil/contract/codes.ts';
import { run } from '../../../server/cli/identify.ts';
import { drawTruth, inTruth } from '../../../hil/emulator/bench-truth.ts';
import type { SensorErrors } from '../../../hil/emulator/force-sensor.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { RecordedRig } from '../../fixtures/recorded-rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-identify-flight-'));
after(() => rmSync(folder, { recursive: true }));

const INPUT_TICKS = 10;
/** Bit of force z. */
const ALONG_Z = 4;
const HEIGHT = 23e-6;
const STIFFNESS = 1.9e8;
const COULOMB = 0.12;
const RESTITUTION = 0.7;
const law = 'contacts.0.friction_law';
/** Plate of the robot: softer, higher, with another restitution and friction, and a Stribeck speed that the drag is above. */
const plate = compileScenario(
  loadScenario('half-sphere-on-plate', [
    `contacts.0.normal_law.stiffness_N_per_m1_5=${STIFFNESS}`,
    `contacts.0.pair.center_m=[0, 0, ${0.05 - HEIGHT}]`,
    `contacts.0.normal_law.restitution=${RESTITUTION}`,
    `${law}.coulomb=${COULOMB}`,
    `${law}.stribeck_velocity_mps=0.0005`,
    `${law}.velocity_tolerance_mps=0.000005`,
  ]),
);

/** A sensor that is right. */
const RIGHT_SENSOR: SensorErrors = {
  gain: Array.from({ length: 36 }, (_, at) => (at % 7 === 0 ? 1 : 0)),
  bias: [0, 0, 0, 0, 0, 0],
  filter_s: 0,
  saturation_N: 600,
  saturation_Nm: 60,
};

/** Flies deflections of the stick along x and z, and gives the file of the recording. */
async function fly(
  name: string,
  ticks: number,
  stick: (tick: number, force: number) => readonly [number, number],
  mode: LoopModeName = 'hardware',
  model = plate,
  sensor: SensorErrors | null = null,
): Promise<string> {
  const place = join(folder, name);
  const rig = new RecordedRig(
    { folder: place, keep_free_bytes: 0 },
    { mode, noise: 1, emulator: { wall: { model, payload: 'half-sphere' }, sensor } },
  );
  rig.activate();
  // the axes across the normal are stiff: a plate that leans would push the arm aside
  if (model !== plate) rig.command(CommandKind.FMA, ALONG_Z, 0, 0, 0, 0, 0, 0, NaN, NaN, NaN, NaN);
  let tick = 0;
  await rig.fly(ticks, () => {
    const [x, z] = stick(tick, rig.robot?.state.wrench[2] ?? 0);
    if (tick++ % INPUT_TICKS === 0) rig.inputAxes([x, 0, z, 0, 0, 0], 1);
  });
  assert.ok(rig.state.startsWith('ACTIVE'), rig.state);
  await rig.recorder.close();
  const [file] = readdirSync(place);
  return join(place, file);
}

interface Identified {
  readonly parameters: Readonly<Record<string, { value: number; low: number; high: number }>>;
}

async function identify(t: TestContext, path: string, procedure: string): Promise<Identified> {
  const log = t.mock.method(console, 'log', () => undefined);
  const out = join(folder, `${procedure}.yaml`);
  assert.equal(await run([path, '--procedure', procedure, '-o', out]), 0);
  for (const { arguments: line } of log.mock.calls) t.diagnostic(line.join(' '));
  log.mock.restore();
  return parse(readFileSync(out, 'utf8')) as Identified;
}

test('press: stiffness and height of the plate of the robot, not of the scenario', async (t) => {
  // 10 N + 1e4 N/(m/s) of the speed of the stick, 20 mm/s at most, up and down in 5 s each
  const path = await fly('press', 11000, (tick) => [0, -(0.15 + 0.85 * ramp(tick - 1000, 5000))]);
  const { stiffness_N_per_m1_5: k, height_m: height } = (await identify(t, path, 'press'))
    .parameters;
  assert.ok(k.low < STIFFNESS && STIFFNESS < k.high && k.high < 1.02 * k.low);
  assert.ok(height.low < HEIGHT && HEIGHT < height.high && height.high - height.low < 1e-6);
});

test('drag: Coulomb friction at three speeds along the plate', async (t) => {
  const speeds = [0.25, 0.5, 1];
  const path = await fly('drag', 7000, (tick) => [
    tick < 1000 ? 0 : speeds[Math.min(2, Math.floor((tick - 1000) / 2000))],
    -0.6,
  ]);
  const { coulomb } = (await identify(t, path, 'drag')).parameters;
  assert.ok(Math.abs(coulomb.value - COULOMB) < 0.005);
  assert.ok(coulomb.low < COULOMB && COULOMB < coulomb.high);
});

for (const [name, sensor] of [
  ['tap', null],
  ['tap-filtered', { ...RIGHT_SENSOR, filter_s: 2e-3 }],
] as const) {
  test(`${name}: restitution from taps at 2 to 8 mm/s, of a sensor ${sensor === null ? 'that does not lag' : 'with a filter of 2 ms'}`, async (t) => {
    // down until it touches and 150 ms more, then up for 0.6 s
    const shares = [0.15, 0.25, 0.35, 0.45, 0.2, 0.3, 0.4, 0.45, 0.35];
    let [taps, since, down] = [0, 0, true];
    const path = await fly(
      name,
      16_000,
      (tick, force) => {
        if (down && force > 5 && since === 0) since = tick;
        if (down && since > 0 && tick > since + 150) [down, since] = [false, tick];
        if (!down && tick > since + 600) [down, since, taps] = [true, 0, taps + 1];
        return [0, down ? -(shares[taps] ?? 0.15) : 0.5];
      },
      'hardware',
      plate,
      sensor,
    );
    const { restitution: e, stiffness_N_per_m1_5: k } = (await identify(t, path, 'tap')).parameters;
    assert.ok(Math.abs(e.value - RESTITUTION) < 0.02, `${e.value}`);
    assert.ok(e.low < RESTITUTION && RESTITUTION < e.high && e.high - e.low < 0.01);
    assert.ok(Math.abs(k.value / STIFFNESS - 1) < 0.01, `${k.value}`);
  });
}

test('tilt: a plate without friction that leans by 1°', async (t) => {
  const angle = Math.PI / 180;
  const [lying, ...others] = plate.bodies;
  const leaning: SystemModel = {
    ...plate,
    bodies: [
      { ...lying, orientation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)] },
      ...others,
    ],
    contacts: [{ ...plate.contacts[0], frictionLaw: { kind: 'none' } }],
  };
  const path = await fly(
    'tilt',
    5000,
    (tick) => [0, -(0.15 + 0.85 * ramp(tick - 1000, 2000))],
    'hardware',
    leaning,
  );
  const { slope_u: u, slope_v: v } = (await identify(t, path, 'tilt')).parameters;
  assert.ok(u.low < Math.tan(angle) && Math.tan(angle) < u.high && u.high - u.low < 0.002);
  assert.ok(v.low < 0 && 0 < v.high);
});

test('a bench with a hidden truth: height and tilt come back as far as the gain of the sensor lets them', async (t) => {
  const truth = drawTruth(11);
  const smooth: SystemModel = {
    ...plate,
    contacts: [{ ...plate.contacts[0], frictionLaw: { kind: 'none' } }],
  };
  const path = await fly(
    'truth',
    7000,
    (tick) => [0, -(0.15 + 0.85 * ramp(tick - 1000, 3000))],
    'hardware',
    inTruth(smooth, truth),
    { ...truth.sensor, bias: [0, 0, 0, 0, 0, 0] }, // tared
  );
  const { height_m: height, stiffness_N_per_m1_5: k } = (await identify(t, path, 'press'))
    .parameters;
  const { slope_u: u, slope_v: v } = (await identify(t, path, 'tilt')).parameters;
  // the plate leans: the sphere of 50 mm touches higher by R (1/cos α − 1)
  const slope = Math.hypot(Math.tan(truth.tilt_x_rad), Math.tan(truth.tilt_y_rad));
  const touch = HEIGHT + truth.height_m + 0.05 * (Math.sqrt(1 + slope * slope) - 1);
  assert.ok(Math.abs(height.value - touch) < 1e-6, `${height.value} ${touch}`);
  // a gain is a factor on the stiffness, cross-talk an angle: 2 % and 0.005
  assert.ok(Math.abs(k.value / (STIFFNESS * truth.sensor.gain[14]) - 1) < 0.01);
  assert.ok(Math.abs(u.value - truth.tilt_y_rad - truth.sensor.gain[2]) < 0.0015);
  assert.ok(Math.abs(v.value + truth.tilt_x_rad - truth.sensor.gain[8]) < 0.0015);
});

test('a recording of mode virtual is refused: its sensor touches nothing', async () => {
  const path = await fly('virtual', 200, () => [0, -0.3], 'virtual');
  await assert.rejects(
    run([path, '--procedure', 'press']),
    /FILE: the recording has no rows of mode hardware with a measured state; allowed:/,
  );
});

/** From 0 to 1 and back, `ticks` each. */
function ramp(tick: number, ticks: number): number {
  return tick < 0 ? 0 : Math.max(0, 1 - Math.abs(tick / ticks - 1));
}
