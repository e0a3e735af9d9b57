/** Compensation of the delay: test 34 of `hil-anchors 9.4`, lead and damping against `hil-anchors 3`, options that exclude each other. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { COMPENSATIONS } from '../../../hil/contract/commands.ts';
import { DelaySlot } from '../../../hil/energy/delay-estimator.ts';
import { Compensation } from '../../../hil/energy/compensation.ts';
import { checkCompensation, refusalOf } from '../../../hil/energy/compensation-check.ts';
import { PositionLead } from '../../../hil/energy/position-lead.ts';
import { ShadowContact } from '../../../hil/contract/shadow-contact.ts';
import { fly, wallModel } from './mass-on-wall.ts';
import { SHEET_ROWS, undelayed } from './sheet-rows.ts';

test('model prediction: e within 0.2 % (b = 0) and 3 % (b > 0) of the undelayed one', (t) => {
  const worst = [0, 0];
  for (const [m, k, b, T_ms] of SHEET_ROWS) {
    const { e } = fly({ m, k, b, T_ms, compensation: 'model' });
    const ideal = undelayed(m, k, b);
    // by geometry and pose difference it holds beyond w T = 0.32 of the test as well
    assert.ok(Math.abs(e / ideal - 1) < (b === 0 ? 0.002 : 0.03), `${m} ${k} ${b} ${T_ms}: ${e}`);
    const kind = b === 0 ? 0 : 1;
    worst[kind] = Math.max(worst[kind], Math.abs(e / ideal - 1));
  }
  const [spring, dashpot] = worst.map((error) => (100 * error).toFixed(2));
  t.diagnostic(`acceptance 34: off by ${spring} % (b = 0) and ${dashpot} % (b > 0) at most`);
});

test('a model 30 % too soft and one 30 % too stiff', () => {
  const wall = { m: 100, k: 1e5, b: 0, T_ms: 5, compensation: 'model' } as const;
  const soft = fly({ ...wall, modelStiffness: 0.7 }).e;
  assert.ok(Math.abs(soft - 1.077) < 0.005, `hil-anchors 3 has 1.077: ${soft}`);
  const stiff = fly({ ...wall, modelStiffness: 1.3 }).e;
  assert.ok(stiff < 1 && stiff > 0.9, `more stiffness damps: ${stiff}`);
});

test('force lead: the figures of hil-anchors 3 within 0.2 %', () => {
  const rows: [number, number, number, number][] = [
    [1e5, 0, 1, 1.0014],
    [1e5, 0, 5, 1.0247],
    [1e5, 0, 10, 1.1108],
    [1e5, 0, 20, 1.6084],
    [1e5, 200, 2, 0.9115],
    [1e5, 200, 5, 0.9281],
    [1e5, 200, 10, 1.0008],
    [1e6, 0, 5, 1.3773],
  ];
  for (const [k, b, T_ms, sheet] of rows) {
    const { e } = fly({ m: 100, k, b, T_ms, compensation: 'lead' });
    assert.ok(Math.abs(e / sheet - 1) < 0.003, `${k} ${b} ${T_ms}: ${e}, sheet ${sheet}`);
  }
});

test('force lead: a delay below zero leads nothing, and leaves a filter that is sound when it is positive again', () => {
  const h = 1e-3;
  const delay = new Float64Array(7);
  const compensation = new Compensation({
    period_s: h,
    noise_N: 0,
    delay,
    stiffness: new Float64Array(1),
    inverseMass: new Float64Array(36),
    shadows: null,
  });
  compensation.kind = COMPENSATIONS.indexOf('lead');
  const force = new Float64Array(6);
  const motion = new Float64Array(13);
  const slope = 2e4; // N/s
  for (let n = 0; n < 4000; n++) {
    delay[DelaySlot.TOTAL] = n < 2000 ? -4e-3 : 4e-3;
    force[2] = 50 + slope * h * n;
    compensation.compute(force, 1, 1, motion, motion);
    if (n < 2000) assert.equal(compensation.wrench[2], 0);
    else if (n > 2000) {
      const lead = slope * 4e-3;
      assert.ok(Math.abs(compensation.wrench[2] / lead - 1) < 1e-3, `${compensation.wrench[2]} N`);
    }
  }
  force[2] = NaN;
  compensation.compute(force, 1, 1, motion, motion);
  compensation.compute(force, 1, 1, motion, motion);
  assert.ok(
    Number.isNaN(compensation.wrench[2]),
    'what is no number must be seen, not be felt as no force',
  );
});

test('virtual damping: b_v = k T as in hil-anchors 3 within 1.5 %, 1.1 k T damps more', () => {
  const rows: [number, number, number, number][] = [
    [1e5, 0, 1, 1.0005],
    [1e5, 0, 5, 1.0032],
    [1e5, 0, 10, 0.9965],
    [1e5, 200, 2, 0.9122],
    [1e5, 200, 5, 0.9193],
    [1e5, 200, 10, 0.9199],
  ];
  for (const [k, b, T_ms, sheet] of rows) {
    const wall = { m: 100, k, b, T_ms, compensation: 'damping' } as const;
    const one = fly({ ...wall, modelStiffness: 1 / 1.1 }).e;
    assert.ok(Math.abs(one / sheet - 1) < 0.015, `${k} ${b} ${T_ms}: ${one}, sheet ${sheet}`);
    const more = fly(wall).e;
    assert.ok(more < one && more < 1, `${k} ${b} ${T_ms}: ${more}`);
  }
});

test('losses and the model prediction: the figure of hil-anchors 3', () => {
  for (let seed = 1; seed <= 7; seed++) {
    const wall = { m: 100, k: 1e5, b: 0, T_ms: 5, loss: 0.05, seed };
    const { e } = fly({ ...wall, compensation: 'model' });
    // hil-anchors 3 has 1.003 as the worst of 7 seeds; a lost frame in the steepest part costs up to k v h of force for a tick
    assert.ok(Math.abs(e - 1) < 0.01, `seed ${seed}: ${e}`);
  }
});

test('the shadow has the force of the law at the pose where it is put', () => {
  const shadow = new ShadowContact(wallModel(1e5, 200), 'buffer', 1e-3);
  const motion = new Float64Array(13);
  motion[2] = -1e-3;
  motion[6] = 1;
  shadow.step(motion);
  assert.ok(Math.abs(shadow.wrench[2] - 100) < 1e-9, `${shadow.wrench[2]} N`);
  motion[9] = -0.05;
  shadow.step(motion);
  assert.ok(Math.abs(shadow.wrench[2] - 110) < 0.01 * 110, `${shadow.wrench[2]} N`);
  motion[2] = 1e-3;
  shadow.step(motion);
  assert.equal(shadow.wrench[2], 0);
});

test('what does not go together is refused with the reason', () => {
  const good = {
    compensation: 'none',
    removal: false,
    tank_J: 0,
    stiffnessKnown: true,
    contactModelled: true,
  } as const;
  for (const compensation of ['none', 'model', 'lead', 'damping'] as const) {
    assert.equal(refusalOf({ ...good, compensation }), null, compensation);
    if (compensation === 'none') continue;
    assert.throws(
      () => checkCompensation({ ...good, compensation, removal: true }),
      /energy\.removal must be false .* taken away again/,
    );
  }
  assert.equal(refusalOf({ ...good, removal: true }), null);
  assert.throws(() => checkCompensation({ ...good, removal: true, tank_J: 1 }), /both pay/);
  const model = { ...good, compensation: 'model', contactModelled: false } as const;
  assert.throws(() => checkCompensation(model), /no contact of the tool/);
  const damping = { ...good, compensation: 'damping', stiffnessKnown: false } as const;
  assert.throws(() => checkCompensation(damping), /energy\.stiffness_N_per_m/);
});

test('removal over lead, model or damping does over-damp', () => {
  for (const compensation of ['lead', 'model', 'damping'] as const) {
    const wall = { m: 100, k: 1e5, b: 0, T_ms: 5, compensation };
    const alone = fly(wall).e;
    const both = fly({ ...wall, removal: true }).e;
    const ideal = 1;
    assert.ok(
      both < ideal - 0.005 && both < alone,
      `${compensation}: ${alone}, with removal ${both}`,
    );
  }
});

test('position lead: finds the lag of the robot and undoes it, also while turning and braking', () => {
  const h = 1e-3;
  const lag = 8; // ticks
  const delay = new Float64Array(7);
  delay[DelaySlot.VALID] = 1;
  const lead = new PositionLead(h, delay);
  const setpoint = new Float64Array(13);
  const sent: number[][] = [];
  let worst = 0;
  let worstTurn = 0;
  for (let n = 0; n < 16_000; n++) {
    const t = n * h;
    const w = 2 * Math.PI * 0.5;
    const turn = 0.3 * Math.sin(w * t);
    const turnRate = 0.3 * w * Math.cos(w * t);
    setpoint.fill(0);
    setpoint[0] = 0.05 * Math.sin(w * t);
    setpoint[7] = 0.05 * w * Math.cos(w * t);
    setpoint[5] = Math.sin(turn / 2);
    setpoint[6] = Math.cos(turn / 2);
    setpoint[12] = turnRate;
    const x = setpoint[0];
    lead.apply(setpoint);
    sent.push([...setpoint]);
    // the robot is where it was sent `lag` ticks ago; the estimator sees what of the lag is left, by the velocity
    const at = sent[Math.max(0, n - lag)];
    delay[DelaySlot.ROBOT] = lag * h - lead.lead_s[0];
    if (n > 12_000) {
      worst = Math.max(worst, Math.abs(at[0] - x));
      worstTurn = Math.max(worstTurn, Math.abs(2 * Math.atan2(at[5], at[6]) - turn));
    }
  }
  assert.ok(Math.abs(lead.lead_s[0] - lag * h) < 1e-4, `lead ${lead.lead_s[0]} s`);
  // third term of the series, T³ x'''/6 = (8e-3)³ · 0.05 π³/6, and half a tick of the difference that stands for a: T² h x'''/4
  const jerk = 0.05 * Math.PI ** 3;
  const most = (lag * h) ** 3 * jerk * (1 / 6 + 1 / (2 * lag)) * 1.5;
  assert.ok(worst < most, `${worst} m, without lead ${0.05 * Math.PI * lag * h} m`);
  assert.ok(worstTurn < (most / 0.05) * 0.3, `${worstTurn} rad`);
});

test('position lead: at rest nothing is known of the robot, and the lead stays; braked it is taken back in 80 ms without a step', () => {
  const h = 1e-3;
  const delay = new Float64Array(7);
  delay[DelaySlot.VALID] = 1;
  delay[DelaySlot.ROBOT] = 1e-3;
  const lead = new PositionLead(h, delay);
  const setpoint = new Float64Array(13);
  setpoint[6] = 1;
  for (let n = 0; n < 50_000; n++) lead.apply(setpoint);
  assert.equal(lead.lead_s[0], 0);

  // 10 ms ahead at 0.1 m/s and 0.5 rad/s, then the arm is braked with 5 m/s² and 25 rad/s²
  delay[DelaySlot.ROBOT] = 1e-2;
  let x = 0;
  let turn = 0;
  let [last, lastTurn] = [0, 0];
  const put = (v: number, w: number): void => {
    x += v * h;
    turn += w * h;
    setpoint.fill(0);
    setpoint[0] = x;
    setpoint[7] = v;
    setpoint[3] = Math.sin(turn / 2);
    setpoint[6] = Math.cos(turn / 2);
    setpoint[10] = w;
  };
  for (let n = 0; n < 3000; n++) {
    put(0.1, 0.5);
    lead.apply(setpoint);
    delay[DelaySlot.ROBOT] = 1e-2 - lead.lead_s[0];
    [last, lastTurn] = [setpoint[0], 2 * Math.atan2(setpoint[3], setpoint[6])];
  }
  assert.ok(Math.abs(setpoint[0] - x - 1e-3) < 1e-4, 'a millimetre ahead');
  let fastest = 0;
  let fastestTurn = 0;
  let differs = 0;
  for (let n = 1; n <= 1000; n++) {
    const left = Math.max(0, 1 - n / 20);
    put(0.1 * left, 0.5 * left);
    lead.fade(setpoint);
    const now = 2 * Math.atan2(setpoint[3], setpoint[6]);
    const speed = (setpoint[0] - last) / h;
    fastest = Math.max(fastest, Math.abs(speed));
    fastestTurn = Math.max(fastestTurn, Math.abs(now - lastTurn) / h);
    differs = Math.max(differs, Math.abs(speed - setpoint[7]));
    [last, lastTurn] = [setpoint[0], now];
    if (n >= 80) assert.deepEqual([setpoint[0], setpoint[7], setpoint[10]], [x, 0, 0]);
  }
  assert.ok(fastest <= 0.1, `${fastest} m/s`);
  assert.ok(fastestTurn <= 0.5, `${fastestTurn} rad/s`);
  // the twist that is sent is that of the pose: it changes by half a tick of braking and of the way back, h/2 (a + 10/√3 |d|/D²)
  assert.ok(
    differs < 0.5 * h * (5 + (10 / Math.sqrt(3)) * (1e-3 / 0.08 ** 2)) * 1.1,
    `${differs} m/s`,
  );
  assert.ok(
    Math.abs(setpoint[0] - x) < 1e-9 && Math.abs(lastTurn - turn) < 1e-8,
    'nothing is left',
  );
});
