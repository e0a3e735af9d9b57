/**
 * Every metric the loop, the link worker and the server count in shared memory, declared once. The loop adds to a
 * Float64Array slot, `server/metrics/metrics.ts` renders it, dashboards and alert rules may only name what stands here.
 *
 * Names and types follow `hil-anchors 9.2` with the prefix `berth_`. One writer per block.
 */
import {
  type CodeIndices,
  codesOf,
  indicesOf,
  type NameIndices,
} from '../../src/base/name-indices.ts';
import { INJECTIONS, LASTING_INJECTIONS } from './injections.ts';
import { LIMIT_FIELDS } from './limit-fields.ts';
import { ROBOT_FAULT_BITS } from './robot-faults.ts';
import { REMOVAL_REASONS } from './removal-reasons.ts';
import { FAULT_CODES, MISS_CAUSES, SAFETY_STATES } from './codes.ts';

/** Upper edges of the buckets of latency histograms, s. */
export const LATENCY_BUCKETS: readonly number[] = [
  10e-6, 20e-6, 50e-6, 100e-6, 200e-6, 350e-6, 500e-6, 750e-6, 1e-3, 1.5e-3, 2e-3, 5e-3, 10e-3,
  20e-3, 50e-3, 100e-3,
];
/** Seconds that a chunk takes to the disk: what keeps up with one a second, and what does not. */
export const WRITE_BUCKETS: readonly number[] = [0.001, 0.005, 0.02, 0.1, 0.5, 2];
/** Force buckets, N. */
export const FORCE_BUCKETS: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];

/** Restitution buckets: 1 is the border between loss and gain. */
export const RESTITUTION_BUCKETS: readonly number[] = [
  0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1, 1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2,
];
/** Buckets of created energy as a share of what the contact took. */
export const GAIN_BUCKETS: readonly number[] = [
  0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2,
];

/** Kinds of clamp of a set-point. */
export const CLAMP_KINDS = ['velocity', 'acceleration', 'force', 'workspace', 'jerk'] as const;
export const ClampKind: CodeIndices<typeof CLAMP_KINDS> = codesOf(CLAMP_KINDS);
/** For which setting of the loop a restitution is predicted. */
export const RESTITUTION_SETTINGS = ['none', 'active'] as const;
export const RestitutionSetting: CodeIndices<typeof RESTITUTION_SETTINGS> =
  codesOf(RESTITUTION_SETTINGS);
export const FRAME_ERRORS = [
  'crc',
  'length',
  'version',
  'flags',
  'sequence',
  'stale',
  'value',
  'tag',
] as const;
export const FrameErrorIndex: NameIndices<typeof FRAME_ERRORS> = indicesOf(FRAME_ERRORS);
export const LOOP_STAGES = [
  'rx',
  'operator',
  'step',
  'safety',
  'tx',
  'record',
  'compensate',
  'guard',
] as const;
/** Index of each stage. */
export const Stage: NameIndices<typeof LOOP_STAGES> = indicesOf(LOOP_STAGES);
/** Why a robot connection was refused or closed. */
export const ROBOT_REJECTS = ['key', 'path', 'protocol', 'busy', 'places', 'timeout'] as const;
export type RobotRejectName = (typeof ROBOT_REJECTS)[number];
export const RobotReject: NameIndices<typeof ROBOT_REJECTS> = indicesOf(ROBOT_REJECTS);
/** Reasons of REJECT that are counted apart; `other` has the rest. */
export const HANDSHAKE_REJECTS = ['version', 'layout', 'period', 'limits', 'tag', 'other'] as const;
export const HandshakeReject: NameIndices<typeof HANDSHAKE_REJECTS> = indicesOf(HANDSHAKE_REJECTS);
/** Directions of a link, seen from the server. */
export const DIRECTIONS = ['rx', 'tx'] as const;
export const Direction: CodeIndices<typeof DIRECTIONS> = codesOf(DIRECTIONS);
export const FRAME_TYPES = ['setpoint', 'state', 'sync', 'control'] as const;

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** A family of series. Gauges that are plain columns of the newest row are rendered from the row, not counted here. */
export interface CounterFamily<Name extends string = string, Type extends MetricType = MetricType> {
  readonly name: Name;
  readonly help: string;
  readonly type: Type;
  /** Label names; none for a single series. */
  readonly labels: readonly string[];
  /** Label values of each series, in slot order. */
  readonly series: readonly (readonly string[])[];
  readonly buckets?: readonly number[];
}

const single: readonly (readonly string[])[] = [[]];
const each = (values: readonly string[]): readonly (readonly string[])[] => values.map((v) => [v]);
const counter = <N extends string>(
  name: N,
  help: string,
  labels: readonly string[] = [],
  series: readonly (readonly string[])[] = single,
): CounterFamily<`berth_${N}`, 'counter'> => ({
  name: `berth_${name}`,
  help,
  type: 'counter',
  labels,
  series,
});
const gauge = <N extends string>(
  name: N,
  help: string,
  labels: readonly string[] = [],
  series: readonly (readonly string[])[] = single,
): CounterFamily<`berth_${N}`, 'gauge'> => ({
  name: `berth_${name}`,
  help,
  type: 'gauge',
  labels,
  series,
});
const histogram = <N extends string>(
  name: N,
  help: string,
  buckets: readonly number[],
  labels: readonly string[] = [],
  series: readonly (readonly string[])[] = single,
): CounterFamily<`berth_${N}`, 'histogram'> => ({
  name: `berth_${name}`,
  help,
  type: 'histogram',
  labels,
  series,
  buckets,
});

/** Families written by the loop worker. (Inferred, so that dashboards can only name what is here.) */
export const LOOP_FAMILIES = [
  counter('loop_ticks_total', 'Ticks executed.'),
  counter('loop_slipped_ticks_total', 'Periods dropped by the slip policy.'),
  counter(
    'loop_overruns_total',
    'Ticks that missed their period, by cause.',
    ['cause'],
    each(MISS_CAUSES),
  ),
  histogram('loop_wake_lateness_seconds', 'Release to wake-up.', LATENCY_BUCKETS),
  gauge('loop_wake_lateness_max_seconds', 'Largest wake lateness of the last 10 s.'),
  histogram(
    'loop_stage_duration_seconds',
    'Duration of a stage of the tick.',
    LATENCY_BUCKETS,
    ['stage'],
    each(LOOP_STAGES),
  ),
  gauge('loop_frame_margin_seconds', 'Spare time at the end of the newest tick.'),
  counter('loop_substep_bound_total', 'Steps in which the sub-step bound was hit.'),
  counter(
    'loop_cell_pairs_refused_total',
    'Touching cell pairs without a force, as maximum_pairs were in use; one for each pair and sub-step.',
  ),
  counter(
    'loop_contact_stand_ins_total',
    'Poses of contacts of free form whose place was not found, so that the last one or the nearest cells took its place.',
  ),
  counter(
    'loop_redundant_rows_total',
    'Rows of constraints that others hold already after a step, so that they push nothing; one for each row and tick.',
  ),
  counter('loop_constraint_releases_total', 'Unilateral constraints that parted.'),
  counter(
    'loop_constraint_landings_total',
    'Impacts of unilateral constraints that met again, bounces too.',
  ),
  counter(
    'loop_islands_swept_total',
    'Islands of contacts swept because Newton’s method found no solution, or of more than 64 bodies; one for each sub-step.',
  ),
  gauge('loop_workers', 'Loop workers that serve: two with redundant release.'),
  counter('sim_time_seconds_total', 'Model time stepped.'),
  counter(
    'sim_frozen_seconds_total',
    'Time during which the model stood still for want of a fresh STATE.',
  ),
  counter('contacts_total', 'Contacts begun.'),
  counter(
    'contact_validity_ticks_total',
    'Ticks in which a touching contact was outside of the range of its model; contact_validity of the row has the limits.',
  ),
  gauge('contact_active', 'Contacts active in the newest tick.'),
  histogram(
    'contact_peak_force_newtons',
    'Peak normal force of each finished contact.',
    FORCE_BUCKETS,
  ),
  gauge(
    'contact_force_newtons',
    'Force on the tool, newest tick.',
    ['axis'],
    each(['x', 'y', 'z']),
  ),
  gauge(
    'contact_moment_newton_meters',
    'Moment on the tool, newest tick.',
    ['axis'],
    each(['x', 'y', 'z']),
  ),
  gauge('contact_pairs', 'Pairs of cells that touch; a contact without cells counts as one.'),
  gauge('contact_penetration_meters', 'Depth of the first active contact, newest tick.'),
  gauge(
    'contact_least_distance_meters',
    'Least distance of bodies of facets that make contact, newest tick; NaN without them.',
  ),
  gauge(
    'contact_near_pairs',
    'Pairs of facets within their standoff, those that share closest features as well; contact_pairs has the distinct ones.',
  ),
  gauge(
    'constraint_drift_meters',
    'Largest residual of constraint rows in length, newest tick; NaN without constraints.',
  ),
  gauge('constraint_drift_radians', 'The same in angle.'),
  gauge(
    'constraint_drift_meters_per_second',
    'Largest residual of the rates of constraint rows in length, newest tick.',
  ),
  gauge('constraint_drift_radians_per_second', 'The same in angle.'),
  gauge(
    'touch_curvature_ratio',
    'Least relative curvature of surfaces that slide or touch in free form, times 10 mm: below 1e-3 the place runs fast; NaN without them.',
  ),
  counter(
    'touch_newton_steps_total',
    'Newton steps for places of surfaces that slide or touch in free form.',
  ),
  gauge(
    'touch_places',
    'Places of surfaces that slide, and that the last searches of contacts of free form found.',
  ),
  gauge(
    'touch_followed',
    'Places of contacts of free form that the newest step followed without a search of all faces.',
  ),
  gauge('loop_substeps', 'Sub-steps of the newest step.'),
  gauge('patch_active_points', 'Points of elastic faces that push in the newest tick.'),
  gauge('patch_sliding_points', 'Those of them that slide.'),
  gauge(
    'patch_pressure_pascals',
    'Largest pressure at a point of an elastic face in the newest tick.',
  ),
  gauge('patch_sweeps', 'Most rounds of the solver for an elastic face in the newest (sub-)step.'),
  counter('patch_unconverged_total', '(Sub-)steps of elastic faces whose forces did not settle.'),
  counter(
    'patch_unresolved_total',
    'Touches of elastic faces that were too short for the (sub-)steps: their rebound means nothing.',
  ),
  gauge(
    'model_energy_joules',
    'Energy ledger of the model, newest tick: stores, what contacts took, work from outside, what does not balance.',
    ['part'],
    each(['kinetic', 'potential', 'elastic', 'dissipated', 'external', 'balance']),
  ),
  counter(
    'limit_clamps_total',
    'Set-points that were not what the model wanted, by limit.',
    ['kind'],
    each(CLAMP_KINDS),
  ),
  counter('setpoint_limited_seconds_total', 'Time in which limits took from the motion.'),
  counter(
    'setpoint_limited_joules_total',
    'Energy that limits of set-points took from the simulated arm.',
  ),
  gauge(
    'limit_in_force',
    'Limits of set-points and measured values: the settings, or the robot where it allows less.',
    ['limit'],
    each(LIMIT_FIELDS),
  ),
  gauge(
    'robot_fault',
    'One while the robot tells a fault, by cause; unknown: a bit without a name.',
    ['cause'],
    each([...ROBOT_FAULT_BITS.map(({ name }) => name.toLowerCase()), 'unknown']),
  ),
  gauge('robot_following_error_meters', 'Measured pose from the set-point that the robot applies.'),
  gauge('robot_following_limit_meters', 'Bound of that distance at the speed of the set-point.'),
  gauge('robot_following_error_radians', 'The same as an angle.'),
  gauge('robot_following_limit_radians', 'Bound of that angle.'),
  gauge('robot_echo_age_seconds', 'Age of the newest set-point that the robot is known to apply.'),
  gauge('robot_pose_speed_meters_per_second', 'Speed of the measured poses.'),
  gauge('robot_pose_speed_radians_per_second', 'Angular speed of the measured poses.'),
  gauge('robot_link_up', 'Robot link synchronised.'),
  gauge('robot_link_quality', 'Link quality, 0 poor to 3 excellent.'),
  gauge('robot_consecutive_lost_frames', 'Periods in a row without a fresh STATE.'),
  gauge('robot_command_success_ratio', 'Fresh STATE frames in the last 100 periods.'),
  counter(
    'robot_frames_total',
    'Frames by direction and type.',
    ['direction', 'type'],
    DIRECTIONS.flatMap((d) => FRAME_TYPES.map((t) => [d, t])),
  ),
  counter(
    'robot_frames_lost_total',
    'Frames lost by sequence number.',
    ['direction'],
    each(DIRECTIONS),
  ),
  counter(
    'robot_frame_errors_total',
    'Frames rejected, by reason.',
    ['reason'],
    each(FRAME_ERRORS),
  ),
  counter(
    'robot_handshake_rejects_total',
    'Handshakes that came to nothing, by the reason in REJECT of either end; tag: a missing or wrong key.',
    ['reason'],
    each(HANDSHAKE_REJECTS),
  ),
  counter('robot_send_failures_total', 'Frames that the link could not take.'),
  histogram('robot_rtt_seconds', 'Round-trip time of SYNC exchanges.', LATENCY_BUCKETS),
  histogram(
    'robot_state_age_seconds',
    'Age of the newest STATE when the tick used it.',
    LATENCY_BUCKETS,
  ),
  histogram(
    'robot_state_to_setpoint_seconds',
    'Arrival of a STATE to the SETPOINT that used it.',
    LATENCY_BUCKETS,
  ),
  gauge('robot_clock_offset_seconds', 'Robot clock minus server clock.'),
  gauge(
    'loop_delay_seconds',
    'From the moment for which a pose was meant to the use of the force that belongs to it, by part.',
    ['part'],
    each(['total', 'wire', 'robot', 'measurement']),
  ),
  gauge(
    'loop_stability_margin_ratio',
    'Critical delay over measured delay of the loop in contact.',
  ),
  gauge(
    'loop_predicted_restitution_ratio',
    'Restitution that the delay of the loop gives a contact: without compensation, and as the loop is set.',
    ['comp'],
    each(RESTITUTION_SETTINGS),
  ),
  gauge(
    'loop_stiffness_limit_newtons_per_meter',
    'Stiffest contact that keeps the limit of restitution at the measured delay.',
  ),
  histogram(
    'contact_restitution_ratio',
    'Restitution of each finished contact, at the simulated and at the hardware side.',
    RESTITUTION_BUCKETS,
    ['side'],
    each(['sim', 'hardware']),
  ),
  counter('loop_energy_created_joules_total', 'Energy that the loop itself created in contacts.'),
  histogram(
    'contact_energy_gain_ratio',
    'Created energy of each finished contact over the energy that it took.',
    GAIN_BUCKETS,
  ),
  counter(
    'passivity_dissipated_joules_total',
    'Kinetic energy that the passivity guard took away.',
  ),
  counter('passivity_active_ticks_total', 'Ticks in which the passivity guard acted.'),
  counter(
    'passivity_clamped_ticks_total',
    'Ticks in which the passivity guard could not take all that it had to.',
  ),
  counter('robot_clock_steps_total', 'Times the clock of the robot jumped.'),
  counter('serial_bytes_total', 'Bytes on the serial line.', ['direction'], each(DIRECTIONS)),
  counter('serial_resyncs_total', 'Times the serial decoder resynchronised at a delimiter.'),
  gauge('operator_input_age_seconds', 'Age of the newest operator input.'),
  counter('operator_inputs_total', 'Operator inputs applied.'),
  counter(
    'operator_inputs_refused_total',
    'Operator inputs that the loop did not take: overtaken, old when sent, or of a camera without orientation.',
  ),
  gauge('safety_state', 'One for the present state.', ['state'], each(SAFETY_STATES)),
  counter(
    'safety_transitions_total',
    'Transitions, by state entered.',
    ['to'],
    each(SAFETY_STATES),
  ),
  counter('faults_total', 'Faults and holds raised, by code.', ['code'], each(FAULT_CODES)),
  counter('events_dropped_total', 'Event records dropped because nobody read them.'),
  counter('injected_faults_total', 'Faults injected on purpose.', ['kind'], each(INJECTIONS)),
  gauge(
    'injected_fault_active',
    'One while a fault injected on purpose is there; kinds that end with their tick have none.',
    ['kind'],
    each(LASTING_INJECTIONS),
  ),
] as const;

/** Families written by the link worker. */
export const LINK_FAMILIES = [
  gauge('robot_sessions', 'Robot sockets open.'),
  counter(
    'robot_rejects_total',
    'Robot connections refused, closed to make room, or without a session in time.',
    ['reason'],
    each(ROBOT_REJECTS),
  ),
  counter('robot_key_failures_total', 'Handshakes at the robot port refused for a wrong key.'),
  counter(
    'robot_ring_dropped_total',
    'Frames dropped because a ring was full.',
    ['direction'],
    each(DIRECTIONS),
  ),
] as const;

/** Families written by the recorder worker. */
export const RECORDER_FAMILIES = [
  counter('recorder_bytes_total', 'Bytes of recordings that are safe on the disk.'),
  counter(
    'recorder_dropped_records_total',
    'Records of the loop that no recording has: the recorder or its disk did not follow.',
  ),
  counter(
    'recorder_removed_files_total',
    'Recordings of its own that the recorder removed, by the setting that asked for it, or because the disk was full.',
    ['reason'],
    each(REMOVAL_REASONS),
  ),
  gauge('recorder_free_bytes', 'Room left on the disk of the recordings.'),
  gauge('recorder_keeps_seconds', 'Length of the flights that are kept, at the present rate.'),
  gauge('recorder_queue_ratio', 'Share of the queue to the disk that is in use.'),
  gauge('recorder_up', 'Recorder works; 0 also when nothing is recorded.'),
  histogram('recorder_write_seconds', 'Time to write a chunk to the disk.', WRITE_BUCKETS),
] as const;

type LoopFamily =
  | (typeof LOOP_FAMILIES)[number]
  | (typeof LINK_FAMILIES)[number]
  | (typeof RECORDER_FAMILIES)[number];
/** Names of the families counted in shared memory, by type. */
export type SharedCounter = Extract<LoopFamily, { type: 'counter' }>['name'];
export type SharedGauge = Extract<LoopFamily, { type: 'gauge' }>['name'];
export type SharedHistogram = Extract<LoopFamily, { type: 'histogram' }>['name'];

/** Where a family starts in its block, and how many slots a series takes (histogram: buckets + inf + sum). */
export interface CounterLayout {
  readonly offsets: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Slots one series takes. */
export function seriesWidth(family: CounterFamily): number {
  return family.buckets === undefined ? 1 : family.buckets.length + 2;
}

/** Lay a list of families out in one Float64Array. */
export function layoutCounters(families: readonly CounterFamily[]): CounterLayout {
  const offsets = new Map<string, number>();
  let length = 0;
  for (const family of families) {
    offsets.set(family.name, length);
    length += family.series.length * seriesWidth(family);
  }
  return { offsets, length };
}

/** First slot of each family, under its name without `berth_`; the other series follow in the order of their labels. */
export type FamilySlots<Families extends readonly CounterFamily[]> = {
  readonly [Name in Families[number]['name'] as Name extends `berth_${infer Short}`
    ? Short
    : never]: number;
};

/** Slots of a list of families: `slotsOf(LOOP_FAMILIES).loop_ticks_total`. */
export function slotsOf<const Families extends readonly CounterFamily[]>(
  families: Families,
): FamilySlots<Families> {
  const { offsets } = layoutCounters(families);
  return Object.freeze(
    Object.fromEntries([...offsets].map(([name, slot]) => [name.replace('berth_', ''), slot])),
  ) as FamilySlots<Families>;
}

/** Slot of a series; throws at load for a wrong name. */
export function counterSlot(
  layout: CounterLayout,
  families: readonly CounterFamily[],
  name: string,
  ...labels: string[]
): number {
  const family = families.find((f) => f.name === `berth_${name}`);
  const index = family?.series.findIndex((s) => s.join('\n') === labels.join('\n')) ?? -1;
  if (family === undefined || index < 0) throw new Error(`No counter ${name}{${labels.join(',')}}`);
  return layout.offsets.get(family.name)! + index * seriesWidth(family);
}

/** Add one observation to a histogram at `slot`: bucket counts (not cumulative), +Inf count, sum. */
export function observe(
  counters: Float64Array,
  slot: number,
  buckets: readonly number[],
  value: number,
): void {
  let bucket = 0;
  while (bucket < buckets.length && value > buckets[bucket]) bucket++;
  counters[slot + bucket] += 1;
  counters[slot + buckets.length + 1] += value;
}
