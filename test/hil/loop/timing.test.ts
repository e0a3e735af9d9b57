/** Fault tests 2–4 of the timing list on the virtual clock. The first, a million ticks: timing.long.test.ts. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { VirtualClock } from '../../../hil/os/clock.ts';
import { Loop } from '../../../hil/loop/loop.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { FrameType } from '../../../hil/protocol/frames.ts';
import { MissCause } from '../../../hil/contract/codes.ts';
import { TickTiming } from '../../../hil/contract/timing.ts';
import { Random } from '../../../src/math/random.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const PERIOD_US = 1000;

test('2: every injected late wake is counted with its cause and slips floor(lateness / period)', (t) => {
  const rig = new VirtualRig({
    robot: false,
    mode: 'simulation',
    settings: (s) => {
      s.loop.overrun_single_s = 1;
    },
  });
  const random = new Random(3);
  let expected = 0;
  let missed = 0;
  for (let i = 0; i < 2000; i++) {
    const lateness_us = 200 + Math.floor(random.uniform() * 49_800);
    rig.clock.lateWakes_us.push(lateness_us);
    const before = rig.timing.slippedTotal;
    const release = rig.timing.release_us;
    rig.run(1);
    const slip = Math.floor(lateness_us / PERIOD_US);
    assert.equal(rig.timing.slippedTotal - before, slip);
    assert.ok(rig.timing.release_us >= release + PERIOD_US || i === 0, 'one tick a period');
    expected += slip;
    if (slip > 0) missed++;
    rig.run(1);
  }
  assert.equal(rig.overruns.length, missed);
  assert.ok(rig.overruns.every((o) => o.cause === MissCause.LATE_WAKE));
  assert.equal(rig.counter(LoopSlot.loop_overruns_total + MissCause.LATE_WAKE), missed);
  assert.equal(rig.timing.executed + expected, rig.timing.period + 1);
  t.diagnostic(
    `acceptance 2: 2000 late wakes, ${missed} of a period and more, all counted; ${expected} periods slipped, as they should`,
  );
});

test('2: a robot gets one set-point in each period that is served, however late the wakes, and none in one that slipped', () => {
  const rig = new VirtualRig({
    settings: ({ loop }) =>
      Object.assign(loop, { overrun_single_s: 1, overrun_consecutive: 1e9, overrun_bucket: 1e9 }),
  });
  rig.activate();
  const sent: Uint8Array[] = [];
  rig.ends[0].capture = sent;
  const random = new Random(4);
  const origin_us = rig.timing.origin_us;
  let served = -1;
  let moving = 0;
  for (let i = 0; i < 2000; i++) {
    // as many within the life of a set-point, so that the arm flies on, as beyond it
    const most_us = i < 1000 ? 4000 : 50_000;
    if (i % 2 === 0) {
      rig.clock.lateWakes_us.push(200 + Math.floor(random.uniform() * (most_us - 200)));
    }
    rig.input(0.5, 1);
    sent.length = 0;
    rig.run(1);
    const period = Math.floor((rig.clock.now_us() - origin_us) / PERIOD_US);
    assert.ok(period > served, `a second tick in period ${period}`);
    served = period;
    const setpoints = sent.filter((frame) => frame[1] === FrameType.SETPOINT).length;
    assert.equal(setpoints, 1, `period ${period}`);
    if (rig.state.startsWith('ACTIVE')) moving++;
  }
  assert.ok(moving >= 1000, `in motion for ${moving} ticks`);
  assert.ok(rig.timing.slippedTotal > 10_000, `${rig.timing.slippedTotal} periods slipped`);
});

test('a stage that takes too long is named step_long or io_block, a gap of 25 ms a stall', () => {
  const clock = new VirtualClock();
  const timing = new TickTiming();
  let duration_us = 0;
  let io = 0;
  const causes: number[] = [];
  const body = {
    run: (): void => {
      causes.push(timing.cause);
      clock.advance_us(duration_us);
      timing.io_us = io;
      timing.work_us = duration_us - io;
      duration_us = 0;
    },
    fail: (error: unknown): void => assert.fail(String(error)),
  };
  const loop = new Loop(clock, body, timing, { period_s: 1e-3, stall_s: 0.025 });
  loop.start();
  const after = (duration: number, ioPart: number): number => {
    duration_us = duration;
    io = ioPart;
    loop.step();
    loop.step();
    return causes.at(-1) ?? NaN;
  };
  assert.equal(after(500, 0), -1);
  assert.equal(after(1300, 100), MissCause.STEP_LONG);
  assert.equal(timing.slipped, 0);
  assert.equal(after(2300, 2000), MissCause.IO_BLOCK);
  assert.equal(timing.slipped, 1);
  assert.equal(after(26_000, 0), MissCause.STALL);
  assert.equal(timing.slipped, 25);
  clock.advance_us(-500_000);
  loop.step();
  assert.equal(causes.at(-1), MissCause.CLOCK_JUMP);
  assert.equal(timing.executed + timing.slippedTotal, timing.period + 1);
});

test('3: 20 misses in a row, a bucket of 50 and one of 25 ms lead to HOLD on the exact tick', (t) => {
  const hold = (lateness: (i: number) => number, ticks: number): [number, string | null] => {
    const rig = new VirtualRig({ robot: false, mode: 'simulation' });
    rig.activate();
    const start = rig.timing.executed;
    rig.run(ticks, (i) => {
      rig.input(0, 1);
      rig.clock.lateWakes_us.push(lateness(i));
    });
    const entered = rig.transitions.find((t) => t.to === 'HOLD');
    return [(entered?.tick ?? NaN) - start, entered?.cause ?? null];
  };
  assert.deepEqual(
    hold(() => 1500, 30),
    [20, 'OVERRUN_CONSECUTIVE'],
  );
  assert.deepEqual(
    hold((i) => (i === 4 ? 25_000 : 0), 30),
    [5, 'OVERRUN_SINGLE'],
  );
  assert.deepEqual(
    hold((i) => (i === 4 ? 24_900 : 0), 30),
    [NaN, null],
  );
  // three misses, one good tick: the bucket grows by two every four ticks and reaches 50 on miss 2 of round 25: tick 98
  assert.deepEqual(
    hold((i) => (i % 4 === 3 ? 0 : 1500), 200),
    [98, 'OVERRUN_BUCKET'],
  );
  t.diagnostic(
    'acceptance 3: HOLD on tick 20, tick 98 (bucket) and the tick of the 25 ms; none at 24.9 ms',
  );
});

test('4: a jump of the wall clock by an hour, forth and back in motion and in contact, has no effect', (t) => {
  const TICKS = 3000;
  /** Everything that each tick leaves in its row, and the states of the motion. */
  const fly = (): [rows: string, states: string[], path_m: number] => {
    const rig = new VirtualRig({ noise: 1 });
    const rows = createHash('sha256');
    const heights: number[] = [];
    rig.activate();
    rig.run(TICKS, (tick) => {
      rig.input(tick < TICKS / 2 ? -0.15 : 0.15, 1);
      rows.update(rig.tick.record.row);
      heights.push(rig.tick.setpoint[2]);
    });
    const states = rig.transitions.map(({ tick, to }) => `${tick} ${to}`);
    return [rows.digest('hex'), states, Math.max(...heights) - Math.min(...heights)];
  };
  const plain = fly();
  let reads = 0;
  const { now } = Date;
  t.mock.method(Date, 'now', () => now() + 3.6e6 * (reads++ % 2 === 0 ? 1 : -1));
  const jumping = fly();
  assert.ok(Math.abs(Date.now() - Date.now()) > 7.1e6, 'each reading jumps by two hours');
  assert.deepEqual(jumping, plain);
  const [, states, path_m] = plain;
  assert.ok(states.some((one) => one.endsWith('ACTIVE_CONTACT')) && path_m > 1e-3, `${path_m} m`);
  t.diagnostic(
    `acceptance 4: ${TICKS} ticks of motion, ${(1e3 * path_m).toFixed(1)} mm and a contact: every row the same bit for bit`,
  );
});
