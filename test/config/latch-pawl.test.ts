/** The scenario `latch-pawl`: the striker lifts the pawl, the pawl snaps back behind it and holds it against pulling out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import {
  CONTACT_READOUT,
  ContactReadout,
  ENERGY_READOUT,
  EnergyReadout,
  makeSystem,
} from '../../src/index.ts';

const G = 9.81;
/** Of the scenario: nose, centre and stop from the hinge at angle 0, m. */
const NOSE = [0.06, -0.022] as const;
const CENTER = [0.03, -0.01] as const;
const STOP = [0.045, -0.01] as const;
const HINGE_HEIGHT = 0.02;
const RADIUS = 0.005;
const MASS = 0.05;
const [STIFFNESS, REST] = [0.5, -0.4];
/** Of both contacts, N/m. */
const CONTACT_STIFFNESS = 2e5;

interface Row {
  readonly time: number;
  /** Striker, m. */
  readonly x: number;
  readonly z: number;
  /** Of the pawl, rad and rad/s; lifted is positive. */
  readonly angle: number;
  readonly rate: number;
  /** Normal forces, N. */
  readonly nose: number;
  readonly stop: number;
  readonly balance: number;
}

/** The scenario, row by row of 1 ms. */
function fly(overrides: readonly string[] = []): Row[] {
  const run = makeSystem(compileScenario(loadScenario('latch-pawl', overrides)));
  const [striker, pawl] = [run.bodyIndex('striker'), run.bodyIndex('pawl')];
  const [nose, stop] = ['striker-nose.1', 'pawl-stop'].map((name) => run.contactIndex(name));
  const [p, s] = [new Float64Array(13), new Float64Array(13)];
  const c = new Float64Array(CONTACT_READOUT.length);
  const e = new Float64Array(ENERGY_READOUT.length);
  const force = (k: number): number => {
    run.readContact(k, c, 0);
    return c[ContactReadout.normalForce];
  };
  return Array.from({ length: 8000 }, () => {
    assert.equal(run.step(1e-3), 0);
    run.readBody(pawl, p, 0);
    run.readBody(striker, s, 0);
    run.readEnergy(e, 0);
    return {
      time: run.time,
      x: s[0],
      z: s[2],
      angle: 2 * Math.atan2(-p[4], p[6]),
      rate: -p[11],
      nose: force(nose),
      stop: force(stop),
      balance: e[EnergyReadout.balance],
    };
  });
}

const turned = ([x, z]: readonly [number, number], angle: number): [number, number] => [
  x * Math.cos(angle) - z * Math.sin(angle),
  x * Math.sin(angle) + z * Math.cos(angle),
];

/** Torque of the spring and of the weight that closes the pawl, N m. */
const closing = (angle: number): number =>
  STIFFNESS * (angle - REST) + MASS * G * turned(CENTER, angle)[0];

const rows = fly();
const at = (time: number): Row => rows[Math.round(1000 * time) - 1];

test('closed, the stop carries the torque of spring and weight', () => {
  const { angle, stop, nose } = at(1);
  const want = closing(angle) / turned(STOP, angle)[0];
  assert.equal(nose, 0);
  // the pawl begins 1e-6 rad off its rest, 0.01 N, and has settled
  assert.ok(Math.abs(stop - want) < 1e-6, `${stop} N, expected ${want}`);
});

test('the pawl is lifted until its nose stands on top of the striker', () => {
  const top = rows.reduce((best, row) => (row.angle > best.angle ? row : best));
  const [dx, dz] = turned(NOSE, top.angle);
  const [x, z] = [dx - top.x, dz + HINGE_HEIGHT - top.z];
  const depth = top.nose / CONTACT_STIFFNESS;
  // forces belong to the start of the last sub-step, 0.06 ms before the poses: 1.2 um at 20 mm/s along the surface
  const distance = Math.sqrt(x * x + z * z);
  assert.ok(Math.abs(distance - (RADIUS - depth)) < 1e-6, `edge ${distance} m from the centre`);
  // the arm gives way downwards, 0.8 mm/s beside 20 mm/s: the top of the way is that much off the top of the striker
  assert.ok(Math.abs(x / z) < 0.1, `edge at ${x}, ${z} m from the centre`);
  assert.ok(top.angle > 0.1 && top.stop === 0, `lifted by ${top.angle} rad`);
});

test('it snaps back behind the striker: closed within 50 ms of its last touch', () => {
  const click = rows.findIndex((row, n) => n > 0 && rows[n - 1].nose > 0 && row.nose === 0);
  const { time } = rows[click];
  assert.ok(time > 1.7 && time < 1.9, `last touch at ${time} s`);
  const fastest = Math.min(...rows.slice(click - 30, click + 30).map(({ rate }) => rate));
  assert.ok(fastest < -1, `closes with ${fastest} rad/s`);
  const before = at(1).angle;
  for (let t = time + 0.05; t < 4; t += 0.05) {
    assert.ok(Math.abs(at(t).angle - before) < 1e-6, `${at(t).angle} rad at ${t} s`);
  }
});

test('it holds: the striker stands still under the pull of 100 N, and the stop carries what closes the pawl', () => {
  const held = at(6);
  for (const time of [5.5, 6.5, 7, 7.5, 8]) {
    const { x, nose } = at(time);
    // what settles: the friction of the nose, by 2 mN of 100 N at 5 kN per m/s
    assert.ok(Math.abs(x - held.x) < 1e-6, `${x} m at ${time} s`);
    assert.ok(Math.abs(nose - 100) < 0.01, `${nose} N at ${time} s`);
  }
  assert.ok(held.x - RADIUS > NOSE[0] - 1e-3, `the striker is behind the nose: ${held.x} m`);
  // the back face pushes square to itself at the height of the striker: its lever is along the face, from the hinge
  const [cos, sin] = [Math.cos(held.angle), Math.sin(held.angle)];
  const lever = (HINGE_HEIGHT - held.z) * cos + held.x * sin;
  const want = (held.nose * lever + closing(held.angle)) / turned(STOP, held.angle)[0];
  // friction of the nose, at most 0.6 N on a lever of 62 mm over 45 mm
  assert.ok(Math.abs(held.stop - want) < 1, `${held.stop} N on the stop, expected ${want}`);
});

test('energy: what the steps gain or lose is below 1 % of what the spring holds', () => {
  const stored = 0.5 * STIFFNESS * REST * REST;
  for (const { time, balance } of rows) {
    assert.ok(Math.abs(balance) < 0.01 * stored, `${balance} J of ${stored} at ${time} s`);
  }
});

test('a spring that opens the pawl lets the striker go in and out', () => {
  const open = fly(['chains.latch.links.pawl.joint.rest_rad=0.4']);
  const last = open[open.length - 1];
  assert.ok(last.x < 0.01, `pulled out to ${last.x} m`);
  assert.ok(open.every(({ nose, time }) => time < 0.5 || nose === 0));
});
