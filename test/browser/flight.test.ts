/**
 * Flights from the console by keyboard, end to end: an operator at the fly page in a real browser,
 * the real service, the emulated robot in its own process. They go into contact and out, and every
 * way of release ends the motion. Wall clock: the test recovers from effects of a stall on the
 * loop. The service's rows and threads give the time that a stall adds.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { skipWithoutChromium } from './chromium.ts';
import { ConsoleFlight } from './console-flight.ts';
import { endsInTime, intoContact, stopped } from './flight-checks.ts';
import { keyboardHand, type Person, pointerHand, type Station } from './flight-rig.ts';
import { FILE_MS } from './page-rig.ts';

describe('flight by keyboard', { skip: skipWithoutChromium, timeout: FILE_MS }, () => {
  let flight: ConsoleFlight;
  let station: Station;
  let page: Page;
  let person: Person;

  before(async () => {
    flight = await ConsoleFlight.open();
    ({ station, page, person } = flight);
  });

  after(() => flight?.close());

  test('into contact and out, let go', (t) => intoContact(t, station, person));

  test('STOP by the space bar and by its button, while the deadman is held', async (t) => {
    await stopped(t, station, person, 'space bar', () => page.keyboard.press('Space'));
    const { x, y } = (await page.locator('#stop').boundingBox())!;
    await stopped(t, station, person, 'button', () => page.mouse.click(x + 5, y + 5));
  });

  test('the button on the page is a deadman too', async (t) => {
    await endsInTime(t, station, person, {
      name: 'pointer lifted',
      fly: async () => {
        // one pointer cannot hold and arm: the keys begin, it goes on
        await person.take(keyboardHand(page));
        await person.toActive();
        await person.take(pointerHand(page));
        await person.flyUp();
      },
      act: () => page.mouse.up(),
      states: /^ACTIVE.*HOLD$/,
    });
    await person.take(keyboardHand(page));
  });

  test('a page that is left lets go at once, and does not fly when it is back', async (t) => {
    const show = (state: 'visible' | 'hidden'): Promise<void> =>
      page.evaluate(`(() => {
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      })()`);
    await endsInTime(t, station, person, {
      name: 'hidden',
      fly: async () => {
        await show('visible');
        await person.flyUp();
      },
      act: () => show('hidden'),
      states: /^ACTIVE.*HOLD$/,
    });
    await show('visible');
    // the page shows the last trip: the page was left, which ended the motion
    await person.reads('deadman-why', /left Shift again\.$/);
    await page.waitForTimeout(300);
    assert.equal(station.ticks.now.deadman, false, 'keys that stayed down do not count');

    await endsInTime(t, station, person, {
      name: 'focus lost',
      fly: () => person.flyUp(),
      act: () => page.evaluate(`dispatchEvent(new Event('blur'))`),
      states: /^ACTIVE.*HOLD$/,
    });
    await person.rest();
  });

  test('no error and no violation of the content security policy', (t) => {
    t.diagnostic(`interrupted by the machine: ${person.interruptions.join(' · ') || 'never'}`);
    assert.deepEqual(flight.faults, []);
  });
});
