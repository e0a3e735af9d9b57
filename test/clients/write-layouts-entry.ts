/** Writes the layouts of the robot kits anew: `npm run docs:kits`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../config/paths.ts';
import { KIT_LAYOUTS } from './kit-layouts.ts';

for (const [path, text] of Object.entries(KIT_LAYOUTS)) {
  writeFileSync(join(packageRoot(), path), text());
}
