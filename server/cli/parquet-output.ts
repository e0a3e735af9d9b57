/** A table as a Parquet file: one column chunk for each column and 50,000 rows, packed with Snappy. */
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { closeSync, openSync } from 'node:fs';
import { BerthError } from '../../src/base/errors.ts';
import type { Cell } from './table.ts';

/** Rows of a row group: all columns of a tick take 65 MB. */
const GROUP = 50_000;

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];

/** Type of a column, by the type of its first value; one without values is of numbers. */
function typeOf(name: string, first: Cell | undefined): Schema[number] {
  const common = { name, repetition_type: 'OPTIONAL' } as const;
  if (typeof first === 'string') return { ...common, type: 'BYTE_ARRAY', converted_type: 'UTF8' };
  if (typeof first === 'bigint') return { ...common, type: 'INT64' };
  if (typeof first === 'boolean') return { ...common, type: 'BOOLEAN' };
  return { ...common, type: 'DOUBLE' };
}

/** Rows into a file. Types are those of the values in the first 50,000 rows. */
export class ParquetOutput {
  readonly #path: string;
  readonly #names: readonly string[];
  #columns: Cell[][];
  #writer: ParquetWriter | null = null;

  /** @throws BerthError when the file cannot be written */
  constructor(path: string, names: readonly string[]) {
    try {
      closeSync(openSync(path, 'w'));
    } catch (error) {
      throw new BerthError(
        'BERTH_MISSING_FILE',
        `--output: "${path}" cannot be written: ${(error as Error).message}`,
        { field: '--output', cause: error },
      );
    }
    this.#path = path;
    this.#names = names;
    this.#columns = names.map(() => []);
  }

  /** One row more. */
  async row(row: readonly Cell[]): Promise<void> {
    for (let i = 0; i < row.length; i++) this.#columns[i].push(row[i]);
    if (this.#columns[0].length === GROUP) await this.#flush();
  }

  /** Writes what is kept, and the footer. */
  async close(): Promise<void> {
    if (this.#writer === null || this.#columns[0].length > 0) await this.#flush();
    await this.#writer?.finish();
  }

  async #flush(): Promise<void> {
    this.#writer ??= this.#begin();
    const columnData = this.#names.map((name, i) => ({ name, data: this.#columns[i] }));
    await this.#writer.write({ columnData, rowGroupSize: GROUP });
    this.#columns = this.#names.map(() => []);
  }

  #begin(): ParquetWriter {
    const columns = this.#names.map((name, i) =>
      typeOf(name, this.#columns[i].find((value) => value !== null) ?? undefined),
    );
    return new ParquetWriter({
      writer: fileWriter(this.#path),
      schema: [{ name: 'root', num_children: columns.length }, ...columns],
      createdBy: 'berth',
    });
  }
}
