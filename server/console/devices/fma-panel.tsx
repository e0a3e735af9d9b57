/**
 * Force and moment accommodation: accommodating axes and force set-point. Apply sends the whole
 * draft, which stands beside the present setting.
 */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import {
  differs,
  draftOf,
  draftProblem,
  FMA_AXES,
  type FmaDraft,
  wishOf,
} from '../../client/devices/fma-draft.ts';
import type { Accommodation } from '../../client/messages.ts';
import { Panel } from '../shell/panel.tsx';
import { Value, Word } from '../shell/value.tsx';
import { actions, status, welcome } from '../store.ts';
import { count } from '../timing/figures.ts';
import { Switch } from './controls.tsx';
import { whyNotHolder } from './deadman.tsx';
import './devices.css';

/** The draft; null shows the present setting. */
const typed = signal<FmaDraft | null>(null);

const unit = (i: number): string => (i < 3 ? 'N' : 'N m');

async function apply(draft: FmaDraft): Promise<void> {
  const answer = await actions.setAccommodation(wishOf(draft));
  if (answer.ok && typed.peek() === draft) typed.value = null;
}

interface RowProps {
  readonly draft: FmaDraft;
  readonly set: Accommodation;
  readonly i: number;
  readonly disabled: boolean;
}

function Row({ draft, set, i, disabled }: RowProps): JSX.Element {
  const name = FMA_AXES[i] ?? '';
  const change = (axis: Partial<{ on: boolean; text: string }>): void => {
    typed.value = {
      axes: draft.axes.map((on, k) => (k === i ? (axis.on ?? on) : on)),
      setPoint: draft.setPoint.map((text, k) => (k === i ? (axis.text ?? text) : text)),
    };
  };
  return (
    <tr data-changed={differs(draft, set, i)}>
      <th scope="row">{name}</th>
      <td>
        <Switch
          label={`${name} accommodates`}
          on={draft.axes[i]}
          disabled={disabled}
          onToggle={() => change({ on: !draft.axes[i] })}
        />
      </td>
      <td>
        <input
          type="text"
          inputMode="decimal"
          class="fma-number"
          id={`fma-${name}`}
          aria-label={`${name} set-point, ${unit(i)}`}
          value={draft.setPoint[i]}
          disabled={disabled}
          onInput={({ currentTarget }) => change({ text: currentTarget.value })}
        />{' '}
        <span class="unit">{unit(i)}</span>
      </td>
      <td class="fma-set">
        {set.axes[i] ? 'on, ' : 'off, '}
        <Value value={set.set_point[i]} digits={1} unit={unit(i)} />
      </td>
    </tr>
  );
}

function Settings({ set }: { readonly set: Accommodation }): JSX.Element {
  const draft = typed.value ?? draftOf(set);
  const limits = status.value?.limits ?? welcome.value?.limits;
  const single = status.value?.hand_mode?.mode === 'joint';
  const reason =
    whyNotHolder() ||
    (single ? 'A single joint turns without accommodation: go to rate mode first.' : '');
  const changed = FMA_AXES.some((_, i) => differs(draft, set, i));
  const problem = draftProblem(draft, {
    force_N: limits?.['force_N'] ?? Infinity,
    moment_Nm: limits?.['moment_Nm'] ?? Infinity,
  });
  return (
    <form
      class="fma"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === '' && problem === null && changed) void apply(draft);
      }}
    >
      <table class="fma-table" aria-label="Accommodation by axis">
        <thead>
          <tr>
            <th scope="col">Axis</th>
            <th scope="col">Yields</th>
            <th scope="col">Push with</th>
            <th scope="col">Set now</th>
          </tr>
        </thead>
        <tbody>
          {FMA_AXES.map((name, i) => (
            <Row key={name} draft={draft} set={set} i={i} disabled={reason !== ''} />
          ))}
        </tbody>
      </table>
      <p class="fma-words" id="fma-words">
        {reason || problem || (changed ? 'Typed, not applied.' : 'What is shown is set.')}
      </p>
      <p class="row">
        <button type="submit" disabled={reason !== '' || problem !== null || !changed}>
          Apply
        </button>
        <button type="button" disabled={!changed} onClick={() => (typed.value = null)}>
          Revert
        </button>
      </p>
      <p class="fma-settings">
        Dead-band <Value value={set.force_deadband_N} digits={1} unit="N" />,{' '}
        <Value value={set.moment_deadband_Nm} digits={2} unit="N m" /> · gain{' '}
        <Word text={`${count(set.force_gain_Ns_per_m)} N s/m`} />,{' '}
        <Word text={`${count(set.moment_gain_Nms_per_rad)} N m s/rad`} />
      </p>
    </form>
  );
}

export function FmaPanel(): JSX.Element {
  const set = status.value?.accommodation;
  return (
    <Panel name="fma" title="Force and moment accommodation">
      {set === undefined ? (
        <p class="fma-words">This scenario has no accommodation.</p>
      ) : (
        <Settings set={set} />
      )}
    </Panel>
  );
}
