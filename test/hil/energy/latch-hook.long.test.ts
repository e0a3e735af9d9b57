/**
 * The latch flown by its script over the whole loop on the virtual clock, with the limits of energy as they are by default: the crank puts
 * 0.7 J into the arm, and what the loop creates is at the level of the other scenarios. docs/theory/loop-energy.md, Driven partners.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadFlight } from '../../../config/flight.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { EnergySlot } from '../../../hil/energy/loop-energy.ts';
import { FlightScript } from '../../../server/cli/flight-script.ts';
import { toolFactsOf } from '../../../server/status/tool-facts.ts';
import type { ConstraintModel, SystemModel } from '../../../src/model/model.ts';
import { viewOf } from '../../fixtures/insertion-view.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const PERIOD_s = 0.002; // as the flight over real sockets, test/flight/freeform.test.ts
const LOOK_TICKS = 50; // the status comes ten times a second
const INPUT_TICKS = 5;
/** The crank waits for 40 s in the scenario. */
const EARLIER_s = 32;

function earlier(constraint: ConstraintModel): ConstraintModel {
  if (constraint.kind !== 'lock' || constraint.rotationMotion?.law.kind !== 'cycloidal')
    return constraint;
  const { axis, law } = constraint.rotationMotion;
  const points = law.points.map((point) =>
    point.time > 0 ? { ...point, time: point.time - EARLIER_s } : point,
  );
  return { ...constraint, rotationMotion: { axis, law: { ...law, points } } };
}

const latch = compileScenario(loadScenario('latch-hook'));
const model: SystemModel = { ...latch, constraints: latch.constraints!.map(earlier) };
const tool = toolFactsOf(model)!;

/** Work on the hook, J: 2 N + 1e3 N/(m/s) v while the roller goes from 75 mm to where the pads touch, 47.2 mm. */
function pulled_J(): number {
  const [radius, rod, angle, time_s] = [15e-3, 60e-3, (186 * Math.PI) / 180, 3];
  const place = (a: number): number =>
    radius * Math.cos(a) + Math.sqrt(rod ** 2 - (radius * Math.sin(a)) ** 2);
  const n = 10_000;
  let [x, work] = [place(0), 0];
  for (let i = 1; i <= n && x > 47.2e-3; i++) {
    const way = x - place(angle * (i / n - Math.sin((2 * Math.PI * i) / n) / (2 * Math.PI)));
    work += (2 + (1e3 * way * n) / time_s) * way;
    x -= way;
  }
  return work;
}
const PULLED_J = pulled_J();

for (const mode of ['virtual', 'hardware'] as const) {
  for (const latency_us of [0, 2000]) {
    test(`${mode} mode, ${latency_us / 1000} ms late each way: latched, and nothing is created or taken`, (t) => {
      const rig = new VirtualRig({
        model,
        mode,
        noise: 1,
        settings: (settings) => (settings.loop.period_s = PERIOD_s),
      });
      for (const end of rig.ends) end.faults.latency_us = latency_us;
      const { operator, energy } = rig.settings;
      const script = new FlightScript(
        loadFlight('latch-hook'),
        { insertion: null, tool, operator },
        2,
      );
      const { slots, audit } = rig.tick.energy.energy;
      let [created, brought] = [0, 0];
      rig.activate();
      for (let i = 0; i < 20 / PERIOD_s && !script.ended; i++) {
        if (i % LOOK_TICKS === 0) script.read(viewOf(rig));
        if (i % INPUT_TICKS === 0) rig.inputAxes(script.axes, 1);
        rig.run(1);
        created = Math.max(created, slots[EnergySlot.CREATED]);
        brought = Math.max(brought, audit.brought[0]);
        assert.match(rig.state, /^ACTIVE/, String(rig.transitions.at(-1)?.cause));
        assert.equal(script.failure, null);
      }
      assert.ok(script.ended, script.step);
      const removed = slots[EnergySlot.PASSIVITY_REMOVED];
      // the arm lags by 20 ms, and the roller begins with its depth
      assert.ok(Math.abs(brought / PULLED_J - 1) < 0.05, `brought ${brought} J for ${PULLED_J} J`);
      assert.ok(created < energy.hold_floor_J / 2, `created ${created} J`);
      assert.ok(removed < 1e-3, `taken ${removed} J`);
      t.diagnostic(
        `brought ${brought.toFixed(3)} J, created ${(1e3 * created).toFixed(1)} mJ, taken ${(1e3 * removed).toFixed(2)} mJ`,
      );
    });
  }
}

test('a flight that is interrupted 7.8 mm over its place goes on down, and latches where one that is not does', () => {
  const rig = new VirtualRig({
    model,
    mode: 'hardware',
    noise: 1,
    settings: (settings) => (settings.loop.period_s = PERIOD_s),
  });
  const { operator } = rig.settings;
  const plan = loadFlight('latch-hook');
  const make = (): FlightScript => new FlightScript(plan, { insertion: null, tool, operator }, 2);
  let script = make();
  let interrupted = false;
  rig.activate();
  for (let i = 0; i < 25 / PERIOD_s && !script.ended; i++) {
    if (i % LOOK_TICKS === 0) {
      const view = viewOf(rig);
      script.read(view);
      // after a HOLD the pilot begins anew
      if (!interrupted && view.position_m[2] < 7.8e-3) {
        interrupted = true;
        script = make();
        script.read(view);
        assert.equal(script.step, 'down');
      }
    }
    if (i % INPUT_TICKS === 0) rig.inputAxes(script.axes, 1);
    rig.run(1);
  }
  assert.ok(interrupted && script.ended, script.step);
  const [x, , z] = viewOf(rig).position_m;
  // 0.6 mm as without an interruption; 3.1 mm where it waits at 7.6 mm
  assert.ok(Math.abs(x - 0.048) < 2e-4 && z > 0 && z < 1.2e-3, `${1e3 * x}, ${1e3 * z} mm`);
});
