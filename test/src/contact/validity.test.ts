/** The bits of validity: each begins where its closed form says, for the pairs that have the limit, and for no others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactKernels } from '../../../config/contact-kernels.ts';
import {
  type BodyModel,
  type CellShape,
  type ContactModelSpec,
  makeSystem,
  type PairModel,
  type System,
  type SystemModel,
  VALIDITY_FLAGS,
} from '../../../src/index.ts';
import { ContactReadout } from '../../../src/system/system.ts';
import { ringOnCone } from '../../fixtures/faceted-contact-models.ts';
import { body, contact, system } from '../../fixtures/models.ts';
import { cell, cutBox, floor, scene, STIFFNESS, touch } from '../../fixtures/volumetric-models.ts';

const R = 0.1;
const DEGREE = Math.PI / 180;
const STILL = {
  kind: 'hysteretic',
  restitution: 1,
  smallVelocity: 1e-3,
  relaxationTime: 0,
} as const;

const names = (run: System, k = 0): string[] =>
  VALIDITY_FLAGS.filter((_, bit) => (run.validityOf(k) >> bit) % 2 === 1);
function after(model: SystemModel, steps = 1): string[] {
  const run = makeSystem(model);
  for (let n = 0; n < steps; n++) assert.equal(run.step(model.step), 0);
  return names(run);
}
/** Two bodies that are held where they are. */
function held(i: BodyModel, j: BodyModel, parts: Partial<ContactModelSpec>): SystemModel {
  return system({ bodies: [i, j], contacts: [contact(i.name, j.name, parts)] });
}
const ballAt = (z: number): BodyModel => body('ball', 'prescribed', { position: [0, 0, z] });
const table = body('table', 'fixed');

test('a ball on a plane: a/R above 0.1 from 1 % of R on, the depth from 1 % of its diameter on', () => {
  const at = (depth: number): string[] => after(held(ballAt(R - depth), table, {}));
  assert.deepEqual(at(-1e-3), []);
  assert.deepEqual(at(0.01 * R * (1 - 1e-9)), []);
  assert.deepEqual(at(0.01 * R * (1 + 1e-9)), ['patch']);
  assert.deepEqual(at(0.02 * R * (1 - 1e-9)), ['patch']);
  assert.deepEqual(at(0.02 * R * (1 + 1e-9)), ['depth', 'patch']);
});

test('in a bore R is that of the ball, as the relative radius is above it', () => {
  const pair: PairModel = {
    kind: 'sphere-cylinder',
    radius: R,
    center: [0, 0, 0],
    axisPoint: [0, 0, 0],
    axis: [0, 1, 0],
    cylinderRadius: 1.5 * R,
    side: 'inside',
  };
  // a = √(R_e δ) = 0.1 R; R_e of the elliptic contact from that of a law with the modulus: f = 4/3 E* √R_e δ^1.5
  const depth = 1e-4;
  const law = { ...STILL, kind: 'hertz', contactModulus: 1e6 } as const;
  const run = makeSystem(held(ballAt(0.5 * R + depth), table, { pair, normalLaw: law }));
  run.step(1e-3);
  const row = new Float64Array(64);
  run.readContact(0, row, 0);
  const radius = (row[3] / ((4 / 3) * 1e6 * depth ** 1.5)) ** 2;
  assert.ok(radius > R, `${radius} m`);
  const most = (0.01 * R * R) / radius;
  const at = (share: number): string[] =>
    after(held(ballAt(0.5 * R + share * most), table, { pair }));
  assert.deepEqual([at(1 - 1e-6), at(1 + 1e-6)], [[], ['patch']]);
});

test('the mean pressure of a ball: k δ^1.5 over π R δ against the strength', () => {
  const depth = 0.005 * R;
  const pressure = (1e6 * depth ** 1.5) / (Math.PI * R * depth);
  const at = (yieldStrength: number): string[] =>
    after(
      held(ballAt(R - depth), table, {
        yieldStrength,
        normalLaw: { ...STILL, stiffness: 1e6, exponent: 1.5 },
      }),
    );
  assert.deepEqual([at(pressure * (1 + 1e-9)), at(pressure * (1 - 1e-9))], [[], ['pressure']]);
});

test('a box on a half-space: 1 % of the least side of its smallest cell, and the pressure k_v d', () => {
  const size = [0.2, 0.3, 0.1] as const;
  const model = (depth: number, cuts: [number, number, number], strength?: number): SystemModel => {
    const parts = scene(
      body('box', 'prescribed', { position: [0, 0, 0.05 - depth], cells: cutBox(size, cuts) }),
      floor(),
      { friction: { kind: 'none' }, rolling: { kind: 'none' } },
    );
    const one = touch('box', 'floor', { friction: { kind: 'none' }, rolling: { kind: 'none' } });
    return strength === undefined
      ? parts
      : { ...parts, contacts: [{ ...one, yieldStrength: strength }] };
  };
  assert.deepEqual(after(model(0.99e-3, [1, 1, 1])), []);
  assert.deepEqual(after(model(1.01e-3, [1, 1, 1])), ['depth']);
  assert.deepEqual(after(model(0.51e-3, [1, 1, 2])), ['depth']);
  assert.deepEqual(after(model(0.49e-3, [1, 1, 2])), []);
  const strength = STIFFNESS * 5e-4;
  assert.deepEqual(after(model(5e-4 * (1 - 1e-6), [2, 1, 1], strength)), []);
  assert.deepEqual(after(model(5e-4 * (1 + 1e-6), [2, 1, 1], strength)), ['pressure']);
});

/** Motion of a body that stands, turned by an angle about y. */
function turnedBy(angle: number): Float64Array {
  const x = new Float64Array(13);
  x[4] = Math.sin(angle / 2);
  x[6] = Math.cos(angle / 2);
  return x;
}

test('a normal that turns by more than 10° in a step, not one that is there for the first time', () => {
  const plane = { kind: 'half-space' } as const;
  const moved = body('table', 'prescribed');
  const ofPoints = held(body('ball', 'prescribed'), moved, {
    pair: {
      kind: 'sphere-plane',
      radius: R,
      center: [0, 0, 0],
      normal: [0, 0, 1],
      offset: -R + 1e-4,
    },
  });
  const ball: CellShape = { kind: 'sphere', radius: R };
  const ofCells = scene(
    body('ball', 'prescribed', { cells: [cell('ball', ball)] }),
    { ...moved, cells: [cell('plane', plane, [0, 0, -R + 1e-4])] },
    { friction: { kind: 'none' }, rolling: { kind: 'none' }, gravity: [0, 0, 0] },
  );
  for (const model of [ofPoints, ofCells]) {
    for (const kernels of [null, contactKernels()]) {
      const run = makeSystem(model, kernels);
      const step = (degrees: number): string[] => {
        run.setBodyMotion(1, turnedBy(degrees * DEGREE), 0);
        assert.equal(run.step(model.step), 0);
        return names(run);
      };
      assert.deepEqual([40, 49.9, 60, 60].map(step), [[], [], ['turn'], []]);
    }
  }
});

test('a stand-in for a normal: concentric balls, a cell within a cell, capsules whose axes cross', () => {
  const balls: PairModel = {
    kind: 'sphere-sphere',
    radius: R,
    center: [0, 0, 0],
    radiusJ: R,
    centerJ: [0, 0, 0],
  };
  const last = (model: SystemModel): boolean => after(model).includes('fallback');
  assert.deepEqual(
    [
      last(held(ballAt(0), table, { pair: balls })),
      last(held(ballAt(1e-6), table, { pair: balls })),
    ],
    [true, false],
  );
  const box = (side: number): CellShape => ({ kind: 'box', size: [side, side, side] });
  const boxes = (x: number): SystemModel =>
    scene(
      body('small', 'prescribed', { position: [x, 0, 0], cells: [cell('b', box(0.1))] }),
      body('large', 'fixed', { cells: [cell('b', box(0.4))] }),
      { friction: { kind: 'none' }, rolling: { kind: 'none' } },
    );
  assert.deepEqual([last(boxes(0.01)), last(boxes(0.2))], [true, false]);
  const capsule = { kind: 'capsule', radius: 0.05, length: 0.2 } as const;
  const along = [0, Math.SQRT1_2, 0, Math.SQRT1_2] as const;
  const pair: PairModel = {
    kind: 'convex',
    shapeI: { shape: capsule, position: [0, 0, 0], orientation: [0, 0, 0, 1] },
    shapeJ: { shape: capsule, position: [0, 0, 0], orientation: along },
  };
  const across = (y: number): SystemModel =>
    held(body('i', 'prescribed', { position: [0, y, 0] }), table, { pair });
  assert.deepEqual([last(across(0)), last(across(0.01))], [true, false]);
});

test('facets count by their standoff; what does not touch, or is only seen, has no bits', () => {
  const still = ringOnCone('none', 'drop');
  const [falling, cone] = still.bodies;
  const ring = { ...still, bodies: [{ ...falling, velocity: [0, 0, -2] as const }, cone] };
  const run = makeSystem(ring);
  const reserve: [boolean, boolean][] = [];
  const least = new Float64Array(2);
  const row = new Float64Array(64);
  for (let n = 0; n < 20; n++) {
    assert.equal(run.step(ring.step), 0);
    run.readContact(0, row, 0);
    run.readLeastDistance(least, 0);
    assert.equal(least[1], least[0] / 2e-3);
    // distinct ones push; with the others they are all within the standoff
    assert.ok(run.nearPairs >= row[ContactReadout.pairs], `${run.nearPairs} near pairs`);
    assert.equal(run.nearPairs > 0, row[ContactReadout.active] === 1);
    if (row[0] === 1) assert.ok(Math.abs(least[0] - (2e-3 - row[1])) < 1e-15, `${least[0]} m`);
    else assert.ok(least[0] > 0);
    reserve.push([row[1] > 0.9 * 2e-3, names(run).includes('depth')]);
  }
  for (const [deep, told] of reserve) assert.equal(told, deep);
  assert.ok(reserve.some(([deep]) => deep) && reserve.some(([deep]) => !deep));
  const seen = held(ballAt(0.5 * R), table, { normalLaw: { kind: 'observer' } });
  assert.deepEqual(after(seen), []);
  makeSystem(seen).readLeastDistance(least, 0);
  assert.deepEqual([...least], [NaN, NaN]);
});

test('a strength that is none is refused by name', () => {
  for (const yieldStrength of [0, -1, NaN, Infinity])
    assert.throws(() => makeSystem(held(ballAt(1), table, { yieldStrength })), /yieldStrength/);
});
