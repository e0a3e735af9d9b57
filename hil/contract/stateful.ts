/**
 * What holds state that the next tick depends on can write it into doubles and take it back, so that a replay, a hot spare or
 * a recording can begin in the middle of a run. Both calls neither allocate nor throw; `stateLength` never changes.
 */
export interface Stateful {
  /** Doubles that the state takes. */
  readonly stateLength: number;
  /** Write the state at `at`. @alloc none */
  saveState(into: Float64Array, at: number): void;
  /** Take the state back, bit for bit. @alloc none */
  loadState(from: Float64Array, at: number): void;
}

/** Fill `into` from the doubles at `at`. @alloc none */
export function loadArray(
  into: Float64Array | Int32Array | Uint32Array | Uint8Array,
  from: Float64Array,
  at: number,
): void {
  for (let i = 0; i < into.length; i++) into[i] = from[at + i];
}
