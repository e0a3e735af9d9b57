/**
 * Checks that settings agree with each other and with their scenario, for `serve` before it starts
 * and for `berth check`.
 */
import { checkScenarioFolders } from '../../config/scenario-folders.ts';
import { checkWorkspace } from '../../config/check-workspace.ts';
import type { Settings } from '../../config/settings.ts';
import { BerthError } from '../../src/base/errors.ts';
import { makeSystem } from '../../src/system/system.ts';
import { EnergyStage } from '../energy/energy-stage.ts';
import { prepareModel, type Prepared } from '../loop/prepare-model.ts';
import { checkSerialLoad } from '../protocol/serial-load.ts';
import { checkRedundant } from './loop-workers.ts';
import { LOOP_MODES } from '../contract/codes.ts';

/**
 * Checks settings with their scenario and mode, or with others. @returns the compiled scenario
 * @throws BerthError naming the setting and what is allowed
 */
export function checkSettings(
  settings: Settings,
  scenario: string = settings.scenario,
  mode: string = settings.mode,
): Prepared {
  const { robot, recording, loop } = settings;
  if (recording.required && recording.mode === 'off') {
    throw new BerthError(
      'BERTH_MISMATCH',
      'recording.required: true would never let the arm move while recording.mode is off; record continuous or on-fault',
      { field: 'recording.required' },
    );
  }
  checkScenarioFolders(settings);
  checkWorkspace(settings.limits);
  checkRedundant(settings);
  if (robot.transport === 'serial')
    checkSerialLoad(robot.baud, 1 / loop.period_s, robot.key !== '' || robot.emulate);
  const prepared = prepareModel(scenario, mode);
  // refuses remedies that exclude each other, or do not suit this contact
  new EnergyStage(makeSystem(prepared.model), null, LOOP_MODES.indexOf(prepared.mode), settings);
  return prepared;
}
