/** What a procedure of `berth identify` needs and finds, for people and for the file. */
import type { Estimate, Identification } from '../../../src/identify/estimate.ts';
import type { Team } from '../../../src/identify/team.ts';
import { sumOf } from '../../../src/identify/sum.ts';
import type { Triple } from '../../../src/model/model.ts';
import type { Plot } from '../../validation/case.ts';
import type { MeasuredData, WantedColumn } from './measured-data.ts';

/** What the options say. */
export interface Choice {
  /** Exponent of the elastic law; null to identify it. */
  readonly exponent: number | null;
  /** Whether a drop identifies the slope of the restitution over speed. */
  readonly slope: boolean;
  /** Scenario of a rig, that of the procedure when undefined, and changes of its fields as `path=value`. */
  readonly scenario: string | undefined;
  readonly changes: readonly string[];
  /** Normal force over the mass that swings, m/s². */
  readonly loadPerMass: number;
  /** Coulomb friction and gyration radius, m, of a twist; null where they are not known. */
  readonly coulomb: number | null;
  readonly gyration: number | null;
  /** How much older a force is than the travel of its row, s. */
  readonly forceDelay: number;
  /** Gravity along −z of the base frame, m/s²; mass, kg, and centre, m, of a payload, null where they are not known. */
  readonly gravity: number;
  readonly mass: number | null;
  readonly center: Triple | null;
  /** Whether the sensor of a payload was tared in the base frame. */
  readonly tared: boolean;
  readonly confidence: number;
}

/** One parameter for people and for the file. */
export interface Found {
  /** Field of a scenario, or what comes nearest. */
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Why there is no value; empty for one that is identified. */
  readonly refusal: string;
  /** What it was made of. */
  readonly estimate: Estimate;
}

/** What a procedure found. */
export interface Findings {
  readonly parameters: readonly Found[];
  /** Further figures, a line each. */
  readonly lines: readonly string[];
  /** What the data went through, least and most: within it the values hold. None for what belongs to no contact. */
  readonly range: Partial<Record<RangeName, Span>>;
  /** Data and law; none for a law of many columns. */
  readonly plots: readonly Plot[];
  readonly identification: Identification;
}

/** A quantity of a contact, with its unit. */
export type RangeName = 'force_N' | 'depth_m' | 'speed_mps' | 'impact_speed_mps' | 'dwell_s';
/** Least and most. */
export type Span = readonly [number, number];

/** A procedure. */
export interface Procedure {
  readonly columns: readonly WantedColumn[];
  /** Those of a recording, where they are others than of a table. */
  readonly recorded?: readonly WantedColumn[];
  /** Whether of a recording only the rows after its last tare count. */
  readonly sinceTare?: boolean;
  /** @param team - who computes differences */
  find(data: MeasuredData, choice: Choice, team: Team): Findings;
}

/** A figure for people. */
export const digits = (value: number): string => value.toPrecision(4);

/** Why an estimate is no value; empty for one that is. */
function refusalOf({ status, parameter, combination }: Estimate): string {
  if (status === 'identified') return '';
  if (status === 'no-effect') return 'the data do not depend on it';
  if (status === 'at-bound')
    return `at its bound, which goes from ${digits(parameter.low)} to ${digits(parameter.high)}`;
  const names = combination.map(({ name, change }) => `${name} ${digits(change)}`);
  return `known only together with others; changes that do not show: ${names.join(', ')}`;
}

/** An estimate under the name of its field. */
export function foundOf(estimate: Estimate, name: string, unit: string): Found {
  const { value, low, high } = estimate;
  return { name, unit, value, low, high, refusal: refusalOf(estimate), estimate };
}

/** The sum of two estimates under its name, beside them; none unless both are identified. */
export function sumFound(
  identification: Identification,
  name: string,
  j: number,
  k: number,
): Found[] {
  const sum = sumOf(identification, j, k);
  const estimate = identification.estimates[k];
  return sum === null
    ? []
    : [{ name, unit: estimate.parameter.unit, ...sum, refusal: '', estimate }];
}

/** Least and most of some values. */
export const spanOf = (values: Iterable<number>): Span => {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
};

/** Data as points, the law as a line in the order of x. */
export function fitPlot(
  title: string,
  [xLabel, yLabel]: readonly [string, string],
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  fitted: ArrayLike<number>,
): Plot {
  const order = Array.from(x, (_, i) => i).sort((a, b) => x[a] - x[b]);
  const sorted = (of: ArrayLike<number>): number[] => order.map((i) => of[i]);
  const at = sorted(x);
  return {
    title,
    xLabel,
    yLabel,
    curves: [
      { name: 'measured', kind: 'points', x: at, y: sorted(y) },
      { name: 'law found', x: at, y: sorted(fitted) },
    ],
  };
}
