/** Facts about the loaded tool with which a client predicts its contact force. */
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';

/** Gains of the force–moment accommodation; null when the scenario has no tool. */
export interface ToolFacts {
  readonly force_gain_Ns_per_m: number;
  readonly force_deadband_N: number;
  readonly maximum_speed_mps: number;
}

let known: { scenario: string; facts: ToolFacts | null } | null = null;

/** Read from the scenario itself, once per scenario. */
export function toolFacts(scenario: string): ToolFacts | null {
  if (known?.scenario === scenario) return known.facts;
  const tool = compileScenario(loadScenario(scenario)).tool;
  const facts =
    tool === null
      ? null
      : {
          force_gain_Ns_per_m: tool.forceGain,
          force_deadband_N: tool.forceDeadband,
          maximum_speed_mps: tool.maximumSpeed,
        };
  known = { scenario, facts };
  return facts;
}
