/**
 * A couple is a contact without a force: a bar turns between two pairs of stops that it touches with both ends at once. The delay of the
 * loop must not wind it up unseen.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeMassScenario } from '../../fixtures/free-mass.ts';
import { compileScenario } from '../../../config/compile.ts';
import type { Settings } from '../../../config/settings.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { EnergySlot } from '../../../hil/energy/loop-energy.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const DELAY_S = 5e-3;
/** Ends of the bar, m, and the half of the way that they have between their stops, less the radius of an end. */
const LEVER_M = 0.2;
const RADIUS_M = 0.01;
const GAP_M = 3e-3; // more than it turns while it is pushed
const HEIGHT_M = 0.05;
/** Gain times lag of the scenario, 1e4 s: 4 kg m². */
const INERTIA_KGM2 = 4;
const LAG_S = 1e4;
const TICKS = 4000;
const FLOWN = ['ACTIVE_CONTACT', 'ACTIVE_FREE'];
/** A sensor without noise: contact begins early. */
const EXACT = { contact_force_N: 0.05, contact_moment_Nm: 0.005, hold_ratio: 1e9, hold_J: 1e9 };

interface Turned {
  /** Largest kinetic energy, J. */
  readonly most_J: number;
  readonly begun_J: number;
  readonly last_J: number;
  readonly force_N: number;
  readonly moment_Nm: number;
  readonly states: ReadonlySet<string>;
  readonly created_J: number;
  readonly removed_J: number;
}

function turn(energy: Partial<Settings['energy']>): Turned {
  const row = {
    mass_kg: 100,
    stiffness_N_per_m: 1e5,
    damping_Ns_per_m: 0,
    delay_s: DELAY_S,
    restitution: 1,
  };
  const scenario = freeMassScenario(row);
  const [first] = scenario.contacts;
  assert.ok(first !== undefined && scenario.tool !== undefined);
  const reach = RADIUS_M + GAP_M;
  const stop = (name: string, x: number, up: 1 | -1): typeof first => ({
    ...structuredClone(first),
    name,
    pair: {
      kind: 'sphere-plane',
      radius_m: RADIUS_M,
      center_m: [x, 0, 0],
      normal: [0, 0, up],
      offset_m: up * HEIGHT_M - reach,
    },
  });
  scenario.contacts = [
    stop('left-below', LEVER_M, 1),
    stop('left-above', LEVER_M, -1),
    stop('right-below', -LEVER_M, 1),
    stop('right-above', -LEVER_M, -1),
  ];
  scenario.tool.moment_gain_Nm_per_radps = INERTIA_KGM2 / LAG_S;
  const rig = new VirtualRig({
    mode: 'hardware',
    model: compileScenario(scenario),
    settings: (settings) => Object.assign(settings.energy, EXACT, energy),
    emulator: { tracking: 'ideal', delay_s: DELAY_S },
  });
  rig.activate();
  const keep = NaN;
  const push = (moment_Nm: number): void =>
    rig.command(CommandKind.FMA, keep, 0, 0, 0, 0, moment_Nm, 0, keep, keep, keep, keep);
  push(0.16);
  rig.run(500, () => rig.input(0, 1));
  push(0);
  rig.run(500, () => rig.input(0, 1)); // the ramp of the set-point
  const energy_J = (): number => 0.5 * INERTIA_KGM2 * (rig.system.tool?.setpoint[11] ?? NaN) ** 2;
  const begun_J = energy_J();
  const seen = { most_J: 0, force_N: 0, moment_Nm: 0 };
  const states = new Set<string>();
  for (let i = 0; i < TICKS; i++) {
    rig.input(0, 1);
    rig.run(1);
    states.add(rig.state);
    const [x = NaN, y = NaN, z = NaN, ...moment] = rig.tick.measuredWrench;
    seen.most_J = Math.max(seen.most_J, energy_J());
    seen.force_N = Math.max(seen.force_N, Math.hypot(x, y, z));
    seen.moment_Nm = Math.max(seen.moment_Nm, Math.hypot(...moment));
  }
  const slots = rig.tick.energy.energy.slots;
  const created_J = slots[EnergySlot.CREATED_TOTAL] ?? NaN;
  const removed_J = slots[EnergySlot.PASSIVITY_REMOVED] ?? NaN;
  return { ...seen, begun_J, last_J: energy_J(), states, created_J, removed_J };
}

test('without the guard a bar between stops is wound up, and the audit says by how much', () => {
  const { force_N, moment_Nm, most_J, begun_J, states, created_J } = turn({
    guard: false,
  });
  assert.ok(force_N < 1e-3 && moment_Nm > 10, `${force_N} N, ${moment_Nm} N m`);
  assert.deepEqual([...states].sort(), FLOWN);
  assert.ok(most_J > 100 * begun_J, `${begun_J} to ${most_J} J`);
  // the trapezoid of the work errs by (w h)²/4 a contact, w² = 2 k l²/J: 1 % at first, of sums that grow alike
  assert.ok(Math.abs(created_J / (most_J - begun_J) - 1) < 0.2, `${created_J} J of ${most_J} J`);
});

test('with the guard it keeps the energy that it began with', () => {
  const { most_J, begun_J, removed_J, states } = turn({ guard: true });
  assert.ok(most_J <= 1.0005 ** 2 * begun_J, `${begun_J} to ${most_J} J`);
  assert.ok(removed_J > 0);
  assert.deepEqual([...states].sort(), FLOWN);
});

test('no remedy takes the leftover force of a couple for a line of action: the bar goes on turning', () => {
  for (const compensation of ['damping', 'model'] as const) {
    const { most_J, begun_J, last_J, states } = turn({ guard: true, compensation });
    assert.deepEqual([...states].sort(), FLOWN, compensation);
    assert.ok(most_J <= 1.0005 ** 2 * begun_J, `${compensation}: ${begun_J} to ${most_J} J`);
    // a swing between stops is e = 1 with the guard; at the end it may be in the middle of one
    assert.ok(last_J > 0.25 * begun_J, `${compensation}: ${begun_J} to ${last_J} J`);
  }
});
