/** The checks of a robot in their order, each tried again when this process was too late to judge it. */
import type { Check } from './check.ts';
import { PlayedServer, type PlayOptions } from './played-server.ts';

/** Tries of a check that this machine disturbs. */
const TRIES = 4;
const CONNECT_S = 60;

export interface CheckResult {
  readonly name: string;
  readonly expected: string;
  readonly passed: boolean;
  /** What was seen instead; empty when it passed. */
  readonly seen: string;
}

export interface ConformReport {
  readonly device: string;
  readonly firmware: string;
  readonly period_us: number;
  readonly passed: number;
  readonly failed: number;
  readonly checks: readonly CheckResult[];
}

async function judge(server: PlayedServer, check: Check): Promise<CheckResult> {
  const { name, expected } = check;
  let seen = '';
  for (let tries = 0; tries < TRIES; tries++) {
    server.gap_us = 0;
    try {
      seen = await check.run(server);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      seen = error.message;
    }
    if (seen === '' || !server.wasLate) break;
  }
  const late = seen !== '' && server.wasLate;
  const by = late ? ` (this machine was late by ${(1e-3 * server.gap_us).toFixed(0)} ms)` : '';
  return { name, expected, passed: seen === '', seen: seen + by };
}

/**
 * Judge the robot on a line.
 * @param onResult called after each check
 */
export async function conform(
  options: PlayOptions,
  chosen: readonly Check[],
  onResult: (result: CheckResult) => void,
): Promise<ConformReport> {
  const server = new PlayedServer(options);
  await server.until(() => server.connected, CONNECT_S);
  const checks: CheckResult[] = [];
  for (const check of chosen) {
    const result = await judge(server, check);
    checks.push(result);
    onResult(result);
  }
  server.end();
  const passed = checks.filter((one) => one.passed).length;
  return {
    device: server.hello?.device ?? '',
    firmware: server.hello?.firmware ?? '',
    period_us: server.period_us,
    passed,
    failed: checks.length - passed,
    checks,
  };
}
