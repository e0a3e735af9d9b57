/** The arm of the loaded scenario, fetched once for all parts of the page. */
import { computed, effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { RobotDescription } from '../../client/messages.ts';
import { connection, get, status } from '../store.ts';

/** Null until it is loaded. */
const description = signal<RobotDescription | null>(null);
/** Reason why there is no description; '' while there is one or it is on its way. */
export const robotTrouble = signal('');
const scenario = computed(() => (connection.value === 'up' ? status.value?.scenario : undefined));

async function load(name: string): Promise<void> {
  if (description.peek()?.scenario === name) return;
  try {
    const loaded = await get<RobotDescription>('/api/robot');
    if (scenario.peek() === name) description.value = loaded;
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
        if (scenario.value !== undefined) void load(scenario.value);
      }),
    [],
  );
  return description.value;
}
