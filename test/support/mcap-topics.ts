/** What the readers that others use find in an MCAP file of ROS messages. */
import { parse } from '@foxglove/rosmsg';
import { MessageReader } from '@foxglove/rosmsg2-serialization';
import { McapIndexedReader } from '@mcap/core';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** What viewers unpack chunks with. */
interface Zstd {
  readonly isLoaded: Promise<unknown>;
  decompress(bytes: Uint8Array, size: number): Uint8Array;
}

/** A decoded message. */
export type Fields = Readonly<Record<string, unknown>>;

/** A message with its time, ns since 1970. */
export interface TimedMessage {
  readonly logTime: bigint;
  readonly message: Fields;
}

/** Every message of a closed file by topic, decoded by its own schema. */
export async function readTopics(file: string): Promise<Map<string, TimedMessage[]>> {
  const data = readFileSync(file);
  const zstd = createRequire(import.meta.url)('@foxglove/wasm-zstd') as Zstd;
  await zstd.isLoaded;
  const reader = await McapIndexedReader.Initialize({
    readable: {
      size: () => Promise.resolve(BigInt(data.length)),
      read: (offset, size) =>
        Promise.resolve(data.subarray(Number(offset), Number(offset) + Number(size))),
    },
    decompressHandlers: { zstd: (bytes, size) => zstd.decompress(bytes, Number(size)) },
  });
  assert.equal(reader.header.profile, 'ros2');
  assert.equal(reader.statistics?.chunkCount, reader.chunkIndexes.length);
  const found = new Map<string, TimedMessage[]>();
  const readers = new Map<number, MessageReader<Fields>>();
  let count = 0n;
  let last = 0n;
  for await (const { channelId, data: bytes, logTime } of reader.readMessages({
    validateCrcs: true,
  })) {
    const { topic, schemaId } = reader.channelsById.get(channelId)!;
    if (!readers.has(schemaId)) {
      const text = new TextDecoder().decode(reader.schemasById.get(schemaId)!.data);
      readers.set(schemaId, new MessageReader(parse(text, { ros2: true })));
    }
    if (!found.has(topic)) found.set(topic, []);
    found.get(topic)!.push({ logTime, message: readers.get(schemaId)!.readMessage(bytes) });
    assert.ok(logTime >= last);
    last = logTime;
    count++;
  }
  assert.equal(count, reader.statistics?.messageCount);
  return found;
}

/** Numbers of a message in the order of its fields, the header left out. */
export function flat(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (ArrayBuffer.isView(value)) return [...(value as unknown as Iterable<number>)];
  if (Array.isArray(value)) return value.flatMap(flat);
  return Object.entries(value as Fields).flatMap(([key, part]) =>
    key === 'header' ? [] : flat(part),
  );
}
