/** The event log with its filter, newest first. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { CopyButton } from '../link/copy-button.tsx';
import { Panel } from '../shell/panel.tsx';
import { fixed } from '../shell/words.ts';
import { log } from './log.ts';
import { clockTime, KIND_WORDS, LOG_KINDS, type LogKind, logText } from './log-lines.ts';

/** Hidden kinds; they stay hidden while other pages are open. */
const hidden = signal<ReadonlySet<LogKind>>(new Set());

function toggle(kind: LogKind): void {
  const next = new Set(hidden.value);
  if (!next.delete(kind)) next.add(kind);
  hidden.value = next;
}

export function EventLog(): JSX.Element {
  const lines = log.value.filter(({ kind }) => !hidden.value.has(kind));
  return (
    <Panel
      name="events"
      title="Events since this page was opened"
      aside={<CopyButton text={() => logText(lines)} what="events" />}
    >
      <div class="filter" role="group" aria-label="Kinds of event shown">
        {LOG_KINDS.map((kind) => (
          <button
            key={kind}
            type="button"
            aria-pressed={!hidden.value.has(kind)}
            onClick={() => toggle(kind)}
          >
            {KIND_WORDS[kind]}
          </button>
        ))}
      </div>
      <div class="scroll" tabIndex={0} role="group" aria-label="Events">
        <table>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col" class="number">
                Loop time
              </th>
              <th scope="col">Kind</th>
              <th scope="col">Event</th>
            </tr>
          </thead>
          <tbody>
            {lines.toReversed().map(({ key, at_ms, time_s, kind, text }) => (
              <tr key={key}>
                <td>
                  <time dateTime={new Date(at_ms).toISOString()}>{clockTime(at_ms)}</time>
                </td>
                <td class="number">{time_s === null ? '—' : `${fixed(time_s, 3)} s`}</td>
                <td>{KIND_WORDS[kind]}</td>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {lines.length === 0 ? <p class="hint">Nothing that the filter shows.</p> : null}
      </div>
    </Panel>
  );
}
