/** Descriptions of the loaded scenario: read from its files once per load. */
import type { Runtime } from '../../hil/threads/runtime-types.ts';

/** What differs from one load to the next. */
export type Loaded = Pick<Runtime, 'scenario' | 'names'>;

/**
 * `read`, called once per load. A file may be loaded again under the same path after a change, so
 * the name alone is not enough: the object of names is another one after each load.
 */
export function oncePerLoad<T>(read: (scenario: string) => T): (loaded: Loaded) => T {
  let known: (Loaded & { readonly value: T }) | null = null;
  return ({ scenario, names }) => {
    if (known?.scenario === scenario && known.names === names) return known.value;
    const value = read(scenario);
    known = { scenario, names, value };
    return value;
  };
}
