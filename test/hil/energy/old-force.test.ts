/**
 * A force that is older than the pose it comes with (ft_age), as a filter makes it: audit, removal and model prediction go by the pose
 * at the time of the force, so that it does not matter which part of the loop is late.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESTITUTION_ROWS } from '../../fixtures/restitution-table.ts';
import type { Settings } from '../../../config/settings.ts';
import type { EmulatorOptions } from '../../../hil/emulator/options.ts';
import { MotionHistory } from '../../../hil/energy/motion-history.ts';
import { EnergySlot } from '../../../hil/energy/loop-energy.ts';
import { StateFrame } from '../../../hil/protocol/frames.ts';
import { fly } from './free-mass-rig.ts';

const ROW = RESTITUTION_ROWS.find(
  (row) =>
    row.delay_s === 5e-3 &&
    row.mass_kg === 100 &&
    row.damping_Ns_per_m === 0 &&
    row.stiffness_N_per_m === 1e5,
);
/** The 5 ms of the row: all in the robot, or 4 of them in the sensor; on frames and between them. */
const LATE: readonly Partial<EmulatorOptions>[] = [
  {},
  { delay_s: 1e-3, force_delay_s: 4e-3 },
  { delay_s: 1e-3, force_delay_s: 4e-3, force_age_s: 4.2e-3 },
];

interface Flown {
  readonly e: number;
  readonly gained_J: number;
  readonly created_J: number;
}

function flown(emulator: Partial<EmulatorOptions>, energy: Partial<Settings['energy']>): Flown {
  assert.ok(ROW !== undefined);
  const settings = (all: Settings): void => void Object.assign(all.energy, energy);
  const { rig, contacts } = fly(ROW, { emulator, settings });
  const [contact] = contacts;
  assert.ok(contact !== undefined);
  rig.run(60, () => rig.input(0, 1)); // until the audit has closed it
  const { restitution: e, approach_mps } = contact;
  const gained_J = 0.5 * ROW.mass_kg * approach_mps ** 2 * (e * e - 1);
  return { e, gained_J, created_J: rig.tick.energy.energy.slots[EnergySlot.CREATED] ?? NaN };
}

test('the audit finds what the mass has won, however old the force', () => {
  for (const emulator of LATE.slice(0, 2)) {
    const { e, gained_J, created_J } = flown(emulator, {});
    assert.ok(Math.abs(e - 1.28) < 0.01, String(e));
    // the trapezoid, at most (w h)²/4 of E_in; sampling of the force on its way: another (w h)²/4
    assert.ok(Math.abs(created_J / gained_J - 1) < 0.02, `${created_J} of ${gained_J} J`);
  }
});

test('an age that is told 0.2 ms too long is an error of 0.2 ms, not of 4', () => {
  const { gained_J, created_J } = flown(LATE[2] ?? {}, {});
  assert.ok(Math.abs(created_J / gained_J - 1) < 0.06, `${created_J} of ${gained_J} J`);
});

test('removal and model prediction keep e at 1, however old the force', () => {
  for (const emulator of LATE.slice(0, 2)) {
    const removed = flown(emulator, { removal: true });
    assert.ok(Math.abs(removed.e - 1) < 0.01, `removal: e = ${removed.e}`);
    // hil-anchors 9.4, test 34
    const predicted = flown(emulator, { compensation: 'model' });
    assert.ok(Math.abs(predicted.e - 1) < 0.002, `model: e = ${predicted.e}`);
  }
});

test('the motion at the time of the force: between two frames, and none from before a gap or a step of the clock', () => {
  const history = new MotionHistory();
  const state = new StateFrame();
  const motion = Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0);
  const take = (time_us: number, age_us: number, x: number): number => {
    state.tMeas_us = time_us;
    state.ftAge_us = age_us;
    motion[0] = x;
    history.take(state, motion);
    return history.motion[0] ?? NaN;
  };
  assert.equal(take(1000, 4000, 1), 1, 'none older: the oldest');
  assert.equal(take(2000, 0, 2), 2);
  assert.equal(take(3000, 1000, 5), 2);
  assert.equal(take(4000, 1500, 6), 3.5);
  assert.equal(take(104_000, 1500, 100), 100, 'after a gap');
  assert.equal(take(105_000, 500, 102), 101);
  assert.equal(take(5000, 2000, 7), 7, 'the clock stepped back');
  assert.equal(take(5000, 2000, 7), 7, 'the same motion once more');
  for (let n = 1; n <= 300; n++) assert.equal(take(5000 + 1000 * n, 0, n), n);
  assert.equal(take(306_000, 50_000, 301), 251);
  const saved = new Float64Array(history.arena.stateLength);
  history.arena.saveState(saved, 0);
  const other = new MotionHistory();
  other.arena.loadState(saved, 0);
  state.tMeas_us = 307_000;
  state.ftAge_us = 7000;
  motion[0] = 302;
  other.take(state, motion);
  assert.equal(other.motion[0], 295);
  // a robot that measures every other frame sends each motion twice, and its history is as long
  const slow = new MotionHistory();
  for (let n = 0; n <= 20; n++) {
    for (let twice = 0; twice < 2; twice++) {
      state.tMeas_us = 2000 * n;
      state.ftAge_us = 5000;
      motion[0] = n;
      slow.take(state, motion);
    }
  }
  assert.equal(slow.motion[0], 17.5);
  // q and −q are one orientation
  motion[6] = -1;
  state.tMeas_us = 308_000;
  state.ftAge_us = 500;
  other.take(state, motion);
  assert.equal(Math.abs(other.motion[6] ?? NaN), 1);
});
