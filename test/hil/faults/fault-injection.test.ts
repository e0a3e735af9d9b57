/**
 * Fault test 51 on the virtual clock: every kind of injected fault has the effect in its table,
 * ends, is counted and reported, and the loop is made safe by the right cause.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMAND_RESULTS, CommandKind } from '../../../hil/contract/commands.ts';
import { FaultInjection, injectedNow } from '../../../hil/faults/fault-injection.ts';
import {
  checkInjection,
  END_INJECTIONS,
  INJECTION_TABLE,
  INJECTIONS,
  type InjectionName,
} from '../../../hil/contract/injections.ts';
import { FrameError } from '../../../hil/protocol/frames.ts';
import { SessionCount } from '../../../hil/protocol/endpoint.ts';
import { LineNoise } from '../../../hil/links/line-noise.ts';
import { Random } from '../../../src/math/random.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { type RigOptions, VirtualRig } from '../../fixtures/virtual-rig.ts';

/** A rig in motion, and what the fault is called. */
class Injected {
  readonly rig: VirtualRig;
  #vertical = 0;

  constructor(options: RigOptions = {}) {
    this.rig = new VirtualRig(options);
    this.rig.activate();
    this.run(30);
  }

  /** Run ticks with the deadman pressed and the stick as it is. */
  run(ticks: number): void {
    this.rig.run(ticks, () => this.rig.input(this.#vertical, 1));
  }

  stick(vertical: number): this {
    this.#vertical = vertical;
    return this;
  }

  inject(name: InjectionName, amount: number): this {
    this.rig.command(CommandKind.INJECT, INJECTIONS.indexOf(name), amount);
    return this;
  }

  endAll(): void {
    this.rig.command(CommandKind.INJECT, END_INJECTIONS, 0);
    this.run(2);
    assert.deepEqual(this.present, [], 'everything has ended');
  }

  get present(): string[] {
    return injectedNow(this.rig.shared.loopCounters);
  }

  /** First transition out of motion since a tick: [ticks after it, state, cause]. */
  left(since: number): [number, string, string | null] | undefined {
    const found = this.rig.transitions.find(
      ({ tick, to }) => tick > since && ['HOLD', 'STOPPING', 'ESTOP', 'OFFLINE'].includes(to),
    );
    return found === undefined ? undefined : [found.tick - since, found.to, found.cause];
  }

  errors(reason: keyof typeof FrameError): number {
    const counts = this.rig.session?.counts;
    // FrameError counts from 1: 0 is a good frame
    return counts?.[SessionCount.ERRORS + FrameError[reason] - 1] ?? NaN;
  }

  count(name: InjectionName): number {
    return this.rig.counter(LoopSlot.injected_faults_total + INJECTIONS.indexOf(name));
  }

  get now(): number {
    return this.rig.timing.executed;
  }

  get state(): string {
    return this.rig.state;
  }
}
const moves = (state: string): boolean => state.startsWith('ACTIVE');

test('the table: names are there once, amounts outside of their bounds are refused by a sentence', () => {
  assert.equal(new Set(INJECTIONS).size, INJECTION_TABLE.length);
  for (const [index, { least, most }] of INJECTION_TABLE.entries()) {
    assert.equal(checkInjection(index, most), '');
    for (const amount of [least - 1, most + 1, NaN, Infinity]) {
      assert.match(checkInjection(index, amount), /^amount: .* is not within .* to .*[.]$/);
    }
  }
  const drop = INJECTIONS.indexOf('link_drop_ratio');
  assert.equal(checkInjection(drop, 2), 'amount: 2 for link_drop_ratio is not within 0 to 1.');
});

test('51: without the flag the loop refuses every kind, and nothing is counted', () => {
  const rig = new VirtualRig({ settings: (settings) => (settings.allow_fault_injection = false) });
  for (let kind = END_INJECTIONS; kind < INJECTIONS.length; kind++) {
    rig.command(CommandKind.INJECT, kind, 1);
  }
  rig.run(3);
  assert.equal(rig.answers.length, INJECTIONS.length + 1);
  assert.deepEqual(new Set(rig.answers), new Set([COMMAND_RESULTS.indexOf('not_allowed')]));
  for (const [kind] of INJECTIONS.entries()) {
    assert.equal(rig.counter(LoopSlot.injected_faults_total + kind), 0);
  }
});

test('51: every kind is accepted with its largest amount, counted once, told, and ended by one command', (t) => {
  for (const [kind, { name, most, end }] of INJECTION_TABLE.entries()) {
    const rig = new VirtualRig();
    rig.run(5);
    rig.command(CommandKind.INJECT, kind, most);
    rig.run(1);
    assert.deepEqual(rig.answers, [0], name);
    assert.equal(rig.counter(LoopSlot.injected_faults_total + kind), 1, name);
    assert.deepEqual(rig.injected, [[name, 1, most]], name);
    assert.deepEqual(injectedNow(rig.shared.loopCounters), end === 'once' ? [] : [name]);
    rig.command(CommandKind.INJECT, END_INJECTIONS, 0);
    rig.run(2);
    assert.deepEqual(injectedNow(rig.shared.loopCounters), []);
    if (end !== 'once') assert.deepEqual(rig.injected.at(-1), [name, 0, 0], name);
    rig.command(CommandKind.INJECT, kind, most * 2 + 1);
    rig.run(1);
    assert.equal(rig.answers.at(-1), COMMAND_RESULTS.indexOf('not_allowed'), name);
  }
  t.diagnostic(`acceptance 51: ${INJECTION_TABLE.length} kinds, refused without the flag`);
});

test('link: frames lost are seen in the success ratio; many lost hold, all lost stop', () => {
  const few = new Injected().inject('link_drop_ratio', 0.05);
  few.run(1500);
  const ratio = few.rig.session?.successRatio ?? NaN;
  // 100 frames of chance 0.05: the standard deviation is 0.022
  assert.ok(Math.abs(ratio - 0.95) < 0.07, `success ratio ${ratio}`);
  few.endAll();
  few.run(200);
  assert.equal(few.rig.session?.successRatio, 1);

  const all = new Injected();
  const start = all.now;
  all.inject('link_drop_ratio', 1).run(30);
  assert.deepEqual(all.left(start), [5, 'HOLD', 'STATE_MISSING']);
  assert.ok(
    all.rig.transitions.some(({ to, cause }) => to === 'STOPPING' && cause === 'LINK_LOST'),
  );
});

test('link: a delay of frames is seen in the round trip, and none is lost', () => {
  const run = new Injected();
  const before = run.rig.session?.delay_s ?? NaN;
  run.inject('link_delay_s', 0.004).run(300);
  const delay = (run.rig.session?.delay_s ?? NaN) - before;
  // without it a frame waits for the next tick, so that one of the four periods was there before
  assert.ok(Math.abs(delay - 0.003) < 1e-6, `delay ${delay}`);
  assert.equal(run.rig.session?.successRatio, 1);
  assert.ok(moves(run.state), run.state);
  run.endAll();
  run.run(300);
  assert.ok(Math.abs((run.rig.session?.delay_s ?? NaN) - before) < 1e-6, 'as before');
  assert.ok(moves(run.state), run.state);
});

test('link: what comes twice or late in order is refused and changes nothing', () => {
  const clean = new Injected().stick(-0.3);
  clean.run(600);
  const twice = new Injected().stick(-0.3).inject('link_duplicate_ratio', 0.5);
  twice.run(600);
  assert.ok(twice.errors('sequence') > 200, `${twice.errors('sequence')} refused`);
  assert.equal(twice.rig.system.hash(), clean.rig.system.hash());

  const late = new Injected().inject('link_reorder_ratio', 0.1);
  late.run(600);
  assert.ok(late.errors('sequence') > 20, `${late.errors('sequence')} refused`);
  assert.ok(moves(late.state), late.state);
  late.endAll();
});

test('link: a frame with a changed byte is never taken: all are counted as errors', () => {
  const run = new Injected();
  const start = run.now;
  run.inject('link_corrupt_ratio', 1).run(30);
  assert.equal(run.left(start)?.[2], 'STATE_MISSING');
  const refused = (['crc', 'length', 'version', 'flags'] as const).reduce(
    (sum, reason) => sum + run.errors(reason),
    0,
  );
  assert.ok(refused >= 29, `${refused} refused`);
  run.endAll();
});

test('serial noise: a bit error ratio loses the frames that it must, and the decoder finds the next', () => {
  const ratio = 3e-5;
  const run = new Injected({ settings: (s) => (s.operator.authority_lease_s = 10) });
  const counts = run.rig.session!.counts;
  const received = (): number => counts[SessionCount.RX + 1];
  const before = received();
  run.inject('line_bit_error_ratio', ratio).run(4000);
  const lost = 1 - (received() - before) / 4000;
  // 138 bytes a frame on the line; a hit delimiter loses two
  const expected = 1 - (1 - ratio) ** (138 * 8);
  const deviation = Math.sqrt((expected * (1 - expected)) / 4000);
  assert.ok(
    Math.abs(lost - expected) < 5 * deviation + 0.005,
    `lost ${lost}, expected ${expected}`,
  );
  assert.ok(counts.every((count) => Number.isFinite(count)));
  assert.equal(run.left(0), undefined, 'a thirtieth lost at random holds nothing');
  run.endAll();
  run.run(200);
  assert.equal(run.rig.session?.successRatio, 1);

  const loud = new Injected();
  const start = loud.now;
  loud.inject('line_bit_error_ratio', 0.05).run(40);
  assert.equal(loud.left(start)?.[1], 'HOLD');
  assert.equal(loud.left(start)?.[2], 'STATE_MISSING');
});

test('clock: a late wake holds by its length, and the ticks are accounted for', () => {
  const run = new Injected();
  const start = run.now;
  run.inject('late_wake_s', 0.03).run(3);
  assert.deepEqual(run.left(start), [2, 'HOLD', 'OVERRUN_SINGLE']);
  assert.equal(run.rig.timing.slippedTotal, 30);
  assert.equal(run.rig.timing.executed + run.rig.timing.slippedTotal, run.rig.timing.period + 1);
});

test('loop: a stall inside a tick is counted as a stall and holds', () => {
  const run = new Injected();
  const start = run.now;
  run.inject('worker_stall_s', 0.1).run(3);
  assert.deepEqual(run.left(start), [2, 'HOLD', 'OVERRUN_SINGLE']);
  assert.ok(
    run.rig.overruns.some(({ cause, slipped }) => cause === 4 && slipped >= 98),
    'a stall',
  );
  assert.equal(run.rig.timing.executed + run.rig.timing.slippedTotal, run.rig.timing.period + 1);
});

test('clock: a jump of the monotonic base holds, forwards and back, and no period sees two set-points', () => {
  for (const jump of [1, -1]) {
    const run = new Injected();
    const start = run.now;
    const seq: number[] = [];
    run.inject('clock_jump_s', jump);
    run.rig.run(50, () => {
      run.rig.input(0, 1);
      seq.push(run.rig.timing.period);
    });
    const [, state, cause] = run.left(start) ?? [];
    assert.deepEqual([state, cause], ['HOLD', 'INPUT_STALE']);
    assert.ok(
      seq.every((p, i) => i === 0 || p > seq[i - 1]),
      'periods only go forward',
    );
    assert.ok(!moves(run.state));
    run.endAll();
    run.run(3000);
    run.rig.command(CommandKind.CLEAR);
    const back = run.rig.runUntil('MONITOR_READY', 8000);
    assert.ok(back >= 0, `${jump}: back to ${run.state}`);
  }
});

test('clock: a step of the robot clock is noticed, and is no reason to hold', () => {
  const run = new Injected();
  run.inject('robot_clock_step_s', 1).run(3000);
  assert.equal(run.left(0), undefined);
  const offset = run.rig.session?.offset_s ?? NaN;
  assert.ok(Math.abs(offset - 1) < 1e-3, `offset ${offset}`);
  assert.ok((run.rig.session?.counts[SessionCount.CLOCK_STEPS] ?? 0) > 0, 'counted');
});

test('sensor: a force that is no number, or a position, is invalid and holds', () => {
  for (const name of ['force_nan_ticks', 'state_nan_ticks'] as const) {
    const run = new Injected();
    const start = run.now;
    run.inject(name, 10).run(9);
    assert.deepEqual(run.left(start), [5, 'HOLD', 'STATE_INVALID'], name);
    run.run(3);
    assert.deepEqual(run.present, []);
    assert.equal(run.rig.session?.fresh, true, 'valid again');
  }
});

test('sensor: a bias above the limit stops after three ticks; below it the force is as measured and more', () => {
  const run = new Injected({ mode: 'hardware' });
  const start = run.now;
  run.inject('force_bias_N', 500).run(10);
  assert.deepEqual(run.left(start), [4, 'STOPPING', 'FORCE_LIMIT']);

  const small = new Injected({ mode: 'hardware' });
  small.inject('force_bias_N', 8).run(5);
  assert.ok(Math.abs(small.rig.tick.measuredWrench[2] - 8) < 1e-5);
  assert.ok(moves(small.state), small.state);
  small.endAll();
  small.run(2);
  assert.equal(small.rig.tick.measuredWrench[2], 0);
});

test('sensor: noise has its standard deviation, and no force above the limit comes of a little', () => {
  const run = new Injected({ mode: 'hardware' });
  run.inject('force_noise_N', 2).run(2);
  let sum = 0;
  let square = 0;
  const ticks = 2000;
  for (let i = 0; i < ticks; i++) {
    run.run(1);
    const f = run.rig.tick.measuredWrench[0];
    sum += f;
    square += f * f;
  }
  const deviation = Math.sqrt(square / ticks - (sum / ticks) ** 2);
  // the standard error of a standard deviation of 2000 samples is 1.6 %
  assert.ok(Math.abs(deviation - 2) < 0.16, `deviation ${deviation}`);
  assert.ok(moves(run.state), run.state);
});

test('sensor: a force that drops out grows old and, in hardware mode, holds; in virtual mode nobody follows it', () => {
  const run = new Injected({ mode: 'hardware' });
  run.inject('force_bias_N', 5).run(3);
  const start = run.now;
  run.inject('force_dropout_ticks', 200).run(20);
  const held = run.rig.tick.measuredWrench[2];
  run.run(100);
  const [ticks, state, cause] = run.left(start) ?? [];
  assert.deepEqual([state, cause], ['HOLD', 'STATE_INVALID']);
  // older than 50 ms in the 51st STATE of the drop-out, which comes in tick 52; the fourth of them holds
  assert.equal(ticks, 55);
  assert.equal(run.rig.tick.measuredWrench[2], held, 'the last force stays');
  run.run(100);
  assert.deepEqual(run.present, ['force_bias_N']);

  const virtual = new Injected();
  virtual.inject('force_dropout_ticks', 200).run(150);
  assert.ok(moves(virtual.state), virtual.state);
});

test('operator: input that is lost is stale after 100 ms, and must be pressed anew', () => {
  const run = new Injected().stick(0.4);
  run.run(50);
  const start = run.now;
  run.inject('input_dropout_s', 0.3).run(200);
  const [ticks, state, cause] = run.left(start) ?? [];
  assert.deepEqual([state, cause], ['HOLD', 'INPUT_STALE']);
  assert.ok(ticks! >= 100 && ticks! <= 102, `after ${ticks} ticks`);
  run.run(400);
  assert.deepEqual(run.present, []);
  assert.equal(run.state, 'HOLD', 'a deflected stick and a pressed deadman resume nothing');
});

test('operator: a hand controller that hangs cannot let go: a stop of anybody is obeyed, and its end is', () => {
  const run = new Injected().stick(0.4);
  run.run(50);
  run.inject('input_freeze_s', 0.2).run(1);
  run.rig.run(100, () => run.rig.input(0, 0));
  assert.ok(moves(run.state), 'nothing tells that the deadman was released');
  assert.ok((run.rig.system.tool?.command[2] ?? 0) > 0, 'the last stick goes on');
  run.rig.run(110, () => run.rig.input(0, 0));
  assert.equal(run.state, 'HOLD');
  assert.equal(run.rig.transitions.at(-1)?.cause, 'DEADMAN_RELEASED');

  const stopped = new Injected().stick(0.4);
  stopped.inject('input_freeze_s', 10).run(5);
  const start = stopped.now;
  stopped.rig.command(CommandKind.STOP, 1);
  stopped.run(5);
  assert.deepEqual(stopped.left(start), [1, 'STOPPING', 'OPERATOR_STOP']);
});

test('operator: authority that is lost holds at once', () => {
  const run = new Injected().stick(0.4);
  const start = run.now;
  run.inject('authority_loss', 1).run(5);
  assert.deepEqual(run.left(start), [1, 'HOLD', 'AUTHORITY_CHANGED']);
  assert.equal(run.rig.tick.operator.authority, 0);
});

test('loop: an error latches INTERNAL_ERROR, and the robot comes to rest', (t) => {
  const run = new Injected().stick(0.4);
  run.run(100);
  const start = run.now;
  run.inject('loop_error', 1).run(300);
  assert.deepEqual(run.left(start), [2, 'STOPPING', 'INTERNAL_ERROR']);
  assert.equal(run.state, 'FAULT');
  assert.equal(run.count('loop_error'), 1);
  assert.ok(
    run.rig.robot!.state.twist.every((v) => Math.abs(v) < 1e-3),
    'at rest',
  );
  t.diagnostic(
    'acceptance 50: FAULT by INTERNAL_ERROR 2 ticks after the injection, emulator at rest',
  );
});

test('the same seed and the same frames give the same faults', () => {
  const fly = (): string => {
    const run = new Injected({ noise: 1 }).stick(-0.3);
    run.inject('link_drop_ratio', 0.05).inject('link_reorder_ratio', 0.1).run(300);
    run.inject('link_duplicate_ratio', 0.2).inject('force_noise_N', 3).run(600);
    return `${run.rig.system.hash()} ${run.rig.session!.counts.join()}`;
  };
  assert.equal(fly(), fly());
  // the nonces of a session are random numbers, and how a hit byte is decoded depends on all of a frame: here they are fixed
  const line = (): string => {
    const noise = new LineNoise(new Random(5));
    const frame = Uint8Array.from({ length: 136 }, (_, i) => (i * 37) & 255);
    const out: string[] = [];
    for (let n = 0; n < 2000; n++) {
      noise.put(frame, frame.length, Float64Array.of(1e-3), 0);
      while (noise.take() > 0) out.push(noise.decoder.frame.slice(0, noise.decoder.ready).join());
    }
    return `${out.length} ${out.join(';')}`;
  };
  assert.equal(line(), line());
});

test('a fault that lasts ends with its loop: the next one on the same counters has none, and counts on', () => {
  const rig = new VirtualRig();
  const kind = INJECTIONS.indexOf('link_drop_ratio');
  rig.command(CommandKind.INJECT, kind, 0.5);
  rig.run(1);
  assert.deepEqual(injectedNow(rig.shared.loopCounters), ['link_drop_ratio']);
  const next = new FaultInjection(
    rig.tick.events,
    rig.shared.loopCounters,
    rig.settings.loop.period_s,
  );
  assert.equal(next.amounts[kind], 0);
  assert.deepEqual(injectedNow(rig.shared.loopCounters), []);
  assert.equal(rig.counter(LoopSlot.injected_faults_total + kind), 1);
});
