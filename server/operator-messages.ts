/** Messages of `berth.operator.v1`: MessagePack maps, checked one by one against these schemas. */
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

const strict = { additionalProperties: false } as const;
const seq = Type.Optional(Type.Integer({ minimum: 0, maximum: 0xffffffff }));
const time = Type.Optional(Type.Number({ description: 'Client time, s, any epoch.' }));
const axis = Type.Number({ minimum: -1, maximum: 1 });

/** A request without arguments: answered by `ack` with the same id. */
const plain = <Name extends string>(type: Name) =>
  Type.Object(
    {
      v: Type.Literal(1),
      type: Type.Literal(type),
      id: Type.Integer({ minimum: 0 }),
      seq,
      t: time,
    },
    strict,
  );

/** Schema of every message a client may send, by its type. */
export const CLIENT_MESSAGES = {
  hello: Type.Object(
    {
      v: Type.Literal(1),
      type: Type.Literal('hello'),
      id: Type.Integer({ minimum: 0 }),
      client: Type.Optional(Type.String({ maxLength: 64 })),
      seq,
      t: time,
    },
    strict,
  ),
  input: Type.Object(
    {
      v: Type.Literal(1),
      type: Type.Literal('input'),
      axes: Type.Tuple([axis, axis, axis, axis, axis, axis]),
      deadman: Type.Boolean(),
      gear: Type.Union([Type.Literal('vernier'), Type.Literal('coarse')]),
      frame: Type.Union([Type.Literal('base'), Type.Literal('tool')]),
      seq: Type.Integer({ minimum: 0, maximum: 0xffffffff }),
      t: Type.Number({ description: 'Client time, s, any epoch, steady.' }),
    },
    strict,
  ),
  stop: Type.Object(
    {
      v: Type.Literal(1),
      type: Type.Literal('stop'),
      id: Type.Integer({ minimum: 0 }),
      cat: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)]),
      seq,
      t: time,
    },
    strict,
  ),
  'authority.request': Type.Object(
    {
      v: Type.Literal(1),
      type: Type.Literal('authority.request'),
      id: Type.Integer({ minimum: 0 }),
      /** Supervisors only, and only while nothing can move. */
      take_over: Type.Optional(Type.Boolean()),
      seq,
      t: time,
    },
    strict,
  ),
  'authority.grant': plain('authority.grant'),
  'authority.deny': plain('authority.deny'),
  'authority.release': plain('authority.release'),
  arm: plain('arm'),
  hold: plain('hold'),
  resume: plain('resume'),
  clear: plain('clear'),
} as const;

export type ClientMessageType = keyof typeof CLIENT_MESSAGES;
export type ClientMessage = {
  [Name in ClientMessageType]: Static<(typeof CLIENT_MESSAGES)[Name]>;
}[ClientMessageType];
export type InputMessage = Static<(typeof CLIENT_MESSAGES)['input']>;

const checks = new Map(
  Object.entries(CLIENT_MESSAGES).map(([name, schema]) => [name, Compile(schema)]),
);

/** @returns the message, or one sentence that says what is wrong with it. */
export function parseClientMessage(value: unknown): ClientMessage | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'A message must be a map.';
  }
  const type = (value as { type?: unknown }).type;
  const check = typeof type === 'string' ? checks.get(type) : undefined;
  if (check === undefined) {
    return `"type" must be one of ${[...checks.keys()].join(', ')}.`;
  }
  if (check.Check(value)) return value as ClientMessage;
  const first = check.Errors(value).at(0);
  const path = first?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  return `${String(type)}${path === '' ? '' : '.'}${path} ${first?.message ?? 'does not fit'}.`;
}
