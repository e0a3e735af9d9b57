/**
 * Effect of the remedies on the restitution of the real loop, on the virtual clock (hil-anchors 3,
 * remedies and robustness; 9.4, tests 32 and 34). Model prediction gives the undelayed figure. With
 * the guard no contact returns more energy than it took, whatever values the loop has.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freeMassScenario } from '../../fixtures/free-mass.ts';
import {
  RESTITUTION_ROWS,
  type RestitutionRow,
  rowName,
  undelayedRestitution,
} from '../../fixtures/restitution-table.ts';
import { compileScenario } from '../../../config/compile.ts';
import type { Settings } from '../../../config/settings.ts';
import { Column } from '../../../hil/contract/columns.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';
import { type FlightOptions, fly } from './free-mass-rig.ts';

const PERIOD_S = 1e-3;
/** hil-anchors 9.4, test 32. */
const PASSIVE = 1.0005;
const NOISE_N = 0.5;

const energy =
  (set: Partial<Settings['energy']>): ((settings: Settings) => void) =>
  (settings) => {
    Object.assign(settings.energy, set);
  };
const GUARD = energy({ guard: true });
const MODEL = energy({ compensation: 'model' });
const BOTH = energy({ guard: true, compensation: 'model' });

const restitutions = (row: RestitutionRow, options: FlightOptions): number[] => {
  return fly(row, options).contacts.map((contact) => contact.restitution);
};

/** The force of the robot is a period older than reported: the loop compensates a period too little. */
function unknowing(row: RestitutionRow): FlightOptions {
  const delay_s = row.delay_s - PERIOD_S;
  return { emulator: { delay_s, force_delay_s: PERIOD_S, force_age_s: 0 } };
}

/** Over the rows: largest e with the guard, also on top of what is wrong, with noise and with the free flight beside it; largest error with the prediction. */
const worst = { guard: 0, wrong: 0, noisy: 0, flight: 0, spring: 0, damped: 0 };

for (const row of RESTITUTION_ROWS) {
  test(`guard: ${rowName(row)}`, () => {
    for (const e of restitutions(row, { settings: GUARD })) {
      worst.guard = Math.max(worst.guard, e);
      assert.ok(e <= PASSIVE, `e = ${e}`);
      // it takes what is too much and nothing else: 0.3 % are the steps of a tick at touch
      const passive = Math.min(1, row.restitution);
      assert.ok(e >= passive - 0.003, `e = ${e}, ${passive} without creation`);
    }
  });

  test(`model prediction: ${rowName(row)}`, () => {
    const wanted = undelayedRestitution(row);
    // hil-anchors 9.4, test 34: 0.2 % without a dashpot and 3 % with; w T beyond 0.32 is no worse here
    const allowed = row.damping_Ns_per_m === 0 ? 0.002 : 0.03;
    for (const e of restitutions(row, { settings: MODEL })) {
      const error = Math.abs(e / wanted - 1);
      if (row.damping_Ns_per_m === 0) worst.spring = Math.max(worst.spring, error);
      else worst.damped = Math.max(worst.damped, error);
      assert.ok(Math.abs(e / wanted - 1) <= allowed, `e = ${e}, ${wanted} without delay`);
    }
  });
}

after(() => {
  const percent = (x: number): string => `${(100 * x).toFixed(2)} %`;
  const { guard, wrong, noisy, flight } = worst;
  console.log(
    `acceptance 32: whole loop, 17 rows: ${guard.toFixed(5)}, with wrong k, wrong T, 5 % loss ${wrong.toFixed(5)}, with 0.5 N of noise too ${noisy.toFixed(5)} (with the free flight before and after ${flight.toFixed(4)})`,
  );
  console.log(
    `acceptance 34: whole loop, 17 rows: off by ${percent(worst.spring)} (b = 0) and ${percent(worst.damped)} (b > 0) at most`,
  );
});

const [, , , , , , SPRING] = RESTITUTION_ROWS;

test('robustness: prediction and lead with wrong stiffness, wrong delay, loss and noise', () => {
  assert.ok(SPRING !== undefined, 'm 100, k 1e5, b 0, T 5 ms');
  const loss = { link_drop_ratio: 0.05 };
  // the prototype's figures are the worst of seven seeds: 1.284, 1.003 and 1.120
  const cases: readonly [string, FlightOptions, number, number][] = [
    ['stiffness 30 % too low, model', { settings: MODEL, modelled: 0.7 }, 1.077, 0.002],
    ['a period not known, model', { settings: MODEL, ...unknowing(SPRING) }, 1.05, 0.002],
    [
      'a period not known, lead',
      { settings: energy({ compensation: 'lead' }), ...unknowing(SPRING) },
      1.068,
      0.005,
    ],
    ['loss', { inject: loss }, 1.284, 0.01],
    ['loss, model', { settings: MODEL, inject: loss }, 1.003, 0.005],
    [
      'all of these and noise, model',
      {
        settings: MODEL,
        modelled: 0.7,
        inject: { ...loss, force_noise_N: NOISE_N },
        ...unknowing(SPRING),
      },
      1.12,
      0.01,
    ],
  ];
  for (const [name, options, wanted, allowed] of cases) {
    for (const e of restitutions(SPRING, options)) {
      assert.ok(Math.abs(e - wanted) <= allowed, `${name}: e = ${e}, ${wanted} by hil-anchors 3`);
    }
  }
});

for (const row of RESTITUTION_ROWS) {
  test(`guard on top of what is wrong: ${rowName(row)}`, () => {
    const noise = { force_noise_N: NOISE_N };
    const loss = { link_drop_ratio: 0.05 };
    const exact: readonly [string, FlightOptions][] = [
      ['stiffness', { settings: BOTH, modelled: 0.7 }],
      ['delay', { settings: BOTH, ...unknowing(row) }],
      ['loss', { settings: BOTH, inject: loss }],
      ['loss without prediction', { settings: GUARD, inject: loss }],
    ];
    for (const [name, options] of exact) {
      for (const e of restitutions(row, options)) {
        assert.ok(e <= PASSIVE, `${name}: e = ${e}`);
        worst.wrong = Math.max(worst.wrong, e);
      }
    }
    // in free flight noise moves the mass, which is of no contact: from the contact's own begin on
    const noisy: readonly [string, FlightOptions][] = [
      ['noise', { settings: GUARD, inject: noise }],
      ['all', { settings: BOTH, modelled: 0.7, inject: { ...loss, ...noise }, ...unknowing(row) }],
    ];
    for (const [name, options] of noisy) {
      for (const { atPort, restitution } of fly(row, { ...options, contacts: 3 }).contacts) {
        assert.ok(atPort <= PASSIVE && atPort > 0.5, `${name}: e = ${atPort}`);
        worst.noisy = Math.max(worst.noisy, atPort);
        worst.flight = Math.max(worst.flight, restitution);
      }
    }
  });
}

const FORCE = Column.measured_force_z_N;
const SPEED = Column.setpoint_v_z_mps;
const PUSH_N = 20;

test('held by 20 N for 60 s: with the guard the peak never exceeds 1.2 times the ideal one after 1 s', (t) => {
  assert.ok(SPRING !== undefined, 'm 100, k 1e5, b 0, T 5 ms');
  const scenario = freeMassScenario(SPRING);
  // the ramp of the push ends 8.3 mm on its way
  for (const body of scenario.bodies) if (body.name !== 'plate') body.position_m = [0, 0, 0.009];
  const rig = new VirtualRig({
    mode: 'hardware',
    model: compileScenario(scenario),
    settings: (settings) => {
      const wide = { permit: 'advisory', hold_ratio: 1e9, hold_J: 1e9 } as const;
      Object.assign(settings.energy, { ...wide, guard: true, contact_force_N: 0.5 });
    },
    emulator: { tracking: 'ideal', delay_s: SPRING.delay_s },
  });
  rig.activate();
  const keep = NaN;
  rig.command(CommandKind.FMA, keep, 0, 0, -PUSH_N, 0, 0, 0, keep, keep, keep, keep);
  const { row } = rig.tick.record;
  let speed = 0;
  let touched = -1;
  let peak = 0;
  for (let n = 0; n < 61_500; n++) {
    if (n % 20 === 0) rig.input(0, 1);
    rig.run(1);
    const force = row[FORCE] ?? NaN;
    if (touched < 0 && force > 0) touched = n;
    else if (touched < 0) speed = row[SPEED] ?? NaN;
    else if (n > touched + 1000) peak = Math.max(peak, force);
  }
  const { mass_kg: m, stiffness_N_per_m: k } = SPRING;
  const ideal = PUSH_N + Math.sqrt(PUSH_N ** 2 + k * m * speed ** 2);
  assert.ok(touched >= 0 && rig.state.startsWith('ACTIVE'), rig.state);
  assert.ok(peak <= 1.2 * ideal, `peak ${peak} N, ideal ${ideal} N`);
  t.diagnostic(
    `acceptance 32: whole loop, held 60 s: peak ${(peak / ideal).toFixed(2)} times the ideal`,
  );
});
