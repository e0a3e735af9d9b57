/**
 * The sockets of Berth as an AsyncAPI 3.0 document, made from the schemas that check them. `npm run docs:api` writes
 * docs/asyncapi.json anew; a test compares the two. Written from the side of the service: it receives what clients send.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TSchema } from 'typebox';
import { packageRoot } from '../config/paths.ts';
import { BERTH_VERSION } from './metrics/metrics-families.ts';
import { CLIENT_MESSAGES } from './contract/client-messages.ts';
import { OPERATOR_ANSWERS, TELEMETRY_ANSWERS } from './contract/server-messages.ts';
import { CloseCode } from './access/socket.ts';
import { FOXGLOVE_PROTOCOLS } from './contract/socket-paths.ts';
import { SUBSCRIBE } from './telemetry/stream.ts';

type Json = Record<string, unknown>;
type Schemas = Readonly<Record<string, TSchema>>;

const MSGPACK = 'application/vnd.msgpack';
const BYTES = 'application/octet-stream';
const ref = (path: string): Json => ({ $ref: `#/${path}` });

/** What is sent and received at one address. */
interface Socket {
  readonly name: string;
  readonly address: string;
  readonly server: 'service' | 'robot';
  readonly title: string;
  readonly description: string;
  readonly subprotocols: readonly string[];
  /** The address carries a ticket of `POST /api/tickets`. */
  readonly ticket: boolean;
  readonly contentType: string;
  readonly receives: Schemas;
  readonly sends: Schemas;
  /** Type of the answer to each message that has one. */
  readonly answerOf: (type: string) => string | null;
}

const closeCodes = Object.entries(CloseCode)
  .map(([name, code]) => `${code} ${name.toLowerCase().replaceAll('_', ' ')}`)
  .join(', ');
const opaque = (description: string): TSchema => ({
  type: 'string',
  format: 'binary',
  description,
});

const SOCKETS: readonly Socket[] = [
  {
    name: 'operator',
    address: '/operator',
    server: 'service',
    title: 'Operator',
    description:
      'Authority, hand-controller inputs, commands, status and alarms. Maps of at most 4 KiB, 200 a second. The first message ' +
      `is hello; only stop may come before it. Close codes: ${closeCodes}.`,
    subprotocols: ['berth.operator.v1'],
    ticket: true,
    contentType: MSGPACK,
    receives: CLIENT_MESSAGES,
    sends: OPERATOR_ANSWERS,
    answerOf: (type) => {
      if (type === 'input' || type === 'challenge.answer') return null;
      return type === 'hello' ? 'welcome' : type === 'sync' ? 'sync' : 'ack';
    },
  },
  {
    name: 'telemetry',
    address: '/telemetry',
    server: 'service',
    title: 'Telemetry',
    description:
      'Named topics at a rate of at most 100 Hz. Messages are left out for a client that does not keep up: it always gets the ' +
      'newest.',
    subprotocols: ['berth.telemetry.v1'],
    ticket: true,
    contentType: MSGPACK,
    receives: { subscribe: SUBSCRIBE },
    sends: TELEMETRY_ANSWERS,
    answerOf: () => 'ack',
  },
  {
    name: 'foxglove',
    address: '/foxglove',
    server: 'service',
    title: 'Foxglove live view',
    description:
      'Read-only server of the Foxglove WebSocket protocol under both of its names; JSON text and binary data. The protocol is ' +
      'described by its own specification; channels and schemas are those of a recording.',
    subprotocols: FOXGLOVE_PROTOCOLS,
    ticket: false,
    contentType: BYTES,
    receives: { request: opaque('subscribe, unsubscribe and the like, JSON.') },
    sends: { answer: opaque('serverInfo, advertise, status (JSON); message data, time (binary).') },
    answerOf: () => null,
  },
  {
    name: 'robot',
    address: '/robot',
    server: 'robot',
    title: 'Robot link',
    description:
      'HLP/1, one frame a message, both ways. Layout, handshake and receive rules: docs/protocol.md. Sub-protocol ' +
      'berth.robot.v1 carries binary frames, berth.robot.v1.msgpack the same frames as MessagePack maps. A robot key (robot.key) is ' +
      'in no header: Authorization is not read. HELLO proves the key over nonces of both ends, and every frame of the session ' +
      'carries a tag (docs/protocol.md, Key). Refused upgrades: 404 another path, 403 an Origin, 426 no sub-protocol of these, ' +
      '429 too many wrong keys, 409 another robot is in session.',
    subprotocols: ['berth.robot.v1', 'berth.robot.v1.msgpack'],
    ticket: false,
    contentType: BYTES,
    receives: { frame: opaque('HELLO, CONFIG_ACK, STATE, SYNC, ARM_ACK, FAULT and others.') },
    sends: { frame: opaque('HELLO, CONFIG, SETPOINT, SYNC, ARM, STOP, CLEAR, TARE and others.') },
    answerOf: () => null,
  },
];

/** Messages of a socket with their names in the document: messages of both ends may have the same type. */
function messagesOf({ receives, sends }: Socket): [string, string, TSchema][] {
  return [
    ...Object.entries(receives).map(([type, schema]): [string, string, TSchema] => [
      `client.${type}`,
      type,
      schema,
    ]),
    ...Object.entries(sends).map(([type, schema]): [string, string, TSchema] => [
      `server.${type}`,
      type,
      schema,
    ]),
  ];
}

function channelOf(socket: Socket): Json {
  const { name, address, server, title, description, subprotocols, ticket } = socket;
  const query = {
    type: 'object',
    properties: { ticket: { type: 'string', description: 'Of POST /api/tickets; good once.' } },
    required: ['ticket'],
  };
  return {
    address,
    title,
    description,
    servers: [ref(`servers/${server}`)],
    messages: Object.fromEntries(
      messagesOf(socket).map(([key]) => [key, ref(`components/messages/${name}.${key}`)]),
    ),
    bindings: {
      ws: {
        method: 'GET',
        ...(ticket ? { query } : {}),
        headers: {
          type: 'object',
          properties: { 'Sec-WebSocket-Protocol': { type: 'string', enum: subprotocols } },
          required: ['Sec-WebSocket-Protocol'],
        },
        bindingVersion: '0.1.0',
      },
    },
  };
}

function operationsOf(socket: Socket): [string, Json][] {
  const { name, receives, sends, answerOf } = socket;
  const channel = ref(`channels/${name}`);
  const message = (key: string): Json => ref(`channels/${name}/messages/${key}`);
  const answers = new Set(Object.keys(receives).map(answerOf));
  const received = Object.keys(receives).map((type): [string, Json] => {
    const answer = answerOf(type);
    const reply = { channel, messages: [message(`server.${answer ?? ''}`)] };
    return [
      `${name}.receive.${type}`,
      {
        action: 'receive',
        channel,
        messages: [message(`client.${type}`)],
        ...(answer === null ? {} : { reply }),
      },
    ];
  });
  const sent = Object.keys(sends)
    .filter((type) => !answers.has(type))
    .map((type): [string, Json] => [
      `${name}.send.${type}`,
      { action: 'send', channel, messages: [message(`server.${type}`)] },
    ]);
  return [...received, ...sent];
}

function componentsOf({ name, ...socket }: Socket): [string, Json][] {
  return messagesOf({ name, ...socket }).map(([key, type, schema]) => {
    const { description, ...payload } = schema as Json;
    return [
      `${name}.${key}`,
      {
        name: type,
        contentType: socket.contentType,
        ...(description === undefined ? {} : { summary: description }),
        payload,
      },
    ];
  });
}

/** The whole document. */
export function asyncApiDocument(): Json {
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: 'Berth',
      version: BERTH_VERSION,
      description:
        'Sockets of Berth: real-time contact dynamics for hardware-in-the-loop tests. SI units, base frame, quaternions (x, y, z, w). ' +
        'Clients ignore fields that they do not know. Not a safety device: a stop over a network is a request.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: MSGPACK,
    servers: {
      service: {
        host: '127.0.0.1:7410',
        protocol: 'ws',
        description: 'server.host and server.port of the settings. An Origin must be sent.',
      },
      robot: {
        host: '127.0.0.1:7411',
        protocol: 'ws',
        description: 'robot.host and robot.port of the settings.',
      },
    },
    channels: Object.fromEntries(SOCKETS.map((socket) => [socket.name, channelOf(socket)])),
    operations: Object.fromEntries(SOCKETS.flatMap(operationsOf)),
    components: { messages: Object.fromEntries(SOCKETS.flatMap(componentsOf)) },
  };
  // As a reader of the file gets it: without the marks of the schema library.
  return JSON.parse(JSON.stringify(document)) as Json;
}

/** Text of docs/asyncapi.json. */
export const asyncApiText = (): string => `${JSON.stringify(asyncApiDocument(), null, 2)}\n`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(join(packageRoot(), 'docs', 'asyncapi.json'), asyncApiText());
}
