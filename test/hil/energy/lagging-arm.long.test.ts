/**
 * What an arm does that lags when it is accelerated, beside the delay that the loop measures (docs/theory/loop-energy.md, An arm that lags
 * when accelerated): the real loop with the emulated arm against an integration that shares nothing with it but the damping factor.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Column } from '../../../hil/contract/columns.ts';
import { DEFAULT_NOISE, scaleNoise } from '../../../hil/emulator/options.ts';
import { dampingFactor } from '../../../src/contact/normal/damping-factor.ts';
import { spread } from '../../fixtures/lagging-arm.ts';
import { Tapping } from '../../fixtures/tapping.ts';
import { fly } from './free-mass-rig.ts';

const PERIOD_s = 0.001;
/** An arm that runs ahead along the twist by a period makes good for this. */
const DELAY_s = PERIOD_s;

/** A free mass is an arm of this lag (docs/emulator.md): in the time near the wall it loses their ratio of its speed. */
const FREE_LAG_s = 1e4;
const NEAR_s = 0.2;
/** Of a share: what is left between two programs that do the same in another order. */
const SAME = 2e-4;

const MASS_kg = 100;
/** Natural frequency of the arm, stiffness of the wall. */
const WALLS: readonly (readonly [response_Hz: number, stiffness_N_per_m: number])[] = [
  [50, 1e4],
  [50, 1e5],
  [25, 1e5],
  [200, 1e6],
  [100, 1e6],
  [50, 1e6],
];

for (const [response_Hz, stiffness_N_per_m] of WALLS) {
  test(`a free mass on ${stiffness_N_per_m} N/m, by an arm of ${response_Hz} Hz`, (t) => {
    const [least, most] = spread(
      {
        mass_kg: MASS_kg,
        damping_Ns_per_m: 0,
        speed_mps: 0.02,
        press_s: Infinity,
        deadband_N: 0,
        law: (depth) => Math.max(0, stiffness_N_per_m * depth),
        compensated: false,
        response_Hz,
      },
      PERIOD_s,
      (touched) => touched.restitution,
    );
    const { contacts } = fly(
      {
        mass_kg: MASS_kg,
        stiffness_N_per_m,
        damping_Ns_per_m: 0,
        delay_s: DELAY_s,
        restitution: most,
      },
      { emulator: { tracking: 'second-order', bandwidth_Hz: response_Hz } },
    );
    const measured = contacts[0]?.restitution ?? NaN;
    // the symplectic step errs by (w h)²/12
    const off = (stiffness_N_per_m / MASS_kg) * (PERIOD_s ** 2 / 12) + NEAR_s / FREE_LAG_s;
    assert.ok(measured >= least - off && measured <= most + off, `e = ${measured}`);
    t.diagnostic(
      `e = ${measured.toFixed(4)}, integrated ${least.toFixed(4)} to ${most.toFixed(4)}`,
    );
  });
}

/** The half-sphere on its plate (config/scenarios/half-sphere-on-plate.yaml), its arm: g = 1e4 N s/m, lag 20 ms. */
const STIFFNESS = 2.5413e8;
const RESTITUTION = 0.85;
const GAIN_Ns_per_m = 1e4;
const LAG_s = 0.02;
const DEADBAND_N = 10;
const SMALL_mps = 0.001;
const TAPS = 5;
const SETPOINT_V = Column.setpoint_v_z_mps;

/** Share of what the arm gave that the loop created, and the speed of the taps. */
function tap(response_Hz: number): { share: number; in_J: number; speed_mps: number } {
  const tapping = new Tapping('model', {
    bandwidth_Hz: response_Hz,
    noise: scaleNoise(DEFAULT_NOISE, 0),
  });
  for (const end of tapping.rig.ends) end.faults.loss = 0;
  let speed_mps = 0;
  while (tapping.contacts < TAPS) {
    tapping.step();
    speed_mps = Math.max(speed_mps, -(tapping.rig.tick.record.row[SETPOINT_V] ?? NaN));
  }
  return { share: tapping.share, in_J: tapping.in_J / tapping.contacts, speed_mps };
}

test('what the loop creates with the compensation by the model comes from the lag of the arm', (t) => {
  const factor = dampingFactor(RESTITUTION);
  for (const response_Hz of [25, 50, 100, 200]) {
    const { share, in_J, speed_mps } = tap(response_Hz);
    const [least, most] = spread(
      {
        mass_kg: GAIN_Ns_per_m * LAG_s,
        damping_Ns_per_m: GAIN_Ns_per_m,
        speed_mps,
        press_s: 0.75,
        deadband_N: DEADBAND_N,
        // Gonthier 2007, (3.23)
        law: (depth, rate, impact) => {
          const damped = 1 + (factor * rate) / (RESTITUTION * Math.max(impact, SMALL_mps));
          return depth > 0 ? Math.max(0, STIFFNESS * depth ** 1.5 * damped) : 0;
        },
        compensated: true,
        response_Hz,
      },
      PERIOD_s,
      (touched) => touched.created_J / touched.in_J,
    );
    assert.ok(share >= least - SAME && share <= most + SAME, `${response_Hz} Hz: ${share}`);
    t.diagnostic(
      `${response_Hz} Hz: ${(100 * share).toFixed(2)} % of ${(1e3 * in_J).toFixed(2)} mJ, integrated ${(100 * least).toFixed(2)} to ${(100 * most).toFixed(2)} %`,
    );
  }
});
