/**
 * Fault test 5 on the wall clock: every period of a real loop is accounted for. This machine may stand still for 100 ms now
 * and then, so lateness is reported, never gated.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSettings } from '../../config/load-settings.ts';
import { Column, type ColumnName, ROW_WIDTH } from '../../hil/contract/columns.ts';
import { EventKind } from '../../hil/contract/events.ts';
import { startRuntime } from '../../hil/threads/runtime.ts';
import { MISS_CAUSES } from '../../hil/contract/codes.ts';
import { BerthError } from '../../src/base/errors.ts';

test('5: five seconds at 1 kHz: executed + slipped = elapsed, every miss has a cause', async (t) => {
  const settings = structuredClone(loadSettings());
  settings.robot.transport = 'none';
  settings.recording.mode = 'off';
  settings.recording.freezes = 0;
  settings.mode = 'simulation';
  const runtime = await startRuntime(settings);
  const overruns: { slipped: number; cause: number }[] = [];
  runtime.onEvent((event) => {
    if (event.kind === EventKind.OVERRUN) overruns.push({ slipped: event.a, cause: event.b });
  });
  await new Promise((resolve) => setTimeout(resolve, 5000));
  const row = new Float64Array(ROW_WIDTH);
  assert.ok(runtime.readNewest(row));
  const value = (name: ColumnName): number => row[Column[name]] ?? NaN;
  await runtime.close();
  const executed = value('tick');
  const periods = value('period') + 1;
  // the row's own release is `period` periods after the first: time and grid agree to a period
  assert.equal(Math.floor(value('time_s') / settings.loop.period_s + 1e-6) + 1, periods);
  assert.ok(executed <= periods);
  const slipped = overruns.reduce((sum, o) => sum + o.slipped, 0);
  assert.ok(slipped >= periods - executed, `${slipped} announced, ${periods - executed} slipped`);
  assert.ok(overruns.every((o) => MISS_CAUSES[o.cause] !== undefined));
  t.diagnostic(
    `acceptance 5: 5 s: ${executed} executed, ${periods - executed} slipped, ${overruns.length} overruns`,
  );
});

test('a port in use and a missing serial path end in one clear error', async () => {
  const settings = structuredClone(loadSettings());
  settings.robot.port = 0;
  settings.recording.mode = 'off';
  settings.recording.freezes = 0;
  const first = await startRuntime(settings);
  const port = Number(new URL(first.robotAddress).port);
  const again = structuredClone(settings);
  again.robot.port = port;
  await assert.rejects(startRuntime(again), (error: unknown) => {
    return error instanceof BerthError && error.message.startsWith(`robot.port: port ${port}`);
  });
  await first.close();
  const serial = structuredClone(settings);
  serial.robot.transport = 'serial';
  serial.robot.serial_path = '/dev/no-such-port';
  await assert.rejects(
    startRuntime(serial),
    /robot.serial_path: \/dev\/no-such-port does not exist/,
  );
});
