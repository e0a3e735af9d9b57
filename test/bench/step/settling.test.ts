/**
 * What docs/benchmarks.md calls drift of a body of cells is settling: a contact that began slowly is damped by A = d(e)/(e v_i), and its depth
 * comes to rest with the slow root s of s² + g A s + g/δ = 0, δ = W/(k_v A_c). Sideways motion goes with it. Both end.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FREE_SCENES } from '../../../bench/step/free-scenes.ts';
import { POSITION, TURNING, VELOCITY } from '../../../bench/peers/engine.ts';
import { SIZE, STIFFNESS } from '../../../bench/volumetric-scenes.ts';
import { dampingForRestitution } from '../../../src/contact/normal/damping-factor.ts';

const G = 9.81;
/** Of all cells in Berth: bench/peers/berth-cells.ts. */
const RESTITUTION = 0.3;
const WINDOW_s = 0.5;

/** Speeds along z and across it each half second, and the last turning; from the start at touch. */
function settle(
  pairs: number,
  seconds: number,
): { down: number[]; across: number[]; turn: number } {
  const { scene, berth } = FREE_SCENES[`free ${pairs}`];
  const run = berth.make(scene);
  const state = new Float64Array(13);
  const down: number[] = [];
  const across: number[] = [];
  for (let t = WINDOW_s; t <= seconds; t += WINDOW_s) {
    const steps = Math.round(WINDOW_s / scene.step);
    for (let n = 0; n < steps; n++) run.step();
    run.read(state);
    down.push(-state[VELOCITY + 2]);
    across.push(Math.hypot(state[VELOCITY], state[VELOCITY + 1]));
  }
  // at rest the springs of the floor carry the weight
  const depth = (scene.mass * G) / (STIFFNESS * SIZE[0] * SIZE[1]);
  assert.ok(Math.abs((SIZE[2] / 2 - state[POSITION + 2]) / depth - 1) < 0.02, `${state[2]}`);
  run.free();
  return { down, across, turn: Math.hypot(...state.slice(TURNING, TURNING + 3)) };
}

/** Rate of the slow motion, 1/s, of a body that the first step found in contact at g h. */
function slowRate(mass: number, step: number): number {
  const depth = (mass * G) / (STIFFNESS * SIZE[0] * SIZE[1]);
  const half = (0.5 * G * dampingForRestitution(RESTITUTION)) / (G * step);
  return half - Math.sqrt(half * half - G / depth);
}

test('a box that begins at touch settles with the rate of its damping, and then lies still', () => {
  const { mass, step } = FREE_SCENES['free 1'].scene;
  const rate = slowRate(mass, step);
  const { down } = settle(1, 8);
  for (const [k, speed] of down.entries()) {
    if (k === 0 || speed < 1e-11) continue;
    const found = Math.log(down[k - 1] / speed) / WINDOW_s;
    // damping is A f_el, and f_el up to 4 % off the weight for 2 s; later a step of 1 ms is off by rate h/2 and (g A h) of the fast root
    const allowed = k < 4 ? 0.1 : 5e-3;
    assert.ok(Math.abs(found / rate - 1) < allowed, `${0.5 * k} s: ${found}, ${rate} 1/s`);
  }
  assert.ok(Math.abs(down[down.length - 1]) < 1e-12, `${down[down.length - 1]} m/s`);
});

test('40 pairs settle at the same rate; creep across goes with it, and nothing is left of both', () => {
  const { mass, step } = FREE_SCENES['free 40'].scene;
  const rate = slowRate(mass, step);
  const { down, across, turn } = settle(40, 8);
  const found = Math.log(down[4] / down[8]) / (4 * WINDOW_s);
  // inner faces turn the normals of pairs by depth over width, up to 0.04
  assert.ok(Math.abs(found / rate - 1) < 0.04, `${found}, ${rate} 1/s`);
  const last = down.length - 1;
  assert.ok(Math.abs(down[last]) < 1e-12, `${down[last]} m/s down`);
  assert.ok(across[last] < 1e-12, `${across[last]} m/s across`);
  assert.ok(turn < 1e-11, `${turn} rad/s`);
});
