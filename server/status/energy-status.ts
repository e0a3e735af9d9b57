/** Delay, prediction, audit and guard of the loop from a telemetry row. */
import { Column } from '../../hil/contract/columns.ts';
import type { Settings } from '../../config/settings.ts';
import { COMPENSATIONS, PERMIT_STATES } from '../../hil/contract/commands.ts';
import { GAIN_LIMIT } from '../../hil/energy/contact-permit.ts';
import { LoopSlot } from '../../hil/memory/loop-counters.ts';
import type { EnergyLimits, GuardTicks, LoopEnergyStatus } from '../client/messages.ts';

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

/** Guard ticks from the counters of the loop. */
export const guardTicksOf = (counters: Float64Array): GuardTicks => ({
  active: counters[LoopSlot.passivity_active_ticks_total],
  clamped: counters[LoopSlot.passivity_clamped_ticks_total],
});

/** Unknown and unbounded values are NaN or infinite in a row, and null in JSON. */
const known = (value: number): number | null => (Number.isFinite(value) ? value : null);
const list = (row: Float64Array, at: number): number[] => Array.from(row.subarray(at, at + 6));

/** Energy status from a telemetry row. */
export function loopEnergyOf(row: Float64Array): LoopEnergyStatus {
  const options = row[Column.energy_options];
  return {
    delay: {
      known: row[Column.loop_delay_known] === 1,
      total_s: known(row[Column.loop_delay_s]),
      wire_s: known(row[Column.loop_delay_wire_s]),
      robot_s: known(row[Column.loop_delay_robot_s]),
      measurement_s: known(row[Column.loop_delay_measurement_s]),
    },
    prediction: {
      contact_stiffness_N_per_m: known(row[Column.contact_stiffness_N_per_m]),
      effective_mass_kg: known(row[Column.effective_mass_kg]),
      critical_delay_s: known(row[Column.critical_delay_s]),
      stability_margin: known(row[Column.stability_margin]),
      restitution: known(row[Column.predicted_restitution]),
      restitution_active: known(row[Column.predicted_restitution_active]),
      stiffness_limit_N_per_m: known(row[Column.stiffness_limit_N_per_m]),
      stability_margin_active: known(row[Column.stability_margin_active]),
    },
    permit: PERMIT_STATES[row[Column.permit_state]] ?? 'none',
    compensation: COMPENSATIONS[row[Column.compensation]] ?? 'none',
    guard: (options & 1) !== 0,
    removal: (options & 2) !== 0,
    position_lead: (options & 4) !== 0,
    audit: {
      in_J: row[Column.energy_in_J],
      out_J: row[Column.energy_out_J],
      created_J: row[Column.energy_created_J],
      created_total_J: row[Column.energy_created_total_J],
      restitution_sim: known(row[Column.restitution_sim]),
      restitution_hw: known(row[Column.restitution_hw]),
    },
    passivity: {
      observer_J: row[Column.passivity_J],
      removed_J: row[Column.passivity_removed_J],
      active: row[Column.passivity_active] === 1,
      tank_J: row[Column.tank_J],
    },
    guard_wrench: list(row, Column.guard_force_x_N),
    compensation_wrench: list(row, Column.compensation_force_x_N),
  };
}
