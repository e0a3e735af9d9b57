/** Elastic faces against spheres and boxes: Hertz, the side of a box beside a plane, distances, momenta and energy of impacts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ElasticPatch, patchStateLength } from '../../../src/contact/elastic/elastic-patch.ts';
import { makePatch } from '../../../src/contact/elastic/patch-constants.ts';
import { makeTarget } from '../../../src/contact/elastic/patch-target.ts';
import { halfSpaceFace } from '../../../src/fem/grid-faces.ts';
import { Random } from '../../../src/math/random.ts';
import type { PatchTargetModel, SystemModel } from '../../../src/model/model.ts';
import { EnergyReadout } from '../../../src/system/energy-ledger.ts';
import { makeSystem, type System } from '../../../src/system/system.ts';
import { type ElasticScene, elasticScene } from '../../fixtures/elastic-scenes.ts';
import { momentumOf } from '../../fixtures/system-momentum.ts';

const H = 1e-3;
const STIFF = {
  kind: 'half-space',
  youngs_modulus_N_per_m2: 4e9,
  poisson_ratio: 0.3,
  size_m: [0.02, 0.02],
  points: [4, 4],
};
const FRICTION = { kind: 'coulomb', stiction: 0.3, coulomb: 0.2 };
const PLACE = { position: [0.1, -0.2, 0.3], orientation: [0.5, -0.1, 0.7, 0.5] } as const;
const TILTED = {
  kind: 'box',
  size: [0.3, 0.4, 0.5],
  ...PLACE,
} as const satisfies PatchTargetModel;
const ROUND = {
  kind: 'cylinder',
  radius: 0.2,
  length: 0.3,
  ...PLACE,
} as const satisfies PatchTargetModel;
const body = new Float64Array(13);
const energy = new Float64Array(7);

function against(scene: ElasticScene, target: PatchTargetModel): SystemModel {
  const model = elasticScene(scene);
  const [contact] = model.contacts;
  assert.ok(contact.pair.kind === 'patch');
  return { ...model, contacts: [{ ...contact, pair: { ...contact.pair, target } }] };
}

const stateOf = (run: System): Float64Array => (run.readBody(1, body, 0), body.slice());

test('a flat face pressed on a ball has the force of Hertz', () => {
  const [young, poisson, radius, side] = [1e7, 0.3, 0.05, 0.01];
  for (const [points, depth, part] of [
    [8, 2e-4, 0.02],
    [12, 1e-4, 0.02],
    [12, 2e-4, 0.005],
    [16, 1e-4, 0.005],
    [16, 2e-4, 0.005],
  ] as const) {
    const size = [side, side] as const;
    const face = halfSpaceFace({
      size,
      points: [points, points],
      young,
      poisson,
      radius: Infinity,
    });
    const constants = makePatch(face, H);
    const patch = new ElasticPatch(
      constants,
      { static: 0, sliding: 0 },
      new Float64Array(patchStateLength(constants, true)),
      undefined,
      points * points,
      false,
      makeTarget({ kind: 'sphere', radius, position: [0, 0, 0] }),
    );
    // the face looks down on the ball
    patch.pose.set([0, 0, radius - depth, 1, 0, 0, 0, -1, 0, 0, 0, -1]);
    patch.solve();
    const wanted = (4 / 3) * (young / (1 - poisson ** 2)) * Math.sqrt(radius) * depth ** 1.5;
    const force = patch.wrench[2];
    assert.ok(Math.abs(force / wanted - 1) < part, `${points} points: ${force} of ${wanted} N`);
    assert.ok(Math.abs(patch.wrench[0]) + Math.abs(patch.wrench[1]) < 1e-12 * force);
  }
});

for (const shape of [TILTED, ROUND]) {
  test(`heights over a ${shape.kind}: the nearest of its places, and the normal is their slope`, () => {
    const target = makeTarget(shape);
    const random = new Random(7);
    const draw = (): number => random.uniform();
    const at = (x: readonly number[]): number => {
      target.measure(Float64Array.from(x), 0);
      return target.gap[0];
    };
    let inside = 0;
    for (let k = 0; k < 300; k++) {
      const place = [0, 1, 2].map((a) => shape.position[a] + 0.6 * (draw() - 0.5));
      const gap = at(place);
      const normal = [...target.normal];
      if (gap < 0) inside++;
      assert.ok(Math.abs(Math.hypot(...normal) - 1) < 1e-14);
      // one step along the normal changes the height by as much; near an edge inside, another side may be nearer
      const foot = place.map((x, a) => x - gap * normal[a]);
      assert.ok(Math.abs(at(foot)) < 1e-13, `${at(foot)} m off the surface`);
      if (gap < 0) continue;
      for (let a = 0; a < 3; a++) {
        const step = place.map((x, b) => (b === a ? x + 1e-7 : x));
        const back = place.map((x, b) => (b === a ? x - 1e-7 : x));
        assert.ok(Math.abs((at(step) - at(back)) / 2e-7 - normal[a]) < 1e-5);
      }
    }
    assert.ok(inside > 20 && inside < 280, `${inside} inside`);
  });
}

test('the side of a box is a plane: the same flight, soft and stiff, with friction', () => {
  const box: PatchTargetModel = {
    kind: 'box',
    size: [2, 2, 1],
    position: [0, 0, -0.5],
    orientation: [0, 0, 0, 1],
  };
  const oblique: ElasticScene = {
    height: 1.3e-5,
    velocity: [0.02, 0, -0.05],
    aside: [0.01, 0.004],
    turns: true,
    substeps: 300,
  };
  const extras: ElasticScene[] = [
    { friction: FRICTION },
    { friction: FRICTION, compliance: STIFF },
    { compliance: STIFF, table: 5 },
  ];
  for (const extra of extras) {
    const scene: ElasticScene = { ...oblique, ...extra };
    const runs: System[] = [elasticScene(scene), against(scene, box)].map((one) => makeSystem(one));
    for (let k = 0; k < 20; k++) for (const run of runs) assert.equal(run.step(H), 0);
    const [plane, side] = runs.map(stateOf);
    assert.ok(plane[9] > 0.01, 'it came off');
    for (let e = 0; e < 13; e++) {
      assert.ok(Math.abs(plane[e] - side[e]) < 1e-9, `${e}: ${plane[e]} and ${side[e]}`);
    }
  }
});

test('a cylinder is a plane at its end, and a ball about its axis', () => {
  const end: PatchTargetModel = { ...ROUND, radius: 2, position: [0, 0, -0.15] };
  const upright: PatchTargetModel = { ...end, orientation: [0, 0, 0, 1] };
  const scene: ElasticScene = { height: 1.3e-5, velocity: [0.02, 0, -0.05], friction: FRICTION };
  const runs = [elasticScene(scene), against(scene, upright)].map((one) => makeSystem(one));
  for (let k = 0; k < 20; k++) for (const run of runs) assert.equal(run.step(H), 0);
  const [plane, flat] = runs.map(stateOf);
  for (let e = 0; e < 13; e++) assert.ok(Math.abs(plane[e] - flat[e]) < 1e-9, `${e}`);
  const ball = makeTarget({ kind: 'sphere', radius: 0.2, position: [0, 0, 0] });
  const long = makeTarget({ ...ROUND, length: 9, position: [0, 0, 0], orientation: [0, 0, 0, 1] });
  for (const place of [
    [0.15, 0.02, 0],
    [0.3, -0.1, 0],
    [0, 0.19, 0],
  ]) {
    ball.measure(Float64Array.from(place), 0);
    long.measure(Float64Array.from(place), 0);
    assert.equal(long.gap[0], ball.gap[0]);
    assert.deepEqual(long.normal, ball.normal);
  }
});

test('a mesh with the corners of a box is the box: depths and heights over its sides, and the flight over one', () => {
  const { size, position, orientation } = TILTED;
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k): [number, number, number] => [
    (k & 1 ? 0.5 : -0.5) * size[0],
    (k & 2 ? 0.5 : -0.5) * size[1],
    (k & 4 ? 0.5 : -0.5) * size[2],
  ]);
  const mesh = { kind: 'mesh', vertices: corners, position, orientation } as const;
  const [box, hull] = [TILTED, mesh].map((one) => makeTarget(one));
  const random = new Random(9);
  let inside = 0;
  for (let k = 0; k < 300; k++) {
    const place = Float64Array.from(position, (x) => x + 0.6 * (random.uniform() - 0.5));
    box.measure(place, 0);
    hull.measure(place, 0);
    // beside an edge the height over a side is less than the distance
    assert.ok(hull.gap[0] < box.gap[0] + 1e-15 && hull.gap[0] > 0 === box.gap[0] > 0);
    if (box.gap[0] >= 0) continue;
    inside++;
    assert.ok(Math.abs(hull.gap[0] - box.gap[0]) < 1e-15);
    for (let a = 0; a < 3; a++) assert.ok(Math.abs(hull.normal[a] - box.normal[a]) < 1e-14);
  }
  assert.ok(inside > 20, `${inside} inside`);
  const scene: ElasticScene = { height: 1.3e-5, velocity: [0.02, 0, -0.05], friction: FRICTION };
  const slab: PatchTargetModel = {
    ...mesh,
    position: [0, 0, -0.25],
    orientation: [0, 0, 0, 1],
  };
  const runs = [elasticScene(scene), against(scene, slab)].map((one) => makeSystem(one));
  for (let k = 0; k < 20; k++) for (const run of runs) assert.equal(run.step(H), 0);
  const [plane, flat] = runs.map(stateOf);
  for (let e = 0; e < 13; e++) assert.ok(Math.abs(plane[e] - flat[e]) < 1e-9, `${e}`);
  const square = corners.map(([x, y]) => [x, y, 0] as const);
  assert.throws(
    () => makeSystem(against({}, { ...mesh, vertices: square })),
    /target\.vertices to span a volume/,
  );
});

test('an impact on a ball that is free keeps momenta and energy', () => {
  const ball: PatchTargetModel = { kind: 'sphere', radius: 0.03, position: [0.003, 0, -0.03] };
  const run = makeSystem(
    against(
      {
        height: 2e-5,
        velocity: [0, 0, -0.05],
        turns: true,
        table: 5,
        substeps: 500,
        compliance: STIFF,
      },
      ball,
    ),
  );
  const before = momentumOf(run).slice(0, 3);
  run.readEnergy(energy, 0);
  const start = energy[EnergyReadout.kinetic];
  for (let k = 0; k < 10; k++) assert.equal(run.step(H), 0);
  for (const [k, value] of momentumOf(run).slice(0, 3).entries()) {
    assert.ok(Math.abs(value - before[k]) < 1e-13, `${k}: ${value} of ${before[k]}`);
  }
  const state = stateOf(run);
  assert.ok(state[9] > 0, `${state[9]} m/s`);
  run.readEnergy(energy, 0);
  // onset and loss have (ω h)²/4 of it at most
  const kept = energy[EnergyReadout.kinetic] / start;
  assert.ok(Math.abs(kept - 1) < 0.04, `${kept} of the energy`);
  assert.ok(Math.abs(energy[EnergyReadout.balance]) < 1e-9 * start);
});

test('on a ball friction stops it, and without it slides on', () => {
  const ball: PatchTargetModel = { kind: 'sphere', radius: 0.3, position: [0, 0, -0.3] };
  const speed = 5e-3;
  const [held, free] = [FRICTION, { kind: 'none' }].map((friction) => {
    const run = makeSystem(
      against({ height: -1e-6, gravity: 9.81, velocity: [speed, 0, 0], friction }, ball),
    );
    const first = stateOf(run);
    for (let k = 0; k < 300; k++) assert.equal(run.step(H), 0);
    const last = stateOf(run);
    return [0, 1, 2].map((a) => last[a] - first[a]);
  });
  // it swings about its static depth, by Hertz
  const depth = ((0.75 * 2 * 9.81 * (1 - 0.09)) / (1e7 * Math.sqrt(0.3))) ** (2 / 3);
  assert.ok(held[2] < 2e-6 && held[2] > -2.2 * depth, `${held[2]} m of ${-2 * depth}`);
  // what sticks swings on, by the friction's part of the depth at most
  assert.ok(Math.abs(held[0]) < 0.2 * 2.2 * depth, `${held[0]} m along`);
  assert.ok(Math.abs(held[1]) < 1e-9, `${held[1]} m across`);
  assert.ok(Math.abs(free[0] / (0.3 * speed) - 1) < 0.1, `${free[0]} of ${0.3 * speed} m`);
});

test('refused: a ball without radius, a box without a side, a cylinder without length', () => {
  for (const [target, wanted] of [
    [{ kind: 'sphere', radius: 0, position: [0, 0, 0] }, /target\.radius/],
    [{ ...TILTED, size: [1, 0, 1] }, /target\.size/],
    [{ ...ROUND, length: 0 }, /target\.length/],
    [{ ...TILTED, orientation: [0, 0, 0, 2] }, /target\.orientation/],
  ] as const) {
    assert.throws(() => makeSystem(against({}, target)), wanted);
  }
});
