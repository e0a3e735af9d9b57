/** What the loop runs: a scenario that suits it and a mode. */
import { compileScenario } from '../../config/compile.ts';
import { loadScenario, type Scenario } from '../../config/scenario.ts';
import { isAdaptive } from '../../src/system/integrator-kinds.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { SystemModel } from '../../src/model/model.ts';
import { LOOP_MODES, type LoopModeName } from '../contract/codes.ts';

export interface Prepared {
  readonly model: SystemModel;
  readonly mode: LoopModeName;
}

/** Modes in which the loop can run a scenario; none where only `berth simulate` can. */
export function loopModes({ tool, integration }: Scenario): LoopModeName[] {
  if (isAdaptive(integration.kind)) return [];
  return tool === undefined ? ['simulation'] : [...LOOP_MODES];
}

/** Compile a scenario for a mode. @throws BerthError with the reason why it does not fit */
export function prepareModel(scenario: string, mode: string): Prepared {
  const name = LOOP_MODES.find((m) => m === mode);
  if (name === undefined) {
    throw new BerthError(
      'BERTH_UNKNOWN_NAME',
      `mode: "${mode}" is not one of ${LOOP_MODES.join(', ')}`,
      {
        field: 'mode',
      },
    );
  }
  const model = compileScenario(loadScenario(scenario));
  if (isAdaptive(model.integrator)) {
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      `scenario: "${scenario}" integrates by ${model.integrator}, which takes as many steps as its tolerance needs and cannot keep the deadlines of the loop; allowed there: integration.kind implicit-contact, symplectic-euler, ode3, rk4 or ode5`,
      { field: 'integration.kind' },
    );
  }
  if (model.tool === null && name !== 'simulation') {
    throw new BerthError(
      'BERTH_MISMATCH',
      `scenario: "${scenario}" has no tool, so it can only run in mode simulation, not ${name}`,
      { field: 'scenario' },
    );
  }
  return { model, mode: name };
}
