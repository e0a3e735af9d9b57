/** Grapples: decay and period in closed form, momenta, energy, engagement by a touch, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileValue } from '../../../config/scenario-value.ts';
import { BerthError } from '../../../src/base/errors.ts';
import { EnergyReadout } from '../../../src/system/energy-ledger.ts';
import { makeSystem, type System } from '../../../src/system/system.ts';
import { momentumOf } from '../../fixtures/system-momentum.ts';

const H = 1e-3;
const MASS = 2;
const OTHER = 3;
const REDUCED = (MASS * OTHER) / (MASS + OTHER);
const body = new Float64Array(13);
const energy = new Float64Array(7);

interface Scene {
  readonly grapple?: object;
  readonly velocity?: readonly [number, number, number];
  readonly spin?: readonly [number, number, number];
  readonly contacts?: readonly object[];
  readonly height?: number;
  readonly step?: number;
}

function scene({ grapple = {}, velocity = [0, 0, 0], spin = [0, 0, 0], ...rest }: Scene): System {
  const { contacts = [], height = 0.1, step = H } = rest;
  return makeSystem(
    compileValue({
      name: 'grapple',
      title: 'Two bodies and a grapple',
      gravity_mps2: [0, 0, 0],
      bodies: [
        {
          name: 'hand',
          kind: 'dynamic',
          mass_kg: MASS,
          inertia: { kind: 'solid-sphere', radius_m: 0.1 },
          position_m: [0, 0, height],
          velocity_mps: velocity,
          angular_velocity_radps: spin,
        },
        {
          name: 'load',
          kind: 'dynamic',
          mass_kg: OTHER,
          inertia: { kind: 'solid-sphere', radius_m: 0.1 },
        },
      ],
      contacts,
      grapples: [
        {
          name: 'grip',
          body_i: 'hand',
          body_j: 'load',
          points_i_m: [[0, 0, -0.1]],
          points_j_m: [[0, 0, 0]],
          ...grapple,
        },
      ],
      integration: { kind: 'implicit-contact', step_s: step },
      duration_s: 1,
    }),
  );
}

const speeds = (system: System): number[] =>
  [0, 1].map((b) => (system.readBody(b, body, 0), body[9]));
const energyOf = (system: System): number => {
  system.readEnergy(energy, 0);
  return energy[EnergyReadout.kinetic] + energy[EnergyReadout.elastic];
};

test('a damper slows the rate apart by 1 + h C/m in each step, and by exp(−C t/m) in the limit', () => {
  const damping = 400;
  for (const step of [H, H / 8]) {
    const system = scene({ grapple: { damping_N_s_per_m: damping }, velocity: [0, 0, 1], step });
    const count = Math.round(4e-3 / step);
    for (let k = 0; k < count; k++) assert.equal(system.step(step), 0);
    const [a, b] = speeds(system);
    const factor = 1 + (step * damping) / REDUCED;
    assert.ok(Math.abs((a - b) * factor ** count - 1) < 1e-12, `${a - b} m/s`);
    const error = (a - b) / Math.exp((-4e-3 * damping) / REDUCED) - 1;
    // ln(1 + x) = x − x²/2 …: C² h t/2m² too slow
    const first = (damping / REDUCED) ** 2 * 0.5 * step * 4e-3;
    assert.ok(Math.abs(error / first - 1) < 0.35, `${error} of ${first}`);
  }
});

test('springs swing with 2π √(m/K), lose energy in long steps and never get any', () => {
  const stiffness = 2000;
  const system = scene({ grapple: { stiffness_N_per_m: stiffness }, velocity: [0, 0, 0.1] });
  let least = energyOf(system);
  const crossings: number[] = [];
  let before = 1;
  for (let k = 1; k < 800; k++) {
    assert.equal(system.step(H), 0);
    const now = energyOf(system);
    assert.ok(now < least * (1 + 1e-12), `${now} of ${least} J`);
    least = now;
    const [a, b] = speeds(system);
    if (Math.sign(a - b) !== Math.sign(before)) crossings.push(k * H);
    before = a - b;
  }
  const half = (crossings[crossings.length - 1] - crossings[0]) / (crossings.length - 1);
  const wanted = Math.PI * Math.sqrt(REDUCED / stiffness);
  assert.ok(Math.abs(half / wanted - 1) < 1e-2, `${half} s, not ${wanted}`);
  system.readEnergy(energy, 0);
  assert.ok(Math.abs(energy[EnergyReadout.balance]) < 1e-12, `${energy[EnergyReadout.balance]} J`);
});

test('momenta stay, wherever the points are and however the bodies turn', () => {
  const system = scene({
    grapple: {
      points_i_m: [
        [0.05, 0.02, -0.1],
        [-0.04, 0.03, -0.08],
      ],
      points_j_m: [
        [0.05, 0.01, 0],
        [-0.05, 0.04, 0.01],
      ],
      stiffness_N_per_m: 2000,
      damping_N_s_per_m: 50,
    },
    velocity: [0.1, -0.2, 0.3],
    spin: [1, -2, 0.5],
  });
  const before = momentumOf(system);
  assert.equal(system.step(H), 0);
  // what the springs bring along is work from outside
  system.readEnergy(energy, 0);
  assert.ok(Math.abs(energy[EnergyReadout.externalWork] - 1e3 * (1e-4 + 3e-4)) < 1e-12);
  let least = energyOf(system);
  for (let k = 1; k < 500; k++) {
    assert.equal(system.step(H), 0);
    const now = energyOf(system);
    assert.ok(now < least * (1 + 1e-12), `${now} of ${least} J`);
    least = now;
  }
  for (const [k, value] of momentumOf(system).entries()) {
    assert.ok(Math.abs(value - before[k]) < 1e-13 * 500, `${k}: ${value} of ${before[k]}`);
  }
});

test('a touch engages it: before it bodies fly on, then they stay together', () => {
  const system = scene({
    height: 0.205,
    velocity: [0, 0, -0.5],
    contacts: [
      {
        name: 'touch',
        body_i: 'hand',
        body_j: 'load',
        pair: { kind: 'sphere-sphere', radius_m: 0.1, radius_j_m: 0.1 },
        normal_law: { kind: 'kelvin-voigt', stiffness_N_per_m: 1e4, damping_N_s_per_m: 0 },
        friction_law: { kind: 'none' },
      },
    ],
    grapple: { points_j_m: [[0, 0, 0.1]], damping_N_s_per_m: 500, contact: 'touch' },
  });
  for (let k = 0; k < 9; k++) assert.equal(system.step(H), 0);
  assert.deepEqual(speeds(system), [-0.5, 0]);
  for (let k = 0; k < 300; k++) assert.equal(system.step(H), 0);
  const [a, b] = speeds(system);
  const common = (-0.5 * MASS) / (MASS + OTHER);
  for (const speed of [a, b]) assert.ok(Math.abs(speed - common) < 1e-3, `${speed} m/s`);
});

test('refused: the same body twice, other numbers of points, no spring and no damper, an unknown contact', () => {
  for (const [grapple, wanted] of [
    [{ body_j: 'hand', damping_N_s_per_m: 1 }, /grapples\[0\] to join two bodies/],
    [
      {
        points_j_m: [
          [0, 0, 0],
          [0, 0, 1],
        ],
        damping_N_s_per_m: 1,
      },
      /points_j_m/,
    ],
    [{}, /damping/],
    [{ damping_N_s_per_m: 1, contact: 'none' }, /contact/],
  ] as const) {
    assert.throws(
      () => scene({ grapple }),
      (error: unknown) => {
        assert.ok(error instanceof BerthError, String(error));
        assert.match(error.message, wanted);
        return true;
      },
    );
  }
});
