/**
 * The system of a run touches what it will touch before its clock starts, and is put back to where it was. A shadow compiles the code;
 * it does not bring in the memory of this system, and code that ran on others only is compiled once more for it. Without the visit the
 * first tick of a contact took four times as long as those after it.
 */
import type { ToolPort } from '../../src/control/tool-port.ts';
import type { System } from '../../src/system/system.ts';
import { LoopMode } from '../contract/codes.ts';
import { slipTwist, type TouchingPlaces } from '../telemetry/touching-places.ts';

/** Steps: two at each place, from the start. */
const STEPS = 200;
/** Place of the twist in a motion. */
const TWIST = 7;
/** Steps at the start behind them, in which all contacts end: what belongs to none is as in a new system then. */
const FREE_STEPS = 2;

/** What a step reads and writes of the tool beside the state of the system. */
function portArrays(port: ToolPort): Float64Array[] {
  return Object.values(port).filter((value) => value instanceof Float64Array);
}

/** Steps at the places and restores state, tool and counts, bit for bit. Only before the first step; nothing without a tool. */
export function visitPlaces(system: System, { places }: TouchingPlaces): void {
  const { tool, accommodation, solverCounts, useSchedule } = system;
  if (tool === null) return;
  const start = system.state.slice();
  // the reference of the accommodation is no part of the state of a system
  const setting = new Float64Array(accommodation?.arena.stateLength ?? 0);
  accommodation?.arena.saveState(setting, 0);
  const arrays = portArrays(tool);
  const before = arrays.map((array) => array.slice());
  const { mode } = tool;
  tool.mode = LoopMode.VIRTUAL;
  system.useSchedule = false;
  const motion = tool.measuredMotion;
  system.readBody(system.bodyIndex(system.model.tool!.payload), motion, 0);
  const home = motion.slice();
  for (let n = 0; n < STEPS; n++) {
    if (n % 2 === 0) system.restore(start);
    motion.set(places.at((n >> 1) % places.length) ?? home);
    if (n % 2 === 0) system.placeTool();
    slipTwist(n, motion, TWIST);
    system.step(system.model.step);
  }
  motion.set(home);
  for (let n = 0; n < FREE_STEPS; n++) system.step(system.model.step);
  system.restore(start);
  accommodation?.arena.loadState(setting, 0);
  arrays.forEach((array, k) => array.set(before[k]));
  tool.mode = mode;
  system.useSchedule = useSchedule;
  solverCounts?.fill(0);
}
