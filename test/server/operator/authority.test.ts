/** Authority: exactly one holder, leases and questions that run out on the exact instant, any schedule (hil-anchors 9.4, 26). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ASK_TIMEOUT_S, AuthorityKeeper } from '../../../server/operator/authority.ts';
import type { ArmMotion } from '../../../server/status/status.ts';

const LEASE_S = 2;
const AT_REST: ArmMotion = { deadman: false, engaged: false, moving: false };

function makeKeeper(): { keeper: AuthorityKeeper; log: string[] } {
  const log: string[] = [];
  const keeper = new AuthorityKeeper(LEASE_S, {
    changed: (holder, reason) => log.push(`${holder} ${reason}`),
    asked: (holder, session) => log.push(`ask ${holder} for ${session}`),
    denied: (session) => log.push(`denied ${session}`),
  });
  return { keeper, log };
}

test('a silent holder loses its lease at 2 s and whoever asked is next', () => {
  const { keeper, log } = makeKeeper();
  assert.equal(keeper.request(1, 0), 'granted');
  assert.equal(keeper.request(2, 0.5), 'asked');
  keeper.tick(LEASE_S - 1e-9);
  assert.equal(keeper.holder, 1);
  keeper.tick(LEASE_S);
  assert.equal(keeper.holder, 2);
  assert.deepEqual(log, ['1 requested', 'ask 1 for 2', '0 lease_expired', '2 requested']);
});

test('a holder that flies and does not answer keeps authority after 10 s', () => {
  const { keeper, log } = makeKeeper();
  keeper.request(1, 0);
  keeper.request(2, 0);
  assert.equal(keeper.request(3, 0), 'busy');
  for (let t = 0; t <= ASK_TIMEOUT_S; t += 1) keeper.renew(1, t);
  assert.equal(keeper.holder, 1);
  assert.equal(log.at(-1), 'denied 2');
  assert.equal(keeper.renew(2, ASK_TIMEOUT_S), false);
});

test('only a supervisor takes over, and only an arm that rests', () => {
  const { keeper } = makeKeeper();
  keeper.request(1, 0);
  assert.equal(keeper.takeOver(2, 'operator', 0, AT_REST), 'not_allowed');
  const engaged = { ...AT_REST, engaged: true };
  assert.equal(keeper.takeOver(2, 'supervisor', 0, engaged), 'wrong_state');
  const braking = { ...AT_REST, moving: true };
  assert.equal(keeper.takeOver(2, 'supervisor', 0, braking), 'moving');
  assert.equal(keeper.holder, 1);
  // a holder that leans on the deadman cannot keep it that way
  assert.equal(keeper.takeOver(2, 'supervisor', 0, { ...AT_REST, deadman: true }), 'ok');
  assert.equal(keeper.holder, 2);
});

test('a hand-over is granted with the deadman released and at rest, not before', () => {
  const { keeper } = makeKeeper();
  keeper.request(1, 0);
  assert.equal(keeper.grant(1, 0, AT_REST), 'nothing_asked');
  keeper.request(2, 0);
  assert.equal(keeper.grant(2, 0, AT_REST), 'nothing_asked');
  assert.equal(keeper.grant(1, 0, { ...AT_REST, deadman: true }), 'deadman_pressed');
  assert.equal(keeper.grant(1, 0, { ...AT_REST, moving: true }), 'moving');
  assert.equal(keeper.holder, 1);
  assert.equal(keeper.grant(1, 0, AT_REST), 'ok');
  assert.equal(keeper.holder, 2);
  // what a holder whose lease has run out grants is not its to give
  keeper.request(3, 0.5);
  assert.equal(keeper.grant(2, LEASE_S, AT_REST), 'nothing_asked');
  assert.equal(keeper.holder, 3);
});

/** Small, fast and the same everywhere: mulberry32. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let z = Math.imul(state ^ (state >>> 15), 1 | state);
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z;
    return ((z ^ (z >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * One random schedule of three stations and a loop that takes what was posted once a tick, as OperatorPort does: exactly the
 * announced holder at every tick, never one without a claim, and no consented hand-over of an arm that moves.
 */
function flySchedule(random: () => number): void {
  const posted: number[] = [];
  const claims = new Set<number>(); // sessions with a request that has not been refused, left or released since
  let now = 0;
  let proof = 0; // when the holder was last given or renewed authority
  let arm = AT_REST;
  const keeper = new AuthorityKeeper(LEASE_S, {
    changed: (holder, reason) => {
      assert.notEqual(holder, posted.at(-1) ?? 0);
      if (reason === 'granted') assert.ok(!arm.deadman && !arm.moving, 'granted in motion');
      if (reason === 'taken_over') assert.ok(!arm.engaged && !arm.moving, 'taken over in motion');
      assert.ok(holder === 0 || claims.has(holder), `${holder} never asked`);
      posted.push(holder);
      proof = now;
    },
    asked: (holder) => assert.equal(holder, posted.at(-1)),
    denied: (session) => claims.delete(session),
  });
  let loopHolder = 0;
  let heard = 0;
  for (let step = 0; step < 20; step++) {
    now += random() < 0.2 ? 3 * random() : 0.05 * random();
    const session = 1 + Math.floor(3 * random());
    arm = { deadman: random() < 0.3, engaged: random() < 0.3, moving: random() < 0.3 };
    const action = Math.floor(8 * random());
    if (action === 0) {
      claims.add(session);
      if (keeper.request(session, now) === 'busy') claims.delete(session);
    } else if (action === 1) keeper.grant(session, now, arm);
    else if (action === 2) keeper.deny(session);
    else if (action === 3) {
      if (keeper.release(session, now)) claims.delete(session);
    } else if (action === 4) {
      keeper.disconnect(session, now);
      claims.delete(session);
    } else if (action === 5) {
      const role = session === 3 ? 'supervisor' : 'operator';
      if (role === 'supervisor' && keeper.holder !== 0 && keeper.holder !== session) {
        claims.add(session);
        keeper.takeOver(session, role, now, arm);
      }
    } else if (keeper.renew(session, now)) proof = now;
    keeper.tick(now);
    // the tick of the loop: it gets every change in order and keeps the last
    for (; heard < posted.length; heard++) loopHolder = posted[heard] ?? 0;
    assert.equal(keeper.holder, loopHolder);
    assert.ok(loopHolder === 0 || now - proof < LEASE_S, `${loopHolder} outlived its lease`);
    const sound = keeper.asking === 0 || (loopHolder !== 0 && keeper.asking !== loopHolder);
    assert.ok(sound, `${keeper.asking} asks, ${loopHolder} holds`);
  }
}

test('100 000 random schedules: exactly one holder at every tick, and one that renewed within its lease', (t) => {
  for (let seed = 1; seed <= 100_000; seed++) {
    try {
      flySchedule(makeRandom(seed));
    } catch (error) {
      throw new Error(`schedule ${seed}`, { cause: error });
    }
  }
  t.diagnostic('acceptance 26: 100,000 schedules, one holder at every tick, none beyond its lease');
});
