/**
 * Properties that point contact lacks, measured in every engine: forces independent of the division
 * of a floor, sliding friction reduced by spin according to the contact patch, and friction that
 * grows with the time at rest.
 */
import type { CellModel, Triple } from '../../src/index.ts';
import { boxInertia, cell, cutBox, type Point } from '../../test/fixtures/volumetric-models.ts';
import { formatTable } from '../../test/fixtures/table.ts';
import {
  BODY,
  type Engine,
  POSITION,
  ROTATION,
  type Running,
  type Scene,
  TURNING,
  VELOCITY,
} from './engine.ts';

const STEP = 1e-3;
const GRAVITY = 9.81;
const FRICTION = 0.3;
const NONE: Triple = [0, 0, 0];
const SLAB: Point = [0.2, 0.2, 0.1];
const SLAB_MASS = 2;
const state = new Float64Array(BODY);

/** Runs for a while and appends the result to `out`. */
export function steps(run: Running, seconds: number, out: Float64Array): void {
  for (let n = 0; n < Math.round(seconds / STEP); n++) run.step();
  run.read(out);
}

export function part(values: Float64Array, at: number, count: number): number[] {
  return [...values.subarray(at, at + count)];
}

export function norm(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
}

export function text(value: number): string {
  if (Math.abs(value) < 1e-12) return '0';
  if (Math.abs(value) >= 1) return value.toPrecision(2);
  return value.toExponential(1).replace('e-0', 'e-');
}

function momentsOf(mass: number, size: Point): Triple {
  const [xx, yy, zz] = boxInertia(mass, size);
  return [xx, yy, zz];
}

/** A box on a floor of cuts x cuts cells. */
function slab(cuts: number, velocity: Triple, spin: Triple): Scene {
  return {
    step: STEP,
    gravity: [0, 0, -GRAVITY],
    mass: SLAB_MASS,
    moments: momentsOf(SLAB_MASS, SLAB),
    cells: cutBox(SLAB, [1, 1, 1]),
    ground: cutBox([2, 2, 0.1], [cuts, cuts, 1], [0.03, 0.02, -0.05]),
    position: [0, 0, SLAB[2] / 2],
    orientation: [0, 0, 0, 1],
    velocity,
    spin,
    friction: FRICTION,
    stiction: FRICTION,
    restitution: 0,
  };
}

/** A box let go over the floor and turned about two axes: it falls on a corner. */
const TUMBLE: Partial<Scene> = {
  position: [0, 0, SLAB[2] / 2 + 0.02],
  orientation: [0.08, 0.05, 0, Math.sqrt(1 - 0.08 ** 2 - 0.05 ** 2)],
};

/** Pressed into the floor by 0.1 mm and turned. */
const PRESSED: Partial<Scene> = {
  position: [0, 0, SLAB[2] / 2 - 1e-4],
  orientation: [5e-4, 3e-4, 0, Math.sqrt(1 - 5e-4 ** 2 - 3e-4 ** 2)],
};

/** Largest relative error of force and moment on a pressed box when its floor is divided. */
function forceOff(engine: Engine): string {
  const [one, two, four] = [1, 2, 4].map((cuts) => {
    const scene: Scene = { ...slab(cuts, NONE, NONE), ...PRESSED, gravity: NONE };
    const arm = SLAB[0] / 2;
    if (engine.wrench !== undefined) {
      return engine.wrench(scene).map((value, a) => (a < 3 ? value : value / arm));
    }
    const run = engine.make(scene);
    steps(run, STEP, state);
    run.free();
    const impulse = part(state, VELOCITY, 3).map((v) => v * scene.mass);
    const turn = part(state, TURNING, 3).map((w, a) => (w * scene.moments[a]) / arm);
    return [...impulse, ...turn];
  });
  return [two, four]
    .map((each) => text(norm(each.map((value, a) => value - one[a])) / norm(one)))
    .join('; ');
}

/** How far off a box is after a while on a cut floor: way, m, and turn, rad. */
function cutting(engine: Engine, seconds: number, change: Partial<Scene>): string {
  const ends = [1, 2, 4].map((cuts) => {
    const run = engine.make({ ...slab(cuts, NONE, NONE), ...change });
    steps(run, seconds, state);
    run.free();
    return [...state];
  });
  const off = (k: number, at: number, count: number): number =>
    norm(ends[k].slice(at, at + count).map((value, a) => value - ends[0][at + a]));
  return [1, 2]
    .map((k) => `${text(off(k, POSITION, 3))} m, ${text(2 * off(k, ROTATION, 4))} rad`)
    .join('; ');
}

/** A box on a floor of 2 x 2 and of 4 x 4 cells: how far it is from where it is on a floor of one cell. */
export function cuttingTable(engines: readonly Engine[]): string {
  const slide: Triple = [1, 0.4, 0];
  return formatTable(
    [
      'floor of 2 x 2; of 4 x 4 cells: off by',
      'force at a pose',
      'falls on a corner',
      'slides',
      'slides and spins',
    ],
    engines.map((engine) => [
      engine.name,
      forceOff(engine),
      cutting(engine, 0.15, TUMBLE),
      cutting(engine, 1, { velocity: slide }),
      cutting(engine, 1, { velocity: slide, spin: [0, 0, 6] }),
    ]),
  );
}

const BALL = 0.1;
/** Speed of sliding, m/s. */
const SLIDE = 0.1;

/** A ball on a floor, or a box, that slides at 0.1 m/s: its mean deceleration over 20 ms over that without spin. */
function spinning(
  engine: Engine,
  cells: readonly CellModel[],
  height: number,
  size: Point,
): (spin: number) => number {
  const deceleration = (spin: number): number => {
    const still = { ...slab(1, NONE, NONE), cells, position: [0, 0, height] as Triple };
    const rested = engine.make({ ...still, moments: momentsOf(100 * SLAB_MASS, size) });
    steps(rested, 1, state); // at its depth of rest it begins
    const [, , z] = part(state, POSITION, 3);
    rested.free();
    const run = engine.make({
      ...still,
      moments: momentsOf(100 * SLAB_MASS, size), // spin and upright for the time of the measurement
      position: [0, 0, z],
      velocity: [SLIDE, 0, 0],
      spin: [0, 0, spin],
    });
    steps(run, 0.01, state);
    const before = state[VELOCITY];
    steps(run, 0.01, state);
    run.free();
    return (before - state[VELOCITY]) / 0.01;
  };
  const without = deceleration(0);
  return (spin) => deceleration(spin) / without;
}

const SPINS = [1, 4, 16];

function spinRow(engine: Engine): string[] {
  const ball = spinning(engine, [cell('ball', { kind: 'sphere', radius: BALL })], BALL, [
    2 * BALL,
    2 * BALL,
    2 * BALL,
  ]);
  const box = spinning(engine, cutBox(SLAB, [1, 1, 1]), SLAB[2] / 2, SLAB);
  const row = (ratio: (spin: number) => number): string =>
    SPINS.map((spin) => ratio(spin).toFixed(3)).join(', ');
  return [engine.name, row(box), row(ball)];
}

/** Friction of a patch over that without spin, by a sum over it; `pressure` is that at a point, 0 outside. */
function quadrature(pressure: (x: number, y: number) => number, reach: number): string {
  const N = 400;
  return SPINS.map((spin) => {
    let sum = 0;
    let load = 0;
    for (let i = 0; i < N; i++) {
      for (let j = 0; j < N; j++) {
        const x = reach * ((2 * i + 1) / N - 1);
        const y = reach * ((2 * j + 1) / N - 1);
        const p = pressure(x, y);
        const vx = SLIDE - spin * y;
        sum += (p * vx) / Math.sqrt(vx * vx + spin * spin * x * x);
        load += p;
      }
    }
    return (sum / load).toFixed(3);
  }).join(', ');
}

/** Theoretical values for the patches of box and ball: pressure proportional to depth, depth from the weight. */
function exactRow(stiffness: number): string[] {
  const volume = (SLAB_MASS * GRAVITY) / stiffness;
  let depth = 0;
  for (let n = 0; n < 20; n++) depth = Math.sqrt(volume / (Math.PI * (BALL - depth / 3)));
  return [
    `patch by quadrature, k = ${stiffness.toExponential()} N/m³`,
    quadrature(() => 1, SLAB[0] / 2),
    quadrature(
      (x, y) => Math.max(0, Math.sqrt(BALL * BALL - x * x - y * y) - BALL + depth),
      Math.sqrt(depth * (2 * BALL - depth)),
    ),
  ];
}

/** Sliding friction with spin over that without. */
export function spinTable(engines: readonly Engine[]): string {
  const title = `friction at ${SLIDE} m/s and ${SPINS.join(', ')} rad/s over that without spin`;
  const rows = [exactRow(8e6), exactRow(1e9), ...engines.map(spinRow)];
  return formatTable([title, 'box', 'ball'], rows);
}

const RESTS = [0.02, 0.1, 0.5, 2];

/** It slides, m/s: what it does later, rocking, is no friction of rest. */
const GONE = 0.02;

/** Largest friction over weight when a box that slid to rest is pulled, 100 N/s, after it stood still for a while. */
function dwellRow(engine: Engine): string[] {
  const run = (rest: number): string => {
    const box = engine.make({ ...slab(1, [0.3, 0, 0], NONE), friction: 0.2, stiction: FRICTION });
    for (let n = 0; n < 1000; n++) {
      steps(box, STEP, state);
      if (Math.abs(state[VELOCITY]) < 1e-3) break;
    }
    steps(box, rest, state);
    let most = 0;
    let before = state[VELOCITY];
    for (let n = 1; n < 200; n++) {
      const pull = 100 * n * STEP;
      box.push([pull, 0, 0], NONE);
      steps(box, STEP, state);
      const friction = pull - (SLAB_MASS * (state[VELOCITY] - before)) / STEP;
      before = state[VELOCITY];
      most = Math.max(most, friction / (SLAB_MASS * GRAVITY));
      if (before > GONE) break;
    }
    box.free();
    return most.toFixed(3);
  };
  return [engine.name, ...RESTS.map(run)];
}

/** Friction by the time at rest before. */
export function dwellTable(engines: readonly Engine[]): string {
  const title = 'largest friction over weight after a rest of';
  return formatTable([title, ...RESTS.map((rest) => `${rest} s`)], engines.map(dwellRow));
}
