/**
 * The delay estimator on a made-up robot whose delays are known exactly: poses are the simulated motion some time ago, frames come with
 * the ages that the layout defines. Acceptance test 36 of `hil-anchors 9.4` for every part; losses, stalls, noise.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CTL_MODES } from '../../../hil/contract/codes.ts';
import {
  DelayEstimator,
  DelaySlot,
  type EchoedState,
} from '../../../hil/energy/delay-estimator.ts';
import { StateFrame } from '../../../hil/protocol/frames.ts';
import { Random } from '../../../src/math/random.ts';

const H = 0.001;
/** Acceptance test 36. */
const TOLERANCE_s = 2e-4;
const MS = [1, 2, 5, 10, 20];

/** Delays of the made-up loop, s. */
interface Delays {
  /** Both ways of the link together. */
  wire: number;
  /** From receiving a set-point to putting it in force. */
  robot: number;
  /** What the arm lags behind the set-point in force; negative runs ahead. */
  tracking: number;
  /** Age of the force sample beside the pose. */
  force: number;
}

/** Speed 5 mm/s with a swing, as a stick is moved; a turn about y beside it. */
const speed = (t: number): number => 5e-3 * (1 + 0.5 * Math.sin(6 * t));
const way = (t: number): number => 5e-3 * (t + (0.5 / 6) * (1 - Math.cos(6 * t)));

/** Tick by tick: the robot is `delays` behind, on a grid of its own that shares the ticks of the loop. */
class MadeUpLoop {
  readonly estimator = new DelayEstimator({ period_s: H, measuredForce: true });
  readonly frame = new StateFrame();
  readonly delays: Delays = { wire: 0, robot: 0, tracking: 0, force: 0 };
  tick = 0;
  /** Part of the STATE that never come, and noise of the pose, m. */
  loss = 0;
  noise_m = 0;
  /** The motion lasts from … to, s. */
  readonly span: [number, number] = [0, Infinity];
  private newest = -1;
  private readonly random = new Random(3);

  /** True delay of the force: the pose is of `t_m − wire − robot − tracking`, in whole ticks where frames wait for one. */
  get true_s(): number {
    const { wire, robot, tracking, force } = this.delays;
    return Math.ceil((wire + robot) / H - 1e-9) * H + tracking + force;
  }

  private place(t: number): number {
    return way(Math.min(Math.max(t, this.span[0]), this.span[1])) - way(this.span[0]);
  }

  step(standsStill = 0): void {
    const { delays, frame, estimator } = this;
    const m = this.tick;
    const late = Math.ceil((delays.wire + delays.robot) / H - 1e-9);
    // a stall of the loop: the robot went on and is less behind in ticks that ran
    const n = m - 1 - Math.max(0, late - standsStill);
    const lost = this.random.uniform() < this.loss;
    const pose_s = (n + 1) * H - delays.tracking;
    frame.position[2] = this.place(pose_s) + this.noise_m * this.random.gaussian();
    const angle = 2 * this.place(pose_s);
    frame.orientation[1] = Math.sin(0.5 * angle);
    frame.orientation[3] = Math.cos(0.5 * angle);
    frame.tMeas_us = 1e6 * m * H + 5e9; // of another clock
    frame.t_us = frame.tMeas_us;
    frame.cmdAge_us = Math.round(1e6 * delays.robot);
    frame.ftAge_us = Math.round(1e6 * delays.force);
    frame.ctlMode = CTL_MODES.indexOf('track');
    const source: EchoedState = {
      phase: 3,
      fresh: !lost && n >= 0,
      echoTicks: m - n,
      echoNew: n !== this.newest,
      state: frame,
    };
    estimator.observe(source);
    if (source.fresh) this.newest = n;
    const t = (m + 1) * H;
    const v = t > this.span[0] && t < this.span[1] ? speed(t) : 0;
    const half = this.place(t);
    const sent = Float64Array.of(0, 0, half, 0, 0, 0, 1, 0, 0, v, 0, 2 * v, 0);
    sent[4] = Math.sin(half);
    sent[6] = Math.cos(half);
    estimator.remember(sent);
    this.tick++;
  }

  run(seconds: number): void {
    for (let i = 0; i < seconds / H; i++) this.step();
  }

  read(slot: number): number {
    return this.estimator.delay[slot];
  }

  /** Everything within the tolerance of acceptance test 36. */
  check(what: string): void {
    const { wire, robot, tracking, force } = this.delays;
    const total = this.read(DelaySlot.TOTAL);
    const say = `${what}: ${total} s for ${this.true_s} s`;
    assert.ok(Math.abs(total - this.true_s) <= TOLERANCE_s, say);
    const parts = [DelaySlot.WIRE, DelaySlot.ROBOT, DelaySlot.MEASUREMENT].map((s) => this.read(s));
    const waits = this.true_s - wire - robot - tracking - force; // for the next tick
    const want = [wire + waits, robot + tracking, force];
    parts.forEach((part, i) => {
      const of = `${what}, part ${i}: ${part} s for ${want[i]} s`;
      assert.ok(Math.abs(part - (want[i] ?? 0)) <= TOLERANCE_s, of);
    });
    const sum = parts.reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum - total) < 1e-12, `${what}: the parts are the whole, ${sum - total}`);
    assert.equal(this.read(DelaySlot.VALID), 1, `${what}: valid`);
  }
}

for (const part of ['wire', 'robot', 'tracking', 'force'] as const) {
  test(`36: 1 to 20 ms in the ${part} within 0.2 ms after 2 s; every step within 1 s`, () => {
    for (const first of MS) {
      const loop = new MadeUpLoop();
      loop.delays[part] = first * 1e-3;
      loop.run(2);
      loop.check(`${part} ${first} ms`);
      for (const next of [1, 20, 5, 2, 10, 1.5]) {
        loop.delays[part] = next * 1e-3;
        loop.run(1);
        loop.check(`${part} ${first} ms, then ${next} ms`);
      }
    }
  });
}

test('36: all parts at once, a robot that runs ahead, 5 % loss, noise of the encoders', () => {
  const loop = new MadeUpLoop();
  loop.loss = 0.05;
  loop.noise_m = 2e-6;
  Object.assign(loop.delays, { wire: 2.3e-3, robot: 1e-3, tracking: -1e-3, force: 0.4e-3 });
  loop.run(2);
  loop.check('before');
  Object.assign(loop.delays, { wire: 4e-3, robot: 5e-3, tracking: 2e-3, force: 3e-3 });
  loop.run(1);
  loop.check('after');
});

test('a stall does not poison it: the echoes of the frames that waited are left out', () => {
  const loop = new MadeUpLoop();
  Object.assign(loop.delays, { wire: 5e-3, robot: 2e-3, tracking: 1e-3 });
  loop.run(2);
  for (let stall = 0; stall < 2; stall++) {
    // frames had arrived meanwhile: the robot seems less behind until the loop has its distance again
    for (let behind = 7; behind > 0; behind--) {
      loop.step(behind);
      loop.check(`stall ${stall}, ${behind} ticks made good`);
    }
    loop.run(0.05);
  }
});

test('at rest the frames alone tell; what the arm lags is kept from the motion before', () => {
  const loop = new MadeUpLoop();
  loop.span[0] = 1;
  loop.span[1] = 3;
  Object.assign(loop.delays, { wire: 3e-3, robot: 1e-3, tracking: 4e-3 });
  loop.run(1);
  assert.ok(Math.abs(loop.read(DelaySlot.TOTAL) - 4e-3) < 1e-9, 'frames');
  assert.equal(loop.read(DelaySlot.TRACKING_KNOWN), 0);
  loop.run(2);
  assert.ok(
    loop.read(DelaySlot.TRACKING_KNOWN) > 0.99,
    String(loop.read(DelaySlot.TRACKING_KNOWN)),
  );
  loop.run(2);
  loop.check('kept');
});

test('a lost link forgets; state crosses to another estimator bit for bit', () => {
  const loop = new MadeUpLoop();
  loop.delays.wire = 5e-3;
  loop.run(1);
  const state = new Float64Array(loop.estimator.arena.stateLength + 2);
  loop.estimator.arena.saveState(state, 1);
  const other = new MadeUpLoop();
  other.estimator.arena.loadState(state, 1);
  const again = new Float64Array(state.length);
  other.estimator.arena.saveState(again, 1);
  assert.deepEqual(again, state);
  Object.assign(other.delays, loop.delays);
  other.tick = loop.tick;
  loop.run(0.3);
  other.run(0.3);
  assert.deepEqual([...other.estimator.delay], [...loop.estimator.delay]);
  const away = { phase: 0, fresh: false, echoTicks: -1, echoNew: false, state: loop.frame };
  loop.estimator.observe(away);
  assert.equal(loop.read(DelaySlot.VALID), 0);
  assert.equal(loop.read(DelaySlot.TOTAL), 0);
});
