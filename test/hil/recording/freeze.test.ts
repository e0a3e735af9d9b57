/** What came before a fault, in a file that replays: how many files, which go, short runs, long ones. Every kind of fault: freeze.long.test.ts. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { FROZEN_TICKS } from '../../../hil/recording/freezer.ts';
import { FAULT_CODES } from '../../../hil/contract/codes.ts';
import { recordingsIn } from '../../fixtures/recordings-in.ts';
import { FrozenRig, pressed, readFreeze } from './frozen-rig.ts';

const root = mkdtempSync(join(tmpdir(), 'berth-freeze-'));
after(() => rmSync(root, { recursive: true }));

test('what the operator wished for is no fault; files beyond the number kept go, the oldest first', async () => {
  const rig = new FrozenRig(root, {}, 2);
  rig.activate();
  rig.run(50, pressed(rig));
  rig.input(0, 0);
  rig.run(20);
  assert.equal(rig.state, 'HOLD');
  rig.command(CommandKind.HOLD);
  rig.run(20);
  await rig.freezer.close();
  assert.deepEqual(rig.freezes, []);
  for (let i = 0; i < 3; i++) {
    rig.command(CommandKind.STOP, 1);
    rig.run(1200);
    await rig.freezer.close();
    rig.command(CommandKind.CLEAR);
    rig.run(100);
  }
  assert.equal(rig.freezes.length, 3);
  assert.deepEqual(rig.removed, ['freezes']);
  assert.deepEqual(
    recordingsIn(rig.folder),
    rig.freezes
      .slice(1)
      .map(({ file }) => file)
      .sort(),
  );
  assert.ok(FAULT_CODES.includes('OPERATOR_STOP'));
});

test('an error that comes again and again under its fault has one file: that of the first', async () => {
  const rig = new FrozenRig(root, {}, 2);
  rig.activate();
  rig.run(50, pressed(rig));
  rig.run(300, () => {
    rig.input(0, 1);
    rig.inject('loop_error', 1);
  });
  await rig.freezer.close();
  assert.ok(rig.errors.length > 100, `${rig.errors.length} errors`);
  assert.deepEqual(
    rig.freezes.map(({ codes }) => codes),
    [['INTERNAL_ERROR']],
  );
  assert.deepEqual(rig.troubles, []);
});

test('a fault beyond tick 2³² has its file, which replays across it', async () => {
  const rig = new FrozenRig(root);
  const first = 2 ** 32 - 2000;
  rig.timing.origin_us -= first * rig.settings.loop.period_s * 1e6;
  rig.timing.period += first;
  rig.timing.executed += first;
  rig.activate();
  rig.run(1400, pressed(rig));
  assert.ok(rig.timing.executed > 2 ** 32, 'the run is long enough');
  rig.inject('force_bias_N', 900);
  rig.run(300, pressed(rig));
  await rig.freezer.close();
  assert.deepEqual(rig.troubles, []);
  const freeze = rig.freezes.find(({ codes }) => codes.includes('FORCE_LIMIT'))!;
  const { ticks } = await readFreeze(rig, freeze.file);
  assert.equal(ticks.at(-1), freeze.tick);
  assert.ok(freeze.tick > 2 ** 32 && freeze.tick - FROZEN_TICKS < 2 ** 32, String(freeze.tick));
});

test('a run younger than 1,000 ticks freezes what there is', async () => {
  const rig = new FrozenRig(root);
  rig.run(300);
  rig.inject('loop_error', 1);
  rig.run(5);
  await rig.freezer.close();
  const [freeze] = rig.freezes;
  const { ticks } = await readFreeze(rig, freeze.file);
  assert.deepEqual([ticks[0], ticks.at(-1)], [1, freeze.tick]);
});
