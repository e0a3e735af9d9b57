/** `berth recover`: makes a closed file of a recording that was not closed, or was damaged. */
import { parseArgs } from 'node:util';
import { inspectRecording, recoverRecording } from '../../hil/recording/recover.ts';
import { BerthError } from '../../src/base/errors.ts';

export const usage = `Usage: berth recover FILE [-o OUT]

Writes what is whole in a recording to a new file with an index and statistics, and tells what was lost. A recording that is
whole is left alone. Default for OUT: FILE with "-recovered" before its ending.`;

/** Runs the command. @returns exit code */
export async function run(argv: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { out: { type: 'string', short: 'o' } },
  });
  if (positionals.length !== 1) throw new BerthError('BERTH_USAGE', 'expected one FILE to recover');
  const [file] = positionals;
  const found = inspectRecording(file);
  if (found.whole) {
    console.log(`${file} is whole: ${found.messages} messages. Nothing to do.`);
    return 0;
  }
  const out = values.out ?? `${file.replace(/\.mcap$/, '')}-recovered.mcap`;
  const { messages, chunks, damagedChunks, lostBytes } = await recoverRecording(file, out);
  console.log(`${out}: ${messages} messages in ${chunks} chunks kept`);
  console.log(
    `lost: ${lostBytes} bytes${damagedChunks > 0 ? `, ${damagedChunks} damaged chunks among them` : ''}`,
  );
  return 0;
}
