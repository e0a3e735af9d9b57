/** Velocities at time zero that constraints do not allow, so that they are changed by the least impulses. docs/theory/locks.md */
import type { System } from '../src/system/system.ts';
import type { Scenario } from './scenario-schema.ts';

/** Three digits, and none of rounding. */
const digits = (value: number): string => String(Number(value < 1e-9 ? 0 : value.toPrecision(3)));

/** Where the velocity of a body or a link stands in a scenario. */
function fieldOf({ bodies, chains }: Scenario, name: string): string {
  const index = bodies.findIndex((body) => body.name === name);
  if (index >= 0) return `bodies[${index}].velocity_mps and angular_velocity_radps`;
  const chain = chains.findIndex(({ links }) => links.some((link) => link.name === name));
  if (chain < 0) return 'joints of trees';
  const link = chains[chain].links.findIndex((one) => one.name === name);
  return `chains[${chain}].links[${link}].joint and the rates of its chain`;
}

/** Sentences about starts that do not satisfy the constraints of a scenario. */
export function startDoubts(scenario: Scenario, { startChanges }: System): string[] {
  return startChanges.map(
    ({ name, linear, angular }) =>
      `${fieldOf(scenario, name)} of "${name}" do not fit the constraints: they are changed by ${digits(linear)} m/s and ${digits(angular)} rad/s at the start`,
  );
}
