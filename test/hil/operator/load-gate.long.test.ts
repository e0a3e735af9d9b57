/** A load and a motion requested at the same time: at most one of them is granted, in any order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROW_WIDTH } from '../../../hil/contract/columns.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { LoadGate } from '../../../hil/operator/load-gate.ts';
import { LoopCounters, LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { TelemetryRing } from '../../../hil/memory/ring.ts';
import { SafetyState } from '../../../hil/contract/codes.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const RACES = 300;
const BUSY = ['ARMING', 'ACTIVE_FREE', 'ACTIVE_CONTACT', 'STOPPING'];

/** Small, fast and the same everywhere (Lehmer). */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

test('71: ARM and a load, 300 races on the virtual clock: never both', async (t) => {
  const random = makeRandom(19);
  const rig = new VirtualRig({ robot: false, mode: 'simulation' });
  rig.requestArm();
  rig.command(CommandKind.STOP, 1);
  const ring = new TelemetryRing(rig.shared.telemetry, ROW_WIDTH);
  /** The state in the newest row, which may be a tick behind the loop's answer. */
  let told = '';
  const look = (): void => void (told = rig.state);
  const counters = new LoopCounters(rig.shared.loopCounters);
  const gate = new LoadGate({
    ticks: () => ring.written,
    whyBusy: () => (BUSY.includes(told) ? told : ''),
    begun: () => counters.slots[LoopSlot.safety_transitions_total + SafetyState.ARMING],
    now_ms: () => rig.clock.now_us() / 1e3,
    wait: () => Promise.resolve(),
  });
  const counts = { arm: 0, load: 0, neither: 0 };
  for (let race = 0; race < RACES; race++) {
    // at rest, the deadman pressed anew
    rig.run(400, () => rig.input(0, 0));
    rig.command(CommandKind.CLEAR);
    rig.runUntil('MONITOR_READY', 6000, () => rig.input(0, 0));
    rig.run(2, () => rig.input(0, 1));
    look();
    const [armAt, loadAt] = [Math.floor(random() * 6), Math.floor(random() * 6)];
    let load: Promise<string> | null = null;
    let loaded: string | null = null;
    const answers = rig.answers.length;
    let asked = false;
    for (let tick = 0; tick < 16; tick++) {
      const armFirst = random() < 0.5;
      const arm = (): void => {
        if (tick !== armAt || !gate.passes(CommandKind.ARM)) return;
        asked = true;
        rig.command(CommandKind.ARM);
      };
      if (armFirst) arm();
      if (tick === loadAt) {
        load = gate.close();
        void load.then((why) => (loaded = why));
      }
      if (!armFirst) arm();
      if (gate.passes(CommandKind.INPUT)) rig.input(0, 1);
      rig.run(1);
      // the row of a tick is read now, or only after the next
      if (random() < 0.5 || tick % 2 === 1) look();
      for (let turn = 0; turn < 4; turn++) await Promise.resolve();
    }
    look();
    if (load !== null) loaded = await load;
    const armed = asked && rig.answers.slice(answers).includes(0) && rig.answers[answers] === 0;
    const granted = loaded === '';
    assert.ok(!(armed && granted), `race ${race}: ARM at ${armAt}, load at ${loadAt}`);
    counts[armed ? 'arm' : granted ? 'load' : 'neither']++;
    gate.open();
    rig.command(CommandKind.STOP, 1);
  }
  assert.ok(counts.arm > 0 && counts.load > 0, JSON.stringify(counts));
  t.diagnostic(
    `acceptance 71: ${RACES} races: ARM ${counts.arm}, load ${counts.load}, neither ${counts.neither}, both 0`,
  );
});
