/**
 * States of recordings from before CONTACT_CROSSED: without its input and its condition, which a load sets to 0. All other slots are the
 * same, in the same order.
 */
import { layoutText } from '../contract/state-layout.ts';
import { layoutNumber, type TickState } from '../loop/tick-state.ts';

/** Slots that are new since then, or one number longer: their last number. */
const GROWN = ['inputs.contactCrossed', 'machine.conditions'];

/** The layout of before, for the state of a tick of this build. */
export class OlderState {
  readonly layout: number;
  readonly text: string;
  readonly length: number;
  /** Places of the added numbers, rising. */
  readonly #places: readonly number[];

  constructor(state: TickState) {
    const slots = state.slots.map((slot) => {
      const last = slot.start + slot.length - 1;
      return { ...slot, added: GROWN.includes(slot.name) ? last : null };
    });
    this.#places = slots.flatMap(({ added }) => (added === null ? [] : [added]));
    this.length = state.stateLength - this.#places.length;
    this.layout = layoutNumber(
      state.spans.map(
        ({ start, length }) =>
          length - this.#places.filter((at) => at >= start && at < start + length).length,
      ),
    );
    const lines = layoutText(state).split('\n');
    this.text = lines
      .flatMap((line, k) => {
        const { name, length, added } = slots[k];
        if (added === null) return [line];
        return length === 1 ? [] : [`${name} ${length - 1}`];
      })
      .join('\n');
  }

  /** Whether a recorded state is one of before. */
  matches(recorded: Float64Array): boolean {
    return recorded.length === this.length && recorded[0] === this.layout;
  }

  /** A state of before as one of this build. */
  renew(recorded: Float64Array, layout: number): Float64Array {
    const out = new Float64Array(this.length + this.#places.length);
    let from = 0;
    for (let at = 0; at < out.length; at++) {
      if (!this.#places.includes(at)) out[at] = recorded[from++];
    }
    out[0] = layout;
    return out;
  }
}
