/** Contacts with something that is driven: what it puts in passes, what the delay creates does not. docs/theory/loop-energy.md. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { AuditSlot } from '../../../hil/energy/energy-audit.ts';
import { EnergySlot } from '../../../hil/energy/loop-energy.ts';
import { GuardSlot } from '../../../hil/energy/passivity-guard.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { at, joint } from '../../../server/validation/constraint-models.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';
import { type MassOnWall, fly } from './mass-on-wall.ts';
import { SHEET_ROWS } from './sheet-rows.ts';

const row = (i: number): MassOnWall => {
  const [m, k, b, T_ms] = SHEET_ROWS[i];
  return { m, k, b, T_ms };
};
const SPEED_mps = 0.1;

test('a wall that comes towards the mass, without delay: the guard lets v + 2 u through', () => {
  for (const u of [0.01, 0.03, 0.1]) {
    const wall = { m: 100, k: 1e5, b: 0, T_ms: 0, v0: SPEED_mps, wallSpeed: u, guard: true };
    const elastic = 1 + (2 * u) / SPEED_mps;
    const { e, guard } = fly({ ...wall, driven: true });
    // touch and parting fall between two ticks: (w h)²/8 = 1.3e-4 of each speed
    assert.ok(Math.abs(e / elastic - 1) < 5e-4, `${u} m/s: ${e} for ${elastic}`);
    assert.ok(guard[GuardSlot.REMOVED] < 1e-4, `${guard[GuardSlot.REMOVED]} J`);
    assert.ok(fly(wall).e <= 1.0005, 'a guard that does not count it holds the mass back');
  }
});

test('the same with delay: the guard takes what the loop created, and no more', () => {
  for (let i = 0; i < SHEET_ROWS.length; i++) {
    const moving = { ...row(i), v0: SPEED_mps, wallSpeed: 0.03 };
    const { e, audit, guard } = fly({ ...moving, guard: true, driven: true });
    const text = SHEET_ROWS[i].join(' ');
    const created = audit[AuditSlot.CREATED];
    const removed = guard[GuardSlot.REMOVED];
    // what is left is the error of the trapezoid of the audit, see Energy audit
    assert.ok(Math.abs(created - removed) < 1e-3 * created + 1e-3, `${text}: ${created} J`);
    assert.ok(e > 1 && e < fly(moving).e, `${text}: ${e}`);
    assert.equal(guard[GuardSlot.CLAMPED_TICKS], 0, text);
  }
});

test('a wall that does not move puts nothing in: e <= 1.0005 in every row', () => {
  for (let i = 0; i < SHEET_ROWS.length; i++) {
    const { e, audit, brought } = fly({ ...row(i), guard: true, driven: true });
    assert.ok(e <= 1.0005, `${SHEET_ROWS[i].join(' ')}: ${e}`);
    assert.ok(brought < 2e-3 * audit[AuditSlot.IN], 'within the error of the audit');
  }
});

const LIFT_AT_s = 1.5;
const LIFT_m = 3e-3;

/** The half-sphere stands still; its plate is a body that a lock lifts by 3 mm in 1 s. */
function liftedModel(): SystemModel {
  const model = compileScenario(loadScenario('half-sphere-on-plate'));
  const plate = { motion: 'dynamic', mass: 5, inertia: [0.1, 0.1, 0.1, 0, 0, 0] } as const;
  const points = [
    { time: 0, position: [0] },
    { time: LIFT_AT_s, position: [0] },
    { time: LIFT_AT_s + 1, position: [LIFT_m] },
  ];
  const lift = { axis: 'z', law: { kind: 'cycloidal', points } } as const;
  const [onPlate, inWorld] = [at('plate', [0, 0, 0]), at(null, [0, 0, 0])];
  return {
    ...model,
    bodies: model.bodies.map((body) => (body.name === 'plate' ? { ...body, ...plate } : body)),
    constraints: [joint('lift', 'fixed', onPlate, inWorld, { translationMotion: lift })],
    command: [],
  };
}

/** Work at the tool, J: dead-band and gain times speed over the 2 mm after the touch, z = L (x − sin(2πx)/2π), x the share of the time. */
function lifted_J(): number {
  const speed = (x: number): number => LIFT_m * (1 - Math.cos(2 * Math.PI * x)); // over 1 s
  const n = 10_000;
  let [z, work] = [0, 0];
  for (let i = 0; i < n; i++) {
    const v = speed((i + 0.5) / n);
    if (z > 1e-3) work += ((10 + 1e4 * v) * v) / n;
    z += v / n;
  }
  return work;
}

for (const mode of ['virtual', 'hardware'] as const) {
  test(`whole loop, ${mode} mode: a plate that is lifted carries the arm along`, (t) => {
    const rig = new VirtualRig({ model: liftedModel(), mode });
    const { slots, audit } = rig.tick.energy.energy;
    rig.activate();
    let created = 0;
    for (let i = 0; i < 3000 && rig.system.time < LIFT_AT_s + 1.05; i++) {
      rig.inputAxes([0, 0, 0, 0, 0, 0], 1);
      rig.run(1);
      created = Math.max(created, slots[EnergySlot.CREATED]);
    }
    const { PEAK } = AuditSlot;
    const [brought] = audit.brought;
    const removed = slots[EnergySlot.PASSIVITY_REMOVED];
    assert.equal(rig.state, 'ACTIVE_CONTACT');
    assert.ok(Math.abs(rig.tick.measured[2] - LIFT_m) < 5e-5, `${rig.tick.measured[2]} m`); // the depth of 30 N
    // the touch at 6 mm/s adds up to ½ · 200 kg · (6 mm/s)² = 3.6 mJ to it, the lag of 20 ms 2 % of its speed
    assert.ok(Math.abs(brought / lifted_J() - 1) < 0.1, `${brought} J for ${lifted_J()} J`);
    assert.ok(removed < 1e-4 && created < 4e-3, `removed ${removed} J, created ${created} J`);
    // the impact is all that exceeds 10 N + 1e4 N/(m/s) · 6 mm/s; a guard that pays it back holds the arm until 6.7 kN press on it
    assert.ok(audit.slots[PEAK] < 200, `${audit.slots[PEAK]} N`);
    t.diagnostic(
      `brought ${brought.toFixed(4)} J for ${lifted_J().toFixed(4)} J, created ${(1e3 * created).toFixed(2)} mJ`,
    );
  });
}
