/** `berth identify --procedure payload`: mass, centre and inertia of a payload, bias and gain of the force sensor, from motion in free space. */
import { identifyPayload } from '../../../src/identify/payload.ts';
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

function payload({ columns }: MeasuredData, choice: Choice): Findings {
  const all = (wanted: readonly WantedColumn[]): Float64Array[] =>
    wanted.map(({ name }) => columns[name]);
  const { identification, means, turned } = identifyPayload(
    {
      time: columns['time'],
      orientation: all(QUATERNION),
      twist: all(TWIST),
      wrench: all(WRENCH),
    },
    choice,
  );
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
  if (choice.mass === null)
    lines.push(
      'a gain that is common to all axes is a factor on mass and inertia: give --mass for gains',
    );
  else if (choice.center === null)
    lines.push('gains of the moment taken as 1: give --center for them');
  return { parameters, lines, range: {}, plots: [], identification };
}

/** A payload that is turned and shaken in free space. */
export const PAYLOAD: Procedure = {
  columns: [{ name: 'time', unit: 's' }, ...QUATERNION, ...TWIST, ...WRENCH],
  find: payload,
};
