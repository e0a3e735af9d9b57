/**
 * Everything that the next tick depends on, in one piece: the model, what the parts of the tick remember, and the tick's own
 * arrays. The clock's side of a tick (TickTiming) is no part of it: a recording holds that for every tick.
 */
import { loadArray, type Stateful } from './recording/stateful.ts';
import type { System } from '../src/system.ts';

/** State of a tick. A replay loads it into a tick of the same model and settings. */
export class TickState implements Stateful {
  readonly stateLength: number;
  readonly #system: System;
  readonly #arrays: readonly Float64Array[];
  readonly #parts: readonly Stateful[];

  constructor(system: System, arrays: readonly Float64Array[], parts: readonly Stateful[]) {
    this.#system = system;
    this.#arrays = arrays;
    this.#parts = parts;
    let length = system.state.length;
    for (const array of arrays) length += array.length;
    for (const part of parts) length += part.stateLength;
    this.stateLength = length;
  }

  saveState(into: Float64Array, at: number): void {
    const state = this.#system.state;
    into.set(state, at);
    let i = at + state.length;
    for (let k = 0; k < this.#arrays.length; k++) {
      into.set(this.#arrays[k], i);
      i += this.#arrays[k].length;
    }
    for (let k = 0; k < this.#parts.length; k++) {
      this.#parts[k].saveState(into, i);
      i += this.#parts[k].stateLength;
    }
  }

  loadState(from: Float64Array, at: number): void {
    const state = this.#system.state;
    loadArray(state, from, at);
    this.#system.restore(state);
    let i = at + state.length;
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
