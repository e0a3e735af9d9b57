/** What the tests of redundant release drive a loop with, and how they compare two runs. */
import assert from 'node:assert/strict';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { ROW_COLUMNS } from '../../../hil/contract/columns.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { LOOP_FAMILIES, layoutCounters, seriesWidth } from '../../../hil/contract/counters.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import type { RedundantRig } from './rig.ts';

/** Model with its payload at a place, upright. */
export function placed(scenario: string, position: readonly [number, number, number]): SystemModel {
  const model = compileScenario(loadScenario(scenario));
  const bodies = model.bodies.map((body) =>
    body.name === model.tool?.payload
      ? { ...body, position, orientation: [0, 0, 0, 1] as const }
      : body,
  );
  return { ...model, bodies };
}

/** Ready, armed, pressed on the work-site, moved along it; let go now and then. */
export function drive(rig: RedundantRig, i: number): void {
  const neutral = [0, 0, 0, 0, 0, 0];
  if (i === 0) rig.command(CommandKind.AUTHORITY, 1);
  else if (i === 2600) rig.command(CommandKind.ARM);
  else if (i < 2700) rig.input(neutral, i < 5 ? 0 : 1);
  else
    rig.input(
      [i % 700 < 300 ? 0.3 : 0, 0.1, -0.9, 0, 0, i % 900 < 100 ? 0.2 : 0],
      i % 1900 < 1880 ? 1 : 0,
    );
}

/** Name of a counter slot, for messages. */
function slotName(slot: number): string {
  const { offsets } = layoutCounters(LOOP_FAMILIES);
  const family = LOOP_FAMILIES.find((each) => {
    const at = offsets.get(each.name)!;
    return slot >= at && slot < at + each.series.length * seriesWidth(each);
  });
  return family === undefined
    ? String(slot)
    : `${family.name} + ${slot - offsets.get(family.name)!}`;
}

/** Everything that came out of both is the same. */
export function compare(one: RedundantRig, other: RedundantRig, ticks: number): void {
  assert.equal(one.done, ticks);
  assert.equal(other.done, ticks, 'one row a tick');
  for (let i = 0; i < ticks; i++) {
    const column = one.rows[i].findIndex((value, at) => !Object.is(value, other.rows[i][at]));
    assert.equal(
      ROW_COLUMNS[column],
      undefined,
      `row ${i}: ${one.rows[i][column]}, ${other.rows[i][column]}`,
    );
  }
  for (const what of ['frames', 'events', 'scenes', 'records'] as const) {
    const [mine, theirs] = [one[what], other[what]];
    assert.equal(theirs.length, mine.length, `number of ${what}`);
    const first = mine.findIndex((each, at) => each !== theirs[at]);
    assert.equal(
      first,
      -1,
      `${what}: ${mine[first]?.slice(0, 200)}, ${theirs[first]?.slice(0, 200)}`,
    );
  }
  const [mine, theirs] = [one.counters, other.counters];
  mine[LoopSlot.loop_workers] = theirs[LoopSlot.loop_workers]!;
  const slot = mine.findIndex((value, at) => !Object.is(value, theirs[at]));
  assert.equal(slot < 0 ? '' : slotName(slot), '', `${mine[slot]}, ${theirs[slot]}`);
  assert.deepEqual(other.errors, []);
}
