/** The whole robot on the virtual clock, over the real protocol: what moves it, and what stops it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FRAME_ERRORS } from '../../../hil/contract/counters.ts';
import { NO_IMPAIRMENT, DEFAULT_NOISE } from '../../../hil/emulator/options.ts';
import { RobotFault } from '../../../hil/emulator/guard.ts';
import { FrameType } from '../../../hil/protocol/frames.ts';
import { SessionCount } from '../../../hil/protocol/server-session.ts';
import { SafetyState } from '../../../hil/contract/codes.ts';
import { H, halfSphere, mode, RobotBench } from '../../fixtures/emulator-bench.ts';

test('no motion without ARM, and STATE says so', () => {
  const bench = new RobotBench();
  bench.synchronise();
  bench.fly(0, 0.05, 200);
  assert.deepEqual([...bench.robot.tool.position], [0, 0, 0]);
  assert.equal(bench.session.state.linkState, SafetyState.MONITOR_READY);
});

test('a first set-point elsewhere is refused and reported', () => {
  const bench = new RobotBench();
  bench.synchronise();
  bench.arm();
  bench.frame.position[0] = 0.001;
  bench.frame.mode = mode('track');
  bench.run(50);
  assert.deepEqual([...bench.robot.tool.position], [0, 0, 0]);
  assert.equal(bench.session.state.fault, RobotFault.POSE_MISMATCH);
  assert.equal(bench.session.state.safety, 1);
  bench.frame.mode = mode('idle');
  bench.run(3);
  bench.clear();
  bench.run(2);
  assert.equal(bench.session.state.fault, 0);
});

test('armed, it follows with the set-point delay and no more, and echoes what it applied', () => {
  const bench = new RobotBench();
  bench.synchronise();
  bench.arm();
  bench.fly(1, 0.05, 400);
  // loop → robot in the same period, applied one period later, and the reference moves on within its period: equal
  const lag = bench.frame.position[1] - bench.robot.tool.position[1];
  assert.ok(Math.abs(lag) < 1e-9, `lag ${lag}`);
  assert.equal(bench.robot.state.echoSeq, (bench.frame.seq - 1) >>> 0);
  assert.equal(bench.session.state.linkState, SafetyState.ACTIVE_FREE);
  assert.ok(bench.session.state.successPermille >= 990);
});

test('9: set-points twice, 1 to 50 frames late or from the capture of a minute ago are not applied, and counted exactly', () => {
  // a set-point that comes late is one that did not come: the run without faults goes without the same ones
  const LATE_EVERY = 25;
  const MOST_LATE = 50;
  const run = (disturb: boolean): { bench: RobotBench; path: number[]; extra: number } => {
    const bench = new RobotBench();
    const [{ faults }, robot] = bench.ends;
    const first: Uint8Array[] = [];
    const sent: Uint8Array[] = [];
    const path: number[] = [];
    let extra = 0;
    const again = (frame: Uint8Array, delay_us: number): void => {
      if (!disturb) return;
      robot.deliver(frame, delay_us);
      extra++;
    };
    const fly = (ticks: number): void => {
      for (let n = 0; n < ticks; n++) {
        bench.fly(0, 0.05 * Math.cos((2 * Math.PI * path.length) / 1000), 1);
        path.push(bench.robot.tool.position[0]);
      }
    };
    bench.ends[0].capture = first;
    bench.synchronise();
    bench.arm();
    fly(200);
    bench.ends[0].capture = sent;
    for (let tick = 0; tick < LATE_EVERY * MOST_LATE; tick++) {
      faults.cut = tick % LATE_EVERY === 0;
      sent.length = 0;
      fly(1);
      const by = 1 + Math.floor(tick / LATE_EVERY);
      for (const frame of sent) {
        if (!faults.cut) again(frame, 0);
        else if (frame[1] === FrameType.SETPOINT) again(frame, 1000 * by + 500);
      }
    }
    bench.ends[0].capture = null;
    fly(60_000);
    const capture = first.filter((frame) => frame[1] !== FrameType.HELLO);
    assert.ok(capture.length > 200, `${capture.length} frames`);
    capture.forEach((frame, i) => again(frame, 100 * i));
    fly(500);
    return { bench, path, extra };
  };
  const refused = ({ robot }: RobotBench): Float64Array =>
    robot.session.counts.slice(SessionCount.ERRORS, SessionCount.LOST);
  const clean = run(false);
  const disturbed = run(true);
  assert.ok(clean.path[250] > 5e-3, 'it moves');
  assert.deepEqual(disturbed.path, clean.path);
  const { robot, frame } = disturbed.bench;
  assert.equal(robot.state.echoSeq, (frame.seq - 1) >>> 0, 'the newest is in force');
  assert.equal(robot.guard.linkState, SafetyState.ACTIVE_FREE);
  const wanted = refused(clean.bench);
  wanted[FRAME_ERRORS.indexOf('sequence')] += disturbed.extra;
  assert.deepEqual(refused(disturbed.bench), wanted);
});

test('the loop dies in free motion at 0.1 m/s: at rest within ttl + v/a, and within 60 ms', () => {
  const bench = new RobotBench();
  bench.synchronise();
  bench.arm();
  bench.fly(0, 0.1, 200);
  assert.ok(Math.abs(bench.speed - 0.1) < 1e-6);
  bench.serving = false;
  let cycles = 0;
  while (bench.speed > 0 && cycles < 200) {
    bench.tick();
    cycles++;
  }
  const bound = 0.02 + 0.1 / 5; // ttl free + v/a_max, s
  assert.ok(cycles * H <= bound && cycles * H <= 0.06, `at rest after ${cycles} ms`);
  assert.ok(cycles >= 20, 'a stop without deceleration would be no arm');
  const rest = bench.robot.tool.position[0];
  bench.run(100);
  assert.equal(bench.robot.tool.position[0], rest);
  assert.ok((bench.robot.guard.fault & RobotFault.TTL_EXPIRED) !== 0);
  bench.serving = true;
  bench.frame.twist.fill(0);
  bench.run(100);
  assert.equal(bench.robot.tool.position[0], rest, 'set-points that come back do not move it');
});

test('the loop dies in contact: no further penetration than v · ttl', () => {
  const bench = new RobotBench({ wall: halfSphere(), position: [0, 0, 1e-4] });
  bench.synchronise();
  bench.arm();
  const speed = 0.002;
  bench.fly(2, -speed, 49);
  bench.fly(2, -speed, 10, 'contact');
  assert.ok(bench.robot.trueWrench[2] > 1, `in contact: ${bench.robot.trueWrench[2]} N`);
  const depth = -bench.robot.tool.position[2];
  bench.serving = false;
  bench.run(100);
  const further = -bench.robot.tool.position[2] - depth;
  assert.ok(further > 0 && further <= speed * 0.005, `further ${further} m`);
  assert.equal(bench.speed, 0);
});

test('the same seed and the same frames give the same states; another seed does not', () => {
  const fly = (seed: number): number[] => {
    const impairment = { ...NO_IMPAIRMENT, loss: 0.02, reorder: 0.01 };
    const bench = new RobotBench({ seed, noise: DEFAULT_NOISE, impairIn: impairment });
    bench.synchronise();
    bench.arm();
    const out: number[] = [];
    for (let n = 0; n < 200; n++) {
      bench.fly(0, 0.05, 1);
      out.push(...bench.robot.state.position, ...bench.robot.state.wrench);
    }
    return out;
  };
  assert.deepEqual(fly(3), fly(3));
  assert.notDeepEqual(fly(3), fly(4));
});

test('lost frames show in the success ratio that STATE carries', () => {
  const bench = new RobotBench({ impairIn: { ...NO_IMPAIRMENT, loss: 0.1 }, seed: 5 });
  bench.synchronise();
  bench.run(500);
  let sum = 0;
  for (let n = 0; n < 2000; n++) {
    bench.tick();
    sum += bench.robot.state.successPermille;
  }
  // 20 windows of 100: one standard error is sqrt(0.1 · 0.9 / 2000) = 0.7 %
  assert.ok(Math.abs(sum / 2000 - 900) < 25, `mean ${sum / 2000}`);
});

test('force–moment accommodation on the half-sphere settles on the 30 N plateau', () => {
  const bench = new RobotBench({ wall: halfSphere(), position: [0, 0, 1e-4] });
  bench.synchronise();
  bench.arm();
  // the law of Gonthier 2007, 5.1.4: v_ref = v_cmd + dz(F)/g, lag 20 ms, g = 1e4 N per m/s, dead-band 10 N
  let peak = 0;
  bench.frame.mode = mode('contact');
  for (let n = 0; n < 1500; n++) {
    const force = bench.session.state.wrench[2];
    const reference = -0.002 + Math.max(force - 10, 0) / 1e4;
    bench.frame.twist[2] += ((reference - bench.frame.twist[2]) * H) / 0.02;
    bench.frame.position[2] += H * bench.frame.twist[2];
    bench.tick();
    peak = Math.max(peak, bench.robot.trueWrench[2]);
    if (n > 1000) {
      const now = bench.robot.trueWrench[2];
      assert.ok(Math.abs(now - 30) < 0.5, `${now} N at ${n} ms`);
    }
  }
  // between the undelayed 42.5 N and the 5 ms row of docs/emulator.md
  assert.ok(peak > 40 && peak < 60, `peak ${peak} N`);
});
