/** The arm of the emulated robot, as `berth emulate --arm` and the setting `robot.emulated_arm` name it. */
import { loadRobot } from '../../config/robot.ts';
import { armJoints } from '../../hil/emulator/arm-mounting.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { TreeModel } from '../../src/model/tree-model.ts';
import type { Settings } from '../../config/settings.ts';

/** The arm of that name or file; null for `none`. @throws BerthError for a robot that the emulator cannot be */
export function emulatedArm(name: string): TreeModel | null {
  if (name === 'none') return null;
  const { model } = loadRobot(name);
  armJoints(model);
  return model;
}

/** Checks the arm of settings that start the emulated robot. @throws BerthError naming the setting */
export function checkEmulatedArm({ robot }: Settings): void {
  if (!robot.emulate || robot.transport === 'none') return;
  try {
    emulatedArm(robot.emulated_arm);
  } catch (error) {
    if (!(error instanceof BerthError)) throw error;
    const field = 'robot.emulated_arm';
    throw new BerthError(error.code, `${field}: ${error.message}`, { field, cause: error });
  }
}
