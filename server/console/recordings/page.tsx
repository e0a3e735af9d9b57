/** Recordings: what there is, what is kept, download, and replay. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { MarkedFault } from '../../../hil/contract/file-summary.ts';
import type { ListedRecording } from '../../contract/recordings.ts';
import { Panel } from '../shell/panel.tsx';
import { cause } from '../shell/words.ts';
import { access } from '../store.ts';
import './recordings.css';
import { Replay } from './replay.ts';
import { ReplayPanel } from './replay-panel.tsx';
import { download, linkOf, list, pathOf, pin, refresh, trouble } from './shelf.ts';
import { fate, flightWords, freezeWords, KIND_WORDS, moment, size, span } from './words.ts';

/** Time between two readings of the folder, ms. */
const AGAIN_MS = 5000;

/** The recording that is shown; null for none. */
const shown = signal<Replay | null>(null);

function show(name: string): void {
  shown.value?.close();
  shown.value = new Replay(name, pathOf(name));
}

function close(): void {
  shown.value?.close();
  shown.value = null;
}

export function RecordingsPage(): JSX.Element {
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => void refresh(), AGAIN_MS);
    return () => {
      clearInterval(timer);
      close();
    };
  }, []);
  const replay = shown.value;
  return (
    <>
      {replay === null ? null : <ReplayPanel key={replay.name} replay={replay} close={close} />}
      <Kept />
      <List />
    </>
  );
}

function Kept(): JSX.Element {
  const known = list.value;
  return (
    <Panel name="kept" title="What is kept">
      {known === null ? (
        <p class="hint">{trouble.value || 'Reading the folder.'}</p>
      ) : (
        <>
          <meter
            aria-label="Room in use by flights"
            min={0}
            max={known.kept.room_bytes}
            value={known.kept.flight_bytes}
          />
          <p>{flightWords(known.kept)}</p>
          <p>{freezeWords(known.kept)}</p>
          <p class="hint">
            Files are in <code>{known.folder}</code>. A recording that you keep is never removed and
            does not count.
          </p>
        </>
      )}
    </Panel>
  );
}

function List(): JSX.Element {
  const known = list.value;
  return (
    <Panel name="recordings" title="Recordings">
      {trouble.value === '' ? null : (
        <p class="hint" role="alert">
          {trouble.value}
        </p>
      )}
      <div class="scroll" tabIndex={0} role="group" aria-label="Recordings">
        <table>
          <thead>
            <tr>
              <th scope="col">Begun</th>
              <th scope="col">Scenario</th>
              <th scope="col">What</th>
              <th scope="col" class="number">
                Length
              </th>
              <th scope="col">Faults</th>
              <th scope="col" class="number">
                Size
              </th>
              <th scope="col">Kept</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {known?.recordings.map((recording) => (
              <Row key={recording.name} recording={recording} />
            ))}
          </tbody>
        </table>
        {known?.recordings.length === 0 ? (
          <p class="hint">No recordings yet: the service writes one while it runs.</p>
        ) : null}
        {(known?.more ?? 0) > 0 ? (
          <p class="hint">{known?.more} older files are not listed.</p>
        ) : null}
      </div>
    </Panel>
  );
}

function Row({ recording }: { readonly recording: ListedRecording }): JSX.Element {
  const { name, kind, bytes, pinned, summary, trouble: why, next } = recording;
  return (
    <tr data-next={next} data-shown={shown.value?.name === name}>
      <td title={name}>{summary === null ? name : moment(summary.start_ms)}</td>
      <td>{summary === null ? why : `${summary.scenario}, ${summary.mode}`}</td>
      <td>{KIND_WORDS[kind]}</td>
      <td class="number">{summary === null ? '—' : span(summary.length_s)}</td>
      <td>{summary === null ? '—' : <Faults faults={summary.faults} />}</td>
      <td class="number">{size(bytes)}</td>
      <td>
        <span class="fate">{fate(recording)}</span>
        {kind === 'other' ? null : (
          <button
            type="button"
            aria-pressed={pinned}
            disabled={access.value.role === 'viewer'}
            aria-label={`${pinned ? 'Do not keep' : 'Keep'} ${name}`}
            onClick={() => void pin(name, !pinned)}
          >
            {pinned ? 'Release' : 'Keep'}
          </button>
        )}
      </td>
      <td class="actions">
        <button
          type="button"
          disabled={summary === null}
          aria-label={`Replay ${name}`}
          onClick={() => show(name)}
        >
          Replay
        </button>
        <Download name={name} />
      </td>
    </tr>
  );
}

/** Codes, each once, with how often. */
function Faults({ faults }: { readonly faults: readonly MarkedFault[] }): JSX.Element {
  const counts = new Map<string, number>();
  for (const { code } of faults) counts.set(code, (counts.get(code) ?? 0) + 1);
  if (counts.size === 0) return <>none</>;
  return (
    <>
      {[...counts].map(([code, count]) => (
        <a key={code} class="fault" href={`#/alarms?code=${code}`} title={cause(code)}>
          {count > 1 ? `${count} × ` : ''}
          {code}
        </a>
      ))}
    </>
  );
}

function Download({ name }: { readonly name: string }): JSX.Element {
  const link = linkOf(name);
  const label = `Download ${name}`;
  return link === null ? (
    <button type="button" aria-label={label} onClick={() => void download(name)}>
      Download
    </button>
  ) : (
    <a class="button" href={link} download={name} aria-label={label}>
      Download
    </a>
  );
}
