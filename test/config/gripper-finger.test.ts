/** The scenario `gripper-finger`: its patch is that of its mesh; it rests at the force of the accommodation, bends by that over its stiffness, and is dragged. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { packageRoot } from '../../config/paths.ts';
import { loadScenario } from '../../config/scenario.ts';
import { drawnBodies } from '../../hil/drawing/drawn-bodies.ts';
import { run } from '../../server/cli/reduce.ts';
import { contactStiffness } from '../../src/contact/contact-stiffness.ts';
import { meshVolume } from '../../src/shapes/triangle-mesh.ts';
import {
  SCENE_FACE,
  SCENE_POINT,
  SceneColumn,
  SceneFace,
  ScenePoint,
} from '../../hil/contract/scene-columns.ts';
import { SceneRow } from '../../hil/telemetry/scene-row.ts';
import {
  CONTACT_READOUT,
  ContactReadout,
  makeSystem,
  POINT_READOUT,
  PointReadout,
} from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-gripper-'));
after(() => rmSync(folder, { recursive: true }));
const scenarios = join(packageRoot(), 'config', 'scenarios');
const COULOMB = 0.2;
const STICTION = 0.3;

test('the patch file of the package is what berth reduce makes of its mesh', async (t) => {
  const words: string[] = [];
  t.mock.method(console, 'log', (line: string) => void words.push(line));
  const made = join(folder, 'gripper-finger.patch');
  const mesh = join(scenarios, 'gripper-finger.inp');
  const sets = ['--unit', 'mm', '--clamp', 'FLANGE', '--contact', 'PAD', '--points', '9'];
  assert.equal(await run([mesh, ...sets, '--material', 'Aluminium', '-o', made]), 0);
  assert.match(words.join('\n'), /78500 N\/m at 10 N/);
  const kept = readFileSync(join(scenarios, 'gripper-finger.patch'), 'utf8');
  assert.equal(readFileSync(made, 'utf8'), kept);
});

test('it is drawn with the surface of its mesh, as a closed box of its size', () => {
  const drawn = drawnBodies(compileScenario(loadScenario('gripper-finger')), null);
  const [cell] = drawn.find(({ name }) => name === 'finger')!.cells;
  const { vertices_m: vertices, faces } = cell.shape as unknown as {
    vertices_m: number[][];
    faces: number[][];
  };
  const volume = meshVolume({
    vertices: Float64Array.from(vertices.flat()),
    triangles: Uint32Array.from(faces.flat()),
  });
  assert.ok(Math.abs(volume / (0.08 * 0.012 * 0.005) - 1) < 1e-9, `${volume} m³`);
  // its pad is down, at the tool point
  assert.ok(Math.abs(Math.min(...vertices.map(([, , z]) => z))) < 1e-12);
});

test('it rests at 30 N and 30 N/k, and is dragged against its slip with μ_d of the force', () => {
  const system = makeSystem(compileScenario(loadScenario('gripper-finger')));
  const readout = new Float64Array(CONTACT_READOUT.length);
  const run = (steps: number): void => {
    for (let n = 0; n < steps; n++) assert.equal(system.step(1e-3), 0);
    system.readContact(0, readout, 0);
  };
  run(1900);
  const force = readout[ContactReadout.normalForce];
  // from 20 N on the rest of the way goes with exp(−t k/gain), 78.5 kN/m over 1e4 N s/m: e⁻¹⁰ at this time
  assert.ok(Math.abs(force - 30) < 1e-3, `${force} N`);
  const deep = readout[ContactReadout.penetration];
  // pressed without friction, which sticks here
  const { stiffness } = contactStiffness(system.model.contacts[0], force, 1e-3);
  assert.ok(Math.abs(force / deep / stiffness - 1) < 1e-3, `${force / deep} of ${stiffness} N/m`);
  run(1900);
  const slid = readout[ContactReadout.normalForce];
  const [x, y] = [readout[ContactReadout.ft_x], readout[ContactReadout.ft_y]];
  assert.ok(Math.abs(y + COULOMB * slid) < 1e-6 * slid, `${y} N of ${slid} N`);
  assert.ok(Math.abs(x) < 1e-6 * slid, `${x} N across the way`);
});

test('each point of its pad has a force, a state and a place; the picture has them all', () => {
  const system = makeSystem(compileScenario(loadScenario('gripper-finger')));
  const count = system.pointCount(0);
  assert.equal(count, 9);
  const whole = new Float64Array(CONTACT_READOUT.length);
  const point = new Float64Array(POINT_READOUT.length);
  const scene = new SceneRow();
  const states = new Set<number>();
  const pads: number[][] = [];
  for (let n = 0; n < 3800; n++) {
    assert.equal(system.step(1e-3), 0);
    if (n !== 1899 && n !== 3799) continue;
    system.readContact(0, whole, 0);
    scene.read(system);
    const sum = [0, 0, 0];
    let area = 0;
    let drawn = 0;
    for (let p = 0; p < count; p++) {
      system.readPoint(0, p, point, 0);
      states.add(point[PointReadout.state]);
      area += point[PointReadout.area];
      // the plate is level, its normal up to the finger
      const across = Math.hypot(point[PointReadout.force_x], point[PointReadout.force_y]);
      const most =
        (point[PointReadout.state] === 2 ? COULOMB : STICTION) * point[PointReadout.force_z];
      assert.ok(across <= most * (1 + 1e-6), `${across} of ${most} N`);
      for (let a = 0; a < 3; a++) sum[a] += point[PointReadout.force_x + a];
      if (point[PointReadout.state] === 0) continue;
      const at = SceneColumn.FIRST_POINT + drawn * SCENE_POINT;
      for (let a = 0; a < 3; a++) {
        assert.equal(scene.row[at + ScenePoint.PLACE + a], point[PointReadout.place_x + a]);
        assert.equal(scene.row[at + ScenePoint.FORCE + a], point[PointReadout.force_x + a]);
      }
      const face = SceneColumn.FIRST_FACE + drawn * SCENE_FACE;
      assert.equal(scene.row[face + SceneFace.STATE], point[PointReadout.state]);
      const pressure = point[PointReadout.force_z] / point[PointReadout.area];
      assert.ok(Math.abs(scene.row[face + SceneFace.PRESSURE] / pressure - 1) < 1e-12);
      drawn++;
    }
    assert.equal(scene.row[SceneColumn.POINTS], drawn);
    const force = [ContactReadout.ft_x, ContactReadout.ft_y].map((column) => whole[column]);
    [...force, whole[ContactReadout.normalForce]].forEach((want, a) =>
      assert.ok(Math.abs(sum[a] - want) < 1e-9 * 30, `${sum[a]} of ${want} N along ${'xyz'[a]}`),
    );
    pads.push([area, drawn]);
  }
  // as Coulomb has it: it stuck when it was pressed, and slides when it is dragged
  assert.deepEqual([...states].filter((state) => state > 0).sort(), [1, 2], pads.join(' | '));
});
