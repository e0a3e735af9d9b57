/**
 * Everything that the next tick depends on, in one piece: the model, what the parts of the tick keep, and the tick's own
 * arrays. The clock's side of a tick (TickTiming) is no part of it: a recording holds that for every tick.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import type { System, ToolPort } from '../../src/system/system.ts';
import { systemState } from '../contract/system-state.ts';

/** What holds state. */
export interface StateHolder {
  readonly arena: StateArena;
}

/** A number for a layout: made of the lengths of all arrays and parts, in their order. */
export function layoutNumber(lengths: readonly number[]): number {
  return lengths.reduce((mark, length) => (Math.imul(31, mark) + length) >>> 0, 0);
}

/** State of a tick. A replay loads it into a tick of the same model and settings. Its first number is `layout`. */
export class TickState extends StateArena {
  /** Tells layouts of the same length apart: made of the lengths of all arrays and parts, in their order. */
  readonly layout: number;

  /** @param arrays the tick's own, by name @param parts by name, null for one that this tick has not */
  constructor(
    system: System,
    tool: ToolPort,
    arrays: Readonly<Record<string, Float64Array>>,
    parts: Readonly<Record<string, StateHolder | null>>,
  ) {
    super();
    const first = this.add('layout', 1);
    this.part('model', systemState(system));
    for (const [name, array] of Object.entries(arrays)) this.adopt(name, array);
    this.adopt('toolCommand', tool.command);
    this.adopt('toolSetpoint', tool.setpoint);
    this.adopt('modelWrench', tool.modelWrench);
    this.adopt('addedWrench', tool.addedWrench);
    for (const [name, part] of Object.entries(parts)) {
      if (part !== null) this.part(name, part.arena);
    }
    this.layout = layoutNumber(this.spans.map(({ length }) => length));
    first[0] = this.layout;
  }

  /** Where each array and part of the tick lies, without the first number. */
  get spans(): readonly { readonly start: number; readonly length: number }[] {
    let start = 0;
    return this.lengths
      .map((length) => {
        start += length;
        return { start: start - length, length };
      })
      .slice(1);
  }
}
