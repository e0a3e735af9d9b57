/**
 * In hardware mode the arm follows the measured force: a STATE whose force is too old counts as one with values that no limit
 * allows, so that a force sensor that stands still holds the arm as a lost STATE does.
 */
import type { ServerSession } from '../protocol/server-session.ts';
import type { Stateful } from '../contract/stateful.ts';
import type { SafetyInputs } from '../safety/machine.ts';

/** A force sample older than this says nothing of the contact, µs. */
const AGE_MOST_us = 50_000;

/** Check of the age of the measured force. Call `refuse` once per tick, after the session poll. */
export class ForceAge implements Stateful {
  readonly stateLength: number = 1;
  /** STATEs in a row with an old force. */
  #old = 0;

  /** @alloc none */
  refuse(session: ServerSession, inputs: SafetyInputs): void {
    if (session.fresh) this.#old = session.state.ftAge_us > AGE_MOST_us ? this.#old + 1 : 0;
    const old = this.#old;
    if (old === 0) return;
    inputs.stateFresh = 0;
    if (inputs.lostInRow < old) inputs.lostInRow = old;
    if (inputs.invalidInRow < old) inputs.invalidInRow = old;
  }

  saveState(into: Float64Array, at: number): void {
    into[at] = this.#old;
  }

  loadState(from: Float64Array, at: number): void {
    this.#old = from[at];
  }
}
