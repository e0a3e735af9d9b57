/** Tilt of a plate from a press on it, with the noise of a bench and a biased sensor. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifyTilt, type TiltData } from '../../../src/identify/tilt.ts';
import { Random } from '../../../src/math/random.ts';
import { LoopMode, ToolMotion } from '../../../src/control/tool-port.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { halfSphere } from '../../fixtures/models.ts';

const DEGREE = Math.PI / 180;
const BIAS_N = [0.8, -0.3];
const SAMPLES = 4000;

/** A press along z from 3 µm above the touch to the depth of 30 N and back, on a plate without friction whose normal leans towards x. */
function press(tilt: number, seed: number): { data: TiltData; side: number } {
  const random = new Random(seed);
  const model = halfSphere(0.02);
  const [touch] = model.contacts;
  const normal = [Math.sin(tilt), 0, Math.cos(tilt)] as const;
  const pair = { ...touch.pair, normal } as typeof touch.pair;
  const system = makeSystem({
    ...model,
    contacts: [{ ...touch, pair, frictionLaw: { kind: 'none' } }],
  });
  const tool = system.tool!;
  tool.mode = LoopMode.VIRTUAL;
  tool.motion = ToolMotion.FOLLOW;
  const columns = [0, 1, 2].map(() => new Float64Array(SAMPLES));
  let side = 0;
  for (let i = 0; i < SAMPLES; i++) {
    tool.measuredMotion[2] =
      0.1 / normal[2] + 3e-6 - 27.06e-6 * (1 - Math.abs((2 * i) / SAMPLES - 1));
    assert.equal(system.step(5e-3), 0);
    const [x, y, z] = tool.modelWrench;
    side = Math.max(side, x);
    columns[0][i] = z + random.gaussian();
    columns[1][i] = x + BIAS_N[0] + random.gaussian();
    columns[2][i] = y + BIAS_N[1] + random.gaussian();
  }
  const [force, sideU, sideV] = columns;
  return { data: { force, sideU, sideV }, side };
}

test('1° shows 0.52 N of 30 N, and is found within 0.15° beside a bias', (t) => {
  const { data, side } = press(DEGREE, 1);
  assert.ok(Math.abs(side - 0.52) < 0.01, `side force ${side} N`);
  const { identification, tilt } = identifyTilt(data, 0.95);
  const [u, v, bu, bv] = identification.estimates;
  t.diagnostic(
    `tilt ${tilt / DEGREE}°, slope ${u.value} [${u.low}, ${u.high}], bias ${bu.value} ${bv.value} N`,
  );
  assert.ok(Math.abs(tilt / DEGREE - 1) < 0.15);
  assert.ok(u.low < Math.tan(DEGREE) && Math.tan(DEGREE) < u.high && u.low > 0);
  assert.ok(v.low < 0 && 0 < v.high);
  for (const [i, bias] of [bu, bv].entries())
    assert.ok(bias.low < BIAS_N[i] && BIAS_N[i] < bias.high && bias.high - bias.low < 0.3);
});

test('a force that does not change is no press', () => {
  const { data } = press(0, 2);
  const force = data.force.map((_, i) => 30 + (i % 2));
  assert.throws(() => identifyTilt({ ...data, force }, 0.95), /force: changes by .* no press/);
});
