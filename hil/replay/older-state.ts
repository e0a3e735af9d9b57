/**
 * States of recordings from before CONTACT_CROSSED and `contact_validity`: without the input and the condition of the one, and without what is kept
 * for the other. The replay goes on with its own. All other slots are the same, in the same order.
 */
import { layoutText } from '../contract/state-layout.ts';
import { layoutNumber, type TickState } from '../loop/tick-state.ts';

/** Slots that are one number longer since then: their last number. */
const GROWN = ['machine.conditions'];
/** Slots that are new since then. */
const NEW = ['inputs.contactCrossed', 'record.validity', 'record.lastColumns'];

/** Numbers at the end of a slot that it had not before. */
function addedTo({ name, length }: { readonly name: string; readonly length: number }): number {
  if (NEW.includes(name)) return length;
  return GROWN.includes(name) ? 1 : 0;
}

/** The layout of before, for the state of a tick of this build. */
export class OlderState {
  readonly layout: number;
  readonly text: string;
  readonly length: number;
  /** Places of the added numbers. */
  readonly #places: ReadonlySet<number>;

  constructor(state: TickState) {
    const slots = state.slots.map((slot) => ({ ...slot, added: addedTo(slot) }));
    const places = slots.flatMap(({ start, length, added }) =>
      Array.from({ length: added }, (_, k) => start + length - added + k),
    );
    this.#places = new Set(places);
    this.length = state.stateLength - places.length;
    this.layout = layoutNumber(
      state.spans.map(
        ({ start, length }) =>
          length - places.filter((at) => at >= start && at < start + length).length,
      ),
    );
    const lines = layoutText(state).split('\n');
    this.text = lines
      .flatMap((line, k) => {
        const { name, length, added } = slots[k];
        if (added === 0) return [line];
        return NEW.includes(name) ? [] : [`${name} ${length - added}`];
      })
      .join('\n');
  }

  /** Whether a recorded state is one of before. */
  matches(recorded: Float64Array): boolean {
    return recorded.length === this.length && recorded[0] === this.layout;
  }

  /** A state of before as one of this build; the numbers that it has not are those of `own`. */
  renew(recorded: Float64Array, own: Float64Array): Float64Array {
    const out = own.slice();
    let from = 1; // the first number is the layout
    for (let at = 1; at < out.length; at++) {
      if (!this.#places.has(at)) out[at] = recorded[from++];
    }
    return out;
  }
}
