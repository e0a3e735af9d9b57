/** The event log of this page, kept while the page is open. */
import { effect, signal, untracked } from '@preact/signals';
import { authority, connection, notices, session } from '../store.ts';
import { authorityWords, type LogLine, noticeWords } from './log-lines.ts';

/** Largest number of lines. */
const KEPT = 500;

/** Lines, oldest first. */
export const log = signal<readonly LogLine[]>([]);
let nextKey = 1;

function add(...lines: readonly Omit<LogLine, 'key'>[]): void {
  const keyed = lines.map((line) => ({ ...line, key: nextKey++ }));
  log.value = [...log.peek(), ...keyed].slice(-KEPT);
}

let newest = 0;
effect(() => {
  const fresh = notices.value.filter(({ key }) => key > newest);
  if (fresh.length === 0) return;
  newest = fresh.at(-1)!.key;
  add(
    ...fresh.map(({ at_ms, notice }) => ({
      kind: notice.name,
      at_ms,
      time_s: notice.time_s,
      text: noticeWords(notice),
    })),
  );
});

let holder = 0;
effect(() => {
  const now = authority.value.holder;
  if (now === holder) return;
  holder = now;
  const text = authorityWords(
    now,
    untracked(() => session.value),
  );
  add({ kind: 'authority', at_ms: Date.now(), time_s: null, text });
});

const CONNECTION_WORDS = {
  connecting: 'This page is connecting.',
  up: 'This page is connected to the service.',
  lost: 'This page lost the service, or the loop stopped; events since are missing.',
} as const;
effect(() => {
  add({
    kind: 'connection',
    at_ms: Date.now(),
    time_s: null,
    text: CONNECTION_WORDS[connection.value],
  });
});
