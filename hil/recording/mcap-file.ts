/**
 * An MCAP file that is written from front to back and is worth reading at any moment. What was running, schemas and channels
 * come first, then chunks; at the end comes the summary that lets readers find their way. https://mcap.dev/spec
 */
import {
  type Attachment,
  type AttachmentIndex,
  type Channel as ChannelRecord,
  type ChunkIndex,
  McapRecordBuilder,
  type Metadata,
  type MetadataIndex,
  Opcode,
  type Schema,
} from '@mcap/core';
import { crc32 } from 'node:zlib';
import type { Chunk } from './chunk.ts';
import type { DiskFile } from './disk.ts';

/** What a file begins with. */
export interface FileHead {
  /** Name and version of the writer. */
  readonly library: string;
  readonly metadata: readonly Metadata[];
  readonly attachments: readonly Attachment[];
  readonly schemas: readonly Schema[];
  /** Ids below 64. */
  readonly channels: readonly ChannelRecord[];
}

/** Writer of one MCAP file. Calls must not overlap; a failed call leaves the file unchanged. */
export class McapFile {
  /** Messages written so far. */
  messages = 0n;
  readonly #file: DiskFile;
  readonly #head: FileHead;
  readonly #attachments: AttachmentIndex[] = [];
  readonly #metadata: MetadataIndex[] = [];
  readonly #chunks: ChunkIndex[] = [];
  readonly #counts = new Map<number, bigint>();
  #start = 0n;
  #end = 0n;
  #position = 0;
  #crc = 0;

  constructor(file: DiskFile, head: FileHead) {
    this.#file = file;
    this.#head = head;
  }

  /** Write everything before the first chunk. */
  async begin(): Promise<void> {
    const builder = new McapRecordBuilder();
    builder.writeMagic();
    builder.writeHeader({ profile: 'ros2', library: this.#head.library });
    for (const metadata of this.#head.metadata) {
      const offset = BigInt(builder.length);
      const length = builder.writeMetadata(metadata);
      this.#metadata.push({ name: metadata.name, offset, length });
    }
    for (const attachment of this.#head.attachments) {
      const offset = BigInt(builder.length);
      const length = builder.writeAttachment(attachment);
      const { data, ...about } = attachment;
      this.#attachments.push({ ...about, dataSize: BigInt(data.length), offset, length });
    }
    for (const schema of this.#head.schemas) builder.writeSchema(schema);
    for (const channel of this.#head.channels) builder.writeChannel(channel);
    await this.#append(builder.buffer);
  }

  /** Write a finished chunk; `bytes` is what its `finish` gave. */
  async chunk(chunk: Chunk, bytes: Uint8Array): Promise<void> {
    const offset = this.#position;
    await this.#append(bytes);
    const messageIndexOffsets = new Map<number, bigint>();
    chunk.indexAt.forEach((at, channel) => {
      if (at < 0) return;
      messageIndexOffsets.set(channel, BigInt(offset + at));
      const before = this.#counts.get(channel) ?? 0n;
      this.#counts.set(channel, before + BigInt(chunk.counts[channel]));
    });
    if (this.messages === 0n || chunk.start < this.#start) this.#start = chunk.start;
    if (chunk.end > this.#end) this.#end = chunk.end;
    this.messages += BigInt(chunk.messages);
    this.#chunks.push({
      messageStartTime: chunk.start,
      messageEndTime: chunk.end,
      chunkStartOffset: BigInt(offset),
      chunkLength: BigInt(chunk.chunkLength),
      messageIndexOffsets,
      messageIndexLength: BigInt(chunk.indexLength),
      compression: chunk.compression,
      compressedSize: BigInt(chunk.packedSize),
      uncompressedSize: BigInt(chunk.size),
    });
  }

  /** Write a metadata record between chunks. */
  async metadata(metadata: Metadata): Promise<void> {
    const builder = new McapRecordBuilder();
    const length = builder.writeMetadata(metadata);
    const offset = BigInt(this.#position);
    await this.#append(builder.buffer);
    this.#metadata.push({ name: metadata.name, offset, length });
  }

  /** Return when all that was written would survive a loss of power. */
  async sync(): Promise<void> {
    await this.#file.sync();
  }

  /** Write the summary and close the file; without room for it the file stays open-ended and readable. */
  async end(): Promise<void> {
    try {
      await this.#append(this.#summary());
      await this.sync();
    } finally {
      await this.#file.close();
    }
  }

  async #append(bytes: Uint8Array): Promise<void> {
    try {
      await this.#file.write(bytes, this.#position);
    } catch (error) {
      // a part of a record would hide what comes after it
      await this.#file.truncate(this.#position).catch(() => undefined);
      throw error;
    }
    this.#crc = crc32(bytes, this.#crc);
    this.#position += bytes.length;
  }

  #summary(): Uint8Array {
    const builder = new McapRecordBuilder();
    builder.writeDataEnd({ dataSectionCrc: this.#crc });
    const summaryAt = builder.length;
    const offsets: { groupOpcode: number; groupStart: bigint; groupLength: bigint }[] = [];
    const group = (groupOpcode: number, write: () => void): void => {
      const from = builder.length;
      write();
      if (builder.length === from) return;
      const groupStart = BigInt(this.#position + from);
      offsets.push({ groupOpcode, groupStart, groupLength: BigInt(builder.length - from) });
    };
    const { schemas, channels } = this.#head;
    group(Opcode.SCHEMA, () => schemas.forEach((s) => builder.writeSchema(s)));
    group(Opcode.CHANNEL, () => channels.forEach((c) => builder.writeChannel(c)));
    group(Opcode.STATISTICS, () => this.#writeStatistics(builder));
    group(Opcode.METADATA_INDEX, () =>
      this.#metadata.forEach((m) => builder.writeMetadataIndex(m)),
    );
    group(Opcode.ATTACHMENT_INDEX, () =>
      this.#attachments.forEach((a) => builder.writeAttachmentIndex(a)),
    );
    group(Opcode.CHUNK_INDEX, () => this.#chunks.forEach((c) => builder.writeChunkIndex(c)));
    const summaryStart = BigInt(this.#position + summaryAt);
    const summaryOffsetStart = BigInt(this.#position + builder.length);
    for (const offset of offsets) builder.writeSummaryOffset(offset);
    const footer = Buffer.alloc(1 + 8 + 8 + 8);
    footer[0] = Opcode.FOOTER;
    footer.writeBigUInt64LE(8n + 8n + 4n, 1);
    footer.writeBigUInt64LE(summaryStart, 9);
    footer.writeBigUInt64LE(summaryOffsetStart, 17);
    const summaryCrc = crc32(footer, crc32(builder.buffer.subarray(summaryAt)));
    builder.writeFooter({ summaryStart, summaryOffsetStart, summaryCrc });
    builder.writeMagic();
    return builder.buffer;
  }

  #writeStatistics(builder: McapRecordBuilder): void {
    builder.writeStatistics({
      messageCount: this.messages,
      schemaCount: this.#head.schemas.length,
      channelCount: this.#head.channels.length,
      attachmentCount: this.#attachments.length,
      metadataCount: this.#metadata.length,
      chunkCount: this.#chunks.length,
      messageStartTime: this.#start,
      messageEndTime: this.#end,
      channelMessageCounts: this.#counts,
    });
  }
}
