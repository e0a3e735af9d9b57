/**
 * A real Prometheus (Debian package "prometheus") beside a running service, with the project's own scrape configuration and rules: what
 * the checks of metrics and alerts have in common.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { packageRoot } from '../../config/paths.ts';
import { freePort } from '../fixtures/free-port.ts';

/** Longest wait for anything: a flight down to contact, a window of rates, and the stalls of the machine. */
const DEADLINE_MS = 120_000;
const POLL_MS = 250;

/** One series of an answer. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: readonly [number, string];
  readonly values?: readonly (readonly [number, string])[];
}

const here = fileURLToPath(import.meta.url);
/** Where the project's own configuration lies. */
export const DASHBOARDS: string = join(packageRoot(), 'dashboards');

/** Poll until a value comes; the deadline is part of the check. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + DEADLINE_MS;
  while (performance.now() < end) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`not within ${DEADLINE_MS / 1000} s: ${what}`);
}

/** A service on `settings`, its files in a folder. @returns its process and address */
export async function startService(
  scratch: string,
  settings: Readonly<Record<string, unknown>>,
  options: readonly string[],
): Promise<{ service: ChildProcess; host: string }> {
  const file = join(scratch, 'berth.yaml');
  writeFileSync(file, stringify(settings));
  const main = join(here, '..', '..', '..', 'server', `main${extname(here)}`);
  const args = [...process.execArgv, main, 'serve', file, ...options];
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

/** Prometheus on our configuration with the address of the service put in; @returns its process and API */
export async function startPrometheus(
  scratch: string,
  target: string,
  rules: string,
): Promise<{ prometheus: ChildProcess; api: string }> {
  const config = parse(readFileSync(join(DASHBOARDS, 'prometheus.yml'), 'utf8')) as {
    rule_files: string[];
    scrape_configs: { static_configs: { targets: string[] }[] }[];
  };
  config.rule_files = [rules];
  config.scrape_configs[0].static_configs[0].targets = [target];
  const file = join(scratch, 'prometheus.yml');
  writeFileSync(file, stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(scratch, `data-${address.split(':')[1]}`)}`,
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

/** Ask the API of Prometheus. */
export async function ask(api: string, path: string): Promise<unknown> {
  const reply = await fetch(`${api}/${path}`);
  const body = (await reply.json()) as { status: string; error?: string; data: unknown };
  assert.equal(body.status, 'success', `${path}: ${body.error ?? ''}`);
  return body.data;
}

/** Series of an expression now. */
export async function query(api: string, expr: string): Promise<Sample[]> {
  const data = await ask(api, `query?query=${encodeURIComponent(expr)}`);
  return (data as { result: Sample[] }).result;
}

/** Names of the alerts that fire. */
export async function firing(api: string): Promise<ReadonlySet<string>> {
  const { alerts } = (await ask(api, 'alerts')) as {
    alerts: { labels: Record<string, string>; state: string }[];
  };
  const fire = alerts.filter(({ state }) => state === 'firing');
  return new Set(fire.map(({ labels }) => labels['alertname'] ?? ''));
}

/** End a process in order. @returns its exit code */
export async function stop(child: ChildProcess | undefined): Promise<number | null> {
  if (child === undefined) return null;
  if (child.exitCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  return child.exitCode;
}

/** Tell a result. */
export function passed(what: string): void {
  console.log(`ok  ${what}`);
}
