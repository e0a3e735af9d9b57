/** The scenario `ring-over-cone`: samples of a ring in the distance field of a cone; the ring finds its middle, and wall and friction carry the press. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { drawnBodies } from '../../hil/drawing/drawn-bodies.ts';
import { CONTACT_READOUT, ContactReadout, makeSystem } from '../../src/index.ts';

/** Slope of the wall against the axis: 10 mm on 60 mm. */
const SLOPE = 1 / 6;
const STICTION = 0.15;
const PRESS = 30;
const STIFFNESS = 1e8;
const TUBE = 0.018;
const HOLE = 0.032;

test('a ring beside the middle comes to it, and is carried by the wall and by friction up to stiction', () => {
  const system = makeSystem(compileScenario(loadScenario('ring-over-cone')));
  const readout = new Float64Array(CONTACT_READOUT.length);
  for (let n = 0; n < 10_000; n++) assert.equal(system.step(1e-3), 0);
  system.readContact(0, readout, 0);
  const wall = readout[ContactReadout.normalForce] * readout[ContactReadout.normal_z];
  const drag = readout[ContactReadout.ft_z];
  // it is stopped by its force alone, exp(−t k/gain): 3.4 N at 5 s, and 0.65 1/s from then on
  assert.ok(Math.abs(wall + drag - PRESS) < 0.2, `${wall} + ${drag} N`);
  // friction along the wall is at its limit all around, but where the ring hung on one side before
  const used = (drag * SLOPE) / (wall * STICTION);
  assert.ok(used > 0.95 && used < 1.001, `${used} of stiction`);
  const body = new Float64Array(13);
  system.readBody(system.bodyIndex('ring'), body, 0);
  // dead-bands of 10 N and 0.5 N m hold what is left of 1 mm and of 0.5 degrees
  assert.ok(Math.hypot(body[0], body[1]) < 2e-4, `${body[0]} ${body[1]} m aside`);
  // k 4/3 √(2 R) δ^3/2 a unit of length; samples 3 mm apart across a band of 6 mm leave some percent
  const depth = readout[ContactReadout.penetration];
  const sine = SLOPE / Math.hypot(1, SLOPE);
  const total = STIFFNESS * (4 / 3) * Math.sqrt(2 * TUBE) * depth ** 1.5 * 2 * Math.PI * HOLE;
  assert.ok(Math.abs((total * sine) / wall - 1) < 0.1, `${total * sine} and ${wall} N`);
});

test('the console draws the ring of the samples and the mesh of the field, each at its place', () => {
  const bodies = drawnBodies(compileScenario(loadScenario('ring-over-cone')), null);
  const heights = ['ring', 'cone'].map((name) => {
    const [{ shape }] = bodies.find((body) => body.name === name)!.cells;
    const z = (shape['vertices_m'] as number[][]).map((vertex) => vertex[2]);
    return [Math.min(...z), Math.max(...z)];
  });
  // corners of a mesh that is made coarser lie within half a cell of it
  assert.ok(Math.abs(heights[0][0] + TUBE) < 2e-3 && Math.abs(heights[0][1] - TUBE) < 2e-3);
  assert.deepEqual(
    heights[1].map((z) => Number(z.toFixed(6))),
    [0, 0.06],
  );
});
