/** The warm-up of the loop finds where cells touch, so that what they run is compiled before the clock starts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { touchingPlaces } from '../../../hil/telemetry/touching-places.ts';
import { CONTACT_READOUT, makeSystem } from '../../../src/system/system.ts';

const PAIRS = CONTACT_READOUT.indexOf('pairs');

test('the commanded way of the battery box leads to places where 12 or more pairs of cells touch', () => {
  const model = compileScenario(loadScenario('battery-box-insertion'));
  const places = touchingPlaces(model);
  assert.ok(places.length > 10, `${places.length} places`);
  const system = makeSystem(model);
  const port = system.tool!;
  port.mode = 1; // virtual: the payload is where it is measured
  system.readBody(system.bodyIndex(model.tool!.payload), port.measuredMotion, 0);
  const row = new Float64Array(CONTACT_READOUT.length);
  const pairs = places.map((place) => {
    port.measuredMotion.set(place);
    assert.equal(system.step(model.step), 0);
    system.readContact(0, row, 0);
    return row[PAIRS];
  });
  assert.ok(pairs[0] >= 12, `${pairs[0]} pairs at the first place`);
  assert.ok(Math.min(...pairs) >= 1, 'a place where nothing touches');
});

test('a model without cells, or without a tool, has none', () => {
  for (const name of ['half-sphere-on-plate', 'battery-box-drop']) {
    assert.deepEqual(touchingPlaces(compileScenario(loadScenario(name))), [], name);
  }
});
