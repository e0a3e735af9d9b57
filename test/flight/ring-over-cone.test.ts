/**
 * The ring over its cone at 1 kHz, as a user flies it: service, emulated robot and `berth fly` are processes of their own, over real sockets, with
 * the period and the rules of the settings. It comes into contact, rests at the force of the accommodation (docs/theory/sampled.md, "In the loop"),
 * goes up, and the recording has every period. Wall clock: a stall of the machine may hold a flight, which then recovers and goes on.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FaultCode, SafetyState } from '../../hil/contract/codes.ts';
import { quantileOf } from '../../hil/doctor/lateness.ts';
import { rosName } from '../../hil/recording/ros-schemas.ts';
import { openTopics } from '../../hil/recording/topic-file.ts';
import { BerthProcess } from '../fixtures/flight.ts';

const PERIOD_S = 0.001;
const PATIENCE_MS = 300_000;
/** 10 N and 10^4 N s/m at 2 mm/s, vernier gear; a tenth of it either way, as the flight takes it for settled. */
const PRESS_N = 30;
const ALLOWED_N = 3;
/** From wake to SETPOINT, s. */
const BUDGET_S = 350e-6;
/** Periods that a machine with other work may drop. */
const SLIPPED_SHARE = 0.01;
/** A period that begins later than this holds: `loop.overrun_single_s`. */
const SINGLE_S = 0.025;
const STAGES = ['rx', 'operator', 'safety', 'compensate', 'step', 'guard', 'tx'] as const;

const folder = mkdtempSync(join(tmpdir(), 'berth-ring-'));
after(() => rmSync(folder, { recursive: true }));

/** What the rows of a recording have. A recorder that starves leaves rows out. */
interface Seen {
  rows: number;
  /** From the first row to the last one. */
  ticks: number;
  periods: number;
  longestGap: number;
  /** Rows after missed periods that are not counted there, or have no cause. */
  uncounted: number;
  /** Rows after a gap that must hold, and that did not. */
  unsafe: number;
  inContact: number;
  peak_N: number;
  /** Of the ticks in contact, s. */
  steps: number[];
  totals: number[];
}

async function read(file: string): Promise<Seen> {
  const seen: Seen = {
    ...{ rows: 0, ticks: 0, periods: 0, longestGap: 0, uncounted: 0, unsafe: 0 },
    ...{ inContact: 0, peak_N: 0, steps: [], totals: [] },
  };
  let [tick, period] = [NaN, NaN];
  for await (const { fields } of openTopics(file).messages('/berth/tick')) {
    const value = (name: string): number => fields[rosName(name)] as number;
    const slipped = value('slipped');
    const [ticks, periods] = [value('tick') - tick, value('period') - period];
    if (seen.rows++ > 0) {
      seen.ticks += ticks;
      seen.periods += periods;
      seen.longestGap = Math.max(seen.longestGap, slipped);
      if (ticks === 1 && periods !== 1 + slipped) seen.uncounted++;
      if (slipped > 0 && value('miss_cause') < 0) seen.uncounted++;
    }
    [tick, period] = [value('tick'), value('period')];
    const state = value('safety_state');
    const active = state === SafetyState.ACTIVE_FREE || state === SafetyState.ACTIVE_CONTACT;
    if (active && slipped * PERIOD_S > SINGLE_S) seen.unsafe++;
    const bits = value('fault_bits') | value('hold_bits');
    assert.equal(bits & (1 << FaultCode.ENERGY_CREATED), 0, 'ENERGY_CREATED');
    assert.equal(bits & (1 << FaultCode.FORCE_LIMIT), 0, 'FORCE_LIMIT');
    if (value('contact_active') === 0) continue;
    seen.inContact++;
    const force = ['x', 'y', 'z'].map((axis) => value(`model_force_${axis}_N`));
    seen.peak_N = Math.max(seen.peak_N, Math.hypot(...force));
    seen.steps.push(value('stage_step_s'));
    seen.totals.push(STAGES.reduce((sum, name) => sum + value(`stage_${name}_s`), 0));
  }
  return seen;
}

test('ring-over-cone at 1 kHz in virtual mode: it rests at 30 N, the period holds, and its recording replays bit by bit', {
  timeout: 590_000,
}, async (t) => {
  const settings = join(folder, 'settings.yaml');
  writeFileSync(
    settings,
    `scenario: ring-over-cone
mode: virtual
server: { port: 0, log_level: silent }
robot: { port: 0 }
recording: { mode: continuous, folder: ${folder} }
loop: { period_s: ${PERIOD_S}, overrun_single_s: ${SINGLE_S} }
operator: { input_timeout_s: 0.5, authority_lease_s: 10 }
`,
  );
  const service = new BerthProcess('serve', settings, '--no-fly');
  const [, url] = await service.match(/console +(http:\/\/\S+)\//);
  const pilot = new BerthProcess('fly', '--url', url, '--persist');
  let force_N = NaN;
  try {
    const plateau = /plateau, ([\d.]+) N, ([\d.]+) µm deep/;
    const line = await pilot.find((text) => plateau.exec(text), 0, PATIENCE_MS);
    force_N = Number(line[1]);
    assert.ok(Math.abs(force_N - PRESS_N) <= ALLOWED_N, line[0]);
    await pilot.find((text) => /fly: done/.exec(text), 0, PATIENCE_MS);
  } finally {
    await pilot.end();
    await service.end();
  }
  const [name] = readdirSync(folder).filter((one) => /^berth-.*[.]mcap$/.test(one));
  const file = join(folder, name);
  const seen = await read(file);
  const steps = Float64Array.from(seen.steps).sort();
  const totals = Float64Array.from(seen.totals).sort();
  const missed = seen.periods - seen.ticks;
  const us = (list: Float64Array, q: number): string => (1e6 * quantileOf(list, q)).toFixed(0);
  t.diagnostic(
    `${force_N} N, ${seen.peak_N.toFixed(1)} N at most; ${seen.rows} rows of ${seen.ticks + 1} ticks, ${seen.inContact} in contact; step p50 ${us(steps, 0.5)} µs, ` +
      `p99 ${us(steps, 0.99)} µs; wake to SETPOINT p50 ${us(totals, 0.5)} µs, p99 ${us(totals, 0.99)} µs; ` +
      `${missed} of ${seen.periods} periods missed, ${seen.longestGap} in a row at most; load ${loadavg()[0].toFixed(1)}`,
  );
  const holds = pilot.lines.flatMap((line) => /went to \w+ \(([A-Z_, ]+)\)/.exec(line)?.[1] ?? []);
  if (holds.length > 0) t.diagnostic(`held and flown again: ${holds.join('; ')}`);
  assert.ok(seen.inContact > 1000, `${seen.inContact} rows in contact`);
  assert.equal(seen.uncounted, 0, 'missed periods that are not counted');
  assert.equal(seen.unsafe, 0, 'the loop goes on after a gap that must hold');
  assert.ok(missed < SLIPPED_SHARE * seen.periods, `${missed} of ${seen.periods}`);
  assert.ok(quantileOf(totals, 0.5) < BUDGET_S, `${us(totals, 0.5)} µs`);
  // a hold in contact stands where it is, and the robot's delay of a stall adds little
  assert.ok(seen.peak_N < 1.5 * PRESS_N, `${seen.peak_N} N`);
  const replay = new BerthProcess('replay', file);
  await replay.find((text) => /\d+ set-points bit-equal/.exec(text), 0, PATIENCE_MS);
  await replay.end();
});
