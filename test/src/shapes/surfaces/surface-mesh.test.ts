/** Faces as triangles for a drawing: volume and area of closed forms, the outward side, trims. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { surfaceMesh } from '../../../../src/shapes/surfaces/surface-mesh.ts';
import { meshArea, meshVolume } from '../../../../src/shapes/triangle-mesh.ts';

const TORUS = { kind: 'torus', majorRadius: 0.05, minorRadius: 0.018 } as const;
/** Chords of a fortieth of a turn lie inside: 2 π²/(3 · 40²) of an area between two arcs, twice that of a volume of two turns. */
const CHORDS = (2 * Math.PI ** 2) / (3 * 40 ** 2);

test('a torus: its volume counts positive, negative when it is reversed', () => {
  const volume = 2 * Math.PI ** 2 * TORUS.majorRadius * TORUS.minorRadius ** 2;
  for (const sign of [1, -1] as const) {
    const found = meshVolume(surfaceMesh([{ shape: TORUS, sign }]));
    const missing = 1 - (sign * found) / volume;
    assert.ok(missing > 0 && missing < 2 * CHORDS, `${missing}`);
  }
});

test('two faces, of which one has a hole: the area that is left', () => {
  const square = (half: number): [number, number][] => [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
    [-half, -half],
  ];
  const plane = { kind: 'plane' } as const;
  const range = [-1, 1] as const;
  const mesh = surfaceMesh([
    { shape: plane, trim: { u: range, v: range } },
    { shape: plane, trim: { u: range, v: range, loops: [square(1), square(0.5)] } },
  ]);
  assert.ok(Math.abs(meshArea(mesh) - (4 + 3)) < 1e-9, `${meshArea(mesh)}`);
});

test('a round border is followed: what is at the rim of a disc with a round hole lies on its circles', () => {
  const circle = (radius: number): [number, number][] =>
    Array.from({ length: 401 }, (_, k) => [
      radius * Math.cos((k * Math.PI) / 200),
      radius * Math.sin((k * Math.PI) / 200),
    ]);
  const range = [-1, 1] as const;
  const loops = [circle(0.97), circle(0.53)];
  const { vertices, triangles } = surfaceMesh([
    { shape: { kind: 'plane' }, trim: { u: range, v: range, loops } },
  ]);
  const sides = new Set<string>();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let n = 0; n < 3; n++) {
      const [a, b] = [triangles[t + n], triangles[t + ((n + 1) % 3)]];
      if (!sides.delete(`${b} ${a}`)) sides.add(`${a} ${b}`);
    }
  }
  assert.ok(sides.size > 100, `${sides.size}`);
  for (const side of sides) {
    const [a] = side.split(' ').map(Number);
    const radius = Math.hypot(vertices[3 * a], vertices[3 * a + 1]);
    const off = Math.min(Math.abs(radius - 0.97), Math.abs(radius - 0.53));
    // 400 corners lie on each circle
    assert.ok(off < 1 - Math.cos(Math.PI / 400) + 1e-9, `${radius}`);
  }
});
