/** Two sessions joined in one process on a virtual clock, the robot with a clock of its own. */
import { LIMIT_FIELDS, type RobotLimits } from '../../hil/limit-fields.ts';
import type { Link } from '../../hil/links/link.ts';
import { TaggingLink } from '../../hil/links/tagging-link.ts';
import { SetpointFrame, StateFrame } from '../../hil/protocol/frames.ts';
import { RobotSession, type RobotSessionOptions } from '../../hil/protocol/robot-session.ts';
import { ServerSession, type ServerSessionOptions } from '../../hil/protocol/server-session.ts';

export const LIMITS: RobotLimits = {
  speed_mps: 0.1,
  angular_speed_radps: 0.5,
  acceleration_mps2: 5,
  force_N: 400,
  moment_Nm: 100,
  workspace_m: 0.5,
};
if (LIMIT_FIELDS.some((name) => !(name in LIMITS))) throw new Error('limits incomplete');

/** Small deterministic generator (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

interface Flying {
  readonly due_us: number;
  readonly frame: Uint8Array;
}

/** One end of an in-process link; `clock` gives this end's time, `delay_us` the latency of what it sends. */
export class TestLink implements Link {
  readonly transport = 'loopback';
  connected = true;
  receivedAt_us = 0.5;
  bytesReceived = 0;
  bytesSent = 0;
  resyncs = 0;
  oversized = 0;
  peer: TestLink | null = null;
  /** Every frame sent, in order. */
  readonly sent: Uint8Array[] = [];
  delay_us: () => number = () => 200;
  drops: (frame: Uint8Array) => boolean = () => false;
  private readonly queue: Flying[] = [];
  private readonly trueTime: () => number;
  private readonly ownTime: (true_us: number) => number;

  constructor(trueTime: () => number, ownTime: (true_us: number) => number) {
    this.trueTime = trueTime;
    this.ownTime = ownTime;
  }

  receive(frame: Uint8Array): number {
    const first = this.queue[0];
    if (first === undefined || first.due_us > this.trueTime()) return 0;
    this.queue.shift();
    frame.set(first.frame);
    this.receivedAt_us = this.ownTime(first.due_us);
    return first.frame.length;
  }

  send(frame: Uint8Array, length: number): boolean {
    const copy = frame.slice(0, length);
    this.sent.push(copy);
    if (!this.drops(copy)) this.peer!.deliver(copy, this.delay_us());
    return true;
  }

  /** Put a frame on the way to this end. */
  deliver(frame: Uint8Array, delay_us: number): void {
    this.queue.push({ due_us: this.trueTime() + delay_us, frame });
    this.queue.sort((a, b) => a.due_us - b.due_us);
  }
}

export class Pair {
  now_us = 1_000_000;
  /** Robot clock as a function of true time. */
  robotTime: (true_us: number) => number = (t) => t + 5_000_000;
  readonly serverLink: TestLink;
  readonly robotLink: TestLink;
  /** What the sessions speak by. */
  readonly serverLine: TaggingLink;
  readonly robotLine: TaggingLink;
  readonly server: ServerSession;
  robot: RobotSession;
  readonly setpoint = new SetpointFrame();
  readonly state = new StateFrame();
  /** Called before the robot sends its STATE. */
  beforeState: (state: StateFrame) => void = () => {};
  /** Whether the robot's cycle runs. */
  robotRuns = true;

  constructor(
    server: Partial<ServerSessionOptions> = {},
    robot: Partial<RobotSessionOptions> = {},
    keys: { readonly server?: string; readonly robot?: string; readonly run?: string } = {},
  ) {
    const trueTime = (): number => this.now_us;
    this.serverLink = new TestLink(trueTime, (t) => t);
    this.robotLink = new TestLink(trueTime, (t) => this.robotTime(t));
    this.serverLink.peer = this.robotLink;
    this.robotLink.peer = this.serverLink;
    const [own, their, run] = [keys.server ?? '', keys.robot ?? '', keys.run ?? ''];
    this.serverLine = new TaggingLink(this.serverLink, 0, [own, run]);
    this.robotLine = new TaggingLink(this.robotLink, 1, [their]);
    const proof = { keyed: own !== '', provable: run !== '' };
    this.server = new ServerSession({ period_s: 0.001, limits: LIMITS, ...proof, ...server });
    this.serverLine.session = this.server.tags;
    this.robot = Pair.makeRobot({ keyed: their !== '', ...robot });
  }

  static makeRobot(options: Partial<RobotSessionOptions> = {}): RobotSession {
    return new RobotSession({
      period_s: 0.001,
      keyed: false,
      device: 'test arm',
      firmware: '1.2',
      limits: LIMITS,
      ...options,
    });
  }

  /** Robot cycle half a period before the server's tick. */
  tick(): void {
    this.robotLine.session = this.robot.tags;
    this.now_us += 500;
    if (this.robotRuns) {
      const now = this.robotTime(this.now_us);
      this.robot.now_us[0] = now;
      this.robot.poll(this.robotLine);
      this.state.echoSeq = this.robot.setpoint.seq;
      this.state.tMeas_us = now;
      this.beforeState(this.state);
      this.robot.sendState(this.robotLine, this.state);
    }
    this.now_us += 500;
    this.server.now_us[0] = this.now_us;
    this.server.poll(this.serverLine);
    this.server.sendSetpoint(this.serverLine, this.setpoint);
  }

  run(ticks: number, each: (tick: number) => void = () => {}): void {
    for (let i = 0; i < ticks; i++) {
      this.tick();
      each(i);
    }
  }
}
