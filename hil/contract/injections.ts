/**
 * Faults that can be injected on purpose, when the service was started with `--allow-fault-injection`: one table with unit and
 * bounds, read by the loop, the REST interface and docs/fault-injection.md.
 */
import { indicesOf, type NameIndices } from '../../src/base/name-indices.ts';

/** How an injected fault ends: with the tick it came in, after the time that is its amount, or by a request to end it. */
export type InjectionEnd = 'once' | 'timed' | 'lasting';

/** One kind of injected fault. */
export interface Injection {
  readonly name: string;
  /** Part of the service that it happens in. */
  readonly domain: string;
  /** Unit of its amount: s, ticks, N, B/s, or 1 for a ratio or a switch. */
  readonly unit: string;
  readonly least: number;
  readonly most: number;
  readonly end: InjectionEnd;
  /** What it does. */
  readonly text: string;
}

const kind = <const N extends string>(
  name: N,
  domain: string,
  unit: string,
  least: number,
  most: number,
  end: InjectionEnd,
  text: string,
): Injection & { readonly name: N } => ({ name, domain, unit, least, most, end, text });

/** All kinds. The index is on the wire and in recordings: append, never reorder. */
export const INJECTION_TABLE = [
  kind('late_wake_s', 'clock', 's', 0, 1, 'once', 'the next wake-up of the loop is late'),
  kind('loop_error', 'loop', '1', 1, 1, 'once', 'the next tick throws'),
  kind('drop_state_ticks', 'link', 'ticks', 1, 1e5, 'timed', 'no STATE arrives'),
  kind('state_nan_ticks', 'sensor', 'ticks', 1, 1e5, 'timed', 'the measured position is no number'),
  kind('io_error', 'server', '1', 1, 1, 'once', 'the thread of the sockets throws'),
  kind('link_worker_error', 'link', '1', 1, 1, 'once', 'the worker of the robot socket ends'),
  kind('recorder_error', 'recorder', '1', 1, 1, 'once', 'the recorder worker ends'),
  kind('link_drop_ratio', 'link', '1', 0, 1, 'lasting', 'share of frames lost, each way'),
  kind('link_delay_s', 'link', 's', 0, 0.1, 'lasting', 'frames of the robot arrive later'),
  kind('link_duplicate_ratio', 'link', '1', 0, 1, 'lasting', 'share of its frames that come twice'),
  kind(
    'link_reorder_ratio',
    'link',
    '1',
    0,
    1,
    'lasting',
    'share of them held back by 1 to 3 ticks',
  ),
  kind('link_corrupt_ratio', 'link', '1', 0, 1, 'lasting', 'share of them with one byte changed'),
  kind(
    'line_bit_error_ratio',
    'serial',
    '1',
    0,
    0.05,
    'lasting',
    'share of the bits on the line flipped',
  ),
  kind('clock_jump_s', 'clock', 's', -10, 10, 'lasting', 'the clock of the loop is off by so much'),
  kind('robot_clock_step_s', 'clock', 's', -10, 10, 'lasting', 'the clock of the robot is off'),
  kind('worker_stall_s', 'loop', 's', 0, 5, 'once', 'the loop worker stands still inside a tick'),
  kind(
    'link_worker_stall_s',
    'link',
    's',
    0,
    5,
    'timed',
    'the worker of the robot socket stands still',
  ),
  kind('recorder_stall_s', 'recorder', 's', 0, 5, 'timed', 'the recorder worker stands still'),
  kind('recorder_full', 'recorder', '1', 0, 1, 'lasting', 'the disk is full'),
  kind(
    'recorder_slow_Bps',
    'recorder',
    'B/s',
    0,
    1e9,
    'lasting',
    'the disk takes so much and no more',
  ),
  kind(
    'force_bias_N',
    'sensor',
    'N',
    -2000,
    2000,
    'lasting',
    'added to the measured force along z',
  ),
  kind(
    'force_noise_N',
    'sensor',
    'N',
    0,
    2000,
    'lasting',
    'standard deviation added to each force axis',
  ),
  kind(
    'force_dropout_ticks',
    'sensor',
    'ticks',
    1,
    1e5,
    'timed',
    'the force sample stays and grows old',
  ),
  kind('force_nan_ticks', 'sensor', 'ticks', 1, 1e5, 'timed', 'the measured force is no number'),
  kind('input_dropout_s', 'operator', 's', 0, 60, 'timed', 'the input of the station is lost'),
  kind('input_freeze_s', 'operator', 's', 0, 60, 'timed', 'sticks and deadman stay as they are'),
  kind('authority_loss', 'operator', '1', 1, 1, 'once', 'the loop forgets who holds authority'),
  kind(
    'robot_fault_word',
    'robot',
    '1',
    0,
    0xffffffff,
    'lasting',
    'bits that STATE.fault has beside its own',
  ),
  kind(
    'robot_reduced',
    'robot',
    '1',
    0,
    1,
    'lasting',
    'the robot reports reduced instead of normal',
  ),
  kind('robot_idle', 'robot', '1', 0, 1, 'lasting', 'the robot says that it applies no set-point'),
] as const;

/** Names of the kinds, by index. */
export type InjectionName = (typeof INJECTION_TABLE)[number]['name'];
export const INJECTIONS: readonly InjectionName[] = INJECTION_TABLE.map(({ name }) => name);
/** Those that are there for a while: all but what ends with the tick it came in. */
export const LASTING_INJECTIONS: readonly InjectionName[] = INJECTION_TABLE.flatMap(
  ({ name, end }) => (end === 'once' ? [] : [name]),
);
/** Index of each kind by its name. */
export const InjectionKind: NameIndices<typeof INJECTIONS> = indicesOf(INJECTIONS);
/** Kinds that happen in the worker of the robot socket, and in the recorder. */
export const LINK_WORKER_FAULTS: readonly InjectionName[] = [
  'link_worker_error',
  'link_worker_stall_s',
];
export const RECORDER_FAULTS: readonly InjectionName[] = INJECTION_TABLE.flatMap(
  ({ name, domain }) => (domain === 'recorder' ? [name] : []),
);
/** Kind of the command that ends every injected fault. */
export const END_INJECTIONS = -1;

/** Why an amount is not allowed, in a sentence; '' when it is. */
export function checkInjection(index: number, amount: number): string {
  const { name, unit, least, most } = INJECTION_TABLE[index];
  if (amount >= least && amount <= most) return '';
  const of = unit === '1' ? '' : ` ${unit}`;
  return `amount: ${amount}${of} for ${name} is not within ${least} to ${most}${of}.`;
}
