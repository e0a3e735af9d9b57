/**
 * Explains every hold and stop of a soak run: the rows of the seconds before it must show the fault
 * of the machine, the line or the operator that its cause names. A cause without such a sign is not
 * explained.
 */
import { Column } from '../../hil/contract/columns.ts';
import { PERMIT_STATES } from '../../hil/contract/commands.ts';
import { RobotFault } from '../../hil/emulator/guard.ts';
import { FAULT_CODES, type FaultName, SAFETY_STATES } from '../../hil/contract/codes.ts';
import { setpointTtl_ms } from '../../hil/safety/setpoint-life.ts';
import { SafetyOptions } from '../../hil/contract/signals.ts';

/** Signs in a row. A single randomly lost frame is no sign. */
const SIGNS = ['miss', 'missing', 'gone', 'gap', 'sparse', 'slow', 'silence', 'hand'] as const;
type Sign = (typeof SIGNS)[number];

/** What must have been seen before a hold or stop of a cause: one of these. */
const EXPLANATIONS: Partial<Record<FaultName, readonly Sign[]>> = {
  STATE_MISSING: ['missing'],
  LINK_LOST: ['gone'],
  QUALITY_LOW: ['sparse'],
  OVERRUN_CONSECUTIVE: ['miss'],
  OVERRUN_BUCKET: ['miss'],
  OVERRUN_SINGLE: ['miss'],
  INPUT_STALE: ['silence'],
  DEADMAN_RELEASED: ['hand'],
  AUTHORITY_CHANGED: ['hand'],
  // a robot without frames for the life of a set-point stops on its own: the loop, or the robot
  // itself, was blocked; its fault word reports it, too
  ROBOT_PROTECTIVE_STOP: ['gap'],
  ROBOT_FAULT: ['gap'],
  HOLD_TIMEOUT: ['gap'],
  PERMIT_LOST: ['slow'],
};
/** Of a robot that stops for another reason than silence nothing here is the explanation. */
const OF_THE_ROBOT: readonly FaultName[] = ['ROBOT_PROTECTIVE_STOP', 'ROBOT_FAULT'];
const OF_SILENCE = RobotFault.TTL_EXPIRED | RobotFault.SETPOINTS_LOST;
const PERMIT_NEEDED = PERMIT_STATES.indexOf('needed');
const { missingToHold, missingToStop } = new SafetyOptions();
/** How long before, s. */
const BEFORE_S = 1;
/** The hand of the pilot is silent from here on; a status takes 0.1 s, an input 0.02 s. */
const SILENCE_S = 0.06;
/** Link quality is low when it is below 90 of a hundred periods. */
const SPARSE = { periods: 100, quiet: 10 };
/** The echo of set-points is averaged over this, s, and confirms a delay that is estimated when it is this share of it. */
const ECHO_s = 0.2;
const CONFIRMED = 0.9;
const TOLD = 10;

const ENTERED = ['HOLD', 'STOPPING'].map((name) => SAFETY_STATES.indexOf(name as never));
const HOLD = ENTERED[0];

/** Whether so many of so many periods in a row were quiet: no set-point went out, or no STATE came. */
class QuietPeriods {
  readonly #of: number;
  readonly #least: number;
  readonly #quiet: number[] = [];

  constructor(periods: number, quiet: number) {
    this.#of = periods;
    this.#least = quiet;
  }

  take(period: number, slipped: number, missing: boolean): boolean {
    const quiet = this.#quiet;
    for (let n = Math.max(period - slipped, period - this.#of); n < period; n++) quiet.push(n);
    if (missing) quiet.push(period);
    while (quiet.length > 0 && quiet[0] <= period - this.#of) quiet.shift();
    return quiet.length >= this.#least;
  }
}

/** Explanations of the holds and stops of a soak run. Call it with every row. */
export class HoldExplanations {
  explained = 0;
  /** At most a few in words; `unexplainedCount` has them all. */
  readonly unexplained: string[] = [];
  unexplainedCount = 0;
  readonly #period_s: number;
  readonly #gap: QuietPeriods;
  readonly #sparse = new QuietPeriods(SPARSE.periods, SPARSE.quiet);
  /** Period in which each sign was seen last. */
  readonly #seen: Record<Sign, number>;
  /** Mean of late of the periods from a set-point to its echo, less the one that it looks ahead. */
  #echo_s = 0;
  #state = -1;
  #faults = 0;
  #deadman = 0;
  #authority = 0;

  constructor(period_s: number) {
    this.#period_s = period_s;
    // The robot stops after `life` periods without a set-point, with `life − 1` between the two
    // that it received. One of these may have been lost on the line, or delayed by a thread; the
    // others must show.
    const life = Math.round(setpointTtl_ms(true, period_s) / 1000 / period_s);
    this.#gap = new QuietPeriods(life + 1, life - 2);
    this.#seen = Object.fromEntries(SIGNS.map((sign) => [sign, -Infinity])) as Record<Sign, number>;
  }

  take(row: Float64Array): void {
    const period = row[Column.period];
    const slipped = row[Column.slipped];
    this.#check(row, period, slipped);
    const state = row[Column.safety_state];
    const faults = row[Column.fault_bits];
    if (state !== this.#state && ENTERED.includes(state)) {
      const causes = state === HOLD ? row[Column.hold_bits] : faults & ~this.#faults;
      for (const [code, name] of FAULT_CODES.entries()) {
        if (((causes >>> code) & 1) === 1) this.#judge(name, row);
      }
    }
    this.#state = state;
    this.#faults = faults;
    this.#deadman = row[Column.deadman];
    this.#authority = row[Column.authority];
  }

  #check(row: Float64Array, period: number, slipped: number): void {
    const seen = this.#seen;
    const lost = row[Column.link_lost_in_row];
    if (slipped > 0 || row[Column.miss_cause] >= 0) seen.miss = period;
    if (lost >= missingToHold) seen.missing = period;
    if (lost >= missingToStop) seen.gone = period;
    if (this.#gap.take(period, slipped, lost > 0)) seen.gap = period;
    if (this.#sparse.take(period, slipped, lost > 0)) seen.sparse = period;
    const echo = row[Column.loop_delay_ticks];
    if (lost === 0 && echo >= 1) {
      const weight = this.#period_s / ECHO_s;
      this.#echo_s += weight * ((echo - 1) * this.#period_s - this.#echo_s);
    }
    const confirmed = this.#echo_s >= CONFIRMED * row[Column.loop_delay_s];
    if (row[Column.permit_state] === PERMIT_NEEDED && confirmed) seen.slow = period;
    if (row[Column.input_age_s] > SILENCE_S) seen.silence = period;
    if (row[Column.deadman] !== this.#deadman || row[Column.authority] !== this.#authority) {
      seen.hand = period;
    }
  }

  #judge(name: FaultName, row: Float64Array): void {
    const period = row[Column.period];
    const robotFault = row[Column.robot_fault];
    const signs = EXPLANATIONS[name];
    const within = BEFORE_S / this.#period_s;
    const another = OF_THE_ROBOT.includes(name) && (robotFault & ~OF_SILENCE) !== 0;
    const signed = signs?.some((sign) => period - this.#seen[sign] <= within) === true;
    if (name === 'SHUTDOWN' || (signed && !another)) {
      this.explained++;
      return;
    }
    this.unexplainedCount++;
    if (this.unexplained.length >= TOLD) return;
    const robot = another ? `, robot fault ${robotFault}` : '';
    const without = signed ? '' : `, without ${(signs ?? ['any']).join(' or ')}`;
    this.unexplained.push(`${name} in period ${period}${robot}${without}`);
  }
}
