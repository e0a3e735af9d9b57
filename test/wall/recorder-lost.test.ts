/**
 * A disk that is full and one that is too slow while the arm moves, from the injected fault to the robot (hil-anchors 9.4: 41): what
 * is lost is counted, the loop goes on, and a robot whose recording is required is stopped.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Flight, PERIOD_S, SETTINGS } from './flight.ts';

/** Bytes a second: the recorder's queue of some seconds fills, and then all but a few records are lost. */
const SLOW_BPS = 20_000;
const TRIES = 12;
/** Flown on with a disk that fails, s: longer than the second after which a required recorder counts as lost. */
const WATCHED_S = 2;
const DROPPED = 'berth_recorder_dropped_records_total';

const folder = mkdtempSync(join(tmpdir(), 'berth-recorder-lost-'));
after(() => rmSync(folder, { recursive: true }));

async function start(required: boolean): Promise<Flight> {
  const path = join(folder, `required-${required}.yaml`);
  const recording = `{ mode: continuous, required: ${required}, freezes: 0, folder: ${join(folder, String(required))} }`;
  writeFileSync(path, SETTINGS({ recording }));
  return Flight.start(path);
}

/** What a motion came to whose disk failed. */
interface Seen {
  readonly causes: readonly string[];
  readonly dropped: number;
  readonly ticks: number;
  /** How the robot says that its motion ended; '' when it did not. */
  readonly end: string;
}

/** Watch a motion from the first record that is lost on, for WATCHED_S or until it ends. */
async function watch(flight: Flight, from: number, dropped: number): Promise<Seen> {
  const { pilot, robot } = flight;
  pilot.client.hand.axes[2] = 0; // stay where it is, active
  while ((await flight.metric(DROPPED)) === dropped) await pilot.status(() => true);
  const ticks = await flight.metric('berth_loop_ticks_total');
  const causes = new Set<string>();
  while ((await flight.metric('berth_loop_ticks_total')) < ticks + WATCHED_S / PERIOD_S) {
    const status = await pilot.status(() => true);
    for (const cause of [...status.holds, ...status.faults]) causes.add(cause);
  }
  const ended = robot.stopsFrom(from) > 0;
  return {
    causes: [...causes],
    dropped: (await flight.metric(DROPPED)) - dropped,
    ticks: (await flight.metric('berth_loop_ticks_total')) - ticks,
    end: ended ? (await robot.stop(from)).end : '',
  };
}

for (const required of [false, true]) {
  test(`41: recording ${required ? 'required' : 'not required'}: a full disk and a slow one in motion`, async (t) => {
    const flight = await start(required);
    after(() => flight.end());
    for (const [kind, amount] of [
      ['recorder_full', 1],
      ['recorder_slow_Bps', SLOW_BPS],
    ] as const) {
      let passed = false;
      for (let i = 0; i < TRIES && !passed; i++) {
        const from = await flight.pilot.toMotion(flight.robot.lines);
        const dropped = await flight.metric(DROPPED);
        assert.equal(await flight.inject(kind, amount), 200);
        const seen = await watch(flight, from, dropped);
        assert.equal(await flight.inject(kind, 0), 200);
        assert.ok(seen.dropped > 0, `${kind}: ${seen.dropped} records lost`);
        assert.ok(seen.ticks >= WATCHED_S / PERIOD_S, `${kind}: the loop goes on`);
        // a stall of the machine may have ended the motion by itself, before or in place of the recorder
        if (required ? seen.end !== 'stop_1' : seen.end !== '') continue;
        const lost = seen.causes.includes('RECORDER_LOST');
        assert.equal(lost, required, `${kind}: ${seen.causes.join()}`);
        passed = true;
        const what = `${seen.dropped} records lost in ${(seen.ticks * PERIOD_S).toFixed(1)} s`;
        t.diagnostic(
          `acceptance 41: ${kind}${required ? ', required' : ''}: ${what}, ${required ? 'STOPPING by RECORDER_LOST, robot stopped' : 'the arm flies on'}`,
        );
      }
      assert.ok(passed, `${kind}: no motion in ${TRIES} that only the recorder could end`);
    }
  });
}
