/** Writes docs/columns.md from the definitions of the columns. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../config/paths.ts';
import { columnPage } from './column-page.ts';

writeFileSync(join(packageRoot(), 'docs', 'columns.md'), columnPage());
