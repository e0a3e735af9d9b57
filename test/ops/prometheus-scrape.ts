/**
 * The running service watched by a real Prometheus (Debian package "prometheus"), with the project's own scrape configuration,
 * rules and dashboard queries.
 *
 * Usage: node dist/test/ops/prometheus-scrape.js. Exit 0 when all checks passed, 1 when one failed, 2 without Prometheus.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';

import { packageRoot } from '../../config/paths.ts';
import { concrete, expressionsOf } from '../../dashboards/expressions.ts';
import { loopTimingAndRobotLink } from '../../dashboards/loop-timing-and-robot-link.ts';
import { promtool, promtoolMissing } from './promtool.ts';

const DEADLINE_MS = 60_000;
const POLL_MS = 250;
/** Enough scrapes for every rate window of the dashboard. */
const TICKS_TO_SEE = 8000;
/** Scrape times are rounded to 1 ms and each scrape takes a few: 3 % of eight seconds covers both many times over. */
const ACCOUNT_TOLERANCE = 0.03;

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: readonly [number, string];
  readonly values?: readonly (readonly [number, string])[];
}

const here = fileURLToPath(import.meta.url);
const folder = join(packageRoot(), 'dashboards');
const scratch = mkdtempSync(join(tmpdir(), 'berth-prometheus-'));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Poll until a value comes; the deadline is part of the check. */
async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + DEADLINE_MS;
  while (performance.now() < end) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`not within ${DEADLINE_MS / 1000} s: ${what}`);
}

/** Start the service on free ports; @returns its process and address. */
async function startService(): Promise<{ service: ChildProcess; host: string }> {
  const settings = join(scratch, 'berth.yaml');
  writeFileSync(settings, stringify({ server: { port: 0 }, robot: { port: 0 } }));
  const main = join(here, '..', '..', '..', 'server', `main${extname(here)}`);
  const args = [...process.execArgv, main, 'serve', settings, '--demo'];
  const service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: service.stdout });
  const host = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const port = /https?:\/\/[^/]+:(\d+)\/metrics/.exec(line)?.[1];
      if (port !== undefined) resolve(`127.0.0.1:${port}`);
    });
    service.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
  return { service, host };
}

/** Start Prometheus on our configuration with the address of the service put in; @returns its process and API. */
async function startPrometheus(target: string): Promise<{ prometheus: ChildProcess; api: string }> {
  const config = parse(readFileSync(join(folder, 'prometheus.yml'), 'utf8')) as {
    rule_files: string[];
    scrape_configs: { static_configs: { targets: string[] }[] }[];
  };
  config.rule_files = config.rule_files.map((path) => join(folder, path));
  config.scrape_configs[0].static_configs[0].targets = [target];
  const file = join(scratch, 'prometheus.yml');
  writeFileSync(file, stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(scratch, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  await eventually('Prometheus is ready', async () => {
    assert.equal(prometheus.exitCode, null, 'Prometheus ended');
    const reply = await fetch(`http://${address}/-/ready`).catch(() => undefined);
    return reply?.ok === true ? true : undefined;
  });
  return { prometheus, api: `http://${address}/api/v1` };
}

async function ask(api: string, path: string): Promise<unknown> {
  const reply = await fetch(`${api}/${path}`);
  const body = (await reply.json()) as { status: string; error?: string; data: unknown };
  assert.equal(body.status, 'success', `${path}: ${body.error ?? ''}`);
  return body.data;
}

async function query(api: string, expr: string): Promise<Sample[]> {
  const data = await ask(api, `query?query=${encodeURIComponent(expr)}`);
  return (data as { result: Sample[] }).result;
}

function passed(what: string): void {
  console.log(`ok  ${what}`);
}

/** Growth of a counter between the first and the last scrape: amount and time, s. */
async function growth(api: string, metric: string): Promise<{ amount: number; time: number }> {
  const samples = (await query(api, `${metric}[2m]`)).at(0)?.values ?? [];
  if (samples.length < 2) return { amount: 0, time: 0 };
  const [from, to] = [samples[0], samples.at(-1)!];
  return { amount: Number(to[1]) - Number(from[1]), time: to[0] - from[0] };
}

async function checkAccounting(api: string): Promise<void> {
  await eventually(`${TICKS_TO_SEE} ticks`, async () =>
    (await growth(api, 'berth_loop_ticks_total')).amount >= TICKS_TO_SEE ? true : undefined,
  );
  const { amount, time } = await growth(api, 'berth_loop_ticks_total');
  const slipped = await growth(api, 'berth_loop_slipped_ticks_total');
  const perSecond = (amount + slipped.amount) / time;
  assert.ok(Math.abs(perSecond / 1000 - 1) < ACCOUNT_TOLERANCE, `${perSecond} periods a second`);
  passed(
    `${amount} ticks and ${slipped.amount} slipped in ${time.toFixed(1)} s: ${perSecond.toFixed(1)} periods a second`,
  );
}

async function checkDashboard(api: string): Promise<void> {
  const expressions = expressionsOf(loopTimingAndRobotLink());
  for (const { panel, expr } of expressions) {
    const result = await query(api, concrete(expr));
    // a filter may leave nothing; everything else must find its metric
    if (!expr.endsWith('> 0')) assert.notEqual(result.length, 0, `${panel}: nothing for ${expr}`);
  }
  passed(`${expressions.length} dashboard queries evaluated, each found its series`);
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
    ['check', 'rules', join(folder, 'rules/berth.rules.yml')],
    ['test', 'rules', join(folder, 'rules/berth.rules.test.yml')],
  ]) {
    const { code, text: said } = promtool(args);
    assert.equal(code, 0, said);
    passed(`promtool ${args[0]} ${args[1]}`);
  }
}

async function stop(child: ChildProcess | undefined): Promise<number | null> {
  if (child === undefined) return null;
  if (child.exitCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  return child.exitCode;
}

async function main(): Promise<void> {
  let service: ChildProcess | undefined;
  let prometheus: ChildProcess | undefined;
  try {
    const started = await startService();
    service = started.service;
    const watching = await startPrometheus(started.host);
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
    await eventually('BerthServerDown fires', async () => {
      const { alerts } = (await ask(api, 'alerts')) as {
        alerts: { labels: Record<string, string>; state: string }[];
      };
      return alerts.find(
        (one) => one.labels['alertname'] === 'BerthServerDown' && one.state === 'firing',
      );
    });
    passed('BerthServerDown fires once the service has ended');
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
