/**
 * Frames of a recording with bodies of facets have the lines between closest points, as the live topic has them; its ticks have the least distance
 * and what is left of the standoff.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { openTopics } from '../../../hil/recording/topic-file.ts';
import { readFrames } from '../../../server/recordings/read-frames.ts';
import { RecordedRig } from '../../fixtures/recorded-rig.ts';
import { recordingsIn } from '../../fixtures/recordings-in.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-witnesses-'));
after(() => rmSync(folder, { recursive: true }));

const HERE = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
const SIDE = 0.1;
const STANDOFF = 0.002;
/** How far the cube in place of the cone is below its origin, m: the ring of the scenario is at 91.3 mm. */
const LOWER = 0.012;

async function recorded(facets: boolean, lower = LOWER): Promise<string> {
  const model = compileScenario(loadScenario('taper-jam'));
  const shape = { kind: 'box', size: [SIDE, SIDE, SIDE] } as const;
  const pair = {
    kind: 'faceted',
    shapeI: { shape, ...HERE },
    shapeJ: { shape, ...HERE, position: [0, 0, -lower] },
    standoff: STANDOFF,
  } as const;
  const contacts = facets ? [{ ...model.contacts[0], pair }] : [];
  const own = join(folder, `${facets} ${lower}`);
  const rig = new RecordedRig(
    { folder: own, keep_free_bytes: 0 },
    { robot: false, model: { ...model, contacts } },
  );
  await rig.fly(200, () => undefined);
  await rig.recorder.close();
  return join(own, recordingsIn(own)[0]);
}

test('a cube of facets over another one in a recording: the line of the least distance in every frame', async () => {
  const frames = await readFrames(await recorded(true), 0, 10, 25);
  assert.ok(frames.length >= 3, `${frames.length} frames`);
  for (const { scene, witnesses } of frames) {
    const { contacts, lines } = witnesses!;
    // the ring is the second body: faces of cubes over each other, wider apart than the standoff
    const gap = scene.poses[7 + 2] - SIDE + LOWER;
    assert.ok(gap > STANDOFF && Math.abs(contacts[0].least_distance_m - gap) < 1e-12, `${gap} m`);
    assert.equal(lines.length, 6);
    const [ax, ay, az, bx, by, bz] = lines;
    const length = Math.hypot(ax - bx, ay - by, az - bz);
    assert.ok(Math.abs(length - contacts[0].least_distance_m) < 1e-9, `${length} m`);
  }
  const second = await readFrames(await recorded(true), 0, 10, 25);
  assert.deepEqual(second[0].witnesses, frames[0].witnesses);
});

/** Columns of the ticks of a recording, in lower case, each once for equal values in a row. */
async function ticks(file: string, ...names: readonly string[]): Promise<number[][]> {
  const rows: number[][] = [];
  for await (const { fields } of openTopics(file).messages('/berth/tick')) {
    const row = names.map((name) => fields[name] as number);
    if (!row.every((value, k) => Object.is(value, rows.at(-1)?.[k]))) rows.push(row);
  }
  return rows;
}

test('cubes within the standoff: least distance, reserve and pairs in the ticks are those of the lines', async () => {
  const model = compileScenario(loadScenario('taper-jam'));
  const [ring] = model.bodies.filter(({ name }) => name === model.contacts[0].bodyI);
  const height = (ring as { readonly position: readonly number[] }).position[2];
  const gap = STANDOFF / 4;
  const file = await recorded(true, SIDE - height + gap);
  const rows = await ticks(file, 'least_distance_m', 'standoff_reserve', 'contact_pairs');
  const frames = await readFrames(file, 0, 10, 25);
  assert.ok(frames.length >= 3 && rows.length >= 1);
  const [[least, reserve, pairs]] = rows;
  const { contacts, lines } = frames[0].witnesses!;
  assert.ok(Math.abs(least - gap) < 1e-12, `${least} m`);
  assert.ok(Math.abs(contacts[0].least_distance_m - least) < 1e-12);
  assert.ok(Math.abs(reserve - least / STANDOFF) < 1e-9, `${reserve}`);
  assert.equal(pairs, contacts[0].distinct);
  assert.equal(lines.length, 6 * contacts[0].pairs);
});

test('frames of a recording without facets have no lines', async () => {
  const frames = await readFrames(await recorded(false), 0, 10, 25);
  assert.ok(frames.length >= 3);
  assert.ok(frames.every(({ witnesses }) => witnesses === undefined));
});
