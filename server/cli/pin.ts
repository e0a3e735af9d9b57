/** `berth pin`: a recording that the recorder must never remove. */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { PIN_ENDING } from '../../hil/recording/file-index.ts';
import { BerthError } from '../../src/base/errors.ts';

export const usage = `Usage: berth pin FILE… [--remove]

Pins recordings: the recorder never removes one, whatever room it needs. A pin is the empty file FILE.pin beside it; --remove takes
it away. Pinned files do not count for recording.keep_bytes.`;

/** Runs the command. @returns exit code */
export function run(argv: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { remove: { type: 'boolean', default: false } },
  });
  if (positionals.length === 0) throw new BerthError('BERTH_USAGE', 'expected a FILE to pin');
  for (const file of positionals) {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true || !file.endsWith('.mcap')) {
      const text = `FILE: "${file}" is no recording; expected the path of a file *.mcap`;
      throw new BerthError('BERTH_MISSING_FILE', text, { field: 'FILE' });
    }
  }
  for (const file of positionals) {
    if (values.remove) rmSync(file + PIN_ENDING, { force: true });
    else writeFileSync(file + PIN_ENDING, '', { mode: 0o640 });
    console.log(`${basename(file)} is ${values.remove ? 'no longer pinned' : 'pinned'}`);
  }
  return Promise.resolve(0);
}
