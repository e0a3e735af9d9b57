/**
 * The client package against a real service with keys. All messages of the service fit the schemas
 * of the published documents, which are those of this source tree.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { decode } from '@msgpack/msgpack';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { WebSocket } from 'ws';
import { packageRoot } from '../../../config/paths.ts';
import { asyncApiDocument, asyncApiText } from '../../../server/asyncapi.ts';
import {
  ConnectError,
  HandStation,
  OperatorClient,
  TelemetryClient,
} from '../../../server/client/node.ts';
import { openApiText } from '../../../server/openapi.ts';
import type { Alarm, HandInput, Status, Topic } from '../../../server/client/messages.ts';
import {
  OPERATOR_ANSWERS,
  SERVER_SCHEMAS,
  TELEMETRY_ANSWERS,
} from '../../../server/contract/server-messages.ts';
import { Service } from '../../fixtures/service.ts';

const KEY = 'k'.repeat(32);
/** Longer than any stall of the machine. */
const STALL_S = 60;
const PATIENCE_S = STALL_S;
let service: Service;
const clients: OperatorClient[] = [];
before(async () => {
  service = await Service.start((settings) => {
    settings.operator.input_timeout_s = STALL_S;
    settings.operator.authority_lease_s = STALL_S;
    settings.server.keys = { operator: KEY, viewer: 'v'.repeat(32) };
  });
});
after(async () => {
  for (const client of clients) client.close();
  await service.close();
});

/** Everything that the service has sent, by `socket.type`. */
const heard = new Map<string, unknown[]>();
class ListeningSocket extends WebSocket {
  constructor(url: string, protocol: string) {
    super(url, protocol, { origin: service.origin });
    const path = protocol.split('.')[1];
    this.on('message', (data) => {
      const message = decode(data as Buffer) as { type: string };
      const name = `${path}.${message.type}`;
      heard.set(name, [...(heard.get(name) ?? []), message]);
    });
  }
}

const options = (): {
  url: string;
  key: string;
  name: string;
  WebSocket: typeof ListeningSocket;
} => ({
  url: service.origin,
  key: KEY,
  name: 'test',
  WebSocket: ListeningSocket,
});
const connect = async (): Promise<OperatorClient> => {
  const client = await OperatorClient.connect(options());
  clients.push(client);
  return client;
};
const isActive = ({ state }: { state: string }): boolean => state.startsWith('ACTIVE');

const TOPICS = Object.keys(SERVER_SCHEMAS.Topics.properties) as Topic[];
const REST: HandInput = {
  axes: [0, 0, 0, 0, 0, 0],
  deadman: false,
  gear: 'coarse',
  frame: 'base',
};

/** The next event of that name. */
function next<Value>(
  client: { on(event: never, listener: (value: Value) => void): () => void },
  event: string,
): Promise<Value> {
  return new Promise((resolve) => {
    const stop = client.on(event as never, (value) => {
      stop();
      resolve(value);
    });
  });
}

/** Waits for a status; on failure it reports the states of the loop and the hand controller. */
async function reach(client: OperatorClient, accept: (status: Status) => boolean): Promise<Status> {
  const status = await client.waitFor(accept, PATIENCE_S);
  const { state, holds, faults } = client.status!;
  const where = JSON.stringify({ state, holds, faults, trip: client.station?.trip });
  assert.notEqual(status, null, where);
  return status!;
}

test('a refusal of the service is an error with its words and status', async () => {
  const wrong = OperatorClient.connect({ ...options(), key: 'wrong' });
  await assert.rejects(wrong, (error: ConnectError) => {
    assert.ok(error instanceof ConnectError);
    assert.deepEqual([error.status, error.code], [401, 'BERTH_AUTH']);
    assert.match(error.message, /key/);
    return true;
  });
  const weak = TelemetryClient.connect({ ...options(), key: 'v'.repeat(32), role: 'supervisor' });
  await assert.rejects(weak, { name: 'ConnectError', status: 403 });
  const nobody = OperatorClient.connect({ ...options(), url: 'http://127.0.0.1:9' });
  await assert.rejects(nobody, { name: 'ConnectError', status: 0, code: 'BERTH_TIMEOUT' });
});

test('an operator flies, lets go, and needs neutral before the deadman counts again', async () => {
  const client = await connect();
  assert.equal(client.welcome.scenario, 'half-sphere-on-plate');
  assert.equal(client.isHolder, false);
  const { deadband } = client.welcome.operator;
  client.station = new HandStation(deadband, STALL_S);
  // the device: polled at 100 Hz, gives what the hand does
  let hand = REST;
  const device = setInterval(() => client.station!.update(hand, performance.now() / 1000), 10);
  device.unref();
  client.startInputs();
  assert.equal((await client.request('authority.request')).code, 'ok');
  assert.equal(client.isHolder, true);
  await reach(client, (s) => s.state === 'MONITOR_READY');
  const neutral = (): boolean => client.station!.trip === null;
  await reach(client, (s) => !s.operator!.deadman && neutral());
  hand = { ...hand, deadman: true };
  await reach(client, (s) => s.operator?.deadman === true);
  assert.deepEqual((await client.request('arm')).message, '');
  await reach(client, isActive);
  hand = { ...hand, axes: [0, 0, 1, 0, 0, 0] }; // up, away from the plate
  await reach(client, (s) => s.operator!.command[2] > 0);
  assert.ok(client.inputAge_s! >= 0 && client.inputAge_s! < STALL_S);

  client.releaseDeadman(); // the page is hidden; the hand still holds everything
  await reach(client, (s) => s.state === 'HOLD');
  client.station.show(true);
  assert.ok(client.station.trip !== null);
  const stays = await client.waitFor((s) => s.operator!.deadman || s.state !== 'HOLD', 0.3);
  assert.equal(stays, null, 'the deadman does not count before it was released at neutral');
  hand = REST;
  await reach(client, neutral);
  hand = { ...hand, deadman: true };
  await reach(client, (s) => s.operator!.deadman);
  clearInterval(device);
  client.close();
  await next(client, 'close');
  assert.equal(client.closed, true);
  assert.equal((await client.request('hold')).code, 'closed');
});

test('authority is asked for, denied, granted; whoever lost it lets go; anybody stops', async () => {
  const holder = await connect();
  const other = await connect();
  await reach(holder, (s) => !s.operator!.deadman); // that of the client before counts until its end has reached the loop
  assert.equal((await holder.request('authority.request')).code, 'ok');
  const asked = next<{ session: number }>(holder, 'authority.request');
  assert.equal((await other.request('authority.request')).code, 'asked');
  assert.equal((await asked).session, other.welcome.session);
  const denied = next<{ message: string }>(other, 'authority.deny');
  assert.equal((await holder.request('authority.deny')).code, 'ok');
  assert.match((await denied).message, /\w/);
  holder.station = new HandStation(0.1, STALL_S);
  holder.station.update(REST, performance.now() / 1000);
  assert.equal(holder.station.trip, null);
  await other.request('authority.request');
  assert.equal((await holder.request('authority.grant')).code, 'ok');
  assert.deepEqual([holder.isHolder, holder.station.trip], [false, 'authority']);
  assert.ok(await other.waitFor(() => other.isHolder, PATIENCE_S));

  // a machine that stalls may raise others
  const stopAlarm = (): Alarm | undefined =>
    holder.alarms.find(({ code }) => code === 'OPERATOR_STOP');
  const alarms = new Promise<void>((resolve) =>
    holder.on('alarms', () => {
      if (stopAlarm() !== undefined) resolve();
    }),
  );
  const stopped = next<{ name: string; to?: string }>(other, 'notice');
  assert.equal((await holder.stop()).code, 'ok');
  assert.equal((await stopped).name, 'transition');
  await alarms;
  assert.deepEqual([stopAlarm()!.active, stopAlarm()!.severity], [true, 'critical']);
  assert.equal((await other.clear()).code, 'reason_needed');
  assert.equal((await other.clear('the stop was tried')).code, 'ok');
  assert.equal((await other.request('alarm.ack', { alarm: stopAlarm()!.id })).code, 'ok');
  assert.ok(await holder.waitFor(() => stopAlarm() === undefined, PATIENCE_S));
  holder.close();
  other.close();
});

test('STOP goes out although the socket is gone', async () => {
  const client = await connect();
  client.close();
  await next(client, 'close');
  const witness = await connect();
  const fault = witness.waitFor((s) => s.faults.includes('OPERATOR_STOP'), PATIENCE_S);
  assert.deepEqual(await client.stop(0), { id: 0, ok: true, code: 'ok', message: '' });
  assert.ok(await fault);
  await witness.clear('the stop was tried');
  witness.close();
});

test('clocks of the same machine differ by less than the round trip', async () => {
  const client = await connect();
  assert.ok(await client.waitFor(() => client.roundTrip_s !== null, PATIENCE_S));
  assert.ok(client.roundTrip_s! > 0, `${client.roundTrip_s} s`);
  // off by half the shortest round trip at most, however long the machine stood still; one clock for both here
  assert.ok(
    Math.abs(client.offset_s!) <= client.roundTrip_s! / 2 + 1e-6,
    `offset ${client.offset_s} of ${client.roundTrip_s}`,
  );
  client.close();
});

test('telemetry brings the topics that were asked for, and no others', async () => {
  const client = await TelemetryClient.connect(options());
  // slow topics do not come with every message
  const missing = new Set<string>(TOPICS);
  const all = new Promise<void>((resolve) =>
    client.on('telemetry', (message) => {
      for (const topic of Object.keys(message)) missing.delete(topic);
      if (missing.size === 0) resolve();
    }),
  );
  assert.equal((await client.subscribe(TOPICS, 100)).ok, true);
  await all;
  await client.subscribe(['timing'], 50);
  const one = await next<object>(client, 'telemetry');
  assert.deepEqual(Object.keys(one).sort(), ['dropped', 'peak', 'seq', 'timing', 'type', 'v']);
  client.close();
});

/** A schema as the service must keep to it: nothing beyond what is documented. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, one]) => [key, closed(one)]));
  return 'properties' in inner ? { ...inner, additionalProperties: false } : inner;
}

test('every message that was heard fits its schema', () => {
  const ajv = new Ajv({ allErrors: true });
  const fits = (socket: string, schemas: Readonly<Record<string, TSchema>>): string[] =>
    Object.entries(schemas).flatMap(([type, schema]) => {
      const check = ajv.compile(closed(JSON.parse(JSON.stringify(schema))) as object);
      const messages = heard.get(`${socket}.${type}`) ?? [];
      for (const message of messages) {
        assert.ok(check(message), `${socket} ${type}: ${ajv.errorsText(check.errors)}`);
      }
      return messages.length === 0 ? [`${socket}.${type}`] : [];
    });
  const silent = [...fits('operator', OPERATOR_ANSWERS), ...fits('telemetry', TELEMETRY_ANSWERS)];
  // only inputs on their way while authority changes are refused
  const unheard = silent.filter((name) => name !== 'operator.input.reject');
  assert.deepEqual(unheard, [], 'messages that nobody heard');
  const known = new Set([
    ...Object.keys(OPERATOR_ANSWERS).map((type) => `operator.${type}`),
    ...Object.keys(TELEMETRY_ANSWERS).map((type) => `telemetry.${type}`),
  ]);
  for (const name of heard.keys()) assert.ok(known.has(name), `${name} is not documented`);
});

test('docs/asyncapi.json and docs/openapi.json are of this source tree', async () => {
  const read = (name: string): string => readFileSync(join(packageRoot(), 'docs', name), 'utf8');
  assert.equal(read('asyncapi.json'), asyncApiText(), 'run npm run docs:api');
  assert.equal(read('openapi.json'), openApiText(service.app), 'run npm run docs:api');
  const served = await (await fetch(`${service.origin}/openapi.json`)).json();
  assert.deepEqual(served, JSON.parse(read('openapi.json')));
});

test('the AsyncAPI document is one', () => {
  const specs = createRequire(import.meta.url)('@asyncapi/specs') as {
    schemasWithoutId: Record<string, object>;
  };
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  const check = ajv.compile(specs.schemasWithoutId['3.0.0']);
  const document = asyncApiDocument();
  assert.ok(check(document), ajv.errorsText(check.errors));
  assert.ok(!check({ ...document, channels: { operator: { address: 7 } } }), 'the check checks');
  // every reference has a target
  for (const [, path] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    let at: unknown = document;
    for (const step of path.split('/')) at = (at as Record<string, unknown> | undefined)?.[step];
    assert.ok(at !== undefined, path);
  }
});

test('a service that ends says so', async () => {
  const client = await connect();
  const end = next<{ code: number }>(client, 'close');
  await service.app.close();
  assert.equal((await end).code, 1001);
  assert.equal(client.closeReason?.code, 1001);
});
