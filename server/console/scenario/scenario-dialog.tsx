/** Choice of scenario and mode, and the way back to the start; for the holder of authority, at rest. */
import './scenario.css';
import type { JSX } from 'preact';
import type { ScenarioEntry } from '../../client/messages.ts';
import { Dialog } from '../shell/dialog.tsx';
import { actions, holding, notify, operator, status } from '../store.ts';
import {
  choice,
  choose,
  chooseMode,
  closeScenarios,
  listTrouble,
  load,
  loading,
  type Mode,
  mode,
  refused,
  scenarios,
  scenariosOpen,
  whyNotLoad,
} from './scenario-state.ts';

const MODES: Readonly<Record<Mode, string>> = {
  simulation: 'simulation: both sides of the contact are computed',
  virtual: 'virtual: the pose is measured, the contact computed',
  hardware: 'hardware: the force is measured, the arm computed',
};

const nameOf = ({ title, name }: ScenarioEntry): string => (title === '' ? name : title);

function Choices({ list }: { readonly list: readonly ScenarioEntry[] }): JSX.Element {
  // those of the user first: the others fill the box
  const all = [...new Set(list.map(({ folder }) => folder))];
  const folders = [...all.filter((folder) => folder !== ''), ''];
  return (
    <>
      {folders.map((folder) => (
        <fieldset key={folder} class="scenario-folder">
          <legend>{folder === '' ? 'Scenarios of Berth' : `Your folder ${folder}`}</legend>
          {list
            .filter((one) => one.folder === folder)
            .map((one) => (
              <label key={one.name} class="scenario-line" data-unusable={one.problem !== ''}>
                <input
                  type="radio"
                  name="scenario"
                  value={one.name}
                  checked={one === choice.value}
                  disabled={one.problem !== ''}
                  onChange={() => choose(one.name)}
                />
                <span>
                  {nameOf(one)}
                  {one.loaded ? <strong> · loaded</strong> : null}
                  <small>{one.problem === '' ? one.name : one.problem}</small>
                </span>
              </label>
            ))}
        </fieldset>
      ))}
    </>
  );
}

interface LoadButtonProps {
  readonly id: string;
  readonly words: string;
  readonly hint: string;
  readonly why: string;
  readonly back: boolean;
}

/** Not `disabled`, so that it is reachable by keyboard and screen readers read the reason. */
function LoadButton({ id, words, hint, why, back }: LoadButtonProps): JSX.Element {
  const open = why === '';
  return (
    <button
      id={id}
      type="button"
      class={back ? undefined : 'primary'}
      aria-disabled={!open}
      title={open ? hint : `Not now: ${why}`}
      onClick={() => {
        if (open) void load(back);
        else notify(`Load: ${why}`, 'info');
      }}
    >
      {words}
    </button>
  );
}

/** Why not, and what helps. */
function Reason({ why }: { readonly why: string }): JSX.Element {
  const may = operator.value !== null && !holding.value && loading.value === '';
  return (
    <div class="row scenario-why" role="status">
      <span id="scenario-why">
        {loading.value !== ''
          ? `Loading ${loading.value} … this takes some seconds.`
          : why === ''
            ? 'Can be loaded now. Authority is free afterwards.'
            : why}
      </span>
      {may ? (
        <button id="scenario-request" type="button" onClick={() => void actions.requestAuthority()}>
          Request authority
        </button>
      ) : null}
    </div>
  );
}

export function ScenarioDialog(): JSX.Element | null {
  if (!scenariosOpen.value) return null;
  const why = whyNotLoad();
  const picked = choice.value;
  const now = status.value;
  return (
    <Dialog
      name="scenario"
      title="Scenario"
      sentence="What runs, and in which mode. A load starts the model anew and puts the emulated robot at its start; a robot of your own stays where it is."
      close={closeScenarios}
    >
      <div class="row">
        <LoadButton
          id="scenario-back"
          words="↺ Back to start"
          hint={`Loads ${now?.scenario ?? ''} again, as its file is now`}
          why={why}
          back
        />
      </div>
      {scenarios.value === null ? (
        <p class="hint">{listTrouble.value || 'The list is being read …'}</p>
      ) : (
        <div class="scenario-list">
          <Choices list={scenarios.value} />
        </div>
      )}
      <p class="hint" id="scenario-about">
        {picked?.description ?? ''}
      </p>
      <label class="scenario-mode">
        Mode{' '}
        <select
          id="scenario-mode"
          value={mode.value ?? ''}
          onChange={({ currentTarget }) => chooseMode(currentTarget.value as Mode)}
        >
          {(picked?.modes ?? []).map((one) => (
            <option key={one} value={one}>
              {MODES[one]}
            </option>
          ))}
        </select>
      </label>
      <p id="scenario-refused" class="scenario-refused" hidden={refused.value === ''}>
        Not loaded: {refused.value}
      </p>
      <Reason why={why} />
      <div class="row">
        <LoadButton
          id="scenario-load"
          words="Load"
          hint="Loads the chosen scenario in this mode"
          why={picked === undefined ? 'Nothing is chosen.' : why}
          back={false}
        />
        <button id="scenario-close" type="button" onClick={closeScenarios}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
