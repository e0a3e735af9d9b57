/** `berth simulate` and `berth check` as a user meets them: output, exit codes, one line on stderr. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../../config/paths.ts';
import { runCommand } from '../../../server/cli/run-command.ts';

const main = fileURLToPath(
  new URL(`../../../server/main${extname(import.meta.url)}`, import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), 'berth-simulate-'));
after(() => rmSync(folder, { recursive: true }));

function berth(...argv: string[]): { status: number | null; out: string; err: string } {
  const result = spawnSync(process.execPath, [...process.execArgv, main, ...argv], {
    encoding: 'utf8',
  });
  return { status: result.status, out: result.stdout, err: result.stderr };
}

/** The same without a process for it, which would take most of the time of this file; rows go to a file. */
async function command(
  t: TestContext,
  ...argv: string[]
): Promise<{ status: number; out: string; err: string }> {
  const said = { log: '', error: '' };
  const mocks = (['log', 'error'] as const).map((name) =>
    t.mock.method(console, name, (line: string) => void (said[name] += `${line}\n`)),
  );
  const status = await runCommand(argv);
  for (const { mock } of mocks) mock.restore();
  return { status, out: said.log, err: said.error };
}

const SCENARIO = 'half-sphere-on-plate';

test('a run in CSV: rows on the grid, the published plateau, the hash on stderr', () => {
  const { status, out, err } = berth('simulate', SCENARIO, '--until', '3s', '--every', '100ms');
  assert.equal(status, 0, err);
  const lines = out.trimEnd().split('\n');
  const columns = lines[0].split(',');
  assert.equal(lines.length, 1 + 31);
  const last = lines[31].split(',').map(Number);
  assert.equal(last.length, columns.length);
  assert.ok(Math.abs(last[0] - 3) < 1e-9);
  assert.ok(Math.abs(last[columns.indexOf('tool-plate.normal_force_N')] - 30) < 0.5);
  assert.match(err, /^final state [0-9a-f]{16} at 3[.]000000 s\n$/);
});

test('a run in JSON to a file holds the same numbers and hash', async (t) => {
  const file = join(folder, 'run.json');
  const options = ['--until', '0.2s', '--every', '50ms'];
  const json = await command(t, 'simulate', SCENARIO, ...options, '--format', 'json', '-o', file);
  const csv = berth('simulate', SCENARIO, ...options);
  assert.equal(json.status, 0, json.err);
  assert.equal(json.out, '');
  const data = JSON.parse(readFileSync(file, 'utf8')) as {
    columns: string[];
    rows: number[][];
    hash: string;
  };
  const lines = csv.out.trimEnd().split('\n');
  assert.equal(data.columns.join(','), lines[0]);
  assert.deepEqual(
    data.rows.map((row) => row.join(',')),
    lines.slice(1),
  );
  assert.ok(json.err.includes(data.hash));
  assert.equal(json.err, csv.err, 'the same run has the same hash');
});

test('what cannot be run ends with exit code 2 and one line', async (t) => {
  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /expected one SCENARIO/],
    [['no-such-scenario'], /scenario "no-such-scenario" does not exist/],
    [[SCENARIO, '--format', 'mcap'], /--format mcap writes to a file: name it with -o FILE/],
    [[SCENARIO, '--format', 'xml'], /--format is "xml"; allowed: csv, json, mcap/],
    [[SCENARIO, '--until', '2 kg'], /--until is "2 kg"; allowed: a time above zero/],
    [[SCENARIO, '--every', '1us'], /--every is 1us; allowed: the step of the scenario/],
    [[SCENARIO, '-o', join(folder, 'no', 'such')], /cannot write/],
    [[SCENARIO, '--set', 'tool.lag_s=-1'], /--set tool[.]lag_s: tool[.]lag_s is -1/],
  ];
  const expect = (status: number | null, err: string, message: RegExp): void => {
    assert.equal(status, 2, err);
    assert.match(err, message);
    assert.equal(err.trimEnd().split('\n').length, 1, err);
  };
  // the program, and then what it calls
  const { status, err } = berth('simulate', ...refused[0][0]);
  expect(status, err, refused[0][1]);
  for (const [argv, message] of refused) {
    const answer = await command(t, 'simulate', ...argv);
    expect(answer.status, answer.err, message);
  }
});

test('check accepts the files of the package and shows every complaint of a bad one', () => {
  const good = berth('check', 'config/berth.yaml', `config/scenarios/${SCENARIO}.yaml`);
  assert.equal(good.status, 0, good.err);
  const file = join(folder, 'bad.yaml');
  writeFileSync(file, 'mode: virtul\nloop:\n  period_s: 1 mm\n  spin: 2\n');
  const bad = berth('check', file);
  assert.equal(bad.status, 2);
  assert.deepEqual(
    bad.err
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(file.length).split(' ')[0]),
    [':1:7:', ':4:3:', ':3:13:'],
  );
});

test('cell pairs that found no free sub-model are told on stderr', async (t) => {
  const [file, rows] = [join(folder, 'pool.yaml'), join(folder, 'pool.csv')];
  const cells = [-0.05, 0.05].map((x) => ({
    shape: { kind: 'box', size_m: [0.1, 0.1, 0.1] },
    position_m: [x, 0, 0],
  }));
  const scenario = {
    name: 'pool',
    title: 'Two cells on a plane',
    gravity_mps2: [0, 0, -9.81],
    bodies: [
      { name: 'box', kind: 'dynamic', position_m: [0, 0, 0.0501], density_kg_per_m3: 500, cells },
      { name: 'floor', kind: 'fixed', cells: [{ shape: { kind: 'half-space' } }] },
    ],
    contacts: [
      {
        name: 'box-floor',
        body_i: 'box',
        body_j: 'floor',
        pair: { kind: 'volumetric', maximum_pairs: 1 },
        normal_law: {
          kind: 'volumetric',
          stiffness_N_per_m3: 1e7,
          restitution: 0.5,
          small_velocity_mps: 1e-3,
        },
        friction_law: { kind: 'none' },
      },
    ],
    integration: { kind: 'implicit-contact', step_s: 0.001 },
    duration_s: 0.02,
  };
  writeFileSync(file, JSON.stringify(scenario));
  const { status, err } = await command(t, 'simulate', file, '-o', rows);
  assert.equal(status, 0, err);
  assert.match(err, /maximum_pairs of a contact were in use/);
  scenario.contacts[0].pair.maximum_pairs = 2;
  writeFileSync(file, JSON.stringify(scenario));
  const enough = await command(t, 'simulate', file, '-o', rows);
  assert.equal(enough.status, 0, enough.err);
  assert.doesNotMatch(enough.err, /maximum_pairs/);
});

test('the method of each overlap is told, and its error where it is an estimate', async (t) => {
  const name = 'ball-in-cylinder-volumetric';
  const scenario = join(packageRoot(), 'config', 'scenarios', `${name}.yaml`);
  const check = await command(t, 'check', scenario);
  assert.match(check.out, /2 bodies, 1 contact; ball-cylinder: cell pairs: 1 by closed-form\n$/);
  const options = ['--until', '0.3s', '--every', '10ms', '-o', join(folder, 'rows.csv')];
  const exact = await command(t, 'simulate', name, ...options);
  assert.match(exact.err, /^ball-cylinder: cell pairs: 1 by closed-form\nfinal state/);
  const rays = ['--set', 'contacts.0.pair.method=rays'];
  const cast = await command(t, 'simulate', name, ...rays, ...options);
  const words = /^ball-cylinder: cell pairs: 1 by rays\nlargest estimate .* overlap.*: (\S+)\n/;
  const error = Number(words.exec(cast.err)?.[1]);
  assert.ok(error > 1e-12 && error < 1e-4, cast.err);
});
