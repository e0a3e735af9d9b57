/** A run of a system, sampled at fixed intervals, and what is read off its curves. */
import {
  CONTACT_READOUT,
  ContactReadout,
  ENERGY_READOUT,
  EnergyReadout,
  type System,
} from '../../src/system/system.ts';

/** Place, orientation (x, y, z, w), velocity, angular velocity of a body. */
const BODY_SIZE = 13;

/** Rows of one run, one each interval. */
export interface Recording {
  readonly time: readonly number[];
  /** Place (0–2), orientation (3–6), velocity (7–9), angular velocity (10–12). */
  readonly body: readonly (readonly number[])[];
  /** Columns of CONTACT_READOUT of contact 0. */
  readonly contact: readonly (readonly number[])[];
  /** Columns of ENERGY_READOUT. */
  readonly energy: readonly (readonly number[])[];
  /** The first step after the samples failed. */
  readonly failed: boolean;
}

/** Runs a system to `end`, s, in steps of `step`, s, and keeps a body, the first contact and the energies of every `each`-th. */
export function record(
  system: System,
  body: string,
  end: number,
  step: number,
  each = 1,
): Recording {
  const time: number[] = [];
  const bodies: number[][] = [];
  const contacts: number[][] = [];
  const energies: number[][] = [];
  const index = system.bodyIndex(body);
  const state = new Float64Array(BODY_SIZE);
  const contact = new Float64Array(CONTACT_READOUT.length);
  const energy = new Float64Array(ENERGY_READOUT.length);
  const steps = Math.round(end / step);
  let done = 0;
  for (let n = 1; n <= steps; n++) {
    if (system.step(step) !== 0) break;
    done = n;
    if (n % each !== 0) continue;
    system.readBody(index, state, 0);
    system.readContact(0, contact, 0);
    system.readEnergy(energy, 0);
    time.push(n * step);
    bodies.push([...state]);
    contacts.push([...contact]);
    energies.push([...energy]);
  }
  const failed = done < steps;
  return { time, body: bodies, contact: contacts, energy: energies, failed };
}

/** One column of rows. */
export function column(rows: readonly (readonly number[])[], index: number): number[] {
  return rows.map((row) => row[index]);
}

/** Kinetic and potential energy, J. */
export function mechanicalEnergy({ energy }: Recording): number[] {
  return energy.map((row) => row[EnergyReadout.kinetic] + row[EnergyReadout.potential]);
}

/** Kinetic, potential, elastic and bristle energy, J. */
export function totalEnergy({ energy }: Recording): number[] {
  return energy.map(
    (row) =>
      row[EnergyReadout.kinetic] +
      row[EnergyReadout.potential] +
      row[EnergyReadout.elastic] +
      row[EnergyReadout.bristle],
  );
}

/** Value of a sampled curve at a time, linear between samples; not a number outside of them. */
export function valueAt(time: readonly number[], y: readonly number[], t: number): number {
  const n = time.findIndex((one) => one >= t - 1e-9);
  if (n < 0) return NaN;
  if (n === 0 || time[n] <= t + 1e-9) return y[n];
  return y[n - 1] + ((y[n] - y[n - 1]) * (t - time[n - 1])) / (time[n] - time[n - 1]);
}

/** The first time after `from` at which a sampled curve passes a level, either way; not a number when it does not. */
export function crossing(
  time: readonly number[],
  y: readonly number[],
  level: number,
  from = 0,
): number {
  for (let n = 1; n < time.length; n++) {
    if (time[n] < from || y[n - 1] < level === y[n] < level) continue;
    return time[n - 1] + ((time[n] - time[n - 1]) * (level - y[n - 1])) / (y[n] - y[n - 1]);
  }
  return NaN;
}

/** Extremes of a sampled curve from an index on: time, s, and value, by parabolas; both kinds. */
export function turns(
  time: readonly number[],
  y: readonly number[],
  from: number,
): [number, number][] {
  const found: [number, number][] = [];
  for (let n = Math.max(from, 1); n + 1 < y.length; n++) {
    const [a, b, c] = [y[n - 1], y[n], y[n + 1]];
    if (!((b > a && b >= c) || (b < a && b <= c))) continue;
    const shift = (0.5 * (a - c)) / (a - 2 * b + c);
    found.push([time[n] + shift * (time[n + 1] - time[n]), b - 0.25 * (a - c) * shift]);
  }
  return found;
}

/** Most that a curve rises above its lowest value so far, between two times. */
export function largestRise(
  time: readonly number[],
  y: readonly number[],
  from = 0,
  to = Infinity,
): number {
  let lowest = Infinity;
  let most = 0;
  for (const [n, value] of y.entries()) {
    if (time[n] < from || time[n] > to) continue;
    lowest = Math.min(lowest, value);
    most = Math.max(most, value - lowest);
  }
  return most;
}

/**
 * Times at which contact 0 begins and ends. A beginning lies between two samples; it is the time at which the depth of the first
 * sample was zero at its own rate.
 */
export function touches({ time, contact }: Recording): { onsets: number[]; losses: number[] } {
  const onsets: number[] = [];
  const losses: number[] = [];
  let touching = false;
  for (const [n, row] of contact.entries()) {
    const now = row[ContactReadout.active] !== 0;
    const depth = row[ContactReadout.penetration];
    const rate = row[ContactReadout.penetrationRate];
    if (now && !touching) onsets.push(time[n] - (rate > 0 ? depth / rate : 0));
    if (!now && touching) losses.push(time[n]);
    touching = now;
  }
  return { onsets, losses };
}

/** Impact speed that contact 0 latched at each beginning, m/s. */
export function impactSpeeds({ contact }: Recording): number[] {
  return contact
    .filter(
      (row, n) =>
        row[ContactReadout.active] !== 0 &&
        (n === 0 || contact[n - 1][ContactReadout.active] === 0),
    )
    .map((row) => row[ContactReadout.impactSpeed]);
}
