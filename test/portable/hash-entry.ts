/** Prints the hash of every scenario with a committed one, and whether it is equal; for one version of Node on one kind of machine. Exit 1 when one differs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../config/paths.ts';
import { finalHash } from '../support/final-hash.ts';

const committed = JSON.parse(
  readFileSync(join(packageRoot(), 'test', 'vectors', 'state-hashes.json'), 'utf8'),
) as Record<string, string>;
let different = 0;
for (const [name, wanted] of Object.entries(committed)) {
  const hash = finalHash(name);
  if (hash === wanted) continue;
  different++;
  console.log(`${name}: ${hash}, not ${wanted}`);
}
console.log(`${Object.keys(committed).length} scenarios, ${different} differ`);
process.exitCode = different === 0 ? 0 : 1;
