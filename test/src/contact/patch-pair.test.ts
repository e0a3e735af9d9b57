/** Elastic faces against each other: twice as soft as one, roles exchanged, momenta and energy, and the rest of the compliance in series. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ElasticPatch, patchStateLength } from '../../../src/contact/elastic/elastic-patch.ts';
import { FaceHeights } from '../../../src/contact/elastic/face-heights.ts';
import { makePatch } from '../../../src/contact/elastic/patch-constants.ts';
import { makeTarget } from '../../../src/contact/elastic/patch-target.ts';
import { placedPatch } from '../../../src/contact/elastic/placed-patch.ts';
import { contactStiffness } from '../../../src/contact/contact-stiffness.ts';
import { halfSpaceFace } from '../../../src/fem/grid-faces.ts';
import { Random } from '../../../src/math/random.ts';
import type { PatchModel, PatchTargetModel } from '../../../src/model/model.ts';
import { EnergyReadout } from '../../../src/system/energy-ledger.ts';
import { makeSystem, type System } from '../../../src/system/system.ts';
import { elasticScene, FACE, type ElasticScene } from '../../fixtures/elastic-scenes.ts';
import { momentumOf } from '../../fixtures/system-momentum.ts';

const H = 1e-3;
const [YOUNG, POISSON, RADIUS, SIDE] = [1e7, 0.3, 0.05, 0.01];
const MODULUS = YOUNG / (1 - POISSON ** 2);

const face = (points: number, radius = Infinity, young = YOUNG): PatchModel =>
  halfSpaceFace({ size: [SIDE, SIDE], points: [points, points], young, poisson: POISSON, radius });

/** Force of a face that looks down on a target, at a depth below its first touch, and energy. */
function pressed(
  model: PatchModel,
  target: PatchTargetModel,
  depth: number,
  [x, y]: readonly [number, number] = [0, 0],
): [number, number] {
  const constants = makePatch(model, H);
  const patch = new ElasticPatch(
    constants,
    { static: 0, sliding: 0 },
    new Float64Array(patchStateLength(constants, true)),
    undefined,
    constants.count,
    false,
    makeTarget(target),
    target.kind === 'face' ? target.patch : null,
  );
  patch.pose.set([x, y, -depth, 1, 0, 0, 0, -1, 0, 0, 0, -1]);
  patch.solve();
  const energies = new Float64Array(2);
  patch.energies(energies);
  return [patch.wrench[2], energies[0]];
}

const PLANE: PatchTargetModel = { kind: 'box', size: [1, 1, 1], position: [0, 0, -0.5] };

test('two equal faces have half the force of one on a plane, and half its energy', () => {
  const flat = face(6);
  const [one, energy] = pressed(flat, PLANE, 1e-4);
  const [two, both] = pressed(flat, { kind: 'face', patch: flat }, 1e-4);
  assert.ok(Math.abs(two / one - 0.5) < 1e-12, `${two} of ${one} N`);
  assert.ok(Math.abs(both / energy - 0.5) < 1e-12, `${both} of ${energy} J`);
  // the energy is the work of the force
  assert.ok(Math.abs((0.5 * two * 1e-4) / both - 1) < 1e-12);
});

test('a crowned face on an equal one that is flat has the force of Hertz with both moduli', () => {
  for (const [points, part] of [
    [12, 0.01],
    [16, 0.005],
  ] as const) {
    const depth = 2e-4;
    const [force] = pressed(face(points, RADIUS), { kind: 'face', patch: face(points) }, depth);
    const wanted = (4 / 3) * (MODULUS / 2) * Math.sqrt(RADIUS) * depth ** 1.5;
    assert.ok(Math.abs(force / wanted - 1) < part, `${points}: ${force} of ${wanted} N`);
  }
});

test('roles exchanged, points of other numbers and moduli: the same force', () => {
  const depth = 2e-4;
  const [hard, soft] = [face(16, RADIUS, 3e7), face(12)];
  const [first] = pressed(hard, { kind: 'face', patch: soft }, depth);
  const [second] = pressed(soft, { kind: 'face', patch: hard }, depth);
  const series = 1 / (1 / (3 * MODULUS) + 1 / MODULUS);
  const wanted = (4 / 3) * series * Math.sqrt(RADIUS) * depth ** 1.5;
  for (const force of [first, second]) {
    assert.ok(Math.abs(force / wanted - 1) < 0.02, `${force} of ${wanted} N`);
  }
});

test('heights over a face: its points, its triangles, and no face beside it', () => {
  const model = placedPatch(face(5), [0.1, 0.2, 0.3], [0.5, -0.1, 0.7, 0.5]);
  const heights = new FaceHeights(model);
  const n = model.normals.slice(0, 3);
  const random = new Random(2);
  for (let p = 0; p < 25; p++) {
    heights.measure(Float64Array.from(model.points), 3 * p);
    assert.ok(Math.abs(heights.gap[0]) < 1e-15);
  }
  const center = [0, 1, 2].map((a) => model.points[36 + a]);
  const [p, q] = [0, 20].map((corner) =>
    [0, 1, 2].map((a) => (model.points[3 * corner + a] - center[a]) / 0.8),
  );
  for (let k = 0; k < 200; k++) {
    const [u, v, h] = [0, 1, 2].map(() => 2.4 * (random.uniform() - 0.5));
    const place = center.map(
      (x, a) => x + 0.5 * (u - v) * p[a] + 0.5 * (u + v) * q[a] + 1e-3 * h * n[a],
    );
    heights.measure(Float64Array.from(place), 0);
    const sum = heights.weights.reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum - 1) < 1e-13);
    // weights have the place again
    const on = [0, 1, 2].map((a) =>
      heights.weights.reduce((x, w, c) => x + w * model.points[3 * heights.corners[c] + a], 0),
    );
    const beside = Math.max(Math.abs(u), Math.abs(v)) > 1;
    for (let a = 0; a < 3; a++) {
      assert.ok(Math.abs(place[a] - on[a] - 1e-3 * h * n[a]) < 1e-14);
      assert.ok(Math.abs(heights.normal[a] - n[a]) < 1e-12);
    }
    if (!beside) assert.ok(Math.abs(heights.gap[0] - 1e-3 * h) < 1e-15);
    else assert.ok(heights.gap[0] > 0, `${heights.gap[0]} m at ${u}, ${v}`);
  }
});

const PARTNER = { kind: 'face', compliance: FACE } as const;
const run = (scene: ElasticScene): System => makeSystem(elasticScene(scene));

test('an impact of two faces on free bodies keeps momenta and energy', () => {
  const stiff = { ...FACE, youngs_modulus_N_per_m2: 4e9 };
  for (const friction of [{ kind: 'none' }, { kind: 'coulomb', stiction: 0.3, coulomb: 0.2 }]) {
    const system = run({
      height: 2e-5,
      velocity: [0, 0, -0.05],
      aside: [0.003, 0.002],
      turns: true,
      table: 5,
      substeps: 500,
      compliance: stiff,
      target: { kind: 'face', compliance: stiff, position_m: [0.0031, 0.0017, 0] },
      friction,
    });
    const energy = new Float64Array(7);
    const before = momentumOf(system).slice();
    system.readEnergy(energy, 0);
    const start = energy[EnergyReadout.kinetic];
    for (let k = 0; k < 10; k++) assert.equal(system.step(H), 0);
    for (const [k, value] of momentumOf(system).entries()) {
      const off = k < 3 ? 1e-13 : 1e-15;
      assert.ok(Math.abs(value - before[k]) < off, `${k}: ${value} of ${before[k]}`);
    }
    system.readEnergy(energy, 0);
    const kept = energy[EnergyReadout.kinetic] / start;
    assert.ok(Math.abs(kept - 1) < 0.04, `${kept} of the energy`);
    assert.ok(Math.abs(energy[EnergyReadout.balance]) < 1e-9 * start);
  }
});

test('a block rests on a face as deep as on both in series', () => {
  const pressedBy = (target: object | undefined): number => {
    const system = run({
      kind: 'prescribed',
      height: -1e-5,
      velocity: [0, 0, 0],
      ...(target === undefined ? {} : { target }),
    });
    const row = new Float64Array(64);
    for (let k = 0; k < 5; k++) assert.equal(system.step(H), 0);
    system.readContact(0, row, 0);
    return row[3];
  };
  const [one, two] = [undefined, PARTNER].map(pressedBy);
  assert.ok(Math.abs(two / one - 0.5) < 1e-9, `${two} of ${one}`);
  const [contact] = elasticScene({ target: PARTNER }).contacts;
  const [alone] = elasticScene({}).contacts;
  const ratio =
    contactStiffness(contact, 10, 0.1).stiffness / contactStiffness(alone, 10, 0.1).stiffness;
  // by differences of 1e-6 of the depth, of forces with a rounding of some 1e-14
  assert.ok(Math.abs(ratio - 0.5) < 1e-6, `${ratio} of the stiffness`);
});

test('aside by parts of a pitch, forces are shared by corners: the work is the energy', () => {
  const [upper, lower] = [face(5), face(8)];
  for (const [x, y] of [
    [0.0013, 0.0007],
    [-0.0021, 0.0004],
  ] as const) {
    const [force, energy] = pressed(upper, { kind: 'face', patch: lower }, 1e-4, [x, y]);
    assert.ok(Math.abs((0.5 * force * 1e-4) / energy - 1) < 1e-12, `${energy} J of ${force} N`);
  }
});

test('a face that goes one pitch along its like leaves a row of points: the ledger counts what it stores less', () => {
  const system = run({
    kind: 'prescribed',
    height: -1e-5,
    velocity: [0.05, 0, 0],
    target: PARTNER,
  });
  const energy = new Float64Array(7);
  system.step(H);
  system.readEnergy(energy, 0);
  const stored = energy[EnergyReadout.elastic];
  // 5 mm in all
  for (let k = 1; k < 100; k++) system.step(H);
  system.readEnergy(energy, 0);
  const part = energy[EnergyReadout.dissipated] / stored;
  // 0.14 to its two digits; across the way no force does work
  assert.ok(Math.abs(part - 0.14) < 0.005, `${part} of what is stored`);
  const sum = energy[EnergyReadout.elastic] + energy[EnergyReadout.dissipated];
  assert.ok(Math.abs(sum / stored - 1) < 1e-5, `${sum} of ${stored} J`);
});

test('points of a face on one circle have triangles: four give way as a plane that is as soft', () => {
  const flat = face(2);
  const [one] = pressed(flat, PLANE, 1e-4);
  const [two] = pressed(flat, { kind: 'face', patch: flat }, 1e-4);
  assert.ok(Math.abs(two / one - 0.5) < 1e-12, `${two} of ${one} N`);
});

test('refused: a face whose normals look to no side, or one of them away', () => {
  const scene = elasticScene({ target: PARTNER });
  const [contact] = scene.contacts;
  assert.ok('patch' in contact.pair && contact.pair.target?.kind === 'face');
  const { target } = contact.pair;
  for (const most of [48, 3]) {
    const normals = target.patch.normals.map((x, k) => (k >= most ? x : most === 3 ? -x : 0));
    const pair = {
      ...contact.pair,
      target: { kind: 'face', patch: { ...target.patch, normals } },
    } as const;
    assert.throws(
      () => makeSystem({ ...scene, contacts: [{ ...contact, pair }] }),
      /target\.patch\.normals.*within a right angle of their mean/,
    );
  }
});

test('refused: a face of points on one line, and one whose compliance is none', () => {
  const line = { ...FACE, points: [4, 1] };
  assert.throws(
    () => run({ target: { kind: 'face', compliance: line } }),
    /target\.patch\.points.*not on one line/,
  );
  const broken = elasticScene({ target: PARTNER });
  const [contact] = broken.contacts;
  assert.ok('patch' in contact.pair && contact.pair.target?.kind === 'face');
  const patch = { ...contact.pair.target.patch, areas: [1] };
  const pair = { ...contact.pair, target: { kind: 'face', patch } } as const;
  assert.throws(
    () => makeSystem({ ...broken, contacts: [{ ...contact, pair }] }),
    /target\.patch\.points/,
  );
});
