/** Studies of the service: how far each is, start and stop, its report and its runs that stand out. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { post } from '../../client/wire.ts';
import type { ListedStudy, StudyList } from '../../contract/studies.ts';
import { Replay } from '../recordings/replay.ts';
import { ReplayPanel } from '../recordings/replay-panel.tsx';
import { download } from '../recordings/shelf.ts';
import { Panel } from '../shell/panel.tsx';
import { access, CLIENT_NAME, get, notify, ORIGIN } from '../store.ts';
import '../recordings/recordings.css';

/** Time between two readings of the folder, ms. */
const AGAIN_MS = 2000;
const PATIENCE_MS = 60_000;

const list = signal<StudyList | null>(null);
const trouble = signal('');
/** The run that is shown; null for none. */
const shown = signal<Replay | null>(null);
let reading = false;

async function refresh(): Promise<void> {
  if (reading) return;
  reading = true;
  try {
    list.value = await get<StudyList>('/api/studies', PATIENCE_MS);
    trouble.value = '';
  } catch (error) {
    trouble.value = `The studies could not be read: ${(error as Error).message}`;
  } finally {
    reading = false;
  }
}

const pathOf = (name: string): string => `/api/studies/${encodeURIComponent(name)}`;

async function command(name: string, verb: 'start' | 'stop'): Promise<void> {
  const { key } = access.peek();
  try {
    await post({ url: ORIGIN, key, name: CLIENT_NAME }, `${pathOf(name)}/${verb}`, {});
    notify('', 'info');
  } catch (error) {
    notify(`Study ${name}: ${(error as Error).message}`);
  }
  await refresh();
}

function show(path: string | null, name = ''): void {
  shown.value?.close();
  shown.value = path === null ? null : new Replay(name, path);
}

export function StudiesPage(): JSX.Element {
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => void refresh(), AGAIN_MS);
    return () => {
      clearInterval(timer);
      show(null);
    };
  }, []);
  const replay = shown.value;
  const known = list.value;
  return (
    <>
      {replay === null ? null : (
        <ReplayPanel key={replay.path} replay={replay} close={() => show(null)} />
      )}
      <Panel name="studies" title="Studies">
        {trouble.value === '' ? null : (
          <p class="hint" role="alert">
            {trouble.value}
          </p>
        )}
        {known?.studies.map((study) => (
          <Study
            key={study.name}
            study={study}
            busy={known.studies.some(({ running }) => running)}
          />
        ))}
        {known === null ? null : (
          <p class="hint">
            {known.studies.length === 0 ? 'No study yet. ' : ''}
            Study files (<code>NAME.yaml</code>) and their results are in{' '}
            <code>{known.folder}</code>. One runs at a time, at the lowest priority.
          </p>
        )}
      </Panel>
    </>
  );
}

interface StudyProps {
  readonly study: ListedStudy;
  /** One runs, this or another. */
  readonly busy: boolean;
}

function Study({ study, busy }: StudyProps): JSX.Element {
  const { name, runnable, planned, running, report, notable, trouble: why } = study;
  const done = Math.min(study.done, planned ?? 0);
  const isViewer = access.value.role === 'viewer';
  return (
    <section class="study" aria-label={name}>
      <h3>{name}</h3>
      <p class="study-state">
        {planned === null ? 'not planned yet' : `${done} of ${planned} runs`}
        {running ? ', running' : ''}
      </p>
      {planned === null ? null : (
        <meter aria-label={`Runs of ${name} with a result`} min={0} max={planned} value={done} />
      )}
      {why === '' ? null : (
        <p class="hint" role="alert">
          {why}
        </p>
      )}
      <div class="actions">
        {running ? (
          <button type="button" disabled={isViewer} onClick={() => void command(name, 'stop')}>
            Stop
          </button>
        ) : (
          <button
            type="button"
            disabled={isViewer || busy || !runnable}
            onClick={() => void command(name, 'start')}
          >
            {done > 0 && done < (planned ?? 0) ? 'Go on' : 'Run'}
          </button>
        )}
        {report ? <Report name={name} /> : null}
        {notable.map((file) => (
          <button
            key={file}
            type="button"
            onClick={() => show(`${pathOf(name)}/notable/${file}`, `${name}, ${file}`)}
          >
            Replay {file.replace(/-[0-9a-f]{8}[.]mcap$/, '')}
          </button>
        ))}
      </div>
    </section>
  );
}

/** A link cannot carry a key: then the report is a download. */
function Report({ name }: { readonly name: string }): JSX.Element {
  const path = `${pathOf(name)}/report.html`;
  return access.value.key === '' ? (
    <a class="button" href={path} target="_blank" rel="noopener">
      Report
    </a>
  ) : (
    <button type="button" onClick={() => void download(`${name}.html`, path)}>
      Download report
    </button>
  );
}
