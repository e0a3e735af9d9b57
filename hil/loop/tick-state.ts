/**
 * Everything that the next tick depends on, in one piece: the model, what the parts of the tick remember, and the tick's own
 * arrays. The clock's side of a tick (TickTiming) is no part of it: a recording holds that for every tick.
 */
import { loadArray, type Stateful } from '../contract/stateful.ts';
import type { System } from '../../src/system/system.ts';

/** State of a tick. A replay loads it into a tick of the same model and settings. Its first number is the layout of the others. */
export class TickState implements Stateful {
  readonly stateLength: number;
  /** Tells layouts of the same length apart: made of the lengths of all parts, in their order. */
  readonly layout: number;
  readonly #system: System;
  readonly #arrays: readonly Float64Array[];
  readonly #parts: readonly Stateful[];

  constructor(system: System, arrays: readonly Float64Array[], parts: readonly Stateful[]) {
    this.#system = system;
    this.#arrays = arrays;
    this.#parts = parts;
    const lengths = [
      system.state.length,
      ...arrays.map((array) => array.length),
      ...parts.map((part) => part.stateLength),
    ];
    this.stateLength = lengths.reduce((sum, length) => sum + length, 1);
    this.layout = lengths.reduce((mark, length) => (Math.imul(31, mark) + length) >>> 0, 0);
  }

  saveState(into: Float64Array, at: number): void {
    const state = this.#system.state;
    into[at] = this.layout;
    into.set(state, at + 1);
    let i = at + 1 + state.length;
    for (let k = 0; k < this.#arrays.length; k++) {
      into.set(this.#arrays[k], i);
      i += this.#arrays[k].length;
    }
    for (let k = 0; k < this.#parts.length; k++) {
      this.#parts[k].saveState(into, i);
      i += this.#parts[k].stateLength;
    }
  }

  /** From a state of the same `layout`. @alloc none */
  loadState(from: Float64Array, at: number): void {
    const state = this.#system.state;
    loadArray(state, from, at + 1);
    this.#system.restore(state);
    let i = at + 1 + state.length;
    for (let k = 0; k < this.#arrays.length; k++) {
      loadArray(this.#arrays[k], from, i);
      i += this.#arrays[k].length;
    }
    for (let k = 0; k < this.#parts.length; k++) {
      this.#parts[k].loadState(from, i);
      i += this.#parts[k].stateLength;
    }
  }
}
