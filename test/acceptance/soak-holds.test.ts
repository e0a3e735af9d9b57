/** Explanations of a hold of the soak run, on rows of the real loop: a cause without its sign is reported. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HoldExplanations } from './soak-holds.ts';
import { Column } from '../../hil/contract/columns.ts';
import { RobotFault } from '../../hil/emulator/guard.ts';
import { type RigOptions, VirtualRig } from '../fixtures/virtual-rig.ts';

const SLIPPED = Column.slipped;
const MISS = Column.miss_cause;
const LOST = Column.link_lost_in_row;
const ECHO = Column.loop_delay_ticks;

/** Share of the frames that the soak run drops in each direction. */
const LOSS = 0.005;

/** A motion of 3 s over such a line in which `act` does something, and how its holds are explained when `hide` has taken signs out of the rows. */
function explain(
  act: (rig: VirtualRig, tick: number) => void,
  hide: (row: Float64Array) => void = () => undefined,
  options: RigOptions = {},
): HoldExplanations {
  const rig = new VirtualRig(options);
  rig.activate();
  for (const end of rig.ends) end.faults.loss = LOSS;
  const holds = new HoldExplanations(rig.settings.loop.period_s);
  rig.run(3000, (tick) => {
    rig.input(0, 1);
    act(rig, tick);
    const row = rig.tick.record.row.slice();
    hide(row);
    holds.take(row);
  });
  assert.ok(rig.transitions.some(({ to }) => to === 'HOLD' || to === 'STOPPING'));
  return holds;
}

const cut = (rig: VirtualRig, tick: number): void => {
  rig.ends[1].faults.cut = tick >= 100 && tick < 110;
};
const stall = (rig: VirtualRig, tick: number): void => {
  if (tick === 100) rig.clock.lateWakes_us.push(120_000);
};

test('lost frames explain STATE_MISSING, a late wake OVERRUN_SINGLE and the stop of the robot', () => {
  for (const act of [cut, stall]) {
    const holds = explain(act);
    assert.ok(holds.explained > 0);
    assert.deepEqual(holds.unexplained, []);
  }
});

test('without the sign they are told with their period', () => {
  // one frame in a row less than the machine holds for, as random loss has it now and then
  const noLoss = explain(cut, (row) => (row[LOST] = Math.min(row[LOST], 3)));
  assert.equal(noLoss.unexplainedCount, 1);
  assert.match(noLoss.unexplained[0] ?? '', /^STATE_MISSING in period \d+, without missing$/);
  const noMiss = explain(stall, (row) => {
    row[SLIPPED] = 0;
    row[MISS] = -1;
    row[LOST] = 0;
  });
  assert.ok(noMiss.unexplainedCount > 0);
});

test('a robot that stops for nothing is not explained by its own stop, nor by frames lost and wakes late before it', () => {
  const signs = { lost: 0, late: 0 };
  const holds = explain(
    (rig, tick) => {
      if (tick === 1990) rig.clock.lateWakes_us.push(1500);
      if (tick >= 2000 && rig.robot !== null) rig.robot.guard.fault = RobotFault.FORCE_LIMIT;
    },
    (row) => {
      if (row[LOST] > 0) signs.lost++;
      if (row[SLIPPED] > 0) signs.late++;
    },
  );
  assert.ok(signs.lost > 10, `${signs.lost} periods without a STATE`);
  assert.equal(signs.late, 1);
  assert.equal(holds.explained, 0);
  assert.match(holds.unexplained[0] ?? '', /^ROBOT_PROTECTIVE_STOP .*, without gap$/);
});

/** Of the stick, downwards. */
const PRESS = -0.1;

test('set-points that are lost alone at the end of a gap do not hide it', () => {
  const rig = new VirtualRig();
  rig.activate();
  assert.ok(rig.runUntil('ACTIVE_CONTACT', 20_000, () => rig.input(PRESS, 1)) > 0);
  const holds = new HoldExplanations(rig.settings.loop.period_s);
  rig.run(300, (tick) => {
    rig.input(PRESS, 1);
    // both directions for three periods, and what the loop sent in two more
    rig.ends[0].faults.cut = tick >= 100 && tick < 105;
    rig.ends[1].faults.cut = tick >= 100 && tick < 103;
    holds.take(rig.tick.record.row.slice());
  });
  assert.ok(rig.transitions.some(({ cause }) => cause === 'ROBOT_PROTECTIVE_STOP'));
  assert.deepEqual(holds.unexplained, []);
});

const permitRequired: RigOptions = {
  settings: (s) => {
    s.energy.permit = 'required';
    s.energy.restitution_limit = 1.5;
  },
};
const slowLine = (rig: VirtualRig, tick: number): void => {
  if (tick === 500) for (const end of rig.ends) end.faults.latency_us = 4000;
};

test('a permit is lost by a line that has become slow, when the echo confirms the delay that it went by', () => {
  const slow = explain(slowLine, undefined, permitRequired);
  assert.ok(slow.explained > 0);
  assert.deepEqual(slow.unexplained, []);
  const fast = explain(slowLine, (row) => (row[ECHO] = Math.min(row[ECHO], 2)), permitRequired);
  assert.match(fast.unexplained.join(), /PERMIT_LOST in period \d+, without slow/);
});
