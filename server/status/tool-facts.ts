/** Facts about the loaded tool with which a client predicts its contact force. */
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import type { SystemModel } from '../../src/model/model.ts';
import { type Loaded, oncePerLoad } from './once-per-load.ts';

/** Gains of the force–moment accommodation; null when the scenario has no tool. */
export interface ToolFacts {
  readonly force_gain_Ns_per_m: number;
  readonly force_deadband_N: number;
  readonly maximum_speed_mps: number;
}

/** Of a compiled scenario. */
export function toolFactsOf({ tool }: SystemModel): ToolFacts | null {
  if (tool === null) return null;
  return {
    force_gain_Ns_per_m: tool.forceGain,
    force_deadband_N: tool.forceDeadband,
    maximum_speed_mps: tool.maximumSpeed,
  };
}

/** Read from the scenario itself. */
export const toolFacts: (loaded: Loaded) => ToolFacts | null = oncePerLoad((scenario) =>
  toolFactsOf(compileScenario(loadScenario(scenario))),
);
