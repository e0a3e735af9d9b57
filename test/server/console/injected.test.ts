/** Injected faults in words: the banner on every page, and the lines of the event log. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INJECTION_TABLE, INJECTIONS } from '../../../hil/contract/injections.ts';
import type { LoopNotice } from '../../../server/client/messages.ts';
import {
  injectedLately,
  injectedSentence,
  injectionWords,
} from '../../../server/console/shell/injected.ts';

const notice = (kind: string, began = true, amount = 1): LoopNotice & { name: 'injected' } => ({
  name: 'injected',
  tick: 1,
  time_s: 2,
  kind,
  began,
  ...(began ? { amount } : {}),
});

test('injected faults are named without their units, and nothing is said when there are none', () => {
  assert.equal(injectedSentence([]), '');
  assert.equal(
    injectedSentence(['link_delay_s', 'recorder_slow_Bps', 'force_noise_N']),
    'Faults are injected on purpose: link delay, recorder slow, force noise.',
  );
  for (const name of INJECTIONS) {
    assert.match(injectedSentence([name]), /: [a-z ]{5,}[.]$/, name);
  }
});

test('one that ends at once is named for 10 s, one that is there as long as it is', () => {
  const link = { name: 'link', tick: 1, time_s: 2, up: true } as const;
  const told = [
    { at_ms: 0, notice: notice('loop_error') },
    { at_ms: 500, notice: link },
    { at_ms: 1000, notice: notice('link_delay_s') },
    { at_ms: 2000, notice: notice('force_noise_N', false) },
  ];
  const named = (now_ms: number): string[] => injectedLately(['link_delay_s'], told, now_ms);
  assert.deepEqual(named(9999), ['link_delay_s', 'loop_error']);
  assert.deepEqual(named(10_000), ['link_delay_s']);
  assert.deepEqual(injectedLately([], told, 60_000), []);
});

test('a line for each kind, with its amount and what it does', () => {
  assert.equal(
    injectionWords(notice('late_wake_s', true, 0.05)),
    'Fault injected on purpose: late wake, 0.05 s: the next wake-up of the loop is late.',
  );
  assert.equal(
    injectionWords(notice('loop_error')),
    'Fault injected on purpose: loop error: the next tick throws.',
  );
  assert.equal(
    injectionWords(notice('link_drop_ratio', true, 0.05)),
    'Fault injected on purpose: link drop, 0.05: share of frames lost, each way.',
  );
  assert.equal(
    injectionWords(notice('link_drop_ratio', false)),
    'Injected fault ended: link drop.',
  );
  assert.equal(
    injectionWords(notice('of_another_version', true, 3)),
    'Fault injected on purpose: of another version, 3.',
  );
  for (const { name, text } of INJECTION_TABLE) {
    assert.ok(injectionWords(notice(name)).endsWith(`: ${text}.`), name);
  }
});
