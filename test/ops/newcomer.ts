/**
 * The first hour of a person who has only the repository: clone, `npm ci && npm start`, a flight by what the page says, the recording as a
 * table and as curves, a scenario of their own seen in 3-D, and a flight of their own by script. Every command is one of the README.
 *
 * Usage: node dist/test/ops/newcomer.js [STEP…]   (clone, install, fly, data, scenario, script; all when left out, in this order)
 *
 * Steps that are left out must have been done before in the folder that NEWCOMER_FOLDER names; it is kept.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { packageRoot } from '../../config/paths.ts';
import { type Drawing, noteFaults, openBrowser } from '../browser/chromium.ts';
import { Newcomer } from '../browser/newcomer.ts';
import { eventually, FLIGHT_S, PATIENCE_S } from '../browser/page-rig.ts';
import { readPicture } from '../browser/picture.ts';
import { type Running, Terminal } from './terminal.ts';

/** From the page to a moving arm; what stalls interrupt, the page leads back to. */
const MOST_FLIGHT_S = 2 * FLIGHT_S;
/** The arm is kept moving for so long, ms. */
const MOVE_MS = 2000;
/** Rows of a recording of a flight at least: seconds of a loop at 1 kHz or slower. */
const LEAST_ROWS = 1000;
/** One press, or what it changes, on a page that is slow, ms; then it is tried again. */
const SOON_MS = 10_000;
const TITLE = 'My box';

const given = process.env['NEWCOMER_FOLDER'];
const scratch = given ?? mkdtempSync(join(tmpdir(), 'berth-newcomer-'));
const clone = join(scratch, 'berth');
const terminal = new Terminal(clone);

/** A page of the console; the browser draws the scene, or leaves its time to the loop. */
async function withPage(
  address: string,
  drawing: Drawing,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const faults: string[] = [];
  let browser: Browser | null = null;
  try {
    browser = await openBrowser(drawing);
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await noteFaults(page, faults);
    await page.goto(address);
    await use(page);
    assert.deepEqual(faults, [], 'errors of the page');
  } finally {
    await browser?.close();
  }
}

/** A service while it is used; Ctrl-C ends it. */
async function withService(
  service: Running,
  use: (address: string) => Promise<void>,
): Promise<void> {
  try {
    const [, address] = await service.line(/^ +console +(http\S+)$/);
    await use(address);
    // npm itself ends by the signal, the service with 0
    const code = await service.interrupt();
    assert.ok(code === 0 || code === null, `exit code ${code} after Ctrl-C`);
  } finally {
    await service.end();
  }
}

/** HEAD, as a clone of the repository has it. */
function cloneHead(): void {
  const root = packageRoot();
  const git = (...args: string[]): string => {
    const done = spawnSync('git', args, { cwd: scratch, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
    return done.stdout.trim();
  };
  const head = git('-C', root, 'rev-parse', 'HEAD');
  rmSync(clone, { recursive: true, force: true });
  git('clone', '--quiet', '--no-checkout', root, clone);
  git('-C', clone, 'checkout', '--quiet', '--detach', head);
  console.log(`           $ git clone … # ${head.slice(0, 7)}`);
}

/** The page is followed until the arm moves, and then everything is let go. */
async function flyByThePage(): Promise<void> {
  await withService(terminal.start('npm', 'start', '--', '--port', '0'), (address) =>
    withPage(address, 'none', async (page) => {
      const person = new Newcomer(page);
      const end_ms = performance.now() + MOST_FLIGHT_S * 1000;
      while (!(await person.act())) {
        if (performance.now() < end_ms) continue;
        assert.fail(`nothing moves: ${person.did.slice(-20).join(' → ')}`);
      }
      await page.waitForTimeout(MOVE_MS);
      await person.releaseKeys();
      console.log(`           ${person.did.join(' → ').slice(0, 1500)}`);
    }),
  );
}

/** Newest recording of the flight. */
function recording(): string {
  const folder = join(clone, 'recordings');
  const files = readdirSync(folder).filter((name) => /^berth-.*[.]mcap$/.test(name));
  assert.ok(files.length > 0, 'there is a recording');
  return join('recordings', files.sort().at(-1)!);
}

/** Table and curves of the flight; its commands are in them. */
async function exportAndPlot(): Promise<void> {
  const file = recording();
  const columns = 'time_s,authority,command_v_*,measured_p_*';
  terminal.run('npx', 'berth', 'export', file, '--columns', columns, '-o', 'flight.csv');
  const [head, ...rows] = readFileSync(join(clone, 'flight.csv'), 'utf8').trim().split(/\r?\n/);
  const names = head.split(',');
  const values = rows.map((row) => row.split(',').map(Number));
  assert.ok(values.length >= LEAST_ROWS, `${values.length} rows`);
  const holder = names.indexOf('authority');
  const speeds = names.flatMap((name, i) => (name.startsWith('command_v_') ? [i] : []));
  const person = values.findLast((row) => row[holder] > 0)?.[holder];
  const flown = values.filter((row) => row[holder] === person && speeds.some((i) => row[i] !== 0));
  assert.ok(flown.length > 0, `rows in which the person ${person} moves the arm`);
  terminal.run('npx', 'berth', 'plot', file, '--columns', 'measured_p_*', '-o', 'flight.html');
  await withPage(pathToFileURL(join(clone, 'flight.html')).href, 'none', async (page) => {
    const chart = page.locator('canvas').first();
    const drawn = await readPicture(page, await chart.screenshot());
    assert.ok(drawn.colours > 3, `${drawn.colours} colours in a chart of three curves`);
    assert.match(await page.locator('body').innerText(), /measured_p_x_m/);
  });
}

/** Both sides of the contact are computed; period and limits leave time to a browser that draws in software. */
const OWN_SETTINGS = `scenario: half-sphere-on-plate
scenario_folders: [mine]
mode: simulation
server: { port: 0 }
robot: { transport: none }
loop: { period_s: 5 ms, realtime_priority: 0, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
operator: { input_timeout_s: 500 ms, authority_lease_s: 60 }
`;

/** A copy of a scenario with bodies of other names and its own title, and settings that name its folder. */
function writeOwnScenario(): void {
  const shipped = readFileSync(join(clone, 'config/scenarios/battery-box-insertion.yaml'), 'utf8');
  const own = shipped
    .replace(/^name: .*$/m, 'name: my-box')
    .replace(/^title: .*$/m, `title: ${TITLE}`)
    .replaceAll('work-site', 'my-site')
    .replaceAll('battery-box\n', 'my-payload\n')
    .replaceAll('name: battery-box ', 'name: my-payload ');
  assert.notEqual(own, shipped);
  mkdirSync(join(clone, 'mine'), { recursive: true });
  writeFileSync(join(clone, 'mine/my-box.yaml'), own);
  writeFileSync(join(clone, 'my-settings.yaml'), OWN_SETTINGS);
  terminal.run('npx', 'berth', 'check', 'mine/my-box.yaml', 'my-settings.yaml');
}

/** Loaded by the page, drawn by it, with the bodies of the copy. */
async function loadAndSee(page: Page): Promise<void> {
  await page.getByRole('button', { name: /half-sphere-on-plate/ }).click();
  const dialog = page.getByRole('dialog');
  const soon = { timeout: SOON_MS };
  await eventually(FLIGHT_S, async () => {
    if (!(await dialog.isVisible())) return; // loaded
    const ask = dialog.getByRole('button', { name: 'Request authority' });
    if (await ask.isVisible()) await ask.click(soon);
    await dialog.getByText('Can be loaded now').waitFor(soon);
    await dialog.getByLabel(TITLE).check(soon);
    await dialog.getByRole('button', { name: 'Load', exact: true }).click(soon);
    await dialog.waitFor({ state: 'detached' });
  });
  const scene = page.getByRole('img', { name: `Scene: ${TITLE}` });
  await scene.waitFor();
  const { bodies } = await page.evaluate<{ bodies: { name: string; cells: unknown[] }[] }>(
    `fetch('/api/scene').then((answer) => answer.json())`,
  );
  const names = bodies.filter(({ cells }) => cells.length > 0).map(({ name }) => name);
  assert.deepEqual(names.filter((name) => name.startsWith('my-')).sort(), [
    'my-payload',
    'my-site',
  ]);
  await eventually(PATIENCE_S, async () => {
    const drawn = await readPicture(page, await scene.screenshot());
    assert.ok(drawn.colours > 50 && drawn.payload > 0.02, JSON.stringify(drawn));
  });
  const drawn = await readPicture(page, await scene.screenshot());
  // the same page, had the scenario no bodies
  await page.route('**/api/scene', async (route) => {
    const description = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...description, bodies: [] } });
  });
  await page.reload();
  await scene.waitFor();
  await page.waitForTimeout(3000);
  const empty = await readPicture(page, await scene.screenshot());
  assert.ok(empty.payload === 0 && drawn.sum !== empty.sum, JSON.stringify({ drawn, empty }));
}

const OWN_FLIGHT = `name: my-flight
title: Into the lead-in and out again
scenario: my-box
speed_mps: 20 mm/s
force_limit_N: 120
steps:
  - name: in
    frame: way
    velocity_mps: [10 mm/s, 0, 0]
    until:
      - { pairs: { above: 0 }, report: touched }
  - name: stay
    goal: true
    until:
      - { after_s: 1 s }
  - name: out
    frame: way
    position_m: [-50 mm, 0, 0]
    tolerance_m: 10 mm
    timeout_s: 30 s
`;

/** The scenario is flown by a script of the person's own. */
async function flyByScript(address: string): Promise<void> {
  writeFileSync(join(clone, 'my-flight.yaml'), OWN_FLIGHT);
  terminal.run('npx', 'berth', 'check', 'my-flight.yaml');
  const options = ['--url', address, '--script', 'my-flight.yaml', '--persist'];
  const fly = terminal.start('npx', 'berth', 'fly', ...options);
  try {
    await fly.line(/^fly: touched at -?\d+[.]\d mm of 200 mm: .*; stay$/);
    await fly.line(/^fly: out at /);
    assert.equal(await fly.ended, 0, 'exit code of the flight');
  } finally {
    await fly.end();
  }
}

const STEPS: Readonly<Record<string, () => Promise<void> | void>> = {
  clone: cloneHead,
  install: () => {
    terminal.run('npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund');
  },
  fly: flyByThePage,
  data: exportAndPlot,
  scenario: async () => {
    writeOwnScenario();
    const service = terminal.start('npx', 'berth', 'serve', 'my-settings.yaml');
    await withService(service, (address) => withPage(address, 'software', loadAndSee));
  },
  script: async () => {
    const serve = ['berth', 'serve', 'my-settings.yaml', '--scenario', 'mine/my-box.yaml'];
    await withService(terminal.start('npx', ...serve), async (address) => {
      await flyByScript(address);
    });
  },
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in STEPS));
assert.ok(
  unknown === undefined,
  `${unknown} is no step; there are ${Object.keys(STEPS).join(', ')}`,
);
mkdirSync(scratch, { recursive: true });
try {
  for (const [name, step] of Object.entries(STEPS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`== ${name}`);
    assert.ok(name === 'clone' || existsSync(clone), 'the clone is there');
    await step();
  }
  console.log('The newcomer has flown, plotted, and seen a scenario of their own.');
} finally {
  if (given === undefined) rmSync(scratch, { recursive: true, force: true });
}
