/** Fault test 51 over the service: what is injected is in the metrics, the recording, the audit log and the status; faults freeze. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { INJECTIONS } from '../../hil/injections.ts';
import { readTopics } from '../support/mcap-topics.ts';
import { Service } from './service.ts';

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
