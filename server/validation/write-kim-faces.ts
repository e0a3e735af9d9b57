/** Writes the patch files of the scenarios of Kim: `npm run scenario:faces`. */
import { writePatch } from '../../config/patch-file.ts';
import { kimFaces } from './kim-faces.ts';

for (const { path, source, body } of kimFaces()) writePatch(path, source, body);
