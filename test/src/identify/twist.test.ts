/** Friction of pure spin from a ball of this project that is twisted to both sides in a volumetric contact, with the noise of a bench. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { ContactReadout, CONTACT_READOUT } from '../../../src/contact/contact-readout.ts';
import { identifyTwist, type TwistData } from '../../../src/identify/twist.ts';
import { Random } from '../../../src/math/random.ts';
import { makeSystem } from '../../../src/system/system.ts';

const COULOMB = 0.05;
const SPIN_SCALE = 0.8;
const BIAS_Nm = 0.003;

/** The ball of ball-on-table 3 mm in the table, twisted at 0.5 and −0.5 rad/s in turns; its samples and the gyration radius of the overlap. */
function twists(seed: number): { data: TwistData; gyration: number } {
  const random = new Random(seed);
  const law = 'contacts.0.friction_law';
  const free = compileScenario(
    loadScenario('ball-on-table', [
      'bodies.1.position_m=[0, 0, 0.097]',
      'bodies.1.velocity_mps=[0, 0, 0]',
      `${law}.spin_scale=${SPIN_SCALE}`,
      'integration={ kind: implicit-contact, step_s: 1 ms }',
    ]),
  );
  const bodies = free.bodies.map((body) =>
    body.name === 'ball' ? { ...body, motion: 'prescribed' as const } : body,
  );
  const system = makeSystem({ ...free, bodies });
  const row = new Float64Array(CONTACT_READOUT.length);
  const motion = new Float64Array(13);
  const columns: [number[], number[], number[]] = [[], [], []];
  for (let n = 0; n < 8000; n++) {
    system.readBody(1, motion, 0);
    motion[12] = n % 2000 < 1000 ? 0.5 : -0.5;
    system.setBodyMotion(1, motion, 0);
    assert.equal(system.step(1e-3), 0);
    system.readContact(0, row, 0);
    const force = row[ContactReadout.normalForce];
    const wrench = new Float64Array(6);
    system.contactWrench(1, motion[0], motion[1], motion[2], wrench, 0);
    columns[0].push(motion[12] + 1e-3 * random.gaussian());
    columns[1].push(force + 0.5 * random.gaussian());
    columns[2].push(wrench[5] + BIAS_Nm + 0.01 * random.gaussian());
  }
  const [spin, force, torque] = columns.map((column) => Float64Array.from(column));
  return { data: { spin, force, torque }, gyration: row[ContactReadout.gyration] };
}

test('twists to both sides give f μ_C r beside a bias of the sensor', (t) => {
  const { data, gyration } = twists(1);
  const { identification, used } = identifyTwist(data, 0.95);
  const [lever, bias] = identification.estimates;
  const truth = SPIN_SCALE * COULOMB * gyration;
  t.diagnostic(
    `lever ${lever.value} [${lever.low}, ${lever.high}] of ${truth}, bias ${bias.value}`,
  );
  assert.ok(lever.low < truth && truth < lever.high && lever.high / lever.low < 1.05);
  assert.ok(bias.low < BIAS_Nm && BIAS_Nm < bias.high);
  assert.ok(Math.min(...used) > 50);
});

test('a twist to one side holds no bias, and is refused', () => {
  const { data } = twists(2);
  const spin = data.spin.map(Math.abs);
  assert.throws(
    () => identifyTwist({ ...data, spin }, 0.95),
    /^BerthError: spin: \d+ of 400 means turn steadily under load to one side and 0 to the other; allowed: 4 or more to each/,
  );
});
