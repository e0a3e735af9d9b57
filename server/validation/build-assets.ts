/** Copies what the compiler does not: published tables. Run after `tsc`. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../config/paths.ts';
import { PUBLISHED_FOLDER } from './published.ts';

cpSync(join(packageRoot(), 'server', 'validation', 'data'), PUBLISHED_FOLDER, { recursive: true });
