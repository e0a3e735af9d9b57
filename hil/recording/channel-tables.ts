/** Schemas and channels of a file as its records; the number of a channel is its place in the list. */
import type { Channel as ChannelRecord, Schema } from '@mcap/core';
import type { Channel } from './channels.ts';
import type { FileHead } from './mcap-file.ts';

/** Schema and channel records of a file. Channels of one type share its schema. */
export function channelTables(of: readonly Channel[]): Pick<FileHead, 'schemas' | 'channels'> {
  const types = new Map(of.map((c) => [c.schemaName, c]));
  const names = [...types.keys()];
  const schemas: Schema[] = [...types].map(([name, { schema, schemaEncoding }], i) => ({
    id: i + 1,
    name,
    encoding: schemaEncoding,
    data: new TextEncoder().encode(schema),
  }));
  const channels: ChannelRecord[] = of.map((c, id) => ({
    id,
    topic: c.topic,
    schemaId: names.indexOf(c.schemaName) + 1,
    messageEncoding: c.encoding,
    metadata: new Map(),
  }));
  return { schemas, channels };
}
