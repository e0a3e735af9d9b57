/** A sentence in which keys stand in square brackets: "hold [D]". */
import type { JSX } from 'preact';

export function KeyText({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {text
        .split(/\[([^\]]+)\]/)
        .map((part, i) => (i % 2 === 1 ? <kbd key={i}>{part}</kbd> : part))}
    </>
  );
}
