/**
 * Scenarios of the user over the real interface: listed with what is wrong with them, loaded by name, loaded again after a change. No name
 * leads out of the folders. Over the socket the holder of authority loads, and nobody else.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { loadSettings } from '../../../config/load-settings.ts';
import { scenarioFile } from '../../../config/scenario.ts';
import { checkScenarioFolders } from '../../../config/scenario-folders.ts';
import type { ScenarioEntry } from '../../../server/client/messages.ts';
import { Service } from '../../fixtures/service.ts';

const root = mkdtempSync(join(tmpdir(), 'berth-folders-'));
after(() => rmSync(root, { recursive: true, force: true }));
const mine = join(root, 'mine');
const outside = join(root, 'outside');
for (const folder of [mine, outside, join(mine, 'below')]) mkdirSync(folder);

const plate = readFileSync(scenarioFile('half-sphere-on-plate'), 'utf8');
const titled = (title: string): string => plate.replace(/^title: .*$/m, `title: ${title}`);
const put = (file: string, text: string): void => writeFileSync(file, text);
put(join(mine, 'plate.yaml'), titled('My plate'));
put(join(mine, 'broken.yaml'), plate.replace('integration:', 'integratoin:'));
put(join(mine, 'below', 'deep.yaml'), plate);
put(join(mine, 'notes.txt'), 'no scenario');
put(join(outside, 'secret.yaml'), titled('Secret'));
symlinkSync(join(outside, 'secret.yaml'), join(mine, 'out.yaml'));
symlinkSync(join(mine, 'plate.yaml'), join(mine, 'alias.yaml'));
symlinkSync(outside, join(mine, 'away'));
symlinkSync(join(mine, 'circle.yaml'), join(mine, 'circle.yaml'));

describe('scenario folders', () => {
  let service: Service;
  let period_s: number;
  before(async () => {
    service = await Service.start((settings) => {
      settings.scenario_folders = [mine];
      period_s = settings.loop.period_s;
    });
  });
  after(() => service.close());

  const list = async (): Promise<ScenarioEntry[]> =>
    (await (await fetch(`${service.origin}/api/scenarios`)).json()) as ScenarioEntry[];
  async function load(scenario: string): Promise<{ status: number; code?: string }> {
    const response = await fetch(`${service.origin}/api/session/load`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ scenario }),
    });
    return { status: response.status, ...((await response.json()) as object) };
  }
  const scene = async (): Promise<{ title: string }> =>
    (await (await fetch(`${service.origin}/api/scene`)).json()) as { title: string };

  test('the list has the scenarios of Berth and those of the folder, a broken one with its place', async () => {
    const all = await list();
    const own = all.filter(({ folder }) => folder === mine);
    assert.deepEqual(
      own.map(({ name }) => name),
      ['alias.yaml', 'broken.yaml', 'plate.yaml'].map((name) => join(mine, name)),
      'and neither a link to the outside nor a folder below',
    );
    assert.deepEqual(
      own.map(({ title }) => title),
      ['My plate', '', 'My plate'],
    );
    assert.match(own[1]?.problem ?? '', /broken[.]yaml:\d+:\d+.*integratoin is not a known field/);
    assert.deepEqual(own[1]?.modes, []);
    assert.deepEqual(own[2]?.modes, ['simulation', 'virtual', 'hardware']);
    const { folder, modes, loaded } = all.find(({ name }) => name === 'half-sphere-on-plate')!;
    assert.deepEqual([folder, modes.length, loaded], ['', 3, true]);
    const ball = all.find(({ name }) => name === 'ball-on-incline')!;
    assert.deepEqual([ball.modes, ball.loaded], [['simulation'], false], 'there is no tool in it');
    assert.equal(all.filter(({ loaded: is }) => is).length, 1);
  });

  test('no name leads out of the folders', async () => {
    const names = [
      join(mine, 'out.yaml'),
      join(mine, 'away', 'secret.yaml'),
      join(mine, '..', 'outside', 'secret.yaml'),
      `${mine}/../outside/secret.yaml`,
      `${mine}/./plate.yaml`,
      `${mine}//plate.yaml`,
      join(mine, 'below', 'deep.yaml'),
      join(mine, 'circle.yaml'),
      join(mine, 'notes.txt'),
      join(outside, 'secret.yaml'),
      '../half-sphere-on-plate',
      '/etc/passwd',
      'plate.yaml',
      mine,
      `${join(mine, 'plate.yaml')}\0.yaml`,
    ];
    for (const name of names) {
      const { status, code } = await load(name);
      assert.deepEqual([status, code], [404, 'BERTH_UNKNOWN_NAME'], JSON.stringify(name));
    }
    assert.equal(service.runtime.scenario, 'half-sphere-on-plate');
  });

  test('one is loaded by its name, and again after a change, with the scene of the new file', async () => {
    const name = join(mine, 'plate.yaml');
    assert.deepEqual(await load(name), { status: 200, result: 'ok' });
    assert.equal(service.runtime.scenario, name);
    assert.equal((await scene()).title, 'My plate');
    const loaded = (await list()).filter((one) => one.loaded).map((one) => one.name);
    assert.deepEqual(loaded, [join(mine, 'alias.yaml'), name], 'two names of one file');
    put(name, titled('My plate, changed'));
    assert.equal((await list()).find((one) => one.name === name)?.title, 'My plate, changed');
    assert.equal((await load(name)).status, 200);
    assert.equal((await scene()).title, 'My plate, changed');
    put(name, plate.replace('bodies:', 'bodys:'));
    const broken = await load(name);
    assert.deepEqual([broken.status, broken.code], [400, 'BERTH_UNKNOWN_FIELD']);
    put(name, titled('My plate'));
    assert.equal((await load('half-sphere-on-plate')).status, 200);
  });

  test('over the socket the holder loads, and goes back to the start; authority is free then', async () => {
    const other = await service.operator();
    const holder = await service.operator();
    assert.equal((await holder.request('authority.request'))['code'], 'ok');
    const refused = await other.request('scenario.load', { scenario: 'ball-on-incline' });
    assert.equal(refused['code'], 'no_authority');
    const unknown = await holder.request('scenario.load', { scenario: join(mine, 'out.yaml') });
    assert.equal(unknown['code'], 'not_loaded');
    assert.match(String(unknown['message']), /No scenario is named/);
    const mode = await holder.request('scenario.load', {
      scenario: 'ball-on-incline',
      mode: 'virtual',
    });
    assert.match(String(mode['message']), /has no tool.*only run in mode simulation/);

    const free = holder.next((m) => m.type === 'authority.state' && m['holder'] === 0);
    const done = await holder.request('scenario.load', { scenario: join(mine, 'plate.yaml') });
    assert.equal(done['code'], 'ok', String(done['message']));
    await free;
    assert.equal(service.runtime.scenario, join(mine, 'plate.yaml'));

    assert.equal((await other.request('authority.request'))['code'], 'ok');
    await other.status((status) => Number(status['tick']) > 1000);
    const asked_ms = performance.now();
    assert.equal((await other.request('scenario.load'))['code'], 'ok');
    const anew = await other.status((status) => status['tick'] !== undefined);
    // a count that went on would be 1000 ahead of the time since then
    const since_s = (performance.now() - asked_ms) / 1000;
    const most = since_s / period_s;
    assert.ok(Number(anew['tick']) <= most, 'the ticks begin anew');
    assert.equal(service.runtime.scenario, join(mine, 'plate.yaml'));
    const entries = service.audit.filter(({ action }) => action === 'scenario.load');
    assert.deepEqual(
      entries.map(({ result }) => result),
      ['no_authority', 'not_loaded', 'not_loaded', 'ok', 'ok'],
    );
    for (const { socket } of [holder, other]) socket.close();
  });
});

test('a service that is started with a file offers it beside the rest', async () => {
  const file = join(outside, 'secret.yaml');
  const service = await Service.start((settings) => {
    settings.scenario = file;
  });
  try {
    const response = await fetch(`${service.origin}/api/scenarios`);
    const all = (await response.json()) as ScenarioEntry[];
    const { folder, loaded } = all.find(({ name }) => name === file)!;
    assert.deepEqual([folder, loaded], [outside, true]);
  } finally {
    await service.close();
  }
});

test('a folder that there is not is refused by its entry', () => {
  const settings = loadSettings(undefined, [`scenario_folders=[${mine}, ${join(root, 'none')}]`]);
  assert.throws(() => checkScenarioFolders(settings), /scenario_folders\[1\]: there is no folder/);
});
