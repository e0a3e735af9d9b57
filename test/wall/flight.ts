/** A service, a robot and a pilot for the wall-clock tests, each a process or a client of its own, over real sockets. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { OperatorClient, type Status } from '../../server/client/node.ts';

const MAIN = fileURLToPath(
  new URL(`../../server/main${extname(import.meta.url)}`, import.meta.url),
);
/** Period of loop and robot, s: the rules count periods, and at this one a busy machine does not break them all the time. */
export const PERIOD_S = 0.005;
/** A tool that flies free of contact until it is told to go down. */
export const SCENARIO = 'half-sphere-on-plate';
/** Longer than any stall: a test that waits this long has failed. */
const PATIENCE_MS = 60_000;
/** Longer than an ARMING takes before it is given up, s. */
const ARMING_S = 4;

/** Open files of a command that has few of them: what macOS gives by default. */
export const FEW_FILES = 256;

/** A `berth` command, its lines kept and awaited. */
export class BerthProcess {
  readonly child: ChildProcess;
  readonly lines: string[] = [];
  stderr = '';
  /** Exit code, when the process and everybody who inherited its output are gone. */
  readonly closed: Promise<number | null>;
  #look: (() => void)[] = [];

  constructor(...args: string[]) {
    // a process group of its own, as a shell gives to a command: signals can be sent as a terminal sends them
    const files = this.openFiles;
    const command = [process.execPath, ...process.execArgv, MAIN, ...args];
    const limited = ['-c', `ulimit -n ${files} && exec "$0" "$@"`, ...command];
    const [program, words] = files > 0 ? ['sh', limited] : [command[0], command.slice(1)];
    this.child = spawn(program, words, {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.child.stderr!.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      this.lines.push(line);
      for (const look of this.#look) look();
    });
    this.closed = once(this.child, 'close').then(([code]) => code as number | null);
  }

  /** Most files that it may have open; 0: as many as its parent. */
  protected get openFiles(): number {
    return 0;
  }

  /** First line from `from` on that `accept` makes something of. */
  async find<T>(
    accept: (line: string) => T | null,
    from = 0,
    timeout_ms = PATIENCE_MS,
  ): Promise<T> {
    let at = from;
    let look = (): void => undefined;
    let timer: NodeJS.Timeout | undefined;
    const found = new Promise<T>((resolve, reject) => {
      look = (): void => {
        while (at < this.lines.length) {
          const value = accept(this.lines[at++]);
          if (value !== null) {
            resolve(value);
            return;
          }
        }
      };
      const fail = (why: string): void =>
        reject(new Error(`${why}\n${this.lines.join('\n')}\n${this.stderr}`));
      timer = setTimeout(() => fail('No such line in time:'), timeout_ms);
      void this.closed.then((code) => fail(`Ended with code ${code}:`));
      this.#look.push(look);
      look();
    });
    try {
      return await found;
    } finally {
      clearTimeout(timer);
      this.#look = this.#look.filter((one) => one !== look);
    }
  }

  match(pattern: RegExp): Promise<RegExpExecArray> {
    return this.find((line) => pattern.exec(line));
  }

  /** What stands on standard error beside the notes about the real-time class of this machine. */
  get complaints(): string[] {
    const note = /^berth: .* without real-time class/;
    return this.stderr.split('\n').filter((line) => line !== '' && !note.test(line));
  }

  /** End it, if it still runs. */
  async end(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGCONT');
      this.child.kill('SIGTERM');
    }
    await this.closed;
  }
}

/** A command with few descriptors, as many systems give to a service. */
export class FewFilesProcess extends BerthProcess {
  protected override get openFiles(): number {
    return FEW_FILES;
  }
}

/** What the robot says of the end of a motion. */
export interface Stop {
  readonly event: 'stopped';
  readonly cycle: number;
  readonly setpoint_cycle: number;
  readonly speed_mps: number;
  readonly end: string;
  readonly fault: string[];
  readonly position_m: [number, number, number];
}

/** And what it says at its own end. */
export interface Last {
  readonly event: 'ended';
  readonly cycles: number;
  readonly x_m: number;
  readonly y_m: number;
  readonly z_m: number;
  readonly speed_mps: number;
}

/** `berth emulate` on the robot link of a service. */
export class RobotProcess extends BerthProcess {
  constructor(address: string, scenario: string = SCENARIO, period_s: number = PERIOD_S) {
    super(
      'emulate',
      '--ws',
      address,
      '--scenario',
      scenario,
      '--period',
      String(1000 * period_s),
      '--quiet',
    );
  }

  /** Its first word of a kind from line `from` on. */
  next<T>(event: string, from: number, timeout_ms?: number): Promise<T> {
    const accept = (line: string): T | null => {
      const value = JSON.parse(line) as { event: string };
      return value.event === event ? (value as T) : null;
    };
    return this.find(accept, from, timeout_ms);
  }

  stop(from: number): Promise<Stop> {
    return this.next<Stop>('stopped', from);
  }

  /** Motions that have ended so far. */
  get stops(): number {
    return this.stopsFrom(0);
  }

  /** Motions whose end is told of in the lines from `from` on. */
  stopsFrom(from: number): number {
    return this.lines.slice(from).filter((line) => line.includes('"stopped"')).length;
  }

  /** Until it is connected (again). @returns the number of the line that says so */
  async returned(from: number): Promise<number> {
    await this.next('connected', from);
    return this.lines.findIndex((line, i) => i >= from && line.includes('"connected"'));
  }
}

/** Status of a loop that runs. */
export type FullStatus = Status & Required<Pick<Status, 'operator' | 'measured' | 'timing'>>;

/** Speed that the pilot asks for, m/s: at this one the robot's brake outlasts the life of a set-point, so that both are seen. */
export const SPEED_MPS = 0.09;

/** A scripted operator who gets the arm moving upwards, whatever a stalled machine did meanwhile. */
export class Pilot {
  readonly client: OperatorClient;

  private constructor(client: OperatorClient) {
    this.client = client;
    client.hand.gear = 'coarse';
    client.startInputs();
  }

  static async connect(url: string): Promise<Pilot> {
    return new Pilot(await OperatorClient.connect({ url, name: 'pilot' }));
  }

  async status(
    accept: (status: FullStatus) => boolean,
    timeout_s = PATIENCE_MS / 1000,
  ): Promise<FullStatus> {
    const found = await this.client.waitFor((s) => accept(s as FullStatus), timeout_s);
    if (found === null) throw new Error(`No such status: ${JSON.stringify(this.client.status)}`);
    return found as FullStatus;
  }

  /**
   * Until the arm is measured to move at the speed that was asked for, up or down as `direction` says anew for each try.
   * @returns how many of `lines` stood there before the motion began: its end is not among them, however early it came
   */
  async toMotion(
    lines: readonly string[] = [],
    direction: () => 1 | -1 = () => 1,
  ): Promise<number> {
    for (let i = 0; i < 20; i++) {
      const before = await this.#tryToMove(lines, direction);
      if (before >= 0) return before;
    }
    throw new Error(`No motion: ${JSON.stringify(this.client.status)}`);
  }

  /** Authority, no faults, deadman pressed, stick at rest. @returns whether only ARM is missing */
  async getReady(): Promise<boolean> {
    const { client } = this;
    client.hand.axes.fill(0);
    client.hand.deadman = false;
    await client.request('authority.request');
    const settled = ['MONITOR_READY', 'HOLD', 'FAULT'];
    const rest = await this.status(
      (s) => (settled.includes(s.state) || s.faults.length > 0) && !s.operator.deadman,
    );
    if (rest.state !== 'MONITOR_READY') {
      await client.clear('the next flight begins');
      await this.status(() => true);
      return false;
    }
    client.hand.deadman = true;
    await this.status((s) => s.operator.deadman || s.state !== 'MONITOR_READY');
    return true;
  }

  /** @returns lines before the motion, −1 without one */
  async #tryToMove(lines: readonly string[], direction: () => 1 | -1): Promise<number> {
    const { client } = this;
    if (!(await this.getReady())) return -1;
    if (!(await client.request('arm')).ok) return -1;
    // an ARMING that was given up may be over before a status shows it: ready again, it is tried anew
    const active = await client.waitFor((s) => s.state.startsWith('ACTIVE'), ARMING_S);
    if (active === null) return -1;
    const before = lines.length;
    const up = direction();
    client.hand.axes[2] = up;
    const moving = await this.status(
      (s) => !s.state.startsWith('ACTIVE') || up * s.measured.twist[2] > 0.9 * SPEED_MPS,
    );
    return moving.state.startsWith('ACTIVE') ? before : -1;
  }
}

/** Settings of a loop that trips over a half-second stop, not over the stalls of a busy machine. */
export const SETTINGS = (more: Record<string, string> = {}): string => {
  const parts = {
    scenario: SCENARIO,
    mode: 'virtual',
    server: '{ port: 0, log_level: silent }',
    robot: '{ port: 0, emulate: false }',
    recording: '{ mode: off, freezes: 0 }',
    loop: `{ period_s: ${PERIOD_S}, overrun_single_s: 0.3, overrun_consecutive: 1000000, overrun_bucket: 1000000 }`,
    // a missed set-point that is made good at once is followed at up to 0.14 m/s
    limits: '{ speed_mps: 0.15 }',
    operator: `{ input_timeout_s: 0.5, coarse_speed_mps: ${SPEED_MPS} }`,
    // the delay of a slow loop on a busy machine may ask for the permit at any time, which is not what flies here
    energy: '{ permit: advisory }',
    ...more,
  };
  return Object.entries(parts)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
};

/** A service with a robot in a process of its own and a pilot. */
export class Flight {
  readonly service: BerthProcess;
  readonly robot: RobotProcess;
  readonly pilot: Pilot;
  readonly url: string;
  /** Where robots connect. */
  readonly robotAddress: string;

  private constructor(
    service: BerthProcess,
    robot: RobotProcess,
    pilot: Pilot,
    url: string,
    robotAddress: string,
  ) {
    this.robotAddress = robotAddress;
    this.service = service;
    this.robot = robot;
    this.pilot = pilot;
    this.url = url;
  }

  /** @param period_s that of the settings */
  static async start(
    settings: string,
    period_s: number = PERIOD_S,
    Process: typeof BerthProcess = BerthProcess,
  ): Promise<Flight> {
    const service = new Process('serve', settings, '--no-fly', '--allow-fault-injection');
    const [, address] = await service.match(/robot at (ws:\S+)/);
    const [, url] = await service.match(/console +(http:\/\/\S+)\//);
    const robot = new RobotProcess(address, SCENARIO, period_s);
    return new Flight(service, robot, await Pilot.connect(url), url, address);
  }

  /** Send a fault on purpose. @returns the HTTP status */
  async inject(kind: string, amount: number): Promise<number> {
    const response = await fetch(`${this.url}/api/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind, amount }),
    });
    return response.status;
  }

  /** The series of `/metrics` as they are now. */
  async metrics(): Promise<(series: string) => number> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const lines = text.split('\n');
    return (series) => {
      const line = lines.find((one) => one.startsWith(`${series} `));
      if (line === undefined) throw new Error(`No series ${series}`);
      return Number(line.slice(series.length + 1));
    };
  }

  /** Value of one of them. */
  async metric(series: string): Promise<number> {
    return (await this.metrics())(series);
  }

  async end(): Promise<void> {
    this.pilot.client.close();
    await Promise.all([this.service.end(), this.robot.end()]);
  }
}
