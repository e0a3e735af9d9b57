/** The two blocks by points without mass, beside the elastic bodies and another program of the same method. */
import { atMost, closedForm, curve, type Curve, type Figure, independent } from './case.ts';
import type { BlockResult } from './fem-two-blocks.ts';
import { runReducedBlocks } from './reduced-two-blocks.ts';

const NONE = { static: 0, sliding: 0 };
const RUBBING = { static: 0.2, sliding: 0.15 };
/** Modes, step (s), and what the other program has: impulse N s, rebound m/s, duration ms, force N, change of energy %. */
const ROWS = [
  {
    modes: [0, 0],
    step: 5e-5,
    impulse: 0.439,
    rebound: -0.0912,
    duration: 5.05,
    peak: 149,
    energy: 0,
  },
  {
    modes: [2, 8],
    step: 5e-5,
    impulse: 0.3965,
    rebound: -0.0727,
    duration: 4.45,
    peak: 155,
    energy: 0,
  },
  {
    modes: [2, 8],
    step: 5e-4,
    impulse: 0.3956,
    rebound: -0.0723,
    duration: 4.5,
    peak: 154,
    energy: 0.13,
  },
  {
    modes: [2, 8],
    step: 1e-3,
    impulse: 0.3897,
    rebound: -0.0697,
    duration: 5,
    peak: 134,
    energy: -1.5,
  },
  {
    modes: [6, 16],
    step: 5e-5,
    impulse: 0.3943,
    rebound: -0.0717,
    duration: 4.6,
    peak: 146,
    energy: 0,
  },
] as const;
/** Steps with friction, s. */
const STEPS = [5e-5, 2.5e-4, 1e-3] as const;

const near = (
  quantity: string,
  unit: string,
  computed: number,
  reference: number,
  part: number,
): Figure => independent(quantity, unit, computed, reference, part * Math.abs(reference));

/** @param elastic the elastic bodies without friction */
export function reducedBlocks(elastic: BlockResult): {
  figures: Figure[];
  curves: Curve[];
} {
  const figures: Figure[] = [];
  const curves: Curve[] = [curve('elastic bodies, 50 µs', elastic.time, elastic.force)];
  for (const row of ROWS) {
    const { modes, step } = row;
    const run = runReducedBlocks({ modes: [...modes], step, friction: NONE, tangential: 0 });
    const name = `points without mass, ${modes.join(' + ')} modes, ${1e3 * step} ms`;
    figures.push(
      near(`${name}: impulse`, 'N s', run.impulse[1], row.impulse, 5e-4),
      near(`${name}: rebound`, 'm/s', run.velocity[1], row.rebound, 1e-3),
      near(`${name}: duration`, 'ms', 1e3 * run.duration, row.duration, 1e-6),
      near(`${name}: largest force`, 'N', run.peak, row.peak, 4e-3),
      independent(`${name}: change of energy`, '%', 100 * run.energyChange, row.energy, 0.02),
      atMost(`${name}: steps that did not settle`, '1', run.unsettled, 0),
    );
    curves.push(curve(name, run.time, run.force));
    if (modes[0] === 0) continue;
    figures.push(
      near(
        `${name}: impulse, against elastic bodies`,
        'N s',
        run.impulse[1],
        elastic.impulse[1],
        0.02,
      ),
      near(
        `${name}: rebound, against elastic bodies`,
        'm/s',
        run.velocity[1],
        elastic.velocity[1],
        0.04,
      ),
    );
  }
  for (const step of STEPS) {
    const common = { step, friction: RUBBING, modes: [2, 8] } as const;
    const name = `points without mass, friction, ${1e3 * step} ms`;
    const sticks = runReducedBlocks({ ...common, tangential: 0.02 });
    figures.push(
      independent(`${name}, 0.02 m/s: impulse along x`, 'N s', sticks.impulse[0], 0.0453, 0.0025),
      independent(
        `${name}, 0.02 m/s: velocity along x after it`,
        'm/s',
        sticks.velocity[0],
        0.0003,
        0.001,
      ),
      atMost(`${name}, 0.02 m/s: gain of energy`, '1', sticks.energyChange, 0),
      atMost(`${name}, 0.02 m/s: loss of energy`, '1', -sticks.energyChange, 0.038),
    );
    const slides = runReducedBlocks({ ...common, tangential: 0.1 });
    figures.push(
      independent(
        `${name}, 0.1 m/s: change of energy`,
        '%',
        100 * slides.energyChange,
        -20.8,
        0.75,
      ),
    );
    const ratio = slides.impulse[0] / slides.impulse[1];
    const quantity = `${name}, 0.1 m/s: F_t/F_n`;
    figures.push(closedForm(quantity, '1', ratio, RUBBING.sliding, 1e-4));
  }
  return { figures, curves };
}
