/** Light or dark colours: those of the system, until one is selected. This browser stores the selection. */
import { computed, effect, signal } from '@preact/signals';

export type Choice = 'system' | 'light' | 'dark';
const CHOICES: readonly Choice[] = ['system', 'light', 'dark'];
const PLACE = 'berth.scheme';

function stored(): Choice {
  try {
    return CHOICES.find((choice) => choice === localStorage.getItem(PLACE)) ?? 'system';
  } catch {
    return 'system'; // storage is off
  }
}

const query = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(query.matches);
query.addEventListener('change', () => (systemIsDark.value = query.matches));

export const choice = signal<Choice>(stored());
/** The displayed scheme. */
export const scheme = computed<'light' | 'dark'>(() => {
  if (choice.value !== 'system') return choice.value;
  return systemIsDark.value ? 'dark' : 'light';
});

/** Selects the next of system, light, dark. */
export function nextChoice(): void {
  const next = CHOICES[(CHOICES.indexOf(choice.value) + 1) % CHOICES.length];
  choice.value = next;
  try {
    localStorage.setItem(PLACE, next);
  } catch {
    // it is valid for this page
  }
}

effect(() => {
  document.documentElement.dataset['scheme'] = scheme.value;
});
