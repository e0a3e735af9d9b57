/** What joins parts: a spring with a damper against its closed form, a lock, and a beam that turns about its root. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEAM_ROOT, BEAM_TIP, BeamBasis, type BeamShapes } from '../../../src/fem/beam-basis.ts';
import { ContactStep } from '../../../src/fem/contact-step.ts';
import { FixedPoints } from '../../../src/fem/fixed-points.ts';
import { FloatingBody } from '../../../src/fem/floating-body.ts';
import { LockJoint, PinJoint } from '../../../src/fem/joints.ts';
import { SpringDamper } from '../../../src/fem/spring-damper.ts';
import { BerthError } from '../../../src/base/errors.ts';
import { beamModes } from '../../../src/multibody/tree/beam-modes.ts';

const RIGID: BeamShapes = {
  tip: new Float64Array(0),
  mean: new Float64Array(0),
  lever: new Float64Array(0),
  curvature: new Float64Array(0),
};
const BEAM = { length: 2, mass: 3, bendingStiffness: 40 } as const;

/** A rod with its middle at a place. */
function rod(shapes: BeamShapes, x: number, spin = 0): FloatingBody {
  return new FloatingBody(new BeamBasis(BEAM, shapes), {
    position: [x - 1, 0],
    angle: 0,
    velocity: [0, -spin],
    angularVelocity: spin,
  });
}

test('a spring and damper at the middle of a rod swing as in closed form, with second order and all of its energy', () => {
  const [stiffness, damping, end] = [50, 4, 1.5];
  const errors = [2e-3, 1e-3].map((step) => {
    const body = rod(RIGID, 0.3);
    const wall = new FixedPoints([0, 0]);
    const spring = new SpringDamper(
      { part: 1, body: wall, points: [0], shares: [1] },
      { part: 0, body, points: [BEAM_ROOT, BEAM_TIP], shares: [0.5, 0.5] },
      { stiffness, damping },
    );
    spring.engage();
    const system = new ContactStep([body, wall], [], [spring], { step, project: false });
    const energy = new Float64Array(3);
    let taken = 0;
    spring.measure();
    let before = spring.elongation[0];
    for (let s = 1; s * step <= end + step / 2; s++) {
      system.advance();
      spring.measure();
      // by the mean rate of the step
      taken += (damping * (spring.elongation[0] - before) ** 2) / step;
      before = spring.elongation[0];
    }
    assert.equal(system.unsettled, 0);
    system.energies(energy);
    const sum = energy[0] + spring.energy() + taken;
    assert.ok(Math.abs(sum / (0.5 * stiffness * 0.09) - 1) < 2e-4, `energy ${sum}`);
    const decay = damping / (2 * BEAM.mass);
    const omega = Math.sqrt(stiffness / BEAM.mass - decay * decay);
    const exact =
      0.3 *
      Math.exp(-decay * end) *
      (Math.cos(omega * end) + (decay / omega) * Math.sin(omega * end));
    assert.ok(Math.abs(body.q[1]) + Math.abs(body.q[2]) < 1e-12);
    return Math.abs(body.q[0] + 1 - exact);
  });
  assert.ok(errors[0] < 1e-4, `${errors[0]}`);
  assert.ok(Math.abs(errors[0] / errors[1] - 4) < 0.4, `order: ${errors[0] / errors[1]}`);
});

test('a spring that is not engaged does nothing, and a damper of any size keeps the step stable', () => {
  for (const engaged of [false, true]) {
    const body = rod(RIGID, 0);
    body.rate[0] = 1;
    const wall = new FixedPoints([0, 0]);
    const spring = new SpringDamper(
      { part: 1, body: wall, points: [0], shares: [1] },
      { part: 0, body, points: [BEAM_ROOT, BEAM_TIP], shares: [0.5, 0.5] },
      { stiffness: 0, damping: 3e5 },
    );
    const system = new ContactStep([body, wall], [], [spring], { step: 1e-3, project: false });
    if (engaged) spring.engage();
    for (let s = 0; s < 1000; s++) system.advance();
    // the damper stops it within m/C = 10 µs, v m/C = 10 µm
    if (engaged) assert.ok(Math.abs(body.q[0] + 1) < 1e-3, `${body.q[0] + 1}`);
    else assert.ok(Math.abs(body.q[0]) < 1e-9 && spring.energy() === 0);
  }
  assert.throws(
    () =>
      new SpringDamper(
        { part: 0, body: rod(RIGID, 0), points: [0], shares: [1] },
        { part: 0, body: rod(RIGID, 0), points: [1], shares: [1] },
        { stiffness: 0, damping: 0 },
      ),
    BerthError,
  );
});

test('two rods that are pinned and locked turn as one, and the moment of the lock is that of the other rod', () => {
  const left = rod(RIGID, -1, 0);
  const right = rod(RIGID, 1, 0);
  // both turn about the pin between them
  left.rate[1] = -2;
  left.rate[2] = right.rate[2] = 1;
  const pin = new PinJoint(
    { part: 1, body: right, point: BEAM_ROOT },
    { part: 0, body: left, point: BEAM_TIP },
  );
  const lock = new LockJoint({ part: 1, body: right }, { part: 0, body: left });
  right.load[2] = 5;
  const system = new ContactStep([left, right], [], [pin, lock], { step: 1e-3, project: false });
  for (let s = 0; s < 1000; s++) system.advance();
  assert.equal(system.unsettled, 0);
  assert.ok(Math.abs(left.q[2] - right.q[2]) < 1e-9);
  // one rod of 6 kg and 4 m: J = m l²/12 = 8 about its middle, 5 N m on it
  const turn = 1 + (0.5 * 5) / 8;
  assert.ok(Math.abs(left.q[2] - turn) < 1e-5, `${left.q[2]} ${turn}`);
  // half of the inertia is on the far side; the load is on the near one
  assert.ok(Math.abs(Math.abs(lock.forces[0]) - 2.5) < 1e-2, `${lock.forces[0]}`);
});

test('a beam whose root turns on a pin has the frequency of a pinned-free beam', () => {
  // 2 % of critical in the first mode, 6 % and more in the others, which are gone after 2 s
  const beam = new FloatingBody(
    new BeamBasis(BEAM, beamModes(4)),
    { position: [0, 0], angle: 0, velocity: [0, 0], angularVelocity: 0 },
    { alpha: 0, beta: 2e-3 },
  );
  const wall = new FixedPoints([0, 0]);
  const pin = new PinJoint(
    { part: 0, body: beam, point: BEAM_ROOT },
    { part: 1, body: wall, point: 0 },
  );
  beam.q[3] = 1e-4;
  const system = new ContactStep([beam, wall], [], [pin], { step: 2e-3, project: false });
  const crossings: number[] = [];
  let was = beam.q[3];
  for (let s = 1; s <= 1500; s++) {
    system.advance();
    const now = beam.q[3];
    if (s > 1000 && was < 0 && now >= 0) crossings.push((s - now / (now - was)) * 2e-3);
    was = now;
  }
  const period = (crossings[crossings.length - 1] - crossings[0]) / (crossings.length - 1);
  // βl = 3.926602
  const exact = 3.926602 ** 2 * Math.sqrt(BEAM.bendingStiffness / (BEAM.mass * BEAM.length ** 3));
  assert.ok(
    Math.abs((2 * Math.PI) / period / exact - 1) < 0.02,
    `${(2 * Math.PI) / period} ${exact}`,
  );
});
