/**
 * Published figures: tables in JSON files beside this module, each with its source, its place there and the unit of every column.
 * The build copies them; see build-assets.ts.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folder of the tables, from source and compiled. */
export const PUBLISHED_FOLDER = fileURLToPath(new URL('./data/', import.meta.url));

/** One table as it is kept. */
interface PublishedTable {
  /** Where in the source, and how the numbers came about when they are not print. */
  readonly where: string;
  readonly columns: readonly { readonly name: string; readonly unit: string }[];
  readonly rows: readonly (readonly number[])[];
}

/** One file: a source and its tables by name. */
interface PublishedFile {
  readonly source: string;
  readonly tables: Readonly<Record<string, PublishedTable>>;
}

/** Reads a file of published tables. */
function readPublished(file: string): PublishedFile {
  const text = readFileSync(PUBLISHED_FOLDER + file + '.json', 'utf8');
  return JSON.parse(text) as PublishedFile;
}

/** Rows of a table, each value by the name of its column. The columns asked for must be those of the table, in order. */
export function publishedRows<K extends string>(
  file: string,
  table: string,
  columns: readonly K[],
): readonly Readonly<Record<K, number>>[] {
  const kept = readPublished(file).tables[table] as PublishedTable | undefined;
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
