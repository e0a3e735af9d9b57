/** Limits that both ends of a session agree on: the loop obeys the smaller, and the workspace is about where the robot is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMAND_RESULTS, CommandKind } from '../../../hil/contract/commands.ts';
import { DEFAULT_LIMITS } from '../../../hil/emulator/options.ts';
import { INJECTIONS } from '../../../hil/contract/injections.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { LIMIT_FIELDS } from '../../../hil/contract/limit-fields.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';
import { ClampKind } from '../../../hil/contract/counters.ts';

/** Less than the settings allow; exact in the single precision of HELLO. */
const WEAK = { speed_mps: 1 / 128, acceleration_mps2: 0.5, force_N: 50 };
const speed = (twist: Float64Array, at: number): number =>
  Math.hypot(twist[at], twist[at + 1], twist[at + 2]);

test('a robot that allows less than the settings gets less, and is braked as it can', () => {
  const rig = new VirtualRig({ emulator: { limits: { ...DEFAULT_LIMITS, ...WEAK } } });
  rig.activate();
  const told = LIMIT_FIELDS.map((_, i) => rig.counter(LoopSlot.limit_in_force + i));
  const { settings, tick, system } = rig;
  const agreed = { ...settings.limits, ...WEAK };
  assert.deepEqual(
    told,
    LIMIT_FIELDS.map((name) => agreed[name]),
  );
  const { period_s } = settings.loop;
  const { setpoint } = system.tool!; // of the arm itself, before any clamp
  const place = Float64Array.from(tick.setpoint);
  let fastest = 0;
  let farthest = 0;
  let hardest = 0;
  let before = 0;
  const look = (): void => {
    const now = speed(setpoint, 7);
    fastest = Math.max(fastest, now);
    hardest = Math.max(hardest, before - now);
    before = now;
    const way = Math.hypot(...[0, 1, 2].map((i) => tick.setpoint[i] - place[i]));
    farthest = Math.max(farthest, way);
    place.set(tick.setpoint);
  };
  rig.run(300, () => {
    rig.input(1, 1);
    look();
  });
  assert.ok(fastest > 0.99 * WEAK.speed_mps && fastest <= WEAK.speed_mps, `${fastest}`);
  const step_m = WEAK.speed_mps * period_s;
  assert.ok(farthest > 0.99 * step_m && farthest <= step_m, `the pose goes as fast: ${farthest}`);
  rig.run(100, () => {
    rig.input(0, 0);
    look();
  });
  assert.equal(before, 0, 'stands');
  const most = WEAK.acceleration_mps2 * period_s;
  assert.ok(hardest > 0.99 * most && hardest <= most * (1 + 1e-9), `${hardest}`);
});

test('an arm goes no faster than it can stop in 50 ms, so a HOLD is in time with a robot that brakes softly', () => {
  const acceleration_mps2 = 0.125;
  const limits = { ...DEFAULT_LIMITS, acceleration_mps2 };
  const rig = new VirtualRig({ emulator: { limits } });
  rig.activate();
  rig.run(500, () => rig.inputAxes([0, 0, 1, 0, 0, 1], 1));
  const setpoint = rig.system.tool!.setpoint;
  const fastest = speed(setpoint, 7);
  assert.ok(Math.abs(fastest / (0.05 * acceleration_mps2) - 1) < 1e-3, `${fastest}`);
  assert.ok(setpoint[12] > 0.01, 'and turns');
  rig.transitions.length = 0;
  rig.run(500, () => rig.input(0, 0));
  assert.deepEqual(
    rig.transitions.map(({ to, cause }) => [to, cause]),
    [['HOLD', 'DEADMAN_RELEASED']],
  );
});

test('a push beyond what the robot allows is refused', () => {
  const rig = new VirtualRig({ emulator: { limits: { ...DEFAULT_LIMITS, ...WEAK } } });
  rig.activate();
  const push = (force_N: number): string => {
    const values = new Array<number>(11).fill(NaN);
    values[0] = 4;
    values[3] = -force_N;
    rig.answers.length = 0;
    rig.command(CommandKind.FMA, ...values);
    rig.run(1, () => rig.input(0, 1));
    return COMMAND_RESULTS[rig.answers[0]];
  };
  assert.equal(push(1.01 * WEAK.force_N), 'not_allowed');
  assert.equal(push(0.99 * WEAK.force_N), 'ok');
});

test('the workspace of a session is about the pose of its first STATE, and the stick leads to its wall, not through it', () => {
  const workspace_m = 0.1;
  const start = [0.4, -0.3, 0.6] as const;
  const rig = new VirtualRig({
    settings: ({ limits }) => {
      limits.workspace_m = workspace_m;
      limits.workspace_about = 'session';
    },
    emulator: { position: start },
  });
  rig.command(CommandKind.INJECT, INJECTIONS.indexOf('drop_state_ticks'), 2000);
  rig.run(1900);
  assert.equal(rig.state, 'SYNCED');
  rig.activate();
  const up = { z: -Infinity };
  rig.run(15_000, () => {
    rig.input(1, 1);
    up.z = Math.max(up.z, rig.tick.setpoint[2]);
  });
  assert.equal(rig.state, 'ACTIVE_FREE');
  assert.ok(Math.abs(up.z - (start[2] + workspace_m)) < 1e-6, `${up.z}`);
  assert.equal(
    rig.counter(LoopSlot.limit_clamps_total + ClampKind.WORKSPACE),
    0,
    'it came to rest by itself',
  );
  // nothing has to be taken back before it leaves the wall: 0.02 m/s, less the lag of 20 ms
  rig.run(1000, () => rig.input(-1, 1));
  const left_m = start[2] + workspace_m - rig.tick.setpoint[2];
  assert.ok(Math.abs(left_m - 0.02 * (1 - 0.02)) < 1e-4, `${left_m}`);
});
