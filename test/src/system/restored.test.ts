/** A system keeps nothing beside its state: one that takes over another's state goes on as the other, bit for bit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactKernels } from '../../../config/contact-kernels.ts';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { CONTACT_READOUT, ContactReadout } from '../../../src/contact/contact-readout.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { onTargets } from '../../fixtures/elastic-allocation-models.ts';
import { elasticScene, type ElasticScene, FACE } from '../../fixtures/elastic-scenes.ts';
import { inBowl } from '../../fixtures/freeform-models.ts';
import { keep, putBack } from '../../fixtures/put-back.ts';
import { boxOnTray } from '../../fixtures/volumetric-models.ts';

/** The stem of the top touches the table for the first time, beside the body, after 7.9 s. */
const FIRST = 7880;
const STEPS = 60;

test('a tippe-top goes on alike in a system that was elsewhere before, in every step', () => {
  const model = compileScenario(loadScenario('tippe-top'));
  const [one, other, strayed] = [makeSystem(model), makeSystem(model), makeSystem(model)];
  const state = new Float64Array(one.state.length);
  for (let i = 0; i < FIRST; i++) one.step(1e-3);
  for (let i = 0; i < STEPS; i++) {
    one.snapshot(state);
    other.restore(state);
    strayed.restore(state);
    for (let n = 0; n < 3; n++) strayed.step(1e-3);
    strayed.restore(state);
    for (const system of [one, other, strayed]) system.step(1e-3);
    assert.equal(other.hash(), one.hash(), `step ${FIRST + i}`);
    assert.equal(strayed.hash(), one.hash(), `step ${FIRST + i}, strayed`);
  }
});

test('a ball that bounces goes on alike in a system that was in contact before, in every step', () => {
  const friction = '{ kind: regularized-coulomb, coulomb: 0.3, velocity_tolerance_mps: 1 mm/s }';
  const changes = [
    'integration={ kind: implicit-contact, step_s: 1 ms }',
    `contacts[0].friction_law=${friction}`,
  ];
  const model = compileScenario(loadScenario('ball-on-incline', changes));
  const [one, strayed] = [makeSystem(model), makeSystem(model)];
  const row = new Float64Array(CONTACT_READOUT.length);
  const touches = (): boolean => {
    one.readContact(0, row, 0);
    return row[ContactReadout.active] !== 0;
  };
  while (!touches()) one.step(1e-3);
  one.step(1e-3);
  const touching = one.state.slice();
  let apart = 0;
  const state = new Float64Array(one.state.length);
  for (let i = 0; i < 400; i++) {
    if (!touches()) apart++;
    one.snapshot(state);
    strayed.restore(touching);
    strayed.step(1e-3);
    strayed.restore(state);
    for (const system of [one, strayed]) system.step(1e-3);
    assert.equal(strayed.hash(), one.hash(), `step ${i}`);
  }
  assert.ok(apart > 100, `apart in ${apart} steps`);
});

test('a state is as it was given, wherever the places that are followed have gone', () => {
  const one = makeSystem(inBowl({ velocity: [0, 0.2, 1] }));
  const state = new Float64Array(one.state.length);
  for (let i = 0; i < 50; i++) {
    one.step(1e-3);
    one.snapshot(state);
    one.restore(state);
    assert.deepEqual(one.state, state, `step ${i}`);
  }
});

for (const integrator of ['implicit-contact', 'symplectic-euler', 'rk4'] as const) {
  test(`a box of cells slides over slabs into a wall alike in a system that was elsewhere, ${integrator}`, () => {
    const h = integrator === 'rk4' ? 2e-4 : 1e-3;
    const model = { ...boxOnTray(), integrator, step: h };
    const [one, other, strayed] = [makeSystem(model), makeSystem(model), makeSystem(model)];
    const start = one.state.slice();
    const state = new Float64Array(one.state.length);
    for (let i = 0; i < 250; i++) {
      one.snapshot(state);
      other.restore(state);
      // tapes, near pairs and planes of the start, and of three steps ahead
      strayed.restore(start);
      strayed.step(h);
      strayed.restore(state);
      for (let n = 0; n < 3; n++) strayed.step(h);
      strayed.restore(state);
      for (const system of [one, other, strayed]) system.step(h);
      assert.equal(other.hash(), one.hash(), `step ${i}`);
      assert.equal(strayed.hash(), one.hash(), `step ${i}, strayed`);
    }
  });
}

const TWO_COEFFICIENTS = { kind: 'coulomb', stiction: 0.3, coulomb: 0.2 };
const FACES: readonly (readonly [string, ElasticScene])[] = [
  ['pressed and dragged', { kind: 'prescribed', height: 1e-6 }],
  ['thrown', { height: 1e-5, velocity: [0.05, 0.02, -0.05], turns: true, gravity: 9.81 }],
  [
    'thrown, of a free table',
    { height: 1e-5, velocity: [0.018, 0.002, -0.05], turns: true, table: 3 },
  ],
];
for (const [name, scene] of FACES) {
  test(`an elastic face sticks and slides alike in a system that was elsewhere, ${name}`, () => {
    const model = elasticScene({ ...scene, friction: TWO_COEFFICIENTS, compliance: FACE });
    const block = model.bodies.findIndex((body) => body.name === 'block');
    const [one, other, strayed] = [makeSystem(model), makeSystem(model), makeSystem(model)];
    const [state, slid, motion] = [one.state.slice(), one.state.slice(), new Float64Array(13)];
    const row = new Float64Array(CONTACT_READOUT.length);
    const kinds = new Set<number>();
    for (let i = 0; i < 400; i++) {
      if (scene.kind === 'prescribed') {
        // to and fro, with a turn, so that some points slide while others stick
        one.readBody(block, motion, 0);
        motion[7] = i % 80 < 40 ? 2e-4 : -2e-4;
        motion[9] = i < 20 ? -5e-4 : i < 360 ? 0 : 5e-4;
        motion[12] = i % 50 < 25 ? 0.01 : -0.02;
        one.setBodyMotion(block, motion, 0);
      }
      one.snapshot(state);
      other.restore(state);
      // what was found elsewhere, where points slid last, and what three steps ahead
      strayed.restore(slid);
      strayed.step(1e-3);
      strayed.restore(state);
      for (let n = 0; n < 3; n++) strayed.step(1e-3);
      strayed.restore(state);
      for (const system of [one, other, strayed]) assert.equal(system.step(1e-3), 0);
      assert.equal(other.hash(), one.hash(), `step ${i}`);
      assert.equal(strayed.hash(), one.hash(), `step ${i}, strayed`);
      one.readContact(0, row, 0);
      if (row[ContactReadout.active] === 0) continue;
      kinds.add(row[ContactReadout.stick]);
      if (row[ContactReadout.stick] < 1) one.snapshot(slid);
    }
    assert.ok(kinds.size > 1, `${[...kinds].join(' ')} of the points stick`);
  });
}

const THROWN: ElasticScene = {
  height: 1e-6,
  velocity: [0.02, 0.01, -0.05],
  turns: true,
  friction: TWO_COEFFICIENTS,
};
for (const model of onTargets(elasticScene(THROWN))) {
  test(`an elastic face meets a target alike in a system that was elsewhere, ${model.name}`, () => {
    const [one, strayed] = [makeSystem(model), makeSystem(model)];
    const [start, state] = [one.state.slice(), one.state.slice()];
    const row = new Float64Array(CONTACT_READOUT.length);
    let touched = 0;
    for (let i = 0; i < 30; i++) {
      one.snapshot(state);
      strayed.restore(start);
      for (let n = 0; n < 3; n++) strayed.step(1e-3);
      strayed.restore(state);
      for (const system of [one, strayed]) assert.equal(system.step(1e-3), 0);
      assert.equal(strayed.hash(), one.hash(), `step ${i}`);
      one.readContact(0, row, 0);
      if (row[ContactReadout.active] !== 0) touched++;
    }
    assert.ok(touched > 2, `touches in ${touched} steps`);
  });
}

test('cells that touched at another place do not count as found anew', () => {
  const model = compileScenario(loadScenario('battery-box-insertion'));
  const [one, strayed] = [model, model].map((each) => makeSystem(each, contactKernels()));
  const h = model.step;
  // the box meets the guides one after the other: pairs come and go
  for (let i = 0; i < 4990; i++) one.step(h);
  const states = [keep(one)];
  for (let i = 0; i < 60; i++) {
    putBack(strayed, states[Math.max(0, i - 20)]);
    strayed.step(h);
    putBack(strayed, states[i]);
    for (const system of [one, strayed]) system.step(h);
    assert.equal(strayed.hash(), one.hash(), `step ${i}`);
    states.push(keep(one));
  }
});
