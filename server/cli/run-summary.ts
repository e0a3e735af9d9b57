/** `berth simulate --summary`: peak, mean and end of columns over every step of a run, and where the payload is in its seat. */
import { compileInsertion, type Insertion } from '../../config/compile-insertion.ts';
import type { Scenario } from '../../config/scenario-schema.ts';
import type { System } from '../../src/system/system.ts';
import { runColumnNames } from './run-columns.ts';
import { fillRow } from './run-rows.ts';
import { chooseColumns } from './table.ts';

/** Columns without --columns. */
const USUAL = ['*.normal_force_N', '*.penetration_m', '*.impact_speed_mps', 'energy.balance_J'];
/** Seated: within this of the full depth, m. */
const SEATED_M = 1e-3;
const DEGREE = Math.PI / 180;
const DIGITS = 6;

interface Figures {
  readonly name: string;
  readonly place: number;
  /** Value that is furthest from zero, with its sign, and its time, s. */
  peak: number;
  peakAt_s: number;
  sum: number;
  last: number;
}

/** Figures of a run; `take` after each step. */
export class RunSummary {
  readonly #system: System;
  readonly #insertion: Insertion | null;
  readonly #figures: readonly Figures[];
  readonly #row: Float64Array;
  #steps = 0;
  /** Time since which the payload is seated, s; NaN while it is not. */
  #seatedSince_s = NaN;

  /** @throws BerthError for a name that no column has */
  constructor(system: System, scenario: Scenario, names: readonly string[]) {
    const columns = runColumnNames(system);
    const wanted = names.length > 0 ? names : system.contactCount > 0 ? USUAL : USUAL.slice(-1);
    this.#system = system;
    this.#insertion = compileInsertion(scenario);
    this.#row = new Float64Array(columns.length);
    this.#figures = chooseColumns(wanted, columns, columns.join(', ')).map((place) => ({
      name: columns[place],
      place,
      peak: NaN,
      peakAt_s: NaN,
      sum: 0,
      last: NaN,
    }));
  }

  /** The present state of the system. */
  take(): void {
    fillRow(this.#system, this.#row);
    this.#steps++;
    for (const figures of this.#figures) {
      const value = this.#row[figures.place];
      if (!(Math.abs(value) <= Math.abs(figures.peak))) {
        figures.peak = value;
        figures.peakAt_s = this.#system.time;
      }
      figures.sum += value;
      figures.last = value;
    }
    const place = this.#place();
    if (place === null || !place.seated) this.#seatedSince_s = NaN;
    else if (Number.isNaN(this.#seatedSince_s)) this.#seatedSince_s = this.#system.time;
  }

  /** The figures, for people. */
  lines(): string[] {
    const head = ['column', 'peak', 'at_s', 'mean', 'end'];
    const rows = this.#figures.map(({ name, peak, peakAt_s, sum, last }) => [
      name,
      ...[peak, peakAt_s, sum / this.#steps, last].map((value) =>
        String(Number(value.toPrecision(DIGITS))),
      ),
    ]);
    const widths = head.map((title, i) =>
      Math.max(title.length, ...rows.map((row) => row[i].length)),
    );
    const aligned = [head, ...rows].map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join('  '),
    );
    return [...aligned, ...this.#seatLine()];
  }

  #seatLine(): string[] {
    const place = this.#place();
    if (place === null) return [];
    const { depth_m, full_m, tilt_rad, aside_m } = place;
    const where =
      `depth ${(1000 * depth_m).toFixed(2)} of ${(1000 * full_m).toFixed(2)} mm, ` +
      `tilt ${(tilt_rad / DEGREE).toFixed(2)}°, ${(1000 * aside_m).toFixed(2)} mm beside the axis`;
    return [
      Number.isNaN(this.#seatedSince_s)
        ? `not seated: ${where}`
        : `seated since ${this.#seatedSince_s.toFixed(3)} s: ${where}`,
    ];
  }

  /** Where the payload is relative to its seat; null where the scenario has none. */
  #place(): {
    seated: boolean;
    depth_m: number;
    full_m: number;
    tilt_rad: number;
    aside_m: number;
  } | null {
    const { model } = this.#system;
    if (this.#insertion === null || model.tool === null) return null;
    const { position, orientation, direction, depth } = this.#insertion;
    const at = new Float64Array(13);
    this.#system.readBody(this.#system.bodyIndex(model.tool.payload), at, 0);
    const away = position.map((seat, axis) => at[axis] - seat);
    const along = away.reduce((sum, value, axis) => sum + value * direction[axis], 0);
    const square = away.reduce((sum, value) => sum + value * value, 0);
    const turn = orientation.reduce((sum, value, k) => sum + value * at[3 + k], 0);
    return {
      seated: Math.abs(along) < SEATED_M,
      depth_m: depth + along,
      full_m: depth,
      tilt_rad: 2 * Math.acos(Math.min(1, Math.abs(turn))),
      aside_m: Math.sqrt(Math.max(0, square - along * along)),
    };
  }
}
