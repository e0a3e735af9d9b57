/** State of the contact permit, and whether its dialog is open. */
import { computed, signal } from '@preact/signals';
import { connection, status } from '../store.ts';
import { permitChecks, permitWords } from './permit.ts';

export const permitOpen = signal(false);

export function openPermit(): void {
  permitOpen.value = true;
}

const required = computed(() => status.value?.energy_limits?.permit_required ?? true);

const checks = computed(() => {
  const { loop_energy: energy, energy_limits: limits, accommodation } = status.value ?? {};
  return energy === undefined || limits === undefined
    ? []
    : permitChecks(energy, limits, accommodation);
});

/** The permit in words. Values from before a lost connection are not shown as present. */
export const permit = computed(() =>
  permitWords(
    connection.value === 'up' ? status.value?.loop_energy?.permit : undefined,
    required.value,
    checks.value,
  ),
);

/** ARM requires it. */
export const permitNeeded = computed(
  () => required.value && status.value?.loop_energy?.permit === 'needed',
);
