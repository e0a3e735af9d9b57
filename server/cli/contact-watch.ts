/** Onsets of observed contacts of a run without a loop, one line each. */
import { CONTACT_READOUT, ContactReadout, type System } from '../../src/system/system.ts';

/** Watches the observed contacts of a system after each step. */
export class ContactWatch {
  readonly #system: System;
  readonly #print: (words: string) => void;
  /** Observed contacts, and whether they touched at the last call. */
  readonly #touched: Map<number, boolean>;
  readonly #row = new Float64Array(CONTACT_READOUT.length);

  constructor(system: System, print: (words: string) => void) {
    this.#system = system;
    this.#print = print;
    const observed = system.model.contacts.flatMap((_, k) =>
      system.responseOf(k) === 'act' ? [] : [[k, false] as const],
    );
    this.#touched = new Map(observed);
  }

  /** Says which of them began since the last call. */
  note(): void {
    for (const [k, touched] of this.#touched) {
      this.#system.readContact(k, this.#row, 0);
      const touches = this.#row[ContactReadout.active] !== 0;
      if (touches && !touched) this.#tell(k);
      this.#touched.set(k, touches);
    }
  }

  #tell(k: number): void {
    const { name } = this.#system.model.contacts[k];
    const speed = this.#row[ContactReadout.impactSpeed].toPrecision(4);
    const alarm = this.#system.responseOf(k) === 'warn' ? ', a warning' : '';
    this.#print(`CONTACT_SEEN: ${name} at ${this.#system.time.toFixed(6)} s, ${speed} m/s${alarm}`);
  }
}
