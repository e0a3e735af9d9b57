/** What is timed: something that is prepared outside of the time and then runs in blocks, and what came out of it. */
import { contactKernels } from '../../config/contact-kernels.ts';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { type CellShape, makeSystem, type SystemModel } from '../../src/index.ts';
import { makeKernel } from '../../src/overlap/make-kernel.ts';
import { halfSphere, incline } from '../../test/fixtures/models.ts';
import {
  BODY,
  type Engine,
  POSITION,
  type Running,
  type Scene,
  VELOCITY,
} from '../peers/engine.ts';
import { cutTray, Mover } from '../volumetric-scenes.ts';
import { FREE_SCENES, type FreeScene, GROWTH, STEP } from './free-scenes.ts';

/** What came out. */
export interface Result {
  readonly words: string;
  /** Whether the body did about what it has to: one that was thrown off costs nothing. */
  readonly holds: boolean;
}

/** Something to time. */
export interface Timed {
  /** Steps of a block; 0 for any number. */
  readonly block: number;
  /** Before each block. */
  prepare(): void;
  /** @returns a number that depends on every step */
  run(steps: number): number;
  /** Runs the scene anew. */
  result(): Result;
}

const state = new Float64Array(BODY);

/** The ball is timed from its drop until just before it rests, steps. */
const BOUNCES = 2800;
/** Steps until a body lies still, and for which its drift is taken, twice. */
const SETTLE = 1000;
const DRIFT = 1000;
/** A push is this part of what friction can hold. It begins so many steps before the time does, which is so many steps long. */
const PUSH = 1.2;
const RUN_UP = 100;
const SLIDE = 50;
/** Steps after those that are timed, when the rocking is over that the push begins. */
const LATER = 150;

/** What still holds: way since the start, m, and speed, m/s, of a body at rest; restitution and acceleration off by a part. */
const MOST_WAY = 3e-3;
const MOST_SPEED = 1e-3;
const MOST_OFF = 0.2;

const sound = (words: string): Result => ({ words, holds: true });

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** `1.2e-7`, and `0` for what rounding leaves. */
function short(value: number): string {
  return Math.abs(value) < 1e-15 ? '0' : value.toExponential(1);
}

function steps(run: Running, count: number): void {
  for (let n = 0; n < count; n++) run.step();
}

/** Restitution of the first bounce, and how far the fourth is off its height. */
function bounceResult(engine: Engine, scene: Scene): Result {
  const PEAKS = 4;
  const floor = 0.1;
  const drop = scene.position[2] - floor;
  const run = engine.make(scene);
  const peaks: number[] = [];
  let before = 0;
  for (let n = 0; n < BOUNCES && peaks.length < PEAKS; n++) {
    run.step();
    run.read(state);
    const rate = state[VELOCITY + 2];
    if (before > 0 && rate <= 0) peaks.push(state[POSITION + 2] - floor);
    before = rate;
  }
  run.free();
  const exact = drop * scene.restitution ** (2 * PEAKS);
  const off =
    peaks.length < PEAKS ? 'none' : `${(100 * (peaks[PEAKS - 1] / exact - 1)).toFixed(1)} %`;
  const e = Math.sqrt(peaks[0] / drop);
  return {
    words: `e ${e.toFixed(4)}, bounce ${PEAKS} ${off}`,
    holds: Math.abs(e / scene.restitution - 1) < MOST_OFF,
  };
}

/** Way along gravity and across it, as speeds, after it should have settled: over one window and over the next. */
function restResult(engine: Engine, scene: Scene): Result {
  const run = engine.make(scene);
  steps(run, SETTLE);
  const seconds = DRIFT * scene.step;
  const g = Math.sqrt(dot(scene.gravity, scene.gravity));
  const up = scene.gravity.map((x) => -x / g);
  const rises: number[] = [];
  const creeps: number[] = [];
  const speeds: number[] = [];
  run.read(state);
  for (let window = 0; window < 2; window++) {
    const from = state.slice(POSITION, POSITION + 3);
    steps(run, DRIFT);
    run.read(state);
    const way = [0, 1, 2].map((a) => (state[POSITION + a] - from[a]) / seconds);
    const rise = dot(way, up);
    rises.push(rise);
    creeps.push(Math.sqrt(Math.max(0, dot(way, way) - rise * rise)));
    speeds.push(Math.sqrt(dot(way, way)));
  }
  run.free();
  const start = [0, 1, 2].map((a) => scene.position[a] - state[POSITION + a]);
  const sank = dot(start, up);
  const words = (values: readonly number[]): string =>
    values.map((value) => short(1e6 * value)).join(' → ');
  return {
    words: `sank ${short(sank)} m, drift ${words(rises)}, creep ${words(creeps)} µm/s`,
    holds: Math.sqrt(dot(start, start)) < MOST_WAY && Math.max(...speeds) < MOST_SPEED,
  };
}

/** The way from rest to the slide of a block. */
function startSlide(run: Running, scene: Scene, along: readonly number[]): number {
  steps(run, SETTLE);
  const weight = scene.mass * Math.sqrt(dot(scene.gravity, scene.gravity));
  const force = PUSH * scene.friction * weight;
  run.push([force * along[0], force * along[1], force * along[2]], [0, 0, 0]);
  steps(run, RUN_UP);
  return force - scene.friction * weight;
}

/** Mean acceleration under the push over that of Coulomb friction: while the time is taken, by which it is judged, and later. */
function slideResult(engine: Engine, { scene, along = [0, 0, 0] }: FreeScene): Result {
  const run = engine.make(scene);
  const net = startSlide(run, scene, along);
  run.read(state);
  const parts = [SLIDE, LATER].map((count) => {
    const before = dot(state.subarray(VELOCITY), along);
    steps(run, count);
    run.read(state);
    const rate = (dot(state.subarray(VELOCITY), along) - before) / (count * scene.step);
    return (rate * scene.mass) / net;
  });
  run.free();
  return {
    words: `acceleration ${parts.map((part) => part.toFixed(3)).join(' → ')} of the exact one`,
    holds: Math.abs(parts[0] - 1) < MOST_OFF,
  };
}

/** A free scene in an engine. */
export function timedFree(engine: Engine, free: FreeScene): Timed {
  const { scene, doing, along = [0, 0, 0] } = free;
  let run = engine.make(scene);
  if (doing === 'rests') steps(run, SETTLE);
  if (doing === 'slides') {
    startSlide(run, scene, along);
    run.mark();
  }
  return {
    block: { bounces: BOUNCES, rests: 0, slides: SLIDE }[doing],
    prepare: () => {
      if (doing === 'slides') run.rewind();
      if (doing !== 'bounces') return;
      run.free();
      run = engine.make(scene);
    },
    run: (count) => {
      steps(run, count);
      run.read(state);
      return state[POSITION];
    },
    result: () => {
      if (doing === 'bounces') return bounceResult(engine, scene);
      return doing === 'rests' ? restResult(engine, scene) : slideResult(engine, free);
    },
  };
}

/** The payload of a tool on a tray of cells, a new pose every tick. */
function timedVirtual(pairs: number): Timed {
  const mover = new Mover(cutTray('virtual', pairs));
  return {
    block: 0,
    prepare: () => undefined,
    run: (count) => {
      for (let n = 0; n < count; n++) {
        mover.prepare();
        mover.step();
      }
      return mover.run.time;
    },
    result: () => sound(`${mover.pairs()} pairs`),
  };
}

/** A model with a command of its own, stepped on. */
function timedModel(model: SystemModel, h: number): Timed {
  const system = makeSystem(model, contactKernels());
  return {
    block: 0,
    prepare: () => undefined,
    run: (count) => {
      for (let n = 0; n < count; n++) {
        if (system.step(h) !== 0) throw new Error('a step was not finite');
      }
      return system.time;
    },
    result: () => sound(''),
  };
}

/** A scenario from its start to its end; a block is the whole run. */
function timedScenario(name: string): Timed {
  const model = compileScenario(loadScenario(name));
  const system = makeSystem(model, contactKernels());
  const start = system.state.slice();
  return {
    block: Math.round(model.duration / model.step),
    prepare: () => system.restore(start),
    run: (count) => {
      for (let n = 0; n < count; n++) {
        if (system.step(model.step) !== 0) throw new Error(`${name}: a step was not finite`);
      }
      return system.time;
    },
    result: () => sound(`${model.duration} s`),
  };
}

/** Poses of a kernel's shapes. */
const POSES = 64;

/** The overlap of two shapes, the first one turned a little over the second one: some millimetres deep. */
function timedOverlap(i: CellShape, j: CellShape, height: number): Timed {
  const kernel = makeKernel(i, j, 'auto');
  const fixed = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
  const poses = Array.from({ length: POSES }, (_, k) => {
    // about an axis in the plane, by up to 0.1 rad
    const angle = 0.1 * Math.sin(k);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const [x, y] = [Math.cos(2.4 * k), Math.sin(2.4 * k)];
    const q = 1 - c;
    return Float64Array.of(
      c + x * x * q,
      x * y * q,
      y * s,
      x * y * q,
      c + y * y * q,
      -x * s,
      -y * s,
      x * s,
      c,
      0,
      0,
      height,
    );
  });
  const column = new Float64Array(64);
  let at = 0;
  return {
    block: 0,
    prepare: () => undefined,
    run: (count) => {
      let volume = 0;
      for (let n = 0; n < count; n++) {
        kernel.compute(poses[at], fixed, column);
        volume += column[0];
        at = (at + 1) % POSES;
      }
      return volume;
    },
    result: () => sound(kernel.constructor.name),
  };
}

/** A fixed piece of arithmetic that no change of the project touches: what the machine did in this run. */
export function yardstick(): Timed {
  const a = new Float64Array(36);
  return {
    block: 0,
    prepare: () => undefined,
    run: (count) => {
      let sum = 0;
      for (let n = 0; n < count; n++) {
        for (let k = 0; k < 36; k++) a[k] = k % 7 === 0 ? 8 : 1 / (1 + ((k * 7 + n) % 11));
        for (let p = 0; p < 6; p++) {
          const inverse = 1 / a[7 * p];
          for (let r = p + 1; r < 6; r++) {
            const f = a[6 * r + p] * inverse;
            for (let c = p; c < 6; c++) a[6 * r + c] -= f * a[6 * p + c];
          }
        }
        sum += a[35];
      }
      return sum;
    },
    result: () => sound(''),
  };
}

const ROUND: Readonly<Record<string, CellShape>> = {
  cylinder: { kind: 'cylinder', radius: 0.2, length: 0.3 },
  capsule: { kind: 'capsule', radius: 0.1, length: 0.2 },
  frustum: { kind: 'frustum', radius: 0.2, topRadius: 0.1, length: 0.3 },
  box: { kind: 'box', size: [0.3, 0.4, 0.5] },
};

/** What only Berth runs, by name. */
const OWN: Readonly<Record<string, () => Timed>> = {
  'half-sphere': () =>
    timedModel(halfSphere(20e-3, { command: [{ time: 0, twist: [0, 0, -2e-3, 0, 0, 0] }] }), STEP),
  'rolling ball': () => timedModel(incline('implicit-contact'), 1e-4),
  'rolling ball, Runge–Kutta': () => timedModel(incline('rk4'), 1e-4),
  'pairs virtual': () => timedVirtual(40),
  'cylinder–box': () => timedOverlap(ROUND.cylinder, ROUND.box, 0.39),
  'capsule–box': () => timedOverlap(ROUND.capsule, ROUND.box, 0.44),
  'frustum–box': () => timedOverlap(ROUND.frustum, ROUND.box, 0.39),
  insertion: () => timedScenario('battery-box-insertion'),
  ...Object.fromEntries(GROWTH.map((pairs) => [`virtual ${pairs}`, () => timedVirtual(pairs)])),
};

/** What Berth runs under a name. */
export function timedBerth(name: string): Timed {
  const free = FREE_SCENES[name] as FreeScene | undefined;
  return free === undefined ? OWN[name]() : timedFree(free.berth, free);
}

/** Scenes that a process of Berth, or of a peer, has run before: its types then are those of a process that lives long. */
export const BEFORE: readonly string[] = [
  'half-sphere',
  'rolling ball',
  'rolling ball, Runge–Kutta',
  'ball',
  'box level',
  'box stiff',
  'virtual 4',
  'free 4',
  'receptacle rest',
  'torus',
];
export const BEFORE_PEER: readonly string[] = ['ball', 'box level', 'free 4'];
