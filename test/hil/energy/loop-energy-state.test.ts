/** State of compensation, audit, tank, guard, removal and position lead, with which a replay or a spare goes on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadSettings } from '../../../config/load-settings.ts';
import { loadScenario } from '../../../config/scenario.ts';
import type { Settings } from '../../../config/settings.ts';
import { ApparentInertia } from '../../../hil/energy/apparent-inertia.ts';
import { LoopEnergy } from '../../../hil/energy/loop-energy.ts';
import { LOOP_MODES } from '../../../hil/contract/codes.ts';
import { ToolPort, makeSystem } from '../../../src/system/system.ts';

const PERIOD_S = 1e-3;

/** The arm bounces on a spring that is 5 ticks late; returns what runs n ticks. */
function bouncing(energy: Partial<Settings['energy']>): {
  loop: LoopEnergy;
  run: (n: number) => void;
} {
  const system = makeSystem(compileScenario(loadScenario('free-mass-on-spring')));
  system.useSchedule = false;
  const tool = system.tool ?? new ToolPort();
  const inertia = new ApparentInertia();
  const settings = { ...loadSettings().energy, ...energy };
  const loop = new LoopEnergy({
    system,
    tool,
    mode: LOOP_MODES.indexOf('hardware'),
    settings,
    period_s: PERIOD_S,
    delay: Float64Array.of(5e-3, 1e-3, 2e-3, 2e-3, 1, 0, 1),
    inertia,
    stiffness: Float64Array.of(1e5),
    motion: tool.measuredMotion,
  });
  tool.mode = LOOP_MODES.indexOf('hardware');
  tool.measuredMotion.set(tool.setpoint);
  tool.measuredMotion[6] = 1;
  const timing = Float64Array.of(system.model.tool?.lag ?? 1, PERIOD_S);
  const heights = new Float64Array(8);
  const sent = new Float64Array(13);
  const push = Float64Array.of(NaN, 0, 0, -20, 0, 0, 0, NaN, NaN, NaN, NaN);
  system.accommodation?.change(push, 0);
  let tick = 0;
  const run = (n: number): void => {
    for (let i = 0; i < n; i++) {
      const z = heights[(tick + 3) & 7];
      tool.measuredMotion[2] = z;
      tool.measuredWrench[2] = z < 0 ? -1e5 * z : 0.3;
      if (system.accommodation !== null) {
        inertia.setAccommodation(system.accommodation.present, timing);
      }
      loop.beforeStep((tick & 15) === 0 ? 0 : 1);
      system.step(PERIOD_S);
      loop.afterStep();
      for (let a = 0; a < 13; a++) sent[a] = tool.setpoint[a];
      loop.leadSetpoint(sent);
      heights[tick & 7] = tool.setpoint[2];
      tick = (tick + 1) & 0xffff;
    }
  };
  return { loop, run };
}

const CASES: [string, Partial<Settings['energy']>][] = [
  ['guard and tank', { tank_J: 0.1, stiffness_N_per_m: 1e5 }],
  ['removal', { removal: true }],
  ['lead', { compensation: 'lead', position_lead: true }],
  ['damping', { compensation: 'damping' }],
  ['model', { compensation: 'model' }],
];

test('state: taken into another loop it goes on bit for bit', () => {
  for (const [name, energy] of CASES) {
    const one = bouncing(energy);
    const two = bouncing(energy);
    one.run(777);
    two.run(777);
    const state = new Float64Array(one.loop.arena.stateLength + 3).fill(7);
    one.loop.arena.saveState(state, 2);
    assert.equal(state[1], 7, 'nothing before');
    assert.equal(state[state.length - 1], 7, 'nothing after');
    // overwritten first, so that only what is loaded counts
    two.loop.arena.loadState(new Float64Array(two.loop.arena.stateLength), 0);
    two.loop.arena.loadState(state, 2);
    one.run(500);
    two.run(500);
    assert.deepEqual(two.loop.slots, one.loop.slots, name);
    assert.deepEqual(two.loop.guardWrench, one.loop.guardWrench, name);
    assert.deepEqual(two.loop.compensationWrench, one.loop.compensationWrench, name);
  }
});
