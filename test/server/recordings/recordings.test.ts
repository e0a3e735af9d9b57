/** Recordings over HTTP, of a real service that records: list, room, pins, download, and frames for the scene. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { decode } from '@msgpack/msgpack';
import { packageRoot } from '../../../config/paths.ts';
import { openRecording } from '../../../hil/recording/read-recording.ts';
import { RecordKind } from '../../../hil/memory/records.ts';
import type { RecordedFrame } from '../../../server/recordings/read-frames.ts';
import type { RecordedScene } from '../../../server/recordings/reader-messages.ts';
import type { RecordingList } from '../../../server/contract/recordings.ts';
import { sceneOf } from '../../../server/status/scene.ts';
import { Service } from '../../fixtures/service.ts';

const WAIT_MS = 60_000;
const STORED = join(packageRoot(), 'test', 'vectors', 'half-sphere-slides.mcap');
const KEYS = { viewer: 'looks-on-from-afar', operator: 'flies-the-long-arm' };
const folder = mkdtempSync(join(tmpdir(), 'berth-shelf-'));
let service: Service;

before(async () => {
  copyFileSync(STORED, join(folder, 'brought-along.mcap'));
  writeFileSync(join(folder, 'no-recording.mcap'), 'nothing of the kind');
  symlinkSync(STORED, join(folder, 'elsewhere.mcap'));
  service = await Service.start((settings) => {
    settings.allow_fault_injection = true;
    settings.server.keys = KEYS;
    Object.assign(settings.recording, {
      mode: 'continuous',
      folder,
      freezes: 1,
      keep_bytes: 50_000_000,
      rotate_bytes: 40_000_000,
    });
  });
});
after(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const call = (path: string, init: RequestInit = {}, key: string = KEYS.viewer): Promise<Response> =>
  fetch(`${service.origin}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${key}`,
      ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
const list = async (): Promise<RecordingList> =>
  (await (await call('/api/recordings')).json()) as RecordingList;
const post = (path: string, body: object, key: string = KEYS.operator): Promise<Response> =>
  call(path, { method: 'POST', body: JSON.stringify(body) }, key);

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    assert.ok(performance.now() < end, what);
    await wait(100);
  }
}

test('a flight that is written and the ticks before a fault are listed with scenario, length, faults and size', async () => {
  await until('a second is written', async () =>
    (await list()).recordings.some(
      ({ writing, summary }) => writing && (summary?.length_s ?? 0) > 1,
    )
      ? true
      : undefined,
  );
  const stop = await post('/api/session/stop', { category: 1 });
  assert.equal(stop.status, 200, await stop.text());
  const { recordings } = await until('the freeze is there', async () => {
    const now = await list();
    const written = now.recordings.some(
      ({ kind, summary }) => kind === 'freeze' && summary?.closed === true,
    );
    const marked = now.recordings.some(
      ({ writing, summary }) => writing && (summary?.faults.length ?? 0) > 0,
    );
    return written && marked ? now : undefined;
  });
  const flight = recordings.find(({ writing }) => writing)!;
  assert.deepEqual([flight.kind, flight.pinned, flight.next], ['flight', false, false]);
  const { scenario, mode, faults, closed } = flight.summary!;
  assert.deepEqual([scenario, mode, closed], ['half-sphere-on-plate', 'simulation', false]);
  assert.equal(faults[0]?.code, 'OPERATOR_STOP');
  assert.ok(
    faults[0].at_s > 1 && faults[0].at_s <= flight.summary!.length_s + 1,
    `${faults[0].at_s} s`,
  );
  const freeze = recordings.find(({ kind }) => kind === 'freeze')!;
  assert.deepEqual(
    freeze.summary?.faults.map(({ code }) => code),
    ['OPERATOR_STOP'],
  );
  const length_s = freeze.summary?.length_s ?? 0;
  assert.ok(length_s > 0.5, `${length_s} s`);
  assert.equal(freeze.next, true, 'the next fault removes the one freeze that is kept');
});

test('files of others are listed and never removed; what is no recording says so; a link leads nowhere', async () => {
  const { recordings } = await list();
  const brought = recordings.find(({ name }) => name === 'brought-along.mcap')!;
  assert.deepEqual([brought.kind, brought.next], ['other', false]);
  // as the whole file read record by record has it
  const times: number[] = [];
  for await (const { kind, time_us } of (await openRecording(STORED)).records()) {
    if (kind === RecordKind.ROW) times.push(time_us);
  }
  const length_s = (times.at(-1)! - times[0]) / 1e6;
  assert.ok(
    Math.abs(brought.summary!.length_s - length_s) < 0.005,
    `${brought.summary?.length_s} s, ${length_s} s`,
  );
  const bad = recordings.find(({ name }) => name === 'no-recording.mcap')!;
  assert.deepEqual([bad.summary, bad.trouble === ''], [null, false]);
  assert.equal(
    recordings.some(({ name }) => name === 'elsewhere.mcap'),
    false,
  );
  assert.equal((await call('/api/recordings/elsewhere.mcap')).status, 404);
});

test('the room is that of the settings and of the disk, and says when the oldest goes', async () => {
  const { kept, folder: told } = await list();
  assert.equal(told, folder);
  assert.deepEqual([kept.keep_bytes, kept.keep_freezes, kept.freezes], [50_000_000, 1, 1]);
  assert.ok(kept.room_bytes <= kept.keep_bytes && kept.free_bytes > 0);
  assert.ok(kept.flight_bytes > 0 && kept.flight_bytes < kept.room_bytes);
  assert.ok(kept.left_s !== null && kept.left_s > 0);
});

test('an operator keeps a recording: it has a pin, no longer goes next, and the audit log has who asked', async () => {
  const { name } = (await list()).recordings.find(({ kind }) => kind === 'freeze')!;
  assert.equal(
    (await post(`/api/recordings/${name}/pin`, { pinned: true }, KEYS.viewer)).status,
    403,
  );
  assert.equal((await post(`/api/recordings/${name}/pin`, { pinned: true })).status, 200);
  assert.ok(existsSync(join(folder, `${name}.pin`)));
  const kept = (await list()).recordings.find((one) => one.name === name)!;
  assert.deepEqual([kept.pinned, kept.next], [true, false]);
  assert.ok(
    service.audit.some(
      ({ action, actor }) => action === 'recording.pin' && actor === 'http:operator',
    ),
  );
  assert.equal((await post(`/api/recordings/${name}/pin`, { pinned: false })).status, 200);
  assert.equal(existsSync(join(folder, `${name}.pin`)), false);
});

test('a download is the file, byte for byte; no name leads out of the folder; a key is needed', async () => {
  const answer = await call('/api/recordings/brought-along.mcap');
  assert.equal(answer.status, 200);
  assert.match(
    answer.headers.get('content-disposition') ?? '',
    /attachment; filename="brought-along\.mcap"/,
  );
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), readFileSync(STORED));
  const { recordings } = await list();
  const { name } = recordings.find(({ writing }) => writing)!;
  const growing = await call(`/api/recordings/${name}`);
  const told = Number(growing.headers.get('content-length'));
  assert.equal(
    (await growing.arrayBuffer()).byteLength,
    told,
    'a file that grows ends where it was',
  );
  for (const wrong of [
    '..%2Fsecret.mcap',
    '%2Fetc%2Fpasswd',
    'audit.ndjson',
    'gone.mcap',
    '.hidden.mcap',
  ]) {
    const { status } = await call(`/api/recordings/${wrong}`);
    assert.ok(status === 404 || status === 400, `${wrong}: ${status}`);
  }
  assert.equal((await call('/api/recordings', {}, 'a-key-of-nobody')).status, 401);
});

test('the scene of a recording is drawn by its own model, and its frames are those of the file', async () => {
  const path = '/api/recordings/brought-along.mcap';
  const scene = (await (await call(`${path}/scene`)).json()) as RecordedScene;
  assert.deepEqual(
    scene.bodies,
    JSON.parse(JSON.stringify(sceneOf('half-sphere-on-plate').bodies)),
  );
  const ask = async (from_s: number, length_s: number, hz: number): Promise<RecordedFrame[]> => {
    const answer = await call(`${path}/frames?from_s=${from_s}&length_s=${length_s}&hz=${hz}`);
    assert.equal(answer.status, 200, await answer.clone().text());
    return (decode(await answer.arrayBuffer()) as { frames: RecordedFrame[] }).frames;
  };
  const all = await ask(0, 30, 50);
  let scenes = 0;
  for await (const { kind } of (await openRecording(STORED)).records()) {
    if (kind === RecordKind.SCENE) scenes++;
  }
  assert.ok(scenes - all.length <= 1, `${all.length} of ${scenes} scenes`);
  for (const [i, { at_s, scene: frame }] of all.entries()) {
    assert.equal(frame.poses.length, 7 * scene.bodies.length);
    assert.ok(i === 0 || at_s > all[i - 1].at_s);
  }
  // a part is the same frames, fewer a second when that is asked for
  const from_s = all[Math.floor(all.length / 2)].at_s;
  const part = await ask(Number(from_s.toFixed(3)), 0.2, 50);
  assert.deepEqual(
    part.map(({ at_s }) => at_s),
    all
      .map(({ at_s }) => at_s)
      .filter((s) => s >= Number(from_s.toFixed(3)) - 1e-6 && s < Number(from_s.toFixed(3)) + 0.2),
  );
  const slow = await ask(0, 30, 10);
  assert.ok(Math.abs(slow.length / all.length - 0.2) < 0.05, `${slow.length} of ${all.length}`);
  assert.equal((await call('/api/recordings/no-recording.mcap/scene')).status >= 400, true);
});
