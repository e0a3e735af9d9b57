/**
 * One or more sample descriptions of every registered kind of pair and law, every combination of them, and random scenes to put them
 * in. A new kind is covered by the property tests once it has a line here; until then they fail with its name.
 *
 * All samples are of one scale (0.1 m, 1 kg, 1 m/s, contacts of about 10 ms), so that any of them can be mixed.
 */
import {
  FRICTION_LAWS,
  frictionDefinition,
  NORMAL_LAWS,
  normalDefinition,
  PAIRS,
  pairDefinition,
  ROLLING_LAWS,
  rollingDefinition,
} from '../../src/contact/registry.ts';
import type { ContactBody } from '../../src/contact/contact-body.ts';
import type { ContactModel } from '../../src/contact/contact-model.ts';
import { GAP, KINEMATICS, NORMAL, POINT } from '../../src/contact/pair.ts';
import type { Dynamics } from '../../src/dynamics.ts';
import { rotationOf } from '../../src/math/quaternion.ts';
import { type IntegratorKind, Random, type SystemModel } from '../../src/index.ts';
import type {
  ContactModelSpec,
  FrictionLawModel,
  NormalLawModel,
  PairModel,
  RollingLawModel,
  Triple,
} from '../../src/contact-spec.ts';
import { placeCells } from './cell-samples.ts';
import { body, INCLINE_BRISTLE, system } from './models.ts';
import { PAIR_SAMPLES, type PairSample } from './pair-samples.ts';

export { PAIR_SAMPLES };

/** By kind of normal law: 1e6 N/m^1.5, or the same force at the depth of an impact. */
export const NORMAL_SAMPLES: Readonly<Record<string, readonly NormalLawModel[]>> = {
  hysteretic: [
    {
      kind: 'hysteretic',
      stiffness: 1e6,
      exponent: 1.5,
      restitution: 0.6,
      smallVelocity: 1e-2,
      relaxationTime: 0,
    },
  ],
  hertz: [
    {
      kind: 'hertz',
      contactModulus: 2.5e6,
      restitution: 1,
      smallVelocity: 1e-2,
      relaxationTime: 0,
    },
  ],
  modia3d: [
    {
      kind: 'modia3d',
      contactModulus: 2.5e9,
      restitution: 0.7,
      smallVelocity: 0.01,
      maximumDamping: 100,
      reductionFactor: 1e-3,
    },
  ],
  'restitution-slope': [{ kind: 'restitution-slope', stiffness: 1e6, exponent: 1.5, slope: 0.3 }],
  'kelvin-voigt': [{ kind: 'kelvin-voigt', stiffness: 5e4, damping: 40 }],
  // the area of contact is 1e-3 to 1e-2 m²
  volumetric: [
    {
      kind: 'volumetric',
      stiffness: 1e7,
      restitution: 0.6,
      smallVelocity: 1e-2,
      relaxationTime: 0,
    },
  ],
};

/** By kind of friction law. */
export const FRICTION_SAMPLES: Readonly<Record<string, readonly FrictionLawModel[]>> = {
  none: [{ kind: 'none' }],
  bristle: [INCLINE_BRISTLE],
  'regularized-coulomb': [
    {
      kind: 'regularized-coulomb',
      coulomb: 0.5,
      regularization: 'modia3d',
      velocityTolerance: 0.01,
    },
    { kind: 'regularized-coulomb', coulomb: 0.3, regularization: 'cubic', velocityTolerance: 1e-4 },
  ],
  stribeck: [
    {
      kind: 'stribeck',
      stiction: 0.5,
      coulomb: 0.3,
      viscousDamping: 0.02,
      stribeckVelocity: 0.1,
      regularization: 'cubic',
      velocityTolerance: 0.01,
    },
  ],
  'volumetric-bristle': [{ ...INCLINE_BRISTLE, kind: 'volumetric-bristle', spinScale: 0.65 }],
};

/** By kind of rolling law. */
export const ROLLING_SAMPLES: Readonly<Record<string, readonly RollingLawModel[]>> = {
  none: [{ kind: 'none' }],
  modia3d: [{ kind: 'modia3d', rollingFriction: 0.02, angularVelocityTolerance: 0.01 }],
  volumetric: [{ kind: 'volumetric' }],
};

/** Every integrator; a kind that is missing here does not compile. */
const INTEGRATOR_KINDS: Readonly<Record<IntegratorKind, true>> = {
  'implicit-contact': true,
  'symplectic-euler': true,
  ode3: true,
  rk4: true,
  ode5: true,
  'dormand-prince': true,
  rosenbrock: true,
};
export const INTEGRATORS = Object.keys(INTEGRATOR_KINDS) as IntegratorKind[];

/** One combination of samples. */
export interface Combination {
  readonly name: string;
  readonly pair: PairSample;
  readonly normalLaw: NormalLawModel;
  readonly frictionLaw: FrictionLawModel;
  readonly rollingLaw: RollingLawModel;
  /** What the laws need and the pair does not supply. */
  readonly missing: readonly string[];
}

/** Kinds of a registry table that have no sample. */
export function kindsWithoutSample(): string[] {
  const missing = (what: string, table: object, samples: object): string[] =>
    Object.keys(table)
      .filter((kind) => !(kind in samples))
      .map((kind) => `${what} ${kind}`);
  return [
    ...missing('pair', PAIRS, PAIR_SAMPLES),
    ...missing('normal law', NORMAL_LAWS, NORMAL_SAMPLES),
    ...missing('friction law', FRICTION_LAWS, FRICTION_SAMPLES),
    ...missing('rolling law', ROLLING_LAWS, ROLLING_SAMPLES),
  ];
}

/**
 * Every combination of the registered kinds, compatible or not; cells with every law once, with the first sample of the pair. The other
 * samples of cells come with the volumetric normal law and without friction or with the volumetric one: they differ in the column of the
 * overlap, and the laws for points see no more of it than depth, normal and point.
 */
export function combinations(): Combination[] {
  const all: Combination[] = [];
  for (const pair of registered(PAIRS, PAIR_SAMPLES)) {
    const supplied = pairDefinition(pair.model).supplies;
    for (const normalLaw of registered(NORMAL_LAWS, NORMAL_SAMPLES)) {
      for (const frictionLaw of registered(FRICTION_LAWS, FRICTION_SAMPLES)) {
        for (const rollingLaw of registered(ROLLING_LAWS, ROLLING_SAMPLES)) {
          if (isThinned(pair, normalLaw, frictionLaw)) continue;
          const needs = [
            ...normalDefinition(normalLaw).needs,
            ...frictionDefinition(frictionLaw).needs,
            ...rollingDefinition(rollingLaw).needs,
          ];
          const kinds = [pair.model, normalLaw, frictionLaw, rollingLaw].map((part) => part.kind);
          all.push({
            name: kinds.join(' + '),
            pair,
            normalLaw,
            frictionLaw,
            rollingLaw,
            missing: needs.filter((need) => !supplied.includes(need)),
          });
        }
      }
    }
  }
  return all;
}

function isThinned(
  pair: PairSample,
  normalLaw: NormalLawModel,
  frictionLaw: FrictionLawModel,
): boolean {
  if (pair.cells === undefined || pair === PAIR_SAMPLES['volumetric'][0]) return false;
  const own = frictionLaw.kind === 'none' || frictionLaw.kind === 'volumetric-bristle';
  return normalLaw.kind !== 'volumetric' || !own;
}

function registered<S>(table: object, samples: Readonly<Record<string, readonly S[]>>): S[] {
  return Object.keys(table).flatMap((kind) => samples[kind] ?? []);
}

/** Two bodies about to touch or touching, with random poses, masses, inertias and velocities. */
export interface SceneOptions {
  readonly integrator: IntegratorKind;
  /** Gap at the start, m. */
  readonly gap: number;
  /** Normal speed of approach, m/s. */
  readonly approach: number;
  /** Whether body j moves freely; fixed otherwise. */
  readonly freeJ: boolean;
  readonly gravity: number;
}

/** A random scene of a combination: bodies `i` and `j`, contact `c`. */
export function randomScene(
  combination: Combination,
  random: Random,
  options: SceneOptions,
): SystemModel {
  const sign = (): number => 2 * random.uniform() - 1;
  const { model, near, spread } = combination.pair;
  const qj = randomRotation(random);
  const qi = randomRotation(random);
  const pj: Triple = [sign(), sign(), sign()];
  const offset = near.map((value) => value + spread * sign()) as unknown as Triple;
  const { cells } = combination.pair;
  const [pi, n, point] =
    cells === undefined
      ? placePair(model, qi, pj, qj, rotate(qj, offset), options.gap)
      : placeCells(cells, qi, pj, qj, rotate(qj, offset), options.gap);
  const vj = options.freeJ ? [sign(), sign(), sign()] : [0, 0, 0];
  const wj = options.freeJ ? [2 * sign(), 2 * sign(), 2 * sign()] : [0, 0, 0];
  const wi = [5 * sign(), 5 * sign(), 5 * sign()];
  const slip = [sign(), sign(), sign()];
  const along = slip[0] * n[0] + slip[1] * n[1] + slip[2] * n[2] + options.approach;
  // velocity of i at the contact point: that of j, plus slip, minus approach; from there to its origin
  const ri = [0, 1, 2].map((a) => point[a] - pi[a]);
  const rj = [0, 1, 2].map((a) => point[a] - pj[a]);
  const atJ = cross(wj, rj);
  const atI = cross(wi, ri);
  const vi = [0, 1, 2].map((a) => vj[a] + atJ[a] + slip[a] - along * n[a] - atI[a]);
  const inertia = (): [number, number, number, number, number, number] => {
    const [a, b] = [0.005 + 0.01 * random.uniform(), 0.005 + 0.01 * random.uniform()];
    return [a, b, 0.9 * (a + b) * (0.6 + 0.4 * random.uniform()), 0, 0, 0];
  };
  return system({
    integrator: options.integrator,
    gravity: [0, 0, -options.gravity],
    bodies: [
      body('i', 'dynamic', {
        mass: 0.5 + random.uniform(),
        inertia: inertia(),
        position: triple(pi),
        orientation: qi,
        velocity: triple(vi),
        angularVelocity: triple(wi),
        ...(cells === undefined ? {} : { cells: [cells.i] }),
      }),
      body('j', options.freeJ ? 'dynamic' : 'fixed', {
        mass: 0.5 + 3 * random.uniform(),
        inertia: inertia(),
        position: pj,
        orientation: qj,
        velocity: triple(vj),
        angularVelocity: triple(wj),
        ...(cells === undefined ? {} : { cells: [cells.j] }),
      }),
    ],
    contacts: [contactOf(combination)],
  });
}

/** Position of i, normal and point of a pair at a gap, reached from an offset near it. */
function placePair(
  model: PairModel,
  qi: readonly number[],
  pj: Triple,
  qj: readonly number[],
  offset: Triple,
  gap: number,
): [Triple, Triple, Triple] {
  const pi = [pj[0] + offset[0], pj[1] + offset[1], pj[2] + offset[2]];
  const kinematics = new Float64Array(KINEMATICS);
  const pair = pairDefinition(model).make(model);
  for (let pass = 0; pass < 20; pass++) {
    pair.compute(stillBody(pi, qi), stillBody(pj, qj), kinematics);
    if (Math.abs(kinematics[GAP] - gap) < 1e-12) break;
    for (let a = 0; a < 3; a++) pi[a] += (gap - kinematics[GAP]) * kinematics[NORMAL + a];
  }
  pair.compute(stillBody(pi, qi), stillBody(pj, qj), kinematics);
  if (!(Math.abs(kinematics[GAP] - gap) < 1e-9)) {
    throw new Error(`${model.kind}: no scene with a gap of ${gap} m, ${kinematics[GAP]} m`);
  }
  return [
    triple(pi),
    triple([...kinematics.slice(NORMAL, NORMAL + 3)]),
    triple([...kinematics.slice(POINT, POINT + 3)]),
  ];
}

/**
 * Begins the contact of a random scene that overlaps, with a normal rate of its own, as the start of a step would: the list of
 * contacts in touch is gathered, and the cells have their sub-model.
 */
export function beginContact(dynamics: Dynamics, rate: number): ContactModel {
  for (const group of dynamics.declared.groups) group.update();
  const [contact] = dynamics.contacts; // of a pool of one
  contact.measure();
  contact.begin(rate, 0);
  dynamics.gather();
  return contact;
}

/** The contact of a combination, of body `i` with body `j`. */
export function contactOf(combination: Combination): ContactModelSpec {
  const { pair, normalLaw, frictionLaw, rollingLaw } = combination;
  return {
    name: 'c',
    bodyI: 'i',
    bodyJ: 'j',
    pair: pair.model,
    normalLaw,
    frictionLaw,
    rollingLaw,
  };
}

/** A unit quaternion (x, y, z, w), uniform over rotations. */
export function randomRotation(random: Random): [number, number, number, number] {
  const q = [random.gaussian(), random.gaussian(), random.gaussian(), random.gaussian()];
  const length = Math.sqrt(q.reduce((sum, value) => sum + value * value, 0));
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

/** v turned by q. */
export function rotate(q: readonly number[], v: readonly number[]): Triple {
  const r = new Float64Array(9);
  rotationOf(r, Float64Array.from(q), 0);
  return [0, 3, 6].map(
    (row) => r[row] * v[0] + r[row + 1] * v[1] + r[row + 2] * v[2],
  ) as unknown as Triple;
}

function stillBody(p: readonly number[], q: readonly number[]): ContactBody {
  const state = new Float64Array(13);
  state.set(p, 0);
  state.set(q, 3);
  const rotation = new Float64Array(9);
  rotationOf(rotation, state, 3);
  return { state, rotation } as unknown as ContactBody; // a pair reads no more than the pose
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function triple(v: readonly number[]): Triple {
  return [v[0], v[1], v[2]];
}
