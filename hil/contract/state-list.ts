/** Several pieces of state as one. */
import { loadArray, type Stateful } from './stateful.ts';

/** An array as a piece of state. */
class ArrayState implements Stateful {
  readonly stateLength: number;
  readonly #values: Float64Array;

  constructor(values: Float64Array) {
    this.#values = values;
    this.stateLength = values.length;
  }

  saveState(into: Float64Array, at: number): void {
    const values = this.#values;
    for (let i = 0; i < values.length; i++) into[at + i] = values[i];
  }

  loadState(from: Float64Array, at: number): void {
    loadArray(this.#values, from, at);
  }
}

/** Arrays and parts, one after the other. */
export class StateList implements Stateful {
  readonly stateLength: number;
  readonly #parts: readonly Stateful[];

  constructor(parts: readonly (Stateful | Float64Array)[]) {
    this.#parts = parts.map((part) => (part instanceof Float64Array ? new ArrayState(part) : part));
    this.stateLength = this.#parts.reduce((sum, part) => sum + part.stateLength, 0);
  }

  saveState(into: Float64Array, at: number): void {
    let i = at;
    for (let k = 0; k < this.#parts.length; k++) {
      this.#parts[k].saveState(into, i);
      i += this.#parts[k].stateLength;
    }
  }

  loadState(from: Float64Array, at: number): void {
    let i = at;
    for (let k = 0; k < this.#parts.length; k++) {
      this.#parts[k].loadState(from, i);
      i += this.#parts[k].stateLength;
    }
  }
}
