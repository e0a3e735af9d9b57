/** Observed contacts: seen like any other, without any effect on the motion, for every kind of pair and of step. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactKernels } from '../../../config/contact-kernels.ts';
import { CONTACT_READOUT, ContactReadout } from '../../../src/contact/contact-readout.ts';
import {
  checkModel,
  type ContactModelSpec,
  type IntegratorKind,
  makeSystem,
  type System,
  type SystemModel,
} from '../../../src/index.ts';
import { ringOnCone } from '../../fixtures/faceted-contact-models.ts';
import { body, contact, system } from '../../fixtures/models.ts';
import { boxOnTray, cell } from '../../fixtures/volumetric-models.ts';

const row = new Float64Array(CONTACT_READOUT.length);

function read(run: System, k: number): Float64Array {
  run.readContact(k, row, 0);
  return row;
}

const bodies = (run: System): number[] => {
  const out = new Float64Array(13 * run.model.bodies.length);
  for (const b of run.model.bodies.keys()) run.readBody(b, out, 13 * b);
  return [...out];
};

const observer = (spec: ContactModelSpec): ContactModelSpec => ({
  ...spec,
  name: `${spec.name}-seen`,
  normalLaw: { kind: 'observer' },
  frictionLaw: { kind: 'none' },
  rollingLaw: { kind: 'none' },
});

/** A ball that bounces on a floor through a ball that is only seen. */
function bouncing(pair: ContactModelSpec['pair'], integrator: IntegratorKind): SystemModel {
  return system({
    integrator,
    gravity: [0, 0, -9.81],
    bodies: [
      body('ball', 'dynamic', {
        position: [0.03, 0, 0.4],
        inertia: [4e-3, 4e-3, 4e-3, 0, 0, 0],
        angularVelocity: [1, 2, 3],
        cells: [cell('ball', { kind: 'sphere', radius: 0.1 })],
      }),
      body('floor', 'fixed'),
      body('ghost', 'fixed', {
        position: [0, 0, 0.25],
        cells: [cell('ghost', { kind: 'sphere', radius: 0.03 })],
      }),
    ],
    contacts: [observer(contact('ball', 'ghost', { pair })), contact('ball', 'floor')],
  });
}

const round = (radius: number): object => ({
  shape: { kind: 'sphere', radius },
  position: [0, 0, 0],
  orientation: [0, 0, 0, 1],
});
const PAIRS = {
  point: {
    kind: 'sphere-sphere',
    radius: 0.1,
    center: [0, 0, 0],
    radiusJ: 0.03,
    centerJ: [0, 0, 0],
  },
  convex: { kind: 'convex', shapeI: round(0.1), shapeJ: round(0.03) },
  cells: { kind: 'volumetric' },
} as unknown as Readonly<Record<string, ContactModelSpec['pair']>>;

for (const [name, pair] of Object.entries(PAIRS)) {
  test(`${name}: a ball flies through what only sees it, bit for bit as without it`, () => {
    for (const integrator of ['implicit-contact', 'rk4', 'dormand-prince'] as const) {
      for (const kernels of [null, contactKernels()]) {
        const model = bouncing(pair, integrator);
        checkModel(model);
        const seen = makeSystem(model, kernels);
        const alone = makeSystem({ ...model, contacts: model.contacts.slice(1) }, kernels);
        const state = new Float64Array(13);
        let onsets = 0;
        let before = 0;
        for (let n = 0; n < 600; n++) {
          assert.equal(seen.step(1e-3), 0);
          assert.equal(alone.step(1e-3), 0);
          const r = read(seen, 0);
          seen.readBody(0, state, 0);
          const distance = Math.hypot(state[0], state[1], state[2] - 0.25);
          assert.equal(r[ContactReadout.active], distance < 0.13 ? 1 : 0, `${integrator} ${n}`);
          for (const k of ['normalForce', 'ft_x', 'ft_y', 'ft_z', 'torque_x'] as const)
            assert.equal(r[ContactReadout[k]], 0);
          if (r[ContactReadout.active] === 1) {
            // of two balls the depth is known; an overlap of cells has its own measure of it
            if (name !== 'cells')
              assert.ok(Math.abs(r[ContactReadout.penetration] - (0.13 - distance)) < 1e-12);
            if (before === 0) {
              onsets++;
              const rate = (state[7] * state[0] + state[9] * (state[2] - 0.25)) / distance;
              assert.ok(Math.abs(r[ContactReadout.impactSpeed] + rate) < 1e-9);
              assert.ok(rate < 0);
            }
          }
          before = r[ContactReadout.active];
        }
        assert.deepEqual(bodies(seen), bodies(alone));
        assert.ok(onsets >= 2, `${onsets} onsets`);
      }
    }
  });
}

test('facets and cells beside the contact that acts: the motion has the same bits', () => {
  for (const model of [ringOnCone('coulomb', 'drop'), boxOnTray()]) {
    const seen = makeSystem(
      { ...model, contacts: [...model.contacts, observer(model.contacts[0])] },
      contactKernels(),
    );
    const alone = makeSystem(model, contactKernels());
    let touched = 0;
    for (let n = 0; n < 200; n++) {
      assert.equal(seen.step(model.step), 0);
      assert.equal(alone.step(model.step), 0);
      touched += read(seen, 1)[ContactReadout.active];
    }
    assert.deepEqual(bodies(seen), bodies(alone));
    assert.ok(touched > 20, `${touched} steps seen`);
  }
});

test('a restored state goes on with the same bits, and does not see the same onset twice', () => {
  for (const pair of Object.values(PAIRS)) {
    const model = bouncing(pair, 'implicit-contact');
    const run = makeSystem(model);
    while (read(run, 0)[ContactReadout.active] === 0) run.step(1e-3);
    const speed = row[ContactReadout.impactSpeed];
    run.step(1e-3);
    const kept = new Float64Array(run.state.length);
    run.snapshot(kept);
    for (let n = 0; n < 200; n++) run.step(1e-3);
    const hash = run.hash();
    const other = makeSystem(model);
    other.restore(kept);
    assert.equal(read(other, 0)[ContactReadout.impactSpeed], speed);
    for (let n = 0; n < 200; n++) other.step(1e-3);
    assert.equal(other.hash(), hash);
  }
});

test('an observer with a field that it has not is refused', () => {
  const model = bouncing(PAIRS['point'], 'implicit-contact');
  const [seen, floor] = model.contacts;
  const bad = { ...seen, normalLaw: { kind: 'observer', alarm: 'yes' } } as never;
  assert.throws(() => checkModel({ ...model, contacts: [bad, floor] }), /alarm/);
});
