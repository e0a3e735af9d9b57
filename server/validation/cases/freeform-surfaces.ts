/** Surfaces of free form and their contact: NURBS, closed-form pairs, borders of faces. `Tasora, 7, 9`; T8, T19, T23, T24. */
import { FreeformPair } from '../../../src/contact/freeform/freeform-pair.ts';
import { type ContactPair, GAP, KINEMATICS, NORMAL, POINT } from '../../../src/contact/pair.ts';
import { pairDefinition } from '../../../src/contact/registry.ts';
import { Random } from '../../../src/math/random.ts';
import type { SurfaceSide, SurfaceSpec, Triple } from '../../../src/model/contact-spec.ts';
import { makeSurface } from '../../../src/shapes/surfaces/make-surface.ts';
import { SplineBasis } from '../../../src/shapes/surfaces/spline-basis.ts';
import type { Surface } from '../../../src/shapes/surfaces/surface.ts';
import { CONTACT_READOUT, ContactReadout, makeSystem } from '../../../src/system/system.ts';
import { atMost, closedForm, type Figure, independent, type ValidationCase } from '../case.ts';
import {
  EQUAL_PAIRS,
  fromPlate,
  PLATE,
  pose,
  type Pose,
  SMALL_BALL,
  toWorld,
} from '../freeform-equals.ts';
import { CORNER, FeatureWander, RIM } from '../freeform-feature.ts';
import { offPlate, onPlate } from '../freeform-models.ts';
import { randomSurface, torusPatch } from '../surface-samples.ts';

const state = new Float64Array(13);
const row = new Float64Array(CONTACT_READOUT.length);
const most = (values: readonly number[]): number => Math.max(...values.map(Math.abs));
const apart = (a: ArrayLike<number>, b: ArrayLike<number>, from = 0, count = a.length): number =>
  most(Array.from({ length: count }, (_, k) => a[from + k] - b[from + k]));

function measure(pair: ContactPair, i: Pose, j: Pose): Float64Array {
  const kinematics = new Float64Array(KINEMATICS);
  pair.compute(i, j, kinematics);
  return kinematics;
}

const ballOf = (radius: number): SurfaceSide => ({ kind: 'ball', radius, center: [0, 0, 0] });
const facesOf = (...faces: readonly SurfaceSpec[]): SurfaceSide => ({ kind: 'faces', faces });
const pairOf = (surfacesI: SurfaceSide, surfacesJ: SurfaceSide): FreeformPair =>
  new FreeformPair({ kind: 'freeform', surfacesI, surfacesJ });

const at = (surface: Surface, u: number, v: number): Float64Array => {
  const out = new Float64Array(18);
  surface.evaluate(Float64Array.of(u, v), out);
  return out;
};

/** Largest error of the derivatives against differences of fourth order of the order below, over the largest of them. */
function derivativeError(surface: Surface, u: number, v: number, h: number): number {
  const here = at(surface, u, v);
  const along = (du: number, dv: number): Float64Array[] =>
    [-2, -1, 1, 2].map((k) => at(surface, u + k * h * du, v + k * h * dv));
  const slope = ([a, b, c, d]: Float64Array[], from: number): number[] =>
    [0, 1, 2].map((k) => (a[from + k] - d[from + k] + 8 * (c[from + k] - b[from + k])) / (12 * h));
  const [byU, byV] = [along(1, 0), along(0, 1)];
  const differences = [slope(byU, 0), slope(byV, 0), slope(byU, 3), slope(byV, 3), slope(byV, 6)];
  return apart(here.subarray(3), differences.flat()) / most([...here.subarray(3)]);
}

/** A net of degree 3 to 5 with simple knots a unit apart, of smooth heights: no knot within the differences. */
function smoothNet(random: Random): Surface {
  const [degreeU, degreeV] = [3, 4, 5].sort(() => random.uniform() - 0.5);
  const [countU, countV] = [degreeU + 3, degreeV + 3];
  const knots = (count: number, degree: number): number[] =>
    Array.from({ length: count + degree + 1 }, (_, k) => k - degree);
  const draw = (): number => random.uniform();
  const each = <T>(make: (i: number, j: number) => T): T[][] =>
    Array.from({ length: countU }, (_, i) => Array.from({ length: countV }, (__, j) => make(i, j)));
  return makeSurface({
    shape: {
      kind: 'nurbs',
      degreeU,
      degreeV,
      knotsU: knots(countU, degreeU),
      knotsV: knots(countV, degreeV),
      points: each((i, j): Triple => [i + 0.3 * draw(), j + 0.3 * draw(), draw()]),
      weights: each(() => 0.5 + draw()),
    },
  });
}

/** T8: basis, a sphere that is a patch, derivatives. */
function nurbsFigures(): Figure[] {
  const knots = Array.from({ length: 20 }, (_, k) => k);
  const basis = new SplineBasis(5, knots, false);
  const on = (u: number): Float64Array => {
    basis.evaluate(Float64Array.of(u), 0);
    return basis.values.slice();
  };
  const atKnot = [1, 26, 66, 26, 1, 0, -5, -50, 0, 50, 5, 0, 20, 40, -120, 40, 20, 0];
  const quarter = [
    1.97753906e-3, 1.24910482e-1, 5.19645182e-1, 3.2807617188e-1, 2.5382487e-2, 8.13802083e-6,
    -1.31835938e-2, -3.11686198e-1, -2.36002604e-1, 4.59960937e-1, 1.00748698e-1, 1.62760417e-4,
    7.03125e-2, 4.71354167e-1, -8.38541667e-1, -1.5625e-2, 3.09895833e-1, 2.60416667e-3,
  ];
  const random = new Random(8);
  const patch = makeSurface({ shape: torusPatch(0, 0.012, Math.PI / 3) });
  const radii = Array.from({ length: 400 }, () => {
    const [x, y, z] = at(patch, random.uniform(), random.uniform());
    return Math.hypot(x, y, z) - 0.012;
  });
  const errors = Array.from({ length: 40 }, () =>
    derivativeError(smoothNet(random), 0.3 + 0.4 * random.uniform(), 0.5, 2e-3),
  );
  const sums = Array.from({ length: 50 }, () => {
    const { degreeU, knotsU } = randomSurface(random);
    const own = new SplineBasis(degreeU, knotsU, false);
    own.evaluate(Float64Array.of(own.low + (own.high - own.low) * random.uniform()), 0);
    return own.values.subarray(0, degreeU + 1).reduce((total, value) => total + value, -1);
  });
  return [
    closedForm(
      'T8: basis of degree 5 at a knot',
      '1',
      apart(
        on(7),
        atKnot.map((x) => x / 120),
      ),
      0,
      1e-14,
    ),
    independent('T8: basis at a quarter of a span', '1', apart(on(7.25), quarter), 0, 1e-9),
    closedForm('T8: sum of 50 random bases less 1', '1', most(sums), 0, 1e-14),
    closedForm('T8: radius of a sphere of 12 mm as a patch', 'm', most(radii), 0, 1e-16),
    independent('T8: derivatives of random nets', '1', most(errors), 0, 1e-8),
  ];
}

/** T23: gap, normal and point at random poses; way of a ball that bounces. */
function closedFigures(): Figure[] {
  const random = new Random(23);
  const figures = EQUAL_PAIRS.flatMap(({ name, inMiddle, faces, closed, at: place }) => {
    const own = pairOf(ballOf(SMALL_BALL), facesOf(...faces));
    const form = pairDefinition(closed).make(closed);
    const off = [0, 0, 0];
    for (let k = 0; k < 40; k++) {
      const j = pose([0.3, -0.2, 0.1], [0.3, -0.2, 0.5, 0.7]);
      const noise = [0, 1, 2].map(() => 0.02 * (random.uniform() - 0.5));
      const center = place(0.01 * (random.uniform() - 0.5)).map((x, a) => x + noise[a]);
      const i = pose(toWorld(j, center), [0.1, 0.2, -0.4, 0.8]);
      const [a, b] = [measure(own, i, j), measure(form, i, j)];
      const toMiddle = inMiddle === true ? 0 : 0.5 * b[GAP];
      const middle = [0, 1, 2].map((c) => b[POINT + c] - toMiddle * b[NORMAL + c]);
      off[0] = Math.max(off[0], Math.abs(a[GAP] - b[GAP]));
      off[1] = Math.max(off[1], apart(a, b, NORMAL, 3));
      off[2] = Math.max(off[2], apart(a.subarray(POINT, POINT + 3), middle));
    }
    return ['gap', 'normal', 'point'].map((what, k) =>
      closedForm(`T23: ball on ${name}: ${what}`, k === 1 ? '1' : 'm', off[k], 0, 1e-13),
    );
  });
  const [own, closed] = [false, true].map((flag) => makeSystem(onPlate(flag)));
  const other = new Float64Array(13);
  let off = 0;
  let touches = 0;
  for (let k = 0; k < 400; k++) {
    own.step(1e-3);
    closed.step(1e-3);
    own.readBody(0, state, 0);
    closed.readBody(0, other, 0);
    off = Math.max(off, apart(state, other));
    if (other[2] < 0.1) touches++;
  }
  return [
    ...figures,
    closedForm('T23: bounces on a plate, 0.4 s', 'm', off, 0, 1e-9),
    atMost('T23: one step over those in contact', '1', 1 / touches, 1),
  ];
}

/** A ball on a spiral over a plate: errors of gap and normal, and the features it meets. */
function spiral(): { gap: number; normal: number; features: number } {
  const j = pose([0.1, 0.2, 0.3], [0.2, -0.1, 0.4, 0.9]);
  const axes = { ...j, state: new Float64Array(13) };
  const pair = pairOf(ballOf(SMALL_BALL), facesOf(PLATE));
  const features = new Set<number>();
  let [gap, normal] = [0, 0];
  for (let k = 0; k <= 600; k++) {
    const angle = (k / 600) * 2 * Math.PI * 5;
    const far = 0.2 + (0.25 * k) / 600;
    const height = 0.045 + 0.02 * Math.sin(7 * angle);
    const center = [far * Math.cos(angle), far * Math.sin(angle), height];
    const a = measure(pair, pose(toWorld(j, center)), j);
    const exact = fromPlate(center);
    features.add(pair.solver.j.kind);
    gap = Math.max(gap, Math.abs(a[GAP] - (exact.distance - SMALL_BALL)));
    normal = Math.max(normal, apart(a.subarray(NORMAL, NORMAL + 3), toWorld(axes, exact.normal)));
  }
  return { gap, normal, features: features.size };
}

/** Force of the depth alone: damping bends where the normal begins to turn. */
const LOSSLESS = {
  kind: 'hysteretic',
  stiffness: 1e6,
  exponent: 1.5,
  restitution: 1,
  smallVelocity: 1e-3,
  relaxationTime: 0,
} as const;

interface Border {
  readonly x: number[];
  readonly force: number[];
  /** cos of the angle of the normal. */
  readonly upright: number[];
}

/** A ball over the border of a plate. @param from where it starts before the border, m */
function overBorder(from: number, step: number, steps: number): Border {
  const model = offPlate({ integrator: 'rk4', step, contact: { normalLaw: LOSSLESS } });
  const [ball, ground] = model.bodies;
  const [, y, z] = ball.position;
  const system = makeSystem({
    ...model,
    bodies: [{ ...ball, position: [1 - from, y, z] }, ground],
  });
  const out: Border = { x: [], force: [], upright: [] };
  for (let k = 0; k < steps; k++) {
    if (system.step(step) !== 0) break;
    system.readContact(0, row, 0);
    if (row[ContactReadout.active] === 0) break;
    system.readBody(0, state, 0);
    out.x.push(1e3 * (state[0] - 1));
    out.force.push(row[ContactReadout.normalForce]);
    out.upright.push(row[ContactReadout.normal_z]);
  }
  return out;
}

/** Largest second difference of the force over the force. */
function bendOf(force: readonly number[]): number {
  return most(force.slice(2).map((f, k) => (f - 2 * force[k + 1] + force[k]) / force[k + 1]));
}

/** T24. */
function borderFigures(): Figure[] {
  const { gap, normal, features } = spiral();
  const near = overBorder(1e-6, 1e-7, 60);
  return [
    closedForm('T24: gap over face, edges, corners', 'm', gap, 0, 1e-13),
    closedForm('T24: normal over them', '1', normal, 0, 1e-12),
    closedForm('T24: kinds of features met', '1', features, 3, 0),
    closedForm('T24: bend of the force over a border', '1', bendOf(near.force), 0, 1e-9),
    atMost('T24: 1 µm over the way beyond it', '1', 1e-3 / near.x[near.x.length - 1], 1),
  ];
}

/** T19: how the places of edge and vertex wander on a torus. */
function wanderFigures(): Figure[] {
  const worst = (side: typeof RIM): { edge: number; face: number } => {
    const wander = new FeatureWander(side);
    const found = Array.from({ length: 20 }, () => wander.errors(1e-4));
    return { edge: most(found.map((one) => one.edge)), face: most(found.map((one) => one.face)) };
  };
  const [rim, corner] = [worst(RIM), worst(CORNER)];
  return [
    independent('T19: rim of a pipe, foot on the edge', 'm/s', rim.edge, 0, 1e-6),
    independent('T19: rim of a pipe, foot on the torus', 'm/s', rim.face, 0, 1e-6),
    independent('T19: corner of a plate, foot on the torus', 'm/s', corner.face, 0, 1e-6),
  ];
}

export const freeformSurfacesCase: ValidationCase = {
  name: 'freeform-surfaces',
  title: 'Surfaces of free form and their contact',
  source: 'Tasora, sliding contact of free-form surfaces, 7, 9; T8, T19, T23, T24',
  description:
    'Bases and derivatives of NURBS; a ball on rational patches of cone, cylinder, sphere and on a plane beside the pairs in closed form, at random poses and bouncing; a ball over face, edges and corners of a plate; a rim and a corner that wander over a torus.',
  equation:
    'S = Σ N_i N_j w_ij P_ij / Σ N_i N_j w_ij; gap = n₂·(P − S); edge: α = −(τ·m + τ·B₂dV)/(κ₁ + τ·B₂τ), a₁ = ατ, a₂ = a₁ + dV; vertex: a₂ = dV',
  tolerances:
    'Basis: digits of the reference. Derivatives of nets: h⁴/30 of the fifth one, of 1e2 in units of the first, at h = 2e-3. Wandering feet: h²/6 of third derivatives of 1/m² at h = 1e-4. Force over the border: the depth of 0.46 mm ends as x²/(2 r), 4e-11 of the force by second differences. Poses and the spiral: rounding.',
  run() {
    const border = overBorder(0.05, 1e-4, 3000);
    const steps = Array.from({ length: 13 }, (_, k) => 10 ** (-1 - k / 4));
    const net = smoothNet(new Random(8));
    return {
      figures: [...nurbsFigures(), ...wanderFigures(), ...closedFigures(), ...borderFigures()],
      plots: [
        {
          title: 'A ball slides over the border of a plate',
          xLabel: 'way beyond the border, mm',
          yLabel: 'force, N',
          curves: [{ name: 'normal force', x: border.x, y: border.force }],
        },
        {
          title: 'The normal over the border',
          xLabel: 'way beyond the border, mm',
          yLabel: 'angle of the normal, rad',
          curves: [
            {
              name: 'computed',
              x: border.x,
              y: border.upright.map((z) => Math.acos(Math.min(1, z))),
            },
            {
              name: 'asin x/r, ball at the corner',
              x: border.x.filter((x, k) => x > 0 && k % 40 === 0),
              y: border.x
                .filter((x, k) => x > 0 && k % 40 === 0)
                .map((x) => Math.asin((1e-3 * x) / 0.1)),
              kind: 'points',
            },
          ],
        },
        {
          title: 'Derivatives of a net beside differences',
          xLabel: 'step of the difference, 1',
          yLabel: 'error, 1',
          xScale: 'log',
          yScale: 'log',
          curves: [
            {
              name: 'largest of first and second ones',
              x: steps,
              y: steps.map((h) => derivativeError(net, 0.5, 0.5, h)),
            },
          ],
        },
      ],
    };
  },
};
