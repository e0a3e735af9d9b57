/** `berth identify --procedure payload`: mass, centre and inertia of a payload, bias and gain of the force sensor, from motion in free space. */
import {
  identifyPayload,
  type PayloadData,
  type PayloadResult,
} from '../../../src/identify/payload.ts';
import type { Team } from '../../../src/identify/team.ts';
import type { Plot } from '../../validation/case.ts';
import {
  type Choice,
  digits,
  type Findings,
  type Found,
  foundOf,
  type Procedure,
} from './findings.ts';
import type { MeasuredData, WantedColumn } from './measured-data.ts';

const vector = (name: string, unit: string): WantedColumn[] =>
  ['x', 'y', 'z'].map((axis) => ({ name: `${name}_${axis}`, unit, mayBeConstant: true }));
const QUATERNION = [...vector('q', '1'), { name: 'q_w', unit: '1', mayBeConstant: true }];
const TWIST = [...vector('v', 'm/s'), ...vector('w', 'rad/s')];
const WRENCH = [...vector('force', 'N'), ...vector('moment', 'Nm')];

/** A moment of inertia that may be below zero is none. */
function physical(found: Found): Found {
  const moment = /^inertia_(xx|yy|zz)/.test(found.name);
  if (!moment || found.refusal !== '' || found.low > 0) return found;
  const refusal = `not above zero: ${digits(found.low)} to ${digits(found.high)}; turn it faster to and fro about all axes`;
  return { ...found, refusal };
}

const AXES = ['x', 'y', 'z'];

/** Three components over time. */
function plotOf(title: string, yLabel: string, from: number, result: PayloadResult): Plot {
  const x = [...result.time].map((one) => one - result.time[0]);
  const curves = AXES.flatMap((axis, a) => [
    { name: `${axis} measured`, kind: 'points' as const, x, y: [...result.wrench[from + a]] },
    { name: `${axis} of the law found`, x, y: [...result.fitted[from + a]] },
  ]);
  return { title, xLabel: 'time, s', yLabel, curves };
}

/** Parts of an interval that the constant wrench of a tare has to be away from 0 for a doubt. */
const SURE = 3;

/** Signs of a tare in data that are said to have none: a constant force upwards in the base frame, of the size of the weight. */
function tareDoubt(data: PayloadData, choice: Choice, team: Team): string[] {
  const { estimates } = identifyPayload(data, { ...choice, tared: true }, team).identification;
  const named = new Map(estimates.map((one) => [one.parameter.name, one]));
  const tare = named.get('tare_force_z');
  const mass = choice.mass ?? named.get('mass')?.value ?? 0;
  if (tare === undefined || !(2 * tare.value > mass * choice.gravity)) return [];
  if (!(SURE * (tare.value - tare.low) < tare.value)) return [];
  return [
    `a force of ${digits(tare.value)} N is constant in the base frame, as after a tare: give --tared if the sensor was tared, for the mass is wrong otherwise`,
  ];
}

function payload({ columns, tared: found }: MeasuredData, options: Choice, team: Team): Findings {
  const all = (wanted: readonly WantedColumn[]): Float64Array[] =>
    wanted.map(({ name }) => columns[name]);
  const data = {
    time: columns['time'],
    orientation: all(QUATERNION),
    twist: all(TWIST),
    wrench: all(WRENCH),
  };
  const choice = { ...options, tared: options.tared || found };
  const result = identifyPayload(data, choice, team);
  const { identification, means, turned } = result;
  const parameters = identification.estimates.map((estimate) => {
    const { name, unit } = estimate.parameter;
    const suffix =
      unit === '1' ? '' : `_${unit.replaceAll(' ', '_').replace('N_m', 'Nm').replace('^', '')}`;
    return physical(foundOf(estimate, name + suffix, unit));
  });
  const degrees = (turned * 180) / Math.PI;
  const lines = [
    `${means} means; the tool turned by up to ${digits(degrees)}° from where it began`,
  ];
  if (found) lines.push('the recording has a tare: rows after the last one count, as with --tared');
  if (choice.tared)
    lines.push('tared in the base frame: the mass is from acceleration alone, the centre with it');
  else lines.push(...tareDoubt(data, choice, team));
  if (choice.mass === null)
    lines.push(
      'a gain that is common to all axes is a factor on mass and inertia: give --mass for gains',
    );
  else if (choice.center === null)
    lines.push('gains of the moment taken as 1: give --center for them');
  const plots = [
    plotOf('Force on the sensor, frame of the tool', 'force, N', 0, result),
    plotOf('Moment on the sensor, frame of the tool', 'moment, N m', 3, result),
  ];
  return { parameters, lines, range: {}, plots, identification };
}

/** A payload that is turned and shaken in free space. */
export const PAYLOAD: Procedure = {
  columns: [{ name: 'time', unit: 's' }, ...QUATERNION, ...TWIST, ...WRENCH],
  sinceTare: true,
  find: payload,
};
