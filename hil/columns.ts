/**
 * One telemetry row per tick: a fixed list of Float64 columns, copied at one point of the tick so that every row is one
 * instant. Rows travel from the loop worker to everyone else through `TelemetryRing`.
 */

const vector3 = (name: string, unit: string): string[] =>
  ['x', 'y', 'z'].map((axis) => `${name}_${axis}_${unit}`);
const wrench = (name: string): string[] => [
  ...['x', 'y', 'z'].map((axis) => `${name}_force_${axis}_N`),
  ...['x', 'y', 'z'].map((axis) => `${name}_moment_${axis}_Nm`),
];
const twist = (name: string): string[] => [
  ...['x', 'y', 'z'].map((axis) => `${name}_v_${axis}_mps`),
  ...['x', 'y', 'z'].map((axis) => `${name}_w_${axis}_radps`),
];
const quaternion = (name: string): string[] => ['x', 'y', 'z', 'w'].map((c) => `${name}_q_${c}`);

/** Column names in order; the unit is the last word. */
export const ROW_COLUMNS: readonly string[] = [
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
  // operator
  'input_age_s',
  'deadman',
  'authority', //           0 nobody, else the holder's session number
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
];

/** Number of columns. */
export const ROW_WIDTH: number = ROW_COLUMNS.length;

/** Index of a column; throws at load for a wrong name. */
export function columnIndex(name: string): number {
  const index = ROW_COLUMNS.indexOf(name);
  if (index < 0) throw new Error(`No telemetry column is named "${name}"`);
  return index;
}
