/** What a list of recordings says of a file, without a look into its chunks: it takes a read of some bytes for each. */
import { Opcode } from '@mcap/core';
import type { FileSummary, MarkedFault } from '../contract/file-summary.ts';
import { metadataOf } from './facts.ts';
import { HeadReader } from './file-head.ts';
import { chunkTimes, McapScan } from './scan-mcap.ts';

/** Most faults that are listed of one file. */
const MOST_FAULTS = 1000;

/** On the clock of the messages; of older files, whose marks count from the start of the loop only, off by the time between the two starts. */
function faultTime_ns(mark: ReadonlyMap<string, string>, wallStart_ns: bigint): bigint {
  const logged = mark.get('log_time_ns') ?? '';
  if (/^\d+$/.test(logged)) return BigInt(logged);
  return wallStart_ns + BigInt(Math.round(1e9 * (Number(mark.get('time_s')) || 0)));
}

/** @throws BerthError when it is no recording of a loop */
export function readFileSummary(path: string): FileSummary {
  const scan = new McapScan(path, { timesOnly: true });
  const head = new HeadReader();
  let first: bigint | null = null; // a simulated run begins at 0
  let last = 0n;
  try {
    for (let record = scan.next(); record !== null; record = scan.next()) {
      if (record.opcode === Opcode.METADATA) head.take(record);
      const times = record.opcode === Opcode.CHUNK ? chunkTimes(record) : null;
      if (times === null) continue;
      if (first === null || times[0] < first) first = times[0];
      if (times[1] > last) last = times[1];
    }
  } finally {
    scan.close();
  }
  const facts = metadataOf(head.metadata);
  const start = first ?? facts.wallStart_ns;
  const marks = head.metadata.filter(({ name }) => name === 'fault').slice(0, MOST_FAULTS);
  const faults = marks.map(({ metadata }): MarkedFault => {
    const at_s = Number(faultTime_ns(metadata, facts.wallStart_ns) - start) / 1e9;
    return { code: metadata.get('code') ?? '', at_s: Math.max(0, at_s) };
  });
  const length_s = Number(last - (first ?? 0n)) / 1e9;
  // a freeze ends with its faults; those that stop the arm are marked already
  const frozen = head.metadata.find(({ name }) => name === 'freeze')?.metadata.get('codes') ?? '';
  for (const code of frozen.split(' ')) {
    if (code !== '' && !faults.some((one) => one.code === code))
      faults.push({ code, at_s: length_s });
  }
  return {
    scenario: facts.scenario,
    mode: facts.mode,
    part: facts.part,
    start_ms: Number(start / 1_000_000n),
    length_s,
    faults,
    closed: scan.closed,
  };
}
