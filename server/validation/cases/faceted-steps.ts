/** Steps of bodies of facets: duplicates, the aggregated step beside its pairs, kept state, bodies inside of each other. `LaFarge & Lewis 1998`. */
import { ContactReadout } from '../../../src/contact/contact-readout.ts';
import { FacetedContact } from '../../../src/contact/faceted/faceted-contact.ts';
import { deliveredRestitution } from '../../../src/contact/normal/impact.ts';
import { Random } from '../../../src/math/random.ts';
import type { FacetedPairModel, FrictionLawModel, SystemModel } from '../../../src/model/model.ts';
import { FacetQuery } from '../../../src/proximity/facet-query.ts';
import {
  boxSurface,
  frustumSurface,
  type PlacedFacets,
  torusSurface,
} from '../../../src/shapes/faceted-shapes.ts';
import { Dynamics } from '../../../src/system/dynamics.ts';
import { makeSystem, type System } from '../../../src/system/system.ts';
import { closedForm, type Curve, type Figure, independent, type ValidationCase } from '../case.ts';
import { placeBoth, poseOf, randomPose, treeOf } from '../faceted-bodies.ts';
import { bodyModel, worldModel } from '../world-models.ts';

const AT = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
const CUBE: PlacedFacets = { shape: { kind: 'box', size: [0.1, 0.1, 0.1] }, ...AT };
/** Its upper face is z = 0. */
const SLAB: PlacedFacets = {
  shape: { kind: 'box', size: [1, 1, 0.2] },
  position: [0, 0, -0.1],
  orientation: [0, 0, 0, 1],
};
const RING: PlacedFacets = {
  shape: { kind: 'torus', radius: 0.05, tubeRadius: 0.018, around: 48, across: 20 },
  ...AT,
};
const CONE: PlacedFacets = {
  shape: { kind: 'frustum', radius: 0.045, topRadius: 0.015, length: 0.18, around: 24 },
  ...AT,
};
const BRISTLE: FrictionLawModel = {
  kind: 'bristle',
  stiction: 0.5,
  coulomb: 0.4,
  bristleStiffness: 1e4,
  bristleDamping: 100,
  viscousDamping: 0,
  stribeckVelocity: 1e-3,
  dwellTime: 0,
  velocityTolerance: 1e-4,
  startsSticking: true,
};

interface Law {
  readonly stiffness: number;
  readonly slope: number;
  readonly friction?: FrictionLawModel;
}

/** A body of facets above another one, without gravity unless given. */
function scene(
  pair: Partial<FacetedPairModel>,
  { stiffness, slope, friction = { kind: 'none' } }: Law,
  body: Parameters<typeof bodyModel>[2],
  parts: Partial<SystemModel> = {},
): SystemModel {
  return worldModel({
    gravity: [0, 0, 0],
    integrator: 'implicit-contact',
    step: 1e-3,
    maximumSubsteps: 64,
    bodies: [
      bodyModel('cube', 'dynamic', { inertia: [1 / 600, 1 / 600, 1 / 600, 0, 0, 0], ...body }),
      bodyModel('slab', 'fixed'),
    ],
    contacts: [
      {
        name: 'c',
        bodyI: 'cube',
        bodyJ: 'slab',
        pair: { kind: 'faceted', shapeI: CUBE, shapeJ: SLAB, standoff: 1e-3, ...pair },
        normalLaw: { kind: 'restitution-slope', stiffness, exponent: 1, slope },
        frictionLaw: friction,
      },
    ],
    ...parts,
  });
}

function readContact(run: System): Float64Array {
  const out = new Float64Array(40);
  run.readContact(0, out, 0);
  return out;
}

function readBody(run: System): Float64Array {
  const out = new Float64Array(13);
  run.readBody(0, out, 0);
  return out;
}

/** Half of the diagonal of the cube, m, and the turn about (1, −1, 0) by acos(1/√3) that sets it upright. */
const CORNER = 0.05 * Math.sqrt(3);
const UPRIGHT = ((): readonly [number, number, number, number] => {
  const half = Math.acos(1 / Math.sqrt(3)) / 2;
  const part = Math.sin(half) / Math.SQRT2;
  return [part, -part, 0, Math.cos(half)];
})();

/** B16: a corner of three facets hits a plane, and is held in it, with duplicates dropped and kept. */
function duplicates(): { figures: Figure[]; curves: Curve[] } {
  const law = { stiffness: 1e5, slope: 0.4 };
  const [speed, standoff] = [0.5, 4e-3];
  const expected = deliveredRestitution(1.5 * law.slope * speed);
  const figures: Figure[] = [];
  const curves: Curve[] = [];
  for (const [mode, name, springs] of [
    ['drop', 'dropped', 1],
    ['keep', 'kept', 3],
  ] as const) {
    const pair = { duplicates: mode, standoff };
    const above = [0, 0, CORNER + standoff + 1e-6] as const;
    const start = { orientation: UPRIGHT, position: above, velocity: [0, 0, -speed] } as const;
    const run = makeSystem(scene(pair, law, start));
    const depth: number[] = [];
    const force: number[] = [];
    for (let n = 0; n < 4000; n++) {
      run.step(1e-5);
      const row = readContact(run);
      if (row[ContactReadout.active] === 0) continue;
      depth.push(row[ContactReadout.penetration]);
      force.push(row[ContactReadout.normalForce]);
    }
    const held = scene(pair, law, { orientation: UPRIGHT, position: [0, 0, CORNER + 2e-3] });
    const still = makeSystem({
      ...held,
      bodies: held.bodies.map((body) => ({ ...body, motion: 'prescribed' as const })),
    });
    still.step(1e-3);
    const pushed = readContact(still)[ContactReadout.normalForce];
    const weight = springs * law.stiffness * 2e-3;
    figures.push(
      closedForm(`duplicates ${name}: restitution`, '1', readBody(run)[9] / speed, expected, 1e-3),
      closedForm(`duplicates ${name}: force, held 2 mm deep`, 'N', pushed, weight, 1e-11 * weight),
    );
    curves.push({ name: `duplicates ${name}`, x: depth, y: force });
  }
  return { figures, curves };
}

/** B23: a step of a ring on a cone beside its pairs, solved one by one again and again. */
function oneByOne(): { figure: Figure; sweeps: number[]; errors: number[] } {
  const [stiffness, slope, h] = [3000, 8, 2e-4];
  const model = scene(
    { shapeI: RING, shapeJ: CONE, standoff: 2e-3 },
    { stiffness, slope },
    {
      mass: 0.08,
      // of a ball: its angular velocity does not change by itself
      inertia: [1.5e-4, 1.5e-4, 1.5e-4, 0, 0, 0],
      position: [1e-4, 0, 0.0895],
      velocity: [0.01, 0.02, -0.2],
      angularVelocity: [0.3, -0.2, 1],
    },
    { gravity: [0, 0, -9.81], maximumSubsteps: 1 },
  );
  const geometry = new Dynamics(model);
  const [contact] = geometry.contacts;
  if (!(contact instanceof FacetedContact)) throw new Error('The contact is not one of facets');
  contact.measure();
  const { count, points, normals, depths } = contact.pair;
  const [body] = geometry.bodies;
  const inverse = [1 / 0.08, 1 / 1.5e-4];
  const rows = Array.from({ length: count }, (_, c) => {
    const n = [0, 1, 2].map((a) => normals[3 * c + a]);
    const r = [0, 1, 2].map((a) => points[3 * c + a] - body.state[a]);
    return [...n, r[1] * n[2] - r[2] * n[1], r[2] * n[0] - r[0] * n[2], r[0] * n[1] - r[1] * n[0]];
  });
  const answers = rows.map((w) => w.map((value, a) => inverse[a < 3 ? 0 : 1] * value));
  const run = makeSystem(model);
  run.step(h);
  const after = [...readBody(run).slice(7)];
  // without contact: gravity alone
  const u = [0.01, 0.02, -0.2 - 9.81 * h, 0.3, -0.2, 1];
  const size = Math.sqrt(after.reduce((sum, value) => sum + value * value, 0));
  const difference = (): number =>
    Math.sqrt(u.reduce((sum, value, a) => sum + (value - after[a]) ** 2, 0)) / size;
  const forces = new Float64Array(count);
  const sweeps: number[] = [];
  const errors: number[] = [];
  for (let sweep = 1; sweep <= 20_000; sweep++) {
    let change = 0;
    for (let c = 0; c < count; c++) {
      const w = rows[c];
      const gain = h * w.reduce((sum, value, a) => sum + value * answers[c][a], 0);
      const rate = w.reduce((sum, value, a) => sum + value * u[a], 0) - gain * forces[c];
      const elastic = stiffness * depths[c];
      const damping = 1.5 * slope * elastic;
      const f = Math.max(0, (elastic - damping * rate) / (1 + gain * damping));
      for (let a = 0; a < 6; a++) u[a] += h * (f - forces[c]) * answers[c][a];
      change = Math.max(change, Math.abs(f - forces[c]));
      forces[c] = f;
    }
    sweeps.push(sweep);
    errors.push(difference());
    if (change < 1e-15) break;
  }
  const figure = independent(
    `step of ${count} pairs at once beside pairs one by one: twist, relative`,
    '1',
    difference(),
    0,
    1e-10,
  );
  return { figure, sweeps, errors };
}

/** Numbers of two lists whose bits differ. */
function differing(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let count = Math.abs(a.length - b.length);
  for (let k = 0; k < Math.min(a.length, b.length); k++) if (!Object.is(a[k], b[k])) count++;
  return count;
}

/** B19: a run that goes on from a kept state, in the same system and in a new one. */
function kept(): { figures: Figure[]; curves: Curve[] } {
  const model = scene(
    {},
    { stiffness: 1e5, slope: 2, friction: BRISTLE },
    {
      position: [0, 0, 0.0535],
      orientation: [0.02, 0.01, 0, Math.sqrt(1 - 5e-4)],
      velocity: [0.05, 0.02, -0.1],
      angularVelocity: [0.1, 0.3, 1],
    },
    { gravity: [0, 0, -9.81] },
  );
  const run = makeSystem(model);
  const course = (system: System, steps: number): number[] =>
    Array.from({ length: steps }, () => {
      system.step(1e-3);
      return readBody(system)[2];
    });
  const first = course(run, 40);
  const state = new Float64Array(run.state.length);
  run.snapshot(state);
  const on = course(run, 60);
  const end = run.state.slice();
  run.restore(state);
  course(run, 60);
  const again = run.state.slice();
  const other = makeSystem(model);
  other.restore(state);
  const anew = course(other, 60);
  const times = (from: number, heights: readonly number[]): number[] =>
    heights.map((_, n) => 1e-3 * (from + n + 1));
  const marks = anew.map((_, n) => n).filter((n) => n % 6 === 5);
  return {
    figures: [
      closedForm(
        'kept state: numbers that differ after 60 steps',
        '1',
        differing(again, end),
        0,
        0,
      ),
      closedForm(
        'kept state in a new system: numbers that differ after 60 steps',
        '1',
        differing(other.state, end),
        0,
        0,
      ),
    ],
    curves: [
      { name: 'whole run', x: times(0, [...first, ...on]), y: [...first, ...on] },
      {
        name: 'new system, from the kept state',
        x: marks.map((n) => times(40, anew)[n]),
        y: marks.map((n) => anew[n]),
        kind: 'points',
      },
    ],
  };
}

/** B19: a query that keeps the last descent beside one without memory. */
function remembered(): Figure {
  const random = new Random(73);
  const trees = [
    treeOf(torusSurface(0.05, 0.018, 24, 12)),
    treeOf(frustumSurface(0.045, 0.015, 0.18, 16)),
  ] as const;
  const cube = treeOf(boxSurface([0.1, 0.1, 0.1]));
  let wrong = 0;
  for (const [a, b] of [trees, [cube, cube]] as const) {
    const long = new FacetQuery(a, b, 4096);
    for (let n = 0; n < 300; n++) {
      const swing = Math.sin(n / 40);
      const near = poseOf([1e-3 * swing, 0, 0.09 + 0.004 * swing], [0.02 * swing, 0, 0.01 * n]);
      const pose = n % 57 === 0 ? randomPose(random, 0.1) : near;
      const fresh = new FacetQuery(a, b, 4096);
      for (const query of [long, fresh]) {
        placeBoth(query, pose, poseOf([0, 0, 0]));
        query.collect(Float64Array.of(2e-3));
      }
      const { count } = fresh;
      wrong += Math.abs(long.count - count);
      for (const name of ['facetsA', 'facetsB', 'featuresA', 'featuresB', 'distances'] as const)
        wrong += differing(long[name].subarray(0, count), fresh[name].subarray(0, count));
      for (const name of ['pointsA', 'pointsB', 'directions'] as const)
        wrong += differing(long[name].subarray(0, 3 * count), fresh[name].subarray(0, 3 * count));
    }
  }
  return closedForm('query with memory beside a new one: numbers that differ', '1', wrong, 0, 0);
}

/** B14: bodies that cut, or hold, each other: 1 where both are named, and what pushes on the way. */
function inside(): { figures: Figure[]; curve: Curve } {
  const named = (text: string): number => (text.includes('c (cube and slab)') ? 1 : 0);
  const refusal = (pair: Partial<FacetedPairModel>, height: number): number => {
    try {
      makeSystem(scene(pair, { stiffness: 1e5, slope: 2 }, { position: [0, 0, height] }));
      return 0;
    } catch (error) {
      return named(String(error));
    }
  };
  const small: PlacedFacets = { ...CUBE, shape: { kind: 'box', size: [0.01, 0.01, 0.01] } };
  const stiffness = 10;
  const run = makeSystem(
    scene({}, { stiffness, slope: 0 }, { position: [0, 0, 0.0525], velocity: [0, 0, -1] }),
  );
  const height: number[] = [];
  const force: number[] = [];
  let seen = 0;
  let most = 0;
  for (let n = 0; n < 40; n++) {
    run.step(1e-4);
    seen = Math.max(seen, run.penetrations.length === 1 ? named(run.penetrations[0]) : 0);
    height.push(1e3 * (readBody(run)[2] - 0.05));
    force.push(readContact(run)[ContactReadout.normalForce]);
    most = Math.max(most, force[n]);
  }
  return {
    figures: [
      closedForm('surfaces cut at the start: both bodies named', '1', refusal({}, 0.04), 1, 0),
      closedForm(
        'one body in the other at the start: both bodies named',
        '1',
        refusal({ shapeI: small }, -0.006),
        1,
        0,
      ),
      closedForm('surfaces cut on the way: both bodies named', '1', seen, 1, 0),
      closedForm(
        'largest force over springs at the whole standoff',
        '1',
        most / (5 * stiffness * 1e-3),
        1,
        1e-3,
      ),
    ],
    curve: { name: 'cube through its standoff', x: height, y: force },
  };
}

export const facetedStepsCase: ValidationCase = {
  name: 'faceted-steps',
  title:
    'Facets: duplicates, pairs at once and one by one, kept state, bodies inside of each other',
  source: 'LaFarge & Lewis 1998 (Sandia); B14, B16, B19, B23',
  description:
    'A cube hits a slab with a corner, whose three facets have one closest point, with duplicates dropped and kept. A step of a ring on a cone, all pairs at once, beside the same pairs solved one by one until nothing changes. A tumbling cube with bristles from a kept state, and a query that goes on. Bodies that start inside of each other, and one that gets there.',
  equation:
    '(1 + h S D) u = u* + h S G of all pairs at once; pair by pair f = max(0, k δ (1 − 1.5 α w·u)).',
  tolerances:
    'Restitution 1e-3 (B16): steps of 10 µs; held force: rounding. Largest force at the standoff 1e-3: steps of 0.1 mm. Twist 1e-10 (B23): both solve the same linear equations. Numbers that differ, bodies named: exact (B19, B14).',
  run() {
    const corner = duplicates();
    const step = oneByOne();
    const goes = kept();
    const fault = inside();
    return {
      figures: [...corner.figures, step.figure, ...goes.figures, remembered(), ...fault.figures],
      plots: [
        {
          title: 'A cube hits a slab with a corner',
          xLabel: 'depth, m',
          yLabel: 'force, N',
          curves: corner.curves,
        },
        {
          title: 'Pairs one by one beside the step of all pairs at once',
          xLabel: 'sweep, 1',
          yLabel: 'difference of the twist, 1',
          xScale: 'log',
          yScale: 'log',
          curves: [
            { name: 'one by one', x: step.sweeps, y: step.errors },
            { name: 'tolerance', x: step.sweeps, y: step.sweeps.map(() => 1e-10), kind: 'bound' },
          ],
        },
        {
          title: 'A cube tumbles, once whole and once from a kept state',
          xLabel: 'time, s',
          yLabel: 'height, m',
          curves: goes.curves,
        },
        {
          title: 'A cube with soft springs passes its standoff of 1 mm',
          xLabel: 'distance, mm',
          yLabel: 'force, N',
          curves: [fault.curve],
        },
      ],
    };
  },
};
