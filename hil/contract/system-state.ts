/** State of a model among other state: its slots by name. */
import { StateArena } from '../../src/math/state-arena.ts';
import type { System } from '../../src/system/system.ts';

/** The state of a system as a part of another state. */
export function systemState(system: System): StateArena {
  const arena = new StateArena();
  const { state } = system;
  for (const { name, start, length } of system.slices) {
    arena.adopt(name, state.subarray(start, start + length));
  }
  arena.afterLoad(() => {
    system.restore(state);
  });
  return arena;
}
