/** Tables of named columns: what `berth export` writes and `berth plot` draws. */
import { nearest } from '../../config/read.ts';
import { BerthError } from '../../src/base/errors.ts';

/** One value; null where a message has none. */
export type Cell = number | string | bigint | boolean | null;

/** Rows of named columns, read once from the start for each call of `rows`. */
export interface Table {
  readonly columns: readonly string[];
  /** Column of the time, s. */
  readonly time: number;
  rows(): AsyncIterable<readonly Cell[]>;
}

/** Part of a table that is asked for. */
export interface TableChoice {
  /** Names, with * for any letters; empty for all. */
  readonly columns: readonly string[];
  /** First and last time, s. */
  readonly from_s: number;
  readonly to_s: number;
}

/** Names in the values of an option that is given several times or has commas. */
export function namesOf(values: readonly string[] | undefined): string[] {
  return (values ?? []).flatMap((value) => value.split(',')).map((name) => name.trim());
}

/** What to say of a name that is not there. */
export function hint(name: string, known: readonly string[], all: string): string {
  const near = nearest(name, known);
  return near.length > 0 ? `did you mean ${near.join(' or ')}?` : `allowed: ${all}`;
}

/**
 * Places of the columns with these names, in the order asked for; capitals do not matter.
 * @param all what is allowed, in words, where no name is near
 * @throws BerthError for a name that no column has
 */
export function chooseColumns(
  names: readonly string[],
  columns: readonly string[],
  all: string,
): number[] {
  const chosen = new Set<number>();
  for (const name of names) {
    const escaped = name.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*');
    const pattern = new RegExp(`^${escaped}$`, 'i');
    const found = columns.flatMap((column, i) => (pattern.test(column) ? [i] : []));
    if (found.length === 0) {
      const text = `--columns has "${name}"; ${hint(name, columns, all)}`;
      throw new BerthError('BERTH_USAGE', text, { field: '--columns' });
    }
    for (const i of found) chosen.add(i);
  }
  return [...chosen];
}

/** The columns of a table that are chosen, its time first; all of them where none is named. @throws BerthError */
export function chosenPart(
  table: Table,
  { columns, from_s, to_s }: TableChoice,
  all: string,
): Table {
  const places =
    columns.length === 0
      ? table.columns.map((_, i) => i)
      : chooseColumns(columns, table.columns, all);
  const order = [table.time, ...places.filter((i) => i !== table.time)];
  return {
    columns: order.map((i) => table.columns[i]),
    time: 0,
    async *rows() {
      for await (const row of table.rows()) {
        const time = Number(row[table.time]);
        if (time >= from_s && time <= to_s) yield order.map((i) => row[i]);
      }
    },
  };
}
