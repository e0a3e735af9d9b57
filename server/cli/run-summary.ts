/** `berth simulate --summary`: peak, mean and end of columns over every step of a run, and where the payload is in its seat. */
import { compileInsertion, type Insertion } from '../../config/compile-insertion.ts';
import type { Scenario } from '../../config/scenario-schema.ts';
import type { System } from '../../src/system/system.ts';
import { alignedLines } from './aligned-lines.ts';
import { ColumnFigures } from './column-figures.ts';
import { runColumnNames } from './run-columns.ts';
import { rowReader } from './run-rows.ts';
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
  readonly figures: ColumnFigures;
}

/** Figures of a run; `take` after each step. */
export class RunSummary {
  readonly #system: System;
  readonly #insertion: Insertion | null;
  readonly #figures: readonly Figures[];
  readonly #row: Float64Array;
  readonly #read: (row: Float64Array) => void;
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
      figures: new ColumnFigures(),
    }));
    this.#read = rowReader(system, new Set(this.#figures.map(({ place }) => place)));
  }

  /** The present state of the system. */
  take(): void {
    this.#read(this.#row);
    for (const { figures, place } of this.#figures)
      figures.take(this.#row[place], this.#system.time);
    const place = this.#place();
    if (place === null || !place.seated) this.#seatedSince_s = NaN;
    else if (Number.isNaN(this.#seatedSince_s)) this.#seatedSince_s = this.#system.time;
  }

  /** The figures, for people. */
  lines(): string[] {
    const head = ['column', 'peak', 'at_s', 'mean', 'end'];
    const rows = this.#figures.map(({ name, figures: { peak, peakAt_s, mean, end } }) => [
      name,
      ...[peak, peakAt_s, mean, end].map((value) => String(Number(value.toPrecision(DIGITS)))),
    ]);
    const aligned = alignedLines([head, ...rows], (column) => column > 0);
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
