/** Holder of authority, requests for it, and the age of the holder's input. */
import type { JSX } from 'preact';
import { Panel } from '../shell/panel.tsx';
import { Duration, Word } from '../shell/value.tsx';
import { actions, authority, holding, session, status, welcome } from '../store.ts';

/** Name of a session. */
function named(number: number): string {
  if (number === 0) return 'nobody';
  return number === session.value ? `this page (session ${number})` : `session ${number}`;
}

export function AuthorityPanel(): JSX.Element {
  const { holder, asking, clients } = authority.value;
  const input = status.value?.operator;
  return (
    <Panel name="authority" title="Authority" aside={<Aside clients={clients} />}>
      <dl class="who">
        <dt>Holder</dt>
        <dd>
          <Word id="holder" text={named(holder)} />
        </dd>
        <dt>Deadman</dt>
        <dd>
          <Word
            id="deadman"
            text={input === undefined ? '—' : input.deadman ? '● pressed' : '○ released'}
          />
        </dd>
        <dt>Input</dt>
        <dd>
          <Duration id="input-age" seconds={holder === 0 ? null : input?.input_age_s} />
        </dd>
      </dl>
      {holding.value && asking !== 0 ? <Asked by={asking} /> : null}
    </Panel>
  );
}

/** Number of stations, and what may be done about authority that is held. */
function Aside({ clients }: { readonly clients: number }): JSX.Element {
  return (
    <span class="authority-aside">
      {clients > 0 ? <span>{clients === 1 ? '1 client' : `${clients} clients`}</span> : null}
      {holding.value ? (
        <button
          id="release"
          class="quiet"
          type="button"
          onClick={() => void actions.releaseAuthority()}
        >
          Release
        </button>
      ) : null}
      {!holding.value && welcome.value?.role === 'supervisor' && authority.value.holder !== 0 ? (
        <button
          id="take-over"
          class="quiet"
          type="button"
          title="Only while nothing can move."
          onClick={() => void actions.requestAuthority(true)}
        >
          Take over
        </button>
      ) : null}
    </span>
  );
}

function Asked({ by }: { readonly by: number }): JSX.Element {
  return (
    <div class="row" role="group" aria-label="Authority">
      <strong class="asks">Session {by} asks</strong>
      <button id="grant" type="button" onClick={() => void actions.grantAuthority()}>
        Grant
      </button>
      <button id="deny" type="button" onClick={() => void actions.denyAuthority()}>
        Deny
      </button>
    </div>
  );
}

/** Asks for authority; it stands in the checklist. */
export function RequestButton(): JSX.Element {
  const { holder, asking } = authority.value;
  const waiting = asking !== 0 && asking === session.value;
  return (
    <button
      id="request"
      type="button"
      aria-disabled={waiting}
      onClick={() => waiting || void actions.requestAuthority()}
    >
      {waiting ? `Waiting for session ${holder} …` : 'Request authority'}
    </button>
  );
}
