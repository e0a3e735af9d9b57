/** A robot that does not come into session leaves a trace: event, log, counter and session say which robot, where, and why (real sockets). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { LAYOUT_HASH } from '../../hil/protocol/layout.ts';
import type { RobotSessionOptions } from '../../hil/protocol/robot-session.ts';
import { OperatorClient } from '../../server/client/node.ts';
import type { LoopNotice, RobotRefusal } from '../../server/client/messages.ts';
import { Service } from '../fixtures/service.ts';
import { LIMITS } from '../fixtures/session-pair.ts';
import { SocketRobot } from '../fixtures/socket-robot.ts';

const PATIENCE_MS = 30_000;
const KEY = 'J7wT2pHq9sVbXz4k';

type Refused = Extract<LoopNotice, { name: 'robot_refused' }>;

interface Case {
  readonly name: string;
  readonly options: Partial<RobotSessionOptions>;
  readonly reason: string;
  readonly message: RegExp;
}

const CASES: readonly Case[] = [
  {
    name: 'layout hash',
    options: { layoutHash: LAYOUT_HASH ^ 1 },
    reason: 'layout',
    message: /^layout hash: peer has 0x/,
  },
  {
    name: 'version',
    options: { versionMin: 0x20, versionMax: 0x21 },
    reason: 'version',
    message: /^HLP\/1 version: peer speaks 2.0 to 2.1/,
  },
  {
    name: 'period',
    options: { period_s: 0.002 },
    reason: 'period',
    message: /^period 5000 µs: the robot cycles in 2000 to 2000 µs$/,
  },
  {
    name: 'limits',
    options: { period_s: 0.005, limits: { ...LIMITS, force_N: 0 } },
    reason: 'limits',
    message: /^HELLO force_N 0: above 0 is allowed$/,
  },
];

async function eventually<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    assert.ok(performance.now() < end, what);
    await wait(20);
  }
}

describe('a refused robot', () => {
  let service: Service;
  let client: OperatorClient;
  let notices: Refused[] = [];

  const metric = async (series: string): Promise<number> => {
    const text = await (await fetch(`${service.origin}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`${series} `));
    return Number(line?.split(' ').at(-1) ?? NaN);
  };
  const told = (reason: string, by: Refused['by'] = 'server'): Promise<Refused> =>
    eventually(`no event of ${reason} by the ${by}`, () =>
      notices.find((one) => one.reason === reason && one.by === by),
    );
  const lastReject = async (): Promise<RobotRefusal | null> => {
    const session = (await (await fetch(`${service.origin}/api/session`)).json()) as {
      link: { last_reject: RobotRefusal | null };
    };
    return session.link.last_reject;
  };

  before(async () => {
    service = await Service.start((s) => {
      s.mode = 'virtual';
      s.robot.transport = 'websocket';
      s.robot.port = 0;
      s.loop.period_s = 0.005;
    });
    client = await OperatorClient.connect({ url: service.origin, name: 'watcher' });
    client.on('notice', (notice) => {
      if (notice.name === 'robot_refused') notices.push(notice);
    });
  });
  after(async () => {
    client.close();
    await service.close();
  });

  test('at first there is none', async () => {
    await eventually('no row', async () => (await lastReject()) === null);
  });

  for (const { name, options, reason, message } of CASES) {
    test(`by its ${name}`, async () => {
      notices = [];
      const series = `berth_robot_handshake_rejects_total{reason="${reason}"}`;
      assert.equal(await metric(series), 0);
      const robot = await SocketRobot.connect(service.runtime.robotAddress, options);
      try {
        const notice = await told(reason);
        assert.match(notice.message, message);
        assert.equal(notice.device, 'test arm');
        assert.equal(notice.firmware, '1.2');
        assert.equal(notice.from, '127.0.0.1');
        const { age_s, count, ...last } = (await lastReject())!;
        for (const [field, value] of Object.entries(last)) {
          assert.equal(notice[field as keyof Refused], value, field);
        }
        assert.ok(age_s >= 0 && age_s < PATIENCE_MS / 1000, `${age_s}`);
        assert.ok(count >= 1);
        assert.ok((await metric(series)) >= 1);
      } finally {
        await robot.close();
      }
    });
  }

  test('by its own judgement', async () => {
    notices = [];
    const robot = await SocketRobot.connect(
      service.runtime.robotAddress,
      { period_s: 0.005 },
      'a key that only the robot has',
    );
    try {
      await told('tag', 'robot');
    } finally {
      await robot.close();
    }
  });

  test('at the port: another path, a web page, no sub-protocol, a second robot', async () => {
    notices = [];
    const { robotAddress } = service.runtime;
    const refusedBy = async (socket: WebSocket): Promise<number> => {
      const [request, response] = (await once(socket, 'unexpected-response')) as [
        { destroy(): void },
        { statusCode: number },
      ];
      request.destroy();
      return response.statusCode;
    };
    const other = robotAddress.replace('/robot', '/elsewhere');
    assert.equal(await refusedBy(new WebSocket(other, 'berth.robot.v1')), 404);
    assert.match((await told('path')).message, /^404: The robot link is at \/robot$/);
    assert.equal(await refusedBy(new WebSocket(robotAddress, 'other')), 426);
    assert.match((await told('protocol')).message, /^426: Offer the sub-protocol/);

    const robot = await SocketRobot.connect(robotAddress, { period_s: 0.005 });
    try {
      await eventually('the robot is not in', () => client.status?.link?.up === true);
      const facts = client.status!.link!.robot!;
      assert.equal(facts.device, 'test arm');
      assert.equal(facts.firmware, '1.2');
      assert.ok(Math.abs(facts.period_s - 0.005) < 1e-9);
      assert.equal(
        facts.limits['force_N'],
        Math.min(client.welcome.limits['force_N'], LIMITS.force_N),
      );
      assert.equal(await refusedBy(new WebSocket(robotAddress, 'berth.robot.v1')), 409);
      const busy = await told('busy');
      assert.equal(busy.message, '409: Another robot is connected');
      assert.equal(busy.device, '', 'of the second one nothing is known');
      assert.equal((await lastReject())?.reason, 'busy');
    } finally {
      await robot.close();
    }
  });

  test('that says nothing that can be read', async () => {
    notices = [];
    const socket = new WebSocket(service.runtime.robotAddress, 'berth.robot.v1');
    await once(socket, 'open');
    socket.send(new Uint8Array(64).fill(7));
    const { message } = await told('timeout');
    assert.match(message, /^connected for 3 s: no HELLO came; unreadable frames: 1 \(crc\)$/);
    socket.terminate();
  });
});

test('a robot with a wrong or no key is refused by name', async () => {
  const service = await Service.start((s) => {
    s.mode = 'virtual';
    s.robot.transport = 'websocket';
    s.robot.port = 0;
    s.robot.key = KEY;
    s.loop.period_s = 0.005;
  });
  try {
    const client = await OperatorClient.connect({ url: service.origin, name: 'watcher' });
    try {
      for (const key of ['', 'not that key, but another']) {
        const robot = await SocketRobot.connect(
          service.runtime.robotAddress,
          { period_s: 0.005, device: key === '' ? 'no key' : 'wrong key' },
          key,
        );
        const last = await eventually('no refusal', () => {
          const found = client.status?.link?.last_reject;
          const device = key === '' ? 'no key' : 'wrong key';
          return found?.device === device ? found : null;
        });
        assert.equal(last.reason, 'tag');
        assert.match(last.message, /the tag is missing or wrong|robot key/);
        await robot.close();
      }
    } finally {
      client.close();
    }
  } finally {
    await service.close();
  }
});
