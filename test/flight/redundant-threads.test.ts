/**
 * Redundant release in threads on the real clock: a worker that is terminated, or stands still inside a tick, costs no tick, and the
 * model goes on as if there were one worker that never failed. This machine stands still for 100 ms now and then; ticks that are
 * dropped then are counted in the rows, and everything else is exact.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StallMeter } from '../fixtures/stall-meter.ts';
import { compileScenario } from '../../config/compile.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { loadScenario } from '../../config/scenario.ts';
import type { Settings } from '../../config/settings.ts';
import { Column, ROW_WIDTH } from '../../hil/contract/columns.ts';
import { COMMAND_ARGUMENT, COMMAND_WIDTH, CommandKind } from '../../hil/contract/commands.ts';
import { EVENT_WIDTH, EventKind } from '../../hil/contract/events.ts';
import { InjectionKind } from '../../hil/contract/injections.ts';
import { LoopSlot } from '../../hil/memory/loop-counters.ts';
import { LoopWorkers, checkRedundant } from '../../hil/threads/loop-workers.ts';
import { STATE } from '../../hil/redundant/stage.ts';
import { Turn, TurnPhase, phaseOf, stageOwner, stagePage } from '../../hil/redundant/turn.ts';
import { RecordRing, TelemetryRing } from '../../hil/memory/ring.ts';
import { allocateShared, type SharedBuffers } from '../../hil/memory/shared.ts';
import { makeSystem, type System } from '../../src/system/system.ts';

const SCENARIO = 'tippe-top';
const TICK = Column.tick;
const PERIOD = Column.period;
const SLIPPED = Column.slipped;
/** A stall of the whole machine that can look like one of 0.3 s that was made here, s. */
const MACHINE_STALL_S = 0.2;
/** To start another worker takes more ticks: a loop that waited for it would slip as many. */
const RESTART_TICKS = 100;
/** What the timer of this thread sees at least of a stall of the machine in which the loop slips so much, s. */
const SEEN_S = 0.05;
const LATENESS = Column.lateness_s;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Until something is so; a stalled machine takes its time. */
async function until(condition: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited a minute for ${what}`);
    await wait(10);
  }
}

/** The service's memory with its workers, and everything that they publish. */
class Service {
  readonly shared: SharedBuffers = allocateShared();
  readonly rows: Float64Array[] = [];
  readonly events: Float64Array[] = [];
  readonly notes: string[] = [];
  readonly system: System;
  workers!: LoopWorkers;
  readonly #telemetry = new TelemetryRing(this.shared.telemetry, ROW_WIDTH);
  readonly #events = new RecordRing(this.shared.events, EVENT_WIDTH);
  readonly #commands = new RecordRing(this.shared.commands, COMMAND_WIDTH);
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.system = makeSystem(compileScenario(loadScenario(SCENARIO)));
    this.#timer = setInterval(() => this.read(), 50);
    this.#timer.unref();
  }

  async start(change: (settings: Settings) => void = () => undefined): Promise<void> {
    const settings = structuredClone(loadSettings());
    settings.robot.transport = 'none';
    settings.loop.redundant = true;
    settings.allow_fault_injection = true;
    change(settings);
    const data = {
      shared: this.shared,
      settings,
      model: this.system.model,
      mode: 'simulation' as const,
    };
    this.workers = await LoopWorkers.start(data, (note) => this.notes.push(note));
  }

  read(): void {
    for (let row = new Float64Array(ROW_WIDTH); this.#telemetry.read(this.rows.length, row); ) {
      this.rows.push(row);
      row = new Float64Array(ROW_WIDTH);
    }
    for (let event = new Float64Array(EVENT_WIDTH); this.#events.pop(event); ) {
      this.events.push(event);
      event = new Float64Array(EVENT_WIDTH);
    }
  }

  inject(kind: number, amount: number): void {
    const record = new Float64Array(COMMAND_WIDTH);
    record[0] = CommandKind.INJECT;
    record[COMMAND_ARGUMENT] = kind;
    record[COMMAND_ARGUMENT + 1] = amount;
    assert.ok(this.#commands.push(record), 'the command ring had room');
  }

  get counters(): Float64Array {
    return new Float64Array(this.shared.loopCounters);
  }

  kinds(kind: number): Float64Array[] {
    return this.events.filter((event) => event[0] === kind);
  }

  async end(): Promise<void> {
    await this.workers.end();
    clearInterval(this.#timer);
    this.read();
  }

  /**
   * Checks that every tick has one row, no period is reported twice, and the model equals that of a
   * single run of as many ticks.
   */
  check(): { ticks: number; slipped: number } {
    let slipped = 0;
    this.rows.forEach((row, i) => {
      assert.equal(row[TICK], i + 1, 'one row a tick, in order');
      slipped += row[SLIPPED];
      assert.equal(row[PERIOD], i + slipped, 'every period is accounted for');
    });
    const ticks = this.rows.length;
    assert.equal(this.counters[LoopSlot.loop_ticks_total], ticks);
    assert.equal(this.counters[LoopSlot.loop_slipped_ticks_total], slipped);
    assert.equal(this.kinds(EventKind.REALTIME).length, 1, 'one beginning');
    assert.equal(this.kinds(EventKind.ENDED).length, 1, 'one end');

    const { turn, stages } = this.workers.memory!;
    const word = new Turn(turn).word;
    assert.equal(phaseOf(word), TurnPhase.ENDED);
    const pages = stages[stageOwner(word)].pages;
    const page = new Float64Array(pages, (pages.byteLength / 2) * stagePage(word));
    const left = new Float64Array(this.system.state.length);
    // behind the mark of the layout
    for (let i = 0; i < left.length; i++) left[i] = page[STATE + 1 + i]!;
    const ended = makeSystem(this.system.model);
    ended.restore(left);
    const alone = makeSystem(this.system.model);
    alone.useSchedule = false;
    for (let i = 0; i < ticks; i++) alone.step(0.001);
    assert.equal(ended.hash(), alone.hash(), `hash after ${ticks} ticks`);
    return { ticks, slipped };
  }
}

test('a worker that is terminated costs no tick and no state; another joins', async (t) => {
  const service = new Service();
  await service.start();
  await until(() => service.rows.length > 500, 'ticks');
  const meter = new StallMeter();
  const metered = service.rows.length;
  let ofMachine = 0;
  const meanwhile = async (condition: () => boolean, what: string): Promise<void> => {
    await until(() => {
      if (meter.take_s() > SEEN_S) ofMachine++;
      return condition();
    }, what);
  };
  const word = new Turn(service.workers.memory!.turn).word;
  const first = stageOwner(word);
  await service.workers.threads[first]!.terminate();
  const at = service.rows.length;
  const gone = performance.now();
  await meanwhile(() => service.counters[LoopSlot.loop_workers] === 1, 'one worker');
  await meanwhile(() => service.counters[LoopSlot.loop_workers] === 2, 'two workers again');
  const restart_s = (performance.now() - gone) / 1000;
  await meanwhile(() => service.rows.length > at + 500, 'ticks');
  // the one that was there all along ends now: the new one goes on from its state
  await service.workers.threads[1 - first]!.terminate();
  const then = service.rows.length;
  await meanwhile(() => service.rows.length > then + 500, 'ticks of the new worker');
  meter.close();
  await service.end();
  const { ticks, slipped } = service.check();
  const told = service.kinds(EventKind.WORKERS).map((event) => `${event[3]} by ${event[4]}`);
  const wanted = [`1 by ${first}`, `2 by ${first}`, `1 by ${1 - first}`];
  // the last one may have got a companion by now
  const from = told.lastIndexOf(wanted[2]) - 2;
  assert.deepEqual(told.slice(from, from + 3), wanted, told.join('; '));
  assert.ok(
    service.notes.some((note) =>
      note.startsWith(`Loop worker ${first + 1} has ended, the other goes on`),
    ),
    service.notes.join('; '),
  );
  const waits = service.rows.slice(metered).filter((row) => row[SLIPPED] >= RESTART_TICKS);
  assert.ok(
    waits.length <= ofMachine,
    `${waits.length} stalls of the loop, ${ofMachine} of the machine`,
  );
  t.diagnostic(
    `${ticks} ticks, ${slipped} periods dropped; ${waits.length} stalls of the loop, ${ofMachine} of the machine, another worker after ${restart_s.toFixed(2)} s`,
  );
});

test('the end waits for a worker that is on its way to take the place of another', async () => {
  const service = new Service();
  await service.start();
  await until(() => service.rows.length > 100, 'ticks');
  await service.workers.threads[0]!.terminate();
  const told = (): boolean => service.notes.some((note) => note.endsWith('another is started'));
  await until(told, 'the replacement');
  await service.end();
  assert.ok(service.notes.includes('Loop worker 1 serves again'), service.notes.join('; '));
  assert.deepEqual(service.workers.threads, [null, null]);
  service.check();
});

test('a worker that stands still inside a tick is relieved in the same period', async (t) => {
  const service = new Service();
  await service.start();
  await until(() => service.rows.length > 300, 'ticks');
  const STALLS = 10;
  const meter = new StallMeter();
  const metered = service.rows.length;
  let ofMachine = 0;
  for (let n = 1; n <= STALLS; n++) {
    service.inject(InjectionKind.worker_stall_s, 0.3);
    await until(
      () => service.counters[LoopSlot.injected_faults_total + InjectionKind.worker_stall_s] === n,
      'it',
    );
    await wait(500);
    if (meter.take_s() > MACHINE_STALL_S) ofMachine++;
  }
  meter.close();
  await service.end();
  const { ticks, slipped } = service.check();
  // a tick that was taken over begins half a period after the claim of the one before it
  const relieved = service.rows.filter((row) => row[LATENESS] >= 0.0005 || row[SLIPPED] > 0);
  assert.ok(relieved.length >= STALLS, `${relieved.length} ticks were taken over`);
  const stalls = service.rows.slice(metered).filter((row) => row[SLIPPED] >= 299);
  assert.ok(
    stalls.length <= ofMachine,
    `${stalls.length} stalls of 0.3 s were of the loop, ${ofMachine} of the machine`,
  );
  t.diagnostic(
    `${ticks} ticks, ${slipped} periods dropped, ${relieved.length} taken over or late, ${ofMachine} stalls of the machine`,
  );
});

test('redundant release is refused with a serial line', () => {
  const settings = structuredClone(loadSettings());
  settings.loop.redundant = true;
  settings.robot.transport = 'serial';
  assert.throws(
    () => checkRedundant(settings),
    /loop.redundant: true does not go with robot.transport serial/,
  );
  settings.robot.transport = 'websocket';
  checkRedundant(settings);
});
