/** The open page: the part of the address behind `#`, and what it is to show, behind `?`. */
import { computed, signal, type ReadonlySignal } from '@preact/signals';

const HOME = '#/fly';
const current = signal(location.hash === '' ? HOME : location.hash);
addEventListener('hashchange', () => {
  current.value = location.hash === '' ? HOME : location.hash;
});

/** Hash of the open page, `#/fly` by default. */
export const hash: ReadonlySignal<string> = computed(() => current.value.split('?')[0]);

/** What the address names behind the page: `#/alarms?code=FORCE_LIMIT`. */
export const hashOptions: ReadonlySignal<URLSearchParams> = computed(
  () => new URLSearchParams(current.value.split('?')[1] ?? ''),
);
