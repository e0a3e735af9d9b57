/**
 * Bad input, one number at a time: every number of every sample of pair, law and shape, and of bodies and run, becomes NaN, ±∞, −1
 * and 0. It is refused by name, or it is in the list of what is legal and runs. A state that is not finite: acceptance-bad-input.long.test.ts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BerthError } from '../../../src/base/errors.ts';
import { makeSystem, Random, type SystemModel } from '../../../src/index.ts';
import type { ConvexShapeModel, PairModel } from '../../../src/model/contact-spec.ts';
import { body, contact, system } from '../../fixtures/models.ts';
import {
  type Combination,
  combinations,
  FRICTION_SAMPLES,
  NORMAL_SAMPLES,
  PAIR_SAMPLES,
  randomScene,
  ROLLING_SAMPLES,
} from '../../fixtures/samples.ts';

const ALL = combinations();
const COMPATIBLE = ALL.filter((one) => one.missing.length === 0);
const BAD = [NaN, Infinity, -Infinity, -1, 0] as const;

/** Numbers that may be 0 besides coordinates: switched off, or a limit of the range. */
const MAY_BE_ZERO = [
  'hysteretic.relaxationTime',
  'hysteretic.slope', // 0 is elastic
  'hertz.relaxationTime',
  'modia3d.restitution', // 0 takes the largest damping at every speed
  'restitution-slope.slope',
  'kelvin-voigt.damping',
  'freeform.radius', // 0 is a point
  'bristle.coulomb',
  'bristle.viscousDamping',
  'bristle.dwellTime',
  'regularized-coulomb.coulomb',
  'stribeck.coulomb',
  'stribeck.viscousDamping',
  'lugre.bristleDamping',
  'lugre.viscousDamping',
  'modia3d.rollingFriction',
  'volumetric.relaxationTime',
  'volumetric-bristle.coulomb',
  'volumetric-bristle.viscousDamping',
  'volumetric-bristle.dwellTime',
  'volumetric-bristle.spinScale',
  'convex.smoothing',
  'convex.topRadius',
  'sampled.error',
  'coulomb.coulomb',
  'patch.areas',
];
/** Coordinates: any finite number is legal. */
const COORDINATES = [
  'center',
  'centerJ',
  'offset',
  'edgePoint',
  'axisPoint',
  'apex',
  'position',
  'vertices',
  'velocity',
  'angularVelocity',
  'gravity',
  'anchor',
  'origin',
  'points',
  'normals',
];
/** Vectors and quaternions of length 1: legal when a change leaves them so. */
const UNIT = ['normal', 'normal1', 'normal2', 'axis', 'orientation'];

type Path = readonly (string | number)[];

/** Paths of all numbers of a plain value. */
function numbers(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'number') return [path];
  if (typeof value !== 'object' || value === null) return [];
  if (ArrayBuffer.isView(value)) return []; // of files: test/src/contact/sampled-contact.test.ts
  return Object.entries(value).flatMap(([key, part]) =>
    numbers(part, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], value);
}

/** A copy with one number replaced. */
function replaced<T>(value: T, path: Path, by: number): T {
  const copy = structuredClone(value);
  const last = path[path.length - 1];
  (at(copy, path.slice(0, -1)) as Record<string, number>)[last] = by;
  return copy;
}

/** The name of the field that a path leads to: its last key that is no index. */
function nameOf(path: Path): string {
  return path.findLast((key) => typeof key === 'string') ?? '';
}

function isLegal(kind: string, path: Path, value: number, changed: unknown): boolean {
  if (!Number.isFinite(value)) return false;
  const name = nameOf(path);
  if (COORDINATES.includes(name)) return true;
  if (UNIT.includes(name)) {
    const v = at(changed, path.slice(0, path.lastIndexOf(name) + 1)) as number[];
    return Math.abs(v.reduce((sum, x) => sum + x * x, 0) - 1) < 1e-9;
  }
  return value === 0 && MAY_BE_ZERO.includes(`${kind}.${name}`);
}

/** Steps of a run, all finite. */
function runs(model: SystemModel, what: string): void {
  const run = makeSystem(model);
  for (let n = 0; n < 20; n++) assert.equal(run.step(2e-4), 0, `${what} at step ${n}`);
  assert.ok(run.state.every(Number.isFinite), what);
}

/** Refused with the field in `field` and in the sentence, and with the value or what follows from it. */
function refused(make: () => unknown, field: string, what: string): void {
  const judge = (error: unknown): boolean => {
    assert.ok(error instanceof BerthError, `${what}: ${String(error)}`);
    assert.ok(error.field?.includes(field), `${what}: field ${error.field} of: ${error.message}`);
    assert.match(error.message, new RegExp(`Expected .*${field}.*, got `), what);
    return true;
  };
  assert.throws(make, judge, `${what}: refuse it in the check, or name it in MAY_BE_ZERO`);
}

const SCENE = { integrator: 'implicit-contact', approach: 0.5, gravity: 9.81 } as const;

/** Tries every bad number in one part of a contact. @returns [refused, legal] */
function tryPart<T extends { readonly kind: string }>(
  part: T,
  scene: SystemModel,
  put: (changed: T) => Partial<SystemModel['contacts'][number]>,
): [number, number] {
  const count: [number, number] = [0, 0];
  for (const path of numbers(part)) {
    for (const value of BAD) {
      if (at(part, path) === value) continue;
      const changed = replaced(part, path, value);
      const [spec] = scene.contacts;
      const model = { ...scene, contacts: [{ ...spec, ...put(changed) }] };
      const what = `${part.kind} ${path.join('.')} = ${value}`;
      if (isLegal(part.kind, path, value, changed)) {
        runs(model, what);
        count[1]++;
      } else {
        refused(() => makeSystem(model), nameOf(path), what);
        count[0]++;
      }
    }
  }
  return count;
}

function sceneWith(uses: (one: Combination) => boolean): SystemModel {
  const found = COMPATIBLE.find(uses);
  assert.ok(found !== undefined, 'every sample is part of a compatible combination');
  // draws of its own, so that another law changes no scene; with these, bodies of facets start apart
  return randomScene(found, new Random(3), { ...SCENE, gap: 1e-4, freeJ: true });
}

/** Checks that there was something to refuse, and something legal where it should be. */
function tried(name: string, [bad, good]: readonly [number, number], leastGood: number): void {
  assert.ok(bad >= 3, `${name}: ${bad} refused`);
  assert.ok(good >= leastGood, `${name}: ${good} legal`);
}

test('every number of every normal, friction and rolling law', () => {
  for (const law of Object.values(NORMAL_SAMPLES).flat()) {
    if (numbers(law).length === 0) continue; // its numbers are those of the pair
    const scene = sceneWith((one) => one.normalLaw === law);
    tried(
      law.kind,
      tryPart(law, scene, (normalLaw) => ({ normalLaw })),
      0,
    );
  }
  for (const law of Object.values(FRICTION_SAMPLES).flat()) {
    if (law.kind === 'none') continue;
    const scene = sceneWith((one) => one.frictionLaw === law);
    tried(
      law.kind,
      tryPart(law, scene, (frictionLaw) => ({ frictionLaw })),
      law.kind === 'dahl' ? 0 : 1, // both of its numbers are above 0
    );
  }
  for (const law of Object.values(ROLLING_SAMPLES).flat()) {
    if (numbers(law).length === 0) continue;
    const scene = sceneWith((one) => one.rollingLaw === law);
    tried(
      law.kind,
      tryPart(law, scene, (rollingLaw) => ({ rollingLaw })),
      1,
    );
  }
});

test('every number of every pair', () => {
  for (const sample of Object.values(PAIR_SAMPLES).flat()) {
    if (numbers(sample.model).length === 0) continue; // of cells, whose numbers are those of bodies
    const scene = sceneWith((one) => one.pair === sample);
    tried(
      sample.model.kind,
      tryPart<PairModel>(sample.model, scene, (pair) => ({ pair })),
      6,
    );
  }
});

const SHAPES: readonly ConvexShapeModel[] = [
  { kind: 'sphere', radius: 0.1 },
  { kind: 'ellipsoid', size: [0.3, 0.2, 0.15] },
  { kind: 'box', size: [0.3, 0.25, 0.2] },
  { kind: 'cylinder', radius: 0.1, length: 0.3 },
  { kind: 'frustum', radius: 0.1, topRadius: 0.05, length: 0.3 },
  { kind: 'capsule', radius: 0.1, length: 0.3 },
  { kind: 'beam', length: 0.3, width: 0.2, thickness: 0.1 },
  {
    kind: 'mesh',
    vertices: [-0.1, 0.1].flatMap((x) =>
      [-0.12, 0.12].flatMap((y) => [-0.14, 0.14].map((z) => [x, y, z] as const)),
    ),
  },
];

test('every number of every convex shape, its place, its rounding and its radius', () => {
  const scene = sceneWith((one) => one.pair.model.kind === 'convex');
  const box = { shape: SHAPES[2], position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
  for (const shape of SHAPES) {
    const placed = {
      shape,
      position: [0.01, 0, 0],
      orientation: [0, 0.6, 0, 0.8],
      smoothing: 1e-3,
      contactRadius: 0.05,
    } as const;
    const pair = { kind: 'convex', shapeI: placed, shapeJ: box } as const;
    tried(
      shape.kind,
      tryPart<PairModel>(pair, scene, (changed) => ({ pair: changed })),
      8,
    );
  }
});

test('every number of bodies, springs and the run', () => {
  const model = system({
    integrator: 'dormand-prince',
    gravity: [0, 0, -9.81],
    bodies: [
      body('ball', 'dynamic', {
        inertia: [0.1, 0.12, 0.15, 0.01, 0.02, 0.03],
        position: [0, 0, 2],
      }),
      body('ground', 'fixed'),
    ],
    contacts: [contact('ball', 'ground')],
    springs: [{ body: 'ball', anchor: [0.1, 0.2, 0.3], stiffness: 100 }],
    relativeTolerance: 1e-6,
    absoluteTolerance: 1e-8,
  });
  let bad = 0;
  for (const path of numbers(model)) {
    if (path[0] === 'contacts') continue;
    // a fixed body has no use for mass and inertia
    if (path[0] === 'bodies' && path[1] === 1 && ['mass', 'inertia'].includes(nameOf(path)))
      continue;
    for (const value of BAD) {
      if (at(model, path) === value) continue;
      const name = nameOf(path);
      const changed = replaced(model, path, value);
      const what = `${path.join('.')} = ${value}`;
      // products of inertia may be 0
      const zero = value === 0 && name === 'inertia' && Number(path.at(-1)) >= 3;
      if (zero || isLegal('', path, value, changed)) runs(changed, what);
      else {
        refused(() => makeSystem(changed), name, what);
        bad++;
      }
    }
  }
  assert.ok(bad > 100, `${bad} refused`);
});
