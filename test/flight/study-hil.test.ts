/**
 * A study whose runs are flown: two heights of the plate, each with a service, a robot and a pilot of its own over real sockets. What the robot measures where
 * it is pressed against the plate differs by the difference of the heights.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { BerthProcess } from '../fixtures/flight.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-study-hil-'));
after(() => rmSync(folder, { recursive: true }));

/** Of the plate, m: it is higher where the centre of its contact is lower, as in `identify.test.ts`. */
const HEIGHTS = [0.0005, 0];
const at = (name: string): string => join(folder, name);
writeFileSync(
  at('touch.yaml'),
  `name: touch
title: Down to the plate, and up
speed_mps: 10 mm/s
force_limit_N: 250
steps:
  - name: down
    velocity_mps: [0, 0, -2 mm/s]
    until:
      - { push_N: { above: 5 }, held_s: 0.2 s, report: touched }
      - { after_s: 20 s, go: fail, report: nothing there }
  - name: up
    goal: true
    velocity_mps: [0, 0, 1 mm/s]
    until:
      - { after_s: 0.5 s }
`,
);
// at 5 ms a busy machine breaks the rules that count periods less often
writeFileSync(
  at('settings.yaml'),
  `server: { log_level: silent }
recording: { keep_free_bytes: 0 }
loop: { period_s: 0.005, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
operator: { input_timeout_s: 0.5, authority_lease_s: 10 }
`,
);
writeFileSync(
  at('plates.yaml'),
  `name: plates
scenario: half-sphere-on-plate
design: { kind: grid }
vary:
  - { name: center_m, fields: [contacts.0.pair.center_m.2], choice: [${HEIGHTS.map((height) => 0.05 - height).join(', ')}] }
quantities:
  - { name: depth_m, of: least, column: measured_p_z_m }
  - { name: force_N, of: peak, column: measured_force_z_N }
`,
);
// a machine that stalls may end a flight, which says nothing of the plate
const words = [
  ...['--hil', '--script', at('touch.yaml'), '--config', at('settings.yaml')],
  ...['--attempts', '3'],
];

/** Results so far, as they were written. */
const resultsIn = (out: string): string[] =>
  existsSync(join(out, 'parts'))
    ? readdirSync(join(out, 'parts')).flatMap((name) =>
        readFileSync(join(out, 'parts', name), 'utf8')
          .split('\n')
          .filter((line) => line !== ''),
      )
    : [];

test('berth study run --hil: the depth of the press follows the height of the plate', {
  timeout: 300_000,
}, async (t) => {
  const out = at('plates');
  const study = new BerthProcess('study', 'run', at('plates.yaml'), '-o', out, ...words);
  const code = await study.closed;
  for (const line of study.lines) t.diagnostic(line);
  const results = resultsIn(out);
  for (const line of results) t.diagnostic(line);
  assert.equal(code, 0, study.stderr);
  const [high, low] = results.map(
    (line) => (JSON.parse(line) as { quantities: readonly [number, number] }).quantities,
  );
  // each force holds the depth within (20 N / 2.5e8)^(2/3) = 19 µm; noise of the place is below that
  const difference = high[0] - low[0];
  assert.ok(Math.abs(difference - (HEIGHTS[0] - HEIGHTS[1])) < 40e-6, `${difference}`);
  for (const [, force] of [low, high]) assert.ok(force > 5 && force < 100, `${force}`);
});

test('a study that is interrupted in flight keeps what has been flown, and goes on with the rest', {
  timeout: 300_000,
}, async (t) => {
  const out = at('interrupted');
  const first = new BerthProcess('study', 'run', at('plates.yaml'), '-o', out, ...words);
  while (resultsIn(out).length === 0 && first.child.exitCode === null) await delay(50);
  // the second one is in the air
  while (readdirSync(join(out, 'flown')).length < 2 && first.child.exitCode === null)
    await delay(50);
  await delay(3000);
  first.child.kill('SIGINT');
  assert.notEqual(await first.closed, 0);
  for (const line of first.lines) t.diagnostic(line);
  const before = resultsIn(out);
  assert.equal(before.length, 1);
  const second = new BerthProcess('study', 'run', at('plates.yaml'), '-o', out, ...words);
  const code = await second.closed;
  for (const line of second.lines) t.diagnostic(line);
  assert.equal(code, 0, second.stderr);
  const all = resultsIn(out);
  assert.equal(all.length, 2);
  assert.ok(all.includes(before[0]));
});

test('a flight that does not come to its goal is flown again, and its last words are the reason', {
  timeout: 300_000,
}, async (t) => {
  const away = at('away.yaml');
  writeFileSync(
    away,
    `name: away
title: Up, where nothing is
speed_mps: 10 mm/s
force_limit_N: 250
steps:
  - name: up
    velocity_mps: [0, 0, 1 mm/s]
    until:
      - { push_N: { above: 5 }, go: back }
      - { after_s: 0.2 s, go: fail, report: nothing there }
  - name: back
    goal: true
    until:
      - { after_s: 0.1 s }
`,
  );
  const one = at('one.yaml');
  writeFileSync(
    one,
    readFileSync(at('plates.yaml'), 'utf8').replace(/choice: .+\]/, 'choice: [0.05]'),
  );
  const out = at('one');
  const flights = ['--hil', '--script', away, '--config', at('settings.yaml'), '--attempts', '2'];
  const study = new BerthProcess('study', 'run', one, '-o', out, ...flights);
  await study.closed;
  for (const line of study.lines) t.diagnostic(line);
  const [result, ...more] = resultsIn(out);
  assert.equal(more.length, 0);
  assert.match((JSON.parse(result) as { reason: string }).reason, /nothing there/);
  assert.equal(readdirSync(join(out, 'flown')).length, 2);
});

test('berth serve --child ends in order when its standard input closes', async () => {
  const settings = join(folder, 'child.yaml');
  writeFileSync(
    settings,
    'server: { port: 0, log_level: silent }\nmode: simulation\nrobot: { transport: none }\nscenario: half-sphere-on-plate\n' +
      'recording: { mode: off }\naudit: { enabled: false }\n',
  );
  const service = new BerthProcess('serve', settings, '--no-fly', '--child');
  await service.match(/console +(http:\/\/\S+)\//);
  service.child.stdin?.end();
  assert.equal(await service.closed, 0, service.stderr);
  assert.ok(service.lines.includes('berth: stopping'));
});
