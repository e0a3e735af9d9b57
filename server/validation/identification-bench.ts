/** Benches on which identification is tried: the half-sphere of this project led along motions, with 2 µm and 1 N of seeded noise. */
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { ContactReadout, CONTACT_READOUT } from '../../src/contact/contact-readout.ts';
import type { BreakawayData } from '../../src/identify/breakaway.ts';
import type { DragData } from '../../src/identify/drag.ts';
import type { DropData } from '../../src/identify/drop.ts';
import type { PreSlidingData } from '../../src/identify/pre-sliding.ts';
import type { PressData } from '../../src/identify/press.ts';
import type { SlideData } from '../../src/identify/rests.ts';
import { probeModel } from '../../src/identify/probe.ts';
import type { TapData } from '../../src/identify/tap-contacts.ts';
import { exp } from '../../src/math/elementary/exponential.ts';
import { Random } from '../../src/math/random.ts';
import type {
  FrictionLawModel,
  HystereticModel,
  NormalLawModel,
  SystemModel,
} from '../../src/model/model.ts';
import { makeSystem, type System } from '../../src/system/system.ts';
import { ballModel } from './systems.ts';

/** Noise of a sample, and the place of the plate that the identifier does not know. */
export const NOISE = { place_m: 2e-6, force_N: 1, speed_mps: 1e-5 } as const;
export const HEIGHT_m = 3.7e-6;
/** The laws of the scenario. */
export const TRUTH = { stiffness: 2.5413e8, restitution: 0.85, stiction: 0.16, coulomb: 0.1 };

const STEP_s = 1e-3;
const RADIUS = 0.05;
/** A sample each step of a slow motion, s. */
const SLOW_s = 5e-3;

function law(): { normal: NormalLawModel; friction: FrictionLawModel } {
  const [{ normalLaw, frictionLaw }] = compileScenario(
    loadScenario('half-sphere-on-plate'),
  ).contacts;
  return { normal: normalLaw as NormalLawModel, friction: frictionLaw };
}

type Lead = (n: number) => { readonly gap: number; readonly speed: number };
interface Sample {
  readonly normal: number;
  readonly friction: number;
}

/** @throws Error where the state is not finite: what was read before would be taken for a measurement */
function advance(system: System, step: number): void {
  if (system.step(step) !== 0) throw new Error(`the bench stopped at ${system.time} s`);
}

/** Leads a ball with these laws; `gap` of its lowest point over the plate. */
function led(model: SystemModel, samples: number, step: number, lead: Lead): Sample[] {
  const system = makeSystem({ ...model, step });
  const motion = new Float64Array(13);
  const row = new Float64Array(CONTACT_READOUT.length);
  motion[6] = 1;
  let last = lead(0).gap;
  return Array.from({ length: samples }, (_, n) => {
    const { gap, speed } = lead(n);
    motion[2] = RADIUS + gap;
    motion[7] = speed;
    motion[9] = (gap - last) / step;
    last = gap;
    system.setBodyMotion(1, motion, 0);
    advance(system, step);
    motion[0] += step * speed;
    system.readContact(0, row, 0);
    return { normal: row[ContactReadout.normalForce], friction: -row[ContactReadout.ft_x] };
  });
}

/** To a depth of `depth`, m, and back, 20 s; `stiffness` in place of that of the law, N/m^1.5. */
export function pressOf(seed: number, depth: number, stiffness = TRUTH.stiffness): PressData {
  const random = new Random(seed);
  const { normal } = law();
  const samples = 4000;
  const free = 10e-6;
  const gap = (n: number): number => free - (depth + free) * (1 - Math.abs((2 * n) / samples - 1));
  const model = probeModel({ ...normal, stiffness } as NormalLawModel, { kind: 'none' });
  const forces = led(model, samples, SLOW_s, (n) => ({ gap: gap(n), speed: 0 }));
  return {
    place: Float64Array.from(
      forces,
      (_, n) => gap(n) + HEIGHT_m + NOISE.place_m * random.gaussian(),
    ),
    force: Float64Array.from(forces, ({ normal: f }) => f + NOISE.force_N * random.gaussian()),
  };
}

/** Steady slides under 100 N at three speeds, far above a Stribeck speed of 1 mm/s, 7.5 s each. */
export function dragOf(seed: number): DragData {
  const random = new Random(seed);
  const { normal, friction } = law();
  const speeds = [0.02, 0.1, 0.2];
  const samples = 4500;
  const quick = { stribeckVelocity: 1e-3, velocityTolerance: 1e-5, dwellTime: 0.1 };
  const model = probeModel(normal, { ...friction, ...quick });
  const at = (n: number): number => speeds[Math.floor((3 * n) / samples)];
  const forces = led(model, samples, SLOW_s, (n) => ({ gap: -53.7e-6, speed: at(n) }));
  return {
    speed: Float64Array.from(forces, (_, n) => at(n) + NOISE.speed_mps * random.gaussian()),
    force: Float64Array.from(forces, (one) => one.normal + NOISE.force_N * random.gaussian()),
    friction: Float64Array.from(forces, (one) => one.friction + NOISE.force_N * random.gaussian()),
  };
}

/** Dwell of the contact in `breakawaysOf`, s. */
export const DWELL_s = 0.4;
const RESTS_s = [0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2];
/** A pull far below the Stribeck speed. */
const DRAWN_mps = 5e-5;
const DRAW_s = 0.06;

/** Largest friction after rests of eight lengths, twelve times each, under 400 N. */
export function breakawaysOf(seed: number): BreakawayData {
  const random = new Random(seed);
  const { normal, friction } = law();
  const changes = {
    dwellTime: DWELL_s,
    bristleStiffness: 1e5,
    bristleDamping: Math.sqrt(1e5),
    stribeckVelocity: 1e-3,
    velocityTolerance: 1e-5,
  };
  const model = probeModel(normal, { ...friction, ...changes });
  const slid = Math.round(0.1 / STEP_s);
  const rows: [number, number, number][] = [];
  for (let repeat = 0; repeat < 12; repeat++) {
    for (const rest of RESTS_s) {
      const still = slid + Math.round(rest / STEP_s);
      const samples = still + Math.round(DRAW_s / STEP_s);
      const forces = led(model, samples, STEP_s, (n) => ({
        gap: -135.3e-6,
        speed: n < slid ? 0.02 : n < still ? 0 : DRAWN_mps,
      }));
      let best = still;
      for (let n = still; n < samples; n++)
        if (forces[n].friction > forces[best].friction) best = n;
      const { normal: load, friction: most } = forces[best];
      rows.push([
        (best - slid) * STEP_s,
        load + NOISE.force_N * random.gaussian(),
        most + NOISE.force_N * random.gaussian(),
      ]);
    }
  }
  const [dwell, force, drag] = [0, 1, 2].map((c) => Float64Array.from(rows, (row) => row[c]));
  return { dwell, force, friction: drag };
}

/** Slows down in some lags of the arm: an exponential would not be even over a mean of the samples. */
const BRAKE_s = 0.05;
const PULL_s = 0.9;
const SLIDE_mps = 0.02;
/** Depth of 400 N. */
const PRESSED_m = -135.3e-6;

/** Samples of slides, rests of six lengths to both sides, and slow pulls, under 400 N. */
export function restsOf(seed: number): SlideData {
  const random = new Random(seed);
  const { normal, friction } = law();
  const changes = {
    dwellTime: DWELL_s,
    bristleStiffness: 5e3,
    stribeckVelocity: 2e-3,
    velocityTolerance: 1e-5,
  };
  const rests = [0.1, 0.2, 0.4, 0.8, 1.5, 3];
  const parts = rests.flatMap((rest) => [1, -1].map((side) => ({ rest, side })));
  const speeds: number[] = [];
  const lead = (time: number, speed: (t: number) => number): void => {
    for (let n = 0; n < Math.round(time / STEP_s); n++) speeds.push(speed(n * STEP_s));
  };
  for (const { rest, side } of parts) {
    lead(0.2, () => side * SLIDE_mps);
    lead(BRAKE_s, (t) => side * SLIDE_mps * (1 - t / BRAKE_s));
    lead(rest, () => 0);
    lead(PULL_s, () => side * DRAWN_mps);
  }
  lead(0.2, () => SLIDE_mps);
  const model = probeModel(normal, { ...friction, ...changes });
  const forces = led(model, speeds.length, STEP_s, (n) => ({ gap: PRESSED_m, speed: speeds[n] }));
  return {
    time: Float64Array.from(speeds, (_, n) => n * STEP_s),
    slip: Float64Array.from(speeds, (v) => v + NOISE.speed_mps * random.gaussian()),
    force: Float64Array.from(forces, (one) => one.normal + NOISE.force_N * random.gaussian()),
    friction: Float64Array.from(forces, (one) => one.friction + NOISE.force_N * random.gaussian()),
  };
}

/** Bristles of `strokesOf`, soft enough for 2 µm of noise: 1/m, s/m. */
export const STROKES = { stiffness: 500, damping: 5 };
const REACH_m = 1e-4;

/** Strokes to and fro by 0.1 mm under 400 N, at 0.1 mm/s and at 0.5 mm/s. */
export function strokesOf(seed: number): PreSlidingData {
  const random = new Random(seed);
  const { normal, friction } = law();
  const changes = { bristleStiffness: STROKES.stiffness, bristleDamping: STROKES.damping };
  const model = probeModel(normal, { ...friction, ...changes });
  const speeds: number[] = [];
  for (const [rate, strokes] of [
    [1e-4, 1],
    [5e-4, 20],
  ]) {
    const quarter = Math.round(REACH_m / rate / STEP_s);
    for (let n = 0; n < 4 * quarter * strokes; n++) {
      const phase = n % (4 * quarter);
      speeds.push(phase < quarter || phase >= 3 * quarter ? rate : -rate);
    }
  }
  const forces = led(model, speeds.length, STEP_s, (n) => ({ gap: PRESSED_m, speed: speeds[n] }));
  // the bristle of a step has gone its way at the end of it
  let place = 0;
  const travel = speeds.map((v) => (place += STEP_s * v));
  return {
    travel: Float64Array.from(travel, (x) => x + NOISE.place_m * random.gaussian()),
    force: Float64Array.from(forces, (one) => one.normal + NOISE.force_N * random.gaussian()),
    friction: Float64Array.from(forces, (one) => one.friction + NOISE.force_N * random.gaussian()),
    speed: Float64Array.from(speeds, (v) => v + NOISE.speed_mps * random.gaussian()),
  };
}

/** Taps of 100 kg at speeds from 2 to 20 mm/s without gravity, one after the other, in error-controlled runs. */
export function tapsOf(seed: number): DropData {
  const random = new Random(seed);
  const { normal } = law();
  const [time, place, force]: number[][] = [[], [], []];
  const row = new Float64Array(CONTACT_READOUT.length);
  const state = new Float64Array(13);
  for (const speed of [2e-3, 5e-3, 1e-2, 2e-2]) {
    const options = { mass: 100, speed, gap: 0.2 * speed, gravity: 0, step: STEP_s };
    const ball = makeSystem(ballModel({ ...options, law: normal, integrator: 'dormand-prince' }));
    for (let n = 0; n < 450; n++) {
      ball.readBody(1, state, 0);
      ball.readContact(0, row, 0);
      time.push(time.length * STEP_s);
      place.push(state[2] + HEIGHT_m + NOISE.place_m * random.gaussian());
      force.push(row[ContactReadout.normalForce] + NOISE.force_N * random.gaussian());
      advance(ball, STEP_s);
    }
  }
  const [t, z, f] = [time, place, force].map((column) => Float64Array.from(column));
  return { time: t, place: z, force: f };
}

/** Taps of an arm under accommodation: a mass that its drive leads, c (v − v_c) with 200 kg and 1e4 N s/m, a lag of 20 ms. */
export interface LedTaps {
  /** Of the approach, m/s. */
  readonly speeds: readonly number[];
  readonly restitution?: HystereticModel['restitution'];
  /** Delay and first-order filter of the force sensor, s; none when left out. */
  readonly delay_s?: number;
  readonly filter_s?: number;
}

const ARM = { mass: 200, gain: 1e4 };
/** Steps of the simulation in a sample. */
const PARTS = 4;
/** Parts of a tap: on the way, pressed, and back, in samples; and the way back, m/s. */
const WAY = 80;
const PRESSED = 60;
const TAP = 300;
const BACK_mps = 0.01;

/** Taps as they are, without noise, sampled at 1 kHz. */
export function ledTaps(options: LedTaps): TapData {
  const { restitution = TRUTH.restitution, delay_s = 0, filter_s = 0, speeds } = options;
  const { normal } = law();
  const step = STEP_s / PARTS;
  const rows: number[][] = [[], [], [], []];
  const row = new Float64Array(CONTACT_READOUT.length);
  const state = new Float64Array(13);
  const wrench = new Float64Array(6);
  for (const speed of speeds) {
    const own = { ...normal, restitution } as NormalLawModel;
    const start = { mass: ARM.mass, speed, gap: WAY * STEP_s * speed, gravity: 0, step };
    const arm = makeSystem(ballModel({ ...start, law: own, integrator: 'dormand-prince' }));
    const late = new Float64Array(Math.round(delay_s / step) + 1);
    const share = filter_s > 0 ? 1 - exp(-step / filter_s) : 1;
    let sensed = 0;
    for (let n = 0; n < PARTS * TAP; n++) {
      arm.readBody(1, state, 0);
      arm.readContact(0, row, 0);
      late[n % late.length] = row[ContactReadout.normalForce];
      sensed += share * (late[(n + 1) % late.length] - sensed);
      if (n % PARTS === 0) {
        for (const [k, value] of [rows[0].length * STEP_s, state[2], state[9], sensed].entries())
          rows[k].push(value);
      }
      const wanted = n < PARTS * (WAY + PRESSED) ? -speed : BACK_mps;
      wrench[2] = -ARM.gain * (state[9] - wanted);
      arm.setExternalWrench(1, wrench, 0);
      advance(arm, step);
    }
  }
  const [time, place, rate, force] = rows.map((one) => Float64Array.from(one));
  return { time, place: place.map((z) => z + HEIGHT_m), rate, force };
}

/** What a bench measures of taps; the noise of the speed is that of an encoder, 20 µm/s. */
export function measuredTaps({ time, place, rate, force }: TapData, seed: number): TapData {
  const random = new Random(seed);
  const noisy = (values: Float64Array, noise: number): Float64Array =>
    values.map((value) => value + noise * random.gaussian());
  return {
    time,
    place: noisy(place, NOISE.place_m),
    rate: noisy(rate, 2 * NOISE.speed_mps),
    force: noisy(force, NOISE.force_N),
  };
}
