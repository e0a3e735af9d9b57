/** The warm-up of the loop finds where cells touch, so that what they run is compiled before the clock starts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { touchingPlaces } from '../../../hil/telemetry/touching-places.ts';
import { CONTACT_READOUT, makeSystem } from '../../../src/system/system.ts';

const PAIRS = CONTACT_READOUT.indexOf('pairs');
const ACTIVE = CONTACT_READOUT.indexOf('active');

test('the commanded way of the battery box leads to places where 12 or more pairs of cells touch', () => {
  const model = compileScenario(loadScenario('battery-box-insertion'));
  const { places } = touchingPlaces(makeSystem(model));
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

test('the onset is free, and two micrometres further something touches', () => {
  for (const name of ['battery-box-insertion', 'half-sphere-on-plate']) {
    const model = compileScenario(loadScenario(name));
    const { places, onset } = touchingPlaces(makeSystem(model));
    assert.ok(onset !== null && places.length > 0, name);
    const system = makeSystem(model);
    const start = system.state.slice();
    const port = system.tool!;
    port.mode = 1;
    system.readBody(system.bodyIndex(model.tool!.payload), port.measuredMotion, 0);
    const row = new Float64Array(CONTACT_READOUT.length);
    const touchesAt = (place: readonly number[]): boolean => {
      system.restore(start);
      port.measuredMotion.set(place);
      for (let k = 0; k < 2; k++) assert.equal(system.step(model.step), 0);
      return model.contacts.some((_, k) => {
        system.readContact(k, row, 0);
        return row[ACTIVE] > 0;
      });
    };
    assert.ok(!touchesAt(onset), `${name}: the onset touches`);
    // a hundredth of the way, 2 mm at most, in 2¹² parts
    const further = model.command.map(({ twist: [x, y, z] }) => {
      const length = Math.hypot(x, y, z);
      return onset.map((value, a) => value + (length > 0 ? (2e-6 * [x, y, z][a]) / length : 0));
    });
    assert.ok(further.some(touchesAt), `${name}: nothing touches behind the onset`);
  }
});

test('a model without a tool has none', () => {
  const none = { places: [], onset: null };
  assert.deepEqual(
    touchingPlaces(makeSystem(compileScenario(loadScenario('battery-box-drop')))),
    none,
  );
});
