/** What a crowd before /metrics and /openapi.json gets: one text for many, none older than the request, and few made. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsPage, RENDER_PAUSE_MS } from '../../../server/metrics/metrics-page.ts';
import { Service } from '../../fixtures/service.ts';

/** Rendering takes so long, ms. */
const RENDER_MS = 2;

/** A page on a clock of its own, which `pass` moves. */
function virtualPage(): {
  page: MetricsPage;
  begun: number[];
  pass: (ms: number) => Promise<void>;
} {
  let now = 1000;
  const begun: number[] = [];
  let sleepers: { at: number; wake: () => void }[] = [];
  const wait = (ms: number): Promise<void> =>
    new Promise((wake) => sleepers.push({ at: now + ms, wake }));
  const pass = async (ms: number): Promise<void> => {
    for (const end = now + ms; now <= end; now++) {
      const due = sleepers.filter(({ at }) => at <= now);
      sleepers = sleepers.filter(({ at }) => at > now);
      for (const { wake } of due) wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const render = async (): Promise<string> => {
    begun.push(now);
    const text = `begun ${now}`;
    await wait(RENDER_MS);
    return text;
  };
  return { page: new MetricsPage({ render, now_ms: () => now, wait }), begun, pass };
}

test('68: /metrics is rendered once for all who ask meanwhile, and at most every 25 ms', async () => {
  const { page, begun, pass } = virtualPage();
  const texts: string[] = [];
  let asking = true;
  const client = async (): Promise<void> => {
    while (asking) texts.push((await page.text()).toString());
  };
  const clients = Array.from({ length: 8 }, client);
  await pass(1000);
  asking = false;
  await pass(100);
  await Promise.all(clients);
  assert.ok(texts.length >= 8 * begun.length - 8, `${texts.length} texts, ${begun.length} made`);
  assert.ok(begun.length > 20, `${begun.length} made`);
  const gaps = begun.slice(1).map((at, i) => at - begun[i]);
  assert.ok(Math.min(...gaps) >= RENDER_PAUSE_MS + RENDER_MS, gaps.join(' '));
});

test('68: no text of /metrics is older than the request for it, and the first is not kept waiting', async () => {
  const { page, begun, pass } = virtualPage();
  const first = page.text();
  await pass(1);
  assert.equal(begun.length, 1);
  // the rendering in progress may miss the latest events
  const second = page.text();
  await pass(100);
  assert.notEqual((await second).toString(), (await first).toString());
  const [one, another] = [page.text(), page.text()];
  await pass(100);
  assert.equal(await one, await another);
});

test('68: a rendering that fails is told to who waits for it, and the next is tried', async () => {
  let fails = true;
  const page = new MetricsPage({
    render: () => (fails ? Promise.reject(new Error('no shared memory')) : Promise.resolve('text')),
    now_ms: () => 0,
    wait: () => Promise.resolve(),
  });
  await assert.rejects(page.text(), /no shared memory/);
  fails = false;
  assert.equal((await page.text()).toString(), 'text');
});

test('68: /openapi.json is made once, and not sent again to who has it', async (t) => {
  const service = await Service.start();
  t.after(() => service.close());
  let made = 0;
  const swagger = service.app.swagger.bind(service.app) as () => object;
  service.app.swagger = (() => {
    made++;
    return swagger();
  }) as typeof service.app.swagger;
  const url = `${service.origin}/openapi.json`;
  const first = await fetch(url);
  const text = await first.text();
  assert.equal((JSON.parse(text) as { openapi: string }).openapi, '3.1.0');
  assert.equal(first.headers.get('content-type'), 'application/json; charset=utf-8');
  for (let i = 0; i < 5; i++) assert.equal(await (await fetch(url)).text(), text);
  assert.equal(made, 1);
  const tag = first.headers.get('etag')!;
  const again = await fetch(url, { headers: { 'if-none-match': tag } });
  assert.deepEqual([again.status, await again.text()], [304, '']);
  const other = await fetch(url, { headers: { 'if-none-match': '"another"' } });
  assert.equal(other.status, 200);
  await other.text();
});
