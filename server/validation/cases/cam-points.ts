/** How the lift of a cam gets nearer to its law with the points of its spline, and the cam left to itself by two methods. `Tasora`; T9 to T11, T20. */
import { makeConstraint } from '../../../src/constraints/make-constraint.ts';
import { CONSTRAINT_READOUT, EnergyReadout, makeSystem } from '../../../src/system/system.ts';
import { CAM, camLaw } from '../cam-law.ts';
import { type CamDegree, camFollower } from '../cam-models.ts';
import {
  atMost,
  closedForm,
  curve,
  type Figure,
  independent,
  type ValidationCase,
} from '../case.ts';
import { referenceRows } from '../reference-data.ts';
import { bodyIn } from '../sliding-motion.ts';

const KINETIC = 0.5 * CAM.inertia * CAM.rate ** 2;
const row = new Float64Array(Math.max(CONSTRAINT_READOUT.length, 13));
const state = new Float64Array(13);
const FREE = ['time', 'angle', 'rate'] as const;

/** Errors of the follower of the driven cam each 0.1° of a turn. */
interface Lift {
  readonly degrees: number[];
  readonly acceleration: number[];
  /** Largest: m, m/s, m/s². */
  readonly largest: number[];
}

/** Way, speed and acceleration that the row of the contact leaves the follower: c = 0, J v = 0, J a = Q. */
function lift(count: number, degree: CamDegree): Lift {
  const tip = (camFollower(true, {}, count, degree).constraints ?? [])[2];
  const still = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
  const [cam, follower] = [bodyIn(still), bodyIn([0, CAM.pitch, ...still.slice(2)])];
  const made = makeConstraint(tip, follower, cam, new Float64Array(1), new Float64Array(4));
  const out: Lift = { degrees: [], acceleration: [], largest: [0, 0, 0] };
  const jacobian = new Float64Array(12);
  const [drift, gap, q] = [0, 1, 2].map(() => new Float64Array(1));
  cam.state[12] = CAM.rate;
  for (let k = 0; k <= 3600; k++) {
    const angle = (k * Math.PI) / 1800;
    const [s, s1, s2] = camLaw(angle);
    cam.state.set([0, 0, Math.sin(angle / 2), Math.cos(angle / 2)], 3);
    cam.refresh();
    // the follower moves along y alone; the gap is of second order in what it lacks
    for (let pass = 0; pass < 3; pass++) {
      made.writeGaps(gap, 0);
      made.writeRows(jacobian, drift, 0);
      follower.state[1] -= gap[0] / jacobian[1];
      follower.refresh();
    }
    made.writeRows(jacobian, drift, 0);
    follower.state[8] = (-jacobian[11] * CAM.rate) / jacobian[1];
    made.writeCurvature(q, 0);
    const errors = [
      follower.state[1] - CAM.pitch - s,
      follower.state[8] - s1 * CAM.rate,
      q[0] / jacobian[1] - s2 * CAM.rate ** 2,
    ];
    errors.forEach((error, a) => {
      out.largest[a] = Math.max(out.largest[a], Math.abs(error));
    });
    out.degrees.push(0.1 * k);
    out.acceleration.push(errors[2]);
  }
  return out;
}

/** T9, T10. */
function liftFigures(lifts: ReadonlyMap<string, Lift>): Figure[] {
  const rows = referenceRows('tasora-cam', 'lift', [
    'points',
    'degree',
    'way',
    'speed',
    'acceleration',
  ]);
  const of = (count: number): number[] => lifts.get(`${count} 5`)?.largest ?? [NaN];
  const [coarse, middle, fine] = [100, 200, 400].map(of);
  const ratios = [
    ['way', 8, 1.5],
    ['speed', 4, 0.7],
    ['acceleration', 2.2, 0.4],
  ] as const;
  return [
    ...rows.flatMap(({ points, degree, way, speed, acceleration }) => {
      const [ds, dv, da] = lifts.get(`${points} ${degree}`)?.largest ?? [NaN];
      const name = `T9: ${points} points, degree ${degree}`;
      return [
        independent(`${name}: way`, 'm', ds, way, 0.005 * way),
        independent(`${name}: speed`, 'm/s', dv, speed, 0.005 * speed),
        independent(`${name}: acceleration`, 'm/s²', da, acceleration, 0.005 * acceleration),
      ];
    }),
    ...ratios.flatMap(([name, ratio, spread], a) => [
      closedForm(`T10: ${name}, 100 over 200 points`, '1', coarse[a] / middle[a], ratio, spread),
      closedForm(`T10: ${name}, 200 over 400 points`, '1', middle[a] / fine[a], ratio, spread),
    ]),
  ];
}

interface FreeRun {
  /** Angle, rad, and rate, rad/s, at the end of each step. */
  readonly angle: number[];
  readonly rate: number[];
  /** Largest of the ledger over the kinetic energy, of the follower over the lift of its own angle, m, and of the force, N. */
  readonly balance: number;
  readonly height: number;
  readonly force: number;
}

/** Half a second and less of the cam left to itself. */
function freeRun(integrator: 'rk4' | 'implicit-contact', step: number): FreeRun {
  const made = makeSystem(camFollower(false, { integrator, step }));
  const angles: number[] = [];
  const rates: number[] = [];
  let [angle, balance, height, force] = [0, 0, 0, 0];
  for (let k = Math.round(0.4 / step); k > 0; k--) {
    if (made.step(step) !== 0) break;
    made.readBody(0, state, 0);
    const turn = 2 * Math.atan2(state[5], state[6]);
    angle = turn + 2 * Math.PI * Math.round((angle - turn) / (2 * Math.PI));
    const rate = state[12];
    const [s, s1, s2] = camLaw(angle);
    made.readBody(1, state, 0);
    height = Math.max(height, Math.abs(state[1] - CAM.pitch - s));
    made.readEnergy(row, 0);
    balance = Math.max(balance, Math.abs(row[EnergyReadout.balance]) / KINETIC);
    made.readConstraint(2, row, 0);
    // θ″ of the one equation, and N = (m (s″ θ′² + s′ θ″ + g) + F₀ + k s)/cos α
    const load = CAM.mass * CAM.gravity + CAM.preload + CAM.stiffness * s;
    const turning =
      -(CAM.mass * s1 * s2 * rate ** 2 + load * s1) / (CAM.inertia + CAM.mass * s1 ** 2);
    const exact =
      (CAM.mass * (s2 * rate ** 2 + s1 * turning) + load) * Math.hypot(1, s1 / (CAM.pitch + s));
    force = Math.max(force, Math.abs(Math.hypot(row[0], row[1], row[2]) - exact));
    angles.push(angle);
    rates.push(rate);
  }
  return { angle: angles, rate: rates, balance, height, force };
}

/** T11, T20. */
function freeFigures(runs: ReadonlyMap<string, FreeRun>): Figure[] {
  const methods = referenceRows('tasora-cam', 'methods', ['order', 'step', 'angle', 'balance']);
  const last = (values: readonly number[]): number => values[values.length - 1];
  const [exact, fixed, half] = ['4 1', '2 1', '2 0.5'].map((key) => runs.get(key)!);
  return [
    ...referenceRows('tasora-cam', 'free', FREE).flatMap(({ time, angle, rate }) => {
      const at = Math.round(1e3 * time) - 1;
      return [
        independent(`T11: angle after ${time} s`, 'rad', exact.angle[at], angle, 6e-8),
        independent(`T11: rate after ${time} s`, 'rad/s', exact.rate[at], rate, 6e-5),
      ];
    }),
    ...methods.flatMap(({ order, step, angle, balance }) => {
      const run = runs.get(`${order} ${step}`)!;
      const name = `${order === 4 ? 'T11: rk4' : 'T20: RATTLE'}, ${step} ms`;
      return [
        independent(`${name}: angle after 0.4 s`, 'rad', last(run.angle), angle, 2e-7),
        atMost(`${name}: balance over kinetic energy`, '1', run.balance, 1.1 * balance),
      ];
    }),
    atMost('T11: follower over the lift of its angle', 'm', exact.height, 6e-9),
    atMost('T20: the same by RATTLE', 'm', fixed.height, 6e-9),
    atMost('T11: error of the force', 'N', exact.force, 0.1),
    atMost('T20: error of the force, 1 ms', 'N', fixed.force, 0.3),
    atMost('T20: error of the force, 0.5 ms', 'N', half.force, 0.16),
  ];
}

export const camPointsCase: ValidationCase = {
  name: 'cam-points',
  title: 'A cam of 100, 200 and 400 points, and the cam left to itself',
  source: 'Tasora, sliding contact of free-form surfaces, cam benchmark; T9 to T11, T20',
  description:
    'The profile interpolated at 100, 200 and 400 angles by degree 5, and at 200 by degree 3: errors of way, speed and acceleration that the row of the contact leaves the driven follower, at 3600 angles. The cam of 200 points left to itself by rk4 and by RATTLE.',
  equation:
    '(I + m s′²) θ″ + m s′ s″ θ′² + (m g + F₀ + k s) s′ = 0; N cos α = m (s″ θ′² + s′ θ″ + g) + F₀ + k s',
  tolerances:
    'Errors of splines: three digits of the reference, 0.5 %. Their ratios: what is left has corners of third, second and first order. Angles: a half and more of the last digit. Energy: 10 % over that of the other program. Force: 0.06 N of the spline at the junctions; RATTLE gives that of half a step before.',
  run() {
    const lifts = new Map<string, Lift>(
      (
        [
          [100, 5],
          [200, 5],
          [400, 5],
          [200, 3],
        ] as const
      ).map(([count, degree]) => [`${count} ${degree}`, lift(count, degree)] as const),
    );
    const runs = new Map<string, FreeRun>(
      (
        [
          [4, 2],
          [4, 1],
          [2, 1],
          [2, 0.5],
        ] as const
      ).map(
        ([order, step]) =>
          [
            `${order} ${step}`,
            freeRun(order === 4 ? 'rk4' : 'implicit-contact', 1e-3 * step),
          ] as const,
      ),
    );
    const exact = runs.get('4 1')!;
    const time = exact.rate.map((_, k) => 1e-3 * (k + 1));
    const free = referenceRows('tasora-cam', 'free', FREE);
    return {
      figures: [...liftFigures(lifts), ...freeFigures(runs)],
      plots: [
        {
          title: 'Error of the acceleration: it sits at the junctions of the law',
          xLabel: 'angle, °',
          yLabel: 'error, m/s²',
          curves: [100, 200, 400].map((count) => {
            const { degrees, acceleration } = lifts.get(`${count} 5`)!;
            return curve(`${count} points`, degrees, acceleration);
          }),
        },
        {
          title: 'Rate of the cam left to itself',
          xLabel: 'time, s',
          yLabel: 'rate, rad/s',
          curves: [
            curve('rk4, 1 ms', time, exact.rate),
            {
              name: 'one equation of motion',
              x: free.map((at) => at.time),
              y: free.map(({ rate }) => rate),
              kind: 'points',
            },
          ],
        },
      ],
    };
  },
};
