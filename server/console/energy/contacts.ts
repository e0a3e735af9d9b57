/** Keeps the list of contacts while the page is open. */
import { effect, signal } from '@preact/signals';
import type { ContactStatus, LoopEnergyStatus } from '../../client/messages.ts';
import { feed } from '../feed.ts';
import { status } from '../store.ts';
import { ContactBook, type ContactRecord } from './contact-book.ts';

const SHOW_MS = 100;

const book = new ContactBook();

/** The present contact, and the ended ones, newest first. */
export const contacts = signal<{
  readonly present: ContactRecord | null;
  readonly finished: readonly ContactRecord[];
}>({ present: null, finished: [] });

let changed = false;
function take(
  tick: number,
  contact: ContactStatus,
  energy: LoopEnergyStatus,
  force_N = contact.normal_force_N,
): void {
  const sample = {
    tick,
    at_ms: Date.now(),
    touching: contact.active > 0,
    force_N,
    validity: contact.validity,
    energy,
  };
  if (book.take(sample)) changed = true;
}

feed.on(({ state, contact, loop_energy, peak }) => {
  if (state === undefined || contact === undefined || loop_energy === undefined) return;
  take(state.tick, contact, loop_energy, peak.normal_force_N);
});
effect(() => {
  const { tick, contact, loop_energy } = status.value ?? {};
  if (tick === undefined || contact === undefined || loop_energy === undefined) return;
  take(tick, contact, loop_energy);
});
setInterval(() => {
  if (!changed) return;
  changed = false;
  contacts.value = { present: book.present, finished: book.finished };
}, SHOW_MS);
