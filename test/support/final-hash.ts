/** The bits in which a scenario ends: after LONGEST steps at most, where a step takes long. */
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { makeSystem } from '../../src/system.ts';

/** Steps of a scenario with volumetric contact: past the impacts of each, and a few seconds of the test. */
const LONGEST = 5_000;
/** Of one with an articulated arm: into motion, and a second of the test. */
const LONGEST_WITH_JOINTS = 1_000;

/** Hash of the state in which a scenario ends. @throws Error when a step fails */
export function finalHash(name: string): string {
  const system = makeSystem(compileScenario(loadScenario(name)));
  const whole = Math.round(system.model.duration / system.model.step);
  const longest = system.arm === null ? LONGEST : LONGEST_WITH_JOINTS;
  const steps = system.arm !== null || system.pairCount(0) > 0 ? Math.min(whole, longest) : whole;
  for (let n = 0; n < steps; n++) {
    const status = system.step(system.model.step);
    if (status !== 0) throw new Error(`${name}: status ${status} in step ${n}`);
  }
  return system.hash();
}
