/** The scenario `round-peg`: the chamfer meets the edge of the hole where geometry says, and guides the peg to the axis with the force of the arm. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { CONTACT_READOUT, ContactReadout, makeSystem } from '../../src/system/system.ts';

/** Scenario. */
const HOLE = 0.025;
const FACE = 0.04;
const SHANK = 0.024;
const TIP = 0.018;
const CHAMFER = 0.01;
const START = [0.004, 0.002, 0.055];
const SPEED = 0.005;
const PUSH = 10 + 1e4 * SPEED;

const model = compileScenario(loadScenario('round-peg'));
const run = makeSystem(model);
const peg = run.bodyIndex('peg');
const body = new Float64Array(13);
const contact = new Float64Array(CONTACT_READOUT.length);

interface Row {
  readonly time: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly tilt: number;
  readonly force: number;
  readonly pairs: number;
}

const rows: Row[] = Array.from({ length: 7500 }, () => {
  assert.equal(run.step(1e-3), 0, 'every step is taken');
  run.readBody(peg, body, 0);
  run.readContact(0, contact, 0);
  const [x, y, z, qx, qy] = body;
  return {
    time: run.time,
    x,
    y,
    z,
    tilt: 2 * Math.asin(Math.hypot(qx, qy)),
    force: contact[ContactReadout.normalForce],
    pairs: contact[ContactReadout.pairs],
  };
});
const last = rows[rows.length - 1];

/** Height of the tip at which the chamfer has come down to the edge of the hole: along the edge, the least distance of both. */
function touches(): number {
  const angle = (2 * Math.PI) / 180;
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  const norm = Math.sqrt(5);
  const [ax, ay] = [1 / norm, 2 / norm];
  /** Distance of the point from the axis of the turned peg less its radius there, m. */
  const outside = (tip: number, phi: number): number => {
    const d = [HOLE * Math.cos(phi) - START[0], HOLE * Math.sin(phi) - START[1], FACE - tip];
    // out of the world into the peg, by the rotation backwards (Rodrigues)
    const along = (ax * d[0] + ay * d[1]) * (1 - c);
    const cross = [ay * d[2], -ax * d[2], ax * d[1] - ay * d[0]];
    const own = [0, 1, 2].map((k) => c * d[k] - s * cross[k] + along * [ax, ay, 0][k]);
    const radius = Math.min(SHANK, TIP + ((SHANK - TIP) * own[2]) / CHAMFER);
    return own[2] < 0 ? Infinity : Math.hypot(own[0], own[1]) - radius;
  };
  const least = (tip: number): number =>
    Math.min(...Array.from({ length: 3600 }, (_, k) => outside(tip, (k * Math.PI) / 1800)));
  let [low, high] = [0.03, FACE - 1e-4];
  for (let n = 0; n < 30; n++) {
    const middle = 0.5 * (low + high);
    if (least(middle) < 0) low = middle;
    else high = middle;
  }
  return low;
}

test('four pairs of cells, all of them in closed form', () => {
  assert.equal(run.pairCount(0), 4);
});

test('the chamfer meets the edge where its cone comes down to it', () => {
  const first = rows.find(({ pairs }) => pairs > 0);
  assert.ok(first !== undefined, 'contact');
  // the arm starts with its lag of 5 ms
  const expected = (START[2] - touches()) / SPEED + 0.005;
  assert.ok(Math.abs(first.time - expected) < 1e-3, `${first.time} s, expected ${expected} s`);
});

test('it is guided in: nearer to the axis than the clearance, and the shank past the edge', () => {
  const off = Math.hypot(last.x, last.y);
  assert.ok(off < HOLE - SHANK + 0.5e-3, `${off} m off`);
  assert.ok(last.z < FACE - CHAMFER - 0.005, `tip at ${last.z} m`);
  assert.ok(last.tilt < (1.8 * Math.PI) / 180, `${last.tilt} rad`);
});

test('the arm pushes no harder than its law: dead-band plus gain times speed, with the slope of the chamfer', () => {
  const most = Math.max(...rows.map(({ force }) => force));
  // square to a chamfer of 31 degrees the force is less than the push; on the wall it is the friction of a wedge
  assert.ok(most > 0.4 * PUSH && most < PUSH, `${most} N`);
});
