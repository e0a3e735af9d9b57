/**
 * Runs of a study that are flown: for each a service with the changed scenario, the emulated robot over its socket and a scripted flight, at real time.
 * Quantities are those of the rows of the recording from the first one on in which the arm is active, in mode `hardware`. No two flights are the same.
 */
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { loadSettings } from '../../../config/load-settings.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { SafetyState } from '../../../hil/contract/codes.ts';
import { Column } from '../../../hil/contract/columns.ts';
import { RecordKind } from '../../../hil/memory/records.ts';
import { openRecording } from '../../../hil/recording/read-recording.ts';
import { BerthChild } from '../child.ts';
import { flightPlanOf } from '../fly.ts';
import { QuantityReader, TickRows } from './quantities.ts';
import { failedOutcome, type RunOutcome, type StudyTask } from './run-point.ts';
import { ChildEnded } from './study-child.ts';
import type { PoolWorker } from './worker-pool.ts';

/** A service that has not begun after this has failed, ms. */
const START_MS = 60_000;

const ACTIVE = new Set<number>([SafetyState.ACTIVE_FREE, SafetyState.ACTIVE_CONTACT]);

/** Flies runs, one after the other. */
export class FlownRuns implements PoolWorker {
  readonly #folder: string;
  readonly #script: string;
  readonly #config: string | undefined;
  readonly #attempts: number;
  #flight: BerthChild | null = null;
  #service: BerthChild | null = null;
  #stopped = false;
  #count = 0;

  /**
   * @param folder - keeps scenario and recording of each run
   * @param script - as for `berth fly`; '' for that of the scenario
   * @param config - settings of the service; undefined for the default ones
   * @param attempts - flights of a run at most, until one comes to its goal
   * @throws BerthError for a script or settings that no flight could have
   */
  constructor(folder: string, script: string, config: string | undefined, attempts: number) {
    flightPlanOf(script === '' ? undefined : script);
    loadSettings(config);
    this.#attempts = attempts;
    this.#config = config;
    this.#folder = resolve(folder);
    this.#script = script;
  }

  async run(task: StudyTask, changes: readonly string[]): Promise<RunOutcome> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#fly(task, changes);
      if (outcome.reason === null || attempt === this.#attempts) return outcome;
    }
  }

  async #fly(task: StudyTask, changes: readonly string[]): Promise<RunOutcome> {
    const place = join(this.#folder, `${process.pid}-${this.#count++}`);
    mkdirSync(place, { recursive: true });
    const scenario = join(place, 'scenario.yaml');
    writeFileSync(scenario, stringify(loadScenario(task.scenario, changes)));
    const settings = join(place, 'settings.yaml');
    writeFileSync(settings, stringify(this.#settings(scenario, place)), { mode: 0o600 });
    let why = '';
    const service = new BerthChild('serve', [settings, '--no-fly', '--child'], {});
    this.#service = service;
    try {
      const url = await addressOf(service);
      const script = this.#script === '' ? [] : ['--script', this.#script];
      const flight = new BerthChild('fly', ['--url', url, '--emulated', ...script], {}, 'pipe');
      this.#flight = flight;
      for (const words of [flight.lines, flight.errors]) words?.on('line', (line) => (why = line));
      const closed = once(flight.process, 'close');
      const code = await flight.ended;
      await closed; // with all that it says
      if (code === 0) why = '';
      else why ||= 'the flight did not come to its goal';
    } finally {
      service.process.kill('SIGTERM'); // in order: the robot stops, and the recording is closed
      await service.ended;
      [this.#flight, this.#service] = [null, null];
    }
    if (this.#stopped) throw new ChildEnded('the flight was stopped');
    const recording = readdirSync(place).find((name) => name.endsWith('.mcap'));
    if (recording === undefined) return failedOutcome(task, 'the flight has no recording');
    if (why !== '') return failedOutcome(task, why);
    rmSync(settings);
    return quantitiesOf(task, join(place, recording));
  }

  /** The service's own settings, where they do not matter to others: free ports, no keys, no log. */
  #settings(scenario: string, folder: string): unknown {
    const given = loadSettings(this.#config);
    return {
      ...given,
      ...{ mode: 'hardware', scenario },
      server: { ...given.server, host: '127.0.0.1', port: 0, keys: undefined, tls: undefined },
      robot: { ...given.robot, transport: 'websocket', host: '127.0.0.1', port: 0, emulate: true },
      recording: { ...given.recording, mode: 'continuous', folder, freezes: 0 },
      audit: { ...given.audit, enabled: false },
    };
  }

  stop(): void {
    this.#stopped = true;
    this.#flight?.process.kill('SIGTERM');
    this.#service?.process.kill('SIGTERM');
  }
}

/** Address of a service, from what it prints. */
function addressOf(service: BerthChild): Promise<string> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new ChildEnded('the service did not start')), START_MS);
    void service.ended.then(() => {
      clearTimeout(timer);
      fail(new ChildEnded('the service ended'));
    });
    service.lines.on('line', (line) => {
      const address = /console +(https?:\S+?)\/$/.exec(line)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      done(address);
    });
  });
}

async function quantitiesOf(task: StudyTask, path: string): Promise<RunOutcome> {
  const rows = new TickRows(Column.time_s);
  const reader = new QuantityReader(rows, task.quantities, task.end_when);
  const recording = await openRecording(path);
  const part = { from: 0n, to: 2n ** 63n, kinds: new Set<number>([RecordKind.ROW]) };
  let began = false;
  for await (const { kind, bytes } of recording.records(part)) {
    if (kind !== RecordKind.ROW) continue;
    const row = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 3);
    began ||= ACTIVE.has(row[Column.safety_state]);
    if (!began) continue;
    rows.set(row);
    if (reader.take() || rows.time() >= (task.until_s ?? Infinity)) break;
  }
  return began
    ? { reason: null, hash: '', quantities: reader.values() }
    : failedOutcome(task, 'the arm never moved');
}
