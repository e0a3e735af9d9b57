/**
 * Figures to compare with: tables in JSON files beside this module, each with what it belongs to, where its figures come from and the
 * unit of every column.
 * The build copies them; see build-assets.ts.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Basis } from './case.ts';

/** Folder of the tables, from source and compiled. */
export const REFERENCE_FOLDER = fileURLToPath(new URL('./data/', import.meta.url));

/** One table as it is kept. */
interface ReferenceTable {
  /** What is computed, and how the numbers came about. */
  readonly where: string;
  /** Where the numbers come from, see case.ts; a column may differ. */
  readonly basis: Basis;
  readonly columns: readonly {
    readonly name: string;
    readonly unit: string;
    readonly basis?: Basis;
  }[];
  readonly rows: readonly (readonly number[])[];
}

/** One file: a source and its tables by name. */
interface ReferenceFile {
  readonly source: string;
  readonly tables: Readonly<Record<string, ReferenceTable>>;
}

/** Reads a file of tables. */
function readReference(file: string): ReferenceFile {
  const text = readFileSync(REFERENCE_FOLDER + file + '.json', 'utf8');
  return JSON.parse(text) as ReferenceFile;
}

/** Rows of a table, each value by the name of its column. The columns asked for must be those of the table, in order. */
export function referenceRows<K extends string>(
  file: string,
  table: string,
  columns: readonly K[],
): readonly Readonly<Record<K, number>>[] {
  const kept = readReference(file).tables[table] as ReferenceTable | undefined;
  if (kept === undefined) throw new Error(`${file}.json holds no table "${table}"`);
  const names = kept.columns.map(({ name }) => name);
  if (names.join() !== columns.join()) {
    throw new Error(`table "${table}" of ${file}.json has columns ${names.join()}`);
  }
  return kept.rows.map((row, n) => {
    if (row.length !== columns.length || !row.every(Number.isFinite)) {
      throw new Error(`row ${n + 1} of table "${table}" of ${file}.json is incomplete`);
    }
    return Object.fromEntries(columns.map((name, c) => [name, row[c]])) as Record<K, number>;
  });
}
