/**
 * The energy page and the contact permit in a real browser on the real service in mode `hardware`: figures agree with the interface,
 * a permit keeps ARM back until it is acknowledged, what cannot be combined is refused with its reason, contacts are listed.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Status } from '../../server/client/messages.ts';
import { skipWithoutChromium } from './chromium.ts';
import { ConsoleFlight } from './console-flight.ts';
import { isActive, type Person, type Station } from './flight-rig.ts';
import { becomesReadable } from './page-reading.ts';
import { eventually, FILE_MS, FLIGHT_S, PATIENCE_S } from './page-rig.ts';

/** Below what is predicted, 0.43 at no delay, so that the permit must be acknowledged. */
const RESTITUTION_LIMIT = 0.3;

const UNITS: Readonly<Record<string, number>> = {
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  µJ: 1e-6,
  mJ: 1e-3,
  J: 1,
};
/** A figure with its unit as SI. */
function si(text: string): number {
  const [, number, unit] = /(−?[\d.]+)(?:\s*(\S+))?$/.exec(text.trim()) ?? [];
  return Number(number?.replace('−', '-')) * (UNITS[unit ?? ''] ?? 1);
}

describe('energy page', { skip: skipWithoutChromium, timeout: FILE_MS }, () => {
  let flight: ConsoleFlight;
  let station: Station;
  let page: Page;
  let person: Person;

  const text = async (id: string): Promise<string> =>
    (await page.locator(`#${id}`).textContent()) ?? '';
  const status = async (): Promise<Required<Status>> =>
    (await (await fetch(`${station.origin}/api/session`)).json()) as Required<Status>;
  /** What is open in the checklist. */
  const openSteps = async (): Promise<string[]> => {
    const steps = page.locator('#steps > li[data-mark="open"]');
    return steps.evaluateAll((items) =>
      items.map((item) => (item as unknown as { dataset: { step: string } }).dataset.step),
    );
  };
  const open = (name: string): Promise<void> => page.click(`nav a[href="#/${name}"]`);
  /** Held by the deadman, so that only the tested condition blocks ARM. */
  const readyAndHeld = async (): Promise<void> => {
    await person.rest();
    await person.takeAuthority();
    await person.toReady();
    await person.reads('deadman-why', /^$/, 5);
    await person.hand.hold();
    await person.reads('deadman', /pressed/, 5);
  };
  /** Until Arm has opened the dialog, whatever a stall did before. */
  const openByArm = (): Promise<void> =>
    eventually(FLIGHT_S, async () => {
      if ((await page.getByRole('dialog').count()) > 0) await page.click('#permit-close');
      await readyAndHeld();
      assert.deepEqual(await openSteps(), ['permit', 'arm', 'move']);
      await page.click('#arm', { timeout: 5000 });
      await page.getByRole('dialog').waitFor({ timeout: 5000 });
    });

  before(async () => {
    flight = await ConsoleFlight.open({
      settings: [
        'mode=hardware',
        'energy.permit=required',
        `energy.restitution_limit=${RESTITUTION_LIMIT}`,
      ],
    });
    ({ station, page, person } = flight);
  });

  after(() => flight?.close());

  test('the permit keeps ARM back; the dialog says why, beside a STOP that can be pressed', async () => {
    await openByArm();
    const dialog = page.getByRole('dialog', { name: /^Contact permit/ });
    // effects of a stall on the link or its delay are shown there too, while they last
    await eventually(PATIENCE_S, async () => {
      assert.match(
        await dialog.innerText({ timeout: 5000 }),
        /gives back more than it took: restitution \d+\.\d+, at most 0\.300/,
      );
      assert.match(await text('permit-state'), /needed/);
    });
    for (const width of [1280, 820, 400]) {
      await page.setViewportSize({ width, height: 800 });
      await becomesReadable(page);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press('Escape');
    await eventually(PATIENCE_S, async () => assert.equal(await dialog.count(), 0));
  });

  test('refused: ARM stays back; acknowledged: it is accepted', async (t) => {
    await openByArm();
    await page.click('#permit-refuse');
    await eventually(PATIENCE_S, async () =>
      assert.equal(await page.getByRole('dialog').count(), 0),
    );
    await eventually(PATIENCE_S, async () =>
      assert.equal((await status()).loop_energy.permit, 'needed'),
    );

    // a delay that a stall has lengthened by more than a fifth since is not covered: acknowledged anew
    await eventually(FLIGHT_S, async () => {
      await openByArm();
      await page.click('#permit-acknowledge', { timeout: 5000 });
      await eventually(5, async () => assert.equal(await page.getByRole('dialog').count(), 0));
      await eventually(5, async () => {
        assert.equal((await status()).loop_energy.permit, 'acknowledged');
        assert.match(await text('permit'), /acknowledged/);
        assert.ok(!(await openSteps()).includes('permit'));
      });
    });
    await person.toActive();
    t.diagnostic(`interrupted by the machine: ${person.interruptions.join(' · ') || 'never'}`);
  });

  test('contacts are listed, and what is shown agrees with the interface', async (t) => {
    await person.hand.hold();
    await open('energy');
    assert.equal(
      page.context().pages().length,
      1,
      'a link stays in its window while Shift is held',
    );
    const rows = page.locator('#contacts tbody tr');
    await eventually(FLIGHT_S, async () => {
      await open('fly');
      await person.fly(-1, ({ state }) => state === 'ACTIVE_CONTACT');
      await person.flyUp();
      await person.rest();
      await open('energy');
      await eventually(5, async () => assert.ok((await rows.count()) > 0, 'a contact is listed'));
    });
    await person.sees((tick) => !isActive(tick) && !tick.moves);
    // a busy machine changes the delay all the time: what is shown lies between the interface before and after; else the digits shown
    await eventually(PATIENCE_S, async () => {
      const { loop_energy: before } = await status();
      const shownDelay = await text('delay-total');
      const shownNone = await text('predicted-none');
      const shownActive = await text('predicted-active');
      const { loop_energy: told, guard_ticks: ticks } = await status();
      const between = (
        shown: string,
        from: number | null,
        to: number | null,
        within: number,
      ): void => {
        const value = shown === '—' ? null : si(shown);
        const known = [from, to].filter((one) => one !== null);
        assert.ok(
          known.length < 2 || value === null
            ? known.length < 2 && (value === null || known.length === 1)
            : value >= Math.min(...known) - within && value <= Math.max(...known) + within,
          `shown ${shown}, interface ${from} and ${to}`,
        );
      };
      between(shownDelay, before.delay.total_s, told.delay.total_s, 1e-4);
      const [was, now] = [before.prediction, told.prediction];
      between(shownNone, was.restitution, now.restitution, 0.01);
      between(shownActive, was.restitution_active, now.restitution_active, 0.01);
      const near = async (id: string, value: number | null, within: number): Promise<void> => {
        const shown = await text(id);
        assert.ok(
          value === null ? shown === '—' : Math.abs(si(shown) - value) <= within,
          `${id}: ${shown}, interface ${value}`,
        );
      };
      for (const [id, value] of [
        ['energy-in', told.audit.in_J],
        ['energy-out', told.audit.out_J],
        ['energy-created', told.audit.created_J],
        ['guard-removed', told.passivity.removed_J],
      ] as const) {
        await near(id, value, Math.max(1e-8, 0.006 * Math.abs(value)));
      }
      await near('restitution-sim', told.audit.restitution_sim, 5e-4);
      assert.equal((await text('guard-ticks')).replaceAll('\u202f', ''), String(ticks.active));
    });
    t.diagnostic(`listed: ${(await rows.first().innerText()).replaceAll(/\s+/g, ' ')}`);
  });

  test('compensations: chosen at rest, refused with the reason beside what they do not go with', async () => {
    await open('energy');
    const lead = page.getByRole('button', { name: 'Force lead' });
    await eventually(PATIENCE_S, async () => {
      await lead.click();
      await eventually(5, async () => {
        assert.equal((await status()).loop_energy.compensation, 'lead');
        assert.equal(await lead.getAttribute('aria-pressed'), 'true');
      });
    });
    await page.getByRole('switch', { name: 'Removal' }).click();
    await eventually(PATIENCE_S, async () =>
      assert.match(
        await text('energy-refusal'),
        /removal must be false with energy.compensation lead/,
      ),
    );
    assert.equal((await status()).loop_energy.removal, false);
  });

  test('it can be read: widths, colour schemes, contrast', async () => {
    for (const width of [1280, 820]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await becomesReadable(page, `${width} px, ${colorScheme}`);
      }
    }
    assert.deepEqual(flight.faults, []);
  });
});
