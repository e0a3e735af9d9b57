/**
 * The jam of the demo flight, in which the box is pushed while it is turned: what the delay creates there is measured twice, by the
 * audit of the loop and by the energy ledger of the model, and the compensation that the demo flies with leaves none of it.
 * docs/theory/loop-energy.md, The jam.
 */
import assert from 'node:assert/strict';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileInsertion } from '../../../config/compile-insertion.ts';
import { compileScenario } from '../../../config/compile.ts';
import { loadRobot } from '../../../config/robot.ts';
import { loadFlight } from '../../../config/flight.ts';
import { loadScenario } from '../../../config/scenario.ts';
import type { Settings } from '../../../config/settings.ts';
import type { EmulatorOptions } from '../../../hil/emulator/options.ts';
import { EnergySlot } from '../../../hil/energy/loop-energy.ts';
import { compensateVirtual } from '../../../hil/threads/compensate-virtual.ts';
import { FlightScript } from '../../../server/cli/flight-script.ts';
import { readOptions } from '../../../server/cli/serve.ts';
import { insertionFacts } from '../../../server/status/scene.ts';
import { toolFactsOf } from '../../../server/status/tool-facts.ts';
import { ENERGY_READOUT, EnergyReadout } from '../../../src/system/system.ts';
import { ALERT_J_PER_MINUTE } from '../../fixtures/delayed-contacts.ts';
import { viewOf } from '../../fixtures/insertion-view.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-jam-'));
after(() => rmSync(folder, { recursive: true }));

const scenario = loadScenario('battery-box-insertion');
const model = compileScenario(scenario);
const insertion = insertionFacts(compileInsertion(scenario))!;
const tool = toolFactsOf(model)!;
const MOST_S = 40;

interface Jam {
  /** State at the end: ACTIVE_CONTACT once the box is let go, HOLD when the loop stopped it. */
  readonly state: string;
  /** Largest energy that the loop created, J; work on the hardware by the audit and by the ledger. */
  readonly created_J: number;
  readonly audit_J: number;
  readonly ledger_J: number;
}

/** Flies until the jam is eased, over a link that is late by `latency_us` each way. */
function jam(
  period_s: number,
  latency_us: number,
  change: (settings: Settings) => Settings,
  emulator: Partial<EmulatorOptions> = {},
): Jam {
  const rig = new VirtualRig({
    model,
    noise: 1,
    emulator,
    settings: (settings) => {
      settings.loop.period_s = period_s;
      Object.assign(settings, change(settings));
    },
  });
  const facts = { insertion, tool, operator: rig.settings.operator };
  const script = new FlightScript(loadFlight('insertion'), facts, 2);
  const { slots } = rig.tick.energy.energy;
  for (const end of rig.ends) end.faults.latency_us = latency_us;
  rig.activate();
  const ticks = (s: number): number => Math.round(s / period_s);
  let created_J = 0;
  for (let i = 0; i < ticks(MOST_S) && script.step !== 'straighten'; i++) {
    if (!rig.state.startsWith('ACTIVE')) break;
    if (i % ticks(0.1) === 0) script.read(viewOf(rig));
    if (i % ticks(0.02) === 0) rig.inputAxes(script.axes, 1);
    rig.run(1);
    created_J = Math.max(created_J, slots[EnergySlot.CREATED]);
  }
  const energy = new Float64Array(ENERGY_READOUT.length);
  rig.system.readEnergy(energy, 0);
  return {
    state: rig.state,
    created_J,
    audit_J: slots[EnergySlot.IN] - slots[EnergySlot.OUT] + slots[EnergySlot.CREATED],
    ledger_J: energy[EnergyReadout.externalWork],
  };
}

/** The six joints that `berth emulate` has by default; the contact loads them. */
const JOINTED = {
  arm: loadRobot('smt-class').model,
  wall: { model, payload: model.tool!.payload },
};
const asSet = (settings: Settings): Settings => settings;
const asDemo = (settings: Settings): Settings =>
  compensateVirtual(settings, { model, mode: 'virtual' });

/** Settings of a demo with a file of one's own. */
function demoWith(text: string): ReturnType<typeof readOptions> {
  const file = join(folder, 'settings.yaml');
  writeFileSync(file, text);
  return readOptions([file, '--demo']);
}

test('what a delay of 7 ms creates in the jam is there: audit and ledger of the model agree', (t) => {
  const { created_J, audit_J, ledger_J } = jam(0.001, 3500, asSet);
  t.diagnostic(
    `created ${created_J.toFixed(3)} J, work ${audit_J.toFixed(3)}/${ledger_J.toFixed(3)} J`,
  );
  assert.ok(created_J > ALERT_J_PER_MINUTE, `${created_J} J: the alert is right to fire`);
  // the trapezoid of the audit against sub-steps: at 1 kHz and (wh)²/12 of the jam's swing well below 1 %
  assert.ok(Math.abs(audit_J / ledger_J - 1) < 0.01, `${audit_J} J, ledger ${ledger_J} J`);
});

test('a period of 4 ms with one more on the way is held for what the jam creates', () => {
  const { state, created_J } = jam(0.004, 1500, asSet);
  assert.equal(state, 'HOLD');
  assert.ok(created_J > ALERT_J_PER_MINUTE, `${created_J} J`);
});

for (const [period_s, latency_us, robot, emulator] of [
  [0.001, 3500, 'a stiff robot', {}],
  [0.004, 1500, 'a stiff robot', {}],
  [0.001, 0, 'six joints', JOINTED],
  [0.004, 1500, 'six joints', JOINTED],
] as const) {
  const ms = period_s * 1e3;
  test(`the demo creates no energy at ${ms} ms, late by ${latency_us} us each way, with ${robot}`, (t) => {
    const { state, created_J, audit_J, ledger_J } = jam(period_s, latency_us, asDemo, emulator);
    t.diagnostic(
      `created ${created_J.toFixed(4)} J, work ${audit_J.toFixed(3)}/${ledger_J.toFixed(3)} J`,
    );
    assert.match(state, /^ACTIVE/);
    // a jam and a second seldom fall into one minute: both together stay below half of the alert
    assert.ok(created_J < ALERT_J_PER_MINUTE / 4, `${created_J} J`);
  });
}

test('the demo compensates by the model unless the settings choose, and only where the model has the contact', () => {
  assert.equal(readOptions([]).compensateVirtual, true);
  assert.equal(readOptions(['--no-fly']).compensateVirtual, false);
  const own = demoWith('loop: { period_s: 4 ms }\nenergy: { guard: true }\n');
  assert.equal(own.compensateVirtual, true);
  assert.equal(asDemo(own.settings).energy.compensation, 'model');
  assert.equal(demoWith('energy: { compensation: none }\n').compensateVirtual, false);
  const hardware = compensateVirtual(own.settings, { model, mode: 'hardware' });
  assert.equal(hardware.energy.compensation, 'none');
  const sphere = compileScenario(loadScenario('half-sphere-on-plate'));
  const point = compensateVirtual(own.settings, { model: sphere, mode: 'virtual' });
  assert.equal(point.energy.compensation, 'none', 'noise of the pose times a stiff point contact');
  const free = { ...model, contacts: [] };
  const without = compensateVirtual(own.settings, { model: free, mode: 'virtual' });
  assert.equal(without.energy.compensation, 'none');
});
