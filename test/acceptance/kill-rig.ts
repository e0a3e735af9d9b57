/**
 * A service with recording, a robot and a pilot, each of which can be killed and restarted while
 * the others run: effect of one kill on the robot, on the recording, and on the state after the
 * return.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { scenarioFile } from '../../config/scenario.ts';
import { DEFAULT_LIMITS } from '../../hil/emulator/options.ts';
import { openRecording } from '../../hil/recording/read-recording.ts';
import { RecordKind } from '../../hil/memory/records.ts';
import { inspectRecording, recoverRecording } from '../../hil/recording/recover.ts';
import {
  BerthProcess,
  type FullStatus,
  PERIOD_S,
  Pilot,
  RobotProcess,
  SCENARIO,
  SETTINGS,
  type Stop,
} from '../fixtures/flight.ts';
import { StallMeter } from '../fixtures/stall-meter.ts';

export const TARGETS = ['server', 'link worker', 'emulator', 'recorder'] as const;
export type Target = (typeof TARGETS)[number];
export const PHASES = ['free', 'contact', 'arming'] as const;
export type Phase = (typeof PHASES)[number];

/** Life of a set-point in free space (CONFIG of HLP/1), s. */
const TTL_S = 0.02;
/** Silence after which a recorder that is required counts as lost (recorder-watch.ts), s. */
const RECORDER_SILENCE_S = 1;
/** What may pass between a wish of this process and its measurement: requests, timers and stalls of a shared machine, s. */
const WALL_SLACK_S = 2;
/** Time without a report after which a resting robot has not moved, ms; a moving one gets more time for its report. */
const STOP_REPORTED_MS = 2000;
const MOVING_REPORTED_MS = 20_000;
/** Patience with an alarm, ms. */
const ALARM_MS = 60_000;
/** Duration of the observation after the return, s. */
const WATCH_S = 0.3;
/** Noise of the measured speed is 2e-5 m/s and of the measured place 2 µm: six and more deviations. */
const AT_REST_MPS = 2e-4;
const SAME_PLACE_M = 1e-4;
/** Where free flights turn back down, and where contact is looked for slowly, m above the plate. */
const TURN_M = 0.2;
const NEAR_M = 0.025;
/** Stick in contact: a gentle push. */
const PRESSING = 0.1;
/** The plate of the scenario, made softer: at a period of 5 ms the published one would rebound for ever. */
const SOFT_N_PER_M1_5 = '1e6';

/** What one kill did. */
export interface Outcome {
  /** The arm moved when the kill came. */
  readonly moving: boolean;
  /** From the newest set-point, or from the kill of a recorder, to rest, and what is allowed, s; null when there was no motion to end. */
  readonly rest: { readonly took_s: number; readonly bound_s: number } | null;
  /** Ticks known to have run that the recovered file lacks, s; null when no recording was ended. */
  readonly lost_s: number | null;
  /** Motions after the return and before the next ARM. */
  readonly motions: number;
  /** What was not as it must be. */
  readonly complaints: string[];
  /** Late results on the wall clock, and the longest stall of the machine seen by this process and the loop, s. */
  readonly late: string[];
  readonly stall_s: number;
}

/** Service, robot and pilot, each of which can be killed and started again. */
export class KillRig {
  readonly #folder: string;
  readonly #scenario: string;
  #service: BerthProcess | null = null;
  #robot: RobotProcess | null = null;
  #pilot: Pilot | null = null;
  #url = '';
  #address = '';
  #robotPort = 0;
  /** Lines of the robot when the service had ended. */
  #endedAt = 0;
  readonly #stalls = new StallMeter();

  /** @param folder an empty one, for settings and recordings */
  constructor(folder: string) {
    this.#folder = folder;
    this.#scenario = join(folder, 'soft-plate.yaml');
    const text = readFileSync(scenarioFile(SCENARIO), 'utf8');
    writeFileSync(
      this.#scenario,
      text.replace(/stiffness_N_per_m1_5: \S+/, `stiffness_N_per_m1_5: ${SOFT_N_PER_M1_5}`),
    );
  }

  async start(): Promise<void> {
    for (const name of readdirSync(this.#folder)) {
      if (name.endsWith('.mcap')) rmSync(join(this.#folder, name));
    }
    await this.#startService();
    this.#robot = new RobotProcess(this.#address, this.#scenario);
    await this.#robot.next('connected', 0);
  }

  async end(): Promise<void> {
    this.#stalls.close();
    this.#pilot?.client.close();
    await Promise.all([this.#service?.end(), this.#robot?.end()]);
  }

  /** Kill `target` so long after a phase was reached, bring it back, and see what it did. */
  async trial(target: Target, phase: Phase, wait_s: number): Promise<Outcome> {
    const complaints: string[] = [];
    const late: string[] = [];
    const robot = this.#robot!;
    const pilot = this.#pilot!;
    await pilot.client.request('alarm.ack');
    this.#stalls.take_s();
    const before = await this.#reach(phase, robot, pilot);
    const slipped = (pilot.client.status as FullStatus).timing.slipped_total;
    await delay(1000 * wait_s);
    const known = pilot.client.status as FullStatus;
    const slipped_s = (known.timing.slipped_total - slipped) * PERIOD_S;
    const moving = phase !== 'arming' && isActive(known);
    const from = robot.lines.length;
    const begin = performance.now();
    await this.#kill(target);
    let rest: Outcome['rest'] = null;
    let stop: Stop | null = null;
    if (phase !== 'arming' && target !== 'emulator') {
      const moved = moving && speedOf(known) > AT_REST_MPS;
      const patience_ms = moved ? MOVING_REPORTED_MS : STOP_REPORTED_MS;
      stop = await robot.next<Stop>('stopped', from, patience_ms).catch(() => null);
      // a stall of the machine may have ended the motion just before the kill, which the robot has
      // then reported
      if (stop === null && moved && robot.stopsFrom(before) === 0) {
        complaints.push(`moved at ${speedOf(known)} m/s, and no word of a stop`);
      }
      if (stop !== null) rest = restOf(stop, target, (performance.now() - begin) / 1000);
      if (rest !== null && rest.took_s > rest.bound_s) {
        const words = `late: ${JSON.stringify(stop)}`;
        if (target === 'recorder') late.push(words);
        else complaints.push(words);
      }
    }
    await this.#checkReports(target, complaints);
    const lost_s = await this.#bringBack(target, known.tick ?? 0, complaints, late);
    const stall_s = Math.max(this.#stalls.take_s(), slipped_s);
    const back = this.#robot!;
    // the report of the motion that the kill ended comes before the robot's return, however late
    const gone = target === 'recorder' ? this.#endedAt : from;
    const returned = await back.returned(back === robot ? gone : 0);
    const motions = await this.#watch(returned, stop, complaints);
    return { moving, rest, lost_s, motions, complaints, late, stall_s };
  }

  async #startService(): Promise<void> {
    const settings = join(this.#folder, 'settings.yaml');
    const text = SETTINGS({
      scenario: this.#scenario,
      robot: `{ port: ${this.#robotPort}, emulate: false }`,
      recording: `{ mode: continuous, folder: ${this.#folder}, required: true }`,
    });
    writeFileSync(settings, text);
    const service = new BerthProcess('serve', settings, '--no-fly', '--allow-fault-injection');
    this.#service = service;
    [, this.#address] = await service.match(/robot at (ws:\S+)/);
    [, this.#url] = await service.match(/console +(http:\/\/\S+)\//);
    this.#robotPort = Number(new URL(this.#address).port);
    this.#pilot = await Pilot.connect(this.#url);
  }

  /** @returns the number of the robot's lines before the motion */
  async #reach(phase: Phase, robot: RobotProcess, pilot: Pilot): Promise<number> {
    const { client } = pilot;
    const height = (): number => (client.status as FullStatus).measured.position_m[2];
    const direction = (): 1 | -1 => (height() < TURN_M ? 1 : -1);
    if (phase === 'arming') {
      while (!(await pilot.getReady()));
      void client.request('arm');
      return robot.lines.length;
    }
    for (;;) {
      const before = await pilot.toMotion(robot.lines, direction);
      if (phase === 'free') return before;
      client.hand.axes[2] = -1;
      await pilot.status((s) => !isActive(s) || s.measured.position_m[2] < NEAR_M);
      client.hand.gear = 'vernier';
      const touching = await pilot.status((s) => !isActive(s) || s.state === 'ACTIVE_CONTACT');
      client.hand.gear = 'coarse';
      client.hand.axes[2] = -PRESSING;
      if (isActive(touching)) return before; // else a stall of the machine has ended the flight
    }
  }

  async #kill(target: Target): Promise<void> {
    if (target === 'server') this.#service!.child.kill('SIGKILL');
    else if (target === 'emulator') this.#robot!.child.kill('SIGKILL');
    else {
      const kind = target === 'recorder' ? 'recorder_error' : 'link_worker_error';
      const response = await fetch(`${this.#url}/api/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ kind, amount: 1 }),
      });
      if (response.status !== 200) throw new Error(`${kind}: ${await response.text()}`);
    }
  }

  /** Checks that the processes left report the event. */
  async #checkReports(target: Target, complaints: string[]): Promise<void> {
    const pilot = this.#pilot!;
    if (target === 'server') return;
    const status = await pilot.status((s) => !isActive(s) && s.state !== 'ARMING');
    const alarms = async (code: string): Promise<boolean> => {
      for (let i = 0; i < ALARM_MS / 100; i++) {
        if (pilot.client.alarms.some((alarm) => alarm.code === code)) return true;
        await delay(100);
      }
      return false;
    };
    if (target === 'recorder') {
      if (!(await alarms('RECORDER_FAILED'))) complaints.push('no alarm RECORDER_FAILED');
    } else if (!(await alarms('LINK_DOWN'))) complaints.push(`no alarm LINK_DOWN: ${status.state}`);
    const worker = { 'link worker': 'link_worker_error', recorder: 'recorder_error', emulator: '' };
    const note = `Injected fault: ${worker[target]}`;
    if (target !== 'emulator' && !this.#service!.stderr.includes(note)) {
      complaints.push(`not noted: ${note}`);
    }
  }

  /** Start again what was killed. @returns seconds of ticks that a recording ended by it has lost, null without one */
  async #bringBack(
    target: Target,
    tick: number,
    complaints: string[],
    late: string[],
  ): Promise<number | null> {
    if (target === 'link worker') return null; // the service does it
    if (target === 'emulator') {
      await this.#robot!.closed;
      this.#robot = new RobotProcess(this.#address, this.#scenario);
      return null;
    }
    this.#pilot!.client.close();
    if (target === 'recorder') this.#service!.child.kill('SIGTERM');
    await this.#service!.closed;
    this.#endedAt = this.#robot!.lines.length;
    const lost_s = await this.#checkRecording(tick, complaints, late);
    await this.#startService();
    return lost_s;
  }

  /** Recover the recording and count what it holds. @param tick one that is known to have run before the kill */
  async #checkRecording(tick: number, complaints: string[], late: string[]): Promise<number> {
    const [name, ...more] = readdirSync(this.#folder).filter(
      (one) => one.startsWith('berth-') && one.endsWith('.mcap'),
    );
    if (name === undefined || more.length > 0) throw new Error(`${more.length + 1} recordings`);
    const file = join(this.#folder, name);
    const out = join(this.#folder, 'recovered.mcap');
    const found = inspectRecording(file);
    await recoverRecording(file, out);
    const recovered = inspectRecording(out);
    if (found.damagedChunks > 0) complaints.push(`${found.damagedChunks} damaged chunks`);
    if (!recovered.whole || recovered.messages !== found.messages) {
      complaints.push(`recovered ${recovered.messages} of ${found.messages} messages`);
    }
    let last = 0;
    for await (const { kind, bytes } of (await openRecording(out)).records()) {
      if (kind === RecordKind.GAP) complaints.push('a gap in the recording');
      if (kind !== RecordKind.TICK) continue;
      const [executed] = new Float64Array(bytes.buffer, bytes.byteOffset, 1);
      if (last > 0 && executed !== last + 1) complaints.push(`tick ${executed} after ${last}`);
      last = executed;
    }
    rmSync(file);
    rmSync(out);
    const lost_s = Math.max(0, tick - last) * PERIOD_S;
    if (lost_s > 1) late.push(`${lost_s} s lost: tick ${last} of ${tick}`);
    return lost_s;
  }

  /** Everybody is back; an operator holds stick and deadman, and gives no ARM. @returns motions of the robot meanwhile */
  async #watch(returned: number, stop: Stop | null, complaints: string[]): Promise<number> {
    const robot = this.#robot!;
    const pilot = this.#pilot!;
    await pilot.status((s) => s.link?.up === true && s.link.state_quality === 'good');
    await pilot.client.request('authority.request');
    pilot.client.hand.deadman = true;
    pilot.client.hand.axes[2] = 1;
    const begin = performance.now();
    let moved = false;
    let first: readonly number[] | null = stop?.position_m ?? null;
    while (performance.now() - begin < 1000 * WATCH_S) {
      const { measured, state } = await pilot.status(() => true);
      first ??= measured.position_m;
      const away = Math.hypot(...measured.position_m.map((x, i) => x - first![i]));
      const speed = speedOf({ measured });
      if (speed < AT_REST_MPS && away < SAME_PLACE_M && !isActive({ state })) continue;
      moved = true;
      complaints.push(`${state}, ${speed} m/s, ${away} m from where it had stopped`);
    }
    pilot.client.hand.axes[2] = 0;
    pilot.client.hand.deadman = false;
    return Math.max(moved ? 1 : 0, robot.stopsFrom(returned));
  }
}

const speedOf = ({ measured }: Pick<FullStatus, 'measured'>): number =>
  Math.hypot(...measured.twist.slice(0, 3));
const isActive = ({ state }: { readonly state: string }): boolean => state.startsWith('ACTIVE');

/**
 * Time to rest. Of a robot whose set-points ceased, in its own cycles: the one that takes a set-point in is the first of its
 * life, and rest is found by the cycle after. A recorder that ends leaves a loop that lives and stops the arm itself: judged
 * by the wall clock.
 */
function restOf(stop: Stop, target: Target, wall_s: number): Outcome['rest'] {
  const brake_s = stop.speed_mps / DEFAULT_LIMITS.stop_deceleration_mps2;
  if (target !== 'recorder') {
    const took_s = (stop.cycle - stop.setpoint_cycle - 1) * PERIOD_S;
    return { took_s, bound_s: TTL_S + brake_s };
  }
  return { took_s: wall_s, bound_s: RECORDER_SILENCE_S + TTL_S + brake_s + WALL_SLACK_S };
}
