/**
 * Explains every hold and stop of a soak run: the rows of the seconds before it must show the fault of the machine, the line or the
 * hands that its cause speaks of. A cause that is only named is not explained.
 */
import { columnIndex } from '../hil/columns.ts';
import { FAULT_CODES, type FaultName, SAFETY_STATES } from '../hil/safety/codes.ts';
import { setpointTtl_ms } from '../hil/safety/limits.ts';
import { SafetyOptions } from '../hil/safety/signals.ts';

const Column = {
  period: columnIndex('period'),
  state: columnIndex('safety_state'),
  faults: columnIndex('fault_bits'),
  holds: columnIndex('hold_bits'),
  slipped: columnIndex('slipped'),
  missCause: columnIndex('miss_cause'),
  lost: columnIndex('link_lost_in_row'),
  inputAge: columnIndex('input_age_s'),
  deadman: columnIndex('deadman'),
  authority: columnIndex('authority'),
};
/**
 * What a row can show. Of frames that are lost at random now and then one alone says nothing: STATE missing as many times in a row as
 * the machine holds or stops for, or a gap, of lost frames or of periods that slipped, as long as the life of a set-point in contact.
 */
const SIGNS = ['miss', 'missing', 'gone', 'gap', 'silence', 'hand'] as const;
type Sign = (typeof SIGNS)[number];

/** What must have been seen before a hold or stop of a cause: one of these. */
const EXPLANATIONS: Partial<Record<FaultName, readonly Sign[]>> = {
  STATE_MISSING: ['missing'],
  LINK_LOST: ['gone'],
  QUALITY_LOW: ['gap'],
  OVERRUN_CONSECUTIVE: ['miss'],
  OVERRUN_BUCKET: ['miss'],
  OVERRUN_SINGLE: ['miss'],
  INPUT_STALE: ['silence'],
  DEADMAN_RELEASED: ['hand'],
  AUTHORITY_CHANGED: ['hand'],
  // a robot that hears nothing for the life of a set-point stops by itself: the loop, or the robot itself, stood still
  ROBOT_PROTECTIVE_STOP: ['gap'],
  HOLD_TIMEOUT: ['gap'],
  PERMIT_LOST: ['gap'],
};
const { missingToHold, missingToStop } = new SafetyOptions();
/** How long before, s. A permit is lost seconds after the delay that it did not cover. */
const BEFORE_S = 1;
const PERMIT_BEFORE_S = 5;
/** The hand of the pilot is silent from here on; a status takes 0.1 s, an input 0.02 s. */
const SILENCE_S = 0.06;
const TOLD = 10;

const ENTERED = ['HOLD', 'STOPPING'].map((name) => SAFETY_STATES.indexOf(name as never));
const HOLD = ENTERED[0];

/** See above: give it every row. */
export class HoldExplanations {
  explained = 0;
  /** At most a few in words; `unexplainedCount` has them all. */
  readonly unexplained: string[] = [];
  unexplainedCount = 0;
  readonly #period_s: number;
  /** From frame to frame is one period more than those without one. */
  readonly #gap: number;
  /** Period in which each sign was seen last. */
  readonly #seen: Record<Sign, number>;
  #state = -1;
  #faults = 0;
  #deadman = 0;
  #authority = 0;

  constructor(period_s: number) {
    this.#period_s = period_s;
    this.#gap = Math.round(setpointTtl_ms(true) / 1000 / period_s) - 1;
    this.#seen = Object.fromEntries(SIGNS.map((sign) => [sign, -Infinity])) as Record<Sign, number>;
  }

  take(row: Float64Array): void {
    const period = row[Column.period];
    const seen = this.#seen;
    const slipped = row[Column.slipped];
    const lost = row[Column.lost];
    if (slipped > 0 || row[Column.missCause] >= 0) seen.miss = period;
    if (lost >= missingToHold) seen.missing = period;
    if (lost >= missingToStop) seen.gone = period;
    if (Math.max(slipped, lost) >= this.#gap) seen.gap = period;
    if (row[Column.inputAge] > SILENCE_S) seen.silence = period;
    if (row[Column.deadman] !== this.#deadman || row[Column.authority] !== this.#authority) {
      seen.hand = period;
    }
    const state = row[Column.state];
    const faults = row[Column.faults];
    if (state !== this.#state && ENTERED.includes(state)) {
      const causes = state === HOLD ? row[Column.holds] : faults & ~this.#faults;
      for (const [code, name] of FAULT_CODES.entries()) {
        if (((causes >>> code) & 1) === 1) this.#judge(name, period);
      }
    }
    this.#state = state;
    this.#faults = faults;
    this.#deadman = row[Column.deadman];
    this.#authority = row[Column.authority];
  }

  #judge(name: FaultName, period: number): void {
    const signs = EXPLANATIONS[name];
    const within = (name === 'PERMIT_LOST' ? PERMIT_BEFORE_S : BEFORE_S) / this.#period_s;
    if (
      name === 'SHUTDOWN' ||
      signs?.some((sign) => period - this.#seen[sign] <= within) === true
    ) {
      this.explained++;
      return;
    }
    this.unexplainedCount++;
    if (this.unexplained.length >= TOLD) return;
    this.unexplained.push(
      `${name} in period ${period}, without ${(signs ?? ['any']).join(' or ')}`,
    );
  }
}
