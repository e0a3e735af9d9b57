/**
 * Attackers over HTTP that send the most expensive requests at full speed, or take all descriptors:
 * the loop goes on, and STOP passes.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { FEW_FILES, FewFilesProcess, SETTINGS } from '../fixtures/flight.ts';
import { type AttackDomain, Cases } from './attack-case.ts';
import { KEYS, Victim } from './victim.ts';

const victim = new Victim(true, ({ loop }) => {
  loop.realtime_priority = 80;
});
const cases = new Cases();
const FLOOD_MS = 2000;
const ASKING = 8;
/** Renderings of /metrics in a second at the most: one in 25 ms. */
const RENDERED = 40;
/** Share of the periods that the loop serves during a flood: in the real-time class, and else of what it serves beside a thread as busy. */
const SERVED = 0.9;
/** Connections of the crowd, and descriptors that stay free beside it. */
const SITTING = 400;
const FREE = 40;

async function periods(): Promise<[served: number, slipped: number]> {
  const { text } = await victim.call('GET', '/metrics', { key: KEYS.viewer });
  const value = (name: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    );
  return [value('berth_loop_ticks_total'), value('berth_loop_slipped_ticks_total')];
}

/** Share of the periods that were served meanwhile. */
async function servedDuring(what: () => Promise<unknown>): Promise<number> {
  const before = await periods();
  await what();
  const after = await periods();
  const [served, slipped] = [after[0] - before[0], after[1] - before[1]];
  return served / (served + slipped);
}

/** Keeps this thread as busy without requests. */
async function busy(): Promise<void> {
  const end = performance.now() + FLOOD_MS;
  while (performance.now() < end) {
    const pause = performance.now() + 5;
    while (performance.now() < pause);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Ask for a path at full speed. @returns texts that came, and what the loop served meanwhile */
async function flood(path: string): Promise<{ texts: string[]; share: number }> {
  const texts: string[] = [];
  const share = await servedDuring(async () => {
    const end = performance.now() + FLOOD_MS;
    const client = async (): Promise<void> => {
      while (performance.now() < end) {
        const { status, text } = await victim.call('GET', path, { key: KEYS.viewer });
        if (status === 200) texts.push(text);
      }
    };
    await Promise.all(Array.from({ length: ASKING }, client));
  });
  const { text } = await victim.call('GET', '/metrics', { key: KEYS.viewer });
  const realtime = /^berth_realtime_info{[^}]*policy="fifo"[^}]*} 1$/m.test(text);
  const least = SERVED * (realtime ? 1 : await servedDuring(busy));
  assert.ok(share >= least, `${(100 * share).toFixed(1)} % of ${(100 * least).toFixed(1)} %`);
  return { texts, share };
}

cases.add(
  16,
  '/metrics at full speed for 2 s, 8 at once',
  'nine tenths of the periods served; rendered 40 times a second at the most',
  async () => {
    const { texts, share } = await flood('/metrics');
    const rendered = new Set(texts).size;
    const most = 2 + (RENDERED * FLOOD_MS) / 1000;
    assert.ok(texts.length > rendered && rendered <= most, `${rendered} of ${texts.length}`);
    return `${texts.length} answers, ${rendered} rendered, ${(100 * share).toFixed(1)} % of the periods served`;
  },
);
cases.add(
  16,
  '/openapi.json at full speed for 2 s, 8 at once',
  'nine tenths of the periods served; the same text for all',
  async () => {
    const { texts, share } = await flood('/openapi.json');
    assert.equal(new Set(texts).size, 1);
    return `${texts.length} answers, ${(100 * share).toFixed(1)} % of the periods served`;
  },
);
cases.add(
  16,
  'who asks /openapi.json beyond the rate at full speed',
  'refused 20 ms late: at most 50 a second of each connection',
  async () => {
    let refused = 0;
    let asked = 0;
    while (refused === 0 && asked < 20_000) {
      const all = Array.from({ length: 100 }, () => victim.call('GET', '/openapi.json'));
      asked += all.length;
      for (const { status } of await Promise.all(all)) if (status === 429) refused++;
    }
    const end = performance.now() + 500;
    let late = 0;
    while (performance.now() < end) {
      const { status } = await victim.call('GET', '/openapi.json');
      assert.equal(status, 429);
      late++;
    }
    assert.ok(late <= 26, `${late} in half a second`);
    assert.equal(
      (await victim.call('POST', '/api/session/stop', { key: KEYS.viewer })).status,
      200,
    );
    return `${late} in half a second`;
  },
);

const few = new Cases();
let folder = '';
let service: FewFilesProcess | null = null;

few.add(
  16,
  `${SITTING} connections of ${SITTING} addresses before a service with ${FEW_FILES} descriptors`,
  'a reserve stays free; health and STOP are answered',
  async () => {
    const [, url] = await service!.match(/console +(http:\/\/\S+)\//);
    const port = Number(new URL(url).port);
    const sockets: Socket[] = [];
    for (let i = 0; i < SITTING; i++) {
      const localAddress = `127.0.${2 + (i >> 7)}.${1 + (i & 127)}`;
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      sockets.push(socket.on('error', () => undefined));
    }
    await wait(500);
    const open = readdirSync(`/proc/${service!.child.pid}/fd`).length;
    const health = await fetch(`${url}/health`);
    const stop = await fetch(`${url}/api/session/stop`, { method: 'POST' });
    const held = sockets.filter(({ readyState }) => readyState === 'open').length;
    for (const socket of sockets) socket.destroy();
    assert.ok(FEW_FILES - open >= FREE, `${open} in use`);
    assert.deepEqual([health.status, stop.status], [200, 200]);
    return `${open} descriptors in use, ${held} connections held`;
  },
);

/** The attacks of this file. */
export const CROWD_DOMAINS: readonly AttackDomain[] = [
  {
    name: 'http-crowds',
    cases: cases.list,
    start: () => victim.start(),
    stop: () => victim.stop(),
  },
  {
    name: 'http-descriptors',
    cases: few.list,
    start: async (): Promise<void> => {
      folder = mkdtempSync(join(tmpdir(), 'berth-descriptors-'));
      const file = join(folder, 'settings.yaml');
      const robot = '{ transport: none, emulate: false }';
      writeFileSync(file, SETTINGS({ mode: 'simulation', robot }));
      service = new FewFilesProcess('serve', file, '--no-fly');
      await service.match(/console +http/);
    },
    stop: async (): Promise<void> => {
      await service?.end();
      rmSync(folder, { recursive: true, force: true });
    },
  },
];
