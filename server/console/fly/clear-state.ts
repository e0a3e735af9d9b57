/** Whether the dialog for the reason of a CLEAR is open. */
import { computed, effect, signal } from '@preact/signals';
import { actions, status } from '../store.ts';

export const clearOpen = signal(false);

const latched = computed(() => (status.value?.faults.length ?? 0) > 0);
// after a CLEAR from anywhere no reason is needed
effect(() => {
  if (!latched.value) clearOpen.value = false;
});

/** Clears a hold at once, a latched fault after a reason is entered. */
export async function clear(): Promise<void> {
  if (latched.peek() || (await actions.clear()).code === 'reason_needed') clearOpen.value = true;
}
