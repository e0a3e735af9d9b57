/** The numbers that a study asks of each run, taken from the rows of its steps. */
import type { StudyQuantity, StudyTurn } from '../../../config/study-schema.ts';
import { BerthError } from '../../../src/base/errors.ts';
import type { System } from '../../../src/system/system.ts';
import { ColumnFigures } from '../column-figures.ts';
import { runColumnNames } from '../run-columns.ts';
import { rowReader } from '../run-rows.ts';
import { hint } from '../table.ts';

/** Is a value beyond one of its ends? */
const isBeyond = (value: number, { above, below }: Pick<StudyTurn, 'above' | 'below'>): boolean =>
  (above !== undefined && value > above) || (below !== undefined && value < below);

/** Waits until a column goes beyond a value. */
class TurnWatch {
  readonly #turn: StudyTurn;
  readonly place: number;
  #wasWithin = false;

  constructor(turn: StudyTurn, place: number) {
    this.#turn = turn;
    this.place = place;
  }

  /** @returns whether it has gone there; stays so until it is back */
  take(value: number): boolean {
    const beyond = isBeyond(value, this.#turn);
    this.#wasWithin ||= !beyond;
    return beyond && this.#wasWithin;
  }
}

interface Tally {
  readonly quantity: StudyQuantity;
  readonly place: number;
  readonly figures: ColumnFigures;
  /** First time beyond the value, s, or value at the turn; null before. */
  reached: number | null;
  readonly turn: TurnWatch | null;
}

/** Takes the quantities of one run; `take` after each step. */
export class QuantityReader {
  readonly #system: System;
  readonly #tallies: readonly Tally[];
  readonly #row: Float64Array;
  readonly #read: (row: Float64Array) => void;
  readonly #ends: readonly TurnWatch[];

  /** @throws BerthError for a column that the scenario does not have */
  constructor(
    system: System,
    quantities: readonly StudyQuantity[],
    endWhen: readonly StudyTurn[] = [],
  ) {
    const columns = runColumnNames(system);
    this.#system = system;
    this.#row = new Float64Array(columns.length);
    const placeOf = (column: string, field: string): number => {
      const place = columns.indexOf(column);
      if (place >= 0) return place;
      throw new BerthError(
        'BERTH_MISMATCH',
        `${field} is "${column}"; ${hint(column, columns, columns.join(', '))}`,
        { field },
      );
    };
    const watch = (turn: StudyTurn, field: string): TurnWatch =>
      new TurnWatch(turn, placeOf(turn.column, `${field}.column`));
    this.#tallies = quantities.map((quantity, i) => {
      const { column, when } = quantity;
      const place = placeOf(column, `quantities[${i}].column`);
      const turn = when === undefined ? null : watch(when, `quantities[${i}].when`);
      return { quantity, place, figures: new ColumnFigures(), reached: null, turn };
    });
    this.#ends = endWhen.map((turn, i) => watch(turn, `end_when[${i}]`));
    const turns = this.#tallies.flatMap(({ turn }) => turn ?? []);
    const used = [...this.#tallies, ...turns, ...this.#ends];
    this.#read = rowReader(system, new Set(used.map(({ place }) => place)));
  }

  /** The present state. @returns whether the run ends with it */
  take(): boolean {
    this.#read(this.#row);
    for (const tally of this.#tallies) {
      const value = this.#row[tally.place];
      tally.figures.take(value, this.#system.time);
      if (isBeyond(value, tally.quantity)) tally.reached ??= this.#system.time;
      if (tally.turn?.take(this.#row[tally.turn.place])) tally.reached ??= value;
    }
    let ended = false;
    for (const end of this.#ends) if (end.take(this.#row[end.place])) ended = true;
    return ended;
  }

  /** In the order of the study; null for what did not come. */
  values(): (number | null)[] {
    return this.#tallies.map(({ quantity, figures, reached }) => {
      switch (quantity.of) {
        case 'time_to':
        case 'at':
          return reached;
        case 'time_of_peak':
          return figures.peakAt_s;
        default:
          return figures[quantity.of];
      }
    });
  }
}
