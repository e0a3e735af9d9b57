/**
 * Scenarios with contact of free form, as a user flies them: service, emulated robot and `berth fly` are processes of their own, over real sockets, each
 * with the flight of its scenario, at 1 kHz in both modes of the loop. Their recordings replay bit by bit. Wall clock: a stall of the machine may interrupt a
 * flight, which then recovers and goes on.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BerthProcess } from '../fixtures/flight.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-freeform-'));
after(() => rmSync(folder, { recursive: true }));
const PATIENCE_MS = 300_000;

interface Goal {
  readonly scenario: string;
  readonly report: string;
  /** Where the tool ends, mm, and how far beside it may be. */
  readonly place_mm: readonly [x: number, y: number, z: number];
  readonly within_mm: readonly [x: number, y: number, z: number];
}

const GOALS: readonly Goal[] = [
  {
    scenario: 'docking-petals',
    report: 'docked',
    // as high as it stands on its pads less their depth of 0.35 mm; beside the middle by the play between noses and petals
    place_mm: [0, 0, 53.67],
    within_mm: [1.5, 1.5, 0.15],
  },
  // drawn to the roller's place behind its dead centre and 3 mm of depth in the hook and its pads; along y nothing acts
  {
    scenario: 'latch-hook',
    report: 'latched',
    place_mm: [48, 0, 1],
    within_mm: [0.3, 0.1, 2],
  },
];

for (const { scenario, report, place_mm, within_mm } of GOALS) {
  for (const mode of ['virtual', 'hardware'] as const) {
    test(`${scenario} in ${mode} mode: ${report}, and its recording replays bit by bit`, {
      timeout: 900_000,
    }, async () => {
      const recordings = join(folder, `${scenario}-${mode}`);
      const settings = `${recordings}.yaml`;
      writeFileSync(
        settings,
        `scenario: ${scenario}
mode: ${mode}
server: { port: 0, log_level: silent }
robot: { port: 0 }
recording: { mode: continuous, folder: ${recordings} }
loop: { period_s: 0.001, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
operator: { input_timeout_s: 0.5, authority_lease_s: 10 }
`,
      );
      const service = new BerthProcess('serve', settings, '--no-fly');
      let pilot: BerthProcess | null = null;
      // a service that is left behind would take the processor from the flights after it
      try {
        const console = /console +(http:\/\/\S+)\//;
        const [, url] = await service.find((text) => console.exec(text), 0, PATIENCE_MS);
        pilot = new BerthProcess('fly', '--url', url, '--persist');
        const goal = new RegExp(`${report} at \\[([-\\d.]+), ([-\\d.]+), ([-\\d.]+)\\] mm`);
        const line = await pilot.find((text) => goal.exec(text), 0, PATIENCE_MS);
        line.slice(1).forEach((text, a) => {
          assert.ok(Math.abs(Number(text) - place_mm[a]) <= within_mm[a], line[0]);
        });
        await pilot.find((text) => /fly: done/.exec(text), 0, PATIENCE_MS);
      } finally {
        await pilot?.end();
        await service.end();
      }
      const [name] = readdirSync(recordings).filter((one) => /^berth-.*[.]mcap$/.test(one));
      const replay = new BerthProcess('replay', join(recordings, name));
      await replay.find((text) => /\d+ set-points bit-equal/.exec(text), 0, PATIENCE_MS);
      await replay.end();
    });
  }
}
