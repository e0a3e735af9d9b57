/** Holder of authority, requests for it, and the age of the holder's input. */
import type { JSX } from 'preact';
import { Panel } from '../shell/panel.tsx';
import { Duration, Word } from '../shell/value.tsx';
import { actions, authority, holding, operator, session, status, welcome } from '../store.ts';

/** Name of a session. */
function named(number: number): string {
  if (number === 0) return 'nobody';
  return number === session.value ? `this page (session ${number})` : `session ${number}`;
}

export function AuthorityPanel(): JSX.Element {
  const { holder, asking, clients } = authority.value;
  const input = status.value?.operator;
  const stations =
    clients > 0 ? <span>{clients === 1 ? '1 client' : `${clients} clients`}</span> : null;
  return (
    <Panel name="authority" title="Authority" aside={stations}>
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
        <dt>Age of the input</dt>
        <dd>
          <Duration id="input-age" seconds={holder === 0 ? null : input?.input_age_s} />
        </dd>
      </dl>
      <Requests holder={holder} asking={asking} />
    </Panel>
  );
}

function Requests({ holder, asking }: { holder: number; asking: number }): JSX.Element {
  if (operator.value === null) {
    return <p class="hint">This page may only look and stop.</p>;
  }
  if (holding.value) {
    return (
      <div class="row" role="group" aria-label="Authority">
        {asking === 0 ? null : (
          <>
            <strong class="asks">Session {asking} asks</strong>
            <button id="grant" type="button" onClick={() => void actions.grantAuthority()}>
              Grant
            </button>
            <button id="deny" type="button" onClick={() => void actions.denyAuthority()}>
              Deny
            </button>
          </>
        )}
        <button id="release" type="button" onClick={() => void actions.releaseAuthority()}>
          Release
        </button>
      </div>
    );
  }
  const waiting = asking !== 0 && asking === session.value;
  return (
    <div class="row" role="group" aria-label="Authority">
      <button
        id="request"
        type="button"
        aria-disabled={waiting}
        onClick={() => waiting || void actions.requestAuthority()}
      >
        {waiting ? `Waiting for session ${holder} …` : 'Request authority'}
      </button>
      {welcome.value?.role === 'supervisor' && holder !== 0 ? (
        <button
          id="take-over"
          type="button"
          title="Only while nothing can move."
          onClick={() => void actions.requestAuthority(true)}
        >
          Take over
        </button>
      ) : null}
    </div>
  );
}
