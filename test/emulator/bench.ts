/** An emulated robot and the loop's end of its link on the virtual clock. */
import assert from 'node:assert/strict';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { VirtualClock } from '../../hil/clock.ts';
import {
  DEFAULT_NOISE,
  defaultEmulatorOptions,
  type EmulatorOptions,
  scaleNoise,
} from '../../hil/emulator/options.ts';
import { EmulatedRobot } from '../../hil/emulator/robot.ts';
import { type LoopbackEnd, makeLoopback } from '../../hil/links/loopback-link.ts';
import { SetpointFrame } from '../../hil/protocol/frames.ts';
import { ServerSession } from '../../hil/protocol/server-session.ts';
import { CTL_MODES } from '../../hil/safety/codes.ts';

export const H = 0.001;
export const mode = (name: (typeof CTL_MODES)[number]): number => CTL_MODES.indexOf(name);
export const LIMITS = {
  speed_mps: 0.1,
  angular_speed_radps: 0.5,
  acceleration_mps2: 5,
  force_N: 400,
  moment_Nm: 100,
  workspace_m: 0.5,
};

/** The half-sphere scenario as a wall. */
export function halfSphere(): { model: ReturnType<typeof compileScenario>; payload: string } {
  const model = compileScenario(loadScenario('half-sphere-on-plate'));
  assert.ok(model.tool !== null);
  return { model, payload: model.tool.payload };
}

export class RobotBench {
  readonly clock = new VirtualClock();
  readonly session = new ServerSession({ period_s: H, keyed: false, limits: LIMITS });
  readonly robot: EmulatedRobot;
  readonly frame = new SetpointFrame();
  /** [loop's side, robot's side] */
  readonly ends: readonly [LoopbackEnd, LoopbackEnd];
  /** False: the loop is gone. */
  serving = true;

  constructor(changes: Partial<EmulatorOptions> = {}) {
    this.ends = makeLoopback(this.clock, { seed: 1, latency_us: 0, period_us: 1000 });
    const noise = scaleNoise(DEFAULT_NOISE, 0);
    this.robot = new EmulatedRobot({ ...defaultEmulatorOptions(this.ends[1]), noise, ...changes });
    this.frame.position.set(changes.position ?? [0, 0, 0]);
  }

  /** One period: the loop receives and sends, then the robot cycles. */
  tick(): void {
    this.clock.advance_us(1000);
    const now = this.clock.now_us();
    if (this.serving) {
      this.session.now_us[0] = now;
      this.session.poll(this.ends[0]);
      this.session.sendSetpoint(this.ends[0], this.frame);
    }
    this.robot.step(H, now);
  }

  run(ticks: number): void {
    for (let n = 0; n < ticks; n++) this.tick();
  }

  /** Handshake and clock synchronisation. */
  synchronise(): void {
    this.frame.mode = mode('idle');
    for (let n = 0; n < 5000 && this.session.phase < 3; n++) this.tick();
    assert.equal(this.session.phase, 3, 'synchronised');
    this.run(5);
  }

  arm(): void {
    this.frame.mode = mode('hold');
    this.session.sendArm(this.ends[0]);
    this.run(5);
    assert.equal(this.robot.guard.armed, true);
  }

  clear(): void {
    this.session.sendClear(this.ends[0]);
    this.run(2);
  }

  /** Set-points along an axis at constant velocity, accelerated within the limits. */
  fly(axis: number, speed: number, ticks: number, ctlMode = 'track' as 'track' | 'contact'): void {
    this.frame.mode = mode(ctlMode);
    for (let n = 0; n < ticks; n++) {
      const v = this.frame.twist[axis];
      const change = Math.max(-0.004, Math.min(0.004, speed - v));
      this.frame.twist[axis] = v + change;
      this.frame.position[axis] += H * this.frame.twist[axis];
      this.tick();
    }
  }

  get speed(): number {
    const v = this.robot.tool.twist;
    return Math.hypot(v[0], v[1], v[2]);
  }
}
