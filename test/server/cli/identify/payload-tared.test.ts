/** A payload on a sensor that was tared in the base frame, through a file: doubted without --tared, found with it. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { run } from '../../../../server/cli/identify.ts';
import { MASS, measured, shaken, TARE } from '../../../../server/validation/payload-bench.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-identify-tared-'));
after(() => rmSync(folder, { recursive: true }));

const COLUMNS = [
  'time_s,q_x,q_y,q_z,q_w,v_x_mps,v_y_mps,v_z_mps,w_x_radps,w_y_radps,w_z_radps',
  'force_x_N,force_y_N,force_z_N,moment_x_Nm,moment_y_Nm,moment_z_Nm',
].join(',');

function fileOf(name: string, tare?: readonly number[]): string {
  const data = measured(shaken(2000, 1, 1), 33, [1, 1, 1, 1, 1, 1], 1, tare);
  const columns = [data.time, ...data.orientation, ...data.twist, ...data.wrench];
  const rows = Array.from(data.time, (_, i) => columns.map((column) => column[i]).join(','));
  const path = join(folder, name);
  writeFileSync(path, [COLUMNS, ...rows].join('\n'));
  return path;
}

async function identified(t: TestContext, ...argv: string[]) {
  const out = join(folder, 'out.yaml');
  const log = t.mock.method(console, 'log', () => undefined);
  assert.equal(await run([...argv, '--procedure', 'payload', '-o', out]), 0);
  const words = log.mock.calls.map((call) => call.arguments.join(' ')).join('\n');
  log.mock.restore();
  const { parameters } = parse(readFileSync(out, 'utf8')) as {
    parameters: Record<string, { value: number; low: number; high: number }>;
  };
  return { words, parameters };
}

test('data that look tared are doubted, and found right with --tared', async (t) => {
  const path = fileOf('tared.csv', TARE);
  assert.match(
    (await identified(t, path)).words,
    /^a force of 11[67]\.\d N is constant in the base frame, as after a tare: give --tared/m,
  );
  const { words, parameters } = await identified(t, path, '--tared');
  assert.doesNotMatch(words, /as after a tare/);
  assert.match(words, /^tared in the base frame: the mass is from acceleration alone/m);
  // 2000 samples of 1 N under some 1.7 m/s² on each axis
  assert.ok(Math.abs(parameters['mass_kg'].value - MASS) < 0.05);
  assert.ok(Math.abs(parameters['tare_force_z_N'].value - TARE[2]) < 0.5);
});

test('data of a sensor that was not tared are not doubted', async (t) => {
  assert.doesNotMatch((await identified(t, fileOf('free.csv'))).words, /as after a tare/);
});
