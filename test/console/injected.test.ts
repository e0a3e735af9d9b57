/** The banner of injected faults. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INJECTIONS } from '../../hil/injections.ts';
import { injectedSentence } from '../../server/console/shell/words.ts';

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
