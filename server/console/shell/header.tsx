/** The header: page, scenario, state. STOP stands first, so that one press of Tab reaches it. */
import type { ComponentChildren, JSX } from 'preact';
import type { PageEntry } from '../pages.ts';
import { openScenarios } from '../scenario/scenario-state.ts';
import { alarms, authority, connection, freshness, loopState, session, status } from '../store.ts';
import { AccessButton } from './access.tsx';
import { choice, nextChoice } from './scheme.ts';
import { StopButton } from './stop.tsx';
import { levelOf, SYMBOLS, words } from './words.ts';

export interface HeaderProps {
  readonly pages: readonly PageEntry[];
  readonly open: string;
}

export function Header({ pages, open }: HeaderProps): JSX.Element {
  return (
    <header class="bar">
      <StopButton />
      <div class="bar-top">
        <h1>Berth</h1>
        <nav aria-label="Pages">
          {pages.map(({ hash, title }) => (
            <a key={hash} href={hash} aria-current={hash === open ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <AccessButton />
        <button
          id="scheme"
          class="quiet"
          type="button"
          title="Colours: system, light, dark"
          onClick={nextChoice}
        >
          {{ system: '◐ system', light: '○ light', dark: '● dark' }[choice.value]}
        </button>
      </div>
      <div class="bar-state">
        <StateWord />
        <Facts />
      </div>
    </header>
  );
}

function StateWord(): JSX.Element {
  const state = loopState.value;
  const level = state === null ? 'none' : levelOf(state);
  const text =
    state !== null ? words(state) : connection.value === 'lost' ? 'no connection' : 'connecting';
  const title = `${text} – Berth`;
  if (document.title !== title) document.title = title;
  return (
    <p class="state" role="status" aria-label="State" data-level={level}>
      <span aria-hidden="true">{level === 'none' ? '╳' : SYMBOLS[level]}</span>{' '}
      <span id="state">{text}</span>
    </p>
  );
}

interface FactProps {
  readonly name: string;
  readonly level?: string;
  readonly children: ComponentChildren;
}

function Fact({ name, level = 'idle', children }: FactProps): JSX.Element {
  return (
    <p class={`fact fact-${name}`} data-level={level}>
      {children}
    </p>
  );
}

const CONNECTION_WORDS = { connecting: '◌ connecting', up: '● connected', lost: '╳ disconnected' };
const RECORDING_LEVELS: Readonly<Record<string, string>> = { failed: 'fault', fault: 'hold' };
const RECORDING_SYMBOLS: Readonly<Record<string, string>> = {
  recording: '●',
  armed: '◌',
  failed: '■',
  fault: '▲',
};

/** Scenario, robot and role; unusual values stand out. */
function Facts(): JSX.Element {
  const now = status.value;
  const recording = now?.recording?.state ?? 'off';
  const link = freshness.value === 'stale' && connection.value === 'up' ? '◔ stale' : null;
  return (
    <div class="facts" data-quality={freshness.value}>
      {now?.replay === true ? (
        <Fact name="banner" level="hold">
          ↻ Replay of a recording, nothing is live
        </Fact>
      ) : null}
      {now?.fault_injection === true ? (
        <Fact name="banner" level="hold">
          ▲ Fault injection is on
        </Fact>
      ) : null}
      {now?.profile?.name === 'try' ? (
        <Fact name="banner" level="warn">
          ◔ Profile try: {now.profile.period_s * 1e3} ms, for a busy machine
        </Fact>
      ) : null}
      <Fact name="scenario">
        <button
          id="scenario"
          type="button"
          title={`${now?.scenario ?? ''}: load another, or go back to the start`}
          onClick={openScenarios}
        >
          <span id="session">{now === null ? '—' : `${now.scenario} · ${now.mode} mode`}</span>{' '}
          <span aria-hidden="true">▾</span>
        </button>
      </Fact>
      <AlarmFact />
      <Fact name="recording" level={RECORDING_LEVELS[recording] ?? 'idle'}>
        {RECORDING_SYMBOLS[recording] ?? '○'} rec {recording}
      </Fact>
      <Fact name="holder">{holderWords()}</Fact>
      <Fact name="connection" level={connection.value === 'lost' ? 'lost' : 'idle'}>
        {link ?? CONNECTION_WORDS[connection.value]}
      </Fact>
    </div>
  );
}

function holderWords(): string {
  const { holder } = authority.value;
  if (holder === 0) return 'nobody flies';
  return holder === session.value ? 'this page flies' : `session ${holder} flies`;
}

function AlarmFact(): JSX.Element {
  const open = alarms.value.filter(({ active, acknowledged }) => active || !acknowledged);
  const critical = open.some(({ severity }) => severity === 'critical');
  const level = open.length === 0 ? 'idle' : critical ? 'fault' : 'hold';
  const count = open.length === 1 ? '1 alarm' : `${open.length} alarms`;
  return (
    <Fact name="alarms" level={level}>
      <a href="#/alarms">
        {open.length === 0 ? '○ no alarms' : `${critical ? '■' : '▲'} ${count}`}
      </a>
    </Fact>
  );
}
