/**
 * In hardware mode the arm follows the measured force. A STATE whose force is too old counts as one with values that no limit
 * allows. So a force sensor that stands still holds the arm as a lost STATE does.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import type { ServerSession } from '../protocol/server-session.ts';
import type { SafetyInputs } from '../safety/machine.ts';

/** A force sample older than this is no measure of the contact, µs. */
const AGE_MOST_us = 50_000;

/** Check of the age of the measured force. Call `refuse` once per tick, after the session poll. */
export class ForceAge {
  readonly arena: StateArena = new StateArena();
  /** [STATEs in a row with an old force] */
  readonly #old: Float64Array = this.arena.add('old', 1);

  /** @alloc none */
  refuse(session: ServerSession, inputs: SafetyInputs): void {
    const cell = this.#old;
    if (session.fresh) cell[0] = session.state.ftAge_us > AGE_MOST_us ? cell[0] + 1 : 0;
    const old = cell[0];
    if (old === 0) return;
    inputs.stateFresh = 0;
    if (inputs.lostInRow < old) inputs.lostInRow = old;
    if (inputs.invalidInRow < old) inputs.invalidInRow = old;
  }
}
