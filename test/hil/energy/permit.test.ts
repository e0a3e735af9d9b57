/** Contact permit: what is within its limits, what an acknowledgement covers, when it is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERMIT_STATES } from '../../../hil/contract/commands.ts';
import { ContactPermit, GAIN_LIMIT } from '../../../hil/energy/contact-permit.ts';

const LIMITS = { restitution_limit: 1.02, margin_limit: 2, permit: 'required' } as const;
const TICK = Float64Array.of(0.001);

/** Judge a prediction. @returns the state by name */
function judge(
  permit: ContactPermit,
  restitution: number,
  margin: number,
  gain = 0.1,
  ticks = 1,
  unknown = 0,
): string {
  permit.predicted.set([restitution, margin, gain, unknown]);
  for (let i = 0; i < ticks; i++) permit.update(true, TICK);
  return PERMIT_STATES[permit.state] ?? '';
}

/** Judge `contacts` of which nothing is known beside one that is within its limits. */
const judgeUnknown = (permit: ContactPermit, contacts = 1): string =>
  judge(permit, 1, 3, 0.1, 1, contacts);

test('each limit by itself asks; at the limits the permit is valid', () => {
  const permit = new ContactPermit(LIMITS);
  assert.equal(judge(permit, 1.02, 2, GAIN_LIMIT * (1 - 1e-12)), 'valid');
  assert.equal(judge(permit, 1.0201, 2), 'needed');
  assert.equal(judge(permit, 1, 1.99), 'needed');
  assert.equal(judge(permit, 1, 2, GAIN_LIMIT), 'needed');
  assert.equal(judgeUnknown(permit), 'needed', 'nothing is known');
  assert.ok(permit.needed, 'ARM must wait');
  permit.update(false, TICK);
  assert.equal(PERMIT_STATES[permit.state], 'none');
  assert.ok(!permit.needed, 'without a delayed contact nobody is asked');
});

test('an acknowledgement covers a fifth more delay, not more, until it is withdrawn', () => {
  const permit = new ContactPermit(LIMITS);
  // e = exp(pi w T / 2): a fifth more delay is the power 1.2 of the restitution, and a margin less by 1.2
  judge(permit, 1.28, 1.5);
  permit.acknowledge();
  assert.equal(judge(permit, 1.28 ** 1.19, 1.5 / 1.19), 'acknowledged');
  assert.equal(judge(permit, 1.28 ** 1.21, 1.5), 'needed', 'restitution');
  assert.equal(judge(permit, 1.28, 1.5 / 1.21), 'needed', 'margin');
  assert.equal(judge(permit, 1, 3), 'valid', 'within the limits no acknowledgement is used');
  permit.withdraw();
  assert.equal(judge(permit, 1.28, 1.5), 'needed');
});

test('restitution and accommodation number are covered a fifth further, without a step at 1', () => {
  const covers = (acknowledged: number, restitution: number): boolean => {
    const permit = new ContactPermit({ ...LIMITS, restitution_limit: 0.3 });
    judge(permit, acknowledged, 3);
    permit.acknowledge();
    return judge(permit, restitution, 3) === 'acknowledged';
  };
  assert.ok(covers(0.5, 0.59) && !covers(0.5, 0.61));
  assert.ok(covers(0.9, 1) && !covers(0.9, 1.001), 'nothing is gained up to 1');
  assert.ok(covers(1, 1) && !covers(1, 1.001));
  assert.ok(covers(1.01, 1.0119) && !covers(1.01, 1.0122));
  const permit = new ContactPermit(LIMITS);
  judge(permit, 1, 3, 1.5);
  permit.acknowledge();
  assert.equal(judge(permit, 1, 3, 1.79), 'acknowledged');
  assert.equal(judge(permit, 1, 3, 1.81), 'needed');
});

test('an acknowledged unknown covers what is unknown, not what turns out to be beyond the limits', () => {
  const permit = new ContactPermit(LIMITS);
  judgeUnknown(permit);
  permit.acknowledge();
  assert.equal(judgeUnknown(permit), 'acknowledged');
  assert.equal(judgeUnknown(permit, 2), 'needed', 'one more unknown');
  assert.equal(judge(permit, 1, 3), 'valid', 'known, and within the limits');
  assert.equal(judge(permit, 1.03, 3), 'needed', 'known, and its restitution is not');
  assert.equal(judge(permit, 1, 1.9), 'needed', 'nor its margin');
  assert.equal(judge(permit, 1, 3, 0.4), 'needed', 'nor its accommodation number');
  permit.acknowledge();
  assert.equal(judge(permit, 1, 3, 0.4), 'acknowledged');
  assert.equal(judgeUnknown(permit), 'needed', 'and a known one does not cover an unknown');
});

test('an acknowledgement is judged at once, and does not outlive the link', () => {
  const permit = new ContactPermit(LIMITS);
  judge(permit, 1.28, 1.5);
  permit.acknowledge();
  assert.ok(!permit.needed);
  permit.withdraw();
  assert.ok(permit.needed);
  permit.acknowledge();
  permit.update(false, TICK);
  assert.equal(judge(permit, 1.28, 1.5), 'needed');
});

test('a permit that is missing for a second is lost, and found again at once', () => {
  const permit = new ContactPermit(LIMITS);
  judge(permit, 1.5, 1, 0.1, 999);
  assert.equal(permit.lost, 0);
  // the sum of 1000 periods falls short of a second by rounding
  judge(permit, 1.5, 1, 0.1, 2);
  assert.equal(permit.lost, 1);
  judge(permit, 1, 3);
  assert.equal(permit.lost, 0);
});

test('advisory tells, but never asks and is never lost', () => {
  const permit = new ContactPermit({ ...LIMITS, permit: 'advisory' });
  assert.equal(judge(permit, 1.5, 1, 0.1, 5000), 'needed');
  assert.equal(permit.needed, false);
  assert.equal(permit.lost, 0);
});

test('the whole state crosses: a copy judges as the original', () => {
  const permit = new ContactPermit(LIMITS);
  judge(permit, 1.28, 1.5, 0.1, 400);
  permit.acknowledge();
  judge(permit, 1.28 ** 1.3, 1.5, 0.1, 700);
  const state = new Float64Array(permit.arena.stateLength);
  permit.arena.saveState(state, 0);
  const copy = new ContactPermit(LIMITS);
  copy.arena.loadState(state, 0);
  for (const [e, ticks] of [
    [1.6, 299],
    [1.6, 2],
    [1.28 ** 1.1, 1],
  ] as const) {
    assert.equal(judge(copy, e, 1.5, 0.1, ticks), judge(permit, e, 1.5, 0.1, ticks));
    assert.equal(copy.lost, permit.lost);
  }
});
