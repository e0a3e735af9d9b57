/** Copies what the compiler does not: the status page, the libraries it loads, published tables. Run after `tsc`. */
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../config/paths.ts';
import { LIBRARIES, PAGE_FOLDER } from './page-files.ts';
import { PUBLISHED_FOLDER } from './validation/published.ts';

copyFolder(join(packageRoot(), 'server', 'page'), PAGE_FOLDER);
for (const { name, from } of LIBRARIES) copyFileSync(from, join(PAGE_FOLDER, name));
copyFolder(join(packageRoot(), 'server', 'validation', 'data'), PUBLISHED_FOLDER);

function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  if (from !== to.replace(/\/$/, '')) cpSync(from, to, { recursive: true });
}
