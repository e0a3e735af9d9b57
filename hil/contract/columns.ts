/**
 * One telemetry row per tick: a fixed list of Float64 columns, copied at one point of the tick so that every row is one
 * instant. Rows travel from the loop worker to all other threads through `TelemetryRing`.
 */

import { indicesOf, type NameIndices } from '../../src/base/name-indices.ts';

const vector3 = <N extends string, U extends string>(name: N, unit: U) =>
  [`${name}_x_${unit}`, `${name}_y_${unit}`, `${name}_z_${unit}`] as const;
const wrench = <N extends string>(name: N) =>
  [...vector3(`${name}_force`, 'N'), ...vector3(`${name}_moment`, 'Nm')] as const;
const twist = <N extends string>(name: N) =>
  [...vector3(`${name}_v`, 'mps'), ...vector3(`${name}_w`, 'radps')] as const;
const quaternion = <N extends string>(name: N) =>
  [`${name}_q_x`, `${name}_q_y`, `${name}_q_z`, `${name}_q_w`] as const;

/** Column names in order; the unit is the last word. */
export const ROW_COLUMNS = [
  // when
  'tick', //                executed ticks since the loop started
  'period', //              grid index: executed + slipped
  'time_s', //              monotonic time since the loop started
  'sim_time_s', //          model time (stands still while frozen)
  // state of the loop
  'mode', //                index in LOOP_MODES
  'safety_state', //        index in SAFETY_STATES
  'fault_bits', //          one bit per FAULT_CODES entry, latched until CLEAR
  'hold_bits', //           causes of the present HOLD
  'ctl_mode', //            index in CTL_MODES
  'frozen', //              1 while model time stands still
  // timing of this tick
  'lateness_s',
  'stage_rx_s',
  'stage_operator_s',
  'stage_step_s',
  'stage_safety_s',
  'stage_tx_s',
  'stage_record_s',
  'stage_compensate_s',
  'stage_guard_s',
  'margin_s', //            positive is spare
  'slipped', //             periods dropped before this tick
  'miss_cause', //          −1 or index in MISS_CAUSES
  'substeps',
  'substep_bound_hit',
  // robot link
  'link_up',
  'link_quality', //        index in LINK_QUALITIES
  'link_success_ratio',
  'link_lost_in_row',
  'state_age_s',
  'state_quality', //       index in VALUE_QUALITIES
  'rtt_s',
  'clock_offset_s',
  'loop_delay_ticks', //    set-point to the STATE that echoes it
  'robot_safety',
  'robot_fault',
  'robot_emulated', //      1: the service's own emulated robot, which has proved the key of the run
  // operator
  'input_age_s',
  'deadman',
  'authority', //           0 none, else the holder's session number
  ...twist('command'), //   shaped operator command, base frame
  // set-point, measured, model
  ...vector3('setpoint_p', 'm'),
  ...quaternion('setpoint'),
  ...twist('setpoint'),
  ...wrench('setpoint'),
  ...vector3('measured_p', 'm'),
  ...quaternion('measured'),
  ...twist('measured'),
  ...wrench('measured'),
  ...wrench('model'), //    contact wrench on the tool at the tool point, base frame
  // first active contact
  'contact_active',
  'contact_count',
  'penetration_m',
  'penetration_rate_mps',
  'normal_force_N',
  'friction_force_N',
  'stick',
  'dwell',
  'contact_pairs', //       pairs of cells that touch; a contact without cells counts as one
  // energy ledger
  'energy_kinetic_J',
  'energy_potential_J',
  'energy_elastic_J',
  'energy_dissipated_J',
  'energy_external_J',
  'energy_balance_J',
  // force and moment accommodation as it is set; the set-point as far as its ramp is
  'fma_axes', //            bit i: force x, y, z, moment x, y, z accommodates
  ...wrench('fma'), //      what the tool is to exert on its surroundings
  'fma_deadband_N',
  'fma_deadband_Nm',
  'fma_gain_Ns_per_m', //   0 without a tool
  'fma_gain_Nms_per_rad',
  // delay of the loop: from the moment for which a pose was meant to the use of the force that belongs to it
  'loop_delay_s',
  'loop_delay_wire_s',
  'loop_delay_robot_s',
  'loop_delay_measurement_s',
  'loop_delay_known', //    1 when the delay has been measured
  // what that delay does to a contact, predicted; NaN: unknown
  'contact_stiffness_N_per_m',
  'effective_mass_kg',
  'critical_delay_s',
  'stability_margin', //    critical delay / delay, without compensation
  'predicted_restitution', //         without compensation
  'predicted_restitution_active', //  as the loop is set
  'stiffness_limit_N_per_m', //       for the restitution limit
  'stability_margin_active', //       as the loop is set
  'permit_state', //        index in PERMIT_STATES
  'compensation', //        index in COMPENSATIONS
  'energy_options', //      bits: guard 1, removal 2, position lead 4
  // energy across the contact: present or last one, and since the start
  'energy_in_J', //         taken from the simulated body
  'energy_out_J', //        given back to it
  'energy_created_J', //    by the loop itself
  'energy_created_total_J',
  'restitution_sim', //     last contact
  'restitution_hw',
  'passivity_J', //         observer of the guard: below zero the contact has given more than it took
  'passivity_removed_J', // since the start
  'passivity_active', //    1 when the guard acted in this tick
  'tank_J',
  ...wrench('guard'), //        of the guard on the arm
  ...wrench('compensation'), // added to the wrench on the arm
  // what the hand controllers do
  'hand_mode', //           index in HAND_MODES
  'hand_joint', //          joint that is turned by itself, −1 none
  'hand_axis', //           axis that turns it, −1 none
  // what the limits of set-points did
  'setpoint_limited', //    1 when the set-point of this tick differs from that of the model
  'setpoint_taken_J', //    energy taken from the simulated arm since the start
] as const;
/** Name of a column. */
export type ColumnName = (typeof ROW_COLUMNS)[number];

/** Number of columns. */
export const ROW_WIDTH: number = ROW_COLUMNS.length;

/** Index of each column. Only within a vector something is added: `Column.setpoint_p_x_m + axis`. */
export const Column: NameIndices<typeof ROW_COLUMNS> = indicesOf(ROW_COLUMNS);
