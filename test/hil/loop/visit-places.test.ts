/** A system that has visited places goes on as one that has not, bit for bit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { contactKernels } from '../../../config/contact-kernels.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { visitPlaces } from '../../../hil/loop/visit-places.ts';
import { touchingPlaces } from '../../../hil/telemetry/touching-places.ts';
import { makeSystem, type System } from '../../../src/system/system.ts';

const STEPS = 1500;

/** Every array of the port of the tool. */
const portOf = ({ tool }: System): string =>
  JSON.stringify(Object.entries(tool ?? {}).map(([name, value]) => [name, [value].flat()]));

for (const name of [
  'battery-box-insertion',
  'half-sphere-on-plate',
  'battery-box-drop', // without a tool: nothing is visited
  'dextre-battery-box',
]) {
  test(`${name}: same state, tool and counts after the visit, and the same flight`, () => {
    const model = compileScenario(loadScenario(name));
    const course = touchingPlaces(makeSystem(model, contactKernels()));
    const fresh = makeSystem(model, contactKernels());
    const visited = makeSystem(model, contactKernels());
    visitPlaces(visited, course);
    assert.equal(visited.hash(), fresh.hash());
    assert.equal(portOf(visited), portOf(fresh));
    assert.equal(visited.exhaustedPairs, fresh.exhaustedPairs);
    assert.deepEqual(visited.solverCounts, fresh.solverCounts);
    // as it is commanded, and where there is a tool at places in between
    for (let n = 0; n < STEPS; n++) {
      for (const system of [fresh, visited]) {
        const { tool } = system;
        if (tool !== null && n === STEPS / 2) {
          tool.mode = 1;
          system.useSchedule = false;
          system.readBody(system.bodyIndex(model.tool!.payload), tool.measuredMotion, 0);
        }
        const place = course.places.at((n >> 5) % course.places.length);
        if (tool !== null && n >= STEPS / 2 && place !== undefined) tool.measuredMotion.set(place);
        system.step(model.step);
      }
      if (n % 50 === 0) assert.equal(visited.hash(), fresh.hash(), `step ${n}`);
    }
    assert.equal(visited.hash(), fresh.hash());
    assert.equal(portOf(visited), portOf(fresh));
    assert.deepEqual(visited.solverCounts, fresh.solverCounts);
  });
}
