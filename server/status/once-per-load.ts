/** Descriptions of the loaded scenario: read from its files once per load. */
import type { Runtime } from '../../hil/threads/runtime-types.ts';

/** What differs from one load to the next. */
export type Loaded = Pick<Runtime, 'scenario' | 'bodies'>;

/**
 * `read`, called once per load. A file may be loaded again under the same path after a change, so
 * the name alone is not enough: the list of bodies is another one after each load.
 */
export function oncePerLoad<T>(read: (scenario: string) => T): (loaded: Loaded) => T {
  let known: (Loaded & { readonly value: T }) | null = null;
  return ({ scenario, bodies }) => {
    if (known?.scenario === scenario && known.bodies === bodies) return known.value;
    const value = read(scenario);
    known = { scenario, bodies, value };
    return value;
  };
}
