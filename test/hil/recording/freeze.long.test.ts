/** What came before a fault: a file for every kind of fault, with the 1,000 ticks before it and its own, that replays. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { FROZEN_TICKS } from '../../../hil/recording/freezer.ts';
import { FaultCode, type FaultName } from '../../../hil/contract/codes.ts';
import { FrozenRig, pressed, readFreeze } from './frozen-rig.ts';

const root = mkdtempSync(join(tmpdir(), 'berth-freeze-'));
after(() => rmSync(root, { recursive: true }));

/** How each fault comes about, on a rig that is active. */
const CAUSES: Partial<Record<FaultName, (rig: FrozenRig) => void>> = {
  STATE_MISSING: (rig) => rig.inject('drop_state_ticks', 6),
  LINK_LOST: (rig) => rig.inject('drop_state_ticks', 40),
  STATE_INVALID: (rig) => rig.inject('state_nan_ticks', 6),
  QUALITY_LOW: (rig) => rig.inject('link_drop_ratio', 0.35),
  OVERRUN_CONSECUTIVE: (rig) => rig.clock.lateWakes_us.push(...Array<number>(25).fill(1200)),
  OVERRUN_SINGLE: (rig) => rig.inject('late_wake_s', 0.03),
  INPUT_STALE: (rig) => rig.inject('input_dropout_s', 0.2),
  AUTHORITY_CHANGED: (rig) => rig.inject('authority_loss', 1),
  OPERATOR_STOP: (rig) => rig.command(CommandKind.STOP, 1),
  FORCE_LIMIT: (rig) => rig.inject('force_bias_N', 900),
  INTERNAL_ERROR: (rig) => rig.inject('loop_error', 1),
  RECORDER_LOST: (rig) => (rig.tick.recorderLost = true),
};

test('every fault has its file: the 1,000 ticks before it and its own, in order, and they replay', async (t) => {
  for (const [code, cause] of Object.entries(CAUSES)) {
    const rig = new FrozenRig(root);
    rig.activate();
    rig.run(400, pressed(rig));
    cause(rig);
    rig.run(300, pressed(rig));
    await rig.freezer.close();
    const freeze = rig.freezes.find(({ codes }) => codes.includes(code));
    assert.ok(
      freeze !== undefined,
      `${code}: ${rig.freezes.map(({ codes }) => codes.join('+')).join(', ')}`,
    );
    assert.match(freeze.file, /^freeze-[A-Z_]+-\d{4}-\d\d-\d\dT[\d.-]+Z[.]mcap$/);
    const { ticks, bits } = await readFreeze(rig, freeze.file);
    assert.equal(ticks.at(-1), freeze.tick, `${code}: the tick of the fault is the last`);
    assert.ok(ticks.length > FROZEN_TICKS, `${code}: ${ticks.length} ticks`);
    assert.ok(
      ticks.length <= 2 * FROZEN_TICKS + 60,
      `${code}: ${ticks.length} ticks, and no long lead`,
    );
    assert.ok(
      ticks.every((tick, i) => i === 0 || tick === ticks[i - 1] + 1),
      'none is missing',
    );
    const mark = 2 ** FaultCode[code as FaultName];
    assert.ok(
      bits.slice(0, -1).every((word) => Math.floor(word / mark) % 2 === 0),
      `${code}: not before`,
    );
    assert.deepEqual(rig.troubles, []);
  }
  t.diagnostic(
    `pre-fault freeze: ${Object.keys(CAUSES).length} kinds of fault, each with ${FROZEN_TICKS} ticks and replayed`,
  );
});
