/** STOP: a button that is always there, and the space bar on every page. */
import type { JSX } from 'preact';
import { actions } from '../store.ts';

const isText = (target: EventTarget | null): boolean =>
  (target instanceof HTMLInputElement &&
    !['checkbox', 'radio', 'range', 'button', 'submit'].includes(target.type)) ||
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLElement && target.isContentEditable);

/**
 * Stop at the space bar, whatever has the focus but a text field. The key is taken before anything on the page sees it, so that a
 * focused button is not pressed by it too.
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
