/**
 * Every alert of the rules fires under its fault and clears after it, in a real Prometheus that
 * scrapes the running service (hil-anchors 9.4, test 43). Faults are injected over REST, or made: a
 * service that ends, a pilot that presses, an operator that stops. The rules are the project's own
 * with every `for` and range window shortened by one factor, so that minutes become seconds;
 * thresholds and expressions are unchanged. Alerts kept active by other load on the machine are
 * reported and not judged.
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { loadScenario } from '../../config/scenario.ts';
import { freePort } from '../fixtures/free-port.ts';
import { AlertPilot } from './alert-pilot.ts';
import {
  DASHBOARDS,
  eventually,
  firing,
  passed,
  startPrometheus,
  startService,
  stop,
} from './prometheus.ts';
import { shortenedRules } from './shortened-rules.ts';

/** Longest window 15 s instead of a minute: still fifteen scrapes. */
const FACTOR = 4;
const AGAIN_MS = 100;
/** Tries for a fault that a stall of the machine may spoil. */
const ROUNDS = 5;
/** Alerts that the unit tests of the rules alone fire: they need a certificate that ends, a guesser of keys, an arm that lags by more than the emulated one can, or a push at the limits. */
const RULE_TESTS_ONLY: readonly string[] = [
  'BerthCertificateExpires',
  'BerthCertificateRefused',
  'BerthKeyGuessing',
  'BerthRobotFollowingErrorHigh',
  'BerthSetpointLimited',
];
/** Fault word of a robot that warns, and goes on: its first warning. */
const WARNING = 2 ** 24;
/** Up as long as another load makes the machine late, whatever the fault did. */
const BY_MACHINE: readonly string[] = ['BerthLoopOverrunBurst', 'BerthLoopLatenessHigh'];

/** Limits of created energy out of the way, and no guard: a delay is to show. */
const LOOSE = {
  scenario: 'half-sphere-on-plate',
  mode: 'hardware',
  energy: { guard: false, permit: 'advisory', hold_ratio: 1e9, hold_J: 1e9 },
};

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A box five millimetres above a wall of its work-site that is open above: three pairs of cells to touch, and a sub-model for one. */
function crampedScenario(scratch: string): string {
  const scenario = structuredClone(loadScenario('battery-box-insertion'));
  for (const body of scenario.bodies) {
    if (body.kind === 'fixed') {
      body.cells = body.cells?.filter(({ name }) => name !== 'wall-upper');
      continue;
    }
    body.position_m = [-0.01, 0, 0];
    body.orientation = { kind: 'quaternion', xyzw: [0, 0, 0, 1] };
  }
  for (const contact of scenario.contacts) {
    if (contact.pair.kind === 'volumetric') contact.pair.maximum_pairs = 1;
    contact.yield_strength_N_per_m2 = 1;
  }
  delete scenario.insertion;
  const file = join(scratch, 'cramped.yaml');
  writeFileSync(file, stringify(scenario));
  return file;
}

async function send(host: string, method: string, path: string, body?: unknown): Promise<void> {
  const reply = await fetch(`http://${host}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  assert.ok(reply.ok, `${method} ${path}: ${await reply.text()}`);
}

/** Injects repeatedly until stopped: a fault that happens once then becomes a burst. */
class Repeated {
  #on = true;
  readonly #running: Promise<void>;

  constructor(host: string, kind: string, amount: number) {
    this.#running = (async () => {
      while (this.#on) {
        await send(host, 'POST', '/api/faults', { kind, amount });
        await wait(AGAIN_MS);
      }
    })();
  }

  async end(): Promise<void> {
    this.#on = false;
    await this.#running;
  }
}

/** What has fired, and what has cleared. */
class Alerts {
  readonly missing: Set<string>;
  readonly #api: string;

  constructor(api: string, alerts: readonly string[]) {
    this.#api = api;
    this.missing = new Set(alerts);
  }

  /** Not up before its fault. */
  async quiet(alert: string): Promise<void> {
    if (BY_MACHINE.includes(alert)) return;
    await this.#until(alert, false, `${alert} is silent before its fault`);
  }

  async fires(alert: string): Promise<void> {
    const took_s = await this.#until(alert, true, `${alert} fires`);
    passed(`${alert} fires after ${took_s.toFixed(0)} s`);
  }

  /** Fires within so many milliseconds of `fault`, which is undone and caused again when the machine spoiled it. */
  async firesOnce(
    alert: string,
    within_ms: number,
    fault: () => Promise<void>,
    undo: () => Promise<void>,
  ): Promise<void> {
    for (let round = 1; round <= ROUNDS; round++) {
      await fault();
      const end = performance.now() + within_ms;
      while (performance.now() < end) {
        if ((await firing(this.#api)).has(alert)) {
          passed(`${alert} fires in round ${round}`);
          return;
        }
        await wait(AGAIN_MS);
      }
      await undo();
      console.log(`${alert} did not fire in round ${round}: again`);
    }
    throw new Error(`${alert} did not fire in ${ROUNDS} rounds of ${within_ms / 1000} s`);
  }

  async clears(alert: string): Promise<void> {
    try {
      const took_s = await this.#until(alert, false, `${alert} clears`);
      passed(`${alert} clears after ${took_s.toFixed(0)} s`);
    } catch (error) {
      if (!BY_MACHINE.includes(alert)) throw error;
      passed(`${alert} stays: the machine itself is late`);
    }
    this.missing.delete(alert);
  }

  async #until(alert: string, on: boolean, what: string): Promise<number> {
    const begin = performance.now();
    await eventually(what, async () =>
      (await firing(this.#api)).has(alert) === on ? true : undefined,
    );
    return (performance.now() - begin) / 1000;
  }
}

/** Faults of a loop that flies. */
async function checkLoop(host: string, alerts: Alerts): Promise<void> {
  const inject = (kind: string, amount: number): Promise<void> =>
    send(host, 'POST', '/api/faults', { kind, amount });
  const pilot = await AlertPilot.start(host);
  const contact = async (): Promise<void> => {
    const look = (): Promise<true | undefined> =>
      Promise.resolve(pilot.state === 'ACTIVE_CONTACT' || undefined);
    try {
      await eventually('contact', look);
    } catch (error) {
      throw new Error(`${(error as Error).message}: ${pilot.story}`, { cause: error });
    }
  };
  await contact();
  for (const alert of alerts.missing) await alerts.quiet(alert);

  // first, because it is the rule that remembers longest; to take the step back is a step as well
  await inject('robot_clock_step_s', 3);
  await alerts.fires('BerthRobotClockStepped');
  await inject('robot_clock_step_s', 0);
  await contact();

  // a contact in which 15 ms grow to a limit cycle; the step of the delay itself is a hold and not yet a stop
  await inject('link_delay_s', 0.015);
  await alerts.fires('BerthStabilityMarginLow');
  await alerts.fires('BerthLoopCreatesEnergy');
  await inject('link_delay_s', 0);
  await alerts.clears('BerthStabilityMarginLow');

  // ten in a second are late by most of a period: none is missed, and the quantile rises
  const late = new Repeated(host, 'late_wake_s', 0.0009);
  await inject('link_drop_ratio', 0.05);
  await alerts.fires('BerthRobotLinkDegraded');
  await inject('link_drop_ratio', 0);
  await alerts.clears('BerthRobotLinkDegraded');
  await inject('recorder_full', 1);
  await alerts.fires('BerthRecorderBehind');
  await inject('recorder_full', 0);
  await alerts.clears('BerthLoopCreatesEnergy');
  await alerts.clears('BerthRecorderBehind');
  await alerts.fires('BerthLoopLatenessHigh');
  await late.end();
  const burst = new Repeated(host, 'late_wake_s', 0.003);
  await alerts.fires('BerthLoopOverrunBurst');
  await burst.end();

  // a stall may end the flight while the inputs are gone, and then nothing can be stale
  const heal = (): Promise<void> => send(host, 'DELETE', '/api/faults');
  const drop = async (): Promise<void> => {
    await contact();
    await inject('input_dropout_s', 60);
  };
  await alerts.firesOnce('BerthOperatorInputStale', 20_000, drop, heal);
  await heal();
  await alerts.clears('BerthOperatorInputStale');

  await inject('robot_fault_word', WARNING);
  await alerts.fires('BerthRobotFault');
  await inject('robot_fault_word', 0);
  await alerts.clears('BerthRobotFault');

  // a stop by a person is latched until a person clears it
  await send(host, 'POST', '/api/session/stop', { category: 1 });
  await alerts.fires('BerthFaultLatched');
  await send(host, 'POST', '/api/session/clear', { reason: 'the alert has been seen' });
  await alerts.clears('BerthFaultLatched');
  await alerts.clears('BerthLoopOverrunBurst');
  await alerts.clears('BerthLoopLatenessHigh');
  await alerts.clears('BerthRobotClockStepped');
  await pilot.end();
}

/** Checks that every alert fires under its fault and clears after it; files go to `scratch`. */
export async function checkAlerts(scratch: string): Promise<void> {
  const text = readFileSync(join(DASHBOARDS, 'rules/berth.rules.yml'), 'utf8');
  const { yaml, alerts: names } = shortenedRules(text, FACTOR);
  const rules = join(scratch, 'shortened.rules.yml');
  writeFileSync(rules, yaml);
  const port = await freePort();
  const common = {
    server: { port, log_level: 'error' },
    robot: { port: 0 },
    recording: {
      mode: 'continuous',
      folder: scratch,
      rotate_bytes: 32_000_000,
      keep_bytes: 64_000_000,
    },
    allow_fault_injection: true,
  };
  const start = async (
    settings: Readonly<Record<string, unknown>>,
  ): Promise<{ service: ChildProcess; host: string }> =>
    startService(scratch, { ...common, ...settings }, ['--no-fly']);

  let service: ChildProcess | undefined;
  let prometheus: ChildProcess | undefined;
  try {
    const cramped = await start({
      scenario: crampedScenario(scratch),
      mode: 'virtual',
      energy: { permit: 'advisory' },
    });
    service = cramped.service;
    const watching = await startPrometheus(scratch, cramped.host, rules);
    prometheus = watching.prometheus;
    const alerts = new Alerts(watching.api, names);
    const pilot = await AlertPilot.start(cramped.host);
    await alerts.fires('BerthCellPairsRefused');
    await alerts.fires('BerthContactOutOfRange');
    pilot.lift();
    await alerts.clears('BerthCellPairsRefused');
    await alerts.clears('BerthContactOutOfRange');
    await pilot.end();

    await stop(service);
    await alerts.fires('BerthServerDown');
    const loose = await start(LOOSE);
    service = loose.service;
    await alerts.clears('BerthServerDown');
    await checkLoop(loose.host, alerts);
    assert.deepEqual(
      [...alerts.missing].sort(),
      [...RULE_TESTS_ONLY].sort(),
      'every other alert of the rules has a fault here',
    );
    const fired = names.length - RULE_TESTS_ONLY.length;
    console.log(`acceptance 43: ${fired} alerts fire and clear in a real Prometheus`);
  } finally {
    await stop(service);
    await stop(prometheus);
  }
}
