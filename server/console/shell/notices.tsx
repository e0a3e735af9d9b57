/** The line under the header for urgent messages. Its space stays when it is empty, so that no button moves. */
import { computed } from '@preact/signals';
import type { JSX } from 'preact';
import { connection, feedState, keyNeeded, notices, notification, status } from '../store.ts';
import { injectedLately, injectedSentence } from './injected.ts';

/** Reason why no value on the page is current; '' while they are. */
const loss = computed(() => {
  if (keyNeeded.value) return 'This service asks for a role key: enter it under Access.';
  if (connection.value !== 'lost') return '';
  const robot = 'STOP may not reach the robot: use its own emergency stop.';
  if (feedState.value === 'standing') {
    return `The loop has stopped; the figures below are its last. ${robot}`;
  }
  return `Connection to the service lost; figures are the last received. ${robot} Connecting again …`;
});

/** Recomputed with every status. */
const injected = computed(() =>
  injectedSentence(injectedLately(status.value?.injected ?? [], notices.value, Date.now())),
);

export function Notices(): JSX.Element {
  const lost = loss.value !== '';
  return (
    <div class="notices">
      <p id="connection" class="line" data-level="lost" role="alert" hidden={!lost}>
        {loss.value}
      </p>
      <p id="injected" class="line" data-level="warn" role="status" hidden={injected.value === ''}>
        {injected.value}
      </p>
      <p id="notice" class="line" data-level={notification.value.level} role="alert">
        {notification.value.text}
      </p>
    </div>
  );
}
