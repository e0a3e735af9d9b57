/**
 * The running service watched by a real Prometheus (Debian package "prometheus"), with the project's own scrape configuration,
 * rules and dashboard queries.
 *
 * Usage: node dist/test/ops/prometheus-scrape.js. Exit 0 when all checks passed, 1 when one failed, 2 without Prometheus.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PAGES } from '../../dashboards/build.ts';
import {
  annotationsOf,
  concrete,
  expressionsOf,
  type PanelExpression,
} from '../../dashboards/expressions.ts';
import { arm as armPage } from '../../dashboards/arm.ts';
import { buildPage } from '../../dashboards/page.ts';
import { checkAlerts } from './alert-faults.ts';
import {
  ask,
  DASHBOARDS,
  eventually,
  firing,
  passed,
  query,
  startPrometheus,
  startService,
  stop,
} from './prometheus.ts';
import { promtool, promtoolMissing } from './promtool.ts';

/** Enough scrapes for every rate window of the dashboard. */
const TICKS_TO_SEE = 8000;
/** Scrape times are rounded to 1 ms and each scrape takes a few: 3 % of eight seconds covers both many times over. */
const ACCOUNT_TOLERANCE = 0.03;

const scratch = mkdtempSync(join(tmpdir(), 'berth-prometheus-'));

/** Growth of a counter between the first and the last scrape: amount and time, s. */
async function growth(api: string, metric: string): Promise<{ amount: number; time: number }> {
  const samples = (await query(api, `${metric}[2m]`)).at(0)?.values ?? [];
  if (samples.length < 2) return { amount: 0, time: 0 };
  const [from, to] = [samples[0], samples.at(-1)!];
  return { amount: Number(to[1]) - Number(from[1]), time: to[0] - from[0] };
}

/** Of a machine that stalls the counters and the scrapes come late: over more scrapes that weighs less. */
async function checkAccounting(api: string): Promise<void> {
  let seen = '';
  await eventually(`${TICKS_TO_SEE} ticks, all accounted for`, async () => {
    const { amount, time } = await growth(api, 'berth_loop_ticks_total');
    const slipped = await growth(api, 'berth_loop_slipped_ticks_total');
    const perSecond = (amount + slipped.amount) / time;
    seen = `${amount} ticks and ${slipped.amount} slipped in ${time.toFixed(1)} s: ${perSecond.toFixed(1)} periods a second`;
    const right = Math.abs(perSecond / 1000 - 1) < ACCOUNT_TOLERANCE;
    return amount >= TICKS_TO_SEE && right ? true : undefined;
  });
  passed(seen);
}

async function checkDashboard(api: string): Promise<void> {
  const dashboards = PAGES.filter((page) => page !== armPage).map(buildPage);
  await checkQueries(api, dashboards.flatMap(expressionsOf), 'dashboard');
}

/** A filter may leave nothing; everything else must find its metric. */
async function checkQueries(
  api: string,
  expressions: readonly PanelExpression[],
  what: string,
): Promise<void> {
  for (const { panel, expr } of expressions) {
    if (expr.endsWith('> 0')) await query(api, concrete(expr));
    else await finds(api, panel, concrete(expr));
  }
  passed(`${expressions.length} ${what} queries evaluated, each found its series`);
}

async function finds(api: string, panel: string, expr: string): Promise<void> {
  await eventually(`${panel}: ${expr}`, async () =>
    (await query(api, expr)).length > 0 ? true : undefined,
  );
}

async function post(host: string, path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`http://${host}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  assert.ok(reply.ok, `${path}: ${await reply.text()}`);
}

/**
 * A stop, which is a fault and a transition, and a load of a scenario with an arm: each mark of the pages finds it in the last
 * minutes, and the panels of the arm find its joints.
 */
async function checkMarks(): Promise<void> {
  let service: ChildProcess | undefined;
  let prometheus: ChildProcess | undefined;
  try {
    const settings = { server: { port: 0 }, robot: { port: 0 }, recording: { folder: scratch } };
    const started = await startService(scratch, settings, ['--no-fly']);
    service = started.service;
    const rules = join(DASHBOARDS, 'rules/berth.rules.yml');
    const watching = await startPrometheus(scratch, started.host, rules);
    prometheus = watching.prometheus;
    const { api } = watching;
    await finds(api, 'the first scrape', 'berth_scenario_info');
    await post(started.host, '/api/session/stop', { category: 1 });
    const arm = { scenario: 'dextre-battery-box', mode: 'virtual' };
    await eventually('a scenario with an arm is loaded', () =>
      // while the stop lasts nothing is
      post(started.host, '/api/session/load', arm).then(
        () => true as const,
        () => undefined,
      ),
    );
    const marks = annotationsOf(buildPage(armPage));
    for (const { panel, expr } of marks) {
      await finds(api, panel, `max_over_time((${concrete(expr)})[5m:1s])`);
    }
    passed(`${marks.length} annotations found what they mark`);
    await checkQueries(api, expressionsOf(buildPage(armPage)), 'arm');
    const info = await query(api, 'berth_scenario_info{scenario="dextre-battery-box"}');
    assert.equal(info.length, 1, 'the scenario is a label');
  } finally {
    await stop(service);
    await stop(prometheus);
  }
}

async function checkRules(api: string): Promise<void> {
  interface Group {
    rules: { name: string; health: string; lastError?: string }[];
  }
  const rules = await eventually('all rules evaluated', async () => {
    const { groups } = (await ask(api, 'rules')) as { groups: Group[] };
    const all = groups.flatMap((group) => group.rules);
    return all.length > 0 && all.every((rule) => rule.health !== 'unknown') ? all : undefined;
  });
  for (const rule of rules) assert.equal(rule.health, 'ok', `${rule.name}: ${rule.lastError}`);
  passed(`${rules.length} alert rules evaluate on live data`);
}

async function checkText(host: string): Promise<void> {
  const text = await (await fetch(`http://${host}/metrics`)).text();
  const metrics = promtool(['check', 'metrics'], text);
  assert.equal(metrics.code, 0, metrics.text);
  passed(`promtool check metrics: ${text.split('\n').length} lines of text`);
  for (const args of [
    ['check', 'rules', join(DASHBOARDS, 'rules/berth.rules.yml')],
    ['test', 'rules', join(DASHBOARDS, 'rules/berth.rules.test.yml')],
  ]) {
    const { code, text: said } = promtool(args);
    assert.equal(code, 0, said);
    passed(`promtool ${args[0]} ${args[1]}`);
  }
}

async function main(): Promise<void> {
  let service: ChildProcess | undefined;
  let prometheus: ChildProcess | undefined;
  try {
    const started = await startService(
      scratch,
      {
        server: { port: 0 },
        robot: { port: 0 },
        recording: { mode: 'continuous', folder: scratch },
      },
      ['--demo'],
    );
    service = started.service;
    const watching = await startPrometheus(
      scratch,
      started.host,
      join(DASHBOARDS, 'rules/berth.rules.yml'),
    );
    prometheus = watching.prometheus;
    const { api } = watching;
    await eventually('up is 1', async () =>
      (await query(api, 'up{job="berth"}'))[0]?.value?.[1] === '1' ? true : undefined,
    );
    passed(`Prometheus scrapes ${started.host}`);
    await checkAccounting(api);
    await checkDashboard(api);
    await checkRules(api);
    await checkText(started.host);
    assert.equal(await stop(service), 0, 'exit code of the service');
    await eventually('BerthServerDown fires', async () =>
      (await firing(api)).has('BerthServerDown') ? true : undefined,
    );
    passed('BerthServerDown fires once the service has ended');
    await stop(prometheus);
    await checkMarks();
    await checkAlerts(scratch);
  } finally {
    await stop(service);
    await stop(prometheus);
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (promtoolMissing !== false || spawnSync('prometheus', ['--version']).error !== undefined) {
  console.error(
    `Prometheus cannot be run here: ${promtoolMissing || 'prometheus is not installed'}`,
  );
  process.exitCode = 2;
} else {
  await main();
}
