/** Friction: the regularised direction and single evaluations of the bristle law. `Gonthier 2007, (3.28)–(3.42)`. */
import type { LawMemory } from '../../../src/contact/component.ts';
import { TangentialBristle } from '../../../src/contact/friction/tangential-bristle.ts';
import { directionFactor } from '../../../src/contact/friction/direction.ts';
import {
  KINEMATICS,
  LOAD as LOAD_SLOT,
  MOBILITY,
  NORMAL,
  SLIP,
} from '../../../src/contact/pair.ts';
import { CONTACT_READOUT, ContactReadout } from '../../../src/system/system.ts';
import type { BristleModel } from '../../../src/model/model.ts';
import { Random } from '../../../src/math/random.ts';
import {
  atMost,
  closedForm,
  type Curve,
  type Figure,
  independent,
  type Plot,
  type ValidationCase,
} from '../case.ts';
import { referenceRows } from '../reference-data.ts';

const EPS = 1e-3;
/** Length of dir(u) for |u| = r v_eps. */
const direction = (r: number): number => r * EPS * directionFactor(Math.abs(r) * EPS, EPS);

export const directionCase: ValidationCase = {
  name: 'direction',
  title: 'Regularised direction',
  source: 'Gonthier 2007, (3.33), the C1 cubic',
  description:
    'The direction of slip smoothed through zero, evaluated alone: its length at six places, its slope where it joins the unit vector, and that it is odd.',
  equation:
    'dir(u) = (u/v_eps)(3/2 − |u|²/(2 v_eps²)) for |u| < v_eps, u/|u| beyond; u slip velocity, v_eps velocity tolerance.',
  tolerances: '1e-12: rounding. The slope is a four-point difference, exact for a cubic.',
  run() {
    const pins = referenceRows('gonthier-friction', 'direction', ['slip', 'length']);
    const h = 0.1;
    const slope =
      (11 * direction(1) -
        18 * direction(1 - h) +
        9 * direction(1 - 2 * h) -
        2 * direction(1 - 3 * h)) /
      (6 * h);
    let odd = 0;
    const x: number[] = [];
    const y: number[] = [];
    for (let i = 0; i <= 300; i++) {
      x.push(i / 100);
      y.push(direction(i / 100));
      odd = Math.max(odd, Math.abs(direction(i / 100) + direction(-i / 100)));
    }
    return {
      figures: [
        ...pins.map(({ slip, length }) =>
          closedForm(`|dir| at ${slip} v_eps`, '1', direction(slip), length, 1e-12),
        ),
        closedForm('slope at v_eps', '1', slope, 0, 1e-12),
        closedForm('dir(u) + dir(−u)', '1', odd, 0, 0),
      ],
      plots: [
        {
          title: 'Regularised direction',
          xLabel: 'slip over tolerance |u|/v_eps, 1',
          yLabel: 'length |dir(u)|, 1',
          curves: [
            { name: 'computed', x, y },
            {
              name: 'reference',
              x: pins.map(({ slip }) => Math.min(slip, 3)),
              y: pins.map(({ length }) => length),
              kind: 'points',
            },
          ],
        },
      ],
    };
  },
};

/** Columns of the independent evaluations. */
const COLUMNS = [
  ...(['slip_x', 'slip_y', 'z_x', 'z_y', 'dwell', 'viscous', 'force_x', 'force_y'] as const),
  ...(['zRate_x', 'zRate_y', 'dwellRate', 'stick'] as const),
] as const;
const LOAD = 20;

function parameters(viscousDamping: number): BristleModel {
  return {
    kind: 'bristle',
    stiction: 0.15,
    coulomb: 0.12,
    bristleStiffness: 1e5,
    bristleDamping: Math.sqrt(1e5),
    viscousDamping,
    stribeckVelocity: 0.1,
    dwellTime: 0.75,
    velocityTolerance: EPS,
    startsSticking: false,
  };
}

export const frictionCase: ValidationCase = {
  name: 'friction',
  title: 'Single evaluations of the bristle law',
  source: 'Gonthier 2007, (3.28)–(3.42); figures of an independent implementation',
  description:
    'The bristle friction law called once in each of five states, from sticking to fast sliding, and its bound over 100,000 random states.',
  equation:
    'f_t = −f_n (σ0 z + σ1 ż + σ2 v_t) with |bristle part| ≤ μ_max f_n; z bristle deformation, v_t slip, s stick degree, s_dw dwell state.',
  tolerances: '1e-10 absolute: the digits of the pins.',
  run() {
    const figures: Figure[] = [];
    const kinematics = new Float64Array(KINEMATICS);
    kinematics[NORMAL + 2] = 1;
    const rows = referenceRows('gonthier-friction', 'bristle', COLUMNS);
    for (const [row, pin] of rows.entries()) {
      const states = Float64Array.of(pin.z_x, pin.z_y, 0, pin.dwell);
      const friction = new TangentialBristle(parameters(pin.viscous), memory(states));
      kinematics[SLIP] = pin.slip_x;
      kinematics[SLIP + 1] = pin.slip_y;
      friction.evaluate(kinematics, loadedWith(LOAD));
      const add = (quantity: string, unit: string, computed: number, reference: number): void => {
        figures.push(
          independent(`state ${row + 1}, ${quantity}`, unit, computed, reference, 1e-10),
        );
      };
      add('f_x', 'N', friction.force[0], pin.force_x);
      add('f_y', 'N', friction.force[1], pin.force_y);
      add('rate of z_x', 'm/s', friction.rates[0], pin.zRate_x);
      add('rate of z_y', 'm/s', friction.rates[1], pin.zRate_y);
      add('rate of s_dw', '1/s', friction.rates[3], pin.dwellRate);
      const readout = new Float64Array(CONTACT_READOUT.length);
      friction.read(readout);
      add('s', '1', readout[ContactReadout.stick], pin.stick);
    }
    const largest = largestRatio(kinematics);
    figures.push(
      atMost('|f_t − viscous part|/(μ_max f_n) − 1 over 100,000 states', '1', largest - 1, 1e-12),
      closedForm('the same ratio reaches 1', '1', largest, 1, 1e-3),
    );
    return { figures, plots: [strengthPlot(kinematics)] };
  },
};

/** Friction over load of a bristle that is deformed far, over slip: the strength of the law from stick to slide. */
function strengthPlot(kinematics: Float64Array): Plot {
  const model = parameters(0);
  const curves = [0, 0.5, 1].map((dwell) => {
    const slips: number[] = [];
    const ratios: number[] = [];
    for (let n = 0; n <= 200; n++) {
      const slip = 10 ** (-5 + n / 40);
      const states = Float64Array.of(1, 0, 0, dwell);
      const friction = new TangentialBristle(model, memory(states));
      kinematics[SLIP] = slip;
      kinematics[SLIP + 1] = 0;
      friction.evaluate(kinematics, loadedWith(LOAD));
      slips.push(slip);
      ratios.push(-friction.force[0] / LOAD);
    }
    return { name: `s_dw = ${dwell}`, x: slips, y: ratios };
  });
  const level = (name: string, value: number): Curve => ({
    name,
    x: [1e-5, 1],
    y: [value, value],
    kind: 'bound',
  });
  return {
    title: 'Strength of the bristles over slip',
    xLabel: 'slip speed, m/s',
    yLabel: 'friction over load, 1',
    xScale: 'log',
    curves: [...curves, level('μ_S', model.stiction), level('μ_C', model.coulomb)],
  };
}

/** The mobility column of a contact that carries this load, N. */
function loadedWith(load: number): Float64Array {
  const mobility = new Float64Array(MOBILITY);
  mobility[LOAD_SLOT] = load;
  return mobility;
}

function memory(states: Float64Array): LawMemory {
  return { states, rates: new Float64Array(4), internals: new Float64Array(0) };
}

function largestRatio(kinematics: Float64Array): number {
  const random = new Random(5);
  const states = new Float64Array(4);
  const model = parameters(0.02);
  const friction = new TangentialBristle(model, memory(states));
  let largest = 0;
  for (let n = 0; n < 100_000; n++) {
    const scale = 10 ** (-4 + 4 * random.uniform());
    kinematics[SLIP] = scale * random.gaussian();
    kinematics[SLIP + 1] = scale * random.gaussian();
    for (let a = 0; a < 2; a++) states[a] = 2e-6 * random.gaussian();
    states[3] = random.uniform();
    const load = 100 * random.uniform();
    friction.evaluate(kinematics, loadedWith(load));
    const x = friction.force[0] + load * model.viscousDamping * kinematics[SLIP];
    const y = friction.force[1] + load * model.viscousDamping * kinematics[SLIP + 1];
    const limit = (model.coulomb + (model.stiction - model.coulomb) * states[3]) * load;
    largest = Math.max(largest, Math.sqrt(x * x + y * y) / limit);
  }
  return largest;
}
