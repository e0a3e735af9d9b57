/** `berth audit verify`: is this audit log whole, and if not, where was it changed? */
import { existsSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BerthError } from '../../src/errors.ts';
import { headPath, verifyChain } from '../audit-chain.ts';

export const usage = `Usage: berth audit verify FILE

Follows the hash chain of an audit log and compares its end with FILE.head. Ends with 0 when the log is whole, with 1 when a line
was changed, removed or inserted, the tail was cut off, or the log is not the one that FILE.head notes; it names the line.`;

/** Runs the command. @returns exit code */
export async function run(argv: string[]): Promise<number> {
  const { positionals } = parseArgs({ args: argv, allowPositionals: true, options: {} });
  const [verb, file] = positionals;
  if (verb !== 'verify' || file === undefined || positionals.length > 2) {
    throw new BerthError('BERTH_USAGE', 'expected "verify FILE"');
  }
  // a log that is missing while its head is there is one that was removed
  if (existsSync(file) ? !statSync(file).isFile() : !existsSync(headPath(file))) {
    throw new BerthError('BERTH_MISSING_FILE', `there is no file "${file}"`, { field: 'FILE' });
  }
  const { head, fault, tornBytes, noted, headFault } = await verifyChain(file);
  if (fault !== null) {
    console.error(`${file}: ${fault.text}; the ${head.n} records before it are sound`);
    return 1;
  }
  if (headFault !== null) {
    console.error(`${file}: ${headFault}`);
    return 1;
  }
  if (tornBytes > 0) {
    console.error(`${file}: line ${head.n + 1} is cut off; ${head.n} records before it are sound`);
    return 1;
  }
  if (noted === 'none') {
    console.log(
      `${file}: ${head.n} records, chain whole; without ${headPath(file)} a cut tail cannot be seen`,
    );
    return 0;
  }
  console.log(`${file}: ${head.n} records, chain whole, last ${head.hash.slice(0, 16)}…`);
  return 0;
}
