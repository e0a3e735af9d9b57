/** First touch of the tool along a twist: closed forms, and the place at which the step then finds the contact. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario, scenarioNames } from '../../../config/scenario.ts';
import { LoopMode } from '../../../src/control/tool-port.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { FirstTouch } from '../../../src/system/first-touch.ts';
import { CONTACT_READOUT, makeSystem } from '../../../src/system/system.ts';
import { measured } from '../../fixtures/crossing-models.ts';

/** Poses of all bodies of a model, with the payload elsewhere. */
function posesOf(model: SystemModel, payload: readonly number[]): Float64Array {
  return Float64Array.from(
    model.bodies.flatMap(({ name, position, orientation }) => [
      ...(name === model.tool?.payload ? payload : position),
      ...orientation,
    ]),
  );
}

test('the half-sphere goes down on its plate, aside, up and away: time and place in closed form', () => {
  const model = compileScenario(loadScenario('half-sphere-on-plate'));
  const touch = new FirstTouch(model);
  const find = (height: number, ...twist: number[]): ReturnType<FirstTouch['find']> =>
    touch.find(posesOf(model, [0.3, 0, height]), 0, Float64Array.from(twist), 10);
  const down = find(0.02, 0.01, 0, -0.01, 0, 0, 0);
  assert.ok(down !== null);
  assert.equal(down.contact, 'tool-plate');
  // within 1e-6 of the radius of 50 mm and more, over the speed
  assert.ok(Math.abs(down.time - 2) < 2e-5, `${down.time} s`);
  assert.ok(Math.abs(down.point[0] - 0.32) < 1e-6 && Math.abs(down.point[2]) < 1e-6);
  // the middle of the sphere is 50 mm above the origin, about which it turns: it goes down on an arc
  const turned = find(0, 0, 0, 0, 0.5, 0, 0);
  assert.equal(turned?.time, 0, 'turning about the lowest point presses at once');
  assert.equal(find(0.02, 0, 0, 0.01, 0, 0, 0), null);
  assert.equal(find(0.02, 0.1, 0, 0, 0, 0, 0), null);
  assert.equal(find(0.02, 0, 0, 0, 0, 0, 0), null, 'no command');
  assert.equal(find(0.2, 0, 0, -0.01, 0, 0, 0), null, 'in 20 s');
  assert.equal(find(-1e-3, 0, 0, -0.01, 0, 0, 0)?.time, 0);
  assert.equal(find(-1e-3, 0, 0, 0.01, 0, 0, 0), null, 'drawn out of the contact');
});

test('a thin plate is no obstacle beside the way, and one on it', () => {
  const model = measured();
  const touch = new FirstTouch(model);
  const down = Float64Array.of(0, 0, -2, 0, 0, 0);
  const hit = touch.find(posesOf(model, [0, 0, 4]), 0, down, 10);
  assert.ok(hit !== null && Math.abs(hit.time - (4 - 0.0105) / 2) < 1e-6);
  assert.equal(touch.find(posesOf(model, [2, 0, 4]), 0, down, 10), null);
});

test('every scenario with a tool: where the step finds the first contact is what was foretold', () => {
  let compared = 0;
  for (const name of scenarioNames()) {
    const model = compileScenario(loadScenario(name));
    if (model.tool === null) continue;
    const run = makeSystem(model);
    const poses = new Float64Array(7 * run.bodyCount);
    const body = new Float64Array(13);
    for (let b = 0; b < run.bodyCount; b++) {
      run.readBody(b, body, 0);
      poses.set(body.subarray(0, 7), 7 * b);
    }
    const touch = new FirstTouch(model);
    const place = 7 * run.bodyIndex(model.tool.payload);
    for (const [axis, speed] of [
      [2, -0.02],
      [0, 0.02],
      [1, -0.02],
    ]) {
      const twist = new Float64Array(6);
      twist[axis] = speed;
      const found = touch.find(poses, 0, twist, 10);
      if (found === null || found.time === 0) continue;
      // 20 µm before nothing pushes, 20 µm behind it something does
      for (const [at, touches] of [
        [found.time - 1e-3, false],
        [found.time + 1e-3, true],
      ] as const) {
        const fresh = makeSystem(model);
        const { tool: port } = fresh;
        assert.ok(port !== null);
        port.mode = LoopMode.VIRTUAL;
        port.measuredMotion.set(poses.subarray(place, place + 7));
        port.measuredMotion[axis] += speed * at;
        port.measuredMotion[7 + axis] = speed;
        assert.equal(fresh.step(1e-6), 0);
        const readout = new Float64Array(CONTACT_READOUT.length);
        fresh.readContact(fresh.contactIndex(found.contact), readout, 0);
        assert.equal(readout[0] !== 0, touches, `${name} ${axis} at ${at} s`);
      }
      compared++;
    }
  }
  assert.ok(compared >= 8, `${compared} compared`);
});
