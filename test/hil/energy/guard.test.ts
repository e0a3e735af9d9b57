/** Passivity guard, one degree of freedom: tests 32 and 33 of `hil-anchors 9.4`. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { GuardSlot, PassivityGuard } from '../../../hil/energy/passivity-guard.ts';
import { PortSample } from '../../../hil/energy/port-sample.ts';
import { type MassOnWall, fly } from './mass-on-wall.ts';
import { SHEET_ROWS } from './sheet-rows.ts';

/** Pass figure of test 32. */
const MOST = 1.0005;
const row = (i: number): MassOnWall => {
  const [m, k, b, T_ms] = SHEET_ROWS[i];
  return { m, k, b, T_ms };
};

test('without guard the loop gives the restitution of hil-anchors 3 within 1 %', () => {
  for (let i = 0; i < SHEET_ROWS.length; i++) {
    const { e } = fly(row(i));
    assert.ok(Math.abs(e / SHEET_ROWS[i][4] - 1) < 0.01, `${SHEET_ROWS[i].join(' ')}: ${e}`);
  }
});

test('guard: e <= 1.0005 in every row', (t) => {
  let worst = 0;
  for (let i = 0; i < SHEET_ROWS.length; i++) {
    const { e, guard } = fly({ ...row(i), guard: true });
    assert.ok(e <= MOST, `${SHEET_ROWS[i].join(' ')}: ${e}`);
    // it takes no more than the delay gave
    assert.ok(e >= Math.min(SHEET_ROWS[i][4], 1) * 0.999, `${SHEET_ROWS[i].join(' ')}: ${e}`);
    assert.equal(guard[GuardSlot.CLAMPED_TICKS], 0, 'what is missing is always there');
    worst = Math.max(worst, e);
  }
  t.diagnostic(`acceptance 32: guard: largest e of ${SHEET_ROWS.length} rows ${worst.toFixed(5)}`);
});

test('guard over a wrong stiffness, a wrong delay and losses: e <= 1.0005', (t) => {
  let worst = 0;
  const cases: Partial<MassOnWall>[] = [
    { compensation: 'model', modelStiffness: 0.7 },
    { compensation: 'lead', delayError_s: -1e-3 },
    { compensation: 'damping', modelStiffness: 0.5, delayError_s: -1e-3 },
    { loss: 0.05 },
    { compensation: 'model', modelStiffness: 0.7, loss: 0.05 },
    { compensation: 'lead', delayError_s: -1e-3, loss: 0.05 },
  ];
  for (let i = 0; i < SHEET_ROWS.length; i++) {
    for (const fault of cases) {
      for (let seed = 1; seed <= 2; seed++) {
        const { e } = fly({ ...row(i), ...fault, seed, guard: true });
        assert.ok(e <= MOST, `${SHEET_ROWS[i].join(' ')} ${JSON.stringify(fault)}: ${e}`);
        worst = Math.max(worst, e);
      }
    }
  }
  t.diagnostic(`acceptance 32: with wrong k, wrong T, 5 % loss ${worst.toFixed(5)}`);
});

// docs/theory/loop-energy.md, Noise of the force: what noise does in free flight is of no contact, what it does in one is the guard's
test('guard over noise of 0.5 N: e <= 1.0005 from the begin of the contact to its end', (t) => {
  const cases: Partial<MassOnWall>[] = [
    {},
    { compensation: 'model', modelStiffness: 0.7, loss: 0.05 },
    { compensation: 'lead', delayError_s: -1e-3, loss: 0.05 },
  ];
  let worst = 0;
  let flight = 0;
  for (let i = 0; i < SHEET_ROWS.length; i++) {
    for (const fault of cases) {
      for (let seed = 1; seed <= 4; seed++) {
        const noisy = { ...row(i), ...fault, seed, guard: true, noise: 0.5 };
        const { e, ePort } = fly({ ...noisy, v0: 0.05, threshold: 2.5 });
        const text = `${SHEET_ROWS[i].join(' ')} ${JSON.stringify(fault)}`;
        assert.ok(ePort <= MOST && ePort > 0.5, `${text}: ${ePort}`);
        worst = Math.max(worst, ePort);
        flight = Math.max(flight, e);
      }
    }
  }
  t.diagnostic(
    `acceptance 32: with 0.5 N noise ${worst.toFixed(5)} (with the free flight before and after ${flight.toFixed(4)})`,
  );
});

test('the row of sensed ticks before a contact is booked, noise without a contact is not', () => {
  const guard = new PassivityGuard({ period_s: 1, tolerance_J: 0, largestStiffness_N_per_m: 0 });
  const sample = new PortSample();
  const tick = (force: number, sensed: 0 | 1, touching: 0 | 1): number => {
    sample.acting[2] = force;
    sample.middle[2] = -1;
    sample.sensed = sensed;
    sample.touching = touching;
    guard.observe(sample);
    return guard.slots[GuardSlot.HELD];
  };
  const kept = 1 - 1 / 50;
  assert.ok(Math.abs(tick(1, 1, 0) - kept) < 1e-12, 'sensed: booked');
  assert.equal(tick(0.1, 0, 0), 0, 'not sensed: forgotten');
  tick(1, 1, 0);
  const begun = tick(5, 1, 1);
  assert.ok(Math.abs(begun - kept - 5) < 1e-12, 'the tick before the contact counts');
  // until 50 ticks after the contact every tick counts, sensed or not
  for (let n = 0; n < 50; n++) tick(0.1, 0, 0);
  assert.ok(
    Math.abs(guard.slots[GuardSlot.HELD] - begun - 5) < 1e-12,
    'small forces of the contact count',
  );
  assert.equal(tick(0.1, 0, 0), 0, 'the contact has ended');
});

test('slow contacts: the force below the threshold counts on both ways', () => {
  for (const v0 of [0.1, 0.03, 0.01]) {
    for (const T_ms of [2, 5, 10]) {
      const { e } = fly({ m: 100, k: 1e5, b: 0, T_ms, v0, guard: true });
      assert.ok(e <= MOST && e > 0.998, `${v0} m/s, ${T_ms} ms: ${e}`);
    }
  }
});

test('held contact for 60 s: the peak never exceeds 1.2 times the ideal one', (t) => {
  const held = { m: 100, k: 1e5, b: 0, T_ms: 5, v0: 0.01, push: 20, duration_s: 60 };
  // half the swing of the mass on the spring about the push: 20 N + sqrt((20 N)² + (v0 sqrt(k m))²)
  const ideal = 20 + Math.hypot(20, 0.01 * Math.sqrt(1e5 * 100));
  const worst = (o: Partial<MassOnWall>): number =>
    Math.max(...fly({ ...held, ...o }).peaks.slice(1));
  assert.ok(worst({ duration_s: 5 }) > 4 * ideal, 'without guard it grows');
  for (const fault of [{}, { loss: 0.05, noise: 0.5 }]) {
    const peak = worst({ ...fault, guard: true });
    assert.ok(peak <= 1.2 * ideal, `${JSON.stringify(fault)}: ${peak} N over ${ideal} N`);
    t.diagnostic(`acceptance 32: held 60 s: peak ${(peak / ideal).toFixed(2)} times the ideal`);
  }
  // a prediction that is too soft lets it grow to twice the ideal within seconds; with the energy reference it does not
  const soft = { compensation: 'model', modelStiffness: 0.8, duration_s: 20 } as const;
  assert.ok(worst(soft) > 1.5 * ideal, 'a soft model lets it grow');
  const referenced = worst({ ...soft, guard: true, largestStiffness: 1e5 });
  assert.ok(referenced <= 1.05 * ideal, `with reference: ${referenced} N over ${ideal} N`);
});

/** The wrong observer of test 33: with the velocity at the start of the tick it misses h² F²/(2 m) in every tick. */
class StartOfTickGuard extends PassivityGuard {
  override observe(sample: PortSample): void {
    sample.middle.set(sample.before);
    super.observe(sample);
  }
}

test('an observer with the velocity at the start of the tick lets energy through', (t) => {
  const options = { period_s: 1e-3, tolerance_J: 0, largestStiffness_N_per_m: 0 };
  for (const T_ms of [1, 5, 20]) {
    const wall = { m: 100, k: 1e5, b: 0, T_ms };
    const { e } = fly({ ...wall, guard: new StartOfTickGuard(options) });
    assert.ok(e > 1.02, `${T_ms} ms: ${e}`);
    const right = fly({ ...wall, guard: new PassivityGuard(options) });
    assert.ok(right.e <= MOST, `${T_ms} ms: ${right.e}`);
    t.diagnostic(
      `acceptance 33: ${T_ms} ms: e = ${e.toFixed(3)}, in the middle ${right.e.toFixed(5)}`,
    );
  }
});

test('the tolerance is what a contact may give beyond what it took', () => {
  const options = { period_s: 1e-3, tolerance_J: 0.05, largestStiffness_N_per_m: 0 };
  const wall = { m: 100, k: 1e5, b: 0, T_ms: 5 };
  const { e } = fly({ ...wall, guard: new PassivityGuard(options) });
  // 0.5 J came in
  assert.ok(Math.abs(e - Math.sqrt(0.55 / 0.5)) < 1e-3, `e ${e}`);
});

test('state of the guard: half a contact in another guard goes on alike', () => {
  const options = { period_s: 1e-3, tolerance_J: 0, largestStiffness_N_per_m: 1e5 };
  class Handing extends PassivityGuard {
    ticks = 0;
    override observe(sample: PortSample): void {
      if (++this.ticks === 60) {
        const state = new Float64Array(this.arena.stateLength + 2);
        this.arena.saveState(state, 1);
        super.release();
        this.slots.fill(0);
        this.arena.loadState(state, 1);
      }
      super.observe(sample);
    }
  }
  const wall = { m: 100, k: 1e5, b: 0, T_ms: 5 };
  const one = fly({ ...wall, guard: new PassivityGuard(options) });
  const two = fly({ ...wall, guard: new Handing(options) });
  assert.equal(one.e, two.e);
  assert.deepEqual(one.guard, two.guard);
});
