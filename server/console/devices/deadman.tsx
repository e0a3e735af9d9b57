/** The deadman on the page: lamp, button, and the reason why a pressed one does not count. */
import type { JSX } from 'preact';
import { authority, holding, operator, session } from '../store.ts';
import { Lamp } from './controls.tsx';
import { tripWords } from './device-words.ts';
import { feed, inUse, follow, mayFly, station } from './hand.ts';

/** Reason why this page may not fly; '' when it may. */
export function whyNotHolder(): string {
  if (holding.value) return '';
  if (session.value === 0) return 'This page has no operator connection: it can only watch.';
  const { holder } = authority.value;
  if (holder === 0) return 'Nobody holds authority: request it to fly.';
  return `Session ${holder} holds authority: this page can only watch and stop.`;
}

/** Reason why the deadman of this page does not count; '' when it does. */
export function whyDeadman(): string {
  if (feed.device === null) return 'The chosen hand controller is not connected.';
  if (feed.reading === null) return 'The hand controller is silent: the axes count as centred.';
  if (!mayFly()) return 'This page has not the focus: click into it.';
  const trip = station.value?.trip ?? null;
  return trip === null ? '' : tripWords(trip, feed.device.kind);
}

/** Button that holds while a pointer, or Enter, is down on it. */
function HoldButton(): JSX.Element {
  const let_go = (): void => {
    feed.heldOnPage = false;
  };
  return (
    <button
      type="button"
      id="deadman-hold"
      class="deadman-hold"
      disabled={!holding.value || inUse.value === null}
      onPointerDown={(event) => {
        // the first touched element captures a finger, and then gets no event when it leaves
        event.currentTarget.releasePointerCapture(event.pointerId);
        if (event.button === 0) feed.heldOnPage = true;
      }}
      onPointerUp={let_go}
      onPointerCancel={let_go}
      onPointerLeave={let_go}
      onKeyDown={(event) => {
        if (event.code === 'Enter') feed.heldOnPage = true;
      }}
      onKeyUp={(event) => {
        if (event.code === 'Enter') let_go(); // other keys control the arm while a pointer holds
      }}
      onBlur={let_go}
      onContextMenu={(event) => event.preventDefault()}
    >
      Hold to fly
    </button>
  );
}

export function Deadman(): JSX.Element {
  follow();
  const sent = operator.value?.hand.deadman === true && holding.value;
  const why = whyNotHolder() || whyDeadman();
  return (
    <div class="deadman">
      <div>
        <Lamp id="deadman-lamp" lit={sent} text={sent ? 'Deadman held' : 'Deadman released'} />
        <p class="deadman-why" id="deadman-why">
          {why}
        </p>
      </div>
      <HoldButton />
    </div>
  );
}
