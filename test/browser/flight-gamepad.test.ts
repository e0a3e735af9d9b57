/**
 * Flying from the console with a gamepad that the test moves, end to end, and two pages on one service. As flight.test.ts, in a
 * process of its own.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { noteFaults, skipWithoutChromium } from './chromium.ts';
import { ConsoleFlight } from './console-flight.ts';
import { endsInTime, intoContact, stopped } from './flight-checks.ts';
import { gamepadHand, isActive, keyboardHand, Person, pulse, type Station } from './flight-rig.ts';
import { eventually, FILE_MS, PATIENCE_S } from './page-rig.ts';
import { PAD_DEADMAN, VirtualGamepad } from './virtual-gamepad.ts';

describe('flight by gamepad', { skip: skipWithoutChromium, timeout: FILE_MS }, () => {
  let flight: ConsoleFlight;
  let station: Station;
  let page: Page;
  let pad: VirtualGamepad;
  let person: Person;
  const faultsOfOther: string[] = [];

  before(async () => {
    flight = await ConsoleFlight.open({
      hand: async (own) => {
        pad = await VirtualGamepad.install(own);
        return gamepadHand(pad);
      },
    });
    ({ station, page, person } = flight);
    await pad.plug();
    const choice = page.locator('#device-choice');
    await eventually(PATIENCE_S, async () => assert.match(await choice.innerText(), /Virtual pad/));
    await choice.selectOption({ label: 'Virtual pad' });
  });

  after(() => flight?.close());

  test('into contact and out, let go', (t) => intoContact(t, station, person));

  test('STOP while it flies', (t) =>
    stopped(t, station, person, 'space bar', () => page.keyboard.press('Space')));

  test('one that goes with its stick deflected holds; it is back, and nothing moves', async (t) => {
    await endsInTime(t, station, person, {
      name: 'unplugged',
      fly: async () => {
        await pad.plug();
        await pad.axis(0, 0);
        await person.flyUp();
        await pad.axis(0, 0.7);
      },
      act: () => pad.unplug(),
      states: /^ACTIVE.*HOLD$/,
    });
    await person.reads('deadman-why', /not connected/);
    const { height_m } = station.ticks.now;
    await pad.plug(); // deadman, trigger and stick as they were
    await person.reads('deadman-why', /^The hand controller was lost/);
    await page.waitForTimeout(400);
    assert.equal(station.ticks.now.deadman, false);
    await pad.button(PAD_DEADMAN, 0); // released, but not centred
    await page.waitForTimeout(100);
    await pad.button(PAD_DEADMAN, 1);
    await page.waitForTimeout(300);
    assert.equal(station.ticks.now.deadman, false, 'a deflected stick keeps it from counting');
    assert.ok(Math.abs(station.ticks.now.height_m - height_m) < 1e-5, 'nothing moved');
    await pad.axis(0, 0);
    await person.toActive(); // centred and pressed again
    await person.rest();
  });

  test('two pages: the second one stops, but does not move; authority is asked for and granted', async (t) => {
    const other = await page.context().newPage();
    await noteFaults(other, faultsOfOther);
    await pulse(other);
    await other.goto(`${station.origin}/#/fly`);
    const second = new Person(other, station.ticks, keyboardHand(other));
    await second.reads('deadman-why', /^Session \d+ holds authority/);
    await other.locator('#device-choice').selectOption({ label: 'Keyboard' });

    await person.rest();
    await person.sees((tick) => !isActive(tick) && !tick.moves);
    const { height_m } = station.ticks.now;
    await second.hand.hold();
    await second.hand.push(1);
    await other.waitForTimeout(500);
    assert.equal(station.ticks.now.deadman, false);
    assert.ok(Math.abs(station.ticks.now.height_m - height_m) < 1e-5, 'nothing moved');
    await second.rest();

    const { x, y } = (await other.locator('#stop').boundingBox())!;
    await endsInTime(t, station, person, {
      name: 'STOP from the second page',
      fly: () => person.flyUp(),
      page: other,
      act: () => other.mouse.click(x + 5, y + 5),
      states: /^ACTIVE.*STOPPING FAULT$/,
    });
    await person.rest();
    await second.toReady();

    await other.click('#request');
    await second.reads('request', /^Waiting for session/);
    await page.locator('#grant').click();
    await second.reads('holder', /^this page/);
    await person.reads('deadman-why', /^Session \d+ holds authority/);
    await second.flyUp();
    await second.rest();
    await other.close();
  });

  test('no error and no violation of the content security policy', (t) => {
    t.diagnostic(`interrupted by the machine: ${person.interruptions.join(' · ') || 'never'}`);
    assert.deepEqual([...flight.faults, ...faultsOfOther], []);
  });
});
