/** Every engine of the benchmarks gets the scene that is meant: gravity, mass, moments, push, state kept and put back; and comes out right. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { berthPoints } from '../../../bench/peers/berth-points.ts';
import {
  BODY,
  type Engine,
  POSITION,
  type Running,
  type Scene,
  TURNING,
  VELOCITY,
} from '../../../bench/peers/engine.ts';
import { loadPeer, PEER_NAMES } from '../../../bench/peers/peers.ts';
import { BALL, BOX_LEVEL, FREE_SCENES } from '../../../bench/step/free-scenes.ts';
import { timedFree } from '../../../bench/step/timed.ts';

const state = new Float64Array(BODY);
const peers: Engine[] = [];
for (const name of PEER_NAMES) {
  const peer = await loadPeer(name);
  if (peer !== null) peers.push(peer);
}
const engines = [berthPoints('Berth', 1e6), ...peers];
/** Single precision over some hundred steps, relative. */
const SINGLE = 1e-5;

function steps(run: Running, count: number): void {
  for (let n = 0; n < count; n++) run.step();
  run.read(state);
}

function near(value: number, expected: number, what: string, tolerance = SINGLE): void {
  const off = Math.abs(value - expected) / Math.max(1, Math.abs(expected));
  assert.ok(off < tolerance, `${what}: ${value}, not ${expected}`);
}

test('a body that falls has the velocity g t, and one that is pushed has the acceleration F/m', () => {
  const h = BALL.step;
  const high: Scene = { ...BALL, mass: 2, position: [0, 0, 5] };
  for (const engine of engines) {
    const run = engine.make(high);
    // the first steps of Havok, and the first under a push, are parts of one
    run.push([3, 0, 0], [0, 0, 0]);
    steps(run, 20);
    const before = state.slice();
    steps(run, 100);
    near(state[VELOCITY] - before[VELOCITY], (3 / 2) * 100 * h, `${engine.name} pushed`);
    near(state[VELOCITY + 2] - before[VELOCITY + 2], -9.81 * 100 * h, `${engine.name} falls`);
    run.free();
  }
});

test('a moment about a principal axis turns the body by its own moment of inertia', () => {
  const scene: Scene = { ...BOX_LEVEL, mass: 2, gravity: [0, 0, 0], position: [0, 0, 5] };
  for (const engine of engines) {
    for (const axis of [0, 1, 2]) {
      const run = engine.make(scene);
      const moment = [0, 0, 0];
      moment[axis] = 1e-3;
      run.push([0, 0, 0], [moment[0], moment[1], moment[2]]);
      steps(run, 20);
      const before = state[TURNING + axis];
      steps(run, 50);
      near(
        (state[TURNING + axis] - before) / 0.05,
        1e-3 / scene.moments[axis],
        `${engine.name}, axis ${axis}`,
        1e-4, // a rate of 0.2 rad/s² in single precision, from 0.012 rad/s
      );
      run.free();
    }
  }
});

test('a state that is kept comes back', () => {
  for (const engine of engines) {
    const run = engine.make({ ...BALL, position: [0, 0, 5] });
    steps(run, 30);
    const before = state.slice();
    run.mark();
    steps(run, 30);
    assert.ok(state[POSITION + 2] < before[POSITION + 2] - 1e-3, engine.name);
    run.rewind();
    run.read(state);
    for (let k = 0; k < BODY; k++) near(state[k], before[k], `${engine.name}, slot ${k}`, 1e-6);
    run.free();
  }
});

/** What an engine cannot do. */
const WRONG: readonly string[] = ['OimoPhysics, receptacle rest'];

test('every engine comes out about right where it can, and one that does not is called wrong', () => {
  const stand = Object.entries(FREE_SCENES).filter(([name]) =>
    ['ball', 'box level', 'receptacle rest', 'channel'].includes(name),
  );
  for (const [name, free] of stand) {
    for (const engine of [free.berth, ...peers]) {
      // six seconds for cannon-es
      if (name === 'receptacle rest' && engine.name === 'cannon-es') continue;
      const { words, holds } = timedFree(engine, free).result();
      const which = `${engine.name}, ${name}`;
      assert.equal(holds, !WRONG.includes(which), `${which}: ${words}`);
    }
  }
});
