/**
 * The robot's reports in flight, end to end on the virtual clock: fault bits, FAULT frames,
 * reduced, idle, its own state.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../../config/paths.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { RobotFault } from '../../../hil/emulator/guard.ts';
import { INJECTIONS, type InjectionName } from '../../../hil/contract/injections.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { ROBOT_FAULT_BITS, robotFaultAnswer } from '../../../hil/contract/robot-faults.ts';
import { Phase } from '../../../hil/contract/phase.ts';
import { FaultCode, RobotSafety, SafetyState } from '../../../hil/contract/codes.ts';
import { robotFaultWords } from '../../../server/console/link/words.ts';
import { lieInState } from '../../fixtures/lying-robot.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';
import { LimitField } from '../../../hil/contract/limit-fields.ts';

function flying(stick_mps = 0.02): VirtualRig {
  const rig = new VirtualRig({
    settings: (settings) => (settings.operator.coarse_speed_mps = stick_mps),
  });
  rig.activate();
  rig.run(50, () => rig.input(0, 1));
  return rig;
}
const inject = (rig: VirtualRig, name: InjectionName, amount: number): void =>
  rig.command(CommandKind.INJECT, INJECTIONS.indexOf(name), amount);
const keep = (rig: VirtualRig) => (): void => rig.input(0, 1);
/** How the flight ended: the first transition out of motion. */
function end(rig: VirtualRig): string {
  const out = rig.transitions.find(({ from }) => from.startsWith('ACTIVE'));
  return out === undefined ? rig.state : `${out.to} ${out.cause}`;
}
const ROBOT_FAULT_SLOT = LoopSlot.faults_total + FaultCode.ROBOT_FAULT;

test('63: each of the 32 bits of STATE.fault stops, holds or warns as the protocol says; one without a name stops', (t) => {
  const page = readFileSync(join(packageRoot(), 'docs/protocol.md'), 'utf8');
  const seen = { stop: 0, hold: 0, warn: 0 };
  for (let bit = 0; bit < 32; bit++) {
    const named = ROBOT_FAULT_BITS.find((row) => row.bit === bit);
    const answer = named?.answer ?? 'stop';
    if (named !== undefined) {
      assert.ok(page.includes(`| ${bit} | ${named.name} | ${answer} |`), `docs: bit ${bit}`);
      assert.notEqual(robotFaultWords(2 ** bit)[0], `bit ${bit}`, 'the console has words');
    }
    const rig = flying();
    inject(rig, 'robot_fault_word', 2 ** bit);
    rig.run(3, keep(rig));
    const { faultBits, holdBits } = rig.tick.machine;
    const mark = 1 << FaultCode.ROBOT_FAULT;
    const ends = { stop: 'STOPPING ROBOT_FAULT', hold: 'HOLD ROBOT_FAULT', warn: 'ACTIVE_FREE' };
    assert.equal(end(rig), ends[answer], `bit ${bit}`);
    assert.equal(faultBits & mark, answer === 'stop' ? mark : 0);
    assert.equal(holdBits & mark, answer === 'hold' ? mark : 0);
    assert.equal(rig.counter(ROBOT_FAULT_SLOT), answer === 'warn' ? 0 : 1);
    const slot = named === undefined ? ROBOT_FAULT_BITS.length : ROBOT_FAULT_BITS.indexOf(named);
    assert.equal(rig.counter(LoopSlot.robot_fault + slot), 1, 'shown');
    seen[answer]++;
  }
  t.diagnostic(`acceptance 63: ${seen.stop} bits stop, ${seen.hold} hold, ${seen.warn} warn`);
});

test('63: a FAULT frame counts as its bit, a code that is no bit as one without a name', () => {
  for (const [code, to] of [
    [6, 'STOPPING ROBOT_FAULT'],
    [17, 'HOLD ROBOT_FAULT'],
    [24, 'ACTIVE_FREE'],
    [77, 'STOPPING ROBOT_FAULT'],
    [0xffffffff, 'STOPPING ROBOT_FAULT'],
  ] as const) {
    const rig = flying();
    rig.robot!.session.sendFault(rig.ends[1], code, 0);
    rig.run(2, keep(rig));
    assert.equal(end(rig), to, `code ${code}`);
  }
  assert.equal(robotFaultAnswer(0), 0);
});

test('63: a stop told by FAULT before ARM counts until CLEAR or the end of the session, a hold for its tick', (t) => {
  const tell = (rig: VirtualRig, code: number): void => {
    rig.robot!.session.sendFault(rig.ends[1], code, 0);
    rig.run(200); // no STATE ever has the bit
  };
  for (const code of [6, 77]) {
    const rig = new VirtualRig();
    assert.ok(rig.runUntil('MONITOR_READY', 3000) >= 0, rig.state);
    tell(rig, code);
    assert.equal(rig.state, 'MONITOR_WAIT', `code ${code}`);
    rig.command(CommandKind.ARM, 1);
    rig.run(200);
    assert.equal(rig.state, 'MONITOR_WAIT', 'ARM is refused');
    assert.ok(rig.counter(LoopSlot.robot_fault + (code === 6 ? 6 : ROBOT_FAULT_BITS.length)) === 1);
    rig.command(CommandKind.CLEAR);
    assert.ok(rig.runUntil('MONITOR_READY', 3000) >= 0, rig.state);
    tell(rig, code);
    assert.equal(rig.state, 'MONITOR_WAIT');
    rig.robotOn = false;
    rig.run(4000);
    rig.robotOn = true;
    assert.ok(rig.runUntil('MONITOR_READY', 6000) >= 0, 'another session');
  }
  for (const code of [16, 17, 24]) {
    const rig = new VirtualRig();
    assert.ok(rig.runUntil('MONITOR_READY', 3000) >= 0, rig.state);
    tell(rig, code);
    assert.ok(rig.runUntil('MONITOR_READY', 3000) >= 0, `code ${code}: ${rig.state}`);
  }
  t.diagnostic('acceptance 63: told by FAULT alone: 2 of 2 stops last until CLEAR or the end');
});

test('63: the emulated robot tells its own faults by bit and by FAULT; not ready before CLEAR took them away', () => {
  const rig = flying();
  rig.robot!.guard.fault |= RobotFault.JOINT_LIMIT; // found between two cycles
  rig.run(5, keep(rig));
  assert.match(end(rig), /^STOPPING ROBOT_/);
  assert.ok((rig.tick.machine.faultBits & (1 << FaultCode.ROBOT_FAULT)) !== 0);
  rig.run(1500);
  assert.equal(rig.state, 'FAULT');
  rig.command(CommandKind.CLEAR);
  assert.ok(rig.runUntil('MONITOR_READY', 3000) > 0, rig.state);

  // a fault that only a person at the robot takes away
  inject(rig, 'robot_fault_word', 2 ** 16);
  rig.run(20);
  assert.equal(rig.state, 'MONITOR_WAIT');
  inject(rig, 'robot_fault_word', 0);
  assert.ok(rig.runUntil('MONITOR_READY', 3000) >= 0, rig.state);

  const silent = flying();
  const heard: number[] = [];
  const other = silent.robot!.session;
  const tell = other.sendFault.bind(other);
  other.sendFault = (link, code, detail) => {
    heard.push(code);
    return tell(link, code, detail);
  };
  silent.ends[0].faults.cut = true; // set-points cease: its time to live runs out
  silent.run(40, keep(silent));
  assert.deepEqual(heard, [0], 'TTL_EXPIRED');
});

test('63: reduced halves both speeds within 0.5 s, without a stop; 0.5 s of normal give them back', (t) => {
  const rig = flying(0.09);
  rig.run(300, () => rig.input(1, 1));
  const speed = (): number => Math.hypot(...rig.tick.setpoint.slice(7, 10));
  assert.ok(speed() > 0.08, `${speed()} m/s`);
  const limits = rig.tick.limits.inForce;
  const before = [limits[LimitField.speed_mps], limits[LimitField.angular_speed_radps]];
  const force = limits[LimitField.force_N];
  inject(rig, 'robot_reduced', 1);
  rig.run(499, () => rig.input(1, 1));
  assert.ok((limits[LimitField.speed_mps] ?? NaN) > 0.5 * (before[0] ?? NaN), 'softly');
  rig.run(150, () => rig.input(1, 1));
  assert.equal(rig.state, 'ACTIVE_FREE');
  // the limiter comes down to a limit that fell along its jerk, ever more slowly: a thousandth is left
  assert.ok(speed() <= 0.05 * 1.001, `${speed()} m/s: what is sent obeys`);
  assert.equal(limits[LimitField.speed_mps], 0.5 * (before[0] ?? NaN));
  assert.equal(limits[LimitField.angular_speed_radps], 0.5 * (before[1] ?? NaN));
  assert.equal(limits[LimitField.force_N], force);
  assert.equal(
    rig.counter(LoopSlot.limit_in_force + LimitField.speed_mps),
    limits[LimitField.speed_mps],
    'told',
  );
  inject(rig, 'robot_reduced', 0);
  rig.run(498, keep(rig));
  assert.equal(limits[LimitField.speed_mps], 0.5 * (before[0] ?? NaN), 'not yet');
  rig.run(6, keep(rig));
  assert.deepEqual([limits[LimitField.speed_mps], limits[LimitField.angular_speed_radps]], before);
  t.diagnostic('acceptance 63: reduced: 0.1 to 0.05 m/s within 0.5 s, no stop; back after 0.5 s');
});

test('63: a report of reduced that flickers binds as one that stays; the end of a session forgets it', () => {
  for (const [what, reduced] of [
    ['99 of 100', (n: number) => n % 100 !== 0],
    ['2 of 3', (n: number) => n % 3 !== 0],
    ['1 of 2', (n: number) => n % 2 === 0],
    ['1 of 400', (n: number) => n % 400 === 0],
  ] as const) {
    const rig = flying(0.09);
    let n = 0;
    lieInState(rig, (state) => (state.safety = reduced(n++) ? RobotSafety.REDUCED : 0));
    const limits = rig.tick.limits.inForce;
    const full = limits[LimitField.speed_mps] ?? NaN;
    rig.run(700, () => rig.input(1, 1));
    let most = 0;
    rig.run(1000, () => {
      rig.input(1, 1);
      most = Math.max(most, limits[LimitField.speed_mps] ?? NaN);
    });
    assert.equal(rig.state, 'ACTIVE_FREE', what);
    assert.equal(most, 0.5 * full, what);
    rig.robotOn = false;
    rig.run(4000);
    assert.equal(rig.session?.phase, Phase.OFFLINE);
    assert.equal(limits[LimitField.speed_mps], full, 'a session that ends');
  }
});

test('63: a robot that says that it applies nothing is held, one whose own state is a fault is stopped', () => {
  const idle = flying();
  inject(idle, 'robot_idle', 1);
  idle.run(8, keep(idle));
  assert.equal(end(idle), 'HOLD ROBOT_FAULT');
  for (const linkState of [SafetyState.STOPPING, SafetyState.FAULT, SafetyState.ESTOP]) {
    const rig = flying();
    lieInState(rig, (state) => (state.linkState = linkState));
    rig.run(8, keep(rig));
    assert.equal(end(rig), 'STOPPING ROBOT_FAULT');
  }
});
