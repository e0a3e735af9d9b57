/** The types of the client package are those of the schemas: compared by the compiler, nothing is left for the run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Static } from 'typebox';
import type * as client from '../../../server/client/messages.ts';
import type { ClientMessage, InputMessage } from '../../../server/contract/client-messages.ts';
import type { SERVER_SCHEMAS } from '../../../server/contract/server-messages.ts';

/** Without read-only marks, tuples as arrays, one plain object for each. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T;
// Two signatures are the same only if what they wait for is identical.
/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters */
type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;
/* eslint-enable @typescript-eslint/no-unnecessary-type-parameters */

interface Client {
  Status: client.Status;
  Welcome: client.Welcome;
  Ack: client.Ack;
  LoopNotice: client.LoopNotice;
  Alarm: client.Alarm;
  Topics: client.Topics;
  Telemetry: client.Telemetry;
}
type Server = { [Name in keyof typeof SERVER_SCHEMAS]: Static<(typeof SERVER_SCHEMAS)[Name]> };
const SERVER: { [Name in keyof Server]: Same<Server[Name], Client[Name]> } = {
  Status: true,
  Welcome: true,
  Ack: true,
  LoopNotice: true,
  Alarm: true,
  Topics: true,
  Telemetry: true,
};

/** What a request says beside what every message has. */
type Extra<Message> = Omit<Message, 'v' | 'type' | 'id' | 'seq' | 't' | 'challenge'>;
type Named<Type extends string> = Extra<Extract<ClientMessage, { type: Type }>>;
const REQUESTS: {
  [Type in client.RequestType]: client.Requests[Type] extends client.NoFields
    ? Same<keyof Named<Type>, never>
    : Same<Named<Type>, client.Requests[Type]>;
} = {
  stop: true,
  'authority.request': true,
  'authority.grant': true,
  'authority.deny': true,
  'authority.release': true,
  arm: true,
  hold: true,
  resume: true,
  clear: true,
  'fma.set': true,
  'hand_mode.set': true,
  'permit.acknowledge': true,
  'energy.set': true,
  tare: true,
  'alarm.ack': true,
};
/** Every message of a client is a request, or one of the four that the client sends by itself. */
const KINDS: Same<
  ClientMessage['type'],
  client.RequestType | 'hello' | 'sync' | 'input' | 'challenge.answer'
> = true;
const INPUT: Same<Extra<InputMessage>, client.HandInput> = true;

test('the compiler has compared every message', () => {
  const all = [...Object.values(SERVER), ...Object.values(REQUESTS), KINDS, INPUT];
  assert.ok(all.every((same) => same));
});
