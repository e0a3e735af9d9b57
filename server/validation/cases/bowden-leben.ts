/** Stick-slip of a block on a moving plate. `Gonthier 2007, 5.1.2, figures 5.3 to 5.6`. */
import { CONTACT_READOUT, ContactReadout, type System } from '../../../src/system/system.ts';
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

interface Peak {
  readonly time: number;
  readonly position: number;
  /** Largest friction force since the block last turned, N. */
  readonly force: number;
}

/** Speed of the plate, m/s; time, position and force of the first two or three peaks. */
const REFERENCE = referenceRows('gonthier-bowden-leben', 'peaks', [
  'speed',
  'time',
  'position',
  'force',
]);
const SPEEDS = [0.05, 0.1, 0.15];

function setUp(speed: number, changes: readonly string[]): System {
  const component = speed / Math.SQRT2;
  const velocity = `[${component}, ${component}, 0]`;
  return scenarioSystem('bowden-leben', [
    `bodies.plate.velocity_mps=${velocity}`,
    `bodies.block.velocity_mps=${velocity}`,
    ...changes,
  ]);
}

function stickSlip(
  speed: number,
  changes: readonly string[],
  until: number,
): {
  peaks: Peak[];
  /** Largest component of friction across the direction of motion over the friction, sine of an angle. */
  sideways: number;
  position: Curve;
  force: Curve;
} {
  const system = setUp(speed, changes);
  const contact = new Float64Array(CONTACT_READOUT.length);
  const block = new Float64Array(13);
  const dt = system.model.step;
  const steps = Math.round(until / dt);
  const peaks: Peak[] = [];
  const times: number[] = [];
  const positions: number[] = [];
  const forces: number[] = [];
  let best: Peak = { time: 0, position: 0, force: 0 };
  let force = 0;
  let rising = true;
  let sideways = 0;
  for (let n = 0; n < steps; n++) {
    system.step(dt);
    system.readBody(system.bodyIndex('block'), block, 0);
    system.readContact(0, contact, 0);
    const r = (block[0] + block[1]) / Math.SQRT2;
    const rate = (block[7] + block[8]) / Math.SQRT2;
    const along = -(contact[ContactReadout.ft_x] + contact[ContactReadout.ft_y]) / Math.SQRT2;
    const across = (contact[ContactReadout.ft_x] - contact[ContactReadout.ft_y]) / Math.SQRT2;
    if (Math.abs(along) > 0.1) sideways = Math.max(sideways, Math.abs(across / along));
    if (n % 10 === 0) {
      times.push(system.time);
      positions.push(r);
      forces.push(Math.abs(along));
    }
    force = Math.max(force, Math.abs(along));
    if (rising) {
      if (r > best.position) best = { time: system.time, position: r, force };
      if (rate < -0.01) {
        peaks.push({ ...best, force });
        rising = false;
      }
    } else if (rate > 0.5 * speed) {
      rising = true;
      force = 0;
      best = { time: 0, position: 0, force: 0 };
    }
  }
  return {
    peaks,
    sideways,
    position: curve(`${speed} m/s`, times, positions),
    force: curve(`${speed} m/s`, times, forces),
  };
}

function compare(changes: readonly string[]): CaseResult {
  const figures: Figure[] = [];
  const positions: Curve[] = [];
  const forces: Curve[] = [];
  const marks: Curve[] = [];
  for (const speed of SPEEDS) {
    const peaks = REFERENCE.filter((row) => row.speed === speed);
    const result = stickSlip(speed, changes, peaks[peaks.length - 1].time + 0.5);
    positions.push(result.position);
    forces.push(result.force);
    marks.push({
      name: `${speed} m/s, reference turning points`,
      x: peaks.map(({ time }) => time),
      y: peaks.map(({ position }) => position),
      kind: 'points',
    });
    for (const [i, { time, position, force }] of peaks.entries()) {
      const peak = result.peaks[i] ?? { time: NaN, position: NaN, force: NaN };
      const name = `${speed} m/s, peak ${i + 1}`;
      const tolerance = i === 0 ? 0.001 : 0.005;
      figures.push(
        independent(`${name}, force`, 'N', peak.force, force, tolerance),
        independent(`${name}, time`, 's', peak.time, time, 0.02),
        independent(`${name}, position`, 'm', peak.position, position, 0.002),
      );
    }
    figures.push(
      closedForm(`${speed} m/s, friction off the 45° direction`, 'rad', result.sideways, 0, 1e-9),
    );
  }
  return {
    figures,
    plots: [
      { title: 'Friction force', xLabel: 'time, s', yLabel: 'force, N', curves: forces },
      {
        title: 'Position of the block',
        xLabel: 'time, s',
        yLabel: 'position, m',
        curves: [...positions, ...marks],
      },
    ],
  };
}

const tolerances =
  'Forces 0.001 N (first) and 0.005 N, times 0.02 s, positions 0.002 m: the thesis shows curves; the reference run resolves these.';

export const bowdenLebenCase: ValidationCase = {
  name: 'bowden-leben',
  title: 'Bowden–Leben stick-slip, error-controlled',
  source: 'Gonthier 2007, 5.1.2, figures 5.3 to 5.6',
  description:
    'A block of 1 kg, held by a spring of 2 N/m, on a plate that moves at 45° at three speeds. Dormand–Prince 5(4), relative tolerance 1e-8, looked at every 1 ms.',
  equation:
    'm r̈ = −k r + f_t with bristle friction, seven parameters and dwell time; the block sticks until k r passes μ_S m g, then slips back.',
  tolerances,
  run: () => compare(['integration.kind=dormand-prince', 'integration.step_s=1 ms']),
};

export const bowdenLebenImplicitCase: ValidationCase = {
  name: 'bowden-leben-1ms',
  title: 'Bowden–Leben stick-slip, implicit step at 1 ms',
  source: 'Gonthier 2007, 5.1.2, figures 5.3 to 5.6',
  description: 'The same block with the implicit step of the real-time loop, 1 ms.',
  equation:
    'm r̈ = −k r + f_t with bristle friction, seven parameters and dwell time; the block sticks until k r passes μ_S m g, then slips back.',
  tolerances,
  run: () => compare([]),
};
