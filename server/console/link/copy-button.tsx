/** A button that puts a text on the clipboard and says whether it could. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { say } from '../store.ts';

const SHOWN_MS = 2000;

export interface CopyButtonProps {
  readonly text: string | (() => string);
  /** What is copied, for the name of the button. */
  readonly what: string;
}

export function CopyButton({ text, what }: CopyButtonProps): JSX.Element {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      // There is no clipboard on a page that came over plain HTTP from another machine.
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setDone(true);
      setTimeout(() => setDone(false), SHOWN_MS);
    } catch {
      say(`The browser did not give access to the clipboard; select the ${what} and copy it.`);
    }
  };
  return (
    <button type="button" onClick={() => void copy()} aria-label={`Copy ${what}`}>
      {done ? 'Copied' : 'Copy'}
    </button>
  );
}
