/**
 * What must not change the wrench of a volumetric contact: how bodies are cut into cells, the frame, which body is i, and the units.
 * `Gonthier 2007, chapter 4; acceptance 13`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  makeSystem,
  Random,
  type BodyModel,
  type FrictionLawModel,
  type NormalMethod,
  type SystemModel,
} from '../../../src/index.ts';
import { body } from '../../fixtures/models.ts';
import {
  BRISTLE,
  box,
  cell,
  cutBox,
  floor,
  type Point,
  scene,
  type SceneOptions,
  type Turn,
  wrenchAt,
} from '../../fixtures/volumetric-models.ts';

/** Rotation by a small or large random vector. */
function turnOf(x: number, y: number, z: number): Turn {
  const angle = Math.hypot(x, y, z);
  const k = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
  return [k * x, k * y, k * z, Math.cos(angle / 2)];
}

function rotate([x, y, z, w]: Turn, v: readonly number[]): Point {
  const t = [0, 1, 2].map((a) => {
    const [b, c] = [(a + 1) % 3, (a + 2) % 3];
    return 2 * ([x, y, z][b] * v[c] - [x, y, z][c] * v[b]);
  });
  const [p, q, r] = [0, 1, 2].map((a) => {
    const [b, c] = [(a + 1) % 3, (a + 2) % 3];
    return v[a] + w * t[a] + ([x, y, z][b] * t[c] - [x, y, z][c] * t[b]);
  });
  return [p, q, r];
}

function multiply(a: Turn, b: Turn): Turn {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

const norm = (v: readonly number[]): number => Math.hypot(...v);
/** Difference of the forces over the size of the first. */
function forceDifference(a: readonly number[], b: readonly number[]): number {
  return norm(a.slice(0, 3).map((x, k) => x - b[k])) / norm(a.slice(0, 3));
}

/** Largest difference over the size of the first. */
function difference(a: readonly number[], b: readonly number[]): number {
  const force = forceDifference(a, b);
  const moment =
    norm(a.slice(3).map((x, k) => x - b[k + 3])) / (norm(a.slice(3)) + norm(a.slice(0, 3)) * 1e-3);
  return Math.max(force, moment);
}

const SIZE: Point = [0.2, 0.1, 0.1];
const FRICTIONLESS: SceneOptions = { friction: { kind: 'none' } };

/** A moving box 1 mm deep in the plane. */
function pressed(cuts: Point, parts: Partial<BodyModel>, options: SceneOptions = {}): SystemModel {
  return scene(box(SIZE, { position: [0.01, 0.02, 0.049], ...parts }, cuts), floor(), options);
}

const CUTS: readonly Point[] = [
  [2, 2, 1],
  [4, 4, 1],
  [7, 3, 2],
];

test('cutting a body: normal force and rolling moment to 1e-12', () => {
  const moving = { velocity: [0, 0, -0.3], angularVelocity: [0.5, -0.4, 0] } as const;
  const whole = wrenchAt(pressed([1, 1, 1], moving, FRICTIONLESS));
  assert.ok(norm(whole.slice(0, 3)) > 100 && norm(whole.slice(3)) > 1);
  for (const cuts of CUTS) {
    const error = difference(whole, wrenchAt(pressed(cuts, moving, FRICTIONLESS)));
    assert.ok(error < 1e-12, `${cuts.join()}: ${error}`);
  }
});

test('cutting a body: the tangential force in translation to 1e-12', () => {
  const moving = { velocity: [0.02, 0.01, -0.3] } as const;
  const whole = wrenchAt(pressed([1, 1, 1], moving));
  assert.ok(norm(whole.slice(0, 2)) > 1);
  for (const cuts of CUTS) {
    const error = forceDifference(whole, wrenchAt(pressed(cuts, moving)));
    assert.ok(error < 1e-12, `${cuts.join()}: ${error}`);
  }
});

test('cutting the other body, and both: the same to 1e-12 along the principal axis, to the second order along the vector area', () => {
  const depth = 1e-3;
  const slab = (cuts: Point): BodyModel =>
    body('slab', 'fixed', { cells: cutBox([0.6, 0.6, 0.1], cuts, [0, 0, -0.05]) });
  const moving = { position: [0.01, 0.02, 0.05 - depth], velocity: [0.02, 0.01, -0.3] } as const;
  // with friction the tilted normals turn the slip as well, by tilt × approach speed over slip speed: not small here
  const at = (normal: NormalMethod, cuts: Point, floorCuts: Point): number[] =>
    wrenchAt(
      scene(box(SIZE, moving, cuts), slab(floorCuts), {
        pair: { normal },
        ...(normal === 'vector-area' ? FRICTIONLESS : {}),
      }),
    );
  for (const normal of ['principal-axis', 'vector-area'] as const) {
    const whole = at(normal, [1, 1, 1], [1, 1, 1]);
    // [cuts of the box, of the slab, narrowest patch that they share, m]
    for (const [cuts, floorCuts, width] of [
      [[1, 1, 1], [4, 4, 1], 0.03],
      [[2, 2, 1], [3, 3, 1], 0.03],
      [[4, 3, 1], [8, 7, 1], 8e-3],
    ] as const) {
      const error = forceDifference(whole, at(normal, cuts, floorCuts));
      // an inner face of the slab tilts the vector area of a patch by depth/width, and that of its neighbour back: the sideways
      // forces cancel, the rest is half the square
      const bound = normal === 'principal-axis' ? 1e-12 : (depth / width) ** 2;
      assert.ok(error < bound, `${normal}, ${cuts.join()} on ${floorCuts.join()}: ${error}`);
    }
  }
});

test('cutting: the spin moment lies between that of r_gyr and the area integral', () => {
  // all slip: Coulomb friction in pure spin; a plate of 0.1 × 0.2 m, r_gyr over mean radius 1.0881
  const friction = { ...BRISTLE, stiction: 0.12, stribeckVelocity: 1e-3, velocityTolerance: 1e-5 };
  const spinning = { position: [0, 0, 0.049], angularVelocity: [0, 0, 20] } as const;
  const at = (n: number): number => {
    const model = scene(box(SIZE, spinning, [n, n, 1]), floor(), {
      friction: friction as typeof BRISTLE,
      normal: { restitution: 1 },
      gravity: [0, 0, 0],
    });
    return slidingMoment(model);
  };
  const load = 1e7 * 0.2 * 0.1 * 1e-3;
  const gyration = Math.sqrt((0.2 ** 2 + 0.1 ** 2) / 12);
  const most = 0.12 * load * gyration;
  const least = most / 1.0881;
  let before = Infinity;
  for (const n of [1, 2, 4, 8]) {
    const moment = -at(n);
    assert.ok(
      moment <= most * (1 + 1e-6) && moment >= least * (1 - 1e-3),
      `${n}: ${moment / most}`,
    );
    assert.ok(moment <= before * (1 + 1e-9), `${n}: falls towards the integral`);
    before = moment;
  }
  assert.ok(before < most * 0.93, 'eight by eight is near the integral');
});

/** Spin moment after the bristles were drawn to their limit, in some 1e-4 s of sliding at 1 m/s; the box is held. */
function slidingMoment(model: SystemModel): number {
  const bodies = model.bodies.map((one) => ({
    ...one,
    motion: one.motion === 'fixed' ? ('fixed' as const) : ('prescribed' as const),
  }));
  const run = makeSystem({ ...model, bodies, integrator: 'rk4' });
  for (let n = 0; n < 400; n++) assert.equal(run.step(1e-6), 0);
  const wrench = new Float64Array(6);
  run.contactWrench(0, 0, 0, 0, wrench, 0);
  return wrench[5];
}

/** A random pair of boxes that overlap a little, moving. */
function randomPair(seed: number, friction: FrictionLawModel): SystemModel {
  const random = new Random(seed);
  const pick = (size: number): number => (2 * random.uniform() - 1) * size;
  const i = box([0.2, 0.16, 0.12], {
    position: [pick(0.03), pick(0.03), 0.095 + pick(0.004)],
    orientation: turnOf(pick(0.2), pick(0.2), pick(1)),
    velocity: [pick(0.1), pick(0.1), -0.2 - random.uniform()],
    angularVelocity: [pick(1), pick(1), pick(1)],
  });
  const j = body('base', 'prescribed', {
    cells: [cell('block', { kind: 'box', size: [0.3, 0.3, 0.1] })],
    velocity: [pick(0.1), pick(0.1), pick(0.1)],
    angularVelocity: [pick(0.3), pick(0.3), pick(0.3)],
  });
  return scene(i, j, { friction });
}

/** The model seen from another frame: turned, then moved. */
function moved(model: SystemModel, turn: Turn, shift: Point): SystemModel {
  const bodies = model.bodies.map((one) => {
    const at = rotate(turn, one.position);
    return {
      ...one,
      position: [at[0] + shift[0], at[1] + shift[1], at[2] + shift[2]] as const,
      orientation: multiply(turn, one.orientation),
      velocity: rotate(turn, one.velocity),
      angularVelocity: rotate(turn, one.angularVelocity),
    };
  });
  return { ...model, bodies };
}

const seeds = fc.integer({ min: 1, max: 1_000_000 });

test('the frame: force and moment turn with the scene', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const model = randomPair(seed, BRISTLE);
      const here = wrenchAt(model);
      if (norm(here.slice(0, 3)) < 1e-3) return;
      const turn = turnOf(seed % 3, (seed % 7) / 3, -1);
      const there = wrenchAt(moved(model, turn, [0.3, -0.2, 0.1]));
      const expected = [...rotate(turn, here.slice(0, 3)), ...rotate(turn, here.slice(3))];
      // rounding of the clip: 1e-16 of a coordinate of 0.5 m over a depth of some mm, in volume and normal
      const error = difference(expected, there);
      assert.ok(error < 1e-8, `${seed}: ${error}`);
    }),
    { numRuns: 60, seed: 7 },
  );
});

test('swapping i and j: the same force on the same body', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const model = randomPair(seed, BRISTLE);
      const [contact] = model.contacts;
      const swapped = { ...contact, bodyI: contact.bodyJ, bodyJ: contact.bodyI };
      const one = wrenchAt(model);
      if (norm(one.slice(0, 3)) < 1e-3) return;
      const error = difference(one, wrenchAt({ ...model, contacts: [swapped] }));
      assert.ok(error < 1e-8, `${seed}: ${error}`);
    }),
    { numRuns: 60, seed: 8 },
  );
});

test('scale: lengths, masses and times by dimensional analysis', () => {
  fc.assert(
    fc.property(seeds, fc.constantFrom(0.1, 3, 20), fc.constantFrom(0.5, 7), (seed, l, t) => {
      const m = 2.5;
      const speed = l / t;
      const model = randomPair(seed, BRISTLE);
      const one = wrenchAt(model);
      if (norm(one.slice(0, 3)) < 1e-3) return;
      const scaled: SystemModel = {
        ...model,
        bodies: model.bodies.map((part) => ({
          ...part,
          mass: part.mass * m,
          inertia: part.inertia.map(
            (value) => value * m * l * l,
          ) as unknown as BodyModel['inertia'],
          position: times(part.position, l),
          velocity: times(part.velocity, speed),
          angularVelocity: times(part.angularVelocity, 1 / t),
          cells: (part.cells ?? []).map((c) =>
            c.shape.kind === 'box'
              ? { ...c, shape: { ...c.shape, size: times(c.shape.size, l) } }
              : c,
          ),
        })),
        contacts: model.contacts.map((contact) => ({
          ...contact,
          // N/m³ = kg/(m² s²); bristles 1/m, s/m
          normalLaw: {
            kind: 'volumetric',
            stiffness: (1e7 * m) / (l * l * t * t),
            restitution: 0.5,
            smallVelocity: 1e-3 * speed,
            relaxationTime: 0,
          },
          frictionLaw: {
            ...BRISTLE,
            bristleStiffness: 1e5 / l,
            bristleDamping: (316.23 * t) / l,
            stribeckVelocity: 1e-2 * speed,
            dwellTime: 0.1 * t,
            velocityTolerance: 1e-4 * speed,
          } as typeof BRISTLE,
        })),
      };
      const other = wrenchAt(scaled, 1e-12 * t);
      const force = (m * l) / (t * t);
      const expected = one.map((value, k) => value * force * (k < 3 ? 1 : l));
      const error =
        norm(expected.slice(0, 3).map((x, k) => x - other[k])) / norm(expected.slice(0, 3));
      const turning =
        norm(expected.slice(3).map((x, k) => x - other[k + 3])) /
        (norm(expected.slice(3)) + l * norm(expected.slice(0, 3)) * 1e-3);
      assert.ok(error < 1e-10 && turning < 1e-10, `${seed}: ${error} ${turning}`);
    }),
    { numRuns: 60, seed: 9 },
  );
});

function times([x, y, z]: Point, k: number): Point {
  return [k * x, k * y, k * z];
}
