/**
 * A dialog over the page, but not over STOP; the space bar stays STOP. It takes the focus and
 * returns it; Escape closes it.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface DialogProps {
  /** Stem of its class and of the ids of title and sentence. */
  readonly name: string;
  readonly title: ComponentChildren;
  readonly sentence: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ name, title, sentence, close, children }: DialogProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <div
      ref={box}
      class={`dialog ${name}-dialog panel`}
      role="dialog"
      aria-labelledby={`${name}-title`}
      aria-describedby={`${name}-sentence`}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <h2 id={`${name}-title`}>{title}</h2>
      <p id={`${name}-sentence`}>{sentence}</p>
      {children}
    </div>
  );
}
