/** Makes a closed file with an index and statistics of a recording that was not closed, or was damaged. */
import { Opcode } from '@mcap/core';
import { basename, dirname } from 'node:path';
import { BerthError } from '../../src/base/errors.ts';
import { possibleCompression } from './chunk-codec.ts';
import { Chunk, type ChunkMessage, readChunk } from './chunk.ts';
import { systemDisk } from './disk.ts';
import { HeadReader } from './file-head.ts';
import { McapFile } from './mcap-file.ts';
import { McapScan } from './scan-mcap.ts';

/** What was found in a file. */
export interface RecoverReport {
  /** It was closed in order, and all of it is whole. */
  readonly whole: boolean;
  /** Messages in chunks that are whole. */
  readonly messages: number;
  readonly chunks: number;
  /** Chunks that are damaged, and bytes of these and of what follows the last whole record. */
  readonly damagedChunks: number;
  readonly lostBytes: number;
}

/** Read a file through. @throws BerthError when it is no recording */
export function inspectRecording(path: string): RecoverReport {
  const head = new HeadReader();
  const report = readThrough(wholeChunks(path, head));
  if (!head.library.startsWith('berth ') || head.channels.length === 0) {
    const text = `file: "${path}" is no recording of Berth, or its beginning is lost`;
    throw new BerthError('BERTH_MISMATCH', text, { field: 'file' });
  }
  return report;
}

/**
 * Write what is whole in `path` to the new file `out`.
 * @throws BerthError when `out` exists or cannot be written; `inspectRecording` throws for what is no
 * recording
 */
export async function recoverRecording(path: string, out: string): Promise<RecoverReport> {
  const head = new HeadReader();
  const report = readThrough(wholeChunks(path, head)); // metadata may stand behind chunks
  const file = await systemDisk.create(dirname(out), basename(out)).catch((error: unknown) => {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const text = `out: "${out}" cannot be made (${reason}); name a file that does not exist yet`;
    throw new BerthError('BERTH_MISSING_FILE', text, { field: 'out', cause: error });
  });
  const mcap = new McapFile(file, head);
  await mcap.begin();
  const chunk = new Chunk();
  const compression = possibleCompression('zstd');
  for (const record of wholeChunks(path, new HeadReader())) {
    const messages: ChunkMessage[] = [];
    readChunk(record, (message) => messages.push(message));
    chunk.clear();
    for (const message of messages) {
      if (chunk.add(message)) continue;
      // another writer's chunk may hold more than one of ours
      await mcap.chunk(chunk, chunk.finish(compression));
      chunk.clear();
      chunk.add(message);
    }
    if (chunk.messages > 0) await mcap.chunk(chunk, chunk.finish(compression));
  }
  await mcap.end();
  return report;
}

function readThrough(chunks: Generator<Buffer, RecoverReport>): RecoverReport {
  for (;;) {
    const next = chunks.next();
    if (next.done === true) return next.value;
  }
}

/** The Chunk records that are whole; everything else goes to `head`. */
function* wholeChunks(path: string, head: HeadReader): Generator<Buffer, RecoverReport> {
  const scan = new McapScan(path);
  let [messages, chunks, damagedChunks, lostBytes] = [0, 0, 0, 0];
  try {
    for (let record = scan.next(); record !== null; record = scan.next()) {
      if (record.opcode !== Opcode.CHUNK) {
        if (!head.take(record)) lostBytes += record.bytes.length;
        continue;
      }
      let count = 0;
      if (readChunk(record.bytes, () => count++)) {
        messages += count;
        chunks++;
        yield record.bytes;
      } else {
        damagedChunks++;
        lostBytes += record.bytes.length;
      }
    }
    const ended = scan.closed && scan.atDataEnd;
    if (!ended) lostBytes += scan.size - scan.position;
    return { whole: ended && lostBytes === 0, messages, chunks, damagedChunks, lostBytes };
  } finally {
    scan.close();
  }
}
