/** Two workers that take turns at one loop are one loop: every bit that comes out of it is that of a single worker. */
import assert from 'node:assert/strict';
import { Column } from '../../../hil/contract/columns.ts';
import { Random } from '../../../src/math/random.ts';
import { compare, drive, placed } from './compare.ts';
import { RedundantRig } from './rig.ts';

const TICKS = 4500;

/** A scenario, recorded, with winners at random, against the single loop; the tool begins at `position`, m. */
export function compareWinners(
  scenario: string,
  position: readonly [number, number, number],
): void {
  const model = placed(scenario, position);
  const one = new RedundantRig({ redundant: false, model, recorded: true });
  const other = new RedundantRig({ redundant: true, model, recorded: true });
  const random = new Random(11);
  other.workers[0].step(); // lays the grid
  for (let i = 0; i < TICKS; i++) {
    for (const rig of [one, other]) drive(rig, i);
    one.tick();
    other.tick(() => other.workers[random.uniform() < 0.5 ? 0 : 1].step());
  }
  compare(one, other, TICKS);
  const [a, b] = other.workers;
  assert.ok(a.loads > TICKS / 10 && b.loads > TICKS / 10, 'both took over often');
  assert.equal(a.committed + b.committed, TICKS + 1);
  const contacts = Math.max(...one.rows.map((row) => row[Column.contact_active]));
  assert.equal(contacts, 1, 'there was contact');
  const last = a.isCurrent ? 0 : 1;
  assert.equal(other.seats[last].tick.system.hash(), one.seats[0].tick.system.hash());
}
