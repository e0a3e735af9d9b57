/** Rows of locks: J, c_t and Q beside differences of the gaps, every joint beside that of a chain. `Tasora, (5)–(9)`; T1 to T3, T17, T18. */
import { JOINT_MASKS, type JointKind } from '../../../src/constraints/joint-masks.ts';
import { makeConstraint } from '../../../src/constraints/make-constraint.ts';
import { RowSystem } from '../../../src/constraints/row-system.ts';
import type {
  LockModel,
  MotionLawModel,
  TreeJointModel,
  Triple,
} from '../../../src/model/model.ts';
import { treeFreedoms } from '../../../src/multibody/tree/tree-layout.ts';
import { TreeMover } from '../../../src/multibody/tree/tree-mover.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { atMost, closedForm, type Figure, independent, type ValidationCase } from '../case.ts';
import { chainPendulum, pendulum, STILL } from '../constraint-models.ts';
import { attitude, draws, marker, MovingLock } from '../constraint-motion.ts';

type Draw = (count: number) => number[];
const three = (draw: Draw): Triple => draw(3) as unknown as Triple;
const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, k) => sum + x * b[k], 0);

const SINE: MotionLawModel = {
  kind: 'sine',
  offset: 0.2,
  amplitude: 0.5,
  frequency: 0.4,
  phase: 0.7,
};
/** Rows of a lock that holds all: three of translation, three of rotation, that of Cardano. */
const TRANSLATIONS = [0, 1, 2];
const ROTATIONS = [3, 4, 5, 6];

/** A lock of all seven rows with an imposed shift and turn, on random motions of two bodies, for each pair of axes. */
function motions(seed: number): readonly MovingLock[] {
  const axes = ['x', 'y', 'z'] as const;
  return axes.flatMap((shift, k) =>
    axes.map((_, j) => {
      const draw = draws(seed + 3 * k + j);
      const turn = axes[(j + 2) % 3];
      const model: LockModel = {
        kind: 'lock',
        name: 'full',
        first: marker(draw, 'a'),
        second: marker(draw, 'b'),
        translation: axes,
        rotation: axes,
        square: true,
        translationMotion: { axis: shift, law: SINE },
        rotationMotion: { axis: turn, law: SINE },
      };
      return new MovingLock(model, draw);
    }),
  );
}

/** Errors of J v + c_t of each row against the first difference of its gap over 2 h. */
function rateErrors(moving: MovingLock, h: number): readonly number[] {
  const { jacobian, drift } = moving.rows();
  const [before, after] = [moving.gaps(-h), moving.gaps(h)];
  return Array.from(drift, (own, row) => {
    const rate = own + dot(moving.velocity, [...jacobian.subarray(12 * row, 12 * row + 12)]);
    return Math.abs(rate - (after[row] - before[row]) / (2 * h));
  });
}

/** What J a − Q of each row is above the second difference of its gap, of fourth order in h. */
function secondErrors(moving: MovingLock, h: number): readonly number[] {
  const { jacobian, curvature } = moving.rows();
  const [a, b, c, d, e] = [-2, -1, 0, 1, 2].map((k) => moving.gaps(k * h));
  return Array.from(curvature, (q, row) => {
    const own = dot(moving.acceleration, [...jacobian.subarray(12 * row, 12 * row + 12)]) - q;
    return own - (-a[row] - e[row] + 16 * (b[row] + d[row]) - 30 * c[row]) / (12 * h * h);
  });
}

/** Row by w × (w × r) of the marker of body 2: what each row of translation has of it, m/s². */
function inwardOfSecond(moving: MovingLock): readonly number[] {
  const { jacobian } = moving.rows();
  const { rotation } = moving.bodies[1];
  const lever = TRANSLATIONS.map((a) =>
    moving.model.second.position.reduce((sum, x, b) => sum + rotation[3 * a + b] * x, 0),
  );
  const w = moving.velocity.slice(9, 12);
  const inward = lever.map((r, a) => w[a] * dot(w, lever) - r * dot(w, w));
  return TRANSLATIONS.map((row) => dot([...jacobian.subarray(12 * row, 12 * row + 3)], inward));
}

const most = (values: readonly number[]): number => Math.max(...values.map(Math.abs));
const ofRows = (errors: readonly number[], rows: readonly number[]): number =>
  most(rows.map((row) => errors[row]));

/** T1 to T3, T17. */
function differenceFigures(): Figure[] {
  const first = motions(1).map((moving) => rateErrors(moving, 1e-5));
  const moved = motions(101);
  const second = moved.map((moving) => secondErrors(moving, 1e-4));
  // with the other sign of the terms of body 2, Q changes by twice its inward acceleration
  const flipped = moved.flatMap((moving, n) =>
    inwardOfSecond(moving).map((own, row) => ({ off: second[n][row] + 2 * own, twice: 2 * own })),
  );
  const largest = flipped.reduce((a, b) => (Math.abs(b.twice) > Math.abs(a.twice) ? b : a));
  const worst = (errors: readonly (readonly number[])[], rows: readonly number[]): number =>
    most(errors.map((one) => ofRows(one, rows)));
  return [
    independent('T1: rate of the translation rows', 'm/s', worst(first, TRANSLATIONS), 0, 1e-7),
    independent('T17: rate of the rotation rows', '1/s', worst(first, ROTATIONS), 0, 1e-7),
    independent('T2: second rate of translation', 'm/s²', worst(second, TRANSLATIONS), 0, 1e-6),
    independent('T17: second rate of rotation', '1/s²', worst(second, ROTATIONS), 0, 1e-6),
    independent('T3: error of the other sign of body 2', 'm/s²', largest.off, largest.twice, 1e-6),
    atMost('T3: 1 m/s² over that error', '1', 1 / Math.abs(largest.off), 1),
  ];
}

/** Joints of chains, at random positions and rates. */
const JOINTS: readonly (readonly [JointKind, (draw: Draw) => TreeJointModel])[] = [
  ['fixed', () => ({ kind: 'fixed' })],
  [
    'revolute',
    (draw) => ({ kind: 'revolute', axis: [0, 0, 1], position: 3 * draw(1)[0], rate: draw(1)[0] }),
  ],
  [
    'prismatic',
    (draw) => ({ kind: 'prismatic', axis: [0, 0, 1], position: draw(1)[0], rate: draw(1)[0] }),
  ],
  [
    'spherical',
    (draw) => ({ kind: 'spherical', orientation: attitude(draw), angularVelocity: three(draw) }),
  ],
  [
    'cardano',
    (draw) => ({
      kind: 'universal',
      axes: [
        [0, 1, 0],
        [1, 0, 0],
      ],
      angles: [3 * draw(1)[0], 3 * draw(1)[0]],
      rates: [draw(1)[0], draw(1)[0]],
    }),
  ],
];

/** Rows of a lock between the two links of a chain whose joint is of the same kind, and what they are off, m and rad, 1/s. */
function rowsOnChain(
  kind: JointKind,
  joint: (draw: Draw) => TreeJointModel,
  seed: number,
): { count: number; freedoms: number; gap: number; rate: number } {
  const draw = draws(seed);
  const centers = [three(draw), three(draw)];
  const position = three(draw);
  const orientation = attitude(draw);
  const base: TreeJointModel = {
    kind: 'free',
    position: three(draw),
    orientation: attitude(draw),
    velocity: three(draw),
    angularVelocity: three(draw),
  };
  const part = { mass: 1, inertia: [0.4, 0.4, 0.4, 0, 0, 0] } as const;
  const model = {
    name: 'chain',
    position: [0, 0, 0] as const,
    orientation: STILL,
    links: [
      {
        ...part,
        name: 'a',
        parent: -1,
        position: [0, 0, 0] as const,
        orientation: STILL,
        joint: base,
        center: centers[0],
      },
      {
        ...part,
        name: 'b',
        parent: 0,
        position,
        orientation,
        joint: joint(draw),
        center: centers[1],
      },
    ],
    frames: [],
  };
  const { positions, rates } = treeFreedoms(model);
  const length = positions + rates;
  const state = (): Float64Array => new Float64Array(length);
  const mover = new TreeMover(model, [0, 0, 0], state(), state());
  const lock: LockModel = {
    kind: 'lock',
    name: kind,
    first: {
      body: 'b',
      position: centers[1].map((c) => -c) as unknown as Triple,
      orientation: STILL,
    },
    second: {
      body: 'a',
      position: position.map((p, a) => p - centers[0][a]) as unknown as Triple,
      orientation,
    },
    ...JOINT_MASKS[kind],
  };
  const [a, b] = mover.parts;
  const rows = new RowSystem([
    makeConstraint(lock, b, a, new Float64Array(1), new Float64Array(0)),
  ]);
  const out = new Float64Array(rows.count);
  rows.measureGaps();
  rows.build();
  rows.measureRates(out);
  return {
    count: rows.count,
    freedoms: rates - 6,
    gap: most([...rows.gaps]),
    rate: most([...out]),
  };
}

/** T18: what the joint of the chain allows leaves every row at 0, and the rows are as many as it holds. */
function chainFigures(): Figure[] {
  return JOINTS.flatMap(([kind, joint]) => {
    const found = Array.from({ length: 8 }, (_, k) => rowsOnChain(kind, joint, k + 1));
    return [
      closedForm(`T18: rows of ${kind}`, '1', found[0].count, 6 - found[0].freedoms, 0),
      closedForm(`T18: gap of ${kind}`, 'm', most(found.map(({ gap }) => gap)), 0, 1e-13),
      closedForm(`T18: rate of ${kind}`, 'm/s', most(found.map(({ rate }) => rate)), 0, 1e-13),
    ];
  });
}

/** Angle of a rod on a hinge each 10 ms of a second, by a lock and by a chain, rad. */
function swings(): { time: number[]; lock: number[]; chain: number[] } {
  const systems = [pendulum, chainPendulum].map((make) =>
    makeSystem(make(1.2, { integrator: 'rk4' })),
  );
  const state = new Float64Array(13);
  const angle = (k: number): number => {
    systems[k].readBody(0, state, 0);
    return Math.atan2(state[0], -state[1]);
  };
  const out = { time: [] as number[], lock: [] as number[], chain: [] as number[] };
  for (let n = 0; n <= 1000; n++) {
    if (n % 10 === 0) {
      out.time.push(1e-3 * n);
      out.lock.push(angle(0));
      out.chain.push(angle(1));
    }
    for (const system of systems) system.step(1e-3);
  }
  return out;
}

export const lockRowsCase: ValidationCase = {
  name: 'lock-rows',
  title: 'Rows of locks beside differences, and beside the joints of chains',
  source: 'Tasora, sliding contact of free-form surfaces, (5) to (9); T1 to T3, T17, T18',
  description:
    'All seven rows of a lock with an imposed shift and turn between two bodies on random motions: J v + c_t and J a − Q beside the first and the second difference of the gaps. Then five joints between the links of a chain that has the same joint, at eight random places each.',
  equation:
    'c = A_sᵀ A_2ᵀ d − q_D; e = q_Δ* q_s* q_2* q_1 q_p, rows e_v; ċ = J v + c_t, c̈ = J a − Q',
  tolerances:
    'First differences: h² c‴/6 = 1e-9 and rounding of 1e-16/h = 1e-11 at h = 1e-5. Second ones: h⁴ c⁽⁶⁾/90 = 1e-11 and rounding of 1e-16/h² = 1e-8 at h = 1e-4, times the terms of a row. Chains: rounding.',
  run() {
    const steps = Array.from({ length: 25 }, (_, k) => 10 ** (-1 - k / 4));
    const [one] = motions(1);
    const swing = swings();
    const errorCurve = (
      name: string,
      errors: (moving: MovingLock, h: number) => readonly number[],
      rows: readonly number[],
    ) => ({ name, x: steps, y: steps.map((h) => ofRows(errors(one, h), rows)) });
    return {
      figures: [...differenceFigures(), ...chainFigures()],
      plots: [
        {
          title: 'Rows beside differences of the gaps: truncation of order 2 and 4, then rounding',
          xLabel: 'step of the difference, s',
          yLabel: 'largest error, m/s or m/s²',
          xScale: 'log',
          yScale: 'log',
          curves: [
            errorCurve('rate, translation', rateErrors, TRANSLATIONS),
            errorCurve('rate, rotation', rateErrors, ROTATIONS),
            errorCurve('second rate, translation', secondErrors, TRANSLATIONS),
            errorCurve('second rate, rotation', secondErrors, ROTATIONS),
          ],
        },
        {
          title: 'A rod on a hinge: lock and chain',
          xLabel: 'time, s',
          yLabel: 'angle, rad',
          curves: [
            { name: 'free body and lock', x: swing.time, y: swing.lock },
            {
              name: 'chain',
              x: swing.time.filter((_, n) => n % 5 === 0),
              y: swing.chain.filter((_, n) => n % 5 === 0),
              kind: 'points',
            },
          ],
        },
      ],
    };
  },
};
