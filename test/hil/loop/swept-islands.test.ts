/** Islands of contacts that are swept show in the metrics of the loop. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { body, contact, system } from '../../fixtures/models.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

/** Swept islands and ticks of a pile of free bodies, each with its sphere 0.1 mm in the plane of the one below. */
function swept(count: number): { readonly swept: number; readonly ticks: number } {
  const name = (k: number): string => `body ${k}`;
  const bodies = Array.from({ length: count }, (_, k) =>
    body(name(k), 'dynamic', { position: [0, 0, 0.0999 * k] }),
  );
  const contacts = bodies.slice(1).map((_, k) => contact(name(k + 1), name(k)));
  const rig = new VirtualRig({ robot: false, model: system({ bodies, contacts }) });
  rig.run(5);
  assert.deepEqual(rig.errors, []);
  return {
    swept: rig.counter(LoopSlot.loop_islands_swept_total),
    ticks: rig.counter(LoopSlot.loop_ticks_total),
  };
}

test('an island of more than 64 bodies is swept and counted, a small one is solved', () => {
  assert.equal(swept(8).swept, 0);
  const large = swept(66);
  assert.ok(large.swept >= 1, `${large.swept} in ${large.ticks} ticks`);
});
