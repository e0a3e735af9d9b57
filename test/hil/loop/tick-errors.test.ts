/**
 * Fault test 50 in every stage of a tick, once and permanently: the loop goes on, at most one
 * set-point leaves per tick, and from the error on it is a stop with zero twist.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { FrameType } from '../../../hil/protocol/frames.ts';
import { fieldOffset } from '../../../hil/protocol/layout.ts';
import { CTL_MODES, FaultCode } from '../../../hil/contract/codes.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const MODE = fieldOffset(FrameType.SETPOINT, 'mode');
const TWIST = fieldOffset(FrameType.SETPOINT, 'twist');
const WRENCH = fieldOffset(FrameType.SETPOINT, 'wrench');
const STOP = CTL_MODES.indexOf('stop');
const TICKS = 400;

/** A part of the tick, and the method of it that is to throw. */
interface Stage {
  readonly part: (rig: VirtualRig) => object | null;
  readonly method: string;
  /** The set-point of the tick with the error had left, or cannot leave: the stop comes one tick later. */
  readonly sent?: boolean;
  /** No set-point leaves while the error lasts: the robot's own watchdog stops it. */
  readonly mute?: boolean;
  /** The set-point of the tick was made before the error: it still moves as it was wanted. */
  readonly bounded?: boolean;
}

const STAGES: Readonly<Record<string, Stage>> = {
  receive: { part: (rig) => rig.session, method: 'poll' },
  operator: { part: (rig) => rig.tick.operator, method: 'take' },
  'limits on what is measured': { part: (rig) => rig.tick.limits, method: 'checkMeasured' },
  'safety machine': { part: (rig) => rig.tick.machine, method: 'step' },
  overruns: { part: (rig) => rig.tick.overrun, method: 'update' },
  'before the step': { part: (rig) => rig.tick.energy, method: 'beforeStep' },
  step: { part: (rig) => rig.system, method: 'step' },
  guard: { part: (rig) => rig.tick.energy, method: 'afterStep' },
  'limits of the set-point': { part: (rig) => rig.tick.limits.limiter, method: 'limit' },
  'limits of the wrench': { part: (rig) => rig.tick.limits, method: 'clampWrench', bounded: true },
  send: { part: (rig) => rig.session, method: 'sendSetpoint', sent: true, mute: true },
  row: { part: (rig) => rig.tick.record, method: 'energy', sent: true },
  'push of the row': { part: (rig) => rig.tick.record, method: 'push', sent: true },
  scene: { part: (rig) => rig.tick.scene, method: 'tick', sent: true },
};

/** Let a method throw, `times` times. */
function breakMethod(target: object | null, method: string, times: number): void {
  assert.ok(target !== null);
  const whole = Reflect.get(target, method) as unknown;
  assert.ok(typeof whole === 'function', `${method} is no method`);
  let left = times;
  Object.defineProperty(target, method, {
    configurable: true,
    value: (...args: unknown[]): unknown => {
      if (left > 0) {
        left--;
        throw new Error(`broken: ${method}`);
      }
      return Reflect.apply(whole, target, args);
    },
  });
}

/** Mode and greatest twist of the set-points that left in each of so many ticks. */
function watch(rig: VirtualRig, ticks: number): { modes: number[][]; twists: number[][] } {
  const modes: number[][] = [];
  const twists: number[][] = [];
  rig.ends[0].faults.corrupt = (frame): void => {
    if (frame[1] !== FrameType.SETPOINT) return;
    const view = new DataView(frame.buffer, frame.byteOffset);
    modes.at(-1)?.push(frame[MODE] ?? NaN);
    const twist = Array.from({ length: 6 }, (_, i) =>
      Math.abs(view.getFloat32(TWIST + 4 * i, true)),
    );
    twists.at(-1)?.push(Math.max(...twist));
  };
  rig.run(ticks, () => {
    modes.push([]);
    twists.push([]);
    rig.input(0.5, 1);
  });
  return { modes, twists };
}

for (const [name, { part, method, sent, mute, bounded }] of Object.entries(STAGES)) {
  for (const times of [1, Infinity]) {
    test(`50: an error in "${name}"${times === 1 ? '' : ' that lasts'}: the robot stops, the loop goes on`, () => {
      const rig = new VirtualRig({ log: 1 << 24 });
      rig.activate();
      rig.run(50, () => rig.input(0.5, 1));
      assert.ok(rig.tick.setpoint[9] !== 0, 'the arm moves');
      breakMethod(part(rig), method, times);
      let speed = rig.tick.setpoint[9];
      const change = rig.settings.limits.acceleration_mps2 * rig.settings.loop.period_s;
      const executed = rig.timing.executed;
      const { modes, twists } = watch(rig, TICKS);
      assert.equal(rig.timing.executed - executed, TICKS);
      assert.ok(rig.errors.length >= 1);
      const first = sent === true ? 1 : 0;
      for (const [tick, ofTick] of modes.entries()) {
        const none = mute === true && (times > 1 || tick === 0);
        assert.equal(ofTick.length, none ? 0 : 1, `set-points of tick ${tick}`);
        if (tick < first) continue;
        for (const mode of ofTick) assert.equal(mode, STOP, `mode in tick ${tick}`);
        // braked as fast as the limits allow: the first tick turns round what sped it up
        for (const twist of twists[tick] ?? []) {
          const turns = first + (bounded === true ? 1 : 0);
          const slower = speed - (tick < turns ? -change : tick === turns ? 0 : 0.999 * change);
          assert.ok(twist <= Math.max(0, slower) + 1e-9, `twist in tick ${tick}: ${twist}`);
          speed = twist;
        }
      }
      assert.ok(['STOPPING', 'FAULT'].includes(rig.state), rig.state);
      assert.equal((rig.tick.machine.faultBits >>> FaultCode.INTERNAL_ERROR) & 1, 1);
      for (const v of rig.robot?.state.twist ?? [1]) assert.ok(Math.abs(v) < 1e-3, 'robot at rest');
      if (times > 1) return;
      assert.equal(rig.state, 'FAULT');
      rig.command(CommandKind.CLEAR);
      assert.ok(rig.runUntil('MONITOR_READY', 3000) > 0, rig.state);
    });
  }
}

test('50: a safety machine that throws is stopped like any other: told, and FAULT only at rest', () => {
  const rig = new VirtualRig();
  rig.activate();
  rig.run(300, () => rig.input(1, 1));
  breakMethod(rig.tick.machine, 'step', 1);
  let stops = 0;
  let wrench = NaN;
  rig.ends[0].faults.corrupt = (frame): void => {
    if (frame[1] === FrameType.STOP) stops++;
    if (frame[1] !== FrameType.SETPOINT || !Number.isNaN(wrench)) return;
    const view = new DataView(frame.buffer, frame.byteOffset);
    wrench = Math.max(
      ...Array.from({ length: 6 }, (_, i) => Math.abs(view.getFloat32(WRENCH + 4 * i, true))),
    );
  };
  rig.tick.frame.wrench.fill(77); // as of a worker that ran another tick before
  rig.input(1, 1);
  rig.run(1);
  assert.deepEqual(
    rig.transitions.slice(-1).map(({ from, to, cause }) => [from, to, cause]),
    [['ACTIVE_FREE', 'STOPPING', 'INTERNAL_ERROR']],
  );
  assert.equal(stops, 1);
  assert.equal(wrench, 0);
  assert.ok(rig.runUntil('FAULT', 200, () => rig.input(1, 1)) > 0, rig.state);
  for (const v of rig.robot?.state.twist ?? [1]) assert.ok(Math.abs(v) < 1e-3, 'robot at rest');
  assert.equal(rig.counter(LoopSlot.faults_total + FaultCode.INTERNAL_ERROR), 1);
});

test('50: what tells of the stop may fail, too', () => {
  const rig = new VirtualRig();
  rig.activate();
  rig.run(50, () => rig.input(0.5, 1));
  breakMethod(rig.session, 'poll', 1);
  breakMethod(rig.tick.events, 'write', 1);
  const { modes } = watch(rig, TICKS);
  assert.deepEqual(
    modes,
    Array.from({ length: TICKS }, () => [STOP]),
  );
  assert.equal(rig.errors.length, 2);
  assert.equal(rig.state, 'FAULT');
});
