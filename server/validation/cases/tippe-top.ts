/** A tippe-top turns itself over by friction at its contact. `Gonthier 2007, 5.2.2, figures 5.54 to 5.57`. */
import { ContactReadout } from '../../../src/system/system.ts';
import {
  atMost,
  curve,
  type Figure,
  independent,
  type NotReproduced,
  type Plot,
  printed,
  type ValidationCase,
} from '../case.ts';
import { referenceRows } from '../reference-data.ts';
import {
  column,
  crossing,
  largestRise,
  mechanicalEnergy,
  type Recording,
  record,
  valueAt,
} from '../recording.ts';
import { scenarioSystem } from '../systems.ts';

const W_Z = 12;
/** Tilts that count as turned over and as still standing on the stem, rad. */
const FLIPPED = 2.9;
const STANDING = 2.8;
const [TOP] = referenceRows('gonthier-volumetric', 'tippe-top', [
  ...(['least', 'leastTime', 'half', 'stem', 'flip'] as const),
  ...(['spinFlipped', 'spinFour', 'spinSix', 'fall'] as const),
]);
const [MODIFIED] = referenceRows('gonthier-volumetric', 'tippe-top-modified', ['flip', 'fall']);

/** Runs of the top: fixed implicit steps, or error-controlled with results each 1 ms. */
function spin(name: string, end: number, changes: readonly string[], step = 2e-4): Recording {
  const system = scenarioSystem(name, [`integration.step_s=${step}`, ...changes]);
  return record(system, 'tippe-top', end, step, Math.round(1e-3 / step));
}

/** Tilt of the axis from the vertical, rad. */
function tilt({ body }: Recording): number[] {
  return body.map((q) => Math.acos(Math.min(1, Math.max(-1, 1 - 2 * (q[3] ** 2 + q[4] ** 2)))));
}

function least(run: Recording): { value: number; time: number } {
  const early = tilt(run).filter((_, n) => run.time[n] < 0.25);
  const value = Math.min(...early);
  return { value, time: run.time[early.indexOf(value)] };
}

/** Times of the turn, s, and what must hold of any run. */
function turnFigures(name: string, run: Recording, flip: number): Figure[] {
  const { time } = run;
  const theta = tilt(run);
  const turned = crossing(time, theta, FLIPPED);
  const after = theta.filter((_, n) => time[n] > turned && time[n] < turned + 2);
  return [
    independent(`${name}: tilt over 2.9`, 's', turned, flip, 0.08),
    atMost(`${name}: least tilt before 0.25 s`, 'rad', least(run).value, 0.03),
    atMost(
      `${name}: standing tilt of 2.8 less the least in the 2 s after`,
      'rad',
      STANDING - Math.min(...after),
      0,
    ),
    atMost(
      `${name}: rise of kinetic + potential energy`,
      'J',
      largestRise(time, mechanicalEnergy(run)),
      1e-9,
    ),
  ];
}

function originalFigures(exact: Recording, long: Recording): Figure[] {
  const { time, body, contact } = exact;
  const theta = tilt(exact);
  const pairs = column(contact, ContactReadout.pairs);
  const low = least(exact);
  const spinAt = (t: number): number => valueAt(long.time, column(long.body, W_Z), t);
  return [
    independent('tilt over 2.9', 's', crossing(time, theta, FLIPPED), TOP.flip, 2e-3),
    printed('tilt over 2.9, 1.6 s in the text', 's', crossing(time, theta, FLIPPED), 1.6, 0.05),
    atMost(
      'rise of kinetic + potential energy',
      'J',
      largestRise(time, mechanicalEnergy(exact)),
      1e-9,
    ),
    independent('early minimum of the tilt', 'rad', low.value, TOP.least, 2e-3),
    independent('its time', 's', low.time, TOP.leastTime, 2e-3),
    independent('tilt over π/2', 's', crossing(time, theta, Math.PI / 2), TOP.half, 2e-3),
    independent('stem touches', 's', crossing(time, pairs, 1.5), TOP.stem, 2e-3),
    independent(
      'w_z at 1.6 s',
      'rad/s',
      valueAt(time, column(body, W_Z), 1.6),
      TOP.spinFlipped,
      0.5,
    ),
    ...turnFigures('implicit, 0.2 ms', long, TOP.flip),
    independent('implicit, 0.2 ms: w_z at 4 s', 'rad/s', spinAt(4), TOP.spinFour, 0.5),
    independent('implicit, 0.2 ms: w_z at 6 s', 'rad/s', spinAt(6), TOP.spinSix, 0.5),
    independent(
      'implicit, 0.2 ms: tilt below 2.8, it falls',
      's',
      crossing(long.time, tilt(long), STANDING, 2),
      TOP.fall,
      0.3,
    ),
  ];
}

/** What the source has otherwise. */
function printedOtherwise(exact: Recording, long: Recording): readonly NotReproduced[] {
  const low = least(exact);
  const inertia =
    'The inertia of the top is not in the source; that of Leine and Glocker (2003) is taken.';
  return [
    {
      quantity: 'falls back',
      unit: 's',
      computed: crossing(long.time, tilt(long), STANDING, 2),
      reference: 4,
      basis: 'printed',
      reason: `With exact volumes the top stands until its spin is down to about 80 rad/s, here as in the independent run. ${inertia} What makes it fall early in the source is not known.`,
    },
    {
      quantity: 'time of the early minimum of the tilt',
      unit: 's',
      computed: low.time,
      reference: 0.15,
      basis: 'printed',
      reason: inertia,
    },
    {
      quantity: 'early minimum of the tilt',
      unit: 'rad',
      computed: low.value,
      reference: 0,
      basis: 'printed',
      reason: `The tilt passes close by zero. ${inertia}`,
    },
  ];
}

function plots(runs: readonly (readonly [string, Recording])[]): Plot[] {
  const of = (value: (run: Recording) => number[]): Plot['curves'] =>
    runs.map(([name, run]) => curve(name, run.time, value(run)));
  return [
    {
      title: 'Tilt of the axis',
      xLabel: 'time, s',
      yLabel: 'tilt, rad',
      curves: [
        ...of(tilt),
        {
          name: 'reference, original',
          x: [TOP.leastTime, TOP.half, TOP.flip, TOP.fall],
          y: [TOP.least, Math.PI / 2, FLIPPED, STANDING],
          kind: 'points',
        },
        {
          name: 'reference, modified',
          x: [MODIFIED.flip, MODIFIED.fall],
          y: [FLIPPED, STANDING],
          kind: 'points',
        },
      ],
    },
    {
      title: 'Spin about the vertical',
      xLabel: 'time, s',
      yLabel: 'w_z, rad/s',
      curves: [
        ...of((run) => column(run.body, W_Z)),
        {
          name: 'reference, original',
          x: [1.6, 4, 6],
          y: [TOP.spinFlipped, TOP.spinFour, TOP.spinSix],
          kind: 'points',
        },
      ],
    },
    {
      title: 'Kinetic and potential energy',
      xLabel: 'time, s',
      yLabel: 'energy, J',
      curves: of(mechanicalEnergy),
    },
  ];
}

export const tippeTopCase: ValidationCase = {
  name: 'tippe-top',
  title: 'Tippe-top: turns over, and without friction does not',
  source: 'Gonthier 2007, 5.2.2, figures 5.54 to 5.57; acceptance statement 17',
  description:
    'A top of 6 g with a round body and a stem spins at 200 rad/s, 0.1 rad off the vertical; modified: 185 rad/s and 0.65 of the spin torque. Dormand–Prince 5(4), relative tolerance 1e-6, to 2 s; the implicit step at 0.2 ms until the top falls again, and at 1 ms. Without friction the tilt only nutates.',
  equation:
    'f_t and τ_s of the bristle law with Contensou factors: fast spin takes friction off the sliding of the contact, the rest raises the centre of mass.',
  tolerances:
    'Flips 0.08 s, early tilt 0.03 rad, 2 s on the stem, energy: acceptance statement 17 and its section. Against the independent run 2 ms, its digits; against the text 0.05 s, its digits; the spin 0.5 rad/s, 0.1 s of its decay of 5.5 rad/s². The early minimum passes by zero, 2e-3 rad. The fall begins as a slow growth of nutation and is given with two digits: 0.3 s. Energy may rise by rounding of 15 mJ, 1e-9 J. The steps of 0.2 and 1 ms turn over within 1.3 ms of the error-controlled run.',
  run() {
    const exact = spin(
      'tippe-top',
      2,
      ['integration.kind=dormand-prince', 'integration.relative_tolerance=1e-6'],
      1e-3,
    );
    const long = spin('tippe-top', 8.2, []);
    const loop = spin('tippe-top', 2, [], 1e-3);
    const modified = spin('tippe-top-modified', 8.6, []);
    const smooth = spin(
      'tippe-top',
      2,
      ['contacts.0.friction_law.stiction=0', 'contacts.0.friction_law.coulomb=0'],
      1e-3,
    );
    const flip = crossing(exact.time, tilt(exact), FLIPPED);
    const spinAfter = (run: Recording): number => valueAt(run.time, column(run.body, W_Z), 1.6);
    return {
      figures: [
        ...originalFigures(exact, long),
        independent(
          'implicit, 1 ms: tilt over 2.9',
          's',
          crossing(loop.time, tilt(loop), FLIPPED),
          flip,
          4e-3,
        ),
        ...turnFigures('modified', modified, MODIFIED.flip),
        independent(
          'modified: tilt below 2.8, it falls',
          's',
          crossing(modified.time, tilt(modified), STANDING, 2),
          MODIFIED.fall,
          0.3,
        ),
        atMost(
          'modified: w_z at 1.6 s over that of the original',
          '1',
          spinAfter(modified) / spinAfter(exact),
          1,
        ),
        atMost('without friction: largest tilt', 'rad', Math.max(...tilt(smooth)), 0.1 + 1e-6),
        independent('without friction: w_z at 1.6 s', 'rad/s', spinAfter(smooth), 199, 0.05),
      ],
      notReproduced: printedOtherwise(exact, long),
      plots: plots([
        ['original', long],
        ['modified', modified],
        ['without friction', smooth],
      ]),
    };
  },
};
