/** The arm of the loaded scenario, fetched once for all parts of the page. */
import { computed, effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { RobotDescription } from '../../client/messages.ts';
import { connection, get, loads } from '../store.ts';

/** Null until it is loaded. */
const description = signal<RobotDescription | null>(null);
/** Reason why there is no description; '' while there is one or it is on its way. */
export const robotTrouble = signal('');
/** The present load; 0 without a connection. */
const present = computed(() => (connection.value === 'up' ? loads.value : 0));
/** Load of which `description` is. */
let described = 0;

async function load(wanted: number): Promise<void> {
  if (described === wanted) return;
  try {
    const loaded = await get<RobotDescription>('/api/robot');
    if (present.peek() !== wanted) return;
    description.value = loaded;
    described = wanted;
    robotTrouble.value = '';
  } catch (error) {
    robotTrouble.value = `The arm could not be loaded: ${(error as Error).message}`;
  }
}

/** Loads the description while a component is shown. */
export function useRobot(): RobotDescription | null {
  useEffect(
    () =>
      effect(() => {
        if (present.value > 0) void load(present.value);
      }),
    [],
  );
  return description.value;
}
