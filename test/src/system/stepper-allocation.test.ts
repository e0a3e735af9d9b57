/** Fixed Runge–Kutta steps allocate nothing, with contacts that begin and end, with events located and without. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('explicit Runge–Kutta steps grow the heap by 0 bytes, but for what events leave', () => {
  const perStep = measureHeap<Record<string, number>>(
    'models',
    `
const ball = (integrator, locateEvents) => models.system({
  integrator,
  locateEvents,
  gravity: [0, 0, -9.81],
  bodies: [
    models.body('ball', 'dynamic', { mass: 2, inertia: [0.008, 0.008, 0.008, 0, 0, 0], position: [0, 0, 0.11], velocity: [0.2, 0, 0], angularVelocity: [0, 3, 1] }),
    models.body('ground', 'fixed'),
  ],
  contacts: [models.contact('ball', 'ground', {
    normalLaw: { kind: 'hysteretic', stiffness: 1e4, exponent: 1.5, restitution: 1, smallVelocity: 1e-3, relaxationTime: 0 },
    frictionLaw: { ...models.INCLINE_BRISTLE, coulomb: 0.01, stiction: 0.01, bristleStiffness: 100, bristleDamping: 1 },
  })],
});
const result = {};
for (const [integrator, locateEvents] of [['ode3', false], ['ode5', true]]) {
  const run = makeSystem(ball(integrator, locateEvents));
  const contact = new Float64Array(40);
  let inContact = 0;
  const steps = (n) => {
    for (let k = 0; k < n; k++) {
      if (run.step(5e-4) !== 0) throw new Error('not finite');
      run.readContact(0, contact, 0);
      inContact += contact[0];
    }
  };
  const grown = settled(steps, { rounds: 60000, windows: 20, least: 8 });
  if (inContact < 1000 || inContact > 200000) throw new Error('in contact in ' + inContact + ' steps');
  result[integrator + (locateEvents ? ' located' : '')] = grown;
}
console.log(JSON.stringify(result));
`,
  );
  assert.equal(Object.keys(perStep).length, 2);
  for (const [kind, bytes] of Object.entries(perStep)) {
    // The compiler leaves up to 400 kB at some moment of a run, 7 B a step here; one boxed double a step would be 16 B. What runs at
    // events alone (one in 300 steps) is interpreted for long, and an interpreter boxes: up to 15 B a step more.
    const most = kind.endsWith('located') ? 24 : 8;
    assert.ok(bytes < most, `${kind}: ${bytes} bytes a step; all: ${JSON.stringify(perStep)}`);
  }
});
