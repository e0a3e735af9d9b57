/** Which methods compute the overlaps of a system's volumetric contacts, in words. */
import type { System } from '../../src/system/system.ts';

/** One phrase for each volumetric contact, as in `box-site: cell pairs: 80 by clipping`. */
export function overlapWords(system: System): string[] {
  return system.model.contacts.flatMap(({ name }, k) => {
    const counts = [...system.overlapMethods(k)].map(([method, count]) => `${count} by ${method}`);
    return counts.length === 0 ? [] : [`${name}: cell pairs: ${counts.join(', ')}`];
  });
}
