/** Messages of `berth.operator.v1`: MessagePack maps, checked one by one against these schemas. */
import { type Static, type TProperties, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ClearReason, reasonFault } from './clear-reason.ts';

const strict = { additionalProperties: false } as const;
const count = Type.Integer({ minimum: 0, maximum: 0xffffffff });
const axis = Type.Number({ minimum: -1, maximum: 1 });
const challenge = Type.Integer({
  minimum: 0,
  maximum: 0xffffffff,
  description: 'Newest challenge received; without one an input is not applied.',
});
const time = Type.Number({ description: 'Client time, s, any epoch, steady.' });

/** A message that is answered by its id. */
const request = <Name extends string, Fields extends TProperties>(type: Name, fields: Fields) =>
  Type.Object(
    {
      v: Type.Literal(1),
      type: Type.Literal(type),
      id: Type.Integer({ minimum: 0 }),
      seq: Type.Optional(count),
      t: Type.Optional(time),
      ...fields,
    },
    strict,
  );
const positive = Type.Number({ exclusiveMinimum: 0 });
const notNegative = Type.Number({ minimum: 0 });
const six = <T extends ReturnType<typeof Type.Number> | ReturnType<typeof Type.Boolean>>(item: T) =>
  Type.Tuple([item, item, item, item, item, item]);

/** Schema of every message a client may send, by its type. */
export const CLIENT_MESSAGES = {
  hello: request('hello', { client: Type.Optional(Type.String({ maxLength: 64 })) }),
  input: Type.Object(
    {
      v: Type.Literal(1),
      type: Type.Literal('input'),
      axes: six(axis),
      deadman: Type.Boolean(),
      gear: Type.Union([Type.Literal('vernier'), Type.Literal('coarse')]),
      frame: Type.Union([Type.Literal('base'), Type.Literal('tool'), Type.Literal('camera')]),
      camera: Type.Optional(Type.Tuple([axis, axis, axis, axis])),
      challenge: Type.Optional(challenge),
      seq: count,
      t: time,
    },
    strict,
  ),
  sync: request('sync', {
    t: time,
    offset_s: Type.Optional(Type.Number({ description: 'Of older clients; not used.' })),
  }),
  'challenge.answer': Type.Object(
    { v: Type.Literal(1), type: Type.Literal('challenge.answer'), challenge },
    { ...strict, description: 'Sent at once when a challenge asks for it, and after welcome.' },
  ),
  stop: request('stop', {
    cat: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)]),
  }),
  'authority.request': request('authority.request', {
    /** Supervisors only, and only while nothing can move. */
    take_over: Type.Optional(Type.Boolean()),
  }),
  'authority.grant': request('authority.grant', {}),
  'authority.deny': request('authority.deny', {}),
  'authority.release': request('authority.release', {}),
  arm: request('arm', {}),
  hold: request('hold', {}),
  resume: request('resume', {}),
  clear: request('clear', { reason: Type.Optional(ClearReason) }),
  'fma.set': request('fma.set', {
    axes: Type.Optional(six(Type.Boolean())),
    set_point: Type.Optional(six(Type.Number())),
    force_deadband_N: Type.Optional(notNegative),
    moment_deadband_Nm: Type.Optional(notNegative),
    force_gain_Ns_per_m: Type.Optional(positive),
    moment_gain_Nms_per_rad: Type.Optional(positive),
  }),
  'hand_mode.set': request('hand_mode.set', {
    mode: Type.Union([Type.Literal('rate'), Type.Literal('position'), Type.Literal('joint')]),
    /** Of mode `joint`: place in the joints of GET /api/robot, and the axis that turns it, place in `input.axes`. */
    joint: Type.Optional(Type.Integer({ minimum: 0, maximum: 63 })),
    axis: Type.Optional(Type.Integer({ minimum: 0, maximum: 5 })),
  }),
  tare: request('tare', {}),
  'permit.acknowledge': request('permit.acknowledge', { withdraw: Type.Optional(Type.Boolean()) }),
  'energy.set': request('energy.set', {
    compensation: Type.Optional(
      Type.Union([
        Type.Literal('none'),
        Type.Literal('model'),
        Type.Literal('lead'),
        Type.Literal('damping'),
      ]),
    ),
    guard: Type.Optional(Type.Boolean()),
    removal: Type.Optional(Type.Boolean()),
    position_lead: Type.Optional(Type.Boolean()),
  }),
  'scenario.load': request('scenario.load', {
    /** Name of GET /api/scenarios; the loaded one when left out. */
    scenario: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    /** The present mode when left out. */
    mode: Type.Optional(
      Type.Union([Type.Literal('simulation'), Type.Literal('virtual'), Type.Literal('hardware')]),
    ),
  }),
  'alarm.ack': request('alarm.ack', {
    /** All alarms when left out. */
    alarm: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
} as const;

export type ClientMessageType = keyof typeof CLIENT_MESSAGES;
export type ClientMessage = {
  [Name in ClientMessageType]: Static<(typeof CLIENT_MESSAGES)[Name]>;
}[ClientMessageType];
export type InputMessage = Static<(typeof CLIENT_MESSAGES)['input']>;

const checks = new Map(
  Object.entries(CLIENT_MESSAGES).map(([name, schema]) => [name, Compile(schema)]),
);

/** Largest error of the length of a quaternion that was rounded to single precision on its way. */
const UNIT_TOLERANCE = 1e-3;

function modeFault({
  mode,
  joint,
  axis,
}: Extract<ClientMessage, { type: 'hand_mode.set' }>): string | null {
  const given = (['joint', 'axis'] as const).filter(
    (name) => ({ joint, axis })[name] !== undefined,
  );
  if (mode === 'joint') {
    return given.length === 2 ? null : 'hand_mode.set needs joint and axis with mode joint.';
  }
  return given.length === 0 ? null : `hand_mode.set.${given[0]} is for mode joint only.`;
}

/** What a schema cannot express. @returns one sentence, or null. */
function fault(message: ClientMessage): string | null {
  if (message.type === 'hand_mode.set') return modeFault(message);
  if (message.type === 'clear') {
    const wrong = reasonFault(message.reason);
    return wrong === null ? null : `clear.reason ${wrong}`;
  }
  if (message.type !== 'input') return null;
  const { frame, camera } = message;
  if (frame !== 'camera') {
    return camera === undefined ? null : 'input.camera is for frame camera only.';
  }
  if (camera === undefined) return 'input.camera must be given with frame camera.';
  const unit = Math.abs(Math.hypot(...camera) - 1) <= UNIT_TOLERANCE;
  return unit ? null : 'input.camera must be a unit quaternion (x, y, z, w).';
}

function tidy(message: ClientMessage): ClientMessage {
  if (message.type !== 'clear' || message.reason === undefined) return message;
  return { ...message, reason: message.reason.trim() };
}

/** @returns the message, or one sentence about what is wrong with it. */
export function parseClientMessage(value: unknown): ClientMessage | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'A message must be a map.';
  }
  const type = (value as { type?: unknown }).type;
  const check = typeof type === 'string' ? checks.get(type) : undefined;
  if (check === undefined) {
    return `"type" must be one of ${[...checks.keys()].join(', ')}.`;
  }
  if (check.Check(value)) return fault(value as ClientMessage) ?? tidy(value as ClientMessage);
  const first = check.Errors(value).at(0);
  const path = first?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  return `${String(type)}${path === '' ? '' : '.'}${path} ${first?.message ?? 'does not fit'}.`;
}
