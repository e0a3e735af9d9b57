/** A ball that falls into the bore of a cylinder and rolls there. `Gonthier 2007, 5.1.3, figures 5.9 to 5.13`. */
import type { SystemModel } from '../../../src/model/model.ts';
import {
  CONTACT_READOUT,
  ContactReadout,
  ENERGY_READOUT,
  EnergyReadout,
  makeSystem,
} from '../../../src/system/system.ts';
import {
  atMost,
  type CaseResult,
  type Curve,
  curve,
  type Figure,
  independent,
  printed,
  type ValidationCase,
} from '../case.ts';
import { referenceRows } from '../reference-data.ts';
import { ballInertia, bodyModel, worldModel } from '../world-models.ts';

const MASS = 2;
const RADIUS = 0.1;
const BORE = 1;
const GRAVITY = 9.81;
/** Interval of the results, s; the fixed step of the real-time loop. */
const INTERVAL = 1e-3;
/** From here on the ball rolls without a further impact, s. */
const SETTLED = 2;
const END = 13;

function model(alongAxis: number, integrator: SystemModel['integrator']): SystemModel {
  return worldModel({
    gravity: [0, 0, -GRAVITY],
    bodies: [
      bodyModel('cylinder', 'fixed'),
      bodyModel('ball', 'dynamic', {
        mass: MASS,
        inertia: ballInertia(MASS, RADIUS),
        position: [0.3, 0, -0.5],
        velocity: [0, alongAxis, 0],
      }),
    ],
    contacts: [
      {
        name: 'contact',
        bodyI: 'ball',
        bodyJ: 'cylinder',
        pair: {
          kind: 'sphere-cylinder',
          radius: RADIUS,
          center: [0, 0, 0],
          axisPoint: [0, 0, 0],
          axis: [0, 1, 0],
          cylinderRadius: BORE,
          side: 'inside',
        },
        normalLaw: {
          kind: 'hysteretic',
          stiffness: 1e6,
          exponent: 1.5,
          restitution: 0.5,
          smallVelocity: 1e-3,
          relaxationTime: 0,
        },
        frictionLaw: {
          kind: 'bristle',
          stiction: 0.45,
          coulomb: 0.4,
          bristleStiffness: 1e5,
          bristleDamping: Math.sqrt(1e5),
          viscousDamping: 0,
          stribeckVelocity: 0.1,
          dwellTime: 0.01,
          velocityTolerance: 1e-3,
          startsSticking: false,
        },
      },
    ],
    integrator,
    step: INTERVAL,
    relativeTolerance: 1e-8,
    absoluteTolerance: 1e-11,
  });
}

interface Roll {
  readonly onsets: readonly number[];
  readonly time: readonly number[];
  /** x, y, height over the lowest rest, v_x, v_y, w_x, w_y, w_z at each interval. */
  readonly state: readonly (readonly number[])[];
  /** Kinetic, potential above the lowest rest, contact spring and bristles, J. */
  readonly energy: readonly number[];
  readonly speed: readonly number[];
}
const X = 0;
const Y = 1;
const V_Y = 4;
const W_X = 5;
const W_Y = 6;
const W_Z = 7;

function roll(alongAxis: number, integrator: SystemModel['integrator'], end: number): Roll {
  const system = makeSystem(model(alongAxis, integrator));
  const contact = new Float64Array(CONTACT_READOUT.length);
  const ledger = new Float64Array(ENERGY_READOUT.length);
  const ball = new Float64Array(13);
  const onsets: number[] = [];
  const time: number[] = [];
  const state: number[][] = [];
  const energy: number[] = [];
  const speed: number[] = [];
  let touching = false;
  for (let n = 1; n * INTERVAL <= end + 1e-9; n++) {
    if (system.step(INTERVAL) !== 0) break;
    system.readBody(1, ball, 0);
    system.readContact(0, contact, 0);
    system.readEnergy(ledger, 0);
    const touches = contact[ContactReadout.active] !== 0;
    if (touches && !touching) onsets.push(system.time);
    touching = touches;
    time.push(system.time);
    const height = ball[2] + BORE - RADIUS;
    state.push([ball[0], ball[1], height, ball[7], ball[8], ball[10], ball[11], ball[12]]);
    const potential = MASS * GRAVITY * (height - ball[2]); // the ledger counts from z = 0
    energy.push(
      ledger[EnergyReadout.kinetic] +
        ledger[EnergyReadout.potential] +
        potential +
        ledger[EnergyReadout.elastic] +
        ledger[EnergyReadout.bristle],
    );
    speed.push(Math.sqrt(ball[7] ** 2 + ball[9] ** 2));
  }
  return { onsets, time, state, energy, speed };
}

/** Extremes of a sampled curve from an index on: place, s, and size, by parabolas. */
function peaks(time: readonly number[], y: readonly number[], from: number): [number, number][] {
  const found: [number, number][] = [];
  for (let n = Math.max(from, 1); n + 1 < y.length; n++) {
    const [a, b, c] = [y[n - 1], y[n], y[n + 1]];
    if (!(b > a && b >= c)) continue;
    const shift = (0.5 * (a - c)) / (a - 2 * b + c);
    found.push([time[n] + shift * (time[n + 1] - time[n]), b - 0.25 * (a - c) * shift]);
  }
  return found;
}

/** Times at which a curve passes zero upward. */
function crossings(time: readonly number[], y: readonly number[], from: number): number[] {
  const found: number[] = [];
  for (let n = from; n + 1 < y.length; n++) {
    if (y[n] >= 0 || y[n + 1] < 0) continue;
    found.push(time[n] + ((time[n + 1] - time[n]) * -y[n]) / (y[n + 1] - y[n]));
  }
  return found;
}

const ONSETS = referenceRows('gonthier-bore', 'onsets', ['time', 'normalVelocity']);
const [LATE] = referenceRows('gonthier-bore', 'oscillation', [
  'amplitude',
  'peakSpeed',
  'peakTurning',
  'period',
  'energy',
]);
const [SPATIAL] = referenceRows('gonthier-bore', 'spatial', [
  ...(['v_y', 'y', 'w_x_low', 'w_x_high', 'w_z_low', 'w_z_high', 'energy'] as const),
]);

/** Relative change a second between the means over the first and over the last period: a fixed step's energy swings with phase. */
function energyDrift(energy: readonly number[], from: number, period: number): number {
  const mean = (start: number): number =>
    energy.slice(start, start + period).reduce((a, b) => a + b, 0) / period;
  const last = energy.length - period;
  return Math.abs(mean(last) / mean(from) - 1) / ((last - from) * INTERVAL);
}

function planar(result: Roll): Figure[] {
  const { time, state, energy, speed, onsets } = result;
  const from = Math.round(SETTLED / INTERVAL);
  const column = (a: number): number[] => state.map((row) => row[a]);
  const amplitudes = peaks(time, column(X).map(Math.abs), from);
  const speeds = peaks(time, speed, from);
  const turning = peaks(time, column(W_Y).map(Math.abs), from);
  const zeros = crossings(time, column(X), from);
  const period = (zeros[zeros.length - 1] - zeros[0]) / (zeros.length - 1);
  const slip = speeds.map(([, v], i) => Math.abs(v - RADIUS * turning[i][1]));
  const [first, last] = [amplitudes[0], amplitudes[amplitudes.length - 1]];
  const drift = energyDrift(energy, from, Math.round(period / INTERVAL));
  const sideways = Math.max(...column(W_X).map(Math.abs), ...column(W_Z).map(Math.abs));
  return [
    ...ONSETS.map(({ time: reference }, i) =>
      independent(`onset of contact ${i + 1}`, 's', onsets[i] ?? NaN, reference, 3e-3),
    ),
    independent('number of contacts, the last one lasting', '1', onsets.length, ONSETS.length, 0),
    independent('amplitude of x', 'm', first[1], LATE.amplitude, 1e-3),
    independent('peak speed', 'm/s', speeds[0][1], LATE.peakSpeed, 0.01),
    independent('peak of |w_y|', 'rad/s', turning[0][1], LATE.peakTurning, 0.1),
    printed('peak speed, about 1 m/s in the text', 'm/s', speeds[0][1], 1, 0.05),
    printed('peak of |w_y|, about 10 rad/s in the text', 'rad/s', turning[0][1], 10, 0.5),
    independent('period', 's', period, LATE.period, 0.005),
    atMost('|v| − R |w_y| at the peaks', 'm/s', Math.max(...slip), 1e-3),
    atMost(
      `change of the amplitude over ${(last[0] - first[0]).toFixed(1)} s`,
      '1',
      Math.abs(last[1] / first[1] - 1),
      0.002,
    ),
    atMost('drift of energy after 2 s', '1/s', drift, 1e-4),
    independent('energy at 3 s', 'J', energy[Math.round(3 / INTERVAL) - 1], LATE.energy, 0.005),
    atMost('largest |w_x|, |w_z|', 'rad/s', sideways, 1e-9),
  ];
}

function spatial({ time, state, energy }: Roll): Figure[] {
  const six = Math.round(6 / INTERVAL) - 1;
  const late = state.filter((_, n) => time[n] > 3 && time[n] < 6 + 1e-9);
  const range = (a: number): [number, number] => {
    const values = late.map((row) => row[a]);
    return [Math.min(...values), Math.max(...values)];
  };
  const [xLow, xHigh] = range(W_X);
  const [zLow, zHigh] = range(W_Z);
  return [
    independent('3-D: v_y at 6 s', 'm/s', state[six][V_Y], SPATIAL.v_y, 2e-3),
    independent('3-D: y at 6 s', 'm', state[six][Y], SPATIAL.y, 5e-3),
    independent('3-D: least w_x, 3 to 6 s', 'rad/s', xLow, SPATIAL.w_x_low, 0.02),
    independent('3-D: largest w_x, 3 to 6 s', 'rad/s', xHigh, SPATIAL.w_x_high, 0.02),
    independent('3-D: least w_z, 3 to 6 s', 'rad/s', zLow, SPATIAL.w_z_low, 0.02),
    independent('3-D: largest w_z, 3 to 6 s', 'rad/s', zHigh, SPATIAL.w_z_high, 0.02),
    independent('3-D: energy at 6 s', 'J', energy[six], SPATIAL.energy, 0.005),
  ];
}

function bore(integrator: SystemModel['integrator']): CaseResult {
  const flat = roll(0, integrator, END);
  const deep = roll(0.3, integrator, 6);
  const of = (name: string, run: Roll, value: (row: readonly number[]) => number): Curve =>
    curve(name, run.time, run.state.map(value));
  return {
    figures: [...planar(flat), ...spatial(deep)],
    plots: [
      {
        title: 'Place across the bore, 2-D',
        xLabel: 'time, s',
        yLabel: 'x, m',
        curves: [
          of('computed', flat, (row) => row[X]),
          ...[LATE.amplitude, -LATE.amplitude].map((y, i) => ({
            name: i === 0 ? 'reference, amplitude' : 'its mirror image',
            x: [0, END],
            y: [y, y],
            kind: 'bound' as const,
          })),
        ],
      },
      {
        title: 'Speed and rim speed, 2-D',
        xLabel: 'time, s',
        yLabel: 'speed, m/s',
        curves: [
          curve('|v|', flat.time, flat.speed),
          of('R |w_y|', flat, (row) => RADIUS * Math.abs(row[W_Y])),
          {
            name: 'reference, onsets of contact',
            x: ONSETS.map(({ time }) => time),
            y: ONSETS.map(() => 0),
            kind: 'points',
          },
          { name: 'reference, peak', x: [0, END], y: [0.9839, 0.9839], kind: 'bound' },
        ],
      },
      {
        title: 'Energy',
        xLabel: 'time, s',
        yLabel: 'energy, J',
        curves: [
          curve('2-D', flat.time, flat.energy),
          curve('3-D', deep.time, deep.energy),
          { name: '2-D, reference', x: [3], y: [LATE.energy], kind: 'points' },
          { name: '3-D, reference', x: [6], y: [SPATIAL.energy], kind: 'points' },
        ],
      },
      {
        title: 'Turning in 3-D',
        xLabel: 'time, s',
        yLabel: 'angular velocity, rad/s',
        curves: [
          of('w_x', deep, (row) => row[W_X]),
          of('w_z', deep, (row) => row[W_Z]),
          ...(['w_x_low', 'w_x_high', 'w_z_low', 'w_z_high'] as const).map((name) => ({
            name: `reference, ${name.replace(/_(low|high)/, (_, end: string) => (end === 'low' ? ' least' : ' largest'))}`,
            x: [3, 6],
            y: [SPATIAL[name], SPATIAL[name]],
            kind: 'bound' as const,
          })),
        ],
      },
    ],
  };
}

const DESCRIPTION =
  'A ball of 2 kg and 0.1 m falls from 0.5 m above the lowest line of a bore of 1 m radius, 0.3 m off the middle; in 3-D it also moves along the axis at 0.3 m/s.';
const EQUATION =
  'Newton–Euler with the pair sphere–cylinder, the hysteretic normal law (k 1e6 N/m^1.5, e 0.5) and bristle friction; after the impacts the ball rolls, v = R w, and neither amplitude nor energy decays.';
const TOLERANCES =
  'Onsets 3 ms, two to three bounces amplify what differs; peak 0.01 m/s, period 5 ms, amplitude change 0.2 % and energy drift 1e-4 1/s are the acceptance of the sheet, our error is a hundredth of it; energy 0.005 J and 3-D figures 0.002 to 0.02: they follow from the slip of four impacts.';

export const boreCase: ValidationCase = {
  name: 'bore',
  title: 'Ball in a cylinder, error-controlled',
  source: 'Gonthier 2007, 5.1.3, figures 5.9 to 5.13',
  description: `${DESCRIPTION} Dormand–Prince 5(4) with events, relative tolerance 1e-8.`,
  equation: EQUATION,
  tolerances: TOLERANCES,
  run: () => bore('dormand-prince'),
};

export const boreImplicitCase: ValidationCase = {
  name: 'bore-1ms',
  title: 'Ball in a cylinder, implicit step at 1 ms',
  source: 'Gonthier 2007, 5.1.3, figures 5.9 to 5.13',
  description: `${DESCRIPTION} The implicit step of the real-time loop, 1 ms.`,
  equation: EQUATION,
  tolerances: TOLERANCES,
  run: () => bore('implicit-contact'),
};
