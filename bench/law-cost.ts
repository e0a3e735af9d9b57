/**
 * Cost of the laws: ns for one evaluation of each law, explicit and implicit; µs for one step of a
 * system with one contact of each pair; share of a tick for the limits of set-points and measured
 * values. Candidates run in turns, figures are medians of rounds. The ratio is to the first row of
 * the same run.
 */
import {
  frictionDefinition,
  normalDefinition,
  pairDefinition,
  rollingDefinition,
} from '../src/contact/registry.ts';
import { DEPTH, LEAST, NORMAL_RESULT, DAMPING, ELASTIC } from '../src/contact/normal/normal-law.ts';
import { KINEMATICS, LOAD, MOBILITY, NORMAL, RATE, SLIP, SPIN, STEP } from '../src/contact/pair.ts';
import { type IntegratorKind, makeSystem, Random, type NormalLawModel } from '../src/index.ts';
import { SafetyInputs } from '../hil/safety/machine.ts';
import { LimitMonitor } from '../hil/safety/limits.ts';
import { LIMITS } from '../test/fixtures/safety-harness.ts';
import { VirtualRig } from '../test/fixtures/virtual-rig.ts';
import {
  FRICTION_SAMPLES,
  NORMAL_SAMPLES,
  PAIR_SAMPLES,
  randomScene,
  ROLLING_SAMPLES,
} from '../test/fixtures/samples.ts';
import { type Candidate, digits, medianTimes } from './rounds.ts';
import { formatTable } from '../test/fixtures/table.ts';

const CALLS = 20_000;
const STEPS = 100;
const ROUNDS = 101;
/** Kinematics that the calls cycle through, so that no branch is always taken. */
const COLUMNS = 64;
const H = 1e-4;
const H_TICK = 1e-3;
const timing = Float64Array.of(H);
const geometry = { effectiveRadius: 0.1 };

/** Slip, turning and rate at random, some within the tolerances; the normal is z. */
const columns = ((): Float64Array[] => {
  const random = new Random(7);
  return Array.from({ length: COLUMNS }, () => {
    const k = new Float64Array(KINEMATICS);
    k[NORMAL + 2] = 1;
    const scale = 10 ** (-4 + 4 * random.uniform());
    k[SLIP] = scale * random.gaussian();
    k[SLIP + 1] = scale * random.gaussian();
    for (let a = 0; a < 3; a++) k[SPIN + a] = scale * random.gaussian();
    k[RATE] = 0.1 * random.gaussian();
    return k;
  });
})();
const basis = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
const inertia = Float64Array.of(250, 0, 0, 0, 250, 0, 0, 0, 250);

function mobilityColumn(): Float64Array {
  const m = new Float64Array(MOBILITY);
  m.set([3.5, 0, 3.5, 1]);
  m[STEP] = H;
  m[LOAD] = 10;
  return m;
}

function memory(size: { readonly states: number; readonly internals: number }) {
  return {
    states: new Float64Array(size.states),
    rates: new Float64Array(size.states),
    internals: new Float64Array(size.internals),
  };
}

/** The sample, and the four damping variants where there are some. */
function normalModels(): [string, NormalLawModel][] {
  return Object.values(NORMAL_SAMPLES)
    .flat()
    .flatMap((model): [string, NormalLawModel][] =>
      model.kind === 'hysteretic'
        ? [
            ['hysteretic, n = 1', { ...model, exponent: 1 }],
            ['hysteretic, n = 3/2', model],
            ['hysteretic, n = 3/2, relaxed', { ...model, relaxationTime: 0.01 }],
          ]
        : [[model.kind, model]],
    );
}

function lawCandidates(): Candidate[] {
  const list: Candidate[] = [];
  for (const [name, model] of normalModels()) {
    const definition = normalDefinition(model);
    const law = definition.make(model, memory(definition.size(model)), geometry);
    const result = new Float64Array(NORMAL_RESULT);
    result[LEAST] = 0;
    law.begin(-0.5, 0, result);
    const evaluate = (count: number, implicit: boolean): number => {
      let sum = 0;
      for (let n = 0; n < count; n++) {
        result[DEPTH] = 1e-5 * (1 + (n & (COLUMNS - 1)));
        law.evaluate(result);
        sum += result[ELASTIC] - result[DAMPING] * columns[n & (COLUMNS - 1)][RATE];
        if (implicit) law.advance(timing);
      }
      return sum;
    };
    list.push(
      { name: `normal ${name}: evaluate`, first: CALLS, run: (count) => evaluate(count, false) },
      { name: `normal ${name}: evaluate, advance`, first: CALLS, run: (n) => evaluate(n, true) },
    );
  }
  for (const model of Object.values(FRICTION_SAMPLES).flat()) {
    const definition = frictionDefinition(model);
    const law = definition.make(model, memory(definition.size(model)), geometry);
    const mobility = mobilityColumn();
    const name = 'regularization' in model ? `${model.kind} (${model.regularization})` : model.kind;
    law.begin();
    list.push(
      {
        name: `friction ${name}: evaluate`,
        first: CALLS,
        run: (count) => {
          let sum = 0;
          for (let n = 0; n < count; n++) {
            law.evaluate(columns[n & (COLUMNS - 1)], mobility);
            sum += law.force[0];
          }
          return sum;
        },
      },
      {
        name: `friction ${name}: prepare, solve, advance`,
        first: CALLS,
        run: (count) => {
          let sum = 0;
          for (let n = 0; n < count; n++) {
            const k = columns[n & (COLUMNS - 1)];
            law.prepare(k, timing);
            law.solve(k, basis, mobility);
            law.advance(timing);
            sum += law.force[0];
          }
          return sum;
        },
      },
    );
  }
  for (const model of Object.values(ROLLING_SAMPLES).flat()) {
    const definition = rollingDefinition(model);
    const law = definition.make(model, memory(definition.size(model)), geometry);
    const mobility = mobilityColumn();
    list.push(
      {
        name: `rolling ${model.kind}: evaluate`,
        first: CALLS,
        run: (count) => {
          let sum = 0;
          for (let n = 0; n < count; n++) {
            law.evaluate(columns[n & (COLUMNS - 1)], mobility);
            sum += law.torque[0];
          }
          return sum;
        },
      },
      {
        name: `rolling ${model.kind}: solve`,
        first: CALLS,
        run: (count) => {
          let sum = 0;
          for (let n = 0; n < count; n++) {
            law.solve(columns[n & (COLUMNS - 1)], inertia, mobility);
            sum += law.torque[0];
          }
          return sum;
        },
      },
    );
  }
  return list;
}

/** One contact of each pair, 1 mm deep and sliding; put back after ten steps, so that it never parts. */
function stepCandidates(integrator: IntegratorKind): Candidate[] {
  return Object.values(PAIR_SAMPLES)
    .flat()
    .filter(({ model }) => pairDefinition(model).spread !== true) // of foundations and faces: laws of their own
    .map((pair): Candidate => {
      const model = pair.model;
      const volumetric = pairDefinition(model).step === 'cells';
      const { cells } = pair;
      const side = 'side' in model ? `, ${model.side}` : '';
      const shapes = cells === undefined ? '' : ` ${cells.i.shape.kind}, ${cells.j.shape.kind}`;
      const scene = randomScene(
        {
          name: model.kind,
          pair,
          normalLaw: NORMAL_SAMPLES[volumetric ? 'volumetric' : 'hysteretic'][0],
          frictionLaw: FRICTION_SAMPLES[volumetric ? 'volumetric-bristle' : 'bristle'][0],
          rollingLaw: ROLLING_SAMPLES[volumetric ? 'volumetric' : 'none'][0],
          missing: [],
        },
        new Random(3),
        { integrator, gap: -1e-3, approach: 0, freeJ: false, gravity: 9.81 },
      );
      const run = makeSystem(scene);
      const start = new Float64Array(run.state.length);
      run.snapshot(start);
      const readout = new Float64Array(32);
      return {
        name: `${model.kind}${shapes}${side}, ${integrator}`,
        first: STEPS,
        run: (count) => {
          let failed = 0;
          for (let n = 0; n < count; n++) {
            if (n % 10 === 0) run.restore(start);
            failed += run.step(H);
          }
          run.readContact(0, readout, 0);
          if (failed > 0 || readout[0] !== 1) throw new Error(`${model.kind}: lost the contact`);
          return failed;
        },
      };
    });
}

/**
 * A tick with the half-sphere and without a link; and the limits alone, for a motion inside them
 * and for one always outside.
 */
function limitCandidates(): Candidate[] {
  const rig = new VirtualRig({ robot: false });
  rig.activate();
  const tick: Candidate = {
    name: 'tick of the half-sphere, no link',
    first: STEPS,
    run: (count) => {
      for (let n = 0; n < count; n++) {
        if (n % 10 === 0) rig.input(0, 1);
        rig.run(1);
      }
      if (rig.state !== 'ACTIVE_FREE') throw new Error(rig.state);
      return rig.tick.setpoint[9];
    },
  };
  const motion = new Float64Array(13);
  /** A pose that goes by its twist, or by the mean of that and the one before as arms with joints do. */
  const bounded = (
    name: string,
    speed_mps: number,
    byMean: boolean,
    limited: boolean,
  ): Candidate => {
    const { limiter } = new LimitMonitor(LIMITS, H_TICK);
    motion.fill(0);
    motion[6] = 1;
    limiter.reset(motion);
    let time = 0;
    let place = 0;
    let before = 0;
    return {
      name,
      first: STEPS,
      run: (count) => {
        let acted = 0;
        for (let n = 0; n < count; n++) {
          time += H_TICK;
          const v = speed_mps * Math.sin(20 * time);
          place += H_TICK * (byMean ? 0.5 * (v + before) : v);
          before = v;
          motion.fill(0);
          motion[0] = place;
          motion[6] = 1;
          motion[7] = v;
          if (limiter.limit(motion, false)) acted++;
        }
        if (limited !== acted > 0.5 * count) {
          throw new Error(`${name}: ${acted} of ${count} limited`);
        }
        return motion[0];
      },
    };
  };
  const monitor = new LimitMonitor(LIMITS, H_TICK);
  const inputs = new SafetyInputs();
  const wrench = new Float64Array(6);
  const still = Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0);
  return [
    tick,
    bounded('set-point limiter, inside the limits', 0.01, false, false),
    bounded('set-point limiter, inside the limits, an arm with joints', 0.01, true, false),
    bounded('set-point limiter, never inside', 1, false, true),
    {
      name: 'limits of measured values',
      first: CALLS,
      run: (count) => {
        for (let n = 0; n < count; n++) {
          wrench[2] = n & 255;
          monitor.checkMeasured(still, wrench, inputs);
          monitor.compare(motion, still, inputs);
        }
        return inputs.robotStandstill;
      },
    },
  ];
}

function report(title: string, unit: string, scale: number, candidates: Candidate[]): void {
  const times = medianTimes(candidates, ROUNDS);
  const rows = candidates.map(({ name }, k) => [
    name,
    digits(times[k] * scale),
    digits(times[k] / times[0]),
  ]);
  console.log(`\n${formatTable([title, unit, 'ratio'], rows)}`);
}

report('law', 'ns', 1, lawCandidates());
report('one contact, bristle friction', 'µs a step', 1e-3, [
  ...stepCandidates('implicit-contact'),
  ...stepCandidates('symplectic-euler'),
  ...stepCandidates('rk4'),
]);
report('limits of a tick', 'µs', 1e-3, limitCandidates());
