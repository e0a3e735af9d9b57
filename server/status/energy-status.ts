/** Delay, prediction, audit and guard of the loop from a telemetry row. */
import { columnIndex } from '../../hil/contract/columns.ts';
import type { Settings } from '../../config/settings.ts';
import { COMPENSATIONS, PERMIT_STATES } from '../../hil/contract/commands.ts';
import { GAIN_LIMIT } from '../../hil/energy/contact-permit.ts';
import { LoopSlot } from '../../hil/memory/loop-counters.ts';
import type { EnergyLimits, GuardTicks, LoopEnergyStatus } from '../client/messages.ts';

const DELAY = columnIndex('loop_delay_s');
const KNOWN = columnIndex('loop_delay_known');
const STIFFNESS = columnIndex('contact_stiffness_N_per_m');
const PERMIT = columnIndex('permit_state');
const COMPENSATION = columnIndex('compensation');
const OPTIONS = columnIndex('energy_options');
const AUDIT = columnIndex('energy_in_J');
const GUARD_WRENCH = columnIndex('guard_force_x_N');
const ADDED_WRENCH = columnIndex('compensation_force_x_N');

/** Limits of the contact permit and of the audit. */
export const energyLimitsOf = ({ energy }: Settings): EnergyLimits => ({
  permit_required: energy.permit === 'required',
  restitution: energy.restitution_limit,
  stability_margin: energy.margin_limit,
  accommodation_number: GAIN_LIMIT,
  hold_ratio: energy.hold_ratio,
  hold_floor_J: energy.hold_floor_J,
  hold_J: energy.hold_J,
});

/** From the counters of the loop. */
export const guardTicksOf = (counters: Float64Array): GuardTicks => ({
  active: counters[LoopSlot.GUARD_ACTIVE],
  clamped: counters[LoopSlot.GUARD_CLAMPED],
});

/** Unknown and unbounded values are NaN or infinite in a row, and null in JSON. */
const known = (value: number): number | null => (Number.isFinite(value) ? value : null);
const list = (row: Float64Array, at: number): number[] => Array.from(row.subarray(at, at + 6));

/** Energy status from a telemetry row. */
export function loopEnergyOf(row: Float64Array): LoopEnergyStatus {
  const options = row[OPTIONS];
  return {
    delay: {
      known: row[KNOWN] === 1,
      total_s: known(row[DELAY]),
      wire_s: known(row[DELAY + 1]),
      robot_s: known(row[DELAY + 2]),
      measurement_s: known(row[DELAY + 3]),
    },
    prediction: {
      contact_stiffness_N_per_m: known(row[STIFFNESS]),
      effective_mass_kg: known(row[STIFFNESS + 1]),
      critical_delay_s: known(row[STIFFNESS + 2]),
      stability_margin: known(row[STIFFNESS + 3]),
      restitution: known(row[STIFFNESS + 4]),
      restitution_active: known(row[STIFFNESS + 5]),
      stiffness_limit_N_per_m: known(row[STIFFNESS + 6]),
      stability_margin_active: known(row[STIFFNESS + 7]),
    },
    permit: PERMIT_STATES[row[PERMIT]] ?? 'none',
    compensation: COMPENSATIONS[row[COMPENSATION]] ?? 'none',
    guard: (options & 1) !== 0,
    removal: (options & 2) !== 0,
    position_lead: (options & 4) !== 0,
    audit: {
      in_J: row[AUDIT],
      out_J: row[AUDIT + 1],
      created_J: row[AUDIT + 2],
      created_total_J: row[AUDIT + 3],
      restitution_sim: known(row[AUDIT + 4]),
      restitution_hw: known(row[AUDIT + 5]),
    },
    passivity: {
      observer_J: row[AUDIT + 6],
      removed_J: row[AUDIT + 7],
      active: row[AUDIT + 8] === 1,
      tank_J: row[AUDIT + 9],
    },
    guard_wrench: list(row, GUARD_WRENCH),
    compensation_wrench: list(row, ADDED_WRENCH),
  };
}
