/** Position lead and a hold, in the whole loop, at every speed and lead: the lead is zero before the hold requires rest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { led } from './led-rig.ts';

test('a released deadman holds at every speed and lead, and pressed again goes on', () => {
  for (const mode of ['virtual', 'hardware'] as const) {
    for (const delay_s of [1e-3, 5e-3, 20e-3, 60e-3]) {
      for (const stick of [0.1, 0.5, 1]) {
        const rig = led(delay_s, stick, mode);
        const flown = `${mode}, ${delay_s} s, stick ${stick}`;
        assert.ok(rig.tick.energy.energy.positionLead.lead_s[0] > 0.5e-3, `${flown}: led`);
        rig.run(1000, () => rig.input(0, 0));
        assert.equal(rig.state, 'HOLD', flown);
        assert.ok(rig.runUntil('ACTIVE_FREE', 100, () => rig.input(0, 1)) >= 0, flown);
      }
    }
  }
});
