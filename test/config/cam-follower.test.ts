/** Scenario `cam-follower`: its profile is that of the law of lift, and the force of the driven cam is that in closed form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { startDoubts } from '../../config/start-doubts.ts';
import { CONSTRAINT_READOUT, makeSystem } from '../../src/system/system.ts';
import { runColumnNames } from '../../server/cli/run-columns.ts';
import { rowReader } from '../../server/cli/run-rows.ts';
import { CAM, camForce, camLaw } from '../../server/validation/cam-law.ts';
import { camSurface } from '../../server/validation/cam-models.ts';

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
  const row = new Float64Array(CONSTRAINT_READOUT.length);
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

test('rows of a run have the force of each constraint, its point, its residual and what drives it, by name', () => {
  const system = makeSystem(compileScenario(scenario));
  const names = runColumnNames(system);
  assert.equal(new Set(names).size, names.length);
  const row = new Float64Array(names.length);
  for (let k = 0; k < 25; k++) assert.equal(system.step(1 / 1200), 0); // 37.5°
  rowReader(system)(row);
  const of = (name: string): number => row[names.indexOf(name)];
  const angle = (37.5 * Math.PI) / 180;
  const [s, s1] = camLaw(angle);
  const pressure = Math.atan2(s1, CAM.pitch + s);
  const force = camForce(angle);
  const near = (name: string, closed: number, tolerance: number): void =>
    assert.ok(Math.abs(of(name) - closed) < tolerance, `${name}: ${of(name)} for ${closed}`);
  near('tip-on-cam.reaction_force_y_N', force * Math.cos(pressure), 1e-3);
  near('tip-on-cam.reaction_force_x_N', -force * Math.sin(pressure), 1e-3);
  // the tip touches below its middle, along the normal
  near('tip-on-cam.reaction_point_x_m', CAM.tip * Math.sin(pressure), 1e-7);
  near('tip-on-cam.reaction_point_y_m', CAM.pitch + s - CAM.tip * Math.cos(pressure), 1e-7);
  near('guide.reaction_force_x_N', force * Math.sin(pressure), 1e-3);
  // the shaft drives: moment along y of the force about it, times the rate
  near('shaft.imposed_power_W', force * Math.cos(pressure) * s1 * CAM.rate, 0.05);
  for (const name of ['shaft', 'guide', 'tip-on-cam']) near(`${name}.drift_m`, 0, 1e-12);
});

test('a start that the constraints do not allow is a doubt with its field', () => {
  assert.deepEqual(startDoubts(scenario, makeSystem(compileScenario(scenario))), []);
  const fast = loadScenario('cam-follower', ['bodies.1.velocity_mps=[0,0,0.3]']);
  assert.deepEqual(startDoubts(fast, makeSystem(compileScenario(fast))), [
    'bodies[1].velocity_mps and angular_velocity_radps of "follower" do not fit the constraints: they are changed by 0.3 m/s and 0 rad/s at the start',
  ]);
});
