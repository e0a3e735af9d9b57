/** A loop slower than 1 kHz: set-points live long enough for its period, and a contact is flown to its end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import type { EmulatorOptions } from '../../../hil/emulator/options.ts';
import { setpointTtl_ms } from '../../../hil/safety/setpoint-life.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const SLOWEST_s = 0.01;

test('64: a set-point lives for three periods in contact and five in free space, and never shorter than at 1 kHz', () => {
  const lives = [0.0005, 0.001, 0.0015, 0.002, 0.005, 0.007, SLOWEST_s].map((period_s) => [
    setpointTtl_ms(true, period_s),
    setpointTtl_ms(false, period_s),
  ]);
  assert.deepEqual(lives, [
    [5, 20],
    [5, 20],
    [5, 20],
    [6, 20],
    [15, 25],
    [21, 35],
    [30, 50],
  ]);
});

for (const mode of ['virtual', 'hardware'] as const) {
  test(`64: ${mode}: a contact at 10 ms is flown to its end, one set-point in a hundred lost`, (t) => {
    const rig = new VirtualRig({
      mode,
      settings: (settings) => {
        settings.loop.period_s = SLOWEST_s;
        // the energy that the delay of so slow a loop creates is not the subject
        settings.energy.hold_J = 1e6;
        settings.energy.hold_ratio = 1e6;
      },
    });
    rig.activate();
    const { ttlContact_ms, ttlFree_ms } = rig.robot!.session;
    assert.deepEqual([ttlContact_ms, ttlFree_ms], [30, 50], 'as CONFIG tells the robot');
    rig.ends[0].faults.loss = 0.01;
    const before = rig.transitions.length;
    let inContact = 0;
    rig.run(1200, (tick) => {
      rig.input(tick < 900 ? -0.5 : 1, 1);
      if (rig.state === 'ACTIVE_CONTACT') inContact++;
    });
    const causes = rig.transitions.slice(before).flatMap(({ cause }) => cause ?? []);
    assert.deepEqual(causes, []);
    assert.ok(inContact > 100, `${inContact} ticks in contact`);
    assert.equal(rig.state, 'ACTIVE_FREE');
    t.diagnostic(`acceptance 64: ${mode}: ${inContact} ticks of 10 ms in contact, no hold`);
  });
}

test('64: an arm that is flown at its own limit, which is that of the settings, is not held for it', () => {
  for (const period_s of [0.001, SLOWEST_s]) {
    const rig = new VirtualRig({
      settings: (settings) => {
        settings.loop.period_s = period_s;
        settings.operator.coarse_speed_mps = settings.limits.speed_mps;
      },
    });
    rig.activate();
    let peak = 0;
    rig.run(Math.round(2 / period_s), () => {
      rig.input(1, 1);
      peak = Math.max(peak, rig.tick.setpoint[9]);
    });
    assert.equal(rig.state, 'ACTIVE_FREE', `${period_s} s`);
    assert.ok(peak > 0.0999 && peak <= 0.1, `${peak} m/s`);
  }
});

/** What a critically damped arm of natural frequency w has too much of a step of velocity, one period h after it: (x² + x − 1) e⁻ˣ with x = w h. */
const tooMuch = (x: number): number => (x * x + x - 1) * Math.exp(-x);
/** Of all steps of a row that goes one way, for the arm that answers most: one with w h → 0 (docs/safety.md, Long periods). */
const MOST_TOO_MUCH = 1.5;
/** Above it a measured speed is VELOCITY_LIMIT. */
const MEASURED_OVER = 1.2;

interface SlowFlight {
  readonly scenario: string;
  readonly period_s: number;
  readonly speed_mps: number;
  readonly mode?: 'virtual' | 'hardware';
  readonly emulator?: Partial<EmulatorOptions>;
  /** Sticks as a share of the flight. */
  readonly sticks: (share: number) => readonly number[];
}

/** @returns the largest measured speed, and what ended the flight */
function flySlow(flight: SlowFlight): { peak_mps: number; causes: string[]; contact: number } {
  const rig = new VirtualRig({
    mode: flight.mode ?? 'virtual',
    model: compileScenario(loadScenario(flight.scenario)),
    settings: (settings) => {
      settings.loop.period_s = flight.period_s;
      settings.operator.coarse_speed_mps = flight.speed_mps;
      // neither the force of a fast contact nor the energy of a delay is the subject
      settings.limits.force_N = 1e5;
      settings.limits.moment_Nm = 1e4;
      settings.energy.hold_J = 1e6;
      settings.energy.hold_ratio = 1e6;
    },
    emulator: flight.emulator ?? {},
  });
  rig.activate();
  const before = rig.transitions.length;
  const ticks = Math.round(4 / flight.period_s);
  let peak_mps = 0;
  let contact = 0;
  rig.run(ticks, (tick) => {
    rig.inputAxes(flight.sticks(tick / ticks), 1);
    peak_mps = Math.max(peak_mps, Math.hypot(...rig.tick.measured.subarray(7, 10)));
    if (rig.state === 'ACTIVE_CONTACT') contact++;
  });
  const causes = rig.transitions.slice(before).flatMap(({ cause }) => cause ?? []);
  return { peak_mps, causes, contact };
}

const down = (share: number): number[] => [0, 0, share < 0.7 ? -1 : 1, 0, 0, 0];
const away = (): number[] => [0, 0, -1, 0, 0, 0];

test('64: an arm goes faster than it was told by what its servo makes of poses that step, and by no more', (t) => {
  const w = 2 * Math.PI * 50;
  for (const period_s of [0.005, SLOWEST_s]) {
    // the arm of this scenario comes to its command within a period: one step of velocity
    const speed_mps = 0.01;
    const flight = { scenario: 'battery-box-insertion', period_s, speed_mps, sticks: away };
    const { peak_mps } = flySlow(flight);
    const derived = speed_mps * (1 + tooMuch(w * period_s));
    // the frames are in single precision, and the pose differs by the rounding of what a period is
    assert.ok(Math.abs(peak_mps / derived - 1) < 1e-4, `${peak_mps} for ${derived} m/s`);
    const between = flySlow({ ...flight, emulator: { tracking: 'ideal' } });
    assert.ok(between.peak_mps < speed_mps * (1 + 1e-4), 'a robot that interpolates has none');
    t.diagnostic(
      `acceptance 64: ${period_s} s: told ${speed_mps}, measured ${peak_mps.toFixed(5)} m/s, derived ${derived.toFixed(5)}`,
    );
  }
});

test('64: VELOCITY_LIMIT at 10 ms is that: at the speed limit it comes without any contact, below 1.2 v − 1.5 a h in none', (t) => {
  const flight = { scenario: 'battery-box-insertion', period_s: SLOWEST_s, sticks: away };
  const fast = flySlow({ ...flight, speed_mps: 0.1 });
  assert.deepEqual([fast.causes, fast.contact], [['VELOCITY_LIMIT'], 0]);
  const same = flySlow({ ...flight, speed_mps: 0.1, emulator: { tracking: 'ideal' } });
  assert.deepEqual(same.causes, [], 'a robot that interpolates flies at the limit');
  const quick = flySlow({ ...flight, speed_mps: 0.1, period_s: 0.001 });
  assert.deepEqual(quick.causes, [], 'and so does every one at 1 ms');
  const speed_mps = MEASURED_OVER * 0.1 - MOST_TOO_MUCH * 5 * SLOWEST_s;
  for (const mode of ['virtual', 'hardware'] as const) {
    for (const [scenario, sticks] of [
      ['half-sphere-on-plate', down],
      ['battery-box-insertion', (share: number) => [share < 0.7 ? 1 : -1, 0, 0, 0, 0, 0]],
    ] as const) {
      const { causes, contact, peak_mps } = flySlow({
        scenario,
        period_s: SLOWEST_s,
        speed_mps,
        mode,
        sticks,
      });
      assert.ok(contact > 20, `${scenario}: ${contact} ticks in contact`);
      assert.ok(!causes.includes('VELOCITY_LIMIT'), `${scenario}, ${mode}: ${causes.join()}`);
      t.diagnostic(
        `acceptance 64: ${scenario}, ${mode}, ${speed_mps.toFixed(3)} m/s at 10 ms: ${contact} ticks in contact, measured ${peak_mps.toFixed(4)} m/s ${causes.join()}`,
      );
    }
  }
});

test('64: the contact at 10 ms and at the speed limit, which ended in VELOCITY_LIMIT when only the twist was bounded', (t) => {
  for (const mode of ['virtual', 'hardware'] as const) {
    const { causes, contact, peak_mps } = flySlow({
      scenario: 'half-sphere-on-plate',
      period_s: SLOWEST_s,
      speed_mps: 0.1,
      mode,
      sticks: down,
    });
    assert.ok(contact > 0, 'it touches');
    assert.ok(!causes.includes('VELOCITY_LIMIT'), `${mode}: ${causes.join()}`);
    assert.ok(peak_mps < MEASURED_OVER * 0.1, `${peak_mps} m/s`);
    t.diagnostic(
      `acceptance 64: ${mode}, pressed on at 0.1 m/s and 10 ms: ${contact} ticks in contact, measured ${peak_mps.toFixed(4)} m/s ${causes.join()}`,
    );
  }
});

test('64: a box that chatters in its work-site swings within the window of the measured speed: no TWIST_MISMATCH', (t) => {
  const flights: readonly (readonly [
    mode: 'virtual' | 'hardware',
    speed_mps: number,
    sticks: readonly number[],
  ])[] = [
    ['hardware', 0.05, [0.51, 0.74, -0.28, -0.02, -0.36, 0.04]],
    ['hardware', 0.08, [0.29, 0.37, -0.34, -0.01, 0.16, 0.42]],
    ['virtual', 0.05, [0.87, 0.61, -0.62, -0.44, -0.27, 0.42]],
    ['virtual', 0.05, [0.48, 0.16, -0.92, 0.44, -0.34, -0.49]],
  ];
  const ends = flights.map(([mode, speed_mps, sticks]) => {
    const { causes, contact } = flySlow({
      scenario: 'battery-box-insertion',
      mode,
      period_s: SLOWEST_s,
      speed_mps,
      sticks: () => sticks,
    });
    assert.ok(contact > 50, `${contact} ticks in contact`);
    assert.ok(!causes.includes('TWIST_MISMATCH'), `${mode}, ${speed_mps} m/s: ${causes.join()}`);
    return `${contact} ticks in contact ${causes.join()}`.trim();
  });
  t.diagnostic(`acceptance 64: a box that chatters at 10 ms: ${ends.join(', ')}`);
});
