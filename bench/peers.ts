/**
 * The same scenes in Berth and in three engines that run in JavaScript, in one run: a bouncing ball against the closed form, a box at
 * rest on the level and on a slope. Time by interleaved rounds; what each engine computes differs and is printed with the figures.
 */
import { BERTH, BERTH_EXACT, BERTH_STIFF } from './peers/berth.ts';
import { CANNON, CANNON_RELAXED } from './peers/cannon.ts';
import {
  type BallScene,
  BODY,
  type BoxScene,
  type Engine,
  POSITION,
  ROTATION,
  type Running,
  TURNING,
  VELOCITY,
} from './peers/engine.ts';
import { loadMujocoEngine } from './peers/mujoco.ts';
import { loadRapier } from './peers/rapier.ts';
import { type Candidate, digits, medianTimes } from './rounds.ts';
import { formatTable } from '../test/fixtures/table.ts';

const BALL: BallScene = {
  step: 1e-3,
  gravity: 9.81,
  radius: 0.1,
  mass: 1,
  drop: 0.5,
  restitution: 0.8,
};
const LEVEL: BoxScene = {
  step: 1e-3,
  gravity: 9.81,
  size: [0.2, 0.2, 0.1],
  mass: 1,
  drop: 1e-3,
  friction: 0.5,
  slope: 0,
};
const SLOPE: BoxScene = { ...LEVEL, slope: Math.PI / 18 };
const SECONDS = 5;
/** The ball rests after t0 (1 + e)/(1 − e) = 2.87 s. */
const BOUNCING = 2.8;
const FIRST = 100;
const ROUNDS = 101;
const PEAKS = 4;

const state = new Float64Array(BODY);

function steps(run: Running, seconds: number, each?: () => void): void {
  for (let n = 0; n < Math.round(seconds / BALL.step); n++) {
    run.step();
    run.read(state);
    each?.();
  }
}

const norm = (at: number): number =>
  Math.sqrt(state[at] ** 2 + state[at + 1] ** 2 + state[at + 2] ** 2);
const text = (value: number): string =>
  Math.abs(value) < 1e-12 ? '0' : value.toExponential(1).replace('e-0', 'e-').replace('e+0', 'e');

function ballRow(engine: Engine): string[] {
  const run = engine.ball(BALL);
  const peaks: number[] = [];
  let before = 0;
  steps(run, SECONDS, () => {
    const rate = state[VELOCITY + 2];
    if (before > 0 && rate <= 0 && peaks.length < PEAKS) {
      peaks.push(state[POSITION + 2] - BALL.radius);
    }
    before = rate;
  });
  run.free();
  const exact = (k: number): number => BALL.drop * BALL.restitution ** (2 * k);
  const error = (k: number): string => {
    const value = (100 * (peaks[k - 1] - exact(k))) / exact(k);
    return `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(2)} %`;
  };
  return [
    engine.name,
    Math.sqrt(peaks[0] / BALL.drop).toFixed(4),
    error(1),
    error(PEAKS),
    text(BALL.radius - state[POSITION + 2]),
    text(norm(VELOCITY)),
  ];
}

function boxRow(engine: Engine, scene: BoxScene): string[] {
  const run = engine.box(scene);
  let settled = [0, 0];
  let n = 0;
  steps(run, SECONDS, () => {
    if (++n === Math.round(1 / scene.step)) settled = [state[POSITION], state[POSITION + 1]];
  });
  run.free();
  const drift = Math.sqrt(
    (state[POSITION] - settled[0]) ** 2 + (state[POSITION + 1] - settled[1]) ** 2,
  );
  const tilt =
    2 * Math.asin(Math.min(1, Math.sqrt(state[ROTATION] ** 2 + state[ROTATION + 1] ** 2)));
  const energy = 0.5 * scene.mass * norm(VELOCITY) ** 2 + 0.5 * 0.004 * norm(TURNING) ** 2; // moment of 4 g m², about
  return [
    engine.name,
    text(scene.size[2] / 2 - state[POSITION + 2]),
    text(drift),
    text(tilt),
    text(energy),
  ];
}

/** Steps a scene, and makes it anew, outside of most rounds, when its time is over. */
function timed(name: string, make: () => Running, from: number, to: number): Candidate {
  const fresh = (): Running => {
    const run = make();
    for (let n = 0; n < from; n++) run.step();
    return run;
  };
  let run = fresh();
  let at = from;
  return {
    name,
    first: FIRST,
    run: (count) => {
      for (let n = 0; n < count; n++) run.step();
      at += count;
      if (at >= to) {
        run.free();
        run = fresh();
        at = from;
      }
      run.read(state);
      return state[POSITION + 2];
    },
  };
}

function timeTable(engines: readonly Engine[]): string {
  const until = Math.round(BOUNCING / BALL.step);
  const scenes: ((engine: Engine) => Candidate)[] = [
    (engine) => timed(engine.name, () => engine.ball(BALL), 0, until),
    (engine) => timed(engine.name, () => engine.box(LEVEL), 1000, 1e6),
    (engine) => timed(engine.name, () => engine.box(SLOPE), 1000, 1e6),
  ];
  const times = medianTimes(
    scenes.flatMap((scene) => engines.map(scene)),
    ROUNDS,
  ).map((time) => time / 1000);
  const rows = engines.map(({ name }, k) => [
    name,
    ...scenes.flatMap((_, s) => {
      const mine = times[s * engines.length + k];
      return [digits(mine), digits(mine / times[s * engines.length])];
    }),
  ]);
  const head = ['engine', 'ball, µs a step', 'ratio', 'box level', 'ratio', 'box slope', 'ratio'];
  return formatTable(head, rows);
}

const engines = [
  BERTH,
  BERTH_STIFF,
  await loadRapier(),
  CANNON,
  CANNON_RELAXED,
  await loadMujocoEngine(),
];

console.log(`Step 1 ms. Ball: ${BALL.mass} kg, ${BALL.drop} m, e = ${BALL.restitution}.`);
console.log(`Box: ${LEVEL.size.join(' x ')} m, ${LEVEL.mass} kg, friction ${LEVEL.friction}.\n`);
for (const { name, contact } of [...engines, BERTH_EXACT]) console.log(`- ${name}: ${contact}.`);
const ballHead = ['ball', 'e of first bounce', 'height of bounce 1', `of bounce ${PEAKS}`];
console.log(
  `\n${formatTable([...ballHead, 'depth after 5 s, m', 'speed, m/s'], [...engines, BERTH_EXACT].map(ballRow))}`,
);
for (const [name, scene] of [
  ['box, level', LEVEL],
  ['box, slope of 10 deg', SLOPE],
] as const) {
  const head = [name, 'depth, m', 'drift from 1 s to 5 s, m', 'tilt, rad', 'kinetic energy, J'];
  const rows = engines.map((engine) => boxRow(engine, scene));
  console.log(`\n${formatTable(head, rows)}`);
}
console.log(`\n${timeTable(engines)}`);
