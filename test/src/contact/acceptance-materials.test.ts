/**
 * Modia3D A17 through a whole run: materials without a pair of their own take the mean of both pairs, in either order and as if
 * the means had been typed in; without both pairs the scenario is refused before anything moves.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { BerthError } from '../../../src/base/errors.ts';
import { makeSystem, type System } from '../../../src/index.ts';

const AT = 'contacts.ball-incline';

/** The ball on the incline with a soft Modia3D law. */
function ball(law: string): System {
  const soft = 'kind: modia3d, reduction_factor: 1e-4, maximum_damping_s_per_m: 100';
  return makeSystem(
    compileScenario(loadScenario('ball-on-incline', [`${AT}.normal_law={${soft}, ${law}}`])),
  );
}

function fall(run: System): string {
  const out = new Float64Array(40);
  let force = 0;
  for (let n = 0; n < 1500; n++) {
    assert.equal(run.step(1e-3), 0);
    run.readContact(0, out, 0);
    force = Math.max(force, out[3]);
  }
  assert.ok(force > 20, `the ball of 2 kg hits the incline: ${force} N`);
  return run.hash();
}

/** Largest difference of the motions of the ball, m, m/s and rad/s. */
function apart(a: System, b: System): number {
  const [x, y] = [a, b].map((run) => {
    const motion = new Float64Array(13);
    run.readBody(run.bodyIndex('ball'), motion, 0);
    return motion;
  });
  return x.reduce((most, value, k) => Math.max(most, Math.abs(value - y[k])), 0);
}

test('A17: a pair that is not listed is the mean of both with themselves, in either order', () => {
  // c = E/(1 − ν²) of each solid, c_res of both in series; cor (0.7 + 0.6)/2, v_small 0.01 m/s
  const steel = 2e11 / (1 - 0.3 * 0.3);
  const wood = 1.1e10 / (1 - 0.4 * 0.4);
  const modulus = (steel * wood) / (steel + wood);
  assert.ok(Math.abs(modulus / 1.2358856244e10 - 1) < 1e-10, 'as printed');
  const typed = ball(
    `contact_modulus_N_per_m2: ${modulus}, restitution: 0.65, small_velocity_mps: 0.01`,
  );
  const mixed = ball('materials: [Steel, DryWood]');
  fall(typed);
  assert.equal(fall(mixed), fall(ball('materials: [DryWood, Steel]')), 'to the bit');
  // the modulus is rounded once more or less; three impacts carry that on
  assert.ok(apart(mixed, typed) < 1e-9, `${apart(mixed, typed)}`);
  const steels = ball('materials: [Steel, Steel]');
  fall(steels);
  assert.ok(apart(steels, typed) > 1e-3, `${apart(steels, typed)}`);
});

test('A17: without both pairs the scenario is refused', () => {
  for (const [names, code, says] of [
    ['Steel, Aluminium', 'BERTH_UNKNOWN_NAME', /Aluminium has no pair with itself; pairs: Steel/],
    ['Steel, Granite', 'BERTH_UNKNOWN_NAME', /"Granite", which is no material; allowed: Steel/],
  ] as const) {
    assert.throws(
      () => ball(`materials: [${names}]`),
      (error: unknown) => {
        assert.ok(error instanceof BerthError);
        assert.equal(error.code, code);
        assert.match(error.message, says);
        assert.match(error.message, /contacts\[0\]\.normal_law\.materials/);
        return true;
      },
    );
  }
});
