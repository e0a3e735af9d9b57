/** Friction of an elastic face with μ_s > μ_d in closed form, whatever the step. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContactReadout } from '../../../src/contact/contact-readout.ts';
import { EnergyReadout } from '../../../src/system/energy-ledger.ts';
import { elasticSystem, FACE } from '../../fixtures/elastic-scenes.ts';

const BLOCK = 1;
const STATIC = 0.2;
const SLIDING = 0.15;
const friction = { kind: 'coulomb', stiction: STATIC, coulomb: SLIDING };
const POINT = { ...FACE, points: [1, 1] };
const STEPS = [1e-3, 5e-4, 2.5e-4, 5e-5];
const body = new Float64Array(13);
const energy = new Float64Array(7);
const row = new Float64Array(40);

test('a block slides under μ_d m g at every step size: v = v₀ − μ_d g t', () => {
  for (const step of STEPS) {
    for (const points of [
      [1, 1],
      [4, 4],
    ]) {
      const compliance = { ...FACE, points };
      const held = elasticSystem({ kind: 'prescribed', height: -1e-5, compliance });
      held.step(1e-3);
      held.readContact(0, row, 0);
      const stiffness = row[ContactReadout.normalForce] / 1e-5;
      const scene = { height: (-2 * 9.81) / stiffness, gravity: 9.81, friction, compliance, step };
      const run = elasticSystem({ ...scene, velocity: [0.1, 0, 0] });
      const time = 0.03;
      // the shear of the start, at most μ_s m g, takes as much as it is held
      const speeds: number[] = [];
      for (let k = 0; k < Math.round(time / step); k++) {
        assert.equal(run.step(step), 0);
        run.readBody(BLOCK, body, 0);
        speeds.push(body[7]);
        run.readContact(0, row, 0);
        if (k * step > 2e-3) assert.equal(row[ContactReadout.stick], 0, `${step} ${k}`);
      }
      const from = Math.round(5e-3 / step);
      const slope =
        (speeds[from] - speeds[speeds.length - 1]) / ((speeds.length - 1 - from) * step);
      assert.ok(Math.abs(slope / (SLIDING * 9.81) - 1) < 1e-6, `${step}: ${slope / 9.81}`);
    }
  }
});

test('a point that is drawn to and fro: k x up to μ_s N, μ_d N while it slides, again μ_s N the other way', () => {
  for (const step of STEPS) {
    const run = elasticSystem({
      kind: 'prescribed',
      height: -1e-5,
      friction,
      compliance: POINT,
      step,
    });
    const motion = new Float64Array(13);
    const speed = 2e-3;
    let [x, stiffness, most, least, taken] = [0, 0, 0, 0, 0];
    const turn = Math.round(0.02 / step);
    for (let k = 0; k < 2 * turn; k++) {
      run.readBody(BLOCK, motion, 0);
      motion[7] = k < turn ? speed : -speed;
      run.setBodyMotion(BLOCK, motion, 0);
      assert.equal(run.step(step), 0);
      run.readContact(0, row, 0);
      const load = row[ContactReadout.normalForce];
      const drag = -row[ContactReadout.ft_x] / load;
      run.readEnergy(energy, 0);
      const heat = energy[EnergyReadout.dissipated];
      assert.ok(heat >= taken - 1e-15, `${step} ${k}: ${heat - taken} J`);
      taken = heat;
      x += motion[7] * step;
      // forces are those of the middle of the step
      if (k === 0) stiffness = drag / (0.5 * speed * step);
      const sticks = row[ContactReadout.stick] > 0;
      if (!sticks)
        assert.ok(Math.abs(Math.abs(drag) / SLIDING - 1) < 1e-9, `${step} ${k}: ${drag}`);
      if (sticks && k < turn) {
        assert.ok(Math.abs(drag - stiffness * (x - 0.5 * speed * step)) < 1e-9);
      }
      most = Math.max(most, drag);
      least = Math.min(least, drag);
      if (k === turn - 1) assert.ok(!sticks);
    }
    const grain = stiffness * speed * step;
    assert.ok(most <= STATIC && most > Math.max(SLIDING - 1e-9, STATIC - grain), `${most}`);
    assert.ok(-least <= STATIC && -least > Math.max(SLIDING - 1e-9, STATIC - grain), `${least}`);
  }
});
