/** What the list of scenarios says of a file: title and modes, or why it cannot be used. */
import { loadScenario, scenarioByFields } from '../../config/scenario.ts';
import { loopModes } from '../../hil/loop/prepare-model.ts';
import type { ScenarioEntry } from '../client/messages.ts';

/** What a file says of itself. */
export type Summary = Pick<ScenarioEntry, 'title' | 'description' | 'modes' | 'problem'>;

const ONLY_SIMULATE =
  'Its integrator takes as many steps as its tolerance needs: only berth simulate can run it.';

/** A file to read. */
export interface SummaryWish {
  readonly file: string;
  /** Physics is checked, too: for files of the user. */
  readonly checked: boolean;
}

/** Reads a scenario file. What is wrong with it is part of the answer. */
export function summaryOf({ file, checked }: SummaryWish): Summary {
  try {
    const scenario = checked ? loadScenario(file) : scenarioByFields(file);
    const { title, description } = scenario;
    const modes = loopModes(scenario);
    return { title, description, modes, problem: modes.length === 0 ? ONLY_SIMULATE : '' };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { title: '', description: '', modes: [], problem };
  }
}
