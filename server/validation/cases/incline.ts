/** A ball that bounces and rolls down an incline of 20°. `Gonthier 2007, 5.1.3, figures 5.7 and 5.8`. */
import {
  CONTACT_READOUT,
  ContactReadout,
  ENERGY_READOUT,
  EnergyReadout,
} from '../../../src/system/system.ts';
import {
  type CaseResult,
  closedForm,
  curve,
  type Curve,
  type Figure,
  independent,
  type ValidationCase,
} from '../case.ts';
import { referenceRows } from '../reference-data.ts';
import { scenarioSystem } from '../systems.ts';

const ANGLE = (20 * Math.PI) / 180;
const RADIUS = 0.1;
/** The plane over the origin of the frame, along its normal, m. */
const PLANE = 0.4;
/** Start and end of the stretch over which the rolling acceleration is taken, s. */
const ROLLING = [2.0, 2.9] as const;

/** Onsets of contact, s. The last two follow from the first by many bounces, hence the coarser tolerance. */
const ONSETS = referenceRows('gonthier-incline', 'onsets', ['time', 'normalVelocity']);
const COURSE = referenceRows('gonthier-incline', 'course', [
  ...(['time', 'x', 'y', 'height'] as const),
  ...(['v_x', 'v_y', 'w_x', 'w_y'] as const),
]);
const LAST = COURSE[2];

interface InclineTolerances {
  /** Of the first contact and of the others, s. */
  readonly first: number;
  readonly others: number;
  /** Of the position along the slope at 2.9 s, m. */
  readonly position: number;
  readonly noSlip: number;
}

function roll(changes: readonly string[], tolerance: InclineTolerances): CaseResult {
  const system = scenarioSystem('ball-on-incline', changes);
  const ball = new Float64Array(13);
  const contact = new Float64Array(CONTACT_READOUT.length);
  const energy = new Float64Array(ENERGY_READOUT.length);
  const total = (): number => {
    system.readEnergy(energy, 0);
    return (
      energy[EnergyReadout.kinetic] +
      energy[EnergyReadout.potential] +
      energy[EnergyReadout.elastic]
    );
  };
  const dt = system.model.step;
  const steps = Math.round(ROLLING[1] / dt);
  const index = system.bodyIndex('ball');
  const onsets: number[] = [];
  const times: number[] = [];
  const speeds: number[] = [];
  const spins: number[] = [];
  const heights: number[] = [];
  const every = Math.max(1, Math.round(0.001 / dt));
  let touching = false;
  let startSpeed = NaN;
  let slip = 0;
  let rise = 0;
  let energyBefore = total();
  const along = (a: number): number => ball[a] * Math.cos(ANGLE) - ball[a + 2] * Math.sin(ANGLE);
  for (let n = 1; n <= steps; n++) {
    system.step(dt);
    system.readBody(index, ball, 0);
    system.readContact(0, contact, 0);
    const now = total();
    rise = Math.max(rise, now - energyBefore);
    energyBefore = now;
    const active = contact[ContactReadout.active] !== 0;
    if (active && !touching) onsets.push(system.time);
    touching = active;
    if (n === Math.round(ROLLING[0] / dt)) startSpeed = along(7);
    if (n > Math.round(ROLLING[0] / dt))
      slip = Math.max(slip, Math.abs(along(7) - RADIUS * ball[11]));
    if (n % every === 0) {
      times.push(system.time);
      speeds.push(along(7));
      spins.push(RADIUS * ball[11]);
      heights.push(ball[0] * Math.sin(ANGLE) + ball[2] * Math.cos(ANGLE));
    }
  }
  const figures: Figure[] = ONSETS.map(({ time: reference }, i) =>
    independent(
      `onset of contact ${i + 1}`,
      's',
      onsets[i] ?? NaN,
      reference,
      i === 0 ? tolerance.first : tolerance.others,
    ),
  );
  const depth = contact[ContactReadout.penetration];
  const acceleration = (along(7) - startSpeed) / (ROLLING[1] - ROLLING[0]);
  figures.push(
    closedForm(
      'rolling acceleration, 5/7 g sin 20°',
      'm/s²',
      acceleration,
      (5 / 7) * 9.81 * Math.sin(ANGLE),
      0.002,
    ),
    closedForm('v_y at 2.9 s', 'm/s', ball[8], LAST.v_y, 1e-4),
    closedForm('w_x at 2.9 s, along the slope', 'rad/s', along(10), LAST.w_x, 1e-3),
    closedForm('slip |v_x − R w_y| while rolling', 'm/s', slip, 0, tolerance.noSlip),
    independent('position along the slope at 2.9 s', 'm', along(0), LAST.x, tolerance.position),
    closedForm(
      'depth at rest, (m g cos 20°/k)^(2/3)',
      'm',
      depth,
      ((2 * 9.81 * Math.cos(ANGLE)) / 1e6) ** (2 / 3),
      1e-6,
    ),
    closedForm('dwell state at 2.9 s', '1', contact[ContactReadout.dwell], 1, 1e-3),
  );
  if (system.model.integrator === 'dormand-prince') {
    figures.push(closedForm('largest rise of energy in a step', 'J', rise, 0, 1e-6));
  }
  return {
    figures,
    notReproduced: [
      {
        quantity: 'rolling acceleration, in the text g sin 20°',
        unit: 'm/s²',
        computed: acceleration,
        reference: 9.81 * Math.sin(ANGLE),
        basis: 'printed',
        reason:
          'A ball that rolls without slip puts 2/7 of the pull into its spin: 5/7 g sin 20° is left.',
      },
      {
        quantity: 'centre above the plane while it rolls',
        unit: 'm',
        computed: heights[heights.length - 1] - PLANE,
        reference: 0.5,
        basis: 'printed',
        reason:
          'The printed 0.5 m is the distance from the origin of the frame, which lies 0.4 m below the plane; a ball of 0.1 m cannot be so far from it.',
      },
    ],
    plots: [
      {
        title: 'Speed along the slope',
        xLabel: 'time, s',
        yLabel: 'speed, m/s',
        curves: [
          curve('v_x', times, speeds),
          curve('R w_y', times, spins),
          atCourse('v_x, reference', ({ v_x }) => v_x),
          atCourse('R w_y, reference', ({ w_y }) => RADIUS * w_y),
        ],
      },
      {
        title: 'Height of the centre above the frame, along the normal',
        xLabel: 'time, s',
        yLabel: 'height, m',
        curves: [curve('computed', times, heights), atCourse('reference', ({ height }) => height)],
      },
    ],
  };
}

/** Values of the independent run over time. */
function atCourse(name: string, value: (row: (typeof COURSE)[number]) => number): Curve {
  return { name, x: COURSE.map(({ time }) => time), y: COURSE.map(value), kind: 'points' };
}

export const inclineCase: ValidationCase = {
  name: 'incline',
  title: 'Ball on an incline, error-controlled',
  source: 'Gonthier 2007, 5.1.3, figures 5.7 and 5.8',
  description:
    'A ball of 2 kg and 0.1 m falls from 2 m on a slope of 20°, bounces four times, stays and rolls. Dormand–Prince 5(4) with events, relative tolerance 1e-8, looked at every 50 µs.',
  equation:
    'Newton–Euler with the hysteretic normal law (k 10⁶ N/m^1.5, e 0.5) and bristle friction; in rolling the acceleration is 5/7 g sin 20°.',
  tolerances:
    'First contact 0.1 ms, others 2 ms, acceleration 0.002 m/s², v_y 1e-4 m/s, slip 1e-6 m/s, position 0.005 m: the accuracy of the reference run.',
  run: () =>
    roll(['integration.kind=dormand-prince', 'integration.step_s=50 us'], {
      first: 1e-4,
      others: 2e-3,
      position: 0.005,
      noSlip: 1e-6,
    }),
};

export const inclineImplicitCase: ValidationCase = {
  name: 'incline-1ms',
  title: 'Ball on an incline, implicit step at 1 ms',
  source: 'Gonthier 2007, 5.1.3, figures 5.7 and 5.8',
  description: 'The same ball with the implicit step of the real-time loop, 1 ms.',
  equation:
    'Newton–Euler with the hysteretic normal law (k 10⁶ N/m^1.5, e 0.5) and bristle friction; in rolling the acceleration is 5/7 g sin 20°.',
  tolerances:
    'Onsets are seen at the end of a 1 ms step: 1 ms for the first and 5 ms for the others, position 0.01 m; the rest as for the reference.',
  run: () => roll([], { first: 1e-3, others: 5e-3, position: 0.01, noSlip: 1e-6 }),
};
