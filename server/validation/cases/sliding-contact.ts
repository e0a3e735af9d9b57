/** Sliding contact of two surfaces: its row, its points, curvatures, a ball in a bowl. `Tasora, (16)–(28)`; T4 to T7, T13 to T16, T22, T25. */
import { makeConstraint } from '../../../src/constraints/make-constraint.ts';
import { MovingSurface } from '../../../src/constraints/moving-surface.ts';
import { tangentBasis } from '../../../src/math/vec3.ts';
import type { SlidingModel, SurfaceSpec } from '../../../src/model/model.ts';
import { CONSTRAINT_READOUT, makeSystem } from '../../../src/system/system.ts';
import { CAM, camLaw } from '../cam-law.ts';
import { ballInBowl, BOWL, camFollower, camSurface } from '../cam-models.ts';
import {
  atMost,
  closedForm,
  curve,
  type Figure,
  independent,
  type ValidationCase,
} from '../case.ts';
import { draws } from '../constraint-motion.ts';
import { inBowl } from '../freeform-models.ts';
import { heapOfSteps } from '../heap-of-steps.ts';
import { bodyIn, rowOf, SlidingTori, slidingOf, TORI } from '../sliding-motion.ts';
import { torusPatch } from '../surface-samples.ts';

const DEGREE = Math.PI / 180;
const GRAVITY = 9.81;
const STILL = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
const PLANE: SurfaceSpec = { shape: { kind: 'plane' } };
/** Where k_2 L is 1e-6 a contact is one along a line or an area, by L = 10 mm. `Tasora, 10`. */
const LENGTH = 0.01;
const state = new Float64Array(13);
const most = (values: readonly number[]): number => Math.max(...values.map(Math.abs));
const apart = (a: readonly number[], b: readonly number[]): number =>
  most(a.map((x, k) => x - b[k]));
const sphere = (radius: number, sign: 1 | -1 = 1): SurfaceSpec => ({
  shape: { kind: 'sphere', radius },
  sign,
});
const cylinder = (radius: number, sign: 1 | -1 = 1): SurfaceSpec => ({
  shape: { kind: 'cylinder', radius },
  sign,
});

/** The same contact with its bodies exchanged: J with its halves exchanged. */
function exchanged(model: SlidingModel, motions: readonly (readonly number[])[]): number[] {
  const { first, second, start } = model;
  const [u1, v1, u2, v2] = start;
  const other = { ...model, first: second, second: first, start: [u2, v2, u1, v1] as const };
  const row = rowOf(other, [motions[1], motions[0]]);
  return [row[0], ...row.slice(7, 13), ...row.slice(1, 7), row[13]];
}

/** T4 to T6, T15. */
function toriFigures(): Figure[] {
  const all = Array.from({ length: 6 }, (_, k) => {
    const moving = new SlidingTori(k + 1);
    const { rates, q, tangential } = moving.equations();
    const found = moving.differences(1e-3);
    const own = moving.curvature();
    const motions = moving.bodies.map((body) => [...body.state]);
    const model = { ...TORI, start: [...moving.feet] as unknown as SlidingModel['start'] };
    return {
      rates: apart(rates, found.rates),
      q: own - q,
      second: found.second,
      tangential,
      exchanged: apart(rowOf(model, motions), exchanged(model, motions)),
    };
  });
  const worst = (of: (one: (typeof all)[number]) => number): number => most(all.map(of));
  return [
    independent(
      'T4: rates by (23)',
      '1/s',
      worst(({ rates }) => rates),
      0,
      1e-8,
    ),
    closedForm(
      'T5: Q of curvatures and of (23)',
      'm/s²',
      worst(({ q }) => q),
      0,
      1e-10,
    ),
    independent(
      'T6: J a − Q',
      'm/s²',
      worst(({ second }) => second),
      0,
      1e-5,
    ),
    closedForm(
      'T6: normal part of S_u, S_v',
      'm',
      worst(({ tangential }) => tangential),
      0,
      1e-12,
    ),
    closedForm(
      'T15: tori exchanged',
      '1',
      worst((one) => one.exchanged),
      0,
      1e-9,
    ),
  ];
}

/** T7, T15: a sphere over a sphere, a ball that rolls, slips and spins on a plane. */
function closedFigures(): Figure[] {
  const over = slidingOf(sphere(0.03), sphere(0.012), [Math.PI / 2, 0, -Math.PI / 2, 0]);
  const moving = [0, 0.042, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0];
  const ball: SurfaceSpec = { ...sphere(0.2), orientation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] };
  const rolls = [
    [0, 5, 0],
    [3, -2, 7],
  ].flatMap((spin) =>
    [
      [1, 0],
      [-0.4, 2],
    ].flatMap((speed) => {
      const motions = [[0.1, 0.2, 0.2, 0, 0, 0, 1, ...speed, 0, ...spin], STILL];
      const model = slidingOf(ball, PLANE, [0, 0, 0.1, 0.2]);
      return [rowOf(model, motions)[13], exchanged(model, motions)[13]];
    }),
  );
  return [
    closedForm(
      'T7: Q, sphere over sphere',
      'm/s²',
      rowOf(over, [STILL, moving])[13],
      -1 / 0.042,
      1e-12,
    ),
    closedForm(
      'T7, T15: the same exchanged',
      'm/s²',
      exchanged(over, [STILL, moving])[13],
      -1 / 0.042,
      1e-12,
    ),
    closedForm('T7: Q of a ball that rolls and slips', 'm/s²', most(rolls), 0, 1e-12),
  ];
}

/** T13: accelerations of the follower at mid rise, m/s²: of rigid bodies and Coriolis alone, of the row, of the law. */
function centripetal(): { rigid: number; row: number; law: number } {
  const model = camFollower(true);
  const [cam, follower] = model.bodies.map(() => bodyIn(STILL));
  const tip = (model.constraints ?? [])[2];
  const made = makeConstraint(tip, follower, cam, new Float64Array(1), new Float64Array(4));
  /** Both bodies where the law has them; the place of contact. */
  const touch = (angle: number): number[] => {
    const [s, s1] = camLaw(angle);
    cam.state.set([0, 0, Math.sin(angle / 2), Math.cos(angle / 2)], 3);
    cam.state[12] = CAM.rate;
    follower.state[1] = CAM.pitch + s;
    follower.state[8] = s1 * CAM.rate;
    cam.refresh();
    follower.refresh();
    const at = new Float64Array(3);
    made.writeGaps(new Float64Array(1), 0);
    made.writePlace(at, 0);
    return [...at];
  };
  const target = 60.0925 * DEGREE;
  // in small steps: feet are followed
  for (let k = 0; k < 100; k++) touch((target * k) / 100);
  const step = 1e-6;
  const [before, after] = [touch(target - step), touch(target + step)];
  const point = touch(target);
  const w = CAM.rate;
  const speed = after.map((x, a) => ((x - before[a]) / (2 * step)) * w);
  // over the cam: less w × r of its own point
  const over = [speed[0] + w * point[1], speed[1] - w * point[0]];
  const jacobian = new Float64Array(12);
  const q = new Float64Array(1);
  made.writeRows(jacobian, new Float64Array(1), 0);
  made.writeCurvature(q, 0);
  const [nx, ny] = jacobian;
  const rigid =
    nx * (-w * w * point[0] - 2 * w * over[1]) + ny * (-w * w * point[1] + 2 * w * over[0]);
  return { rigid: rigid / ny, row: q[0] / ny, law: camLaw(target)[2] * w * w };
}

function centripetalFigures(): Figure[] {
  const { rigid, row, law } = centripetal();
  return [
    independent('T13: follower without centripetal terms', 'm/s²', rigid, 37.154, 2e-3),
    closedForm('T13: follower with them', 'm/s²', row, law, 5e-3),
    independent('T13: acceleration by the law of the cam', 'm/s²', law, -0.0685, 1e-4),
    atMost('T13: 10 m/s² over what they are worth', '1', 10 / Math.abs(rigid - row), 1),
  ];
}

/** Least eigenvalue of B1 + B2 over LENGTH where two surfaces touch. */
function scaledCurvature({ first, second, start }: SlidingModel, turned: number): number {
  const half = turned / 2;
  const bodies = [bodyIn([0, 0, 0, Math.sin(half), 0, 0, Math.cos(half), ...STILL.slice(7)]), null];
  const tangents = new Float64Array(6);
  const [one, two] = [first, second].map(({ surface }, b) => {
    const made = new MovingSurface(surface, bodies[b]);
    made.place(Float64Array.from(start), 2 * b);
    if (b === 0) tangentBasis(tangents, made.normal, 0);
    const out = new Float64Array(3);
    made.writeCurvature(tangents, out);
    return out;
  });
  const [xx, xy, yy] = one.map((x, k) => x + two[k]);
  return LENGTH * (0.5 * (xx + yy) - Math.hypot(0.5 * (xx - yy), xy));
}

/** What is said of a contact that is refused; nothing of one that is not. */
function refusal(model: SlidingModel, place = [0, 0, 0], turn = [0, 0, 0, 1]): string {
  try {
    rowOf(model, [[...place, ...turn, ...STILL.slice(7)], STILL]);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

/** T14: the table of `Tasora, 10` by its closed forms, and what is refused. */
function singularFigures(): Figure[] {
  const socket = (clearance: number): Figure =>
    closedForm(
      `T14: k₂L of 10 mm in a socket, ${1e6 * clearance} µm wider`,
      '1',
      scaledCurvature(slidingOf(sphere(0.01), sphere(0.01 + clearance, -1), [0, 0, 0, 0]), 0),
      LENGTH * (100 - 1 / (0.01 + clearance)),
      1e-13,
    );
  const crossed = (angle: number): Figure => {
    const sum = 100 + 50;
    const root = Math.hypot(100 - 50, 2 * Math.sqrt(100 * 50) * Math.cos(angle));
    // (k_A + k_B − root)/2 without the difference of what is nearly the same
    const exact = (4 * 100 * 50 * Math.sin(angle) ** 2) / (sum + root) / 2;
    return closedForm(
      `T14: k₂L of cylinders of 10 and 20 mm, ${angle.toPrecision(3)} rad across`,
      '1',
      scaledCurvature(slidingOf(cylinder(0.01), cylinder(0.02), [Math.PI, 0, 0, 0]), angle),
      LENGTH * exact,
      1e-15,
    );
  };
  const facing = [Math.PI, 0, 0, 0] as const;
  const lying = { orientation: [0.5, 0.5, -0.5, 0.5] } as const; // z to −y
  const over = [0, 0, 0, 1, 0, 0, 0];
  const x = [0.3, 0, 0];
  const across = (angle: number): number[] => [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)];
  const cylinders = slidingOf(cylinder(0.1), cylinder(0.2), facing);
  const small = slidingOf(cylinder(0.01), cylinder(0.02), facing);
  const cases: readonly (readonly [string, RegExp, string])[] = [
    [
      'plane on plane',
      /got surface contact/,
      refusal(slidingOf(PLANE, PLANE, [0, 0, 0, 0]), [0, 0, 0], over.slice(3)),
    ],
    [
      'ball in a socket that fits',
      /got surface contact/,
      refusal(slidingOf(sphere(0.3), sphere(0.3, -1), [0, 0, 0, 0])),
    ],
    [
      'shaft in a hole',
      /got line contact along \(0, 0, 1\)/,
      refusal(slidingOf(cylinder(0.1), cylinder(0.11, -1), [0, 0, 0, 0]), [0.01, 0, 0]),
    ],
    [
      'parallel cylinders along z',
      /got line contact along \(0, 0, 1\): the sums/,
      refusal(cylinders, x),
    ],
    [
      'parallel cylinders along y',
      /got line contact along \(0, 1, 0\): the sums/,
      refusal(
        slidingOf({ ...cylinder(0.1), ...lying }, { ...cylinder(0.2), ...lying }, [
          Math.PI / 2,
          0,
          -Math.PI / 2,
          0,
        ]),
        x,
      ),
    ],
    ['cylinders 1 mrad across', /got line contact/, refusal(small, [0.03, 0, 0], across(1e-3))],
    ['cylinders 10 mrad across, not refused', /^$/, refusal(small, [0.03, 0, 0], across(1e-2))],
    [
      'ball larger than its bowl',
      /got surfaces that cross/,
      refusal(slidingOf(sphere(0.5), sphere(0.2, -1), [Math.PI, 0, Math.PI, 0]), x),
    ],
    [
      'no common normal',
      /start where its surfaces have a common normal/,
      refusal(slidingOf(sphere(0.1), sphere(0.2), [0, 0, 0, 0]), x),
    ],
  ];
  return [
    ...[1e-3, 1e-4, 1e-5].map(socket),
    ...[Math.PI / 2, 0.1, 0.01].map(crossed),
    ...cases.map(([name, words, message]) =>
      closedForm(`T14: ${name}`, '1', words.test(message) ? 1 : 0, 1, 0),
    ),
  ];
}

/** T16: other parameters of the same surfaces. */
function parameterFigures(): Figure[] {
  const draw = draws(16);
  const motions = [
    [1.1, 0, 0, 0, 0, 1, 0, ...draw(6)],
    [0, 0, 0, 0, 0, 0, 1, ...draw(6)],
  ];
  const torus = (majorRadius: number, minorRadius: number): SurfaceSpec => ({
    shape: { kind: 'torus', majorRadius, minorRadius },
  });
  const exact = rowOf(slidingOf(torus(0.3, 0.1), torus(0.5, 0.2), [0, 0, 0, 0]), motions);
  const patches = [0.7, 1.2].map((half) => {
    const [a, b] = [torusPatch(0.3, 0.1, half), torusPatch(0.5, 0.2, half)];
    return apart(
      rowOf(slidingOf({ shape: a }, { shape: b }, [0.5, 0.5, 0.5, 0.5]), motions),
      exact,
    );
  });
  // a cam whose knots are three times as far apart, from another origin
  const shape = camSurface(100);
  const end = (scale: number, shift: number): number[] => {
    const model = camFollower(false, { integrator: 'rk4' }, 100);
    const knotsU = shape.knotsU.map((knot) => scale * knot + shift);
    const constraints = (model.constraints ?? []).map((one) =>
      one.kind === 'sliding'
        ? ({
            ...one,
            second: { ...one.second, surface: { shape: { ...shape, knotsU }, sign: -1 } },
            start: [-Math.PI / 2, 0, 5 * scale + shift, 0.5],
          } as const)
        : one,
    );
    const made = makeSystem({ ...model, constraints });
    for (let k = 0; k < 30; k++) made.step(1e-3);
    made.readBody(0, state, 0);
    return [...state];
  };
  return [
    closedForm('T16: J, Q of tori as rational patches', '1', most(patches), 0, 1e-10),
    closedForm('T16: cam of other knots after 30 ms', '1', apart(end(1, 0), end(3, -7)), 0, 1e-10),
  ];
}

interface Round {
  readonly time: number[];
  readonly x: number[];
  readonly angle: number;
  readonly force: number;
  readonly height: number;
}

/** A second of a ball that goes round in a bowl. */
function round(tilt: number): Round {
  const made = makeSystem(ballInBowl({ integrator: 'rk4', step: 1e-3 }, tilt));
  const row = new Float64Array(CONSTRAINT_READOUT.length);
  const length = BOWL.radius - BOWL.ball;
  const [time, x] = [[0], [length * Math.sin(tilt)]];
  let angle = 0;
  for (let k = 1; k <= 1000; k++) {
    made.step(1e-3);
    made.readBody(0, state, 0);
    const turn = Math.atan2(state[1], state[0]);
    angle = turn + 2 * Math.PI * Math.round((angle - turn) / (2 * Math.PI));
    time.push(1e-3 * k);
    x.push(state[0]);
  }
  made.readConstraint(0, row, 0);
  return { time, x, angle, force: Math.hypot(row[0], row[1], row[2]), height: state[2] };
}

/** T22: a conical pendulum of R − r. */
function bowlFigures(rounds: readonly (readonly [number, Round])[]): Figure[] {
  const length = BOWL.radius - BOWL.ball;
  return rounds.flatMap(([tilt, { angle, force, height }]) => {
    const name = `T22: ${Math.round(tilt / DEGREE)}°`;
    const cosine = Math.cos(tilt);
    const rate = Math.sqrt(GRAVITY / (length * cosine));
    return [
      closedForm(`${name}: angle after a second`, 'rad', angle, rate, 1e-8),
      closedForm(`${name}: force`, 'N', force, GRAVITY / cosine, 1e-8),
      closedForm(`${name}: height`, 'm', height, -length * cosine, 1e-11),
    ];
  });
}

/** T25: a step of a sliding row, and one of a contact of free form. A boxed number would be 16 bytes. */
function heapFigures(): Figure[] {
  const scenes = [
    ['driven cam', camFollower(true, { integrator: 'implicit-contact', step: 1e-3 })],
    ['ball in a bowl of free form', inBowl()],
  ] as const;
  return scenes.map(([name, model]) => {
    const system = makeSystem(model);
    const bytes = heapOfSteps(() => system.step(1e-3));
    return atMost(`T25: ${name}, bytes a step`, 'B', bytes, 1);
  });
}

export const slidingContactCase: ValidationCase = {
  name: 'sliding-contact',
  title: 'Sliding contact of two surfaces as one row',
  source:
    'Tasora, sliding contact of free-form surfaces, (16) to (28), 10; T4 to T7, T13 to T16, T22, T25',
  description:
    'Two tori that slide, roll and spin over each other at random, spheres, a ball on a plane, a cam at mid rise, contacts from point to line to area, the same surfaces by other parameters, a ball that goes round in a bowl, and what the steps of a driven cam and of a ball in a bowl leave on the heap.',
  equation:
    'c = n₂·(P − S); (B₁ + B₂) a₁ = −m − B₂ dV, a₂ = a₁ + dV; Q = −n₂·(w₁ × (w₁ × r₁) + 2 w₁ × a₁ − …) − a₁ᵀB₁a₁ − a₂ᵀB₂a₂',
  tolerances:
    'Rates of parameters: h⁴ u⁽⁵⁾/30 = 1e-10 at h = 1e-3, feet within 1e-14 over h. J a − Q: rounding of 1e-16/h² and h⁴ c⁽⁶⁾/90 with derivatives of curvatures of 10 1/m. Without centripetal terms: digits of the reference. Bowl: rk4 at 1 ms leaves 1e-9 of the way. The rest: rounding.',
  run() {
    const rounds = [30, 60].map((degrees) => [degrees * DEGREE, round(degrees * DEGREE)] as const);
    const angles = Array.from({ length: 41 }, (_, k) => 10 ** (-3 + k / 13.4));
    const across = (angle: number): number =>
      scaledCurvature(slidingOf(cylinder(0.01), cylinder(0.02), [Math.PI, 0, 0, 0]), angle);
    const one = new SlidingTori(1);
    const steps = Array.from({ length: 15 }, (_, k) => 10 ** (-1 - k / 4));
    const { rates } = one.equations();
    return {
      figures: [
        ...toriFigures(),
        ...closedFigures(),
        ...centripetalFigures(),
        ...singularFigures(),
        ...parameterFigures(),
        ...bowlFigures(rounds),
        ...heapFigures(),
      ],
      plots: [
        {
          title: 'Tori: rates of the feet and J a − Q beside differences',
          xLabel: 'step of the difference, s',
          yLabel: 'largest error, 1/s or m/s²',
          xScale: 'log',
          yScale: 'log',
          curves: [
            {
              name: 'rates',
              x: steps,
              y: steps.map((h) => apart(rates, one.differences(h).rates)),
            },
            { name: 'J a − Q', x: steps, y: steps.map((h) => Math.abs(one.differences(h).second)) },
          ],
        },
        {
          title: 'Cylinders of 10 and 20 mm across: least curvature',
          xLabel: 'angle between the axes, rad',
          yLabel: 'k₂L, 1',
          xScale: 'log',
          yScale: 'log',
          curves: [
            { name: 'computed', x: angles, y: angles.map(across) },
            {
              name: 'ψ² k_A k_B/(k_A + k_B), small angles',
              x: angles.filter((_, k) => k % 4 === 0),
              y: angles
                .filter((_, k) => k % 4 === 0)
                .map((psi) => (LENGTH * psi ** 2 * 100 * 50) / 150),
              kind: 'points',
            },
            { name: 'line contact', x: [1e-3, 1.2], y: [1e-6, 1e-6], kind: 'bound' },
          ],
        },
        {
          title: 'Ball in a bowl',
          xLabel: 'time, s',
          yLabel: 'x, m',
          curves: rounds.flatMap(([tilt, { time, x }]) => {
            const degrees = Math.round(tilt / DEGREE);
            const length = BOWL.radius - BOWL.ball;
            const rate = Math.sqrt(GRAVITY / (length * Math.cos(tilt)));
            const marks = time.filter((_, k) => k % 25 === 0);
            return [
              curve(`${degrees}°`, time, x),
              {
                name: `${degrees}°, conical pendulum`,
                x: marks,
                y: marks.map((t) => length * Math.sin(tilt) * Math.cos(rate * t)),
                kind: 'points' as const,
              },
            ];
          }),
        },
      ],
    };
  },
};
