/** The ring that falls on a cone: contact of facets by two integrators. `LaFarge & Lewis 1998`. */
import type { IntegratorKind } from '../../../src/model/model.ts';
import { ContactReadout } from '../../../src/contact/contact-readout.ts';
import { rotationOf } from '../../../src/math/quaternion.ts';
import { FacetQuery } from '../../../src/proximity/facet-query.ts';
import { type FacetTree, makeFacetTree } from '../../../src/proximity/facet-tree.ts';
import { frustumSurface, torusSurface } from '../../../src/shapes/faceted-shapes.ts';
import { type FacetedSurface, makeFacets } from '../../../src/shapes/facets.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { closedForm, type Curve, type Figure, independent, type ValidationCase } from '../case.ts';
import { referenceRows } from '../reference-data.ts';

const MASS = 0.08;
const G = 9.81;
const STEP = 5e-4;
/** After the first flight. */
const END = 0.15;
/** When it has settled, and the step to there, s. */
const SETTLED = 3;
const LOOP_STEP = 1e-3;
const YAW = (0.3 * 2 * Math.PI) / 192;

interface Drop {
  readonly time: number[];
  readonly height: number[];
  /** Vertical force over the weight. */
  readonly force: number[];
  /** About the axis, degrees. */
  readonly yaw: number[];
}

function drop(integrator: IntegratorKind, step: number, end: number): Drop {
  const still = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
  const body = {
    mass: MASS,
    inertia: [1.162e-4, 1.162e-4, 2.1944e-4, 0, 0, 0],
    rotationLocked: false,
    velocity: [0, 0, 0],
    angularVelocity: [0, 0, 0],
  } as const;
  const system = makeSystem({
    name: 'ring on a cone',
    gravity: [0, 0, -G],
    bodies: [
      {
        ...body,
        name: 'ring',
        motion: 'dynamic',
        position: [0, 0, 0.111655],
        orientation: [0, 0, Math.sin(YAW / 2), Math.cos(YAW / 2)],
      },
      { ...body, ...still, name: 'cone', motion: 'fixed' },
    ],
    contacts: [
      {
        name: 'ring-cone',
        bodyI: 'ring',
        bodyJ: 'cone',
        pair: {
          kind: 'faceted',
          shapeI: {
            shape: { kind: 'torus', radius: 0.05, tubeRadius: 0.018, around: 192, across: 60 },
            ...still,
          },
          shapeJ: {
            shape: { kind: 'frustum', radius: 0.045, topRadius: 0.015, length: 0.18, around: 48 },
            ...still,
          },
          standoff: 2e-3,
          maximumPairs: 4096,
        },
        normalLaw: { kind: 'restitution-slope', stiffness: 30.734, exponent: 1, slope: 8 },
        frictionLaw: { kind: 'none' },
      },
    ],
    springs: [],
    tool: null,
    command: [],
    integrator,
    step,
    maximumSubsteps: 64,
    duration: end,
  });
  const state = new Float64Array(13);
  const row = new Float64Array(40);
  const run: Drop = { time: [], height: [], force: [], yaw: [] };
  for (let n = 1; n * step <= end + 1e-9 && system.step(step) === 0; n++) {
    system.readBody(0, state, 0);
    system.readContact(0, row, 0);
    run.time.push(n * step);
    run.height.push(state[2]);
    run.yaw.push((2 * Math.atan2(state[5], state[6]) * 180) / Math.PI);
    run.force.push((row[ContactReadout.normalForce] * row[ContactReadout.normal_z]) / (MASS * G));
  }
  return run;
}

export const facetedDropCase: ValidationCase = {
  name: 'faceted-drop',
  title: 'Facets: a ring falls on a cone',
  source: 'LaFarge & Lewis 1998 (Sandia); B13',
  description:
    'A torus of 11,520 facets falls by 20 mm on a frustum of 50, without friction; each distinct pair of facets within 2 mm is a spring. By rk4 and by the step of the real-time loop, both with 0.5 ms.',
  equation: 'f = k δ (1 + 1.5 α δ̇) for each distinct pair, δ = 2 mm − d.',
  tolerances:
    'rk4: touch 1 ms, apex 0.1 mm, peak 0.05 g (B13), time of the peak a step, lowest point 5 µm: what the midpoint rule leaves at 0.5 ms. The implicit step is of first order: 0.15 g, 0.05 mm, 0.1 mm.',
  run() {
    const [kept] = referenceRows('sandia-faceted', 'drop', [
      ...(['touch', 'peak', 'peakTime', 'lowest', 'apex'] as const),
    ]);
    const figures: Figure[] = [];
    const heights: Curve[] = [];
    const forces: Curve[] = [];
    for (const [name, integrator, peakError, depthError] of [
      ['rk4', 'rk4', 0.05, 5e-6],
      ['implicit step', 'implicit-contact', 0.15, 5e-5],
    ] as const) {
      const { time, height, force } = drop(integrator, STEP, END);
      const peak = Math.max(...force);
      const low = Math.min(...height);
      const rebound = height.filter((_, n) => time[n] > 0.09);
      figures.push(
        independent(`${name}: touch`, 's', time[force.findIndex((f) => f > 0)], kept.touch, 1e-3),
        independent(`${name}: peak force`, 'g', peak, kept.peak, peakError),
        independent(`${name}: time of it`, 's', time[force.indexOf(peak)], kept.peakTime, STEP),
        independent(`${name}: lowest`, 'm', low, kept.lowest, depthError),
        independent(`${name}: apex`, 'm', Math.max(...rebound), kept.apex, 1e-4),
      );
      heights.push({ name, x: time, y: height });
      forces.push({ name, x: time, y: force });
    }
    return {
      figures,
      plots: [
        {
          title: 'Height of the ring',
          xLabel: 'time, s',
          yLabel: 'height, m',
          curves: heights,
        },
        {
          title: 'Force of the cone over the weight',
          xLabel: 'time, s',
          yLabel: 'force, g',
          curves: [
            ...forces,
            { name: 'reference', x: [kept.peakTime], y: [kept.peak], kind: 'points' },
          ],
        },
      ],
    };
  },
};

/** Pairs of facets within the standoff at a height and a yaw. */
function pairsAt(height: number, yaw: number): number {
  const treeOf = (surface: FacetedSurface): FacetTree =>
    makeFacetTree(makeFacets(surface, 'surface'));
  const query = new FacetQuery(
    treeOf(torusSurface(0.05, 0.018, 192, 60)),
    treeOf(frustumSurface(0.045, 0.015, 0.18, 48)),
    4096,
  );
  const half = (yaw * Math.PI) / 360;
  const state = Float64Array.of(0, 0, height, 0, 0, Math.sin(half), Math.cos(half));
  const rotation = new Float64Array(9);
  rotationOf(rotation, state, 3);
  query.place(rotation, state, Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), new Float64Array(3));
  return query.collect(Float64Array.of(2e-3));
}

export const facetedRestCase: ValidationCase = {
  name: 'faceted-rest',
  title: 'Facets: the ring settles on the cone',
  source: 'LaFarge & Lewis 1998 (Sandia); B12',
  description:
    'The same ring to its rest, with the step of the real-time loop at 1 ms. It turns until its facets line up with those of the cone, as in the source.',
  equation: 'f = k δ (1 + 1.5 α δ̇) for each distinct pair, δ = 2 mm − d; at rest Σ f n_z = m g.',
  tolerances:
    'Height 2 µm, force 1e-4, yaw 0.01° (B12). Pairs exact, at the height of the rest and half a facet of yaw, where facets line up: 1.5 facets are half of one beyond a whole one.',
  run() {
    const { time, height, force, yaw } = drop('implicit-contact', LOOP_STEP, SETTLED);
    const last = time.length - 1;
    const [kept] = referenceRows('sandia-faceted', 'rest', ['height', 'pairs', 'yaw']);
    return {
      figures: [
        independent('height at rest', 'm', height[last], kept.height, 2e-6),
        closedForm('force over weight', '1', force[last], 1, 1e-4),
        independent('yaw', '°', yaw[last], kept.yaw, 0.01),
        independent('pairs of facets', '1', pairsAt(height[last], yaw[last]), kept.pairs, 0),
      ],
      plots: [
        {
          title: 'Height of the ring until it rests',
          xLabel: 'time, s',
          yLabel: 'height, m',
          curves: [{ name: 'implicit step, 1 ms', x: time, y: height }],
        },
        {
          title: 'Facets of the ring line up with those of the cone',
          xLabel: 'time, s',
          yLabel: 'yaw, °',
          curves: [
            { name: 'implicit step, 1 ms', x: time, y: yaw },
            { name: 'lined up', x: [0, SETTLED], y: [kept.yaw, kept.yaw], kind: 'bound' },
          ],
        },
      ],
    };
  },
};
