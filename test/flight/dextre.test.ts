/**
 * The battery box on the flexible arm of the Dextre class in mode `hardware`, as a user flies it: service, emulated six-joint robot with
 * the work-site and `berth fly` are processes of their own, over real sockets. Wall clock: a stall may interrupt the flight, which then
 * recovers and goes on. What the flight does physically is tested on the virtual clock, test/hil/loop/dextre-flight.long.test.ts.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Telemetry, TelemetryClient } from '../../server/client/node.ts';
import { BerthProcess } from '../fixtures/flight.ts';

/** As in insertion.test.ts: at 2 ms a busy machine breaks the rules that count periods less often. */
const PERIOD_MS = 2;
const PATIENCE_MS = 300_000;
/** For the force to rest: each hold by a stall takes ten seconds and begins it anew. */
const REST_MS = 200_000;
/** The press at 2 mm/s: 10 N and 10 N a mm/s, and a tenth of it either way. */
const PLATEAU_N = 30;
const ALLOWED_N = 3;
/** Means of the force over so many messages, 0.5 s: the noise of 1 N leaves 0.15 N. */
const MESSAGES = 50;
/** The force rests when so many of them in a row are right. */
const HALF_SECONDS = 4;

const folder = mkdtempSync(join(tmpdir(), 'berth-dextre-'));
after(() => rmSync(folder, { recursive: true }));
const settings = join(folder, 'settings.yaml');
writeFileSync(
  settings,
  `scenario: dextre-battery-box
mode: hardware
server: { port: 0, log_level: silent }
robot: { port: 0, emulate: false }
recording: { mode: off }
loop: { period_s: ${PERIOD_MS / 1000}, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
operator: { input_timeout_s: 0.5, authority_lease_s: 10 }
`,
);

const norm = (v: readonly number[]): number => Math.hypot(...v);

test('the battery box is flown to full depth on the flexible arm, which holds when its robot is cut off', {
  timeout: 590_000,
}, async (t) => {
  const service = new BerthProcess('serve', settings, '--no-fly');
  const [, url] = await service.match(/console +(http:\/\/\S+)\//);
  const [, address] = await service.match(/robot at (ws:\S+)/);
  const robot = new BerthProcess(
    ...['emulate', '--ws', address, '--scenario', 'dextre-battery-box', '--quiet'],
    ...['--period', String(PERIOD_MS)],
  );
  const fly = new BerthProcess('fly', '--url', url, '--hold', '210', '--persist');
  const telemetry = await TelemetryClient.connect({ url, name: 'watcher' });
  let newest: Telemetry | null = null;
  /** Of the press: forces along the way, and how far gears, links and tip are bent. */
  let forces: number[] = [];
  let settled: number[] = [];
  let watching = false;
  telemetry.on('telemetry', (message) => {
    newest = message;
    if (!watching || message.wrench === undefined) return;
    if (message.state?.state !== 'ACTIVE_CONTACT') {
      forces = [];
      settled = [];
      return;
    }
    forces.push(-message.wrench.measured[0]);
    if (forces.length < MESSAGES) return;
    settled.push(forces.reduce((sum, force) => sum + force, 0) / MESSAGES);
    forces = [];
  });
  try {
    await telemetry.subscribe(['state', 'wrench', 'joints', 'loop_energy'], 100);
    const seated = await fly.find(
      (line) =>
        /seated at ([\d.]+) mm of 200 mm: ([\d.]+) N along the way, tilt ([\d.]+)°/.exec(line),
      0,
      PATIENCE_MS,
    );
    const [depth_mm, push_N, tilt_deg] = seated.slice(1).map(Number);
    // the floor yields by 30 N over 48 kN/m
    assert.ok(depth_mm > 199.9 && depth_mm < 202, seated[0]);
    assert.ok(Math.abs(push_N - PLATEAU_N) <= ALLOWED_N, seated[0]);
    // let go at 0.3°, which the floor straightens to its moment dead-band, 1 N m over some 600 N m/rad, and to what the tip is turned
    assert.ok(tilt_deg < 0.5, seated[0]);
    watching = true;
    // a hold by a stall takes the arm back; pressed again it yields at some 4 kN/m, so that the
    // force takes seconds to reach 30 N
    const rests = (): boolean =>
      settled.length >= HALF_SECONDS &&
      settled.slice(-HALF_SECONDS).every((force) => Math.abs(force - PLATEAU_N) <= ALLOWED_N);
    const begin = performance.now();
    while (!rests() && performance.now() - begin < REST_MS) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(rests(), `the force does not rest: ${settled.join(', ')} N`);
    const force = settled.at(-1)!;
    const seen = newest as Telemetry | null;
    const { joints, loop_energy: energy } = seen ?? {};
    assert.ok(joints !== undefined && energy !== undefined, 'topics joints and loop_energy');
    assert.equal(joints.position.length, 7);
    assert.ok(joints.status !== null, 'an arm with joints has a status');
    const tip_mm = 1000 * norm(joints.deflection_m);
    const gear = Math.max(...joints.deflection.map(Math.abs));
    assert.ok(tip_mm > 0.3 && tip_mm < 20, `tip bent by ${tip_mm} mm`);
    assert.ok(gear > 1e-4 && gear < 0.01, `a gear bent by ${gear} rad`);
    assert.ok(['valid', 'acknowledged', 'needed'].includes(energy.permit), energy.permit);
    assert.ok(energy.audit.in_J >= 0 && energy.prediction.effective_mass_kg! > 20, 'audit');
    t.diagnostic(
      `seated at ${depth_mm} mm, ${force.toFixed(1)} N, tip bent by ${tip_mm.toFixed(2)} mm, permit ${energy.permit}`,
    );
    watching = false;
    robot.child.kill('SIGKILL');
    await robot.closed;
    const held = await stateOf(
      () => newest,
      (state) => !state.startsWith('ACTIVE'),
    );
    const twist = held.setpoint.twist;
    assert.equal(norm(twist), 0, `set-point moves with ${twist.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const later = await stateOf(
      () => newest,
      () => true,
    );
    assert.deepEqual(later.setpoint.position_m, held.setpoint.position_m, 'the arm holds');
  } finally {
    telemetry.close();
    await fly.end();
    await service.end();
    await robot.end();
  }
});

/** The newest state that is accepted. */
async function stateOf(
  read: () => Telemetry | null,
  accept: (state: string) => boolean,
): Promise<NonNullable<Telemetry['state']>> {
  const begin = performance.now();
  while (performance.now() - begin < 60_000) {
    const state = read()?.state;
    if (state !== undefined && accept(state.state)) return state;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`No such state: ${JSON.stringify(read()?.state)}`);
}
