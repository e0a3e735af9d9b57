/** Two workers that take turns at a loop with the articulated arm are one loop: every bit is that of a single worker. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Column } from '../../../hil/contract/columns.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { Random } from '../../../src/math/random.ts';
import { compare } from './compare.ts';
import { RedundantRig } from './rig.ts';
import { dextreBox } from '../../fixtures/battery-box-arm.ts';

const TICKS = 2100;
const ARMED = 1300;
const LET_GO = 1900;

/** Ready, armed, pressed into the seat and across, let go. */
function drive(rig: RedundantRig, i: number): void {
  if (i === 0) rig.command(CommandKind.AUTHORITY, 1);
  else if (i === ARMED) rig.command(CommandKind.ARM);
  else if (i < ARMED + 100) rig.input([0, 0, 0, 0, 0, 0], i < 5 ? 0 : 1);
  else rig.input([0.9, 0.2, 0, 0, i % 400 < 100 ? 0.2 : 0, 0], i < LET_GO ? 1 : 0);
}

test('winners at random: the arm in hardware mode, recorded, gives every bit of the single loop', () => {
  const model = dextreBox(0.1995);
  const one = new RedundantRig({ redundant: false, model, mode: 'hardware', recorded: true });
  const other = new RedundantRig({ redundant: true, model, mode: 'hardware', recorded: true });
  const random = new Random(12);
  other.workers[0].step(); // lays the grid
  for (let i = 0; i < TICKS; i++) {
    for (const rig of [one, other]) drive(rig, i);
    one.tick();
    other.tick(() => other.workers[random.uniform() < 0.5 ? 0 : 1].step());
  }
  compare(one, other, TICKS);
  const [a, b] = other.workers;
  assert.ok(a.loads > TICKS / 10 && b.loads > TICKS / 10, 'both took over often');
  const column = Column.measured_force_x_N;
  const force = Math.max(...one.rows.map((row) => Math.abs(row[column])));
  assert.ok(force > 5, `pressed with ${force} N`);
  const last = a.isCurrent ? 0 : 1;
  assert.equal(other.seats[last].tick.system.hash(), one.seats[0].tick.system.hash());
});
