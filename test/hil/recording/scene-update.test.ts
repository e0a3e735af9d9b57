/** foxglove.SceneUpdate in a recording: bodies and forces, decoded by the schema of the file, and the layout that shows them. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from '@foxglove/rosmsg';
import { MessageReader } from '@foxglove/rosmsg2-serialization';
import { compileScenario } from '../../../config/compile.ts';
import { packageRoot } from '../../../config/paths.ts';
import { listScenarios, loadScenario } from '../../../config/scenario.ts';
import { SCENE_POINT, SceneColumn, ScenePoint } from '../../../hil/contract/scene-columns.ts';
import { RecordKind } from '../../../hil/memory/records.ts';
import { CdrWriter } from '../../../hil/recording/cdr.ts';
import { BODIES_CHANNEL, CHANNELS, frameOf } from '../../../hil/recording/channels.ts';
import { entitiesOf, METERS_PER_NEWTON, writeBodies } from '../../../hil/recording/scene-update.ts';
import { Stamp } from '../../../hil/recording/stamp.ts';
import { sceneOf } from '../../../server/status/scene.ts';
import { readTopics } from '../../fixtures/mcap-topics.ts';
import { recordingsIn } from '../../fixtures/recordings-in.ts';
import { Feed } from './feed.ts';

interface Xyz {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
interface Pose {
  readonly position: Xyz;
  readonly orientation: Xyz & { readonly w: number };
}
interface Solid {
  readonly pose: Pose;
  readonly size: Xyz;
  readonly color: { readonly a: number };
}
interface Entity {
  readonly id: string;
  readonly frame_id: string;
  readonly frame_locked: boolean;
  readonly arrows: {
    readonly pose: Pose;
    readonly shaft_length: number;
    readonly head_length: number;
  }[];
  readonly cubes: Solid[];
  readonly spheres: Solid[];
  readonly cylinders: Solid[];
  readonly triangles: { readonly points: Xyz[] }[];
}
interface Update {
  readonly entities: Entity[];
}

const folder = mkdtempSync(join(tmpdir(), 'berth-scene-update-'));
after(() => rmSync(folder, { recursive: true }));

const feed = new Feed(folder);
await feed.run(300);
await feed.recorder.close();
const topics = await readTopics(join(folder, recordingsIn(folder)[0]));
const updates = (topic: string): Update[] =>
  (topics.get(topic) ?? []).map(({ message }) => message as unknown as Update);

test('a file begins with its bodies, and each follows its frame', () => {
  const [first] = updates('/berth/bodies');
  assert.ok(first !== undefined && first.entities.length > 0);
  const tf = topics.get('/tf')![0].message as { transforms: { child_frame_id: string }[] };
  const locked = first.entities.map(({ frame_id, frame_locked }) => frame_locked && frame_id);
  assert.ok(tf.transforms.length > 0);
  for (const { child_frame_id } of tf.transforms) {
    assert.ok(locked.includes(child_frame_id), child_frame_id);
  }
  const bodies = topics.get('/berth/bodies')![0].logTime;
  assert.ok(bodies <= topics.get('/berth/scene')![0].logTime, 'before the first scene');
});

test('arrows begin at the contact points and are the forces, 20 N for each 10 cm', () => {
  const scenes = feed.given.filter(({ kind }) => kind === RecordKind.SCENE);
  const messages = updates('/berth/forces');
  assert.equal(messages.length, scenes.length);
  let drawn = 0;
  messages.forEach(({ entities: [forces] }, n) => {
    const { bytes } = scenes[n];
    const row = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length >> 3);
    assert.equal(forces.arrows.length, row[SceneColumn.POINTS]);
    assert.equal(forces.frame_id, 'base');
    forces.arrows.forEach(({ pose, shaft_length, head_length }, k) => {
      drawn++;
      const at = SceneColumn.FIRST_POINT + k * SCENE_POINT;
      const { position, orientation: q } = pose;
      assert.deepEqual([position.x, position.y, position.z], [...row.subarray(at, at + 3)]);
      // +x of the arrow: first column of its rotation matrix
      const along = [
        1 - 2 * (q.y * q.y + q.z * q.z),
        2 * (q.x * q.y + q.w * q.z),
        2 * (q.x * q.z - q.w * q.y),
      ];
      const length = shaft_length + head_length;
      for (let a = 0; a < 3; a++) {
        const force = row[at + ScenePoint.FORCE + a];
        assert.ok(
          Math.abs((along[a] * length) / METERS_PER_NEWTON - force) < 1e-9 * (1 + Math.abs(force)),
        );
      }
    });
  });
  assert.ok(drawn > 0);
});

/** Cells of a scenario by kind, as the console gets them. */
function kindsOf(
  cells: readonly { readonly shape: Readonly<Record<string, unknown>> }[],
): string[] {
  return cells.flatMap(({ shape }) =>
    shape['kind'] === 'boolean'
      ? [...kindsOf(shape['common'] as never), ...kindsOf(shape['without'] as never)]
      : [String(shape['kind'])],
  );
}

for (const { name } of listScenarios()) {
  test(`what the console draws of ${name} is drawn there`, () => {
    const writer = new CdrWriter();
    const model = compileScenario(loadScenario(name));
    writeBodies(writer.begin(), new Stamp(0n, 0).set(0), entitiesOf(model, name), frameOf);
    const reader = new MessageReader<Update>(parse(BODIES_CHANNEL.schema, { ros2: true }));
    const { entities } = reader.readMessage(writer.end());
    const { bodies } = sceneOf(name);
    assert.deepEqual(
      entities.map(({ id }) => id),
      bodies.map((body) => body.name),
    );
    entities.forEach((entity, b) => {
      const kinds = kindsOf(bodies[b].cells);
      const count = (...of: string[]): number => kinds.filter((kind) => of.includes(kind)).length;
      // a capsule has a ball at each end, a beam a round at each end
      assert.equal(entity.spheres.length, count('sphere', 'ellipsoid') + 2 * count('capsule'));
      assert.equal(
        entity.cylinders.length,
        count('cylinder', 'frustum', 'capsule', 'bore') + 2 * count('beam'),
      );
      assert.equal(entity.cubes.length, count('box', 'half-space', 'beam'));
      assert.equal(entity.triangles.length, count('mesh'));
      for (const { size } of [...entity.cubes, ...entity.spheres, ...entity.cylinders]) {
        assert.ok(size.x > 0 && size.y > 0 && size.z > 0);
      }
      for (const { points } of entity.triangles) assert.equal(points.length % 3, 0);
    });
  });
}

test('the layout for Foxglove names topics and fields that a recording has', () => {
  const text = readFileSync(join(packageRoot(), 'dashboards', 'foxglove-layout.json'), 'utf8');
  const layout = JSON.parse(text) as {
    configById: Record<
      string,
      { topics?: object; topicToRender?: string; paths?: { value: string }[] }
    >;
    layout: unknown;
  };
  const known = new Map(CHANNELS.map((channel) => [channel.topic, channel.schema]));
  const panels = Object.entries(layout.configById);
  for (const [id, { topics: shown = {}, topicToRender, paths = [] }] of panels) {
    assert.ok(JSON.stringify(layout.layout).includes(`"${id}"`), `${id} has a place`);
    const named = [...Object.keys(shown), ...(topicToRender === undefined ? [] : [topicToRender])];
    for (const topic of named) assert.ok(known.has(topic), `${id}: ${topic}`);
    for (const { value } of paths) {
      const [, topic, path] = /^(\/berth\/\w+)\.(.+)$/.exec(value) ?? [];
      const schema = known.get(topic);
      assert.ok(schema !== undefined, value);
      const field = path.split('.').at(-1)!;
      assert.match(schema, new RegExp(`^\\S+ ${field}\\b`, 'm'), value);
    }
  }
  const drawn = Object.keys(layout.configById['3D!scene']?.topics ?? {});
  assert.ok(drawn.includes('/berth/bodies') && drawn.includes('/berth/forces'));
});
