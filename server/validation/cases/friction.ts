/** Friction: the regularised direction and single evaluations of the bristle law. `Gonthier 2007, 3.2, (3.28)–(3.42)`. */
import type { LawMemory } from '../../../src/contact/component.ts';
import { BristleFriction } from '../../../src/contact/friction/bristle.ts';
import { directionFactor } from '../../../src/contact/friction/direction.ts';
import { KINEMATICS, NORMAL, SLIP } from '../../../src/contact/pair.ts';
import type { BristleModel } from '../../../src/model.ts';
import { Random } from '../../../src/math/random.ts';
import type { Figure, ValidationCase } from '../case.ts';

const EPS = 1e-3;
/** Length of dir(u) for |u| = r v_eps. */
const direction = (r: number): number => r * EPS * directionFactor(Math.abs(r) * EPS, EPS);

export const directionCase: ValidationCase = {
  name: 'direction',
  title: 'Regularised direction',
  source: 'Gonthier 2007, (3.33), the C1 cubic',
  tolerances: '1e-12: rounding. The slope is a four-point difference, exact for a cubic.',
  run() {
    const pins: readonly (readonly [number, number])[] = [
      [0, 0],
      [0.25, 0.3671875],
      [0.5, 0.6875],
      [0.75, 0.9140625],
      [1, 1],
      [7, 1],
    ];
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
        ...pins.map(([r, published]) => ({
          quantity: `|dir| at ${r} v_eps`,
          unit: '1',
          computed: direction(r),
          published,
          tolerance: 1e-12,
        })),
        { quantity: 'slope at v_eps', unit: '1', computed: slope, published: 0, tolerance: 1e-12 },
        { quantity: 'dir(u) + dir(−u)', unit: '1', computed: odd, published: 0, tolerance: 0 },
      ],
      plots: [
        {
          title: 'Regularised direction',
          xLabel: '|u|/v_eps',
          yLabel: '|dir(u)|',
          curves: [{ name: '|dir|', x, y }],
        },
      ],
    };
  },
};

interface Pin {
  readonly slip: readonly [number, number];
  readonly z: readonly [number, number];
  readonly dwell: number;
  readonly viscous: number;
  readonly force: readonly [number, number];
  readonly zRate: readonly [number, number];
  readonly dwellRate: number;
  readonly stick: number;
}

/** Load 20 N, normal along z. */
const PINS: readonly Pin[] = [
  {
    slip: [1e-4, 2e-4],
    z: [3e-7, -1e-7],
    dwell: 0.5,
    viscous: 0,
    force: [-1.23245113977, -1.06490927952],
    zRate: [9.99993055217e-5, 1.99999717838e-4],
    dwellRate: 0.666660000017,
    stick: 0.999995000012,
  },
  {
    slip: [0.05, -0.02],
    z: [1e-6, 0],
    dwell: 0.25,
    viscous: 0,
    force: [-2.36965937689, 0.941920611051],
    zRate: [5.84482794703e-5, -1.48930725299e-4],
    dwellRate: 0.664351423438,
    stick: 0.748263567579,
  },
  {
    slip: [0.4, 0.3],
    z: [1e-6, 5e-7],
    dwell: 0,
    viscous: 0,
    force: [-1.92, -1.44],
    zRate: [-1.26491106401e-5, 6.9570108523e-5],
    dwellRate: 1.85e-11,
    stick: 1.3888e-11,
  },
  {
    slip: [5e-4, 0],
    z: [1.3e-6, 0],
    dwell: 1,
    viscous: 0,
    force: [-3, 0],
    zRate: [6.32455532034e-5, 0],
    dwellRate: -0.00790559533006,
    stick: 0.999975000312,
  },
  {
    slip: [0.02, 0.01],
    z: [1.6e-6, 1e-6],
    dwell: 0.4,
    viscous: 0.01,
    force: [-2.36237356633, -1.18845443302],
    zRate: [-1.3307282347e-4, -1.286328486e-4],
    dwellRate: 0.734972566001,
    stick: 0.951229424501,
  },
];
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
  source: 'Gonthier 2007, (3.28)–(3.42); pins of an independent implementation',
  tolerances: '1e-10 absolute: the digits of the pins.',
  run() {
    const figures: Figure[] = [];
    const kinematics = new Float64Array(KINEMATICS);
    kinematics[NORMAL + 2] = 1;
    for (const [row, pin] of PINS.entries()) {
      const states = Float64Array.of(pin.z[0], pin.z[1], 0, pin.dwell);
      const friction = new BristleFriction(parameters(pin.viscous), memory(states));
      kinematics[SLIP] = pin.slip[0];
      kinematics[SLIP + 1] = pin.slip[1];
      friction.evaluate(kinematics, LOAD);
      const add = (quantity: string, unit: string, computed: number, published: number): void => {
        const name = `row ${row + 1}, ${quantity}`;
        figures.push({ quantity: name, unit, computed, published, tolerance: 1e-10 });
      };
      add('f_x', 'N', friction.force[0], pin.force[0]);
      add('f_y', 'N', friction.force[1], pin.force[1]);
      add("z'_x", 'm/s', friction.rates[0], pin.zRate[0]);
      add("z'_y", 'm/s', friction.rates[1], pin.zRate[1]);
      add("s_dw'", '1/s', friction.rates[3], pin.dwellRate);
      add('s', '1', friction.stick(), pin.stick);
    }
    figures.push({
      quantity: 'largest |f_t − viscous part|/(mu_max f_n) over 100,000 random states',
      unit: '1',
      computed: largestRatio(kinematics),
      published: 1,
      tolerance: 1e-12,
    });
    return { figures, plots: [] };
  },
};

function memory(states: Float64Array): LawMemory {
  return { states, rates: new Float64Array(4), internals: new Float64Array(0) };
}

function largestRatio(kinematics: Float64Array): number {
  const random = new Random(5);
  const states = new Float64Array(4);
  const model = parameters(0.02);
  const friction = new BristleFriction(model, memory(states));
  let largest = 0;
  for (let n = 0; n < 100_000; n++) {
    const scale = 10 ** (-4 + 4 * random.uniform());
    kinematics[SLIP] = scale * random.gaussian();
    kinematics[SLIP + 1] = scale * random.gaussian();
    for (let a = 0; a < 2; a++) states[a] = 2e-6 * random.gaussian();
    states[3] = random.uniform();
    const load = 100 * random.uniform();
    friction.evaluate(kinematics, load);
    const x = friction.force[0] + load * model.viscousDamping * kinematics[SLIP];
    const y = friction.force[1] + load * model.viscousDamping * kinematics[SLIP + 1];
    const limit = (model.coulomb + (model.stiction - model.coulomb) * states[3]) * load;
    largest = Math.max(largest, Math.sqrt(x * x + y * y) / limit);
  }
  return largest;
}
