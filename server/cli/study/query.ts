/** A question in SQL to the merged table of a study, by DuckDB where it is installed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BerthError } from '../../../src/base/errors.ts';
import { alignedLines } from '../aligned-lines.ts';

/** The package. @throws BerthError when it is not installed */
async function loadPackage(): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api');
  } catch (error) {
    throw new BerthError(
      'BERTH_USAGE',
      'query takes a package that is not installed: npm install @duckdb/node-api',
      { field: 'query', cause: error },
    );
  }
}

/** Lines of the answer; the table is called `runs`. @throws BerthError without a merged table, or for SQL that has no answer */
export async function askTable(folder: string, sql: string): Promise<string[]> {
  const table = join(folder, 'table.parquet');
  if (!existsSync(table))
    throw new BerthError(
      'BERTH_MISMATCH',
      `there is no "${table}": berth study merge writes it from the results`,
      { field: 'FOLDER' },
    );
  const { DuckDBInstance } = await loadPackage();
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    // a path is a pattern there, and a folder `a=1` a column
    const path = table.replaceAll(/[[*?]/g, '[$&]').replaceAll("'", "''");
    await connection.run(
      `CREATE VIEW runs AS SELECT * FROM read_parquet('${path}', hive_partitioning = false)`,
    );
    const answer = await connection.runAndReadAll(sql);
    const words = answer
      .getRowsJson()
      .map((row) =>
        row.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
      );
    return alignedLines([answer.columnNames(), ...words], () => false);
  } catch (error) {
    const [why] = error instanceof Error ? error.message.split('\n\n') : [String(error)];
    throw new BerthError('BERTH_USAGE', `SQL: ${why}`, { field: 'SQL', cause: error });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
