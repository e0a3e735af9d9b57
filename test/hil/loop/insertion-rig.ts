/** Scenario, flight plan and script of the battery box that is flown into its work-site. */
import { compileInsertion } from '../../../config/compile-insertion.ts';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { loadFlight } from '../../../config/flight.ts';
import { FlightScript } from '../../../server/cli/flight-script.ts';
import { insertionFacts } from '../../../server/status/scene.ts';
import { toolFactsOf } from '../../../server/status/tool-facts.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

export const LOOK_TICKS = 100; // the status comes ten times a second
export const INPUT_TICKS = 10;
export const MOST_TICKS = 120_000;

const scenario = loadScenario('battery-box-insertion');
export const model = compileScenario(scenario);
export const insertion = insertionFacts(compileInsertion(scenario))!;
export const tool = toolFactsOf(model)!;
const plan = loadFlight('insertion');

/** The script that `berth fly` flies here. */
export const makeScript = (rig: VirtualRig, hold_s: number, flown?: Set<string>): FlightScript =>
  new FlightScript(plan, { insertion, tool, operator: rig.settings.operator }, hold_s, flown);
export const isOver = (script: FlightScript): boolean => script.ended || script.failure !== null;
