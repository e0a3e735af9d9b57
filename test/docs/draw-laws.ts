/** Draws the plots of docs/laws from running systems and writes the table of combinations into docs/laws/README.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../config/paths.ts';
import { combinationTable, withTable } from './law-plots/combination-table.ts';
import { drawSvg } from './law-plots/drawing.ts';
import { lawDrawings } from './law-plots/drawings.ts';

const folder = join(packageRoot(), 'docs', 'laws');
for (const drawing of lawDrawings()) {
  writeFileSync(join(folder, 'plots', `${drawing.file}.svg`), drawSvg(drawing));
}
const index = join(folder, 'README.md');
writeFileSync(index, withTable(readFileSync(index, 'utf8'), combinationTable()));
