/** Motion of a body that is cut into more cells, without friction. `Gonthier 2007, chapter 4`. */
import { contactKernels } from '../../../config/contact-kernels.ts';
import type { CellModel, IntegratorKind, SystemModel } from '../../../src/model/model.ts';
import { makeSystem } from '../../../src/system/system.ts';
import {
  atMost,
  closedForm,
  curve,
  type Curve,
  type Figure,
  type ValidationCase,
} from '../case.ts';
import { TRUTH } from '../systems.ts';
import { bodyModel, planeModel, worldModel } from '../world-models.ts';

type Cuts = readonly [number, number, number];

/** Sides of the box, m, and its mass: 500 kg/m³. */
const SIZE = [0.2, 0.1, 0.1] as const;
const MASS = 1;
/** N/m³. */
const STIFFNESS = 1e7;
/** Turned by 0.15 rad about (0.6, 0.8, 0), so that it falls on a corner and tumbles. */
const TILT = 0.15;
const START = { height: 0.075, speed: 0.3, until: 0.15 } as const;
const CUTS: readonly Cuts[] = [
  [2, 1, 1],
  [2, 2, 1],
  [4, 4, 2],
];
/** Step at which every cut asks for as many sub-steps, s, and the step of the loop. */
const FINE = 0.25e-3;
const LOOP = 1e-3;
const LOOKED_AT = 1e-3;
/** Below 1, so that the force has the damping of the impact. */
const DAMPED = 0.8;

function cells([nx, ny, nz]: Cuts): CellModel[] {
  const [a, b, c] = [SIZE[0] / nx, SIZE[1] / ny, SIZE[2] / nz];
  return Array.from({ length: nx * ny * nz }, (_, k) => ({
    name: `cell-${k}`,
    shape: { kind: 'box', size: [a, b, c] },
    position: [
      ((k % nx) + 0.5) * a - SIZE[0] / 2,
      ((Math.floor(k / nx) % ny) + 0.5) * b - SIZE[1] / 2,
      (Math.floor(k / (nx * ny)) + 0.5) * c - SIZE[2] / 2,
    ],
    orientation: [0, 0, 0, 1],
  }));
}

function model(
  cuts: Cuts,
  restitution: number,
  integrator: IntegratorKind,
  step: number,
): SystemModel {
  const [a, b, c] = SIZE.map((side) => side * side);
  const half = Math.sin(TILT / 2);
  return worldModel({
    ...TRUTH,
    gravity: [0, 0, -9.81],
    bodies: [
      planeModel(),
      bodyModel('box', 'dynamic', {
        mass: MASS,
        inertia: [(MASS / 12) * (b + c), (MASS / 12) * (a + c), (MASS / 12) * (a + b), 0, 0, 0],
        position: [0, 0, START.height],
        orientation: [0.6 * half, 0.8 * half, 0, Math.cos(TILT / 2)],
        velocity: [0, 0, -START.speed],
        cells: cells(cuts),
      }),
    ],
    contacts: [
      {
        name: 'contact',
        bodyI: 'box',
        bodyJ: 'plane',
        pair: { kind: 'volumetric' },
        normalLaw: {
          kind: 'volumetric',
          stiffness: STIFFNESS,
          restitution,
          smallVelocity: 1e-3,
          relaxationTime: 0,
        },
        frictionLaw: { kind: 'none' },
        rollingLaw: { kind: 'volumetric' },
      },
    ],
    integrator,
    step,
  });
}

/** Position and orientation of the box every ms, one after the other. */
function poses(
  cuts: Cuts,
  restitution: number,
  integrator: IntegratorKind,
  step: number,
): Float64Array {
  const system = makeSystem(model(cuts, restitution, integrator, step), contactKernels());
  const looks = Math.round(START.until / LOOKED_AT);
  const out = new Float64Array(7 * looks);
  const body = new Float64Array(13);
  for (let n = 0; n < looks; n++) {
    for (let k = 0; k < Math.round(LOOKED_AT / step); k++) {
      if (system.step(step) !== 0) throw new Error('the step of the cut box failed');
    }
    system.readBody(system.bodyIndex('box'), body, 0);
    out.set(body.subarray(0, 7), 7 * n);
  }
  return out;
}

/** Largest difference of position, m, and of the components of the unit quaternion, at each look. */
function apart(a: Float64Array, b: Float64Array): number[] {
  const out = new Array<number>(a.length / 7).fill(0);
  for (let i = 0; i < a.length; i++) {
    const n = Math.floor(i / 7);
    out[n] = Math.max(out[n], Math.abs(a[i] - b[i]));
  }
  return out;
}

/** What cutting does to the way of the box: the whole box beside that of CUTS. */
function byCut(restitution: number, integrator: IntegratorKind, step: number): number[][] {
  const whole = poses([1, 1, 1], restitution, integrator, step);
  return CUTS.map((cuts) => apart(whole, poses(cuts, restitution, integrator, step)));
}

/** Error of the step itself: the whole box, damped, beside its error-controlled run, m. */
function stepError(): number {
  const step = poses([1, 1, 1], DAMPED, 'implicit-contact', FINE);
  return most(apart(step, poses([1, 1, 1], DAMPED, 'dormand-prince', LOOKED_AT)));
}

const most = (values: readonly number[]): number => Math.max(...values);

export const cuttingMotionCase: ValidationCase = {
  name: 'cutting-motion',
  title: 'A body cut into cells: its motion without friction',
  source: 'Gonthier 2007, chapter 4',
  description:
    'A box of 1 kg, 0.2 × 0.1 × 0.1 m, turned by 0.15 rad, falls at 0.3 m/s on one corner and tumbles for 0.15 s; k_v 1e7 N/m³, no friction. Whole, and cut into 2, 4 and 32 cells. Once elastic, with the implicit step; once with restitution 0.8, with the implicit step and error-controlled.',
  equation:
    'f_n = Σ max(0, k_v V_k (1 − A v_k)): elastic forces add up to that of the whole, so that the motion is the same. With damping a piece that leaves fast enough is cut off at 0 before the whole is, which is another law.',
  tolerances:
    'Elastic: rounding, 600 steps of some 1e-16 m each grow by the lever of an impact; 1e-12. Where a cut asks for another number of sub-steps (32 cells at 1 ms) the step errors differ, first order in the step. Damped: the difference that the law itself makes is a bound; what the step adds to it, at most a thousandth of the error of the step.',
  run() {
    const elastic = byCut(1, 'implicit-contact', FINE);
    const coarse = apart(
      poses([1, 1, 1], 1, 'implicit-contact', LOOP),
      poses([2, 2, 1], 1, 'implicit-contact', LOOP),
    );
    const damped = byCut(DAMPED, 'implicit-contact', FINE);
    const truth = byCut(DAMPED, 'dormand-prince', LOOKED_AT);
    const error = stepError();
    const times = elastic[0].map((_, n) => (n + 1) * LOOKED_AT);
    const names = CUTS.map((cuts) => `${cuts.reduce((a, b) => a * b)} cells`);
    const figures: Figure[] = [
      ...names.map((name, k) =>
        closedForm(`${name}, elastic, 0.25 ms: difference`, 'm', most(elastic[k]), 0, 1e-12),
      ),
      closedForm('4 cells, elastic, 1 ms: difference', 'm', most(coarse), 0, 1e-12),
      ...names.flatMap((name, k) => {
        const law = most(truth[k]);
        const added = Math.abs(most(damped[k]) - law);
        return [
          atMost(`${name}, damped, error-controlled: difference of the law`, 'm', law, 1e-5),
          atMost(
            `${name}, damped, 0.25 ms: what the step adds, over its error`,
            '1',
            added / error,
            1e-3,
          ),
        ];
      }),
    ];
    const plotted = (lists: readonly number[][], words: string): Curve[] =>
      lists.map((list, k) => curve(`${names[k]}, ${words}`, times, list));
    return {
      figures,
      plots: [
        {
          title: 'Difference of the pose to that of the whole box, damped',
          xLabel: 'time, s',
          yLabel: 'difference, m',
          curves: [...plotted(damped, 'implicit step'), ...plotted(truth, 'error-controlled')],
        },
        {
          title: 'Difference of the pose to that of the whole box, elastic',
          xLabel: 'time, s',
          yLabel: 'difference, m',
          curves: plotted(elastic, 'implicit step'),
        },
      ],
    };
  },
};
