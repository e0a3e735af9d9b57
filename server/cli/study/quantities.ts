/** The numbers that a study asks of each run, taken from the rows of its steps. */
import type { StudyQuantity, StudyTurn } from '../../../config/study-schema.ts';
import { BerthError } from '../../../src/base/errors.ts';
import type { System } from '../../../src/system/system.ts';
import { ROW_COLUMNS } from '../../../hil/contract/columns.ts';
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

/** Where rows come from: a system that steps, or a recording. */
export interface RowSource {
  readonly columns: readonly string[];
  /** Reads of some columns, by their places. */
  reader(places: ReadonlySet<number>): (row: Float64Array) => void;
  /** Of the present row, s. */
  time(): number;
}

/** Rows of a system. */
export const systemRows = (system: System): RowSource => ({
  columns: runColumnNames(system),
  reader: (places) => rowReader(system, places),
  time: () => system.time,
});

/** Rows of the loop, one after the other, with the time since the first of them. */
export class TickRows implements RowSource {
  readonly columns: readonly string[] = ROW_COLUMNS;
  readonly #time: number;
  #row: Float64Array = new Float64Array(ROW_COLUMNS.length);
  #first = Number.NaN;

  constructor(timeColumn: number) {
    this.#time = timeColumn;
  }

  set(row: Float64Array): void {
    if (Number.isNaN(this.#first)) this.#first = row[this.#time];
    this.#row = row;
  }

  reader(): (row: Float64Array) => void {
    return (row) => row.set(this.#row.subarray(0, row.length));
  }

  time(): number {
    return this.#row[this.#time] - this.#first;
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
  readonly #source: RowSource;
  readonly #tallies: readonly Tally[];
  readonly #row: Float64Array;
  readonly #read: (row: Float64Array) => void;
  readonly #ends: readonly TurnWatch[];

  /** @throws BerthError for a column that the source does not have */
  constructor(
    source: RowSource,
    quantities: readonly StudyQuantity[],
    endWhen: readonly StudyTurn[] = [],
  ) {
    const { columns } = source;
    this.#source = source;
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
    this.#read = source.reader(new Set(used.map(({ place }) => place)));
  }

  /** The present state. @returns whether the run ends with it */
  take(): boolean {
    this.#read(this.#row);
    const time = this.#source.time();
    for (const tally of this.#tallies) {
      const value = this.#row[tally.place];
      tally.figures.take(value, time);
      if (isBeyond(value, tally.quantity)) tally.reached ??= time;
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
