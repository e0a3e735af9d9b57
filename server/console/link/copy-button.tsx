/** A button that copies a text to the clipboard and shows whether that worked. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { notify } from '../store.ts';

const SHOWN_MS = 2000;

export interface CopyButtonProps {
  readonly text: string | (() => string);
  /** Name of the copied text, for the name of the button. */
  readonly what: string;
}

export function CopyButton({ text, what }: CopyButtonProps): JSX.Element {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      // a page over plain HTTP from another machine has no clipboard
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setDone(true);
      setTimeout(() => setDone(false), SHOWN_MS);
    } catch {
      notify(`The browser did not give access to the clipboard; select the ${what} and copy it.`);
    }
  };
  return (
    <button type="button" onClick={() => void copy()} aria-label={`Copy ${what}`}>
      {done ? 'Copied' : 'Copy'}
    </button>
  );
}
