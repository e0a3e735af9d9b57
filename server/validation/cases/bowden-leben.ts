/** Stick-slip of a block on a moving plate. `Gonthier 2007, 5.1.2, figures 5.3 to 5.6`. */
import { CONTACT_READOUT, type System } from '../../../src/system.ts';
import { curve, type CaseResult, type Curve, type Figure, type ValidationCase } from '../case.ts';
import { contactColumn, scenarioSystem } from '../systems.ts';

interface Peak {
  readonly time: number;
  readonly position: number;
  /** Largest friction force since the block last turned, N. */
  readonly force: number;
}

/** Speed of the plate; time, position and force of the first two peaks. */
const PUBLISHED: readonly {
  readonly speed: number;
  readonly peaks: readonly (readonly [number, number, number])[];
}[] = [
  {
    speed: 0.05,
    peaks: [
      [15.158, 0.7554, 1.5],
      [27.035, 0.7536, 1.4955],
    ],
  },
  {
    speed: 0.1,
    peaks: [
      [7.74, 0.7644, 1.5],
      [14.851, 0.7402, 1.4455],
      [21.723, 0.7366, 1.4377],
    ],
  },
  {
    speed: 0.15,
    peaks: [
      [5.322, 0.7774, 1.5],
      [10.915, 0.721, 1.368],
      [16.121, 0.7043, 1.3288],
    ],
  },
];

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
  const at = contactColumn('ft_x');
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
    const along = -(contact[at] + contact[at + 1]) / Math.SQRT2;
    const across = (contact[at] - contact[at + 1]) / Math.SQRT2;
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
  for (const { speed, peaks } of PUBLISHED) {
    const last = peaks[peaks.length - 1];
    const result = stickSlip(speed, changes, last[0] + 0.5);
    positions.push(result.position);
    forces.push(result.force);
    for (const [i, [time, position, force]] of peaks.entries()) {
      const peak = result.peaks[i] ?? { time: NaN, position: NaN, force: NaN };
      const name = `${speed} m/s, peak ${i + 1}`;
      const tolerance = i === 0 ? 0.001 : 0.005;
      figures.push(
        {
          quantity: `${name}, force`,
          unit: 'N',
          computed: peak.force,
          published: force,
          tolerance,
        },
        {
          quantity: `${name}, time`,
          unit: 's',
          computed: peak.time,
          published: time,
          tolerance: 0.02,
        },
        {
          quantity: `${name}, position`,
          unit: 'm',
          computed: peak.position,
          published: position,
          tolerance: 0.002,
        },
      );
    }
    figures.push({
      quantity: `${speed} m/s, friction off the 45° direction`,
      unit: 'rad',
      computed: result.sideways,
      published: 0,
      tolerance: 1e-9,
    });
  }
  return {
    figures,
    plots: [
      { title: 'Friction force', xLabel: 'time, s', yLabel: 'force, N', curves: forces },
      {
        title: 'Position of the block',
        xLabel: 'time, s',
        yLabel: 'position, m',
        curves: positions,
      },
    ],
  };
}

const tolerances =
  'Forces 0.001 N (first) and 0.005 N, times 0.02 s, positions 0.002 m: the thesis shows curves; the reference run resolves these.';

export const bowdenLebenCase: ValidationCase = {
  name: 'bowden-leben',
  title: 'Bowden–Leben stick-slip, explicit reference',
  source: 'Gonthier 2007, 5.1.2, figures 5.3 to 5.6',
  tolerances,
  run: () => compare(['integration.kind=rk4', 'integration.step_s=0.1 ms']),
};

export const bowdenLebenImplicitCase: ValidationCase = {
  name: 'bowden-leben-1ms',
  title: 'Bowden–Leben stick-slip, implicit step at 1 ms',
  source: 'Gonthier 2007, 5.1.2, figures 5.3 to 5.6',
  tolerances,
  run: () => compare([]),
};
