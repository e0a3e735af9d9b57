/** The open page: the part of the address behind `#`. */
import { signal, type ReadonlySignal } from '@preact/signals';

const HOME = '#/fly';
const current = signal(location.hash === '' ? HOME : location.hash);
addEventListener('hashchange', () => {
  current.value = location.hash === '' ? HOME : location.hash;
});

/** Hash of the open page, `#/fly` by default. */
export const hash: ReadonlySignal<string> = current;
