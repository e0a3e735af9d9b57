/**
 * Messages of the Foxglove WebSocket protocol, the part that a read-only server needs. The same protocol goes by two names:
 * `foxglove.websocket.v1`, and `foxglove.sdk.v1` of Foxglove's own SDK.
 */
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

const MESSAGE_DATA = 1;
const TIME = 2;
const DATA_HEADER_BYTES = 13; // u8 kind, u32 subscription, u64 time ns
const id = Type.Integer({ minimum: 0, maximum: 0xffffffff });
const names = Type.Array(Type.String({ maxLength: 256 }), { maxItems: 256 });

const subscription = Type.Object({ id, channelId: id });
/** A client's number for what comes of one channel. */
export type Subscription = Static<typeof subscription>;

/** What a client may ask of us. */
const ClientMessageSchema = Type.Union([
  Type.Object({
    op: Type.Literal('subscribe'),
    subscriptions: Type.Array(subscription, { maxItems: 256 }),
  }),
  Type.Object({
    op: Type.Literal('unsubscribe'),
    subscriptionIds: Type.Array(id, { maxItems: 256 }),
  }),
  Type.Object({
    op: Type.Literal('getParameters'),
    parameterNames: names,
    id: Type.Optional(Type.String({ maxLength: 256 })),
  }),
]);
export type FoxgloveRequest = Static<typeof ClientMessageSchema>;
const check = Compile(ClientMessageSchema);
/** Parts of the protocol that a read-only server has not: reported to the client, which stays connected. */
const NOT_HERE = /^[a-zA-Z]{1,64}$/;

/** @returns the request; `{ op }` of one that we do not serve; null for what is no message at all. */
export function parseRequest(text: string): FoxgloveRequest | { readonly unserved: string } | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (check.Check(value)) return value;
  const op = (value as { op?: unknown } | null)?.op;
  const known = op === 'subscribe' || op === 'unsubscribe' || op === 'getParameters';
  return typeof op === 'string' && NOT_HERE.test(op) && !known ? { unserved: op } : null;
}

/** One message of a channel, for one subscription. */
export function messageData(
  subscription: number,
  time_ns: bigint,
  payload: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(DATA_HEADER_BYTES + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, MESSAGE_DATA);
  view.setUint32(1, subscription, true);
  view.setBigUint64(5, time_ns, true);
  bytes.set(payload, DATA_HEADER_BYTES);
  return bytes;
}

/** The server's time. */
export function timeMessage(time_ns: bigint): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(9);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, TIME);
  view.setBigUint64(1, time_ns, true);
  return bytes;
}

/** Levels of a status message. */
export const StatusLevel = Object.freeze({ INFO: 0, WARNING: 1, ERROR: 2 });

/** A line in the client's list of problems. With an id it can be taken back. */
export function statusMessage(level: number, message: string, statusId?: string): string {
  const known = statusId === undefined ? {} : { id: statusId };
  return JSON.stringify({ op: 'status', level, message, ...known });
}

/** Take status messages back. */
export function removeStatus(...statusIds: string[]): string {
  return JSON.stringify({ op: 'removeStatus', statusIds });
}
