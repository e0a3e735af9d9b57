/** What comes out of a bouncing ball and of boxes at rest in every engine, against the closed form. */
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

const SECONDS = 5;
const PEAKS = 4;
/** Radius of the ball, and half the height of a box: where their centres rest on the plane, m. */
const FLOOR = { ball: 0.1, box: 0.05 };
const state = new Float64Array(BODY);

function steps(run: Running, scene: Scene, each: () => void): void {
  for (let n = 0; n < Math.round(SECONDS / scene.step); n++) {
    run.step();
    run.read(state);
    each();
  }
}

const norm = (at: number): number =>
  Math.sqrt(state[at] ** 2 + state[at + 1] ** 2 + state[at + 2] ** 2);
const text = (value: number): string =>
  Math.abs(value) < 1e-12 ? '0' : value.toExponential(1).replace('e-0', 'e-').replace('e+0', 'e');

function ballRow(engine: Engine, scene: Scene): string[] {
  const run = engine.make(scene);
  const drop = scene.position[2] - FLOOR.ball;
  const peaks: number[] = [];
  let before = 0;
  steps(run, scene, () => {
    const rate = state[VELOCITY + 2];
    if (before > 0 && rate <= 0 && peaks.length < PEAKS) {
      peaks.push(state[POSITION + 2] - FLOOR.ball);
    }
    before = rate;
  });
  run.free();
  const error = (k: number): string => {
    const exact = drop * scene.restitution ** (2 * k);
    const value = (100 * (peaks[k - 1] - exact)) / exact;
    return `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(2)} %`;
  };
  return [
    engine.name,
    Math.sqrt(peaks[0] / drop).toFixed(4),
    error(1),
    error(PEAKS),
    text(FLOOR.ball - state[POSITION + 2]),
    text(norm(VELOCITY)),
  ];
}

/** Bounces of a ball. */
export function ballTable(engines: readonly Engine[], scene: Scene): string {
  const head = ['ball', 'e of first bounce', 'height of bounce 1', `of bounce ${PEAKS}`];
  return formatTable(
    [...head, `depth after ${SECONDS} s, m`, 'speed, m/s'],
    engines.map((engine) => ballRow(engine, scene)),
  );
}

function boxRow(engine: Engine, scene: Scene): string[] {
  const run = engine.make(scene);
  let settled = [0, 0];
  let n = 0;
  steps(run, scene, () => {
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
    text(FLOOR.box - state[POSITION + 2]),
    text(drift),
    text(tilt),
    text(energy),
  ];
}

/** A box at rest. */
export function boxTable(title: string, engines: readonly Engine[], scene: Scene): string {
  const head = [title, 'depth, m', 'drift from 1 s to 5 s, m', 'tilt, rad', 'kinetic energy, J'];
  return formatTable(
    head,
    engines.map((engine) => boxRow(engine, scene)),
  );
}
