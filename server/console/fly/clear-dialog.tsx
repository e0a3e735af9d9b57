/** Reason for clearing a latched fault: a usual one by one press, or free text. */
import type { JSX } from 'preact';
import { Dialog } from '../shell/dialog.tsx';
import { cause } from '../shell/words.ts';
import { writtenSentence } from '../shell/written.ts';
import { actions, status, welcome } from '../store.ts';
import { clearOpen } from './clear-state.ts';

const USUAL = ['Cause removed', 'Stopped on purpose', 'Checked, nothing found', 'Part of a test'];
/** Limit of the service. */
const REASON_LENGTH = 200;

const close = (): void => {
  clearOpen.value = false;
};

async function give(reason: string): Promise<void> {
  if ((await actions.clear(reason)).ok) close();
}

function OwnWords(): JSX.Element {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    // pasted text may contain a tab
    void give((form.get('reason') as string).replace(/\p{Cc}+/gu, ' ').trim());
  };
  return (
    <form class="clear-form" onSubmit={submit}>
      <label>
        Another reason
        <input
          id="clear-reason"
          name="reason"
          type="text"
          autocomplete="off"
          maxLength={REASON_LENGTH}
          pattern=".*\S.*"
          title={`1 to ${REASON_LENGTH} characters`}
          required
        />
      </label>
      <button id="clear-give" type="submit">
        Clear with it
      </button>
      <button id="clear-close" type="button" onClick={close}>
        Close
      </button>
    </form>
  );
}

export function ClearDialog(): JSX.Element | null {
  if (!clearOpen.value) return null;
  const { faults = [], recording } = status.value ?? {};
  const kept = welcome.value?.audit_log ?? false;
  return (
    <Dialog
      name="clear"
      title="Clear the fault"
      sentence="Why may it be cleared? One press of a reason clears it."
      close={close}
    >
      <ul class="clear-faults" aria-label="Latched faults">
        {faults.map((code) => (
          <li key={code}>{cause(code)}</li>
        ))}
      </ul>
      <div id="clear-usual" class="row" role="group" aria-label="Usual reasons">
        {USUAL.map((reason) => (
          <button key={reason} type="button" onClick={() => void give(reason)}>
            {reason}
          </button>
        ))}
      </div>
      <OwnWords />
      <p class="hint">{writtenSentence('The reason', kept, recording?.state ?? 'off')}</p>
    </Dialog>
  );
}
