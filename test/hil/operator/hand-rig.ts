/** Modes of the hand controllers, asked for on the virtual clock. */
import assert from 'node:assert/strict';
import { COMMAND_RESULTS, CommandKind, HAND_MODES } from '../../../hil/contract/commands.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { dextreBox } from '../../fixtures/battery-box-arm.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

export const [RATE, POSITION, JOINT] = (['rate', 'position', 'joint'] as const).map((name) =>
  HAND_MODES.indexOf(name),
);

/** The box is well before its slot. */
export const free = dextreBox(-0.2);

export const rigOf = (model: SystemModel = free): VirtualRig =>
  new VirtualRig({ model, mode: 'simulation', robot: false });

/** Ask and run a tick. @returns the answer in words */
export function ask(rig: VirtualRig, kind: number, ...args: number[]): string {
  const before = rig.answers.length;
  rig.command(kind, ...args);
  rig.run(1);
  assert.equal(rig.answers.length, before + 1);
  return COMMAND_RESULTS[rig.answers.at(-1) ?? -1] ?? '';
}
export const mode = (rig: VirtualRig, ...args: number[]): string =>
  ask(rig, CommandKind.HAND_MODE, ...args);
