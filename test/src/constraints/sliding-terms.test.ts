/**
 * What the centripetal terms are worth (T13): the follower of a driven cam without them, whose acceleration is then that of rigid bodies and
 * Coriolis alone. The velocities of the contact point over both bodies are taken from differences of its place, not from the row.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeConstraint } from '../../../src/constraints/make-constraint.ts';
import { BODY_STATE, RigidBody } from '../../../src/multibody/body.ts';
import { CAM, camLaw } from '../../../server/validation/cam-law.ts';
import { camFollower } from '../../../server/validation/cam-models.ts';

const model = camFollower(true);
const [cam, follower] = model.bodies.map(
  (one) => new RigidBody(one, new Float64Array(BODY_STATE), new Float64Array(BODY_STATE)),
);
const tip = (model.constraints ?? [])[2];
const row = makeConstraint(tip, follower, cam, new Float64Array(1), new Float64Array(4));

/** Puts both bodies where the law has them at an angle. */
function place(angle: number): void {
  const [s, s1] = camLaw(angle);
  cam.state.set([0, 0, Math.sin(angle / 2), Math.cos(angle / 2)], 3);
  cam.state[12] = CAM.rate;
  // the follower moves along y alone
  follower.state[1] = CAM.pitch + s;
  follower.state[8] = s1 * CAM.rate;
  cam.refresh();
  follower.refresh();
}

/** The place of contact; reached in small steps, because feet are followed. */
function touch(angle: number): number[] {
  place(angle);
  const at = new Float64Array(3);
  row.writeGaps(new Float64Array(1), 0);
  row.writePlace(at, 0);
  return [...at];
}

test('without the centripetal terms the follower is accelerated by 37 m/s² where the law has none (T13)', () => {
  const target = (60.0925 * Math.PI) / 180;
  for (let k = 0; k < 100; k++) touch((target * k) / 100);
  const step = 1e-6;
  const [before, after] = [touch(target - step), touch(target + step)];
  const point = touch(target);
  const speed = after.map((x, a) => ((x - before[a]) / (2 * step)) * CAM.rate);
  // over the cam: less ω × r of its own point
  const over = [speed[0] + CAM.rate * point[1], speed[1] - CAM.rate * point[0]];
  const jacobian = new Float64Array(12);
  const q = new Float64Array(1);
  row.writeRows(jacobian, new Float64Array(1), 0);
  row.writeCurvature(q, 0);
  const [nx, ny] = jacobian;
  // n·(ω × (ω × r) + 2 ω × a) of the cam; the follower does not turn
  const w = CAM.rate;
  const rigid =
    nx * (-w * w * point[0] - 2 * w * over[1]) + ny * (-w * w * point[1] + 2 * w * over[0]);
  const [, , s2] = camLaw(target);
  const law = s2 * w * w;
  // printed: 37.154 of rigid and Coriolis terms, −0.0685 in all
  assert.ok(Math.abs(rigid / ny - 37.154) < 2e-3, `${rigid / ny}`);
  assert.ok(Math.abs(q[0] / ny - law) < 5e-3, `${q[0] / ny} for ${law}`);
  assert.ok(Math.abs(law + 0.0685) < 1e-4, `${law}`);
  assert.ok(Math.abs(rigid / ny - law) > 10);
});
