/** Normal law of the volumetric contact: force, restitution, energy, relaxed volume, turn; two bodies as one foundation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkContactParts } from '../../../src/contact/check-contact.ts';
import { dampingForRestitution } from '../../../src/contact/normal/damping-factor.ts';
import {
  combineStiffness,
  plateOffset,
  yieldShare,
} from '../../../src/contact/normal/foundation.ts';
import {
  DAMPING,
  ELASTIC,
  LEAST,
  MEAN_RATE,
  NORMAL_RATE,
  NORMAL_RESULT,
  NORMAL_TIMING,
  OVERLAP_AREA,
  OVERLAP_VOLUME,
  SPAN,
  STORED,
  TURN,
  TURN_AREA,
  TURN_DEPTH,
  TURN_INVERSE_MASS,
  TURN_RATE,
  TURN_STIFFNESS,
  TURN_VOLUME,
} from '../../../src/contact/normal/normal-law.ts';
import { VOLUMETRIC_BRISTLE } from '../../../src/contact/friction/volumetric-bristle.ts';
import { VOLUMETRIC_LAW } from '../../../src/contact/normal/volumetric.ts';
import { VOLUMETRIC_ROLLING } from '../../../src/contact/rolling/volumetric.ts';
import type { VolumetricLawModel } from '../../../src/model/volumetric-spec.ts';
import { FRICTION, normalLaw } from '../../fixtures/volumetric-laws.ts';

const MODEL: VolumetricLawModel = {
  kind: 'volumetric',
  stiffness: 1e7,
  restitution: 0.5,
  smallVelocity: 1e-3,
  relaxationTime: 0,
};

function below(value: number, limit: number, what: string): void {
  assert.ok(value <= limit, `${what}: ${value} is not below ${limit}`);
}

/** Overlap of a body pushed in by h, V and A_c = V'. */
interface Shape {
  readonly name: string;
  volume(h: number): number;
  area(h: number): number;
  /** ∫ V dh */
  energy(h: number): number;
}
const R = 0.1;
const SHAPES: readonly Shape[] = [
  { name: 'plate', volume: (h) => 0.02 * h, area: () => 0.02, energy: (h) => 0.01 * h * h },
  {
    name: 'ball',
    volume: (h) => (Math.PI * h * h * (3 * R - h)) / 3,
    area: (h) => Math.PI * h * (2 * R - h),
    energy: (h) => (Math.PI * h ** 3 * (4 * R - h)) / 12,
  },
  {
    name: 'corner',
    volume: (h) => 3 * h ** 3,
    area: (h) => 9 * h * h,
    energy: (h) => 0.75 * h ** 4,
  },
];

test('the elastic force is k_v V, the damping d(e)/(e v_i) times it, v_i not below v_small', () => {
  const law = normalLaw(MODEL);
  const result = new Float64Array(NORMAL_RESULT);
  result[OVERLAP_VOLUME] = 2e-6;
  result[NORMAL_RATE] = -0.3;
  for (const [rate, speed] of [
    [-0.4, 0.4],
    [-1e-5, 1e-3],
    [0, 1e-3],
  ]) {
    law.begin(rate, 0, result);
    law.evaluate(result);
    below(Math.abs(result[ELASTIC] - 20), 1e-13, 'elastic');
    const level = dampingForRestitution(0.5);
    below(Math.abs(result[DAMPING] - (20 * level) / speed), 1e-10, 'damping');
    assert.equal(result[LEAST], 0);
    below(Math.abs(law.rates[0] - 20 * 0.3), 1e-13, 'power');
    law.end();
    assert.equal(law.internals[0], 0);
  }
});

/** Drops a body of 1 kg with the given speed; semi-implicit steps. Returns rebound over impact speed and the largest |U − k_v ∫V dh|. */
function impact(
  shape: Shape,
  model: VolumetricLawModel,
  speed: number,
  h: number,
): [number, number, number] {
  const law = normalLaw(model);
  const result = new Float64Array(NORMAL_RESULT);
  const timing = new Float64Array(NORMAL_TIMING);
  timing[SPAN] = h;
  let v = -speed;
  let x = -speed * 1e-9;
  result[OVERLAP_VOLUME] = shape.volume(-x);
  result[OVERLAP_AREA] = shape.area(-x);
  law.begin(v, -x, result);
  let worst = 0;
  let most = 0;
  while (x < 0) {
    result[OVERLAP_VOLUME] = shape.volume(-x);
    result[OVERLAP_AREA] = shape.area(-x);
    result[NORMAL_RATE] = v;
    law.evaluate(result);
    worst = Math.max(worst, Math.abs(result[STORED] - model.stiffness * shape.energy(-x)));
    most = Math.max(most, result[STORED]);
    const old = v;
    v += h * Math.max(0, result[ELASTIC] - result[DAMPING] * v);
    x += h * v;
    timing[MEAN_RATE] = 0.5 * (old + v);
    law.advance(timing);
  }
  return [v / speed, worst, most];
}

test('an impact returns the restitution for any shape, and the integrated energy is k_v ∫V dh on a plane', () => {
  for (const shape of SHAPES) {
    for (const restitution of [0.1, 0.5, 0.9]) {
      const coarse = impact(shape, { ...MODEL, restitution }, 0.3, 4e-6);
      const fine = impact(shape, { ...MODEL, restitution }, 0.3, 1e-6);
      const what = `${shape.name} ${restitution}`;
      // first order in the step, some 1e4 steps a contact
      below(Math.abs(fine[0] - restitution), 2e-4, `${what} restitution`);
      below(fine[1], 2e-3 * fine[2], `${what} energy`);
      below(fine[1], 0.4 * coarse[1], `${what} energy converges`);
    }
  }
});

test('an overlap found after it began holds the energy of its local power law; with relaxation none and no force', () => {
  const result = new Float64Array(NORMAL_RESULT);
  for (const shape of SHAPES) {
    const h = 1e-3;
    result[OVERLAP_VOLUME] = shape.volume(h);
    result[OVERLAP_AREA] = shape.area(h);
    const plain = normalLaw(MODEL);
    plain.begin(-0.1, h, result);
    plain.evaluate(result);
    const want = 1e7 * shape.energy(h);
    // the ball is a power law to h/(12 R) = 1e-3
    below(Math.abs(result[STORED] - want), 1e-3 * want, shape.name);
    const relaxed = normalLaw({ ...MODEL, relaxationTime: 1 });
    relaxed.begin(-0.1, h, result);
    relaxed.evaluate(result);
    assert.equal(result[ELASTIC], 0);
    assert.equal(result[STORED], 0);
    assert.ok(relaxed.rates[1] === -relaxed.states[1]);
    // the reference volume fades with the time constant, exactly
    relaxed.advance(Float64Array.of(0.7, 0));
    relaxed.evaluate(result);
    const volume = shape.volume(h) * (1 - Math.exp(-0.7));
    below(Math.abs(result[ELASTIC] - 1e7 * volume), 1e-12 * 1e7 * volume, 'relaxed force');
    // a contact that is found at its instant of touch has nothing to relax
    const touched = normalLaw({ ...MODEL, relaxationTime: 1 });
    touched.begin(-0.1, 0, result);
    assert.equal(touched.states[1], 0);
  }
});

test('the turn: where a power law stops, and its stiffness k_v A_c there', () => {
  const law = normalLaw(MODEL);
  const turn = new Float64Array(TURN);
  for (const q of [1, 1.5, 2, 3]) {
    const volume = (h: number): number => 5 * h ** q;
    const depth = 4e-4;
    turn[TURN_DEPTH] = depth;
    turn[TURN_RATE] = -0.2;
    turn[TURN_INVERSE_MASS] = 0.5;
    turn[TURN_VOLUME] = volume(depth);
    turn[TURN_AREA] = 5 * q * depth ** (q - 1);
    law.measureTurn(turn);
    const deep = turn[TURN_DEPTH];
    const stored = (h: number): number => (1e7 * 5 * h ** (q + 1)) / (q + 1);
    const energy = stored(depth) + 0.5 * 0.2 ** 2 * 2;
    below(Math.abs(stored(deep) - energy), 1e-12 * energy, `energy at the turn, q = ${q}`);
    const stiffness = 1e7 * 5 * q * deep ** (q - 1);
    below(Math.abs(turn[TURN_STIFFNESS] - stiffness), 1e-12 * stiffness, `stiffness, q = ${q}`);
  }
  // exponents outside [1, 3] are clipped; without data there is no exponent
  turn[TURN_DEPTH] = 1e-3;
  turn[TURN_VOLUME] = 1e-6;
  turn[TURN_AREA] = 1e-4;
  turn[TURN_RATE] = 0;
  law.measureTurn(turn);
  below(Math.abs(turn[TURN_STIFFNESS] - 1e4), 1e-8, 'clipped to a plate');
  turn[TURN_VOLUME] = 0;
  law.measureTurn(turn);
  assert.equal(turn[TURN_STIFFNESS], 0);
});

test('two bodies: springs in series, shares that add up, the plate half a depth off a rigid body', () => {
  below(Math.abs(combineStiffness(3e7, 6e7) - 2e7), 1e-7, 'series');
  assert.equal(combineStiffness(3e7, Number.POSITIVE_INFINITY), 3e7);
  below(Math.abs(yieldShare(3e7, 6e7) - 2 / 3), 1e-15, 'the softer body yields more');
  below(Math.abs(yieldShare(3e7, 6e7) + yieldShare(6e7, 3e7) - 1), 1e-15, 'shares');
  const infinite = Number.POSITIVE_INFINITY;
  const [volume, area] = [4e-5, 0.02];
  below(Math.abs(plateOffset(1e7, infinite, volume, area) - 1e-3), 1e-18, 'j rigid');
  below(Math.abs(plateOffset(infinite, 1e7, volume, area) + 1e-3), 1e-18, 'i rigid');
  below(Math.abs(plateOffset(1e7, 1e7, volume, area)), 0, 'equal');
  below(Math.abs(plateOffset(3e7, 6e7, volume, area) - 1e-3 / 3), 1e-18, '(4.143)');
});

test('the definitions need an overlap and refuse bad parameters by name', () => {
  assert.deepEqual(VOLUMETRIC_LAW.needs, ['volume']);
  for (const { needs } of [VOLUMETRIC_BRISTLE, VOLUMETRIC_ROLLING])
    assert.deepEqual(needs, ['volume', 'inertia']);
  assert.deepEqual(VOLUMETRIC_LAW.size(MODEL), { states: 1, internals: 1 });
  assert.deepEqual(VOLUMETRIC_LAW.size({ ...MODEL, relaxationTime: 1 }), {
    states: 2,
    internals: 1,
  });
  assert.deepEqual(VOLUMETRIC_BRISTLE.size(FRICTION), { states: 5, internals: 0 });
  assert.deepEqual(VOLUMETRIC_BRISTLE.size({ ...FRICTION, dwellTime: 0 }), {
    states: 4,
    internals: 0,
  });
  const bad = [
    ['stiffness', { ...MODEL, stiffness: 0 }],
    ['restitution', { ...MODEL, restitution: 0 }],
    ['restitution', { ...MODEL, restitution: 1.1 }],
    ['smallVelocity', { ...MODEL, smallVelocity: 0 }],
    ['relaxationTime', { ...MODEL, relaxationTime: -1 }],
  ] as const;
  for (const [field, model] of bad) {
    assert.throws(
      () => {
        VOLUMETRIC_LAW.check(model, 'law');
      },
      { field: `law.${field}` },
    );
  }
  const worse = [
    ['coulomb', { ...FRICTION, coulomb: -0.1 }],
    ['stiction', { ...FRICTION, stiction: 0.01 }],
    ['bristleStiffness', { ...FRICTION, bristleStiffness: 0 }],
    ['bristleDamping', { ...FRICTION, bristleDamping: Number.NaN }],
    ['viscousDamping', { ...FRICTION, viscousDamping: -1 }],
    ['stribeckVelocity', { ...FRICTION, stribeckVelocity: 0 }],
    ['dwellTime', { ...FRICTION, dwellTime: -1 }],
    ['velocityTolerance', { ...FRICTION, velocityTolerance: 2e-4 }],
    ['spinScale', { ...FRICTION, spinScale: -1 }],
  ] as const;
  for (const [field, model] of worse) {
    assert.throws(
      () => {
        VOLUMETRIC_BRISTLE.check(model, 'law');
      },
      { field: `law.${field}` },
    );
  }
});

test('a volumetric law on a pair of points is refused with the name of what is missing', () => {
  const contact = {
    name: 'c',
    bodyI: 'i',
    bodyJ: 'j',
    pair: {
      kind: 'sphere-plane',
      radius: 0.1,
      center: [0, 0, 0],
      normal: [0, 0, 1],
      offset: 0,
    },
    normalLaw: { kind: 'kelvin-voigt', stiffness: 1e4, damping: 1 },
    frictionLaw: { kind: 'none' },
    rollingLaw: { kind: 'none' },
  } as const;
  const wrong = [
    ['normalLaw', { ...contact, normalLaw: MODEL }],
    ['frictionLaw', { ...contact, frictionLaw: FRICTION }],
    ['rollingLaw', { ...contact, rollingLaw: { kind: 'volumetric' } }],
  ] as const;
  checkContactParts(contact, 'contacts[0]');
  for (const [part, model] of wrong) {
    assert.throws(
      () => {
        checkContactParts(model, 'contacts[0]');
      },
      { code: 'BERTH_MISMATCH', field: `contacts[0].${part}`, message: /needs volume/ },
    );
  }
});
