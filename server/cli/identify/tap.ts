/** `berth identify --procedure tap`: restitution of taps of an arm that is led. */
import { identifyTap } from '../../../src/identify/tap.ts';
import type { Team } from '../../../src/identify/team.ts';
import { tapLoops } from '../../validation/tap-loops.ts';
import { type Choice, digits, type Findings, foundOf, type Procedure, spanOf } from './findings.ts';
import type { MeasuredData } from './measured-data.ts';
import { stiffnessOf } from './stiffness.ts';

function tap(
  { columns }: MeasuredData,
  { exponent, slope, confidence }: Choice,
  team: Team,
): Findings {
  const { time, place, rate, force } = columns;
  const found = identifyTap({ time, place, rate, force }, { slope, exponent, confidence }, team);
  const { identification, taps, largestForce, tangent, resolved, noise, spacing } = found;
  const named = (name: string, field: string, unit: string) =>
    identification.estimates
      .filter(({ parameter }) => parameter.name === name)
      .map((one) => foundOf(one, field, unit));
  const resolution = { largestForce, tangent, resolved, noise: noise[0] };
  const parameters = [
    ...named('restitution', slope ? 'restitution_at_rest' : 'restitution', '1'),
    ...named('slope', 'restitution.slope_s_per_m', 's/m'),
    stiffnessOf(identification.estimates[0], exponent, resolution),
    ...named('exponent', 'exponent', '1'),
    ...named('lag', 'force_lag_s', 's'),
  ];
  const lines = taps.map(
    (one) =>
      `tap at ${one.time.toFixed(3)} s: ${digits(one.speed)} m/s, ${digits(spanOf(one.forces)[1])} N at most, restitution of the law ${digits(one.restitution)}`,
  );
  const { gaps, unfree, short, slow } = found;
  for (const [count, why] of [
    [gaps, 'with a gap in the samples, or a place that does not follow its rate'],
    [unfree, 'without free motion of a steady speed before them'],
    [short, 'of too few samples'],
    [slow, 'too slow beside the fastest'],
  ] as const) {
    if (count > 0) lines.push(`left out: ${count} touches ${why}`);
  }
  lines.push(
    `noise of a sample: place ${digits(noise[0])} m, speed ${digits(noise[1])} m/s, force ${digits(noise[2])} N; knots of the motion ${spacing} samples apart`,
  );
  const [, height] = identification.values;
  lines.push(`plate at about ${digits(height)} m: a press holds its height with an interval`);
  if (exponent === null) lines.push(`reference_depth_m: ${found.referenceDepth}`);
  const speeds = taps.map(({ speed }) => speed);
  const deepest = Math.max(...taps.map(({ depths }) => spanOf(depths)[1]));
  return {
    parameters,
    lines,
    range: {
      force_N: [0, largestForce],
      depth_m: [0, deepest],
      impact_speed_mps: spanOf(speeds),
    },
    plots: [tapLoops(taps)],
    identification,
  };
}

/** Taps of an arm. */
export const TAP: Procedure = {
  columns: [
    { name: 'time', unit: 's' },
    { name: 'place', unit: 'm' },
    { name: 'rate', unit: 'm/s' },
    { name: 'force', unit: 'N' },
  ],
  find: tap,
};
