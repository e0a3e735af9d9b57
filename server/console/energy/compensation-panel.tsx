/**
 * Compensation of the delay: present options and selection. The service decides which options
 * agree; its reason is shown.
 */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { LoopEnergyStatus, Requests } from '../../client/messages.ts';
import { Switch } from '../devices/controls.tsx';
import { whyNotHolder } from '../devices/deadman.tsx';
import { Panel } from '../shell/panel.tsx';
import { actions, loopState, notify } from '../store.ts';

type Wish = Requests['energy.set'];

const CHOICES: readonly { key: NonNullable<Wish['compensation']>; text: string; hint: string }[] = [
  { key: 'none', text: 'None', hint: 'The force is used as late as it comes.' },
  {
    key: 'model',
    text: 'Model',
    hint: 'The force is predicted from the contact of the scenario: best, where the tool has one.',
  },
  {
    key: 'lead',
    text: 'Force lead',
    hint: 'The force and its rate times the delay: needs no model, raises noise about fivefold.',
  },
  {
    key: 'damping',
    text: 'Virtual damping',
    hint: 'Damping of 1.1 k T while it touches: needs the stiffness; robust, takes real rebound with it.',
  },
];

const SWITCHES: readonly {
  key: 'guard' | 'removal' | 'position_lead';
  text: string;
  hint: string;
}[] = [
  {
    key: 'guard',
    text: 'Passivity guard',
    hint: 'takes away what a contact gives beyond what it took',
  },
  {
    key: 'removal',
    text: 'Removal',
    hint: 'takes created energy away during rebound; only without a compensation and without a tank',
  },
  {
    key: 'position_lead',
    text: 'Position lead',
    hint: 'sends set-points ahead of the robot’s own lag',
  },
];

/** The last refusal; '' after an accepted request. */
const refusal = signal('');

/** Reason why nothing can be selected now; '' when it can. */
function whyNot(): string {
  const why = whyNotHolder();
  if (why !== '') return why;
  const state = loopState.value ?? '';
  const moves = state === 'ARMING' || state === 'STOPPING' || state.startsWith('ACTIVE');
  return moves ? 'The arm may move: hold it first.' : '';
}

async function wish(change: Wish): Promise<void> {
  const answer = await actions.setEnergy(change);
  refusal.value = answer.ok ? '' : answer.message;
}

export function CompensationPanel({
  energy,
}: {
  readonly energy: LoopEnergyStatus | undefined;
}): JSX.Element {
  const why = whyNot();
  const chosen = CHOICES.find(({ key }) => key === energy?.compensation);
  const choose = (change: Wish): void => {
    if (why === '') void wish(change);
    else notify(`Compensation: ${why}`, 'info');
  };
  return (
    <Panel name="compensation" title="Compensation">
      <div class="choice" role="group" aria-label="Compensation of the delay">
        <div class="choice-row">
          {CHOICES.map(({ key, text, hint }) => (
            <button
              key={key}
              type="button"
              title={hint}
              aria-pressed={key === energy?.compensation}
              aria-disabled={why !== '' || energy === undefined}
              onClick={() => choose({ compensation: key })}
            >
              {text}
            </button>
          ))}
        </div>
      </div>
      <p class="hint" id="compensation-hint">
        {chosen?.hint ?? '—'}
      </p>
      <table class="energy-switches">
        <tbody>
          {SWITCHES.map(({ key, text, hint }) => (
            <tr key={key}>
              <td>
                <Switch
                  label={text}
                  on={energy?.[key] ?? false}
                  disabled={why !== '' || energy === undefined}
                  onToggle={() => choose({ [key]: !(energy?.[key] ?? false) })}
                />
              </td>
              <th scope="row">
                {text}
                <span class="detail">{hint}</span>
              </th>
            </tr>
          ))}
        </tbody>
      </table>
      <p
        class="energy-refusal"
        role="status"
        id="energy-refusal"
        data-level={why === '' && refusal.value !== '' ? 'warn' : 'idle'}
      >
        {why || refusal.value || 'May be chosen now; nothing moves by it.'}
      </p>
    </Panel>
  );
}
