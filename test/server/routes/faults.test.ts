/** Fault test 51 over the service: what is injected is in the metrics, the recording, the audit log and the status; faults freeze. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Injection, INJECTION_TABLE, INJECTIONS } from '../../../hil/contract/injections.ts';
import type { AuditEntry } from '../../../server/audit/audit-sink.ts';
import { type LoopNotice, OperatorClient } from '../../../server/client/node.ts';
import { readTopics } from '../../fixtures/mcap-topics.ts';
import { BerthProcess, SETTINGS } from '../../fixtures/flight.ts';
import { type Message, Service } from '../../fixtures/service.ts';

const WAIT_MS = 60_000;

test('51: an injected fault is in metrics, recording, audit log and status; its amount has bounds; all end at once', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-faults-'));
  const service = await Service.start((settings) => {
    settings.allow_fault_injection = true;
    Object.assign(settings.recording, { mode: 'continuous', folder, freezes: 5 });
  });
  type Body = Record<string, unknown>;
  const call = async (method: string, path: string, body?: unknown): Promise<[number, Body]> => {
    const answer = await fetch(`${service.origin}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return [answer.status, (await answer.json()) as Body];
  };
  const inject = (kind: string, amount: number): Promise<[number, Body]> =>
    call('POST', '/api/faults', { kind, amount });
  const injected = async (): Promise<unknown> => (await call('GET', '/api/session'))[1]['injected'];
  const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
    const end = Date.now() + WAIT_MS;
    while (!(await holds())) {
      assert.ok(Date.now() < end, what);
      await wait(50);
    }
  };
  try {
    const [status, list] = await call('GET', '/api/faults');
    assert.deepEqual([status, list['allowed'], list['injected']], [200, true, []]);
    assert.deepEqual(
      (list['kinds'] as { name: string }[]).map(({ name }) => name),
      INJECTIONS,
    );

    const [refused, why] = await inject('link_drop_ratio', 1.5);
    assert.deepEqual([refused, why['field']], [400, 'amount']);
    assert.equal((await inject('no_such_fault', 1))[0], 400);
    assert.deepEqual(await injected(), []);

    assert.equal((await inject('force_noise_N', 2))[0], 200);
    assert.equal((await inject('recorder_slow_Bps', 1e9))[0], 200);
    assert.deepEqual(await injected(), ['recorder_slow_Bps', 'force_noise_N']);
    assert.equal((await call('DELETE', '/api/faults'))[0], 200);
    await until('all have ended', async () => ((await injected()) as string[]).length === 0);

    assert.equal((await inject('loop_error', 1))[0], 200);
    await until('a fault with its freeze', async () => {
      const alarms = (await call('GET', '/api/alarms'))[1] as unknown as Body[];
      return alarms.some(({ code, freeze }) => code === 'INTERNAL_ERROR' && freeze !== undefined);
    });
    const text = await (await fetch(`${service.origin}/metrics`)).text();
    for (const kind of ['force_noise_N', 'recorder_slow_Bps', 'loop_error']) {
      assert.match(text, new RegExp(`^berth_injected_faults_total\\{kind="${kind}"\\} 1$`, 'm'));
    }
    assert.match(text, /^berth_injected_fault_active\{kind="force_noise_N"\} 0$/m);
    const audit = service.audit.filter(({ action }) => action.startsWith('fault.'));
    assert.deepEqual(
      audit.map(({ action, result, detail }) => [action, result, detail?.['kind']]),
      [
        ['fault.inject', 'BERTH_PARAMETER_RANGE', 'link_drop_ratio'],
        ['fault.inject', 'ok', 'force_noise_N'],
        ['fault.inject', 'ok', 'recorder_slow_Bps'],
        ['fault.end', 'ok', undefined],
        ['fault.inject', 'ok', 'loop_error'],
      ],
    );
  } finally {
    await service.close();
  }
  const files = readdirSync(folder);
  const freeze = files.find((name) => name.startsWith('freeze-INTERNAL_ERROR-'));
  assert.ok(freeze !== undefined, files.join(', '));
  const recording = files.find((name) => name.startsWith('berth-'))!;
  const topics = await readTopics(join(folder, recording));
  const lines = topics.get('/berth/events')!.map(({ message }) => String(message['msg']));
  for (const words of [
    /fault injected on purpose: force_noise_N 2$/,
    /injected fault ended: force_noise_N$/,
    /fault injected on purpose: loop_error 1$/,
  ]) {
    assert.ok(
      lines.some((line) => words.test(line)),
      `${words} in ${lines.join('; ')}`,
    );
  }
  rmSync(folder, { recursive: true });
  t.diagnostic(
    'acceptance 51: refused without the flag; with it in metrics, recording, audit log and status',
  );
});

/** Amounts small enough for everything to be over at once. */
const amountOf = ({ unit, least, most }: Injection): number => {
  if (unit === 'B/s') return most;
  if (unit === 'ticks' || least === most) return least;
  return unit === '1' ? 0.01 : 0.05;
};
/** An error of this thread is one of the test, too: it has a process of its own below. */
const ELSEWHERE: readonly string[] = ['io_error'];
/** The recorder ends, or writes nothing. */
const UNRECORDED: readonly string[] = ['recorder_full', 'recorder_error'];

/** Faults reported to an operator: kind and amount. */
const began = (received: readonly Message[]): unknown[] =>
  received
    .filter((m) => m.type === 'event' && m['name'] === 'injected' && m['began'] === true)
    .map((m) => [m['kind'], m['amount']]);

/**
 * Injects kinds in a service with a recording, and checks that each is counted, in the audit log
 * and reported to connected clients.
 */
async function injectInto(folder: string, kinds: readonly Injection[]): Promise<void> {
  const service = await Service.start((settings) => {
    settings.allow_fault_injection = true;
    settings.mode = 'virtual';
    Object.assign(settings.robot, { transport: 'websocket', port: 0 });
    Object.assign(settings.recording, { mode: 'continuous', folder });
  });
  try {
    const peer = await service.operator();
    for (const kind of kinds) {
      const answer = await fetch(`${service.origin}/api/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ kind: kind.name, amount: amountOf(kind) }),
      });
      assert.equal(answer.status, 200, `${kind.name}: ${await answer.text()}`);
    }
    const text = await (await fetch(`${service.origin}/metrics`)).text();
    for (const { name } of kinds) {
      assert.match(text, new RegExp(`^berth_injected_faults_total\\{kind="${name}"\\} 1$`, 'm'));
    }
    const audited = service.audit.filter(({ action }) => action === 'fault.inject');
    assert.deepEqual(
      audited.map(({ result, detail }) => [result, detail?.['kind'], detail?.['amount']]),
      kinds.map((kind) => ['ok', kind.name, amountOf(kind)]),
    );
    await peer.status(() => true);
    assert.deepEqual(
      began(peer.received),
      kinds.map((kind) => [kind.name, amountOf(kind)]),
    );
  } finally {
    await service.close();
  }
}

test('51: each kind is in metrics and audit log, told to operators, and in the recording unless it ends it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-faults-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const here = INJECTION_TABLE.filter(({ name }) => !ELSEWHERE.includes(name));
  const recorded = here.filter(({ name }) => !UNRECORDED.includes(name));
  await injectInto(folder, recorded);
  const lines: string[] = [];
  for (const name of readdirSync(folder).filter((file) => file.startsWith('berth-'))) {
    const topics = await readTopics(join(folder, name));
    for (const { message } of topics.get('/berth/events') ?? []) lines.push(String(message['msg']));
  }
  for (const kind of recorded) {
    const words = `fault injected on purpose: ${kind.name} ${amountOf(kind)}`;
    assert.ok(
      lines.some((line) => line.endsWith(words)),
      `${words} in ${lines.join('; ')}`,
    );
  }
  for (const kind of here.filter((one) => !recorded.includes(one))) {
    await injectInto(join(folder, kind.name), [kind]);
  }
  t.diagnostic(
    `acceptance 51: ${here.length} kinds in metrics and audit log, ${recorded.length} in the recording`,
  );
});

test('51: an error of the thread of the sockets is in metrics and audit log, and told to operators', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-faults-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [settings, log] = [join(folder, 'settings.yaml'), join(folder, 'audit.ndjson')];
  writeFileSync(settings, SETTINGS({ audit: `{ file: ${log} }` }));
  const berth = new BerthProcess('serve', settings, '--no-fly', '--allow-fault-injection');
  try {
    const [, url] = await berth.match(/console +(http:\/\/\S+)\//);
    const client = await OperatorClient.connect({ url, name: 'witness' });
    assert.equal(client.welcome.audit_log, true);
    const told = new Promise<LoopNotice>((resolve) => {
      client.on('notice', (notice) => {
        if (notice.name === 'injected') resolve(notice);
      });
    });
    const body = JSON.stringify({ kind: 'io_error', amount: 1 });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/faults`, { method: 'POST', headers, body });
    assert.equal(answer.status, 200);
    const { kind, began: has, amount } = (await told) as Extract<LoopNotice, { name: 'injected' }>;
    assert.deepEqual([kind, has, amount], ['io_error', true, 1]);
    const text = await (await fetch(`${url}/metrics`)).text();
    assert.match(text, /^berth_injected_faults_total\{kind="io_error"\} 1$/m);
    client.close();
  } finally {
    await berth.end();
  }
  assert.match(berth.stderr, /Injected fault: io_error/);
  const injected = readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditEntry)
    .filter(({ action }) => action === 'fault.inject');
  assert.deepEqual(
    injected.map(({ result, detail }) => [result, detail]),
    [['ok', { kind: 'io_error', amount: 1 }]],
  );
});
