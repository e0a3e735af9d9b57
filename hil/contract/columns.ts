/**
 * One telemetry row per tick: a fixed list of Float64 columns, copied at one point of the tick so that every row is one
 * instant. Rows travel from the loop worker to all other threads through `TelemetryRing`. The text of a column goes into
 * the schema of `/berth/tick` and into docs/columns.md.
 */

import { indicesOf, type NameIndices } from '../../src/base/name-indices.ts';

/** What a value is in each loop mode, by key. */
export const COLUMN_MODES = {
  any: 'The same in every mode.',
  robot: 'Of the robot in every mode; 0 without a robot.',
  measured: 'Of the robot in every mode. Without a robot a copy of what the model has.',
  command: 'The same in every mode: of the operator, or of the schedule of the scenario.',
  sent: 'virtual: wrench that the robot is to exert. simulation, hardware: limits at which it aborts.',
  model:
    'Of the model in every mode. simulation: the contact at the simulated arm. virtual: at the measured motion. ' +
    'hardware: a shadow contact at the measured motion, which acts on nothing and is not what is measured.',
  live: 'virtual, hardware: of the robot link. simulation: 0, as there is no delay.',
  acting:
    'Of the force on the arm: hardware: as measured; virtual: of the model. simulation: as at the start.',
  predicted:
    'Of the model of the contact and the measured delay; NaN while one of them is unknown.',
} as const;
/** Key of COLUMN_MODES. */
export type ColumnMode = keyof typeof COLUMN_MODES;

/** One column; the unit is the last word of its name. */
export interface RowColumn<Name extends string = string> {
  readonly name: Name;
  /** Unit as a page has it; `1` for numbers, shares, flags and indices. */
  readonly unit: string;
  /** Frame of a component of a vector or quaternion; empty for a scalar. */
  readonly frame: 'base' | '';
  readonly mode: ColumnMode;
  readonly what: string;
}

const scalar = <N extends string>(
  name: N,
  unit: string,
  mode: ColumnMode,
  what: string,
): RowColumn<N> => ({ name, unit, frame: '', mode, what });
const part = <N extends string>(
  name: N,
  unit: string,
  mode: ColumnMode,
  what: string,
): RowColumn<N> => ({ name, unit, frame: 'base', mode, what });

const vector = <N extends string, U extends string>(
  name: N,
  suffix: U,
  unit: string,
  mode: ColumnMode,
  what: string,
) =>
  [
    part(`${name}_x_${suffix}`, unit, mode, `${what}, x`),
    part(`${name}_y_${suffix}`, unit, mode, `${what}, y`),
    part(`${name}_z_${suffix}`, unit, mode, `${what}, z`),
  ] as const;
const wrench = <N extends string>(name: N, mode: ColumnMode, what: string) =>
  [
    ...vector(`${name}_force`, 'N', 'N', mode, `force ${what}`),
    ...vector(`${name}_moment`, 'Nm', 'N m', mode, `moment ${what}`),
  ] as const;
const twist = <N extends string>(name: N, mode: ColumnMode, what: string) =>
  [
    ...vector(`${name}_v`, 'mps', 'm/s', mode, `velocity of the tool ${what}`),
    ...vector(`${name}_w`, 'radps', 'rad/s', mode, `angular velocity of the tool ${what}`),
  ] as const;
const pose = <N extends string>(name: N, mode: ColumnMode, what: string) =>
  [
    ...vector(`${name}_p`, 'm', 'm', mode, `tool point ${what}`),
    part(`${name}_q_x`, '1', mode, `unit quaternion ${what}, tool to base, x`),
    part(`${name}_q_y`, '1', mode, `unit quaternion ${what}, tool to base, y`),
    part(`${name}_q_z`, '1', mode, `unit quaternion ${what}, tool to base, z`),
    part(`${name}_q_w`, '1', mode, `unit quaternion ${what}, tool to base, w`),
  ] as const;

/** Columns in order. */
const COLUMNS = [
  // when
  scalar('tick', '1', 'any', 'ticks run since the loop started, this one included'),
  scalar('period', '1', 'any', 'place on the grid of releases: ticks run and periods slipped'),
  scalar('time_s', 's', 'any', 'monotonic time since the loop started'),
  scalar('sim_time_s', 's', 'any', 'model time; stands still while frozen'),
  // state of the loop
  scalar('mode', '1', 'any', 'loop mode: 0 simulation, 1 virtual, 2 hardware'),
  scalar('safety_state', '1', 'any', 'index in SAFETY_STATES'),
  scalar('fault_bits', '1', 'any', 'one bit per FAULT_CODES entry, latched until CLEAR'),
  scalar('hold_bits', '1', 'any', 'causes of the present HOLD, bits of FAULT_CODES'),
  scalar('ctl_mode', '1', 'any', 'index in CTL_MODES: control mode of the set-point'),
  scalar('frozen', '1', 'any', '1 while model time stands still'),
  // timing of this tick
  scalar('lateness_s', 's', 'any', 'wake-up behind the release that is served, below one period'),
  scalar('stage_rx_s', 's', 'any', 'duration of receiving'),
  scalar('stage_operator_s', 's', 'any', 'duration of commands and hand controllers'),
  scalar('stage_step_s', 's', 'any', 'duration of the contact step'),
  scalar('stage_safety_s', 's', 'any', 'duration of the safety machine'),
  scalar('stage_tx_s', 's', 'any', 'duration of sending'),
  scalar('stage_record_s', 's', 'any', 'duration of telemetry and recording in the tick before'),
  scalar('stage_compensate_s', 's', 'any', 'duration of compensation and tank'),
  scalar('stage_guard_s', 's', 'any', 'duration of audit and guard'),
  scalar(
    'margin_s',
    's',
    'any',
    'left of the period in the tick before; negative: it was too long',
  ),
  scalar('slipped', '1', 'any', 'periods dropped before this tick'),
  scalar(
    'miss_cause',
    '1',
    'any',
    'cause of the miss before this tick: index in MISS_CAUSES, −1 none',
  ),
  scalar('substeps', '1', 'any', 'sub-steps of the contact step'),
  scalar('substep_bound_hit', '1', 'any', '1 when maximum_substeps was reached'),
  // robot link
  scalar('link_up', '1', 'robot', '1 while the session is synchronised'),
  scalar('link_quality', '1', 'robot', 'index in LINK_QUALITIES'),
  scalar('link_success_ratio', '1', 'robot', 'share of the last 100 periods with a STATE'),
  scalar('link_lost_in_row', '1', 'robot', 'periods in a row without a STATE'),
  scalar('state_age_s', 's', 'robot', 'age of the newest STATE; not finite before the first'),
  scalar(
    'state_quality',
    '1',
    'any',
    'index in VALUE_QUALITIES: what the measured values are worth',
  ),
  scalar('rtt_s', 's', 'robot', 'round trip'),
  scalar('clock_offset_s', 's', 'robot', 'clock of the robot less that of the server'),
  scalar('loop_delay_ticks', '1', 'robot', 'ticks from a set-point to the STATE that echoes it'),
  scalar('robot_safety', '1', 'robot', 'STATE.safety'),
  scalar('robot_fault', '1', 'robot', 'STATE.fault, one bit a cause'),
  scalar('robot_emulated', '1', 'robot', '1: the emulated robot, which has proved the run key'),
  // operator
  scalar('input_age_s', 's', 'any', 'age of the newest input of the operator'),
  scalar('deadman', '1', 'any', '1 while the deadman is pressed'),
  scalar('authority', '1', 'any', 'session that holds authority, 0 none'),
  ...twist('command', 'command', 'as commanded, shaped'),
  // set-point, measured, model
  ...pose('setpoint', 'any', 'as sent'),
  ...twist('setpoint', 'any', 'as sent'),
  ...wrench('setpoint', 'sent', 'sent with the set-point'),
  ...pose('measured', 'measured', 'as measured'),
  ...twist('measured', 'measured', 'as measured'),
  ...wrench('measured', 'measured', 'on the tool at the tool point, as measured'),
  ...wrench('model', 'model', 'of the model’s contact on the tool at the tool point'),
  // first active contact
  scalar('contact_active', '1', 'model', '1 while a contact of the model touches'),
  scalar('contact_count', '1', 'model', 'contacts of the model that touch'),
  scalar('penetration_m', 'm', 'model', 'penetration of the first contact that touches'),
  scalar('penetration_rate_mps', 'm/s', 'model', 'its rate; positive when approaching'),
  scalar(
    'normal_force_N',
    'N',
    'model',
    'normal force of the first contact that touches; never measured',
  ),
  scalar(
    'friction_force_N',
    'N',
    'model',
    'friction force of that contact, amount; never measured',
  ),
  scalar('stick', '1', 'model', 'share of sticking of that contact: 0 slips, 1 sticks'),
  scalar('dwell', '1', 'model', 'dwell state of its friction law, 0 to 1'),
  scalar(
    'contact_pairs',
    '1',
    'model',
    'pairs of cells that touch; a contact without cells is one',
  ),
  // energy ledger
  scalar('energy_kinetic_J', 'J', 'model', 'kinetic energy'),
  scalar('energy_potential_J', 'J', 'model', 'potential energy'),
  scalar('energy_elastic_J', 'J', 'model', 'energy in springs and bristles'),
  scalar('energy_dissipated_J', 'J', 'model', 'taken by contacts and dampers'),
  scalar('energy_external_J', 'J', 'model', 'work from outside'),
  scalar('energy_balance_J', 'J', 'model', 'gained (above 0) or lost by the integration'),
  // force and moment accommodation as it is set; the set-point as far as its ramp is
  scalar('fma_axes', '1', 'any', 'bit i: force x, y, z, moment x, y, z accommodates'),
  ...wrench('fma', 'any', 'that the tool is to exert on its surroundings'),
  scalar('fma_deadband_N', 'N', 'any', 'dead-band of the force'),
  scalar('fma_deadband_Nm', 'N m', 'any', 'dead-band of the moment'),
  scalar('fma_gain_Ns_per_m', 'N s/m', 'any', 'force gain; 0 without a tool'),
  scalar('fma_gain_Nms_per_rad', 'N m s/rad', 'any', 'moment gain; 0 without a tool'),
  // delay of the loop: from the moment for which a pose was meant to the use of the force that belongs to it
  scalar(
    'loop_delay_s',
    's',
    'live',
    'delay of the loop, from a pose as meant to the use of its force',
  ),
  scalar('loop_delay_wire_s', 's', 'live', 'part of the lines'),
  scalar('loop_delay_robot_s', 's', 'live', 'part of the robot; negative when it looks ahead'),
  scalar('loop_delay_measurement_s', 's', 'live', 'part of the force sensor'),
  scalar('loop_delay_known', '1', 'live', '1 when the delay has been measured'),
  // what that delay does to a contact, predicted
  scalar('contact_stiffness_N_per_m', 'N/m', 'predicted', 'stiffness of the contact'),
  scalar('effective_mass_kg', 'kg', 'predicted', 'mass along the contact'),
  scalar('critical_delay_s', 's', 'predicted', 'delay at which the contact becomes unstable'),
  scalar('stability_margin', '1', 'predicted', 'critical delay over delay, without compensation'),
  scalar('predicted_restitution', '1', 'predicted', 'restitution, without compensation'),
  scalar('predicted_restitution_active', '1', 'predicted', 'restitution, as the loop is set'),
  scalar(
    'stiffness_limit_N_per_m',
    'N/m',
    'predicted',
    'stiffest contact within the limit of restitution',
  ),
  scalar('stability_margin_active', '1', 'predicted', 'stability margin, as the loop is set'),
  scalar('permit_state', '1', 'any', 'index in PERMIT_STATES'),
  scalar('compensation', '1', 'any', 'index in COMPENSATIONS'),
  scalar('energy_options', '1', 'any', 'bits: guard 1, removal 2, position lead 4'),
  // energy across the contact: present or last one, and since the start
  scalar(
    'energy_in_J',
    'J',
    'acting',
    'taken from the simulated body in the present or last contact',
  ),
  scalar('energy_out_J', 'J', 'acting', 'given back to it in that contact'),
  scalar('energy_created_J', 'J', 'acting', 'created by the loop itself in that contact'),
  scalar('energy_created_total_J', 'J', 'acting', 'created by the loop since the start'),
  scalar(
    'restitution_sim',
    '1',
    'acting',
    'restitution of the last contact, simulated side; NaN unknown',
  ),
  scalar(
    'restitution_hw',
    '1',
    'acting',
    'restitution of the last contact, hardware side; NaN unknown',
  ),
  scalar(
    'passivity_J',
    'J',
    'acting',
    'observer of the guard; below 0 the contact has given too much',
  ),
  scalar('passivity_removed_J', 'J', 'acting', 'removed by the guard since the start'),
  scalar('passivity_active', '1', 'acting', '1 when the guard acted in this tick'),
  scalar('tank_J', 'J', 'acting', 'level of the energy tank'),
  ...wrench('guard', 'acting', 'of the guard on the arm'),
  ...wrench('compensation', 'acting', 'of the compensation, added to that on the arm'),
  // what the hand controllers do
  scalar('hand_mode', '1', 'any', 'index in HAND_MODES'),
  scalar('hand_joint', '1', 'any', 'joint that is turned by itself, −1 none'),
  scalar('hand_axis', '1', 'any', 'axis that turns it, −1 none'),
  // what the limits of set-points did
  scalar('setpoint_limited', '1', 'any', '1 when this set-point differs from that of the model'),
  scalar('setpoint_taken_J', 'J', 'any', 'energy taken from the simulated arm since the start'),
  // where contacts leave the range of their models
  scalar(
    'contact_validity',
    '1',
    'model',
    'limits that touching contacts have exceeded since they began, one bit per VALIDITY_FLAGS entry',
  ),
  // bodies of facets
  scalar(
    'least_distance_m',
    'm',
    'model',
    'least distance of bodies of facets that make contact; NaN without them',
  ),
  scalar('standoff_reserve', '1', 'model', 'that distance over their standoff; NaN without them'),
  // constraints and surfaces that touch
  scalar(
    'constraint_drift_m',
    'm',
    'model',
    'largest residual of constraint rows in length; NaN without any',
  ),
  scalar('constraint_drift_rad', 'rad', 'model', 'largest residual of constraint rows in angle'),
  scalar('constraint_rate_mps', 'm/s', 'model', 'largest residual of their rates in length'),
  scalar('constraint_rate_radps', 'rad/s', 'model', 'largest residual of their rates in angle'),
  scalar(
    'touch_curvature',
    '1',
    'model',
    'least relative curvature of surfaces that touch, times 10 mm; NaN without any',
  ),
  scalar('touch_newton_steps', '1', 'model', 'Newton steps of this tick for places of surfaces'),
  scalar(
    'touch_places',
    '1',
    'model',
    'places of surfaces that slide, and that the last searches of free form found',
  ),
] as const;

type NamesOf<Columns extends readonly RowColumn[]> = {
  readonly [K in keyof Columns]: Columns[K]['name'];
};
/** Column names in order; the unit is the last word. */
export const ROW_COLUMNS = COLUMNS.map(({ name }) => name) as unknown as NamesOf<typeof COLUMNS>;
/** What each column is, in order. */
export const COLUMN_TEXTS: readonly RowColumn[] = COLUMNS;

/** Name of a column. */
export type ColumnName = (typeof ROW_COLUMNS)[number];

/** Number of columns. */
export const ROW_WIDTH: number = ROW_COLUMNS.length;

/** Columns of rows in recordings from before `contact_validity`. */
export const OLDER_ROW_WIDTH: number = ROW_WIDTH - 10;

/** Index of each column. Only within a vector something is added: `Column.setpoint_p_x_m + axis`. */
export const Column: NameIndices<typeof ROW_COLUMNS> = indicesOf(ROW_COLUMNS);
