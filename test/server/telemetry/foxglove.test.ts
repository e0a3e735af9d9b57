/**
 * Live view for Foxglove: the npm client of the published protocol and a plain client of the SDK's name subscribe to every channel
 * and decode what comes; one that does not read gets the newest only, and then goes. (Fault tests 42, 44)
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from '@foxglove/rosmsg';
import { MessageReader } from '@foxglove/rosmsg2-serialization';
import foxglove, { type Channel } from '@foxglove/ws-protocol';
import { WebSocket } from 'ws';
import { ROW_COLUMNS } from '../../../hil/contract/columns.ts';
import { NUMBER_CHANNELS } from '../../../hil/recording/channels.ts';
import { HARD_BUFFER_BYTES } from '../../../server/access/socket.ts';
import { SOCKET_PATHS } from '../../../server/contract/socket-paths.ts';
import { Service } from '../../fixtures/service.ts';

const { FoxgloveClient } = foxglove;
type Parameters = ConstructorParameters<typeof FoxgloveClient>[0]['ws'];
const V1 = 'foxglove.websocket.v1';
const SDK = 'foxglove.sdk.v1';
/** Of the subscriptions of the plain client: any, but not the ids of the channels. */
const FIRST_ID = 77;
/** Between two looks at /metrics: 1,000 messages are 15 s. */
const LOOK_MS = 200;
const OFFERED = NUMBER_CHANNELS.filter(({ source }) => source !== 'input');

let service: Service;
before(async () => {
  service = await Service.start();
});
after(() => service.close());

const address = (): string => `ws://127.0.0.1:${service.port}/foxglove`;

/** Decodes messages by the schema that the channel brought. */
function reader(channel: Channel): (data: ArrayBufferView) => Record<string, unknown> {
  const messages = new MessageReader(parse(channel.schema, { ros2: true }));
  return (data) => messages.readMessage(data);
}

test('44: the npm client of foxglove.websocket.v1 subscribes to and decodes every channel', async (t) => {
  // `ws` has what the client uses; only the types of its events differ
  const ws = new WebSocket(address(), [V1]) as unknown as Parameters;
  const client = new FoxgloveClient({ ws });
  const decoders = new Map<number, (data: ArrayBufferView) => Record<string, unknown>>();
  const topics = new Map<number, string>();
  const seen = new Map<string, Record<string, unknown>>();
  await new Promise<void>((resolve, reject) => {
    client.on('error', reject);
    client.on('advertise', (channels) => {
      assert.deepEqual(
        channels.map(({ topic }) => topic),
        OFFERED.map(({ topic }) => topic),
      );
      for (const channel of channels) {
        const id = client.subscribe(channel.id);
        topics.set(id, channel.topic);
        decoders.set(id, reader(channel));
      }
      // an event for the event channel
      void fetch(`${service.origin}/api/session/stop`, { method: 'POST' });
    });
    client.on('message', ({ subscriptionId, data, timestamp }) => {
      assert.ok(timestamp > 1_600_000_000n * 1_000_000_000n);
      seen.set(topics.get(subscriptionId)!, decoders.get(subscriptionId)!(data));
      if (seen.size === OFFERED.length) resolve();
    });
  });
  client.close();
  const tick = seen.get('/berth/tick')!;
  assert.ok((tick['tick'] as number) > 0);
  assert.equal(Object.keys(tick).length >= ROW_COLUMNS.length, true);
  const { pose } = seen.get('/berth/setpoint') as {
    pose: { position: { x: number }; orientation: { w: number } };
  };
  assert.equal(pose.position.x, tick['setpoint_p_x_m']);
  assert.equal(pose.orientation.w, tick['setpoint_q_w']);
  t.diagnostic(`acceptance 44: ${seen.size} channels decoded by the npm client`);
});

test('44: a plain client of foxglove.sdk.v1 subscribes to and decodes every channel; what is not served is said', async (t) => {
  const socket = new WebSocket(address(), [SDK, V1]);
  socket.binaryType = 'nodebuffer';
  const said: { op: string; channels?: Channel[]; message?: string; parameters?: unknown[] }[] = [];
  const data: Buffer[] = [];
  socket.on('message', (message: Buffer, binary) => {
    if (binary) data.push(message);
    else said.push(JSON.parse(message.toString()) as (typeof said)[number]);
  });
  await once(socket, 'open');
  assert.equal(socket.protocol, SDK);
  const until = async (ready: () => boolean): Promise<void> => {
    while (!ready()) await once(socket, 'message');
  };
  await until(() => said.some(({ op }) => op === 'advertise'));
  assert.equal(said[0].op, 'serverInfo');
  const channels = said.find(({ op }) => op === 'advertise')!.channels!;
  assert.deepEqual(
    channels.map(({ topic }) => topic),
    OFFERED.map(({ topic }) => topic),
  );
  const send = (value: unknown): void => socket.send(JSON.stringify(value));
  send({
    op: 'subscribe',
    subscriptions: [
      ...channels.map(({ id }, index) => ({ id: FIRST_ID + index, channelId: id })),
      { id: 7, channelId: 999 },
    ],
  });
  send({ op: 'getParameters', parameterNames: [], id: 'all' });
  send({ op: 'setParameters', parameters: [{ name: '/berth/mode', value: 'hardware' }] });
  await fetch(`${service.origin}/api/session/stop`, { method: 'POST' }); // an event for the event channel
  const newest = (index: number): Buffer | undefined =>
    data.findLast((bytes) => bytes[0] === 1 && bytes.readUInt32LE(1) === FIRST_ID + index);
  await until(
    () =>
      channels.every((_, index) => newest(index) !== undefined) &&
      said.some(({ op }) => op === 'parameterValues') &&
      said.filter(({ op }) => op === 'status').length === 2,
  );
  // opcode, id, time in ns, then the message
  const decoded = channels.map((channel, index) => reader(channel)(newest(index)!.subarray(13)));
  decoded.forEach((message, index) => {
    const [time, sub] = [newest(index)!.readBigUInt64LE(5), Object.keys(message)];
    assert.ok(time > 1_600_000_000n * 1_000_000_000n && sub.length > 0, channels[index].topic);
  });
  const tick = channels.findIndex(({ topic }) => topic === '/berth/tick');
  assert.ok((decoded[tick]['tick'] as number) > 0);
  assert.ok(Object.keys(decoded[tick]).length >= ROW_COLUMNS.length);
  t.diagnostic(`acceptance 44: ${decoded.length} channels decoded by a plain client`);
  const words = said.filter(({ op }) => op === 'status').map((one) => one.message);
  assert.deepEqual(words, [
    'There is no channel 999.',
    'This view is read only: "setParameters" is not served.',
  ]);
  send({ op: 'unsubscribe', subscriptionIds: [FIRST_ID] });
  assert.deepEqual(said.find(({ op }) => op === 'parameterValues')!.parameters![0], {
    name: '/berth/scenario',
    value: 'half-sphere-on-plate',
  });
  socket.send('{"op":"subscribe","subscriptions":"all"}');
  const [code] = (await once(socket, 'close')) as [number];
  assert.equal(code, 4400);
});

test('a channel has one subscription and an id is used once, however many are asked for', async () => {
  const socket = new WebSocket(address(), [SDK]);
  const said: string[] = [];
  const ids = new Set<number>();
  let times = 0;
  socket.on('message', (message: Buffer, binary) => {
    if (!binary) {
      const { op, message: text } = JSON.parse(message.toString()) as Record<string, string>;
      if (op === 'status') said.push(text);
    } else if (message[0] === 1) ids.add(message.readUInt32LE(1));
    else if (said.length === 2) times++;
  });
  await once(socket, 'open');
  const ask = (subscriptions: { id: number; channelId: number }[]): void =>
    socket.send(JSON.stringify({ op: 'subscribe', subscriptions }));
  ask(Array.from({ length: 200 }, (_, n) => ({ id: 1000 + n, channelId: 1 })));
  ask([
    { id: 1000, channelId: 2 },
    { id: 1001, channelId: 2 },
  ]);
  // every round of channels ends with the time
  while (times < 5) await once(socket, 'message');
  assert.deepEqual(said, [
    'Channel 1 has a subscription already. 198 more were refused.',
    'The id 1000 is that of another subscription.',
  ]);
  assert.deepEqual([...ids].sort(), [1000, 1001]);
  socket.send(JSON.stringify({ op: 'unsubscribe', subscriptionIds: [1000] }));
  ask([{ id: 1002, channelId: 1 }]);
  while (!ids.has(1002)) await once(socket, 'message');
  assert.equal(said.length, 2);
  socket.close();
  await once(socket, 'close');
});

test('a message that is too long ends its connection, and is counted as one', async () => {
  const counted = async (): Promise<number> => {
    const text = await (await fetch(`${service.origin}/metrics`)).text();
    return Number(/^berth_ws_rejects_total\{reason="too_big"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  const before = await counted();
  const socket = new WebSocket(address(), [SDK]);
  await once(socket, 'open');
  socket.send('x'.repeat(SOCKET_PATHS['/foxglove'].maximumPayload + 1));
  const [code] = (await once(socket, 'close')) as [number];
  assert.equal(code, 4413);
  assert.equal(await counted(), before + 1);
});

test('who may look: no origin or a listed one, by a name of the protocol', async () => {
  const status = async (protocols: string[], origin?: string): Promise<number> => {
    const socket = new WebSocket(address(), protocols, origin === undefined ? {} : { origin });
    socket.on('error', () => undefined);
    return new Promise((resolve) => {
      socket.on('open', () => resolve(101));
      socket.on('unexpected-response', (request, response) => {
        resolve(response.statusCode ?? 0);
        request.destroy();
      });
    }).finally(() => socket.terminate()) as Promise<number>;
  };
  assert.equal(await status([SDK]), 101);
  assert.equal(await status([V1], 'https://app.foxglove.dev'), 101);
  assert.equal(await status([SDK], 'https://evil.example'), 403);
  assert.equal(await status(['foxglove.sdk.v9']), 426);
});

test('42: a viewer that does not read costs at most 2 MB and is closed; the loop goes on', async (t) => {
  const raw = connect(service.port, '127.0.0.1');
  await once(raw, 'connect');
  const key = Buffer.alloc(16).toString('base64');
  raw.write(
    `GET /foxglove HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: ${SDK}\r\n\r\n`,
  );
  await once(raw, 'data');
  const subscriptions = OFFERED.map((_, index) => ({ id: index, channelId: index + 1 }));
  raw.write(maskedText(JSON.stringify({ op: 'subscribe', subscriptions })));
  raw.pause();
  // it sends pongs unasked: the connection ends because it does not read
  const alive = setInterval(() => raw.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0])), 1000);
  t.after(() => {
    clearInterval(alive); // it would keep the process of a test that fails
    raw.destroy();
  });
  const metrics = async (...names: string[]): Promise<number[]> => {
    const lines = (await (await fetch(`${service.origin}/metrics`)).text()).split('\n');
    return names.map((name) =>
      Number(
        lines
          .find((one) => one.startsWith(name))
          ?.split(' ')
          .at(-1) ?? NaN,
      ),
    );
  };
  const buffered = 'berth_ws_buffered_bytes{protocol="foxglove"}';
  const droppedName = 'berth_ws_dropped_messages_total{protocol="foxglove"}';
  let most = 0;
  let dropped = 0;
  const [before] = await metrics('berth_loop_ticks_total');
  const end = performance.now() + 60_000;
  while ((dropped < 1000 || most === 0) && performance.now() < end) {
    const [waiting, left] = await metrics(buffered, droppedName);
    most = Math.max(most, waiting);
    dropped = left;
    await delay(LOOK_MS); // an answer to /metrics takes the processor that the messages need
  }
  assert.ok(dropped >= 1000, `${dropped} left out`);
  assert.ok(most > 0 && most <= HARD_BUFFER_BYTES, `${most} bytes were waiting`);
  const [now] = await metrics('berth_loop_ticks_total');
  assert.ok(now > before);
  t.diagnostic(
    `acceptance 42: ${(most / 1e6).toFixed(2)} MB waited at most, ${dropped} messages left out`,
  );
});

/** A masked text frame of a client. */
function maskedText(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(8);
  head[0] = 0x81;
  head[1] = 0x80 | 126;
  head.writeUInt16BE(payload.length, 2); // mask of zeros follows: the payload stays as it is
  return Buffer.concat([head, payload]);
}
