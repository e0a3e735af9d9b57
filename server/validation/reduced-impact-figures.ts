/** The space impact with points without mass on rigid bodies, beside the elastic bodies of the same geometry and another program of the same method. */
import { atMost, curve, type Curve, type Figure, independent } from './case.ts';
import { runSpaceImpact, type SpaceImpact } from './fem-space-impact.ts';
import { type ReducedImpact, runReducedImpact } from './reduced-space-impact.ts';

const NONE = { static: 0, sliding: 0 };
const RUBBING = { static: 0.2, sliding: 0.15 };
/** Elastic bodies begin each step stuck, as in the source, and points that slide go on: with two coefficients they are not the same law. */
const EVEN = { static: 0.15, sliding: 0.15 };
/** A step, s; force, N, and impulse, N s, of the other program; part by which the force may differ from that of the elastic bodies. */
const STEPS = [
  { step: 2e-6, force: 1.502e5, impulse: 33.9, part: 0.03 },
  { step: 2e-5, force: 1.494e5, impulse: 33.8, part: 0.04 },
  { step: 5e-5, force: 1.465e5, impulse: 33.9, part: 0.06 },
] as const;
/** Two printed digits of the other program; its own figures with friction have two. */
const DIGITS = 0.005;
const ROUGH = 0.03;
const SLIDING = 0.05;
/** Part of the energy that rounding and events in mid-step may add, and take without friction. */
const GAIN = 1e-4;
const LOSS = 0.003;
/** What is left of the energy and the work of friction when the error of the first order in the step is taken out of two. */
const CLOSED = 1e-3;

const near = (
  quantity: string,
  unit: string,
  computed: number,
  reference: number,
  part: number,
): Figure => independent(quantity, unit, computed, reference, part * Math.abs(reference));

/** @param smooth the elastic bodies without friction */
export function reducedImpacts(smooth: SpaceImpact): { figures: Figure[]; curves: Curve[] } {
  const figures: Figure[] = [];
  const curves: Curve[] = [curve('elastic bodies, 2 µs', smooth.time, smooth.along)];
  for (const { step, force, impulse, part } of STEPS) {
    const run = runReducedImpact(NONE, step);
    const name = `points without mass, ${Math.round(1e6 * step)} µs`;
    const against = (quantity: string): string => `${name}: ${quantity}, against elastic bodies`;
    figures.push(
      near(against('impulse'), 'N s', run.impulse, smooth.impulse, 0.03),
      near(against('speed of the payload'), 'm/s', run.payloadSpeed, smooth.payloadSpeed, 0.03),
      near(against('largest force at the joint'), 'N', run.jointAlong, smooth.jointAlong, part),
      independent(
        against('duration'),
        's',
        run.duration,
        smooth.duration,
        0.03 * smooth.duration + step,
      ),
      near(`${name}: impulse, other program`, 'N s', run.impulse, impulse, DIGITS),
      near(`${name}: force, other program`, 'N', run.jointAlong, force, DIGITS),
      ...common(name, run),
      atMost(`${name}: loss of energy`, '1', -run.energyChange, LOSS),
    );
    curves.push(curve(name, [...run.time], [...run.along]));
  }
  const finest = runReducedImpact(NONE, STEPS[0].step);
  figures.push(
    near(
      'points without mass: stiffness along the normal, other program',
      'N/m',
      finest.stiffness,
      1.476e10,
      1e-3,
    ),
    ...['rate of joint 2', 'rate of joint 3', 'rate of mode 1', 'rate of mode 2'].map(
      (quantity, i) =>
        near(
          `points without mass: ${quantity}, against elastic bodies`,
          i < 2 ? '°/s' : 'm/s',
          finest.rates[i],
          smooth.rates[i + 1],
          0.03,
        ),
    ),
  );
  for (const [name, direction, force, loss] of [
    ['with friction', 112.7, 1.64e5, 0.02],
    ['face normal to Y_o', 90, 1.35e5, null], // its face is dragged along: what friction took is the measure
  ] as const) {
    const run = runReducedImpact(RUBBING, STEPS[0].step, direction);
    const even = runReducedImpact(EVEN, STEPS[0].step, direction);
    const title = `points without mass, ${name}`;
    const beyond = ({ energyChange, rubbed }: ReducedImpact): number => -energyChange - rubbed;
    figures.push(
      near(`${title}: force, other program`, 'N', run.jointAlong, force, DIGITS),
      ...common(title, run),
      ...(loss === null ? [] : [atMost(`${title}: loss of energy`, '1', -run.energyChange, loss)]),
      atMost(
        `${title}: energy that friction did not take`,
        '1',
        beyond(run),
        beyond(even) + freed(run),
      ),
      ...besideElastic(`${title}, one coefficient`, direction, even),
      independent(
        `${title}, one coefficient: energy and work of friction, from steps of 2 and 1 µs`,
        '1',
        beyond(even) - 2 * beyond(runReducedImpact(EVEN, STEPS[0].step / 2, direction)),
        0,
        CLOSED,
      ),
    );
  }
  return { figures, curves };
}

/** Shear of the whole face that goes with no work when its points begin to slide under μ_d, part of the energy: ½ (μ_s² − μ_d²) F²/k. */
function freed({ jointAlong, acrossStiffness, initial }: ReducedImpact): number {
  const squares = RUBBING.static * RUBBING.static - RUBBING.sliding * RUBBING.sliding;
  return (0.5 * squares * jointAlong * jointAlong) / (acrossStiffness * initial);
}

/** Impulse and spin with one coefficient, by both methods. */
function besideElastic(name: string, direction: number, run: ReducedImpact): Figure[] {
  const { step } = STEPS[0];
  const elastic = runSpaceImpact(EVEN, step, direction);
  const against = (quantity: string): string => `${name}: ${quantity}, against elastic bodies`;
  return [
    near(against('impulse'), 'N s', run.impulse, elastic.impulse, ROUGH),
    near(
      against('impulse along the face'),
      'N s',
      run.tangentImpulse,
      elastic.tangentImpulse,
      SLIDING,
    ),
    near(against('spin'), 'rad/s', run.payloadSpin, elastic.payloadSpin, SLIDING),
  ];
}

/** What holds of every run. */
function common(name: string, run: ReducedImpact): Figure[] {
  return [
    atMost(`${name}: contacts`, '1', run.contacts, 1),
    atMost(`${name}: gain of energy`, '1', run.energyChange, GAIN),
  ];
}
