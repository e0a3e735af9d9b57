/** The open page: the part of the address behind `#`, and what it is to show, behind `?`. */
import { computed, signal, type ReadonlySignal } from '@preact/signals';

const HOME = '#/fly';
const current = signal(location.hash === '' ? HOME : location.hash);
addEventListener('hashchange', () => {
  current.value = location.hash === '' ? HOME : location.hash;
});

/** Shift is the deadman. A browser opens a link that is clicked with it in another window, which would take the keys from the flight. */
addEventListener('click', (event) => {
  if (!event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
  const link = (event.target as Element).closest('a[href^="#"]');
  if (link === null) return;
  event.preventDefault();
  location.hash = link.getAttribute('href') ?? HOME;
});

/** Hash of the open page, `#/fly` by default. */
export const hash: ReadonlySignal<string> = computed(() => current.value.split('?')[0]);

/** What the address names behind the page: `#/alarms?code=FORCE_LIMIT`. */
export const hashOptions: ReadonlySignal<URLSearchParams> = computed(
  () => new URLSearchParams(current.value.split('?')[1] ?? ''),
);
