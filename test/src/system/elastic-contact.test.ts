/** An elastic face in a system: rest, impact, sliding, imposed loops, Hertz, a state that is put back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactStiffness } from '../../../src/contact/contact-stiffness.ts';
import { ContactReadout } from '../../../src/contact/contact-readout.ts';
import { pressStiffness } from '../../../src/fem/press.ts';
import { EnergyReadout } from '../../../src/system/energy-ledger.ts';
import type { System } from '../../../src/system/system.ts';
import { elasticScene, elasticSystem, FACE } from '../../fixtures/elastic-scenes.ts';

const BLOCK = 1;
const H = 1e-3;
const body = new Float64Array(13);
const energy = new Float64Array(7);
const row = new Float64Array(40);

const height = (run: System): number => (run.readBody(BLOCK, body, 0), body[2] - 0.05);
const contact = (run: System, column: keyof typeof ContactReadout): number => {
  run.readContact(0, row, 0);
  return row[ContactReadout[column]];
};
const account = (run: System, column: keyof typeof EnergyReadout): number => {
  run.readEnergy(energy, 0);
  return energy[EnergyReadout[column]];
};
/** Force at a depth, by a body that is held there. */
function heldForce(depth: number, compliance: object = FACE): number {
  const run = elasticSystem({ kind: 'prescribed', height: -depth, compliance });
  assert.equal(run.step(H), 0);
  return contact(run, 'normalForce');
}
const STIFFNESS = heldForce(1e-4) / 1e-4;

test('a body that meets the face comes back after π √(m/k) with its speed, on sub-steps of an eighth of that', () => {
  const run = elasticSystem({ height: 2e-4, velocity: [0, 0, -0.05], mass: 2 });
  let [touching, most, taken] = [0, 0, 0];
  for (let k = 0; k < 30; k++) {
    assert.equal(run.step(H), 0);
    if (contact(run, 'active') > 0) touching++;
    most = Math.max(most, contact(run, 'normalForce'));
    taken = Math.max(taken, run.substeps);
  }
  const omega = Math.sqrt(STIFFNESS / 2);
  assert.equal(taken, Math.ceil((omega * H) / 0.4));
  assert.ok(Math.abs(touching * H - Math.PI / omega) < 1.5 * H, `${touching}`);
  assert.ok(Math.abs(most / (0.05 * Math.sqrt(2 * STIFFNESS)) - 1) < 0.03, `${most}`);
  run.readBody(BLOCK, body, 0);
  // the step that touches and the one that leaves: ¼ (ω h)² of the energy each, of either sign
  const part = (omega * H) / taken;
  assert.ok(Math.abs(body[9] / 0.05 - 1) < part ** 2 / 4, `${body[9]}`);
  assert.ok(Math.abs(account(run, 'balance')) < 1e-15);
  const lost = account(run, 'dissipated') / (0.5 * 2 * 0.05 ** 2);
  assert.ok(Math.abs(lost) < part ** 2 / 2, `${lost}`);
});

test('at rest under its weight it is down by m g/k, and stays: the balance of a start in overlap is 0', () => {
  const weight = 2 * 9.81;
  const run = elasticSystem({ height: -weight / STIFFNESS, gravity: 9.81 });
  for (let k = 0; k < 100; k++) assert.equal(run.step(H), 0);
  assert.ok(Math.abs(contact(run, 'normalForce') / weight - 1) < 1e-9);
  assert.ok(Math.abs(height(run) + weight / STIFFNESS) < 1e-12);
  const stored = (weight * weight) / (2 * STIFFNESS);
  assert.ok(Math.abs(account(run, 'elastic') / stored - 1) < 1e-9);
  assert.ok(Math.abs(account(run, 'dissipated')) < 1e-9 * stored);
});

test('sliding, it is braked by μ_d m g; then every point sticks and the body swings on its tangential stiffness', () => {
  const friction = { kind: 'coulomb', stiction: 0.5, coulomb: 0.4 };
  const weight = 2 * 9.81;
  const run = elasticSystem({
    height: -weight / STIFFNESS,
    gravity: 9.81,
    friction,
    velocity: [0.4, 0, 0],
  });
  for (let k = 0; k < 50; k++) run.step(H);
  run.readBody(BLOCK, body, 0);
  // from the first step on: the face is sheared as in the middle of it
  assert.ok(Math.abs(body[7] - (0.4 - 0.4 * 9.81 * 0.05)) < 1e-6, `${body[7]}`);
  assert.equal(contact(run, 'stick'), 0);
  assert.ok(account(run, 'dissipated') > 0);
  for (let k = 0; k < 100; k++) run.step(H);
  assert.equal(contact(run, 'stick'), 1);
  run.readBody(BLOCK, body, 0);
  const at = body[0];
  for (let k = 0; k < 100; k++) run.step(H);
  run.readBody(BLOCK, body, 0);
  assert.ok(Math.abs(body[0] - at) < 2e-3, `${body[0] - at}`);
});

test('an imposed motion that returns takes nothing from the face, and with friction gives it heat', () => {
  for (const coulomb of [0, 0.3]) {
    const friction = { kind: 'coulomb', coulomb };
    const run = elasticSystem({ kind: 'prescribed', height: 5e-5, friction });
    const motion = new Float64Array(13);
    let most = 0;
    for (let k = 0; k < 400; k++) {
      const angle = (Math.PI / 100) * (k + 0.5);
      run.readBody(BLOCK, motion, 0);
      motion[7] = 2e-3 * Math.cos(angle);
      motion[9] = -4e-3 * Math.sin(angle);
      motion[11] = 5e-3 * Math.cos(2 * angle);
      run.setBodyMotion(BLOCK, motion, 0);
      assert.equal(run.step(H), 0);
      most = Math.max(most, account(run, 'elastic'));
    }
    const work = account(run, 'externalWork');
    assert.ok(most > 1e-4);
    if (coulomb === 0) assert.ok(Math.abs(work) < 1e-3 * most, `${work} of ${most}`);
    else assert.ok(work > 0.01 * most, `${work}`);
    assert.ok(Math.abs(work - account(run, 'dissipated')) < 1e-12);
  }
});

test('Hertz: the crowned face has 4/3 E* √R δ^1.5 within 2 % where the patch is two elements wide', () => {
  const [radius, size, n] = [0.05, 4e-3, 12];
  const face = { ...FACE, size_m: [size, size], points: [n, n], crown_radius_m: radius };
  const a = (3.5 * size) / n;
  const depth = (a * a) / radius;
  const hertz = (4 / 3) * (1e7 / 0.91) * Math.sqrt(radius) * depth ** 1.5;
  const force = heldForce(depth, face);
  assert.ok(Math.abs(force / hertz - 1) < 0.02, `${force / hertz}`);
});

test('the stiffness that permit and prediction take is that of the plate pressed on the face by the finite elements', () => {
  for (const crown of [{}, { crown_radius_m: 0.05 }]) {
    const [spec] = elasticScene({ compliance: { ...FACE, ...crown } }).contacts;
    assert.ok('patch' in spec.pair);
    for (const force of [0.1, 1, 30]) {
      const { stiffness } = contactStiffness(spec, force, 0.01);
      const expected = pressStiffness(spec.pair.patch, force);
      assert.ok(Math.abs(stiffness / expected - 1) < 1e-5, `${stiffness} ${expected}`);
    }
  }
  const [flat] = elasticScene({}).contacts;
  assert.ok(Math.abs(contactStiffness(flat, 1, 0.01).stiffness / STIFFNESS - 1) < 1e-5);
});

test('a layer has E (1 − ν)/((1 + ν)(1 − 2ν)) A/t', () => {
  const [thickness, area] = [2e-3, 4e-4];
  const force = heldForce(1e-5, { ...FACE, kind: 'layer', thickness_m: thickness });
  const modulus = (1e7 * 0.7) / (1.3 * 0.4);
  assert.ok(Math.abs(force / ((modulus * area * 1e-5) / thickness) - 1) < 1e-9);
});

test('a state that is put back gives the same bits, anchors and all', () => {
  const friction = { kind: 'coulomb', stiction: 0.5, coulomb: 0.4 };
  const run = elasticSystem({
    height: 0,
    gravity: 9.81,
    friction,
    velocity: [0.05, 0.02, -0.02],
    turns: true,
  });
  for (let k = 0; k < 25; k++) run.step(H);
  const kept = new Float64Array(run.state.length);
  run.snapshot(kept);
  const other = elasticSystem({ height: 0, gravity: 9.81, friction, turns: true });
  other.restore(kept);
  for (let k = 0; k < 40; k++) {
    run.step(H);
    other.step(H);
    assert.equal(run.hash(), other.hash(), `step ${k}`);
  }
});
