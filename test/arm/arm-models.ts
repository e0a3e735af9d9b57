/** The battery box on the Dextre-class arm, as far in as a test wants it. */
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import type { SystemModel } from '../../src/model.ts';

/** Depth of its seat, m. */
const SEAT_M = 0.2;

/** The model with the box on the axis of its slot, `depth` m in. */
export function dextreBox(depth: number): SystemModel {
  const scenario = loadScenario('dextre-battery-box');
  for (const body of scenario.bodies) {
    if (body.kind === 'fixed') continue;
    body.position_m = [depth - SEAT_M, 0, 0];
    body.orientation = { kind: 'identity' };
  }
  return compileScenario(scenario);
}
