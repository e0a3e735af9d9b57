/** Copies what the compiler does not: tables of references. Run after `tsc`. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../config/paths.ts';
import { REFERENCE_FOLDER } from './reference-data.ts';

cpSync(join(packageRoot(), 'server', 'validation', 'data'), REFERENCE_FOLDER, { recursive: true });
