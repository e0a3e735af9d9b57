/** Names of the contacts of the loaded scenario, in the order in which events of the loop number them. */
import { BerthError } from '../../src/base/errors.ts';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { type Loaded, oncePerLoad } from './once-per-load.ts';

/** Read from the scenario itself; empty when its file cannot be used any more. */
export const contactNames: (loaded: Loaded) => readonly string[] = oncePerLoad((scenario) => {
  try {
    return compileScenario(loadScenario(scenario)).contacts.map(({ name }) => name);
  } catch (error) {
    if (error instanceof BerthError) return [];
    throw error;
  }
});
