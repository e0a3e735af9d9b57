/**
 * A service in the test's own process, with the emulated robot in another, so that every tick's row
 * can be read from shared memory; and an operator at the console who flies by hand.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { loadSettings } from '../../config/load-settings.ts';
import { Column, ROW_WIDTH } from '../../hil/contract/columns.ts';
import { TelemetryRing } from '../../hil/memory/ring.ts';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import { startRuntime } from '../../hil/threads/runtime.ts';
import { FAULT_CODES, SAFETY_STATES } from '../../hil/contract/codes.ts';
import { buildApp } from '../../server/app.ts';
import type { BerthChild } from '../../server/cli/child.ts';
import { startRobot } from '../../server/cli/robot-child.ts';
import { bitNames } from '../../server/status/status.ts';
import { listeningPort } from '../../server/access/upgrade.ts';
import { clearFault } from './clear.ts';
import { eventually, FLIGHT_S, goingFirst, PATIENCE_S } from './page-rig.ts';
import { PAD_DEADMAN, type VirtualGamepad } from './virtual-gamepad.ts';

const at = {
  time: Column.time_s,
  slipped: Column.slipped,
  state: Column.safety_state,
  faults: Column.fault_bits,
  holds: Column.hold_bits,
  deadman: Column.deadman,
  command: Column.command_v_x_mps,
  setpoint: Column.setpoint_v_x_mps,
  place: Column.setpoint_p_x_m,
  height: Column.setpoint_p_z_m,
  force: Column.model_force_x_N,
  dissipated: Column.energy_dissipated_J,
  external: Column.energy_external_J,
};
/** A set-point slower than this is at rest, m/s or rad/s: a tenth of a millimetre in an hour. */
const REST = 3e-8;
/** Rows are followed for this long after a motion was ended, and until it has stood for as long; never longer than the last, ms. */
const WATCH_MS = 500;
const STAND_MS = 100;
const LONGEST_WATCH_MS = 10_000;
/** Usual duration of an action of the browser, ms. */
const USUAL_ACT_MS = 20;
/** Period of the pulses whose gaps are the stalls of a thread, ms. */
const PULSE_MS = 5;
/** A button that is not there for so long is behind something else, and the try is over, ms. */
const CLICK_MS = 5000;
/** Period of the station's loop, s. */
const PERIOD_S = 0.002;

const largest = (row: Float64Array, from: number, count = 6): number =>
  row.subarray(from, from + count).reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** One row in words. */
export interface Tick {
  readonly state: string;
  readonly causes: readonly string[];
  readonly deadman: boolean;
  readonly force_N: number;
  /** Ledger of the model: lost in its contacts, and work from outside, J. */
  readonly dissipated_J: number;
  readonly external_J: number;
  /** Place of the set-point, m. */
  readonly place_m: readonly number[];
  /** Height of the set-point over the plate, m. */
  readonly height_m: number;
  readonly time_s: number;
  /** Whether the set-point moves or a motion is commanded. */
  readonly moves: boolean;
}

/** End of a motion, from the moment before its command. */
export interface Ending {
  /** Until the command of the operator is zero for good, ms. */
  readonly command_ms: number;
  /** Until the twist of the set-point is zero for good, ms. */
  readonly setpoint_ms: number;
  /** Speed of the set-point at the beginning, m/s. */
  readonly speed_mps: number;
  /** States from the beginning on, each change once. */
  readonly states: readonly string[];
  /** Why it stands at the end. */
  readonly causes: readonly string[];
  /**
   * Delays by the machine meanwhile, ms: slipped periods of the loop, the longest gaps of the
   * threads of service and page, and the excess of the browser's reaction time.
   */
  readonly stall_ms: number;
}

/** Script in the page that records pulses. It is text, because the compiler does not know a browser's names. */
const PAGE_PULSES = `(() => {
  const pulse = { last: performance.now(), gap_ms: 0 };
  setInterval(() => {
    const now = performance.now();
    pulse.gap_ms = Math.max(pulse.gap_ms, now - pulse.last - ${PULSE_MS});
    pulse.last = now;
  }, ${PULSE_MS});
  window.takeGap = () => {
    const { gap_ms } = pulse;
    pulse.gap_ms = 0;
    return gap_ms;
  };
})()`;

/** Begin to time the thread of a page; before it is loaded. */
export async function pulse(page: Page): Promise<void> {
  await page.addInitScript(PAGE_PULSES);
}

/** Every tick of the running loop. */
export class Ticks {
  readonly #ring: TelemetryRing;
  readonly #row = new Float64Array(ROW_WIDTH);

  constructor(runtime: Runtime) {
    this.#ring = new TelemetryRing(runtime.shared.telemetry, ROW_WIDTH);
  }

  /** The newest one. */
  get now(): Tick {
    const row = this.#row;
    assert.ok(this.#ring.readNewest(row), 'the loop has ticked');
    const state = SAFETY_STATES[row[at.state]];
    assert.ok(state !== undefined);
    return {
      state,
      causes: [...bitNames(row[at.faults], FAULT_CODES), ...bitNames(row[at.holds], FAULT_CODES)],
      deadman: row[at.deadman] !== 0,
      force_N: Math.hypot(...row.subarray(at.force, at.force + 3)),
      dissipated_J: row[at.dissipated],
      external_J: row[at.external],
      place_m: [...row.subarray(at.place, at.place + 3)],
      height_m: row[at.height],
      time_s: row[at.time],
      moves: largest(row, at.command) > 0 || largest(row, at.setpoint) > REST,
    };
  }

  /** Ask for the end of a motion with `act`, on a page that has pulses, and follow it until it stands. */
  async ending(page: Page, act: () => Promise<unknown>): Promise<Ending> {
    await page.evaluate('takeGap()');
    const first = (this.#ring.written - 1) >>> 0;
    const begin_ms = performance.now();
    let [last_ms, service_ms, act_ms] = [begin_ms, 0, 0];
    const timer = setInterval(() => {
      const now_ms = performance.now();
      service_ms = Math.max(service_ms, now_ms - last_ms - PULSE_MS);
      last_ms = now_ms;
    }, PULSE_MS);
    try {
      await act();
      act_ms = Math.max(0, performance.now() - begin_ms - USUAL_ACT_MS);
      let standing_s = NaN;
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, STAND_MS));
        const { time_s, moves } = this.now;
        if (moves) standing_s = NaN;
        else if (Number.isNaN(standing_s)) standing_s = time_s;
        const passed_ms = performance.now() - begin_ms;
        if (passed_ms > LONGEST_WATCH_MS) break;
        if (passed_ms > WATCH_MS && (time_s - standing_s) * 1e3 >= STAND_MS) break;
      }
    } finally {
      clearInterval(timer);
    }
    const page_ms = await page.evaluate<number>('takeGap()');
    return this.#follow(first, service_ms + page_ms + act_ms);
  }

  #follow(first: number, threads_ms: number): Ending {
    const last = this.#ring.written;
    const row = this.#row;
    const states: string[] = [];
    let [begin_s, command_s, setpoint_s, speed_mps, slipped] = [NaN, NaN, NaN, NaN, 0];
    for (let i = first; i !== last; i = (i + 1) >>> 0) {
      assert.ok(this.#ring.read(i, row), 'no row is lost');
      if (i === first) {
        begin_s = row[at.time];
        speed_mps = largest(row, at.setpoint, 3);
      } else if (Number.isNaN(command_s) || Number.isNaN(setpoint_s)) slipped += row[at.slipped];
      // the first of the rows at rest that no other one follows
      if (largest(row, at.command) > 0) command_s = NaN;
      else if (Number.isNaN(command_s)) command_s = row[at.time];
      if (largest(row, at.setpoint) > REST) setpoint_s = NaN;
      else if (Number.isNaN(setpoint_s)) setpoint_s = row[at.time];
      const state = SAFETY_STATES[row[at.state]] ?? 'unknown';
      if (states.at(-1) !== state) states.push(state);
    }
    return {
      command_ms: (command_s - begin_s) * 1e3,
      setpoint_ms: (setpoint_s - begin_s) * 1e3,
      speed_mps,
      states,
      causes: this.now.causes,
      stall_ms: threads_ms + slipped * PERIOD_S * 1e3,
    };
  }
}

/** Service and robot. */
export class Station {
  readonly origin: string;
  readonly ticks: Ticks;
  readonly #runtime: Runtime;
  readonly #app: Awaited<ReturnType<typeof buildApp>>;
  readonly #robot: BerthChild;

  private constructor(
    runtime: Runtime,
    app: Awaited<ReturnType<typeof buildApp>>,
    robot: BerthChild,
  ) {
    this.#runtime = runtime;
    this.#app = app;
    this.#robot = robot;
    this.origin = `http://127.0.0.1:${listeningPort(app)}`;
    this.ticks = new Ticks(runtime);
  }

  /** @param more further settings, `path=value` */
  static async start(...more: string[]): Promise<Station> {
    const settings = loadSettings(undefined, [
      'scenario=half-sphere-on-plate',
      'mode=virtual',
      'server.port=0',
      'server.log_level=silent',
      'robot.port=0',
      'recording.mode=off',
      'audit.enabled=false',
      // the rules that count periods leave time to a browser beside the loop
      `loop.period_s=${PERIOD_S}`,
      'loop.overrun_single_s=60',
      'loop.overrun_consecutive=1000000',
      'loop.overrun_bucket=1000000',
      'operator.input_timeout_s=0.5',
      'operator.authority_lease_s=120',
      // a delay that a stall has lengthened keeps nothing back
      'energy.permit=advisory',
      ...more,
    ]);
    return goingFirst(async () => {
      const runtime = await startRuntime(settings);
      const app = await buildApp({ settings, runtime });
      await app.listen({ host: '127.0.0.1', port: 0 });
      return new Station(runtime, app, startRobot(settings, ['--ws', runtime.robotAddress]));
    });
  }

  /** Contact force in `GET /metrics`, N. */
  async metricForce_N(): Promise<number> {
    const text = await (await fetch(`${this.origin}/metrics`)).text();
    const axes = [...text.matchAll(/^berth_contact_force_newtons\{[^}]*\} (\S+)$/gm)];
    assert.equal(axes.length, 3, 'one value for each axis');
    return Math.hypot(...axes.map(([, value]) => Number(value)));
  }

  async close(): Promise<void> {
    await Promise.all([this.#runtime.close(), this.#app.close()]);
    await this.#robot.end();
  }
}

/** What a person does with a hand controller. */
export interface Hand {
  hold(): Promise<void>;
  release(): Promise<void>;
  /** @param direction 1 up, −1 down, 0 centred; as far as it goes */
  push(direction: 1 | 0 | -1): Promise<void>;
}

/** Keys of the page: left Shift is the deadman, R is up, F is down; others are other axes. */
export function keyboardHand(
  page: Page,
  [plus, minus]: readonly [plus: string, minus: string] = ['KeyR', 'KeyF'],
): Hand {
  return {
    hold: () => page.keyboard.down('Shift'),
    release: () => page.keyboard.up('Shift'),
    push: async (direction) => {
      for (const [key, its] of [
        [plus, 1],
        [minus, -1],
      ] as const) {
        if (its === direction) await page.keyboard.down(key);
        else await page.keyboard.up(key);
      }
    },
  };
}

/** The button Hold to fly under the pointer, and keys for the axes. */
export function pointerHand(page: Page): Hand {
  return {
    hold: async () => {
      await page.locator('#deadman-hold').hover();
      await page.mouse.down();
    },
    release: () => page.mouse.up(),
    push: (direction) => keyboardHand(page).push(direction),
  };
}

/** Triggers of a gamepad: the right one is up, the left one down. */
export function gamepadHand(pad: VirtualGamepad): Hand {
  return {
    hold: () => pad.button(PAD_DEADMAN, 1),
    release: () => pad.button(PAD_DEADMAN, 0),
    push: async (direction) => {
      await pad.button(7, direction > 0 ? 1 : 0);
      await pad.button(6, direction < 0 ? 1 : 0);
    },
  };
}

/** Of the speed of the hand. */
export type Gear = 'Vernier' | 'Coarse';

/** A person at the fly page. What a stall of the machine does to the loop is recovered from as a person would, a bounded number of times. */
export class Person {
  readonly page: Page;
  readonly #ticks: Ticks;
  #hand: Hand;
  #gear: Gear;
  /** Unrequested holds and faults. */
  readonly interruptions: string[] = [];

  /** @param gear for contacts: the fine one, unless they are made for the other one */
  constructor(page: Page, ticks: Ticks, hand: Hand, gear: Gear = 'Vernier') {
    this.page = page;
    this.#gear = gear;
    this.#ticks = ticks;
    this.#hand = hand;
  }

  get hand(): Hand {
    return this.#hand;
  }

  /** Ask for authority, unless this page has it: a page whose connection broke in a stall has lost it. */
  async takeAuthority(): Promise<void> {
    if (/^this page/.test(await this.text('holder'))) return;
    await this.page.locator('#request').click({ timeout: PATIENCE_S * 1000 });
    await this.reads('holder', /^this page/);
    await this.shift(this.#gear);
  }

  /** Fly in another gear from now on. */
  async shift(gear: Gear): Promise<void> {
    this.#gear = gear;
    await this.page.getByRole('button', { name: gear }).click();
  }

  /** Fly with something else from now on. */
  async take(hand: Hand): Promise<void> {
    await this.rest();
    this.#hand = hand;
  }

  async text(id: string): Promise<string> {
    return (await this.page.locator(`#${id}`).textContent()) ?? '';
  }

  /** Waits until the page shows the words. */
  async reads(id: string, words: RegExp, timeout_s = PATIENCE_S): Promise<void> {
    await eventually(timeout_s, async () => assert.match(await this.text(id), words));
  }

  /** Fly up, a millimetre or more, so that a motion is there to be ended. */
  async flyUp(): Promise<void> {
    const from_m = this.#ticks.now.height_m;
    await this.fly(1, ({ height_m }) => height_m > from_m + 0.001);
  }

  /** Until a tick is as wanted. */
  async sees(accept: (tick: Tick) => boolean, timeout_s = PATIENCE_S): Promise<Tick> {
    return eventually(timeout_s, () => {
      const { now } = this.#ticks;
      if (!accept(now)) return Promise.reject(new Error(JSON.stringify(now)));
      return Promise.resolve(now);
    });
  }

  /** Axes centred, deadman released. */
  async rest(): Promise<void> {
    await this.#hand.push(0);
    await this.#hand.release();
  }

  /** Until the arm follows the hand: whatever was latched is cleared, the deadman pressed anew, armed or resumed. */
  async toActive(): Promise<void> {
    let failure = new Error('never tried');
    for (let i = 0; i < 12; i++) {
      try {
        await this.#tryToActive();
        return;
      } catch (error) {
        failure = error as Error;
        this.note();
      }
    }
    throw failure;
  }

  /** Until a fault is cleared and the loop can be armed, which needs a second of good link. */
  async toReady(): Promise<void> {
    await eventually(FLIGHT_S, async () => {
      if (this.#ticks.now.state === 'FAULT') await clearFault(this.page);
      await this.sees((t) => t.state === 'MONITOR_READY', 5);
    });
  }

  /** Acknowledges the permit where a delay lengthened by a stall requires it again, and closes its dialog. */
  async #acknowledgePermit(): Promise<void> {
    const { page } = this;
    const isOpen = async (): Promise<boolean> => (await page.locator('.permit-dialog').count()) > 0;
    const asked =
      (await page.locator('#steps > li[data-step="permit"][data-mark="open"]').count()) > 0 ||
      this.#ticks.now.causes.includes('PERMIT_LOST');
    if (asked && !(await isOpen())) await page.click('#permit', { timeout: CLICK_MS });
    if (!(await isOpen())) return;
    const can = await page.locator('#permit-acknowledge').isEnabled();
    await page.click(can ? '#permit-acknowledge' : '#permit-close', { timeout: CLICK_MS });
  }

  async #tryToActive(): Promise<void> {
    const { page } = this;
    await this.rest();
    await this.takeAuthority();
    await this.#acknowledgePermit();
    if (this.#ticks.now.state !== 'HOLD') await this.toReady();
    const { state } = this.#ticks.now;
    await this.reads('deadman-why', /^$/, 5);
    await this.#hand.hold();
    await this.sees((t) => t.deadman, 3);
    await this.reads('deadman', /pressed/, 3); // so that the page offers what is possible
    if (state === 'MONITOR_READY') await page.click('#arm', { timeout: CLICK_MS });
    else {
      // a hold for the deadman alone ends by itself
      await this.sees(isActive, 1).catch(() => page.click('#resume', { timeout: CLICK_MS }));
    }
    await this.sees(isActive, 3);
  }

  /** Push until a tick is as wanted, and let the hand stay there. */
  async fly(direction: 1 | -1, accept: (tick: Tick) => boolean, timeout_s = 8): Promise<void> {
    let failure: Error | null = null;
    for (let i = 0; i < 12; i++) {
      if (!isActive(this.#ticks.now) || !this.#ticks.now.deadman) await this.toActive();
      await this.#hand.push(direction);
      try {
        const seen = await this.sees((t) => !isActive(t) || accept(t), timeout_s);
        if (isActive(seen)) return;
        this.note();
      } catch (error) {
        failure = error as Error;
        this.note();
      }
    }
    throw failure ?? new Error(`Interrupted too often: ${this.interruptions.join(' · ')}`);
  }

  /** Records why the arm stopped without a request. */
  note(): void {
    const { state, causes } = this.#ticks.now;
    this.interruptions.push(`${state} ${causes.join('+')}`);
  }
}

/** Whether the arm is flown. */
export const isActive = (tick: Tick): boolean => tick.state.startsWith('ACTIVE');
