/** Scenario `cam-follower`: its profile is that of the law of lift, and the force of the driven cam is that in closed form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { startDoubts } from '../../config/start-doubts.ts';
import { makeSystem } from '../../src/system/system.ts';
import { camForce } from '../../server/validation/cam-law.ts';
import { camSurface } from '../fixtures/cam-models.ts';

const scenario = loadScenario('cam-follower');

test('the profile of the scenario is the law of lift, interpolated at 200 angles', () => {
  const [, , sliding] = compileScenario(scenario).constraints ?? [];
  assert.ok(sliding.kind === 'sliding');
  const { shape } = sliding.second.surface;
  assert.ok(shape.kind === 'extrusion' && shape.curve.kind === 'nurbs');
  const { points } = camSurface(200);
  assert.equal(shape.curve.points.length, points.length);
  shape.curve.points.forEach((point, k) => {
    const [x, y] = points[k][0];
    assert.ok(Math.abs(point[0] - x) + Math.abs(point[1] - y) < 1e-15, `point ${k}`);
  });
});

test('the tip of the scenario presses with the force of the law at seven angles (T12)', () => {
  const system = makeSystem(compileScenario(scenario));
  const row = new Float64Array(9);
  const force = (): number => {
    system.readConstraint(2, row, 0);
    return Math.hypot(row[0], row[1], row[2]);
  };
  // the spline has a corner of its acceleration at 0°: 0.1152 m/s² of 0.5 kg
  assert.ok(Math.abs(force() - 44.963) < 1e-3, `${force()}`);
  for (let k = 1; k <= 200; k++) {
    assert.equal(system.step(1 / 1200), 0); // 1.5°
    if (![30, 60, 90, 135, 210, 300].includes(1.5 * k)) continue;
    const closed = camForce((1.5 * k * Math.PI) / 180);
    assert.ok(Math.abs(force() - closed) < 1e-3, `${1.5 * k}°: ${force()} ${closed}`);
  }
});

test('a start that the constraints do not allow is a doubt with its field', () => {
  assert.deepEqual(startDoubts(scenario, makeSystem(compileScenario(scenario))), []);
  const fast = loadScenario('cam-follower', ['bodies.1.velocity_mps=[0,0,0.3]']);
  assert.deepEqual(startDoubts(fast, makeSystem(compileScenario(fast))), [
    'bodies[1].velocity_mps and angular_velocity_radps of "follower" do not fit the constraints: they are changed by 0.3 m/s and 0 rad/s at the start',
  ]);
});
