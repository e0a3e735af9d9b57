/** `berth identify`: data made by the simulation of this project and seeded noise; the command gets the data alone. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { parse } from 'yaml';
import { run as check } from '../../../server/cli/check.ts';
import { run } from '../../../server/cli/identify.ts';
import {
  dragOf,
  HEIGHT_m,
  ledTaps,
  measuredTaps,
  pressOf,
} from '../../../server/validation/identification-bench.ts';
import { Random } from '../../../src/math/random.ts';
import { CENTER, MASS, measured, shaken } from '../../../server/validation/payload-bench.ts';
import { strokes } from '../../fixtures/stroke-bench.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-identify-'));
after(() => rmSync(folder, { recursive: true }));

interface Identified {
  readonly parameters: Readonly<Record<string, { value: number; low: number; high: number }>>;
  readonly data: { readonly sha256: string };
  readonly not_identified: object;
}

/** Presses of the bench one after the other, a file with a row each sample. */
function press(name: string, seeds: readonly number[], depth: number, stiffness?: number): string {
  const lines = seeds.flatMap((seed) => {
    const { place, force } = pressOf(seed, depth, stiffness);
    return Array.from(place, (z, i) => `${1e6 * z},${force[i]}`);
  });
  return save(name, ['place_um,force [N]', ...lines]);
}

function save(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

async function identify(t: TestContext, ...argv: string[]): Promise<{ code: number; out: string }> {
  const log = t.mock.method(console, 'log', () => undefined);
  const code = await run(argv);
  const out = log.mock.calls.map((call) => call.arguments.join(' ')).join('\n');
  log.mock.restore();
  t.diagnostic(out);
  return { code, out };
}

test('press: stiffness of the half-sphere within 2 %, height within 1 µm, through a file with hash and intervals', async (t) => {
  const path = press('press.csv', [4], 135.3e-6);
  const file = join(folder, 'press.yaml');
  assert.equal((await identify(t, path, '--procedure', 'press', '-o', file)).code, 0);
  const {
    parameters,
    data,
    not_identified: missing,
  } = parse(readFileSync(file, 'utf8')) as Identified;
  const { stiffness_N_per_m1_5: k, height_m: height } = parameters;
  assert.ok(Math.abs(k.value / 2.5413e8 - 1) < 0.02, `k ${k.value}`);
  assert.ok(k.low < k.value && k.value < k.high && k.high / k.low < 1.04);
  assert.ok(Math.abs(height.value - HEIGHT_m) < 1e-6, `height ${height.value}`);
  assert.match(data.sha256, /^[0-9a-f]{64}$/);
  assert.deepEqual(missing, {});
});

test('a press three times: profile intervals, and each press predicted from the others', async (t) => {
  const path = press('three.csv', [41, 42, 43], 120e-6);
  const file = join(folder, 'three.yaml');
  const { out } = await identify(
    t,
    ...[path, '--procedure', 'press', '--profile', '--hold-out', '-o', file],
  );
  const { parameters } = parse(readFileSync(file, 'utf8')) as {
    parameters: Record<
      string,
      { low: number; high: number; profile: { low: number; high: number } }
    >;
  };
  // a law that is nearly straight in its parameters: both intervals are the same but for the noise of place, which moves with the law
  for (const { low, high, profile } of Object.values(parameters)) {
    assert.ok(Math.abs(profile.low - low) < 0.15 * (high - low));
    assert.ok(Math.abs(profile.high - high) < 0.15 * (high - low));
  }
  const errors =
    /each of 3 parts, predicted from the others, is off by (\S+), (\S+), (\S+) times/.exec(out);
  assert.ok(errors !== null, out);
  // about 50 means each: ± 10 %, three of these, and up to a fifth of the noise that Huber's loss does not see
  for (const error of errors.slice(1).map(Number)) assert.ok(error > 0.7 && error < 1.5, out);
});

test('a slope above 1e7 N/m is not identifiable at 400 N with 2 µm of noise, and said to be so', async (t) => {
  // 400 N at 40 µm: slope 1.5 · 400/40e-6 = 1.5e7 N/m
  const k = 400 / 40e-6 ** 1.5;
  const path = press('stiff.csv', [5], 40e-6, k);
  const { out } = await identify(t, path, '--procedure', 'press');
  const limit = /only slopes up to (\S+) N\/m are/.exec(out);
  assert.ok(limit !== null && Math.abs(Number(limit[1]) / 1e7 - 1) < 0.05, out);
  assert.match(out, /^stiffness_N_per_m1_5 +- +not identifiable/m);
});

test('drag at three speeds: Coulomb friction within 0.005; what lies below the speeds is refused', async (t) => {
  const { speed, force, friction } = dragOf(6);
  const lines = Array.from(speed, (v, i) => [v, force[i], friction[i]].join(','));
  const path = save('drag.csv', ['speed_mps,force_N,friction_N', ...lines]);
  const { code, out } = await identify(t, path, '--procedure', 'drag');
  assert.equal(code, 0);
  const coulomb = Number(/^coulomb +(\S+)/m.exec(out)?.[1]);
  assert.ok(Math.abs(coulomb - 0.1) < 0.005, out);
  assert.match(out, /^stribeck_velocity_mps +- +/m);
});

test('drop: two taps from a file, by the ratio of their speeds', async (t) => {
  const random = new Random(7);
  // 3 mm/s in and 1.8 mm/s out without gravity, a touch of 20 ms each
  const lines = Array.from({ length: 1000 }, (_, i) => {
    const at = (i % 500) - 250;
    const place = at < 0 ? -3e-3 * at : at < 20 ? 0 : 1.8e-3 * (at - 20);
    const force = at >= 0 && at < 20 ? 40 : 0;
    return `${i / 1000},${place + 2e-3 * random.gaussian()},${force + random.gaussian()}`;
  });
  const path = save('drop.csv', ['time_s,place_mm,force_N', ...lines]);
  const { code, out } = await identify(t, path, '--procedure', 'drop');
  assert.equal(code, 0);
  const [, value, low, high] = /^restitution +(\S+) +(\S+) to (\S+)/m.exec(out) ?? [];
  assert.ok(Math.abs(Number(value) - 0.6) < 0.01 && Number(low) < 0.6 && Number(high) > 0.6, out);
  await assert.rejects(
    run([path, '--procedure', 'drop', '--exponent', 'free']),
    /--exponent is free; allowed with --procedure drop/,
  );
});

test('tap: taps of an arm from a file, with the slope over speed, and what is refused', async (t) => {
  const { time, place, rate, force } = measuredTaps(ledTaps({ speeds: [0.003, 0.006] }), 7);
  const table = (rates: Float64Array): string[] => [
    'time_s,place_um,rate_mmps,force_N',
    ...Array.from(time, (at, i) => [at, 1e6 * place[i], 1e3 * rates[i], force[i]].join(',')),
  ];
  const path = save('tap.csv', table(rate));
  const file = join(folder, 'tap.yaml');
  const { code, out } = await identify(t, path, '--procedure', 'tap', '-o', file);
  assert.equal(code, 0);
  const { parameters } = parse(readFileSync(file, 'utf8')) as Identified;
  assert.deepEqual(
    [...Object.keys(parameters)],
    ['restitution', 'stiffness_N_per_m1_5', 'force_lag_s'],
  );
  const [, value, low, high] = /^restitution +(\S+) +(\S+) to (\S+)/m.exec(out) ?? [];
  assert.ok(Math.abs(Number(value) - 0.85) < 0.02, out);
  assert.ok(Number(low) < 0.85 && Number(high) > 0.85, out);
  assert.match(out, /^stiffness_N_per_m1_5 +2\.\d+e\+8 +/m);
  assert.match(out, /^plate at about \S+ m: a press holds/m);
  assert.match(out, /^force_lag_s +\S+ +\S+ to \S+ +s$/m);
  assert.match(out, /^tap at 0\.08\d s: 0\.00[23]\d+ m\/s, \d+\.\d+ N at most/m);
  await assert.rejects(
    run([path, '--procedure', 'tap', '--slope']),
    /rate: 2 taps from \S+ to \S+ m\/s hold no slope over speed; allowed: 3 or more/,
  );
  const upside = save('tap-wrong.csv', table(rate.map((v) => -v)));
  await assert.rejects(
    run([upside, '--procedure', 'tap']),
    /force: there are touches 2 with a gap, or a place that does not follow its rate/,
  );
  await assert.rejects(
    run([save('tap-no-rate.csv', ['time_s,place_um,force_N', '0,1,0']), '--procedure', 'tap']),
    /there is no column "rate" among time_s, place_um, force_N; allowed: "rate_mps" or "rate \[m\/s\]"/,
  );
});

test('tables of a rig need no column of time, and a constant number of the cycle is allowed', async (t) => {
  const table = save('breakaway.csv', [
    'dwell_ms,force_N,friction_N',
    ...[50, 100, 200, 400, 800, 1600].map(
      (ms) => `${ms},400,${400 * (0.1 + 0.06 * (1 - Math.exp(-ms / 400)))}`,
    ),
  ]);
  const { out } = await identify(t, table, '--procedure', 'breakaway');
  assert.match(out, /^dwell_time_s +0\.40000 /m);
  assert.match(out, /^stiction 0\.1600 is the sum/m);
  const peaks = save('peaks.csv', ['speed_mmps,cycle,peak_N', '100,2,1.4', '100,2,1.41']);
  await assert.rejects(
    run([peaks, '--procedure', 'stick-slip']),
    /column "speed" is 0\.1 in all 2 rows/,
  );
  const one = save('peaks.csv', ['speed_mmps,cycle,peak_N', '100,2,1.4', '150,1,1.5']);
  await assert.rejects(
    run([one, '--procedure', 'stick-slip']),
    /cycle: 1 peaks are of cycle 2 or later, and not of two speeds/,
  );
  await assert.rejects(
    run([one, '--procedure', 'stick-slip', '--scenario', 'half-sphere-on-plate']),
    /--scenario: "half-sphere-on-plate" is no stick-slip rig/,
  );
});

test('pre-sliding, ring-down and twist: from files with rates in their names', async (t) => {
  const random = new Random(8);
  const push = Array.from({ length: 2000 }, (_, i) => {
    const travel = 1e-5 * Math.sin(i / 200);
    return `${1e6 * travel + 0.05 * random.gaussian()},400,${400 * 8e3 * travel + random.gaussian()}`;
  });
  const pushed = save('push.csv', ['travel_um,force_N,friction_N', ...push]);
  const stuck = await identify(t, pushed, '--procedure', 'pre-sliding');
  const stiffness = Number(/^bristle_stiffness_per_m +(\S+)/m.exec(stuck.out)?.[1]);
  assert.ok(Math.abs(stiffness / 8e3 - 1) < 0.01, stuck.out);
  assert.match(stuck.out, /did not slide: the data hold no breakaway/);
  // ω 200 rad/s, ζ 0.1 at 20 m/s²: σ₀ 2000 1/m, σ₁ 2 s/m
  const swing = Array.from({ length: 400 }, (_, i) => {
    const at = i / 1000;
    const x = 5 * Math.exp(-20 * at) * Math.cos(200 * Math.sqrt(0.99) * at);
    return `${1000 * at},${x + 0.02 * random.gaussian()}`;
  });
  const swung = save('swing.csv', ['time_ms,travel_um', ...swing]);
  const rung = await identify(t, swung, '--procedure', 'ring-down', '--load-per-mass', '20');
  assert.match(rung.out, /^bristle_stiffness_per_m +(199\d|200\d)\.\d/m);
  assert.match(rung.out, /^bristle_damping_s_per_m +(1\.9[5-9]|2\.0[0-5])/m);
  const twist = Array.from({ length: 4000 }, (_, i) => {
    const spin = i % 2000 < 1000 ? 30 : -30;
    return `${spin},100,${-Math.sign(spin) * 2 + 0.1 * random.gaussian()}`;
  });
  const twisted = save('twist.csv', ['spin_degps,force_N,torque_Nm', ...twist]);
  const known = ['--coulomb', '0.1', '--gyration', '250 mm'];
  const spun = await identify(t, twisted, '--procedure', 'twist', ...known);
  assert.match(spun.out, /^spin_lever_m +0\.0(199|200)/m);
  assert.match(spun.out, /^spin_scale +0\.(79|80)/m);
  await assert.rejects(
    run([twisted, '--procedure', 'twist', '--gyration', '5 N']),
    /--gyration is "5 N"; allowed: a length above zero/,
  );
  await assert.rejects(run([twisted, '--procedure', 'ring-down']), /there is no column "time"/);
});

test('data that cannot be used are refused with one sentence', async () => {
  const refused = async (lines: readonly string[], words: RegExp): Promise<void> => {
    const path = save('bad.csv', lines);
    await assert.rejects(run([path, '--procedure', 'press']), words);
  };
  const row = (f: (i: number) => string): string[] =>
    Array.from({ length: 200 }, (_, i) => `${i},${f(i)}`);
  const noise = new Random(1);
  await refused(
    ['time_s,place,force_N', '0,1,2'],
    /column "place" has no unit; allowed: "place_m"/,
  );
  await refused(['time_s,place_N,force_N', '0,1,2'], /column "place_N" has unit "N"/);
  await refused(['time_s,place_m', '0,1'], /no column "force"/);
  await refused(
    ['time_s,place_m,force_N', ...row((i) => `${i},7`)],
    /column "force" is 7 in all 200/,
  );
  await refused(
    ['time_s,place_m,force_N', '0,1,x'],
    /line 2 of column "force_N" is no finite number/,
  );
  await refused(
    ['time_s,place_m,force_N', ...row((i) => `${1e-6 * i},${noise.gaussian()}`)],
    /there is no press in the data/,
  );
  await assert.rejects(
    run(['x.csv', '--procedure', 'pull']),
    /--procedure is "pull"; allowed: press, drag, drop, tap, tilt, breakaway, stick-slip/,
  );
});

const PAYLOAD_COLUMNS = [
  'time_s,q_x,q_y,q_z,q_w,v_x_mps,v_y_mps,v_z_mps,w_x_radps,w_y_radps,w_z_radps',
  'force_x_N,force_y_N,force_z_N,moment_x_Nm,moment_y_Nm,moment_z_Nm',
].join(',');

/** A payload that is shaken and turned as much as the factors say. */
function payloadFile(name: string, shake: number, swing: number): string {
  const { time, orientation, twist, wrench } = measured(
    shaken(4000, shake, swing),
    31,
    [1, 1, 1, 1, 1, 1],
  );
  const columns = [time, ...orientation, ...twist, ...wrench];
  const rows = Array.from(time, (_, i) => columns.map((column) => column[i]).join(','));
  return save(name, [PAYLOAD_COLUMNS, ...rows]);
}

test('payload: mass, centre and inertia through a file; at rest it is refused by name', async (t) => {
  const file = join(folder, 'payload.yaml');
  const argv = [payloadFile('payload.csv', 1, 1), '--procedure', 'payload', '-o', file];
  assert.equal((await identify(t, ...argv)).code, 0);
  const { parameters } = parse(readFileSync(file, 'utf8')) as Identified;
  const { mass_kg: mass, center_z_m: z, inertia_xx_kg_m2: xx } = parameters;
  // 4000 samples of 1 N and 0.1 N m
  assert.ok(Math.abs(mass.value / MASS - 1) < 1e-3 && mass.low < mass.high);
  assert.ok(Math.abs(z.value - CENTER[2]) < 5e-4);
  assert.ok(xx.low > 0 && xx.high / xx.low < 1.1);
  const still = payloadFile('still.csv', 0, 0);
  const { out } = await identify(t, still, '--procedure', 'payload');
  assert.match(out, /^mass_kg +- +known only together with others; .*bias_force_z/m);
  assert.match(out, /^inertia_zz_kg_m2 +- +the data do not depend on it/m);
  await assert.rejects(
    run([still, '--procedure', 'payload', '--center', '0,0,0.1']),
    /--center is "0,0,0.1"; allowed: three numbers in m, such as 0,0,0.12, beside --mass/,
  );
});

test('a report is one page without script; check warns of other values, and of forces and depths beyond the data', async (t) => {
  const [file, page] = ['range.yaml', 'range.html'].map((name) => join(folder, name));
  const path = press('range.csv', [43], 120e-6, 3e8);
  await identify(t, path, '--procedure', 'press', '-o', file, '--report', page);
  const html = readFileSync(page, 'utf8');
  assert.doesNotMatch(html, /<script|https?:\/\/(?!www\.w3\.org)/);
  for (const words of ['Force over place', 'Autocorrelation', 'Parts held out', 'depth_m'])
    assert.ok(html.includes(words), words);
  const { range } = parse(readFileSync(file, 'utf8')) as { range: Record<string, number[]> };
  assert.ok(Math.abs(range['depth_m'][1] / 120e-6 - 1) < 0.02 && range['force_N'][0] === 0);

  const warned = t.mock.method(console, 'error', () => undefined);
  t.mock.method(console, 'log', () => undefined);
  // 10 N + 1e4 N/(m/s) · 60 mm/s: more than the 394 N of the press
  const given = readFileSync('config/scenarios/half-sphere-on-plate.yaml', 'utf8');
  const scenario = join(folder, 'half-sphere-on-plate.yaml');
  writeFileSync(scenario, given.replace('[0, 0, -2 mm/s]', '[0, 0, -60 mm/s]'));
  assert.equal(await check([scenario, '--identified', file]), 0);
  const words = warned.mock.calls.map((call) => String(call.arguments[0]));
  const field = /contacts\[0\]\.normal_law\.stiffness_N_per_m1_5 /;
  const warnings = words.filter((one) => field.test(one));
  assert.equal(warnings.length, 3, words.join('\n'));
  assert.match(warnings[0], /is 2\.541e\+8, and \S+ \(\S+ to \S+\) was identified in /);
  assert.match(
    warnings[1],
    /from 0\.000 to \S+ N, and the scenario comes to a normal force of \S+ N$/,
  );
  assert.match(warnings[2], /from 0\.000 to \S+ m, and the scenario comes to a depth of \S+ m$/);

  await assert.rejects(
    async () => check([scenario, '--identified', scenario]),
    /--identified is ".*half-sphere-on-plate.yaml", whose format is not berth-identified-1; allowed: a file of berth identify -o/,
  );
});

test('strokes with a column of speed give the damping; a delay of the force needs that column', async (t) => {
  const { travel, force, friction, speed } = strokes(8, 5e-4);
  const late = Array.from(travel, (x, i) => x + 1e-3 * speed[i]);
  const lines = late.map((x, i) => [1e6 * x, force[i], friction[i], 1e3 * speed[i]].join(','));
  const path = save('strokes.csv', ['travel_um,force_N,friction_N,speed_mmps', ...lines]);
  const pushed = [path, '--procedure', 'pre-sliding'];
  // the force is 1 ms older than the travel: 0.5 of 5 s/m
  const { out } = await identify(t, ...pushed, '--force-delay', '1ms');
  const [, low, high] = /^bristle_damping_s_per_m +\S+ +(\S+) to (\S+)/m.exec(out) ?? [];
  assert.ok(Number(low) < 5 && 5 < Number(high) && Number(high) - Number(low) < 1, out);
  const bare = lines.map((line) => line.split(',').slice(0, 3).join(','));
  const without = save('push.csv', ['travel_um,force_N,friction_N', ...bare]);
  await assert.rejects(
    run([without, '--procedure', 'pre-sliding', '--force-delay', '1ms']),
    /--force-delay is 0.001 s, and the data have no speeds; allowed: 0, or a column "speed"/,
  );
  await assert.rejects(run([...pushed, '--force-delay', '2s']), /a time from -1s to 1s/);
  const still = save('still.csv', [
    'travel_um,force_N,friction_N,speed_mmps',
    ...lines.map((line) => line.replace(/[^,]+$/, '0')),
  ]);
  const { out: none } = await identify(t, still, '--procedure', 'pre-sliding');
  assert.match(none, /no speeds: the damping of the bristle is not looked for/);
});
