/** `GET /api/scene` and the telemetry topic `scene`: what a page needs to draw any scenario. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { listScenarios, loadScenario } from '../../../config/scenario.ts';
import { SCENE_POSE, sceneBodies, SceneColumn } from '../../../hil/contract/scene-columns.ts';
import { SceneRow } from '../../../hil/telemetry/scene-row.ts';
import { sceneOf } from '../../../server/status/scene.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { Service } from '../../fixtures/service.ts';

let service: Service;
before(async () => {
  service = await Service.start((settings) => {
    settings.scenario = 'battery-box-insertion';
  });
});
after(() => service.close());

interface Cell {
  readonly name: string;
  readonly shape: Record<string, unknown>;
  readonly position_m: number[];
  readonly orientation: number[];
}
interface Scene {
  readonly scenario: string;
  readonly bodies: { readonly name: string; readonly role: string; readonly cells: Cell[] }[];
  readonly insertion: Record<string, unknown> | null;
}
const scene = async (): Promise<Scene> =>
  (await (await fetch(`${service.origin}/api/scene`)).json()) as Scene;

test('every scenario can be described: bodies in the order of the model, plain JSON, known shapes', () => {
  for (const { name } of listScenarios()) {
    const described = sceneOf(name);
    const text = JSON.stringify(described);
    assert.equal(JSON.stringify(JSON.parse(text)), text);
    // NaN would become null
    assert.doesNotMatch(JSON.stringify(described.bodies), /null/, name);
    const model = compileScenario(loadScenario(name));
    assert.deepEqual(
      described.bodies.map((body) => body.name),
      sceneBodies(model),
    );
    for (const { cells } of described.bodies) {
      for (const { shape, position_m, orientation } of cells) {
        assert.equal(typeof shape.kind, 'string');
        assert.equal(position_m.length, 3);
        assert.ok(Math.abs(Math.hypot(...orientation) - 1) < 1e-12);
      }
    }
  }
});

test('bodies without cells are drawn from their pairs', () => {
  const { bodies } = sceneOf('half-sphere-on-plate');
  const [plate, ball] = bodies;
  assert.equal(plate.role, 'site');
  assert.deepEqual(plate.cells[0].shape, { kind: 'half-space' });
  assert.equal(ball.role, 'payload');
  assert.deepEqual(ball.cells[0].shape, { kind: 'sphere', radius_m: 0.05 });
  assert.deepEqual(ball.cells[0].position_m, [0, 0, 0.05]);
});

test('the arm is drawn with the drawing of its robot, at the start, with the tips of the links that bend', () => {
  const { bodies } = sceneOf('canadarm-berthing');
  const model = compileScenario(loadScenario('canadarm-berthing'));
  const system = makeSystem(model);
  const arm = system.arm!;
  const drawn = bodies.filter(({ name }) => name.startsWith('arm/'));
  assert.equal(drawn.length, arm.linkCount + 2, 'links, and the tips of two booms');
  const boom = drawn.find(({ name }) => name === 'arm/boom-1')!;
  assert.deepEqual(
    boom.cells.map(({ shape }) => shape),
    [{ kind: 'cylinder', radius_m: 0.175, length_m: 7.11 }],
  );
  assert.equal(boom.bends?.length_m, 7.11);
  assert.equal(bodies[boom.bends.end].name, 'arm/boom-1/end');
  const scene = new SceneRow();
  const poses = (): number[][] => {
    scene.read(system);
    return bodies.map((_, b) => [
      ...scene.row.subarray(
        SceneColumn.POSES + b * SCENE_POSE,
        SceneColumn.POSES + (b + 1) * SCENE_POSE,
      ),
    ]);
  };
  poses().forEach((pose, b) => {
    const { name, position_m, orientation } = bodies[b];
    if (!name.startsWith('arm/')) return;
    [...position_m, ...orientation].forEach((value, a) =>
      assert.ok(Math.abs(value - pose[a]) < 1e-12, `${name}: ${pose.join()}`),
    );
  });
  // bent by its modes: the reported tip is that of the tree, off the straight boom
  const index = model.tool!.robot!.tree.links.findIndex(({ name }) => name === 'boom-1');
  const { q, layout } = arm.tree;
  q[layout.links[index].modePosition] = 0.05;
  arm.refresh();
  const tip = poses()[boom.bends.end];
  const straight = bodies[boom.bends.end].position_m;
  const way = Math.hypot(...[0, 1, 2].map((a) => tip[a] - straight[a]));
  assert.ok(way > 0.02, `${way} m`);
  assert.deepEqual(tip, [...arm.tree.linkEndState(index).subarray(0, 7)]);
});

test('crank and rod of a latch are rods between their locks; contacts and constraints are numbered with the body of their surface', () => {
  const { bodies, touches } = sceneOf('latch-hook');
  const of = (name: string) => bodies.find((body) => body.name === name)!;
  const [crank] = of('crank').cells;
  assert.deepEqual(crank.shape, { kind: 'cylinder', radius_m: 0.05 * 0.015, length_m: 0.015 });
  assert.deepEqual(crank.position_m, [0, 0, 0]);
  // z turned to x
  crank.orientation.forEach((part, k) =>
    assert.ok(Math.abs(part - [0, Math.SQRT1_2, 0, Math.SQRT1_2][k]) < 1e-15, `${part}`),
  );
  assert.equal(of('rod').cells[0].shape['length_m'], 0.06);
  assert.equal(of('roller').cells[0].shape.kind, 'sphere');
  assert.deepEqual(
    touches.map(({ name, body }) => [name, bodies[body]?.name]),
    [
      ['roller-hook', 'hook'],
      ['pad-1', 'site'],
      ['pad-2', 'site'],
      ['crank-shaft', undefined],
      ['crank-pin', 'crank'],
      ['rail', undefined],
      ['roller-pin', 'rod'],
    ],
  );
});

test('the battery box: cells with dimensions, the lead-in as triangles, where it is seated', async () => {
  const { scenario, bodies, insertion } = await scene();
  assert.equal(scenario, 'battery-box-insertion');
  assert.deepEqual(
    bodies.map(({ role, cells }) => [role, cells.length]),
    [
      ['payload', 10],
      ['site', 8],
      ['arm', 0],
    ],
  );
  assert.deepEqual(bodies[0].cells[0].shape, { kind: 'box', size_m: [0.5, 0.1, 0.13] });
  const wall = bodies[1].cells.find(({ name }) => name === 'wall-left')!.shape;
  // a prism over a pentagon: 10 corners, 2 x 3 + 5 x 2 triangles
  assert.equal((wall['vertices_m'] as unknown[]).length, 10);
  assert.equal((wall['faces'] as unknown[]).length, 16);
  assert.deepEqual(insertion, {
    seated_position_m: [0, 0, 0],
    seated_orientation: [0, 0, 0, 1],
    direction: [1, 0, 0],
    depth_m: 0.2,
  });
});

test('the topic has a pose for each body of the scene, also after another scenario is loaded', async () => {
  const peer = await service.connect('telemetry', 'viewer');
  peer.send({ type: 'subscribe', id: 1, topics: ['scene', 'contact'], hz: 50 });
  const poses = (count: number) =>
    peer.next((m) => (m['scene'] as { poses?: number[] } | undefined)?.poses?.length === 7 * count);
  const message = await poses(3);
  const first = message['scene'] as { poses: number[]; points: number[]; touching: number };
  assert.deepEqual(first.poses.slice(0, 3), [-0.25, 0, -0.005]);
  assert.equal(first.touching, 0);
  assert.deepEqual(first.points, []);
  assert.equal((message['contact'] as { pairs: number }).pairs, 0);
  const answer = await fetch(`${service.origin}/api/session/load`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ scenario: 'ball-on-incline' }),
  });
  assert.equal(answer.status, 200);
  const { bodies } = await scene();
  await poses(bodies.length);
  assert.ok(bodies.length !== 3);
  peer.socket.close();
});
