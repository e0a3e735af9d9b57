/**
 * List of the last contacts from the energy audit of the newest rows: energy in, out and created,
 * restitution predicted and measured on both sides. The audit keeps a contact until the next one,
 * so occasional samples suffice.
 */
import type { LoopEnergyStatus } from '../../client/messages.ts';
import { mergeLimits } from './validity.ts';

/** One contact. */
export interface ContactRecord {
  readonly number: number;
  /** Start of the contact on this page, ms of the Unix epoch. */
  readonly at_ms: number;
  readonly in_J: number;
  readonly out_J: number;
  readonly created_J: number;
  readonly peak_force_N: number;
  /** Limits of the model that it exceeded, as `contact.validity` has them. */
  readonly validity: readonly string[];
  /** Prediction during the contact: without compensation, and with the setting of the loop. */
  readonly predicted: number | null;
  readonly predicted_active: number | null;
  /** Restitution of both sides; null during the contact, and after an approach too slow for a measurement. */
  readonly sim: number | null;
  readonly hardware: number | null;
}

/** Contact data of one message. */
export interface ContactSample {
  readonly tick: number;
  /** Clock of this page, ms of the Unix epoch. */
  readonly at_ms: number;
  readonly touching: boolean;
  readonly force_N: number;
  readonly validity: readonly string[];
  readonly energy: Pick<LoopEnergyStatus, 'audit' | 'prediction'>;
}

export const CONTACTS_KEPT = 20;
/** Time without touch after which a contact has ended, ms: longer than the contact-free ticks of the audit. */
const CLOSED_MS = 500;
/** Rounding of the sum of created energy. */
const SHARE = 1e-9;

type Audit = LoopEnergyStatus['audit'];

export class ContactBook {
  #present: ContactRecord | null = null;
  #finished: readonly ContactRecord[] = [];
  #last: ContactSample | null = null;
  #touched_ms = -Infinity;
  #opening: Audit | null = null;
  #number = 0;

  /** The present contact. */
  get present(): ContactRecord | null {
    return this.#present;
  }

  /** Ended contacts, newest first. */
  get finished(): readonly ContactRecord[] {
    return this.#finished;
  }

  /** Adds a sample; late ones are ignored. @returns whether there is something new to show */
  take(sample: ContactSample): boolean {
    const last = this.#last;
    if (last !== null && sample.tick <= last.tick) {
      if (sample.tick > last.tick - 1000) return false;
      this.#restart(); // another loop counts from zero
    }
    const opened = this.#last === null ? sample.touching : isAnother(this.#last, sample);
    this.#last = sample;
    if (opened) {
      this.#close(sample.energy.audit);
      this.#open(sample);
    }
    if (this.#present === null) return opened;
    this.#update(sample);
    if (sample.touching) this.#touched_ms = sample.at_ms;
    const { audit } = sample.energy;
    if (!opened && this.#hasNewRestitution(audit)) this.#close(audit);
    else if (sample.at_ms - this.#touched_ms >= CLOSED_MS) this.#close(audit);
    return true;
  }

  /** The audit updates the restitutions when a contact ends. */
  #hasNewRestitution(audit: Audit): boolean {
    const before = this.#opening;
    return (
      before !== null &&
      (audit.restitution_sim !== before.restitution_sim ||
        audit.restitution_hw !== before.restitution_hw)
    );
  }

  #open(sample: ContactSample): void {
    const { prediction } = sample.energy;
    this.#opening = sample.energy.audit;
    this.#touched_ms = sample.at_ms;
    this.#present = {
      number: ++this.#number,
      at_ms: sample.at_ms,
      in_J: 0,
      out_J: 0,
      created_J: 0,
      peak_force_N: 0,
      validity: [],
      predicted: prediction.restitution,
      predicted_active: prediction.restitution_active,
      sim: null,
      hardware: null,
    };
  }

  #update({ energy, touching, force_N, validity }: ContactSample): void {
    const { audit, prediction } = energy;
    const before = this.#present!;
    this.#present = {
      ...before,
      in_J: audit.in_J,
      out_J: audit.out_J,
      created_J: audit.created_J,
      peak_force_N: Math.max(before.peak_force_N, force_N),
      validity: mergeLimits(before.validity, validity),
      // the direction of the contact is known during the touch
      predicted: touching ? prediction.restitution : before.predicted,
      predicted_active: touching ? prediction.restitution_active : before.predicted_active,
    };
  }

  #close({ restitution_sim, restitution_hw }: Audit): void {
    if (this.#present === null) return;
    const record = { ...this.#present, sim: restitution_sim, hardware: restitution_hw };
    this.#finished = [record, ...this.#finished].slice(0, CONTACTS_KEPT);
    this.#present = null;
  }

  #restart(): void {
    this.#present = null;
    this.#last = null;
    this.#touched_ms = -Infinity;
  }
}

/**
 * Whether a new contact began. The audit restarts with each contact; the energy created by earlier
 * ones stays constant during one.
 */
function isAnother(last: ContactSample, now: ContactSample): boolean {
  const [a, b] = [last.energy.audit, now.energy.audit];
  if (b.in_J < a.in_J || b.out_J < a.out_J) return true;
  const [before, after] = [a.created_total_J - a.created_J, b.created_total_J - b.created_J];
  const moved = Math.abs(after - before) > SHARE * (1 + Math.abs(b.created_total_J));
  // the first contact of a loop restarts nothing
  return moved || (a.in_J === 0 && a.out_J === 0 && now.touching && !last.touching);
}
