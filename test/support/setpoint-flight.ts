/**
 * A flight on the virtual clock whose every SETPOINT is differenced as it stands on the wire: speed, acceleration and jerk of pose and twist, in translation
 * and rotation, and how far twist and pose are apart. Random flights are made from a seed: mode, scenario, forces, limits, operator.
 *
 * What single precision adds, with ε = 2⁻²⁴ the relative rounding of a number: a twist is off by ε v in each axis, its differences of order n by
 * 2ⁿ √3 ε v/hⁿ. A quaternion is off by ε in each component at most, so an angle by 4 ε, and its differences of order n by 2ⁿ 4 ε/hⁿ. Positions are doubles:
 * 2⁻⁵³ of the distance from the origin.
 */
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import type { Settings } from '../../config/settings.ts';
import { CommandKind } from '../../hil/commands.ts';
import { DEFAULT_LIMITS } from '../../hil/emulator/options.ts';
import { INJECTIONS } from '../../hil/injections.ts';
import { FrameType } from '../../hil/protocol/layout.ts';
import type { RobotLimits } from '../../hil/limit-fields.ts';
import { CTL_MODES, type LoopModeName } from '../../hil/safety/codes.ts';
import { stoppableSpeed } from '../../hil/safety/setpoint-limiter.ts';
import { computePoseError } from '../../src/control/pose-error.ts';
import type { SystemModel } from '../../src/model.ts';
import { VirtualRig } from './virtual-rig.ts';

const EPSILON = 2 ** -24;
const POSITION = 16;
const ORIENTATION = 40;
const TWIST = 56;
const MODE = 104;
const IDLE = CTL_MODES.indexOf('idle');
const STOP = CTL_MODES.indexOf('stop');

/** Largest values of a half over their limits, rounding taken off: 1 is the limit itself. */
export interface Excess {
  speed: number;
  acceleration: number;
  jerk: number;
}

/** What was seen on the wire. */
export interface Seen {
  frames: number;
  /** Frames in a row that were differenced three times. */
  differenced: number;
  /** [pose, twist] of translation and rotation. */
  readonly linear: readonly [Excess, Excess];
  readonly angular: readonly [Excess, Excess];
  /** Largest difference of twist and pose, over acceleration limit times period. */
  apart: number;
  /** Farthest beyond a wall, m. */
  beyond_m: number;
  /** What exceeded by how much, the worst. */
  worst: string;
}

const nothing = (): Excess => ({ speed: 0, acceleration: 0, jerk: 0 });

/** Limits that set-points are to keep. */
export interface Bounds {
  readonly speed: number;
  readonly acceleration: number;
  readonly jerk: number;
}

/** See above. */
export class SetpointWatch {
  readonly seen: Seen = {
    frames: 0,
    differenced: 0,
    linear: [nothing(), nothing()],
    angular: [nothing(), nothing()],
    apart: 0,
    beyond_m: -Infinity,
    worst: '',
  };
  readonly #rig: VirtualRig;
  readonly #bounds: readonly [Bounds, Bounds];
  /** Velocities of pose and twist of the last frames, newest first. */
  #poseRates: number[][] = [];
  #twists: number[][] = [];
  #last: Float64Array | null = null;
  #largest = 0;

  constructor(rig: VirtualRig, robot: Partial<RobotLimits>) {
    this.#rig = rig;
    this.#bounds = boundsOf(rig.settings, robot);
    rig.ends[0].faults.corrupt = (frame): void => {
      if (frame[1] === FrameType.SETPOINT) this.#look(frame);
    };
  }

  #look(frame: Uint8Array): void {
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
    const mode = view.getUint8(MODE);
    const now = new Float64Array(13);
    for (let i = 0; i < 3; i++) now[i] = view.getFloat64(POSITION + 8 * i, true);
    for (let i = 0; i < 4; i++) now[3 + i] = view.getFloat32(ORIENTATION + 4 * i, true);
    for (let i = 0; i < 6; i++) now[7 + i] = view.getFloat32(TWIST + 4 * i, true);
    const { seen } = this;
    seen.frames++;
    // idle commands nothing, and a stop that has ended follows the robot
    const commands = mode !== IDLE && (mode !== STOP || this.#rig.state === 'STOPPING');
    const last = this.#last;
    this.#last = commands ? now : null;
    if (!commands || last === null) {
      this.#poseRates = [];
      this.#twists = [];
      return;
    }
    const h = this.#rig.settings.loop.period_s;
    const turned = new Float64Array(6);
    normalize(now);
    normalize(last);
    computePoseError(turned, now, 0, last, 0);
    this.#poseRates.unshift(Array.from(turned, (x) => x / h));
    this.#twists.unshift([...now.subarray(7)]);
    if (this.#poseRates.length > 3) {
      this.#poseRates.pop();
      this.#twists.pop();
    }
    seen.beyond_m = Math.max(
      seen.beyond_m,
      -this.#rig.tick.limits.workspace.clearance(now.subarray(0, 3)),
    );
    this.#judge(h, now);
  }

  #judge(h: number, now: Float64Array): void {
    const { seen } = this;
    const order = this.#poseRates.length;
    if (order === 3) seen.differenced++;
    const far = Math.max(Math.abs(now[0] ?? 0), Math.abs(now[1] ?? 0), Math.abs(now[2] ?? 0));
    for (const half of [0, 1] as const) {
      const bounds = this.#bounds[half];
      const name = half === 0 ? 'linear' : 'angular';
      const pose = this.#poseRates.map((r) => r.slice(3 * half, 3 * half + 3));
      const twist = this.#twists.map((r) => r.slice(3 * half, 3 * half + 3));
      const ofPose = half === 0 ? 2 * far * 2 ** -53 : 4 * EPSILON;
      const ofTwist = Math.sqrt(3) * EPSILON * bounds.speed;
      for (const [what, rates, rounding] of [
        ['pose', pose, (2 * ofPose) / h],
        ['twist', twist, ofTwist],
      ] as const) {
        const excess = seen[name][what === 'pose' ? 0 : 1];
        this.#take(excess, 'speed', norm(rates[0]) - rounding, bounds.speed, `${name} ${what}`);
        if (order < 2) continue;
        const a = norm(minus(rates[0], rates[1])) - 2 * rounding;
        this.#take(excess, 'acceleration', a / h, bounds.acceleration, `${name} ${what}`);
        if (order < 3) continue;
        const second = minus(minus(rates[0], rates[1]), minus(rates[1], rates[2]));
        const j = (norm(second) - 4 * rounding) / (h * h);
        this.#take(excess, 'jerk', j, bounds.jerk, `${name} ${what}`);
      }
      const apart = norm(minus(pose[0], twist[0])) - (2 * ofPose) / h - ofTwist;
      seen.apart = Math.max(seen.apart, apart / (bounds.acceleration * h));
    }
  }

  #take(excess: Excess, key: keyof Excess, value: number, limit: number, what: string): void {
    const ratio = value / limit;
    excess[key] = Math.max(excess[key], ratio);
    if (ratio <= this.#largest) return;
    this.#largest = ratio;
    const { state, timing } = this.#rig;
    this.seen.worst = `${what} ${key} ${ratio.toFixed(6)} of its limit in ${state}, tick ${timing.executed}`;
  }
}

function normalize(motion: Float64Array): void {
  const length = Math.hypot(...motion.subarray(3, 7));
  for (let i = 3; i < 7; i++) motion[i] = (motion[i] ?? 0) / length;
}

const norm = (x: readonly number[] | undefined): number => Math.hypot(...(x ?? []));
const minus = (a: readonly number[] | undefined, b: readonly number[] | undefined): number[] =>
  (a ?? []).map((x, i) => x - (b?.[i] ?? 0));

/** What the settings and the robot allow together, and what comes to rest in 50 ms. */
function boundsOf(settings: Settings, robot: Partial<RobotLimits>): [Bounds, Bounds] {
  const own = settings.limits;
  const least = (name: keyof RobotLimits): number =>
    Math.min(own[name], Math.fround(robot[name] ?? DEFAULT_LIMITS[name]));
  const acceleration = least('acceleration_mps2');
  const turning = (own.angular_acceleration_radps2 * acceleration) / own.acceleration_mps2;
  const { jerk_mps3: jerk, angular_jerk_radps3: turnJerk } = own;
  return [
    {
      speed: Math.min(least('speed_mps'), stoppableSpeed(acceleration, jerk, 0.05)),
      acceleration,
      jerk,
    },
    {
      speed: Math.min(least('angular_speed_radps'), stoppableSpeed(turning, turnJerk, 0.05)),
      acceleration: turning,
      jerk: turnJerk,
    },
  ];
}

/** Numbers of a seed (mulberry32). */
export function random(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = a;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const FLOWN = [
  'half-sphere-on-plate',
  'battery-box-insertion',
  'free-mass-on-spring',
  'kim-planar-controlled-contact',
  'canadarm-berthing',
  'dextre-battery-box',
  'dextre-on-canadarm2',
] as const;
export type FlownName = (typeof FLOWN)[number];
/** How often each is flown: the arms with many joints and the cells take more time. */
const SHARES: readonly FlownName[] = [
  ...Array<FlownName>(6).fill('half-sphere-on-plate'),
  ...Array<FlownName>(6).fill('free-mass-on-spring'),
  ...Array<FlownName>(2).fill('kim-planar-controlled-contact'),
  'battery-box-insertion',
  'canadarm-berthing',
  'dextre-battery-box',
  'dextre-on-canadarm2',
];

const models = new Map<string, SystemModel>();
const modelOf = (name: string): SystemModel => {
  const made = models.get(name) ?? compileScenario(loadScenario(name));
  models.set(name, made);
  return made;
};

/** What a flight is flown with. */
export interface FlightPlan {
  readonly scenario: FlownName;
  readonly mode: LoopModeName;
  readonly settings?: (settings: Settings) => void;
  readonly robot?: Partial<RobotLimits>;
  /** Wrench on the tool in mode hardware at a tick, N and N m. */
  readonly wrench?: (tick: number) => readonly number[];
  /** Sticks at a tick. */
  readonly sticks?: (tick: number) => readonly number[];
  /** Deadman at a tick. */
  readonly deadman?: (tick: number) => 0 | 1;
  /** Something else at a tick. */
  readonly act?: (rig: VirtualRig, tick: number) => void;
  readonly ticks: number;
  readonly seed?: number;
}

/** Flies a plan. @returns what was seen, and the rig as it ended */
export function flySetpoints(plan: FlightPlan): { seen: Seen; rig: VirtualRig; armed: boolean } {
  const robot = plan.robot ?? {};
  const rig = new VirtualRig({
    mode: plan.mode,
    model: modelOf(plan.scenario),
    settings: (settings) => {
      settings.energy.hold_J = 1e6;
      settings.energy.hold_floor_J = 1e6;
      plan.settings?.(settings);
    },
    emulator: {
      limits: { ...DEFAULT_LIMITS, ...robot },
      tracking: 'ideal',
      ...(plan.wrench === undefined ? {} : { wall: null }),
    },
  });
  const watch = new SetpointWatch(rig, robot);
  let armed = true;
  try {
    rig.activate();
  } catch {
    armed = false;
  }
  const zero = [0, 0, 0, 0, 0, 0];
  for (let tick = 0; tick < plan.ticks; tick++) {
    const wrench = plan.wrench?.(tick);
    const pushed = rig.robot?.trueWrench;
    if (wrench !== undefined && pushed !== undefined) pushed.set(wrench);
    plan.act?.(rig, tick);
    rig.inputAxes(plan.sticks?.(tick) ?? zero, plan.deadman?.(tick) ?? 1);
    rig.run(1);
  }
  return { seen: watch.seen, rig, armed };
}

/** A flight of a seed. */
export function randomPlan(seed: number, ticks: number): FlightPlan {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)];
  const log = (low: number, high: number): number => low * (high / low) ** next();
  const scenario = pick(SHARES);
  const mode = pick(['simulation', 'virtual', 'hardware', 'hardware'] as const);
  const lowered = next() < 0.5;
  const limits = {
    speed_mps: lowered ? log(0.002, 0.1) : 0.1,
    angular_speed_radps: lowered ? log(0.01, 0.5) : 0.5,
    acceleration_mps2: next() < 0.3 ? log(0.1, 5) : 5,
    jerk_mps3: next() < 0.3 ? log(20, 20_000) : 5000,
    angular_acceleration_radps2: next() < 0.3 ? log(0.5, 25) : 25,
    angular_jerk_radps3: next() < 0.3 ? log(100, 50_000) : 25_000,
    workspace_m: next() < 0.4 ? log(0.002, 0.5) : 0.5,
  };
  const robot =
    next() < 0.3
      ? {
          speed_mps: log(0.002, 0.1),
          angular_speed_radps: log(0.01, 0.5),
          acceleration_mps2: log(0.1, 5),
        }
      : {};
  const lead = next() < 0.2;
  const level = next() < 0.5 ? log(1, 350) : 0;
  const noise = next() < 0.3 ? log(0.1, 20) : 0;
  const sign = Array.from({ length: 6 }, () => 2 * next() - 1);
  const begins = Math.floor(next() * ticks * 0.5);
  const ends = begins + Math.floor(next() * ticks);
  const sways = next() < 0.3 ? log(1, 100) : 0;
  let sticks = Array.from({ length: 6 }, () => 2 * next() - 1);
  const freezes = next() < 0.2 ? Math.floor(next() * ticks) : -1;
  const lets = next() < 0.4 ? Math.floor(next() * ticks) : ticks;
  const stops = next() < 0.15 ? Math.floor(next() * ticks) : -1;
  const category = pick([1, 2]);
  const pressed = lets + 150 + Math.floor(next() * 100);
  return {
    scenario,
    mode,
    ticks,
    robot,
    settings: (settings) => {
      Object.assign(settings.limits, limits);
      settings.energy.position_lead = lead;
      settings.operator.coarse_speed_mps = log(0.005, 0.2);
      settings.operator.coarse_angular_speed_radps = log(0.02, 1);
    },
    sticks: (tick) => {
      if (tick >= lets) return [0, 0, 0, 0, 0, 0];
      if (tick % 60 === 0) sticks = sticks.map((x) => (next() < 0.3 ? 2 * next() - 1 : x));
      return sticks;
    },
    deadman: (tick) => (tick >= lets && tick < pressed ? 0 : 1),
    act: (rig, tick) => {
      if (tick === freezes) {
        rig.command(CommandKind.INJECT, INJECTIONS.indexOf('drop_state_ticks'), 6);
      }
      if (tick === stops) rig.command(CommandKind.STOP, category);
    },
    ...(mode === 'hardware'
      ? {
          wrench: (tick): number[] =>
            sign.map((s, i) => {
              const on = tick >= begins && tick < ends ? level : 0;
              const swing = sways > 0 ? Math.cos((2 * Math.PI * sways * tick) / 1000) : 1;
              return (s * on * swing + noise * (2 * next() - 1)) * (i < 3 ? 1 : 0.1);
            }),
        }
      : {}),
  };
}

/** The largest of everything that has a limit: 1 is at it. */
export function largestExcess(seen: Seen): number {
  const all = [...seen.linear, ...seen.angular].flatMap((e) => [e.speed, e.acceleration, e.jerk]);
  return Math.max(...all);
}
