/** What the soak test reads off every row of the loop: lateness with and without viewers, stalls, and the energy of finished contacts. */
import { Column } from '../../hil/contract/columns.ts';
import { SAFETY_STATES } from '../../hil/contract/codes.ts';
import { DurationBins } from './soak-report.ts';

const STALL_S = 0.025;
/** A release that is as late as the limit, by the clock of the loop in microseconds. */
const CLOCK_STEP_S = 1e-6;

/** CONNECTING: a robot that was silent for half a second has begun anew. */
const STOPPED = ['HOLD', 'STOPPING', 'FAULT', 'ESTOP', 'OFFLINE', 'CONNECTING'];
const moving = SAFETY_STATES.map((name) => name.startsWith('ACTIVE'));
const stopped = SAFETY_STATES.map((name) => STOPPED.includes(name));

/** Relative and absolute (J) created energy above which a contact is listed. */
const RICH_SHARE = 0.05;
const RICH_J = 0.005;
const RICH_TOLD = 10;

/** What is read off every row. */
export class RowFigures {
  readonly alone = new DurationBins();
  readonly watched = new DurationBins();
  /** Which of the two is on; rows between the turns count for neither. */
  phase: 'alone' | 'watched' | 'between' = 'alone';
  stalls = 0;
  stallsInMotion = 0;
  readonly stallsNotHeld: string[] = [];
  /** Energy that finished contacts took, J. */
  contact_J = 0;
  /** Energy that contacts had won by the loop when they ended, J; those that had lost some do not count against it. */
  created_J = 0;
  /** Contacts that won much: when they ended, how long they lasted, how late the force was. */
  readonly rich: string[] = [];
  richCount = 0;
  readonly #period_s: number;
  #periods = 0;
  #begin = 0;
  #delay_s = 0;
  #state = 0;
  #in_J = 0;
  #won_J = 0;

  constructor(period_s: number) {
    this.#period_s = period_s;
  }

  readonly take = (row: Float64Array): void => {
    const late_s = row[Column.lateness_s] + row[Column.slipped] * this.#period_s;
    if (this.phase !== 'between') this[this.phase].add(late_s);
    const state = row[Column.safety_state];
    if (late_s >= STALL_S + CLOCK_STEP_S) {
      this.stalls++;
      if (moving[this.#state]) {
        this.stallsInMotion++;
        if (!stopped[state]) {
          this.stallsNotHeld.push(`${(1e3 * late_s).toFixed(1)} ms, then ${SAFETY_STATES[state]}`);
        }
      }
    }
    this.#state = state;
    this.#periods += 1 + row[Column.slipped];
    // the column is of the present or last contact: it falls when the next one begins
    const in_J = row[Column.energy_in_J];
    if (in_J < this.#in_J) this.finish();
    this.#in_J = in_J;
    this.#won_J = row[Column.energy_created_J];
    if (row[Column.loop_delay_s] > this.#delay_s) this.#delay_s = row[Column.loop_delay_s];
  };

  /** A contact has ended: the next one has begun, or there is no next one. */
  finish(): void {
    this.contact_J += this.#in_J;
    this.created_J += Math.max(0, this.#won_J);
    if (this.#won_J > RICH_J && this.#won_J > RICH_SHARE * this.#in_J) this.#tell();
    this.#begin = this.#periods;
    this.#delay_s = 0;
    this.#in_J = 0;
    this.#won_J = 0;
  }

  #tell(): void {
    if (this.richCount++ >= RICH_TOLD) return;
    const at_s = this.#periods * this.#period_s;
    const lasted_s = at_s - this.#begin * this.#period_s;
    this.rich.push(
      `${(at_s / 60).toFixed(1)} min: ${this.#won_J.toPrecision(3)} J of ${this.#in_J.toPrecision(3)} J in ${lasted_s.toFixed(1)} s, delay up to ${(1e3 * this.#delay_s).toFixed(1)} ms`,
    );
  }
}
