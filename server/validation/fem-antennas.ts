/**
 * The payload of 6.3.3 carries two antennas, on joints that turn freely or are locked, and is hit by the arm, `Kim 1999, 6.3.3`. They stand at the
 * middles of the faces on both sides of the one that is touched; the source does not say where.
 */
import { ContactStep } from '../../src/fem/contact-step.ts';
import { ANGLES, CIRCUMRADIUS, DEGREE, MASSES, RATES } from './fem-space-impact.ts';
import { SpaceScene } from './space-scene.ts';

/** As printed: m, kg, N m²; the modulus of gripper and payload, N/m². */
export const ANTENNA = { length: 5, mass: 50, bendingStiffness: 5e3 } as const;
const YOUNG = { gripper: 1e5, payload: 1e6 } as const;
/** Of an antenna. */
const MODES = 3;
/** Contacts that are less than this many steps apart are one. */
const CHATTER = 5;

/** A run. */
export interface AntennaOptions {
  readonly locked: boolean;
  /** s */
  readonly step: number;
  readonly end: number;
  readonly direction?: number;
  readonly friction?: boolean;
  /** Part of critical; 1 % when left out. */
  readonly damping?: number;
}

/** What the impact gives. */
export interface AntennaRun {
  /** From the first to the last contact, s; contacts that are more than five steps apart. */
  readonly duration: number;
  readonly contacts: number;
  /** Largest force along the normal, mean over five steps, N. */
  readonly force: number;
  /** N s, on the payload: along its normal and along its face. */
  readonly impulse: number;
  readonly tangentImpulse: number;
  /** Momentum of payload and antennas at the end less the impulses, over the impulse. */
  readonly momentumError: number;
  /** Energy at the end over that of the start, less 1. */
  readonly energyChange: number;
  /** Largest rise of the energy over what it was before, over that of the start. */
  readonly energyRise: number;
  /** Largest deflection of the tips, m. */
  readonly amplitude: number;
  /** Way of the payload's centre, m, and its turn, rad, at the end. */
  readonly way: number;
  readonly turn: number;
  /** Their mean rates from 1 s on, m/s and rad/s. */
  readonly speed: number;
  readonly spin: number;
  /** Frequency of what both antennas do alike, 1 s after the impact to the end, rad/s. */
  readonly frequency: number;
  readonly unsettled: number;
  readonly time: number[];
  readonly forces: number[];
  readonly tips: readonly [number[], number[]];
  readonly energies: readonly number[][];
  readonly ways: readonly [number[], number[]];
}

/** Runs the impact. */
export function runAntennas(options: AntennaOptions): AntennaRun {
  const { locked, step, end, friction = true, damping = 0.01, direction = 112.7 } = options;
  const antenna = { ...ANTENNA, modes: MODES, locked };
  const scene = new SpaceScene({
    young: YOUNG,
    payload: { mass: MASSES.payload, circumradius: CIRCUMRADIUS },
    modes: { gripper: 4, payload: 2 },
    friction: friction ? { static: 0.2, sliding: 0.15 } : { static: 0, sliding: 0 },
    antennas: [
      { ...antenna, face: 2 },
      { ...antenna, face: 6 },
    ],
    angles: ANGLES.map((angle, i) => (i < 3 ? angle * DEGREE : angle)),
    rates: RATES.map((rate, i) => (i < 3 ? rate * DEGREE : rate)),
    gripperRate: 0,
    direction,
    damping,
  });
  const system = new ContactStep(scene.parts, scene.pairs, scene.joints, { step, project: false });
  const count = scene.parts.length;
  const energyNow = (): number[] => Array.from({ length: count }, (_, p) => scene.energyOf(p));
  const total = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0);
  const initial = total(energyNow());
  const start = [scene.payload.q[0], scene.payload.q[1], scene.payload.q[2]];
  const time: number[] = [];
  const forces: number[] = [];
  const tips: [number[], number[]] = [[], []];
  const ways: [number[], number[]] = [[], []];
  const energies: number[][] = scene.parts.map(() => []);
  const pushed = [0, 0];
  let [impulse, tangentImpulse, first, last, contacts, least, rise] = [
    0,
    0,
    0,
    -1e9,
    0,
    initial,
    0,
  ];
  for (let s = 1; s * step <= end + step / 2; s++) {
    system.advance();
    const [tangent, normal] = scene.pressure();
    impulse += normal * step;
    tangentImpulse += tangent * step;
    const push = scene.push();
    for (let c = 0; c < 2; c++) pushed[c] += push[c] * step;
    if (scene.active() > 0) {
      if (s - last > CHATTER) contacts++;
      if (first === 0) first = s;
      last = s;
    }
    time.push(s * step);
    forces.push(normal);
    for (let k = 0; k < 2; k++) tips[k].push(scene.deflection(k));
    const { q } = scene.payload;
    ways[0].push(Math.sqrt((q[0] - start[0]) ** 2 + (q[1] - start[1]) ** 2));
    ways[1].push(q[2] - start[2]);
    const now = energyNow();
    for (const [p, value] of now.entries()) energies[p].push(value);
    const sum = total(now);
    rise = Math.max(rise, sum - least);
    least = Math.min(least, sum);
  }
  const momentum = scene.payloadMomentum();
  const momentumError = Math.max(
    ...pushed.map((value, c) => Math.abs(momentum[c] - value) / impulse),
  );
  const from = Math.round(1 / step);
  const alike = tips[0].map((value, i) => value - tips[1][i]).slice(from);
  return {
    duration: (last - first + 1) * step,
    contacts,
    force: Math.max(...smooth(forces)),
    impulse,
    tangentImpulse,
    momentumError,
    energyChange: total(energies.map((values) => values[values.length - 1])) / initial - 1,
    energyRise: rise / initial,
    amplitude: Math.max(...tips.flat().map(Math.abs)),
    way: ways[0][time.length - 1],
    turn: ways[1][time.length - 1],
    speed: (ways[0][time.length - 1] - ways[0][from]) / (end - 1),
    spin: (ways[1][time.length - 1] - ways[1][from]) / (end - 1),
    frequency: alike.length > 0 ? strongestFrequency(alike, step) : Number.NaN,
    unsettled: system.unsettled / time.length,
    time,
    forces,
    tips,
    energies,
    ways,
  };
}

/** Mean over five values. */
export function smooth(values: readonly number[]): number[] {
  return values.map((_, i) => {
    const near = values.slice(Math.max(0, i - 2), i + 3);
    return near.reduce((sum, x) => sum + x, 0) / near.length;
  });
}

/** Frequency at which a signal under a Hann window has its largest Fourier component, rad/s: a grid of 0.1 rad/s, then halved steps. */
function strongestFrequency(values: readonly number[], step: number): number {
  const count = values.length;
  const mean = values.reduce((sum, x) => sum + x, 0) / count;
  const weighted = values.map(
    (x, i) => (x - mean) * (1 - Math.cos((2 * Math.PI * (i + 0.5)) / count)),
  );
  const strength = (omega: number): number => {
    let [re, im] = [0, 0];
    for (let i = 0; i < count; i += 4) {
      re += weighted[i] * Math.cos(omega * i * step);
      im += weighted[i] * Math.sin(omega * i * step);
    }
    return re * re + im * im;
  };
  let best = 1;
  let most = 0;
  for (let omega = 1; omega < 30; omega += 0.1) {
    const value = strength(omega);
    if (value > most) [best, most] = [omega, value];
  }
  for (let width = 0.05; width > 1e-4; width /= 2) {
    for (const omega of [best - width, best + width]) {
      const value = strength(omega);
      if (value > most) [best, most] = [omega, value];
    }
  }
  return best;
}
