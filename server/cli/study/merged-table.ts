/** The merged table of a study: a row a run, in the order of the plan, however many workers there were. Byte for byte the same for the same results. */
import { join } from 'node:path';
import { csvCell } from '../csv-table.ts';
import { LineOutput } from '../line-output.ts';
import { ParquetOutput } from '../parquet-output.ts';
import type { Cell } from '../table.ts';
import type { Manifest } from './manifest.ts';
import type { StudyResult } from './results.ts';

const HEAD = ['run', 'id'];
const TAIL = ['reason', 'state_hash'];

function rowOf(manifest: Manifest, run: number, result: StudyResult): Cell[] {
  const { id, values } = manifest.runs[run];
  return [run, id, ...values, ...result.quantities, result.reason, result.hash];
}

/**
 * Writes `table.csv` and `table.parquet` into the folder: of the first `needed` runs those that have a result.
 * @throws BerthError when one cannot be written
 */
export async function writeTable(
  folder: string,
  manifest: Manifest,
  results: ReadonlyMap<string, StudyResult>,
  needed: number,
): Promise<void> {
  const names = [
    ...HEAD,
    ...manifest.dispersions,
    ...manifest.quantities.map(({ name }) => name),
    ...TAIL,
  ];
  const csv = new LineOutput(join(folder, 'table.csv'));
  const parquet = new ParquetOutput(join(folder, 'table.parquet'), names);
  csv.line(names.join(','));
  for (const [run, { id }] of manifest.runs.slice(0, needed).entries()) {
    const result = results.get(id);
    if (result === undefined) continue;
    const row = rowOf(manifest, run, result);
    csv.line(row.map(csvCell).join(','));
    await parquet.row(row);
  }
  await csv.close();
  await parquet.close();
}
