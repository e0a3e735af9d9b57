/**
 * The round peg flown into its hole over the whole loop on the virtual clock: emulated robot with its noise, safety machine, accommodation,
 * volumetric contact with a plate that has a hole, and the script `config/flights/round-peg.yaml`. docs/theory/round-peg.md.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileInsertion } from '../../../config/compile-insertion.ts';
import { compileScenario } from '../../../config/compile.ts';
import { loadFlight } from '../../../config/flight.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { FlightScript } from '../../../server/cli/flight-script.ts';
import { insertionFacts } from '../../../server/status/scene.ts';
import { toolFactsOf } from '../../../server/status/tool-facts.ts';
import { viewOf } from '../../fixtures/insertion-view.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const LOOK_TICKS = 100; // the status comes ten times a second
const INPUT_TICKS = 10;
const MOST_TICKS = 60_000;
const DEGREE = Math.PI / 180;

const scenario = loadScenario('round-peg');
const model = compileScenario(scenario);
const insertion = insertionFacts(compileInsertion(scenario))!;
const tool = toolFactsOf(model)!;
/** The push at 2 mm/s at rest. */
const PLATEAU_N = tool.force_gain_Ns_per_m * 0.002 + tool.force_deadband_N;

test('off by millimetres and degrees the peg is guided in, seated and drawn out within half of the limits', () => {
  const rig = new VirtualRig({ model, noise: 1 });
  const { operator, limits } = rig.settings;
  const script = new FlightScript(loadFlight('round-peg'), { insertion, tool, operator }, 2);
  const { modelWrench: wrench } = rig.system.tool!;
  const words: string[] = [];
  const seated: { push: number; depth: number; tilt: number }[] = [];
  let [force, moment] = [0, 0];
  rig.activate();
  for (let i = 0; i < MOST_TICKS && !script.ended && script.failure === null; i++) {
    if (i % LOOK_TICKS === 0) {
      const view = viewOf(rig);
      const [depth, tilt] = [script.depth_m(view), script.tilt_rad(view)];
      if (script.step === 'seated') seated.push({ push: view.force_N[2], depth, tilt });
      script.read(view);
      words.push(...script.words.splice(0));
    }
    if (i % INPUT_TICKS === 0) rig.inputAxes(script.axes, 1);
    rig.run(1);
    assert.match(rig.state, /^ACTIVE/, `${rig.state} after ${words.at(-1)}`);
    force = Math.max(force, Math.hypot(wrench[0], wrench[1], wrench[2]));
    moment = Math.max(moment, Math.hypot(wrench[3], wrench[4], wrench[5]));
  }
  assert.ok(script.ended, words.join('; '));
  assert.deepEqual(
    words.map((line) => line.split(' at ')[0]),
    ['contact', 'guided', 'straight', 'insert', 'seated', 'withdrawing', 'out'],
  );
  const mean = (value: (one: (typeof seated)[number]) => number): number =>
    seated.reduce((sum, one) => sum + value(one), 0) / seated.length;
  // noise of 2 um on 1e6 N/m is 2 N a look, 20 looks
  assert.ok(Math.abs(mean(({ push }) => push) - PLATEAU_N) < 2, `${mean(({ push }) => push)} N`);
  // a tip that is turned by 0.3 degrees has its middle 18 mm * 0.005 over its lowest point
  assert.ok(Math.abs(mean(({ depth }) => depth) - insertion.depth_m) < 2e-4, 'full depth');
  assert.ok(mean(({ tilt }) => tilt) < 0.35 * DEGREE, 'straight');
  assert.ok(force < limits.force_N / 2, `${force} N`);
  assert.ok(moment < limits.moment_Nm / 2, `${moment} N m`);
  assert.equal(rig.system.exhaustedPairs, 0, 'no pair is lost');
});
