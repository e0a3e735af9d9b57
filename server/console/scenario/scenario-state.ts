/** The dialog of scenarios: what there is, what is chosen, why it cannot be loaded now. */
import { computed, signal } from '@preact/signals';
import type { Ack, ScenarioEntry } from '../../client/messages.ts';
import {
  actions,
  connection,
  get,
  holding,
  loopState,
  notify,
  operator,
  status,
} from '../store.ts';

export type Mode = ScenarioEntry['modes'][number];

/** Changed files are read and checked for the list, ms. */
const LIST_MS = 30_000;

export const scenariosOpen = signal(false);
/** Null until the list is there. */
export const scenarios = signal<readonly ScenarioEntry[] | null>(null);
/** Why there is no list; '' while there is one or it is on its way. */
export const listTrouble = signal('');
/** Name of the chosen scenario; '' for the loaded one. */
const chosen = signal('');
const wantedMode = signal<Mode | null>(null);
/** What is being loaded; '' for nothing. */
export const loading = signal('');

/** Why the last load was refused; '' for none. */
export const refused = signal('');

/** The chosen scenario; undefined before there is a list. */
export const choice = computed(
  () =>
    scenarios.value?.find(({ name }) => name === chosen.value) ??
    scenarios.value?.find(({ loaded }) => loaded),
);
/** Mode in which it would be loaded: the present one, where it can be. */
export const mode = computed<Mode | undefined>(() => {
  const modes = choice.value?.modes ?? [];
  const wishes = [wantedMode.value, status.value?.mode];
  return (
    modes.find((one) => one === wishes[0]) ?? modes.find((one) => one === wishes[1]) ?? modes[0]
  );
});

export function choose(name: string): void {
  chosen.value = name;
}
export function chooseMode(wanted: Mode): void {
  wantedMode.value = wanted;
}

/** Opens the dialog and reads the list: files may have changed. */
export function openScenarios(): void {
  scenariosOpen.value = true;
  refused.value = '';
  chosen.value = '';
  wantedMode.value = null;
  void readList();
}

export function closeScenarios(): void {
  scenariosOpen.value = false;
}

async function readList(): Promise<void> {
  try {
    scenarios.value = await get<ScenarioEntry[]>('/api/scenarios', LIST_MS);
    listTrouble.value = '';
  } catch (error) {
    listTrouble.value = `The list could not be read: ${(error as Error).message}`;
  }
}

/** Why nothing can be loaded now; '' when something can. */
export function whyNotLoad(): string {
  if (loading.value !== '') return `${loading.value} is being loaded.`;
  if (connection.value !== 'up' && operator.value === null) return 'There is no connection.';
  if (status.value?.replay === true) return 'A recording is shown.';
  if (operator.value === null) return 'This page may only look and stop.';
  if (!holding.value) return 'Only the holder of authority loads a scenario.';
  const state = loopState.value ?? '';
  if (state === 'STOPPING') return 'The arm comes to rest.';
  return state === 'ARMING' || state.startsWith('ACTIVE')
    ? 'The arm is flown: release the deadman and wait until it rests.'
    : '';
}

/** Loads what is chosen, or the present scenario and mode again. */
export async function load(back: boolean): Promise<void> {
  const name = back ? (status.peek()?.scenario ?? '') : (choice.peek()?.name ?? '');
  const wanted = mode.peek();
  loading.value = name;
  refused.value = '';
  let answer: Ack;
  try {
    answer = await actions.loadScenario(
      back ? {} : { scenario: name, ...(wanted === undefined ? {} : { mode: wanted }) },
    );
  } finally {
    loading.value = '';
  }
  if (!answer.ok) {
    refused.value = answer.message;
    void readList();
    return;
  }
  closeScenarios();
  notify(`${name} is at its start. Nobody holds authority: request it to fly.`, 'info');
}
