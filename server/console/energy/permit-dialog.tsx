/** The contact permit: prediction for the next contact, exceeded limits, and the acknowledgement by the operator. */
import type { JSX } from 'preact';
import { whyNotHolder } from '../devices/deadman.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { Duration, Value, Word } from '../shell/value.tsx';
import { fixed } from '../shell/words.ts';
import { writtenSentence } from '../shell/written.ts';
import { actions, status, welcome } from '../store.ts';
import { stiffness } from '../timing/figures.ts';
import './energy.css';
import { type PermitCheck, permitChecks, permitReasons, type Verdict } from './permit.ts';
import { firstTouchWords } from './first-touch.ts';
import { openPermit, permit, permitOpen } from './permit-state.ts';

/** State of the permit in a word; opens the dialog. */
export function PermitButton(): JSX.Element {
  const { symbol, word, level } = permit.value;
  return (
    <button
      id="permit"
      class="quiet permit-button"
      type="button"
      aria-haspopup="dialog"
      title="Contact permit: what the loop predicts of a contact"
      onClick={openPermit}
    >
      Permit{' '}
      <span data-level={level}>
        <span aria-hidden="true">{symbol}</span> {word}
      </span>
    </button>
  );
}

const VERDICTS: Readonly<Record<Verdict, { readonly level: string; readonly words: string }>> = {
  kept: { level: 'ready', words: '● kept' },
  exceeded: { level: 'fault', words: '■ exceeded' },
  unknown: { level: 'hold', words: '○ not known yet' },
};

function Limit({ name, value, limit, most, known, verdict }: PermitCheck): JSX.Element {
  const unbounded = known && value === null && verdict === 'kept';
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="number">
        {unbounded ? 'no bound' : <Value value={known ? value : null} digits={3} label={name} />}
      </td>
      <td class="number">
        {most ? '≤' : '≥'} {fixed(limit, 3)}
      </td>
      <td data-level={VERDICTS[verdict].level}>{VERDICTS[verdict].words}</td>
    </tr>
  );
}

/** Prediction, limits and reasons; used on the energy page, too. */
export function PermitFacts(): JSX.Element {
  const { loop_energy: energy, energy_limits: limits, accommodation } = status.value ?? {};
  if (energy === undefined || limits === undefined) {
    return <p class="hint">The loop has not told of it yet.</p>;
  }
  const { delay, prediction } = energy;
  const checks = permitChecks(energy, limits, accommodation);
  const reasons = permitReasons(energy.permit, checks);
  return (
    <>
      <dl class="figures permit-figures">
        <dt>delay of the loop T</dt>
        <dd>
          <Duration seconds={delay.total_s} />
        </dd>
        <dt>stiffness of the contact k</dt>
        <dd>
          <Word text={stiffness(prediction.contact_stiffness_N_per_m)} />
        </dd>
        <dt>effective mass m</dt>
        <dd>
          <Value value={prediction.effective_mass_kg} digits={1} unit="kg" />
        </dd>
        <dt>restitution without compensation</dt>
        <dd>
          <Value value={prediction.restitution} digits={3} />
        </dd>
      </dl>
      <p class="permit-touch">
        First touch along the command:{' '}
        <Word id="first-touch" text={firstTouchWords(status.value?.first_touch)} />
      </p>
      <table class="permit-limits">
        <thead>
          <tr>
            <th scope="col">Predicted</th>
            <th scope="col" class="number">
              Value
            </th>
            <th scope="col" class="number">
              Limit
            </th>
            <th scope="col" />
          </tr>
        </thead>
        <tbody>
          {checks.map((check) => (
            <Limit key={check.name} {...check} />
          ))}
        </tbody>
      </table>
      {reasons.length === 0 ? null : (
        <ul class="permit-reasons" aria-label="Why the permit must be acknowledged">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Buttons Acknowledge and Refuse; without authority they show the reason. */
function Answer({ done }: { readonly done: () => void }): JSX.Element {
  const state = status.value?.loop_energy?.permit;
  const why = whyNotHolder();
  const nothing = state !== 'needed' && state !== 'acknowledged';
  const written = writtenSentence(
    'What is acknowledged',
    welcome.value?.audit_log ?? false,
    status.value?.recording?.state ?? 'off',
  );
  const answer = async (act: () => Promise<{ readonly ok: boolean }>): Promise<void> => {
    if ((await act()).ok) done();
  };
  return (
    <>
      <p class="hint" id="permit-who">
        {why ||
          (nothing
            ? 'There is nothing to acknowledge.'
            : `${written} It covers a fifth more than is predicted now; beyond that the arm is held.`)}
      </p>
      <div class="row">
        <button
          id="permit-acknowledge"
          class="primary"
          type="button"
          disabled={why !== '' || state !== 'needed'}
          onClick={() => void answer(actions.acknowledgePermit)}
        >
          Acknowledge
        </button>
        <button
          id="permit-refuse"
          type="button"
          disabled={why !== '' || nothing}
          onClick={() => void answer(actions.refusePermit)}
        >
          Refuse
        </button>
        <button id="permit-close" type="button" onClick={done}>
          Close
        </button>
      </div>
    </>
  );
}

export function PermitDialog(): JSX.Element | null {
  if (!permitOpen.value) return null;
  const { symbol, word, level, sentence } = permit.value;
  const close = (): void => {
    permitOpen.value = false;
  };
  const title = (
    <>
      Contact permit{' '}
      <span id="permit-state" data-level={level}>
        <span aria-hidden="true">{symbol}</span> {word}
      </span>
    </>
  );
  return (
    <Dialog name="permit" title={title} sentence={sentence} close={close}>
      <PermitFacts />
      <Answer done={close} />
    </Dialog>
  );
}
