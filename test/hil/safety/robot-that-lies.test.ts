/**
 * A robot whose motion contradicts its reports, end to end on the virtual clock: loop, session,
 * loopback, emulated robot.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lieInState } from '../../fixtures/lying-robot.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';
import { flyHonest, flying, PERIODS_s, sampleEvery } from './honest-robot.ts';

/** Stick up, deadman pressed, until the machine leaves motion or the time is over. @returns time to the end of motion, s */
function flyUp(rig: VirtualRig, most_s: number, stick = 1): number {
  const { period_s } = rig.settings.loop;
  for (let i = 0; i * period_s < most_s; i++) {
    rig.input(stick, 1);
    rig.run(1);
    if (!rig.state.startsWith('ACTIVE')) return i * period_s;
  }
  return Number.POSITIVE_INFINITY;
}

const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.hypot((a[0] ?? 0) - (b[0] ?? 0), (a[1] ?? 0) - (b[1] ?? 0), (a[2] ?? 0) - (b[2] ?? 0));
const lastCause = (rig: VirtualRig): string =>
  `${rig.transitions.at(-1)?.to} ${rig.transitions.at(-1)?.cause}`;

test('56: a robot that stands still while set-points run is held at the bound, at every period', (t) => {
  const told: string[] = [];
  for (const period_s of PERIODS_s) {
    const rig = flying(period_s);
    const place = Float64Array.from(rig.robot!.state.position);
    lieInState(rig, (state) => {
      state.position.set(place);
      state.twist.fill(0);
    });
    const time_s = flyUp(rig, 4);
    assert.equal(lastCause(rig), 'HOLD FOLLOWING_ERROR', `${period_s}`);
    const away_m = distance(rig.tick.setpoint, place);
    // 2 mm + 0.05 s · 20 mm/s, three STATE more, and as long as the echo is on its way
    assert.ok(away_m < 0.003 + 0.02 * (6 * period_s + 0.01), `${away_m} m`);
    rig.run(Math.round(1 / period_s), () => rig.input(0, 0));
    assert.equal(rig.state, 'HOLD', 'a robot that stands does not become worse');
    assert.ok(distance(rig.tick.setpoint, place) <= away_m + 1e-4, 'a hold holds');
    told.push(
      `${period_s * 1e3} ms: HOLD after ${time_s.toFixed(3)} s and ${(1e3 * away_m).toFixed(2)} mm`,
    );
  }
  t.diagnostic(`acceptance 56: standing robot: ${told.join('; ')}`);
});

test('56: a robot that says that no set-point arrives is held, and stopped when that lasts', (t) => {
  for (const period_s of PERIODS_s) {
    const rig = flying(period_s);
    const { echoSeq } = rig.robot!.state;
    const begin = rig.timing.executed;
    lieInState(rig, (state, session) => {
      state.echoSeq = echoSeq;
      session.lostInRow = 65535;
    });
    rig.run(40, () => rig.input(0, 1));
    const after = rig.transitions.filter((entry) => entry.tick > begin);
    const seen = after.map((entry) => [entry.to, entry.cause, entry.tick - begin]);
    assert.deepEqual(seen.slice(0, 2), [
      ['HOLD', 'ECHO_LOST', 11],
      ['STOPPING', 'ECHO_LOST', 31],
    ]);
  }
  t.diagnostic('acceptance 56: echo lost: HOLD with the 10th STATE, stop with the 30th');
});

test('56: an echo that says the same for ever, or runs far behind, is not followed into motion', () => {
  const frozen = new VirtualRig();
  lieInState(frozen, (state) => (state.echoSeq = 7));
  frozen.requestArm();
  frozen.run(200, () => frozen.input(0, 1));
  assert.ok(frozen.transitions.every((entry) => entry.to !== 'ACTIVE_FREE'));
  assert.ok(
    frozen.transitions.some(({ to, cause }) => to === 'MONITOR_WAIT' && cause === 'ECHO_LOST'),
  );

  const late = flying(0.001);
  let back = 0;
  lieInState(late, (state) => (state.echoSeq -= Math.floor((back += 0.6))));
  const time_s = flyUp(late, 2, 0);
  assert.equal(lastCause(late), 'HOLD ECHO_LOST');
  assert.ok(time_s < 0.6, `${time_s} s`);
});

test('56: what runs away in a hold is stopped, latched; a hold keeps its own set-point', (t) => {
  const rig = flying(0.001);
  rig.run(50, () => rig.input(0, 0));
  assert.equal(rig.state, 'HOLD');
  const held = Float64Array.from(rig.tick.setpoint);
  const place = Float64Array.from(rig.robot!.state.position);
  let drift_m = 0;
  lieInState(rig, (state) => {
    drift_m += 15e-6; // 15 mm/s with a reported twist of 0
    state.position[0] = (place[0] ?? 0) + Math.min(drift_m, 0.3);
    state.twist.fill(0);
  });
  let stopped_m = 0;
  for (let i = 0; i < 20_000 && rig.state === 'HOLD'; i++) {
    rig.run(1, () => rig.input(0, 0));
    stopped_m = drift_m;
    assert.ok(distance(rig.tick.setpoint, held) < 1e-9, 'the set-point stays');
  }
  assert.equal(lastCause(rig), 'STOPPING FOLLOWING_ERROR');
  assert.ok(stopped_m < 0.0045, `${stopped_m} m`);
  t.diagnostic(
    `acceptance 57: drift in a HOLD with twist 0: stop at ${(1e3 * stopped_m).toFixed(2)} mm`,
  );
});

test('57: 446 mm in 45 ms, and 0.79 m/s for 3 s, with twist 0 told', (t) => {
  const told: string[] = [];
  for (const [step_m, ticks] of [
    [0.446 / 45, 45],
    [0.79e-3, 3000],
  ] as const) {
    const rig = flying(0.001);
    const place = Float64Array.from(rig.robot!.state.position);
    let way_m = 0;
    lieInState(rig, (state) => {
      way_m += step_m;
      state.position[1] = (place[1] ?? 0) + way_m;
      state.twist.fill(0);
    });
    let after = 0;
    for (; after < ticks && rig.state.startsWith('ACTIVE'); after++) {
      rig.run(1, () => rig.input(0, 1));
    }
    assert.equal(lastCause(rig), 'STOPPING VELOCITY_LIMIT');
    assert.ok(after <= 10, `${after} ms`);
    told.push(`${step_m.toFixed(5)} m a tick: stop after ${after} ms`);
  }
  t.diagnostic(`acceptance 57: ${told.join('; ')}`);
});

test('57: a robot that tells another twist than its poses show is held within 0.1 s', (t) => {
  const rig = flying(0.001);
  lieInState(rig, (state) => state.twist.fill(0));
  const time_s = flyUp(rig, 1, 0.7);
  assert.equal(lastCause(rig), 'HOLD TWIST_MISMATCH');
  assert.ok(time_s < 0.1, `${time_s} s`);
  t.diagnostic(`acceptance 57: twist 0 told at 14 mm/s: HOLD after ${time_s.toFixed(3)} s`);
});

/** Useless sampling times; each function is called with every STATE, by its number. */
const BAD_TIMES: Readonly<Record<string, () => Parameters<typeof lieInState>[1]>> = {
  'as they are': () => () => {},
  'again in every 4th STATE': () => {
    let n = 0;
    let last_us = 0;
    return (state) => {
      if (n++ % 4 === 3) state.tMeas_us = last_us;
      last_us = state.tMeas_us;
    };
  },
  'again in every 2nd STATE': () => {
    let n = 0;
    let last_us = 0;
    return (state) => {
      if (n++ % 2 === 1) state.tMeas_us = last_us;
      last_us = state.tMeas_us;
    };
  },
  'an hour ahead in every 2nd STATE': () => {
    let n = 0;
    return (state, session) => {
      if (n++ % 2 === 0) return;
      state.tMeas_us += 3.6e9;
      session.now_us[0] = (session.now_us[0] ?? NaN) + 3.6e9;
    };
  },
};

test('57: sampling times that repeat or jump switch no guard off', (t) => {
  const told: string[] = [];
  for (const [times, begin] of Object.entries(BAD_TIMES)) {
    for (const [what, stick, twist] of [
      ['twist 0 at 14 mm/s', 0.7, (w: Float64Array) => w.fill(0)],
      ['twist of the wrong sign', 1, (w: Float64Array) => w.forEach((x, i) => (w[i] = -x))],
      ['0.1 m/s told at rest', 0, (w: Float64Array) => w.fill(0.1, 0, 1)],
    ] as const) {
      const rig = flying(0.001);
      const change = begin();
      lieInState(rig, (state, session) => {
        twist(state.twist);
        change(state, session);
      });
      const time_s = flyUp(rig, 1, stick);
      assert.equal(lastCause(rig), 'HOLD TWIST_MISMATCH', `${what}, ${times}`);
      assert.ok(time_s < 0.11, `${what}, ${times}: ${time_s} s`);
      if (stick === 0.7) told.push(`${times}: ${(1e3 * time_s).toFixed(0)} ms`);
    }
  }
  t.diagnostic(`acceptance 57: twist 0 told at 14 mm/s, tMeas ${told.join(', ')}`);
});

test('57: a pose sampled in every 2nd or 4th STATE flies and stops as one sampled in each; in every 5th it is held', (t) => {
  const told: string[] = [];
  for (const every of [1, 2, 4]) {
    const rig = flying(0.001);
    sampleEvery(rig, every);
    assert.equal(flyUp(rig, 0.5), Number.POSITIVE_INFINITY, `${every}: ${lastCause(rig)}`);
    rig.tick.shutdownAsked = true;
    const ticks = rig.runUntil('FAULT', 2000);
    assert.ok(ticks > 0 && ticks < 50, `every ${every}: ${ticks} ms`);
    told.push(`every ${every}: ${ticks} ms`);
  }
  const rare = flying(0.001);
  sampleEvery(rare, 5);
  assert.ok(flyUp(rare, 1) < 0.11);
  assert.equal(lastCause(rare), 'HOLD TWIST_MISMATCH');
  t.diagnostic(`acceptance 57: stop at 20 mm/s to rest, a pose in ${told.join(', ')}`);
});

test('57: a clock that runs ten times too fast does not make a robot slow', () => {
  const rig = flying(0.001, { settings: (s) => (s.following.position_m = 0.1) });
  const place = Float64Array.from(rig.robot!.state.position);
  let sample_us = 0;
  let way_m = 0;
  let from_us = 0;
  lieInState(rig, (state, session) => {
    if (from_us === 0) from_us = state.tMeas_us;
    sample_us += 10_000;
    way_m += 0.4e-3;
    state.position[1] = (place[1] ?? 0) + way_m;
    state.twist[1] = 0.04; // as its clock has it
    state.tMeas_us = from_us + sample_us;
    session.now_us[0] = state.tMeas_us;
  });
  const time_s = flyUp(rig, 1, 0);
  assert.match(lastCause(rig), /^(STOPPING|HOLD|OFFLINE)/);
  assert.ok(time_s < 0.15, `${time_s} s`);
});

test('57: a robot that moves is not at rest: a stop waits for the poses, and no set-point goes to a robot that creeps', () => {
  const rig = flying(0.001);
  const place = Float64Array.from(rig.robot!.state.position);
  let way_m = 0;
  lieInState(rig, (state) => {
    way_m += 8e-6; // 8 mm/s
    state.position[0] = (place[0] ?? 0) + way_m;
    state.twist.fill(0);
  });
  rig.run(30, () => rig.input(0, 1));
  const begin = rig.timing.executed;
  rig.tick.shutdownAsked = true;
  rig.run(1500);
  const fault = rig.transitions.find((entry) => entry.to === 'FAULT');
  assert.ok(
    fault !== undefined && fault.tick - begin > 990,
    'only after a second, not by its word',
  );
});

test('57: honest robots that sample every 2nd pose, or every 4th, fly without a false alarm', (t) => {
  let flights = 0;
  for (const [every, periods] of [
    [2, PERIODS_s],
    [4, [0.0005, 0.001]],
  ] as const) {
    for (const period_s of periods) {
      for (const bandwidth_Hz of [25, 50, 200]) {
        flyHonest(period_s, every, flights++, { bandwidth_Hz, delay_s: 0 });
      }
    }
  }
  t.diagnostic(`acceptance 57: ${flights} honest flights with a pose in every 2nd or 4th STATE`);
});
