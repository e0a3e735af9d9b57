/** STOP: a button on every page, and the space bar. */
import type { JSX } from 'preact';
import { actions } from '../store.ts';

const isText = (target: EventTarget | null): boolean =>
  (target instanceof HTMLInputElement &&
    !['checkbox', 'radio', 'range', 'button', 'submit'].includes(target.type)) ||
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLElement && target.isContentEditable);

/**
 * Stops at the space bar, except in a text field. The key is handled before anything on the page,
 * so that it does not press a focused button.
 */
export function stopBySpaceBar(): void {
  const swallow = (event: KeyboardEvent): boolean => {
    if (event.code !== 'Space' || isText(event.target)) return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  addEventListener(
    'keydown',
    (event) => {
      if (swallow(event) && !event.repeat) void actions.stop();
    },
    { capture: true },
  );
  addEventListener('keyup', swallow, { capture: true });
}

export function StopButton(): JSX.Element {
  return (
    <button
      id="stop"
      type="button"
      title="Controlled stop (space bar). Not a safety device: the robot’s own emergency stop is."
      onClick={() => void actions.stop()}
    >
      <span class="stop-word">STOP</span>
      <span class="stop-hint" aria-hidden="true">
        space bar
      </span>
    </button>
  );
}
