/** `berth identify --procedure ring-down`: bristle stiffness and damping from the swing after a tangential tap. */
import { identifyRingDown } from '../../../src/identify/ring-down.ts';
import {
  type Choice,
  digits,
  type Findings,
  foundOf,
  type Procedure,
  fitPlot,
} from './findings.ts';
import type { MeasuredData } from './measured-data.ts';

const NAMES = [
  ['bristle_stiffness_per_m', '1/m'],
  ['bristle_damping_s_per_m', 's/m'],
];

function ringDown({ columns }: MeasuredData, { loadPerMass, confidence }: Choice): Findings {
  const { time, travel } = columns;
  const result = identifyRingDown({ time, travel }, { loadPerMass, confidence });
  const { identification, frequency, damping, amplitude } = result;
  const parameters = NAMES.map(([name, unit], i) =>
    foundOf(identification.estimates[i], name, unit),
  );
  const lines = [
    `natural frequency ${digits(frequency)} rad/s, damping ratio ${digits(damping)}, at a load of ${digits(loadPerMass)} m/s² times the mass`,
    `swing of ${digits(amplitude)} m: the contact sticks if stiction is above ${digits(amplitude * identification.values[0])}`,
  ];
  const fitted = travel.map((one, i) => one - identification.residuals[i]);
  return {
    parameters,
    lines,
    range: {},
    plots: [fitPlot('Swing after a tap', ['time, s', 'travel, m'], time, travel, fitted)],
    identification,
  };
}

/** The swing after a tap. */
export const RING_DOWN: Procedure = {
  columns: [
    { name: 'time', unit: 's' },
    { name: 'travel', unit: 'm' },
  ],
  find: ringDown,
};
