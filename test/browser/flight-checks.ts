/** Checks of every flight from the console, with any device. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { Person, Station, Tick } from './flight-rig.ts';
import { eventually, FLIGHT_S, PATIENCE_S } from './page-rig.ts';

/** A person's hand has left the deadman: everything stands after, ms, and what the machine itself took. */
const STOP_MS = 150;
/** A machine that took more than this meanwhile has been measured, not the service: fly again, ms. */
const STALL_MS = 100;
/** Motions that the machine ended before the person did, or during which it stood still. */
const INTERRUPTIONS = 20;
/** Retries for slow ends without a measured stall, because not all threads of the browser are timed. */
const UNSEEN = 2;

const inContact = (t: Tick): boolean => t.state === 'ACTIVE_CONTACT' && t.force_N > 25;

/** Motion, what ends it, and where that leads. */
export interface Motion {
  readonly name: string;
  readonly fly: () => Promise<void>;
  readonly act: () => Promise<unknown>;
  /** Where that happens, if not on the page that flies. */
  readonly page?: Page;
  readonly states: RegExp;
}

/**
 * Flies and ends the motion; everything must stand in time. It retries only if the machine ended it
 * first, or if the service's rows and threads show a stall as long as the measured time.
 */
export async function endsInTime(
  t: TestContext,
  { ticks }: Station,
  person: Person,
  { name, fly, act, page = person.page, states }: Motion,
): Promise<void> {
  let unseen = 0;
  for (let i = 0; ; i++) {
    await fly();
    const ending = await ticks.ending(page, act);
    const { command_ms, setpoint_ms, stall_ms, causes } = ending;
    const way = ending.states.join(' ');
    assert.ok(Number.isFinite(command_ms), `the command stays: ${JSON.stringify(ending)}`);
    assert.ok(Number.isFinite(setpoint_ms), `it still moves: ${JSON.stringify(ending)}`);
    t.diagnostic(
      `${name}: command zero after ${command_ms.toFixed(0)} ms, set-point ${setpoint_ms.toFixed(0)} ms, stalls ${stall_ms.toFixed(0)} ms (${way})`,
    );
    const time_ms = Math.max(command_ms, setpoint_ms);
    const slow = time_ms > STOP_MS + Math.min(stall_ms, STALL_MS);
    if (i < INTERRUPTIONS && (!states.test(way) || (slow && stall_ms > STALL_MS))) {
      person.note(); // it ended, but not because of the person or not in this service's time
      continue;
    }
    if (slow && unseen < UNSEEN) {
      unseen++;
      t.diagnostic(`${name}: slow without a stall that was seen, ${unseen} of ${UNSEEN}`);
      continue;
    }
    assert.match(way, states, causes.join());
    assert.ok(!slow, `${name}: ${time_ms} ms, of which ${stall_ms} ms of stalls`);
    return;
  }
}

/** Into contact, seen by the page and in the metrics; let go there and in free motion. */
export async function intoContact(t: TestContext, station: Station, person: Person): Promise<void> {
  await person.fly(1, ({ height_m }) => height_m > 0.0012);
  assert.ok((await station.metricForce_N()) < 1, 'nothing touches yet');
  await eventually(FLIGHT_S, async () => {
    await person.fly(-1, inContact);
    const shown = Number.parseFloat(await person.text('force'));
    const scraped = await station.metricForce_N();
    assert.ok(shown > 15 && scraped > 15, `page ${shown} N, metrics ${scraped} N`);
    assert.equal(await person.text('state'), 'active contact');
    t.diagnostic(`contact: page ${shown} N, metrics ${scraped.toFixed(1)} N`);
  });
  const act = (): Promise<void> => person.hand.release();
  await endsInTime(t, station, person, {
    name: 'let go in contact',
    fly: () => person.fly(-1, inContact),
    act,
    states: /^ACTIVE_CONTACT .*HOLD$/,
  });
  await endsInTime(t, station, person, {
    name: 'let go in free motion',
    fly: () => person.flyUp(),
    act,
    states: /^ACTIVE.*HOLD$/,
  });
  await person.reads('state', /^hold$/);
  await person.rest();
}

/** STOP in motion: the page shows it, the alarm is acknowledged, Clear makes ready. */
export async function stopped(
  t: TestContext,
  station: Station,
  person: Person,
  name: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const { page } = person;
  await endsInTime(t, station, person, {
    name,
    fly: () => person.flyUp(),
    act,
    states: /^ACTIVE.*STOPPING FAULT$/,
  });
  await person.rest();
  assert.ok(station.ticks.now.causes.includes('OPERATOR_STOP'));
  await person.reads('state', /^fault$/);
  await person.reads('causes', /Somebody pressed STOP\./);

  await page.click('nav a[href="#/alarms"]');
  const alarm = page.locator('.alarm', { hasText: 'OPERATOR_STOP' });
  await alarm.getByRole('button', { name: /^Acknowledge/ }).click();
  const acknowledged = page
    .getByRole('region', { name: 'Active, acknowledged' })
    .locator('.alarm', { hasText: 'OPERATOR_STOP' });
  await eventually(PATIENCE_S, async () => assert.equal(await acknowledged.count(), 1));
  await page.click('nav a[href="#/fly"]');
  await person.toReady();
}
