/** How many cells `merge_cells` of a scenario has left of how many, in words. */
import { compileScenario } from '../../config/compile.ts';
import type { Scenario } from '../../config/scenario-schema.ts';
import { partModels } from '../../src/model/model.ts';

/**
 * One phrase for all bodies and links that merge, as in `merged cells: box 10 to 2, tray 8 to 5 (…)`, with what it changes; none
 * when none does.
 */
export function mergeWords(scenario: Scenario): string[] {
  const parts = [...scenario.bodies, ...scenario.chains.flatMap(({ links }) => links)];
  const asked = new Set(parts.flatMap((part) => (part.merge_cells ? [part.name] : [])));
  if (asked.size === 0) return [];
  const apart = partModels(compileScenario(withoutMerging(scenario)));
  const merged = partModels(compileScenario(scenario));
  const counts = merged.flatMap(({ name, cells = [] }, k) =>
    asked.has(name) ? [`${name} ${apart[k].cells?.length ?? 0} to ${cells.length}`] : [],
  );
  return [
    `merged cells: ${counts.join(', ')} (friction against spin is per pair of cells and changes)`,
  ];
}

function withoutMerging(scenario: Scenario): Scenario {
  const apart = { merge_cells: false } as const;
  return {
    ...scenario,
    bodies: scenario.bodies.map((body) => ({ ...body, ...apart })),
    chains: scenario.chains.map((chain) => ({
      ...chain,
      links: chain.links.map((link) => ({ ...link, ...apart })),
    })),
  };
}
