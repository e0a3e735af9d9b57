/** The numbers that a study asks of each run, taken from the rows of its steps. */
import type { StudyQuantity } from '../../../config/study-schema.ts';
import { BerthError } from '../../../src/base/errors.ts';
import type { System } from '../../../src/system/system.ts';
import { ColumnFigures } from '../column-figures.ts';
import { runColumnNames } from '../run-columns.ts';
import { rowReader } from '../run-rows.ts';
import { hint } from '../table.ts';

interface Tally {
  readonly quantity: StudyQuantity;
  readonly place: number;
  readonly figures: ColumnFigures;
  /** First time beyond the value, s; null before. */
  reached_s: number | null;
}

/** Takes the quantities of one run; `take` after each step. */
export class QuantityReader {
  readonly #system: System;
  readonly #tallies: readonly Tally[];
  readonly #row: Float64Array;
  readonly #read: (row: Float64Array) => void;

  /** @throws BerthError for a column that the scenario does not have */
  constructor(system: System, quantities: readonly StudyQuantity[]) {
    const columns = runColumnNames(system);
    this.#system = system;
    this.#row = new Float64Array(columns.length);
    this.#tallies = quantities.map((quantity, i) => {
      const place = columns.indexOf(quantity.column);
      if (place < 0) {
        const field = `quantities[${i}].column`;
        throw new BerthError(
          'BERTH_MISMATCH',
          `${field} is "${quantity.column}"; ${hint(quantity.column, columns, columns.join(', '))}`,
          { field },
        );
      }
      return { quantity, place, figures: new ColumnFigures(), reached_s: null };
    });
    this.#read = rowReader(system, new Set(this.#tallies.map(({ place }) => place)));
  }

  /** The present state. */
  take(): void {
    this.#read(this.#row);
    for (const tally of this.#tallies) {
      const value = this.#row[tally.place];
      const { above, below } = tally.quantity;
      tally.figures.take(value, this.#system.time);
      const beyond =
        (above !== undefined && value > above) || (below !== undefined && value < below);
      if (beyond) tally.reached_s ??= this.#system.time;
    }
  }

  /** In the order of the study; null for a time that did not come. */
  values(): (number | null)[] {
    return this.#tallies.map(({ quantity, figures, reached_s }) => {
      switch (quantity.of) {
        case 'time_to':
          return reached_s;
        case 'time_of_peak':
          return figures.peakAt_s;
        default:
          return figures[quantity.of];
      }
    });
  }
}
