/** The energy ledger of a system with an articulated arm: servos, brakes, contacts and dampers account for all that it has. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SystemModel } from '../../../src/model/model.ts';
import { ENERGY_READOUT, makeSystem, type System } from '../../../src/system/system.ts';
import { armSystem } from '../../fixtures/arm-models.ts';
import { dextreBox } from '../../fixtures/battery-box-arm.ts';

type Account = Record<(typeof ENERGY_READOUT)[number], number>;

const SIMULATION = 0;
const HARDWARE = 2;
const FOLLOW = 0;
const ACCOMMODATE = 1;
const BRAKE = 2;

function accountOf(system: System): Account {
  const values = new Float64Array(ENERGY_READOUT.length);
  system.readEnergy(values, 0);
  return Object.fromEntries(ENERGY_READOUT.map((name, i) => [name, values[i]])) as Account;
}

function make(model: SystemModel, mode: number): System {
  const system = makeSystem(model);
  system.useSchedule = false;
  system.tool!.mode = mode;
  return system;
}

/** Flies for `duration`, and gives the account after each step. */
function fly(
  system: System,
  step: number,
  duration: number,
  each: (time: number) => void,
): Account[] {
  return Array.from({ length: Math.round(duration / step) }, (_, i) => {
    each(i * step);
    assert.equal(system.step(step), 0, `step ${i} is finite`);
    return accountOf(system);
  });
}

const largest = (accounts: readonly Account[], name: keyof Account): number =>
  Math.max(...accounts.map((account) => Math.abs(account[name])));

describe('simulation, without contact and in a field of gravity', () => {
  const GRAVITY = [0.05, 0.02, -0.1] as const;
  const stopAt = 1.5;
  const free = (step: number): Account[] => {
    const system = make({ ...armSystem(), gravity: GRAVITY }, SIMULATION);
    const tool = system.tool!;
    return fly(system, step, 2, (time) => {
      tool.command[0] = time < 1 ? 0.04 : -0.04;
      tool.command[1] = 0.02 * Math.sin(3 * time);
      tool.motion = time < stopAt ? ACCOMMODATE : BRAKE;
    });
  };
  const coarse = free(2e-3);
  const fine = free(1e-3);

  test('what the servos give is in motion, strain, height and dampers: the rest is of second order in the step', () => {
    const moved = (accounts: Account[], to: number): Account[] =>
      accounts.slice(0, Math.round((to / 2) * accounts.length));
    const [one, two] = [coarse, fine].map((a) => largest(moved(a, stopAt), 'balance'));
    assert.ok(largest(fine, 'elastic') > 1, 'it bends');
    assert.ok(largest(fine, 'kinetic') > 1, 'it moves');
    assert.ok(largest(fine, 'externalWork') > 0.5, 'it is driven');
    // the mid-point step: 1e-8 of what goes to and fro at 1 ms, and a quarter of what it is at 2 ms
    assert.ok(two < 1e-7 * largest(fine, 'elastic'), `${two} J`);
    assert.ok(one / two > 3 && one / two < 5, `${one} J, ${two} J`);
  });

  test('the brakes take what moves and bends', () => {
    const before = fine[Math.round(stopAt / 1e-3) - 1];
    const after = fine.at(-1)!;
    assert.equal(after.kinetic, 0);
    const held = after.potential - before.potential - before.kinetic - before.elastic;
    const brakes = after.externalWork - before.externalWork;
    // the arm sags no longer: what bends it at rest is the mean of the wrench on its tip alone
    assert.ok(Math.abs(brakes - (held + after.elastic)) < 1e-9, `${brakes} J, ${held} J`);
    assert.equal(after.dissipated, before.dissipated);
  });
});

test('simulation, pressed into the seat and drawn out of it: contacts take what the arm gives', () => {
  const system = make(dextreBox(0.1995), SIMULATION);
  const tool = system.tool!;
  const accounts = fly(system, 1e-3, 1.8, (time) => {
    tool.command[0] = time < 0.9 ? 0.04 : -0.04;
  });
  const { dissipated, externalWork } = accounts.at(-1)!;
  assert.ok(largest(accounts, 'elastic') > 0.5, 'springs of contact and arm are pressed');
  assert.ok(dissipated > 0.1 && dissipated < externalWork, `${dissipated} J of ${externalWork} J`);
  // 4e-8 at 0.5 ms, 1.5e-7 at 1 ms: the mid-point step in the first impact
  const worst = largest(accounts, 'balance');
  assert.ok(worst < 1e-6 * largest(accounts, 'externalWork'), `${worst} J`);
});

test('hardware: what pushes the tip works from outside, in every motion and in a blow', () => {
  const system = make(armSystem(), HARDWARE);
  const tool = system.tool!;
  tool.measuredMotion.set(system.arm!.tip);
  const twist = new Float64Array(6);
  let struck = NaN;
  const accounts = fly(system, 1e-3, 2, (time) => {
    for (let a = 0; a < 6; a++) tool.measuredWrench[a] = 40 * Math.sin(5 * time + a);
    tool.command[2] = 0.03;
    tool.motion = time < 0.8 ? ACCOMMODATE : time < 1 ? FOLLOW : ACCOMMODATE;
    tool.measuredMotion.set(tool.setpoint);
    if (Math.abs(time - 1.5) > 1e-9) return;
    const before = accountOf(system).externalWork;
    for (let a = 0; a < 6; a++) twist[a] = system.arm!.tip[7 + a] + 0.01;
    system.setArmTwist(twist, 0);
    struck = accountOf(system).externalWork - before;
  });
  assert.ok(struck > 1e-4, `the blow gave ${struck} J`);
  assert.ok(largest(accounts, 'externalWork') > 0.1, 'it is pushed and driven');
  const worst = largest(accounts, 'balance');
  assert.ok(worst < 1e-6 * largest(accounts, 'externalWork'), `${worst} J`);
});
