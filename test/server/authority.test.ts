/** Authority: exactly one holder, leases and questions that run out on the exact instant, any schedule (hil-anchors 9.4, 26). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ASK_TIMEOUT_S, AuthorityKeeper } from '../../server/authority.ts';
import { InputAge } from '../../server/input-age.ts';

const LEASE_S = 2;

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

test('only a supervisor takes over', () => {
  const { keeper } = makeKeeper();
  keeper.request(1, 0);
  assert.equal(keeper.takeOver(2, 'operator', 0), false);
  assert.equal(keeper.takeOver(2, 'supervisor', 0), true);
  assert.equal(keeper.holder, 2);
});

test('every schedule has at most one holder, and one that renewed within its lease', () => {
  const step = fc.record({
    wait_s: fc.double({ min: 0, max: 3, noNaN: true }),
    session: fc.integer({ min: 1, max: 3 }),
    action: fc.constantFrom('request', 'grant', 'deny', 'release', 'renew', 'disconnect', 'tick'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const { keeper, log } = makeKeeper();
      let now = 0;
      let holder = 0;
      let proof = 0; // when the holder was last given or renewed authority
      for (const { wait_s, session, action } of steps) {
        now += wait_s;
        const before = log.length;
        if (action === 'request') keeper.request(session, now);
        else if (action === 'grant') keeper.grant(session, now);
        else if (action === 'deny') keeper.deny(session);
        else if (action === 'release') keeper.release(session, now);
        else if (action === 'disconnect') keeper.disconnect(session, now);
        else if (action === 'tick') keeper.tick(now);
        else if (keeper.renew(session, now)) proof = now;
        keeper.tick(now);
        for (const line of log.slice(before)) {
          if (!/^\d/.test(line)) continue;
          const next = Number(line.split(' ')[0]);
          assert.notEqual(next, holder);
          holder = next;
          proof = now;
        }
        // What was announced is what holds, and nobody holds longer than its lease.
        assert.equal(keeper.holder, holder);
        assert.ok(holder === 0 || now - proof < LEASE_S);
      }
    }),
    { numRuns: 20_000, seed: 26 },
  );
});

test('input age shows a stall and its burst, whatever the client clock says', () => {
  for (const offset of [0, 600, -600]) {
    const age = new InputAge();
    for (let i = 0; i < 100; i++) assert.ok(age.update(i * 0.01 + offset, i * 0.01 + 0.02) < 1e-9);
    // 400 ms of inputs arrive at once: the first is 380 ms late beside the others, the last is not
    assert.ok(Math.abs(age.update(1 + offset, 1.4) - 0.38) < 1e-9);
    assert.ok(Math.abs(age.update(1.38 + offset, 1.4)) < 1e-9);
  }
});
