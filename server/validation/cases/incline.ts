/** A ball that bounces and rolls down an incline of 20°. `Gonthier 2007, 5.1.3, figures 5.7 and 5.8`. */
import {
  CONTACT_READOUT,
  ContactReadout,
  ENERGY_READOUT,
  EnergyReadout,
} from '../../../src/system/system.ts';
import { curve, type CaseResult, type Curve, type Figure, type ValidationCase } from '../case.ts';
import { publishedRows } from '../published.ts';
import { scenarioSystem } from '../systems.ts';

const ANGLE = (20 * Math.PI) / 180;
const RADIUS = 0.1;
/** Start and end of the stretch over which the rolling acceleration is taken, s. */
const ROLLING = [2.0, 2.9] as const;

/** Onsets of contact, s. The last two follow from the first by many bounces, hence the coarser tolerance. */
const ONSETS = publishedRows('gonthier-incline', 'onsets', ['time', 'normalVelocity']);
const COURSE = publishedRows('gonthier-incline', 'course', [
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
  const figures: Figure[] = ONSETS.map(({ time: published }, i) => ({
    quantity: `onset of contact ${i + 1}`,
    unit: 's',
    computed: onsets[i] ?? NaN,
    published,
    tolerance: i === 0 ? tolerance.first : tolerance.others,
  }));
  const depth = contact[ContactReadout.penetration];
  figures.push(
    {
      quantity: 'rolling acceleration, 5/7 g sin 20°',
      unit: 'm/s²',
      computed: (along(7) - startSpeed) / (ROLLING[1] - ROLLING[0]),
      published: (5 / 7) * 9.81 * Math.sin(ANGLE),
      tolerance: 0.002,
    },
    {
      quantity: 'v_y at 2.9 s',
      unit: 'm/s',
      computed: ball[8],
      published: LAST.v_y,
      tolerance: 1e-4,
    },
    {
      quantity: 'w_x at 2.9 s, along the slope',
      unit: 'rad/s',
      computed: along(10),
      published: LAST.w_x,
      tolerance: 1e-3,
    },
    {
      quantity: 'slip |v_x − R w_y| while rolling',
      unit: 'm/s',
      computed: slip,
      published: 0,
      tolerance: tolerance.noSlip,
    },
    {
      quantity: 'position along the slope at 2.9 s',
      unit: 'm',
      computed: along(0),
      published: LAST.x,
      tolerance: tolerance.position,
    },
    {
      quantity: 'depth at rest, (m g cos 20°/k)^(2/3)',
      unit: 'm',
      computed: depth,
      published: ((2 * 9.81 * Math.cos(ANGLE)) / 1e6) ** (2 / 3),
      tolerance: 1e-6,
    },
    {
      quantity: 'dwell state at 2.9 s',
      unit: '1',
      computed: contact[ContactReadout.dwell],
      published: 1,
      tolerance: 1e-3,
    },
  );
  if (system.model.integrator === 'dormand-prince') {
    figures.push({
      quantity: 'largest rise of energy in a step',
      unit: 'J',
      computed: rise,
      published: 0,
      tolerance: 1e-6,
    });
  }
  return {
    figures,
    plots: [
      {
        title: 'Speed along the slope',
        xLabel: 'time, s',
        yLabel: 'speed, m/s',
        curves: [
          curve('v_x', times, speeds),
          curve('R w_y', times, spins),
          published('v_x, published', ({ v_x }) => v_x),
          published('R w_y, published', ({ w_y }) => RADIUS * w_y),
        ],
      },
      {
        title: 'Height of the centre above the frame, along the normal',
        xLabel: 'time, s',
        yLabel: 'height, m',
        curves: [curve('computed', times, heights), published('published', ({ height }) => height)],
      },
    ],
  };
}

/** Published values over time. */
function published(name: string, value: (row: (typeof COURSE)[number]) => number): Curve {
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
