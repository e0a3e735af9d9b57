/** The beginning of a file, read back: metadata, attachments, schemas and channels. */
import { McapStreamReader, type McapTypes, Opcode } from '@mcap/core';
import { McapScan, type ScannedRecord } from './scan-mcap.ts';
import type { FileHead } from './mcap-file.ts';

function parse(bytes: Uint8Array): McapTypes.TypedMcapRecord | null {
  const reader = new McapStreamReader({ noMagicPrefix: true });
  try {
    reader.append(bytes);
    return reader.nextRecord() ?? null;
  } catch {
    return null; // damaged
  }
}

/** Collects the records that are no chunks. */
export class HeadReader implements FileHead {
  library = '';
  readonly metadata: McapTypes.Metadata[] = [];
  readonly attachments: McapTypes.Attachment[] = [];
  readonly schemas: McapTypes.Schema[] = [];
  readonly channels: McapTypes.Channel[] = [];

  /** Take a record in. @returns false when it is damaged */
  take({ opcode, bytes }: ScannedRecord): boolean {
    if (opcode === Opcode.CHUNK || opcode === Opcode.MESSAGE_INDEX) return true;
    const record = parse(bytes);
    if (record === null) return false;
    if (record.type === 'Header') this.library = record.library;
    else if (record.type === 'Metadata') this.metadata.push(record);
    else if (record.type === 'Attachment') this.attachments.push(record);
    else if (record.type === 'Schema') this.schemas.push(record);
    else if (record.type === 'Channel') this.channels.push(record);
    return true;
  }
}

/** The head of a file, up to its first chunk, and whether the file was closed. @throws BerthError when it is none */
export function readFileHead(path: string): { head: HeadReader; closed: boolean } {
  const scan = new McapScan(path);
  const head = new HeadReader();
  try {
    for (let record = scan.next(); record !== null; record = scan.next()) {
      if (record.opcode === Opcode.CHUNK) break;
      head.take(record);
    }
  } finally {
    scan.close();
  }
  return { head, closed: scan.closed };
}
