/**
 * Flights of surfaces of free form from the console by keyboard, in a browser that draws: the probe comes down into its petals, and the hook over
 * its roller. The picture has the surfaces, an arrow at each place and at each constraint, the way of the places and their outlines; the figures have
 * the curvature of each. Wall clock: what a stall interrupts is recovered from. With BERTH_PICTURES the pictures are written into that folder.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { skipWithoutChromium } from './chromium.ts';
import { ConsoleFlight } from './console-flight.ts';
import type { Person } from './flight-rig.ts';
import { eventually, FILE_MS, PATIENCE_S } from './page-rig.ts';

interface Flight {
  readonly scenario: string;
  /** Force at which it has come down, N. */
  readonly force_N: number;
  /** Contacts of which one touches then. */
  readonly touches: RegExp;
  /** Forces drawn before anything touches: of constraints. */
  readonly constraints: boolean;
}

const FLIGHTS: readonly Flight[] = [
  { scenario: 'docking-petals', force_N: 15, touches: /k₂ L, (nose|pad)-\d/, constraints: false },
  { scenario: 'latch-hook', force_N: 3, touches: /k₂ L, roller-hook/, constraints: true },
];

for (const { scenario, force_N, touches, constraints } of FLIGHTS) {
  describe(`${scenario} by keyboard`, { skip: skipWithoutChromium, timeout: FILE_MS }, () => {
    let flight: ConsoleFlight;
    let page: Page;
    let person: Person;
    const figures = (): Promise<string> => page.locator('.scene-figures').innerText();

    before(async () => {
      flight = await ConsoleFlight.open({
        settings: [`scenario=${scenario}`],
        drawing: 'software',
      });
      ({ page, person } = flight);
    });

    after(() => flight?.close());

    test('before anything touches: bodies and the forces of constraints', async () => {
      const { payload, force, colours } = await eventually(PATIENCE_S, async () => {
        const seen = await flight.picture(`${scenario}-before`);
        assert.ok(seen.colours > 20 && seen.payload > 0.002, JSON.stringify(seen));
        assert.ok(constraints ? seen.force > 0 : seen.force < 1e-3, JSON.stringify(seen));
        return seen;
      });
      assert.ok(payload + force > 0 && colours > 0);
      assert.doesNotMatch(await figures(), /k₂ L/);
    });

    test('down into contact: arrows, ways and outlines, and the curvature of each place', async (t) => {
      await person.shift('Coarse');
      await person.fly(-1, (tick) => tick.force_N > force_N);
      await eventually(PATIENCE_S, async () => {
        assert.match(await figures(), touches);
        assert.ok((await flight.picture(`${scenario}-contact`)).force > 0);
      });
      t.diagnostic((await figures()).replace(/\s+/g, ' '));
      await person.fly(1, (tick) => tick.force_N === 0);
      await person.rest();
    });

    test('no error and no violation of the content security policy', (t) => {
      t.diagnostic(`interrupted by the machine: ${person.interruptions.join(' · ') || 'never'}`);
      assert.deepEqual(flight.faults, []);
    });
  });
}
