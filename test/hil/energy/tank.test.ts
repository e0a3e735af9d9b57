/** Energy tank: what the loop creates over a run of contacts is bounded by its size. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { RESTITUTION_ROWS } from '../../fixtures/restitution-table.ts';
import type { Settings } from '../../../config/settings.ts';
import { EnergyTank, TankSlot } from '../../../hil/energy/energy-tank.ts';
import { fly as flyLoop } from './free-mass-rig.ts';
import { fly } from './mass-on-wall.ts';

test('a large tank lets the contact be, a small one bounds what it gains', () => {
  const wall = { m: 100, k: 1e5, b: 0, T_ms: 2 };
  const none = fly(wall);
  const gain = 0.5 * (none.e ** 2 - 1); // 0.11 J
  const large = fly({ ...wall, tank_J: 1 });
  assert.equal(large.e, none.e);
  // drained by what was gained, and by what a full tank spilt in the first ticks: half the work of a tick, F v h at 100 N
  const spilt = 1 - gain - large.tank[TankSlot.LEVEL];
  assert.ok(spilt >= 0 && spilt < 0.01, `level ${large.tank[TankSlot.LEVEL]}`);
  for (const size of [0.02, 0.05]) {
    const { e, tank } = fly({ ...wall, tank_J: size });
    // the valve is opened a tick after it is read, so that it is the more cautious
    assert.ok(0.5 * (e * e - 1) <= size, `size ${size}: e ${e}`);
    assert.ok(e > 0.98, `and not much more than that is taken: ${e}`);
    assert.ok(tank[TankSlot.LEVEL] >= -1e-3, `level ${tank[TankSlot.LEVEL]}`);
  }
});

test('dissipation fills it, up to its size when the contact has ended', () => {
  const tank = new EnergyTank(0.5, 1e-3);
  tank.settle(Float64Array.of(0.3, 0), 0, true);
  assert.ok(Math.abs(tank.slots[TankSlot.LEVEL] - 0.2) < 1e-15, 'created');
  tank.settle(Float64Array.of(-0.1, 0.1), 0, true);
  assert.ok(Math.abs(tank.slots[TankSlot.LEVEL] - 0.4) < 1e-15, 'dissipated');
  tank.settle(Float64Array.of(0, 0.3), 0, true);
  assert.ok(Math.abs(tank.slots[TankSlot.LEVEL] - 0.7) < 1e-15, 'what rebound will take out again');
  tank.settle(Float64Array.of(0, 0), 0, false);
  assert.equal(tank.slots[TankSlot.LEVEL], 0.5);
});

test('what is too much for a whole window of a contact is spilt; a swing is not, and a contact that is cut off ends it', () => {
  const tank = new EnergyTank(0.5, 1e-3);
  const { slots } = tank;
  // a swing of 0.2 J on top, ten times a second, and 1 J/s that a damper takes
  for (let n = 0; n < 5000; n++) {
    const step = 0.2 * (2 * Math.PI * 10) * 1e-3 * Math.cos(2 * Math.PI * 10 * n * 1e-3);
    tank.settle(Float64Array.of(0, step + 1e-3), 0, true);
  }
  // at most: its size, the whole swing, and what came since the window before the last
  assert.ok(slots[TankSlot.LEVEL] < 0.5 + 2 * 0.2 + 2 * 0.5, `${slots[TankSlot.LEVEL]} J`);
  for (let n = 0; n < 1001; n++) tank.settle(Float64Array.of(0, 0), 0, true);
  assert.ok(Math.abs(slots[TankSlot.LEVEL] - 0.5) < 1e-12, `${slots[TankSlot.LEVEL]} J`);
  tank.settle(Float64Array.of(0, 0.3), 0, true);
  tank.release();
  assert.equal(slots[TankSlot.LEVEL], 0.5);
});

test('a contact that the model compensates is let be by a tank that holds what comes and goes in it', () => {
  const [row] = RESTITUTION_ROWS.filter(
    (one) => one.delay_s === 10e-3 && one.stiffness_N_per_m === 1e5,
  );
  assert.ok(row !== undefined);
  // ½ m v² w T of 0.16 J: 0.05 J, and the valve is more cautious by a tick, w h of it
  for (const [tank_J, allowed] of [
    [0, 2e-3],
    [0.05, 5e-3],
  ] as const) {
    const settings = ({ energy }: Settings): void =>
      void Object.assign(energy, { compensation: 'model', tank_J });
    for (const { restitution: e } of flyLoop(row, { settings, contacts: 3 }).contacts) {
      assert.ok(Math.abs(e - 1) < allowed, `${tank_J} J: e = ${e}`);
    }
  }
});

test('the valve passes exactly what is there, and never less than half', () => {
  const inverseMass = new Float64Array(36);
  for (let a = 0; a < 6; a++) inverseMass[7 * a] = 0.5;
  const twist = Float64Array.of(0, 0, 0.2, 0, 0, 0);
  const wanted = 0.0188; // of h (F v + ½ h F²/m) = 0.0224 J with 110 N, 0.2 m/s, 2 kg, 1 ms... at full valve 0.025 J
  const tank = new EnergyTank(wanted, 1e-3);
  const wrench = Float64Array.of(0, 0, 110, 0, 0, 0);
  tank.open(wrench, twist, inverseMass);
  const f = wrench[2];
  assert.ok(tank.slots[TankSlot.VALVE] < 1 && tank.slots[TankSlot.VALVE] > 0.5, 'it scales');
  assert.ok(Math.abs(1e-3 * f * (0.2 + 0.5e-3 * f * 0.5) - wanted) < 1e-12, `passes ${f} N`);
  const empty = new EnergyTank(1e-9, 1e-3);
  const half = Float64Array.of(0, 0, 110, 0, 0, 4);
  empty.open(half, twist, inverseMass);
  assert.deepEqual([half[2], half[5]], [55, 2]);
  const away = Float64Array.of(0, 0, 110, 0, 0, 0);
  empty.open(away, Float64Array.of(0, 0, -0.2, 0, 0, 0), inverseMass);
  assert.equal(away[2], 110, 'a force that takes energy comes through');
});

test('no tank, no valve', () => {
  const tank = new EnergyTank(0, 1e-3);
  const wrench = Float64Array.of(0, 0, 1e4, 0, 0, 0);
  tank.open(wrench, Float64Array.of(0, 0, 5, 0, 0, 0), new Float64Array(36));
  assert.equal(wrench[2], 1e4);
});
