/** A panel: titled region of a page. */
import type { ComponentChildren, JSX } from 'preact';

export interface PanelProps {
  /** Also the stem of the id of the title. */
  readonly name: string;
  readonly title: string;
  /** Content beside the title, at the right. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Panel({ name, title, aside, children }: PanelProps): JSX.Element {
  const heading = `h-${name}`;
  return (
    <section class={`panel panel-${name}`} aria-labelledby={heading}>
      <header class="panel-head">
        <h2 id={heading}>{title}</h2>
        {aside === undefined ? null : <div class="panel-aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}
