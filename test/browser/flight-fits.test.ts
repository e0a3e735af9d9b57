/**
 * The round peg and the latch flown from the console by keyboard, in a browser: the peg goes through the chamfer to the floor of its hole,
 * the striker lifts the pawl and is held behind its nose against the pull. On arrival a second browser draws the scene of the same flight.
 * Wall clock: what a stall interrupts, the person recovers and flies on. With BERTH_PICTURES the pictures are written into that folder.
 */
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { skipWithoutChromium } from './chromium.ts';
import { ConsoleFlight, type FlightOptions } from './console-flight.ts';
import { keyboardHand, type Tick } from './flight-rig.ts';
import { FILE_MS, PATIENCE_S } from './page-rig.ts';

/** Time of a way; a stall of the machine stands still meanwhile, s. */
const WAY_S = 150;
/** Part of the picture that an arrow covers at least. */
const ARROW = 2e-4;

/** Flies with it, and ends it; nothing is left behind. */
async function fly(
  t: TestContext,
  options: FlightOptions,
  use: (flight: ConsoleFlight) => Promise<void>,
): Promise<void> {
  const flight = await ConsoleFlight.open(options);
  try {
    await use(flight);
    const { person, station } = flight;
    await person.rest();
    // what a stall of the drawing left behind is cleared like any other
    if (station.ticks.now.state === 'FAULT') await person.toReady();
    const end = station.ticks.now;
    t.diagnostic(
      `interrupted by the machine: ${person.interruptions.join(' · ') || 'never'}; ${words(end)}`,
    );
    assert.notEqual(end.state, 'FAULT', words(end));
    // over the whole flight the contacts took more from the arm than they gave back, and dissipated
    assert.ok(end.dissipated_J > 0 && end.external_J > 0, words(end));
    assert.deepEqual(flight.faults, []);
  } finally {
    await flight.close();
  }
}

const words = ({ place_m, force_N, dissipated_J, external_J, state, causes }: Tick): string =>
  `${state} ${causes.join('+')} at [${place_m.map((x) => (1e3 * x).toFixed(2)).join(', ')}] mm, ${force_N.toFixed(1)} N, ` +
  `${dissipated_J.toFixed(4)} J dissipated, ${external_J.toFixed(4)} J from outside`;

/** The scene with arrows. */
async function lookAt(flight: ConsoleFlight, name: string, t: TestContext): Promise<number> {
  const seen = await flight.watched(name, ({ colours, force }) => colours > 20 && force > ARROW);
  t.diagnostic(`${name}: ${JSON.stringify(seen)}; ${words(flight.station.ticks.now)}`);
  return seen.sum;
}

describe('flights into fits', { skip: skipWithoutChromium, timeout: FILE_MS }, () => {
  test('round-peg: the chamfer meets the edge, the wall straightens, it stands on the floor', async (t) => {
    // 5 mm/s, as its script
    const settings = ['scenario=round-peg', 'operator.vernier_ratio=0.25'];
    await fly(t, { settings }, async (flight) => {
      const { person, station } = flight;
      await person.fly(-1, ({ force_N }) => force_N > 5, WAY_S);
      const edge = station.ticks.now;
      // 4.5 mm off the axis the chamfer has the width of the hole, 25 mm − 4.5 mm, 4.2 mm over its tip, and 0.9 mm beside by the turn of 2 degrees
      assert.ok(edge.height_m > 0.0345 && edge.height_m < 0.037, words(edge));
      const atEdge = await lookAt(flight, 'round-peg-edge', t);
      // its tip stands on the floor at z = 0, turned by what the gap allows: 0.13 mm
      await person.fly(-1, ({ height_m }) => height_m < 2e-4, WAY_S);
      await person.sees(({ force_N }) => force_N > 10, PATIENCE_S);
      const seated = station.ticks.now;
      assert.ok(Math.hypot(seated.place_m[0], seated.place_m[1]) < 1.2e-3, words(seated));
      assert.notEqual(await lookAt(flight, 'round-peg-seated', t), atEdge);
    });
  });

  test('latch-pawl: the ramp lifts the pawl, it snaps back behind the nose and holds the pull', async (t) => {
    await fly(
      t,
      {
        settings: ['scenario=latch-pawl'],
        gear: 'Coarse',
        hand: (page) => keyboardHand(page, ['KeyD', 'KeyA']),
      },
      async (flight) => {
        const { person, station } = flight;
        await person.fly(1, ({ place_m }) => place_m[0] > 0.08, WAY_S);
        await person.rest();
        const behind = await lookAt(flight, 'latch-pawl-behind', t); // the stop carries the pawl
        // 5e3 N/(m/s) · 20 mm/s = 100 N
        await person.fly(-1, ({ force_N }) => Math.abs(force_N - 100) < 10, WAY_S);
        const held = station.ticks.now;
        // its back face is at 60 mm, the striker has a radius of 5 mm
        assert.ok(held.place_m[0] > 0.06 && held.place_m[0] < 0.08, words(held));
        assert.notEqual(await lookAt(flight, 'latch-pawl-held', t), behind);
      },
    );
  });
});
