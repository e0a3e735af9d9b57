/** Parameters of a contact found again from what a bench with noise measures of it. `Gonthier 2007, 3.3, 5.1.2, 5.1.4`. */
import { identifyBreakaway } from '../../../src/identify/breakaway.ts';
import { identifyDrag } from '../../../src/identify/drag.ts';
import { identifyDrop } from '../../../src/identify/drop.ts';
import { identify } from '../../../src/identify/estimate.ts';
import { identifyPreSliding } from '../../../src/identify/pre-sliding.ts';
import { identifyPress } from '../../../src/identify/press.ts';
import { identifyRingDown } from '../../../src/identify/ring-down.ts';
import { findBreakaways } from '../../../src/identify/rests.ts';
import { identifyStickSlip } from '../../../src/identify/stick-slip.ts';
import { identifyTap } from '../../../src/identify/tap.ts';
import { identifyTilt } from '../../../src/identify/tilt.ts';
import { Random } from '../../../src/math/random.ts';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import {
  atMost,
  closedForm,
  curve,
  type Figure,
  independent,
  printed,
  type Plot,
  type ValidationCase,
} from '../case.ts';
import {
  breakawaysOf,
  dragOf,
  DWELL_s,
  HEIGHT_m,
  ledTaps,
  measuredTaps,
  NOISE,
  pressOf,
  restsOf,
  STROKES,
  strokesOf,
  tapsOf,
  TRUTH,
} from '../identification-bench.ts';
import { payloadPart } from '../payload-figures.ts';
import { tapLoops } from '../tap-loops.ts';

const CONFIDENCE = 0.95;
const CHOICE = { exponent: 1.5, confidence: CONFIDENCE } as const;
const DEGREE = Math.PI / 180;
/** Benches of which intervals are counted, and a share of them that is held within three deviations of its count. */
const BENCHES = 500;
const HELD = 0.03;

interface Part {
  readonly figures: readonly Figure[];
  readonly plots: readonly Plot[];
}

function press(): Part {
  const data = pressOf(11, 135.3e-6);
  const found = identifyPress(data, CHOICE);
  const [stiffness, height] = found.identification.estimates;
  // a slope of 1.5e7 N/m at 400 N
  const stiff = identifyPress(pressOf(12, 40e-6, 400 / 40e-6 ** 1.5), CHOICE);
  const picked = data.place.map((_, i) => i).filter((i) => i % 25 === 0);
  const law = (z: number): number => stiffness.value * Math.max(0, height.value - z) ** 1.5;
  const z = Array.from({ length: 200 }, (_, i) => 1e-5 - (1.45e-4 * i) / 199);
  return {
    figures: [
      independent(
        'stiffness of the half-sphere',
        'N/m^1.5',
        stiffness.value,
        TRUTH.stiffness,
        0.02 * TRUTH.stiffness,
      ),
      independent('height of the plate', 'm', height.value, HEIGHT_m, 1e-6),
      atMost(
        'slope of the press over what the noise resolves',
        '1',
        found.tangent / found.resolved,
        1,
      ),
      atMost(
        'resolved slope at 400 N and 2 µm over that of a stiff contact',
        '1',
        stiff.resolved / stiff.tangent,
        1,
      ),
      independent('slope that 400 N and 2 µm resolve', 'N/m', stiff.resolved, 1e7, 0.05e7),
    ],
    plots: [
      {
        title: 'Press of the half-sphere, every 25th sample',
        xLabel: 'place, µm',
        yLabel: 'force, N',
        curves: [
          {
            name: 'measured',
            kind: 'points',
            x: [...picked].map((i) => 1e6 * data.place[i]),
            y: [...picked].map((i) => data.force[i]),
          },
          curve(
            'law found',
            z.map((one) => 1e6 * one),
            z.map(law),
          ),
        ],
      },
    ],
  };
}

function series(): Part {
  const random = new Random(13);
  const truth = 1 / (1 / 1.87e6 + 1 / 1e7);
  const samples = 4000;
  const gap = Array.from(
    { length: samples },
    (_, i) => 5e-6 - 85e-6 * (1 - Math.abs((2 * i) / samples - 1)),
  );
  const place = Float64Array.from(gap, (one) => one + NOISE.place_m * random.gaussian());
  const force = Float64Array.from(gap, (one) => truth * Math.max(0, -one) + random.gaussian());
  const { stiffness } = identifyPress({ place, force }, { ...CHOICE, exponent: 1 });
  return {
    figures: [
      closedForm('1.87e6 N/m on a plate of 1e7 N/m', 'N/m', stiffness, truth, 0.01 * truth),
    ],
    plots: [],
  };
}

function friction(): Part {
  const drag = identifyDrag(dragOf(14), CONFIDENCE);
  const data = breakawaysOf(15);
  const rests = identifyBreakaway(data, CONFIDENCE);
  const [coulomb, rise, dwell] = rests.identification.estimates;
  const stiction = coulomb.value + rise.value;
  const t = Array.from({ length: 120 }, (_, i) => (2 * (i + 1)) / 120);
  return {
    figures: [
      independent(
        'Coulomb friction, dragged',
        '1',
        drag.identification.values[0],
        TRUTH.coulomb,
        0.005,
      ),
      independent('Coulomb friction, breakaways', '1', coulomb.value, TRUTH.coulomb, 0.005),
      independent('stiction, breakaways', '1', stiction, TRUTH.stiction, 0.005),
      independent('dwell time, breakaways', 's', dwell.value, DWELL_s, 0.15 * DWELL_s),
    ],
    plots: [
      {
        title: 'Friction number of a breakaway over the rest before it',
        xLabel: 'rest, s',
        yLabel: 'friction number',
        curves: [
          { name: 'measured', kind: 'points', x: [...data.dwell], y: [...rests.ratios] },
          curve(
            'law found',
            t,
            t.map((one) => coulomb.value + rise.value * (1 - Math.exp(-one / dwell.value))),
          ),
        ],
      },
    ],
  };
}

function taps(): Part {
  const { identification } = identifyDrop(tapsOf(16), { ...CHOICE, slope: false });
  return {
    figures: [
      independent('restitution, four taps', '1', identification.values[0], TRUTH.restitution, 0.02),
    ],
    plots: [],
  };
}

function tapsOfAnArm(): Part {
  const speeds = [0.003, 0.005, 0.008];
  const found = identifyTap(measuredTaps(ledTaps({ speeds }), 19), { ...CHOICE, slope: false });
  const [, , restitution] = found.identification.estimates;
  return {
    figures: [
      independent(
        'restitution, taps of an accommodated arm',
        '1',
        restitution.value,
        TRUTH.restitution,
        0.02,
      ),
    ],
    plots: [tapLoops(found.taps)],
  };
}

function stickSlip(): Part {
  const model = compileScenario(loadScenario('bowden-leben'));
  const peaks = [
    [0.05, 1.4955],
    [0.1, 1.4455],
    [0.15, 1.368],
  ].map(([speed, peak]) => ({ speed, cycle: 2, peak }));
  const { identification } = identifyStickSlip(model, peaks, CONFIDENCE);
  return {
    figures: [
      printed(
        'dwell time from peaks of 1.4955, 1.4455, 1.3680 N',
        's',
        identification.values[0],
        2,
        0.1,
      ),
    ],
    plots: [],
  };
}

function tilted(): Part {
  const random = new Random(17);
  const load = (i: number): number => 30 * (1 - Math.abs(i / 2000 - 1));
  const noisy = (of: (i: number) => number): Float64Array =>
    Float64Array.from({ length: 4000 }, (_, i) => of(i) + random.gaussian());
  const data = {
    force: noisy((i) => load(i) * Math.cos(DEGREE)),
    sideU: noisy((i) => load(i) * Math.sin(DEGREE) + 0.8),
    sideV: noisy(() => -0.3),
  };
  const { identification, tilt } = identifyTilt(data, CONFIDENCE);
  const [slope] = identification.values;
  return {
    figures: [
      closedForm('tilt of 1°', '°', tilt / DEGREE, 1, 0.15),
      closedForm('side force of 1° under 30 N', 'N', 30 * slope, 30 * Math.tan(DEGREE), 0.08),
    ],
    plots: [],
  };
}

function bristles(): Part {
  const random = new Random(18);
  const [stiffness, damping, load] = [4000, 4, 10];
  const time = Float64Array.from({ length: 400 }, (_, i) => i / 1000);
  const [omega, ratio] = [
    Math.sqrt(load * stiffness),
    (damping * load) / (2 * Math.sqrt(load * stiffness)),
  ];
  const swing = (at: number): number =>
    5e-6 * Math.exp(-ratio * omega * at) * Math.cos(omega * Math.sqrt(1 - ratio * ratio) * at);
  const travel = time.map((at) => swing(at) + 2e-7 * random.gaussian());
  const rung = identifyRingDown({ time, travel }, { loadPerMass: load, confidence: CONFIDENCE });
  const way = Array.from({ length: 2000 }, (_, i) => 1e-5 * Math.sin(i / 200));
  const pushed = identifyPreSliding(
    {
      travel: Float64Array.from(way, (x) => x + 5e-8 * random.gaussian()),
      force: Float64Array.from(way, () => 400 + random.gaussian()),
      friction: Float64Array.from(way, (x) => 400 * stiffness * x + random.gaussian()),
    },
    CONFIDENCE,
  );
  const [k, c] = rung.identification.estimates;
  return {
    figures: [
      closedForm('bristle stiffness, ring-down', '1/m', k.value, stiffness, 0.02 * stiffness),
      closedForm('bristle damping, ring-down', 's/m', c.value, damping, 0.05 * damping),
      closedForm(
        'bristle stiffness, pre-sliding',
        '1/m',
        pushed.identification.values[0],
        stiffness,
        0.02 * stiffness,
      ),
    ],
    plots: [
      {
        title: 'Swing after a tap',
        xLabel: 'time, s',
        yLabel: 'travel, µm',
        curves: [
          { name: 'measured', kind: 'points', x: [...time], y: [...travel].map((x) => 1e6 * x) },
          curve(
            'truth',
            [...time],
            [...time].map((at) => 1e6 * swing(at)),
          ),
        ],
      },
    ],
  };
}

function flown(): Part {
  const rests = findBreakaways(restsOf(19));
  const { identification, ratios, fitted } = identifyBreakaway(rests, CONFIDENCE);
  const [coulomb, rise, dwell] = identification.estimates;
  const { stiffness, damping } = STROKES;
  const strokes = identifyPreSliding(strokesOf(20), CONFIDENCE);
  const [k, , c] = strokes.identification.estimates;
  const every = [...strokes.places.keys()].filter((i) => i % 5 === 0);
  const order = [...rests.dwell.keys()].sort((a, b) => rests.dwell[a] - rests.dwell[b]);
  return {
    figures: [
      independent('Coulomb friction, rests in samples', '1', coulomb.value, TRUTH.coulomb, 0.005),
      independent(
        'stiction, rests in samples',
        '1',
        coulomb.value + rise.value,
        TRUTH.stiction,
        0.005,
      ),
      independent('dwell time, rests in samples', 's', dwell.value, DWELL_s, 0.05 * DWELL_s),
      independent('bristle stiffness, strokes', '1/m', k.value, stiffness, 0.02 * stiffness),
      independent('bristle damping, strokes', 's/m', c.value, damping, 0.05 * damping),
    ],
    plots: [
      {
        title: 'Windows of the limit after breakaways over the rest before them',
        xLabel: 'rest, s',
        yLabel: 'friction number',
        curves: [
          { name: 'measured', kind: 'points', x: [...rests.dwell], y: [...ratios] },
          curve(
            'law found',
            order.map((i) => rests.dwell[i]),
            order.map((i) => fitted[i]),
          ),
        ],
      },
      {
        title: 'Strokes below breakaway at two rates, every fifth mean',
        xLabel: 'travel, µm',
        yLabel: 'friction number',
        curves: [
          {
            name: 'measured',
            kind: 'points',
            x: every.map((i) => 1e6 * strokes.places[i]),
            y: every.map((i) => strokes.ratios[i]),
          },
          {
            name: 'law found',
            kind: 'points',
            x: every.map((i) => 1e6 * strokes.places[i]),
            y: every.map((i) => strokes.fitted[i]),
          },
        ],
      },
    ],
  };
}

/** How often intervals hold the truth. */
function coverage(): Part {
  const truth = [TRUTH.stiffness, 1e-6];
  const rows = 80;
  const force = (z: number, [k, height]: ArrayLike<number> & Iterable<number>): number =>
    k * Math.max(0, height - z) ** 1.5;
  const place = Array.from({ length: rows }, (_, i) => 5e-6 - (30e-6 * i) / rows);
  const held = [0, 0];
  for (let seed = 0; seed < BENCHES; seed++) {
    const random = new Random(20_000 + seed);
    const measured = place.map((z) => force(z, truth) + random.gaussian());
    const { estimates } = identify({
      parameters: [
        { name: 'k', unit: 'N/m^1.5', start: 1e8, low: 1e6, high: 1e10, logarithmic: true },
        { name: 'height', unit: 'm', start: 0, low: -1e-4, high: 1e-4, logarithmic: false },
      ],
      rows,
      residuals: (values, out) => {
        for (let i = 0; i < rows; i++) out[i] = measured[i] - force(place[i], values);
      },
      robust: false,
      confidence: CONFIDENCE,
    });
    for (const [j, { low, high }] of estimates.entries())
      if (low <= truth[j] && truth[j] <= high) held[j]++;
  }
  const names = ['stiffness', 'height'];
  return {
    figures: [
      ...held.map((hits, j) =>
        closedForm(
          `share of ${BENCHES} intervals that hold the ${names[j]}`,
          '1',
          hits / BENCHES,
          CONFIDENCE,
          HELD,
        ),
      ),
    ],
    plots: [],
  };
}

export const identificationCase: ValidationCase = {
  name: 'identification',
  title: 'Parameters of a contact from measured data',
  source: 'Gonthier 2007, 3.3, 5.1.2, 5.1.4',
  description:
    'The half-sphere of the test bed is pressed, dragged, tapped and broken away by this project; what a bench would measure of it, with 2 µm, 1 N and a plate at an unknown height, goes to the procedures of berth identify. The rig of stick-slip is identified from the peaks that the source prints, a payload from a free body of this project that is shaken and turned, tilt, springs in series and bristles from closed forms.',
  equation: 'min Σ (measured − law)²/σ², interval = value ± t √(v (JᵀJ)⁻¹)',
  tolerances:
    'Stiffness 2 %, height 1 µm, restitution 0.02, friction 0.005, dwell time 5 % of peaks are what the procedures promise at this noise; 15 % of a dwell time from a table of breakaways are three of its standard errors, 5 % of one from rests in samples, and of a damping from strokes, three of theirs; so are the tolerances of the payload, each beside its bias alone. A share of 500 intervals has a standard deviation of 1 %: three of them are allowed.',
  run() {
    const parts = [
      press(),
      series(),
      friction(),
      taps(),
      tapsOfAnArm(),
      stickSlip(),
      tilted(),
      bristles(),
      payloadPart(),
      flown(),
      coverage(),
    ];
    return {
      figures: parts.flatMap(({ figures }) => figures),
      plots: parts.flatMap(({ plots }) => plots),
    };
  },
};
