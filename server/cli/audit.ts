/** `berth audit verify`: is this audit log whole, and if not, where was it changed? */
import { existsSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BerthError } from '../../src/base/errors.ts';
import { type ChainHead, headPath, verifyChain } from '../audit/audit-chain.ts';
import { continuedFrom, olderThan } from '../audit/audit-rotation.ts';

export const usage = `Usage: berth audit verify FILE

Follows the hash chain of an audit log and compares its end with FILE.head. Ends with 0 when the log is whole, with 1 when a line
was changed, removed or inserted, the tail was cut off, or the log is not the one that FILE.head notes; it names the line. A log
that goes on from an older file (FILE.1 and so on) is followed into the oldest that is there.`;

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
  return verifyFrom(file, null);
}

/** @param next head of this file by the file after it; null for the newest */
async function verifyFrom(file: string, next: ChainHead | null): Promise<number> {
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
  if (next !== null && (next.n !== head.n || next.hash !== head.hash)) {
    console.error(`${file}: is not the log that the file after it goes on from`);
    return 1;
  }
  const known = noted !== 'none' || next !== null;
  const end = known
    ? `last ${head.hash.slice(0, 16)}…`
    : `without ${headPath(file)} a cut tail cannot be seen`;
  console.log(`${file}: ${head.n} records, chain whole${known ? ',' : ';'} ${end}`);
  const from = await continuedFrom(file);
  if (from === null) return 0;
  const older = olderThan(file);
  if (existsSync(older)) return verifyFrom(older, from);
  console.log(`${older}: not here; ${from.n} records, last ${from.hash.slice(0, 16)}…`);
  return 0;
}
