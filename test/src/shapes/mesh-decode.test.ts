/** STL and OBJ files: what is read, what is refused at which line or byte, and that no bytes do harm. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BerthError } from '../../../src/base/errors.ts';
import { decodeMesh } from '../../../src/shapes/mesh-decode.ts';
import { meshVolume, type TriangleMesh } from '../../../src/shapes/triangle-mesh.ts';
import { asObj, asStl, asStlText, bytesOf, cube } from '../../fixtures/meshes.ts';

function refused(bytes: Uint8Array, name: string, message: RegExp): void {
  assert.throws(
    () => decodeMesh(bytes, name),
    (error) => {
      assert.ok(error instanceof BerthError, String(error));
      assert.match(error.message, message);
      return true;
    },
  );
}

test('the same cube out of binary STL, text STL and OBJ, its corners welded', () => {
  const source = cube([0, 0, 0], [2, 3, 4]);
  const files: readonly (readonly [Uint8Array, string])[] = [
    [asStl(source), 'cube.stl'],
    [bytesOf(asStlText(source)), 'cube.STL'],
    [bytesOf(asObj(source)), 'cube.obj'],
  ];
  for (const [bytes, name] of files) {
    const mesh = decodeMesh(bytes, name);
    assert.equal(mesh.vertices.length, 3 * 8, name);
    assert.equal(mesh.triangles.length, 3 * 12, name);
    assert.equal(meshVolume(mesh), 24, name);
  }
});

test('a binary file may start with "solid"', () => {
  const bytes = asStl(cube([0, 0, 0], [1, 1, 1]));
  bytes.set(bytesOf('solid of some program'));
  assert.equal(decodeMesh(bytes, 'a.stl').triangles.length, 36);
});

test('OBJ: polygons, concave ones too, negative and slashed indices, what is skipped', () => {
  // an L-shaped prism of area 3 and height 1, its caps as one concave polygon each
  const outline = [
    [0, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 2],
  ];
  const lines = ['# a comment', 'mtllib x.mtl', 'o thing', 's off'];
  for (const z of [0, 1]) lines.push(...outline.map(([x, y]) => `v ${x} ${y} ${z} 0.5 0.5 0.5`));
  lines.push('vn 0 0 1', 'vt 0 0', 'usemtl steel', 'g caps');
  lines.push('f 6 5 4 3 2 1', 'f 7/1/1 8/1/1 9//1 10/1 11 12');
  for (let k = 0; k < 6; k++) {
    const next = (k + 1) % 6;
    lines.push(`f ${k - 12} ${next - 12} \\`, `  ${next - 6} ${k - 6} # joined`);
  }
  const mesh = decodeMesh(bytesOf(lines.join('\r\n')), 'l.obj');
  assert.equal(mesh.triangles.length, 3 * (2 * 4 + 6 * 2));
  assert.ok(Math.abs(meshVolume(mesh) - 3) < 1e-15);
});

test('malformed STL is refused at its line or byte', () => {
  const good = asStl(cube([0, 0, 0], [1, 1, 1]));
  refused(good.slice(0, 83), 'a.stl', /a\.stl, byte 83: ends before the 84 bytes/);
  refused(
    good.slice(0, -1),
    'a.stl',
    /byte 80: announces 12 triangles, which take 684 bytes, but the file has 683/,
  );
  refused(new Uint8Array(84), 'a.stl', /byte 80: announces no triangles/);
  const bad = good.slice();
  new DataView(bad.buffer).setFloat32(84 + 50 * 3 + 12 + 4 * 5, Number.NaN, true);
  refused(bad, 'a.stl', /byte 266: triangle 4 has the coordinate NaN/);
  const text = asStlText(cube([0, 0, 0], [1, 1, 1])).split('\n');
  const changed = (line: number, to: string): Uint8Array =>
    bytesOf(text.map((one, k) => (k === line - 1 ? to : one)).join('\n'));
  refused(changed(4, 'vertex 1 2'), 'a.stl', /a\.stl, line 4: expected three coordinates/);
  refused(changed(4, 'vertex 1 2 1e999'), 'a.stl', /line 4: expected a coordinate.*"1e999"/);
  refused(changed(4, 'vertex 1 2 0x10'), 'a.stl', /line 4.*"0x10"/);
  refused(changed(5, 'endloop'), 'a.stl', /line 5: expected "vertex", got "endloop"/);
  refused(bytesOf(text.slice(0, -2).join('\n')), 'a.stl', /ends before "endsolid"/);
  refused(bytesOf('solid x\nendsolid x\n'), 'a.stl', /has no triangles/);
  refused(bytesOf(''), 'a.stl', /byte 0/);
});

test('malformed OBJ is refused at its line', () => {
  const start = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n';
  refused(
    bytesOf(`${start}f 1 2 4\n`),
    'a.obj',
    /a\.obj, line 4: expected one of the 3 vertices so far, got "4"/,
  );
  refused(bytesOf(`${start}f 1 2 0\n`), 'a.obj', /line 4.*"0"/);
  refused(bytesOf(`${start}f 1 2 -4\n`), 'a.obj', /line 4.*"-4"/);
  refused(bytesOf(`${start}f 1 2\n`), 'a.obj', /line 4: a face of 2 corners/);
  refused(bytesOf(`${start}f 1 2 x\n`), 'a.obj', /line 4.*"x"/);
  refused(bytesOf(`${start}curv 0 1 1 2\n`), 'a.obj', /line 4: "curv" is not read/);
  refused(bytesOf('v 1 2 nan\n'), 'a.obj', /line 1: expected a coordinate.*"nan"/);
  refused(bytesOf('v 0 0 0\n'), 'a.obj', /has no faces/);
  refused(new Uint8Array([118, 32, 0]), 'a.obj', /line 1: a zero byte/);
  refused(bytesOf(`v ${'1'.repeat(70_000)} 0 0`), 'a.obj', /line 1: longer than 65536 bytes/);
  refused(bytesOf('x'), 'a.step', /ends in \.stl, \.obj, \.glb or \.gltf, got "a\.step"/);
});

/** Checks that decoding gives a valid mesh or an error with a reason. */
function decodesOrRefuses(bytes: Uint8Array, name: string): void {
  let mesh: TriangleMesh;
  try {
    mesh = decodeMesh(bytes, name);
  } catch (error) {
    assert.ok(error instanceof BerthError, String(error));
    assert.match(error.message, /(line|byte) \d+|end:/);
    return;
  }
  const count = mesh.vertices.length / 3;
  assert.ok(mesh.vertices.every((value) => Math.abs(value) <= 1e9));
  assert.ok(mesh.triangles.length > 0 && mesh.triangles.every((index) => index < count));
}

test('no bytes crash the decoders', () => {
  const words = fc.constantFrom(
    'solid', 'facet', 'normal', 'outer', 'loop', 'vertex', 'endloop', 'endfacet', 'endsolid',
    'v', 'f', 'vn', '\n', '\n', '\\\n', '#', '1', '-1', '2', '3', '0', '1e9', '-.5', '1/1', '1e', 'NaN', '\r',
  ); // biome-ignore format: words
  const texts = fc.array(words, { maxLength: 80 }).map((list) => bytesOf(list.join(' ')));
  const stl = asStl(cube([0, 0, 0], [1, 1, 1]));
  const changed = fc
    .array(fc.tuple(fc.nat(stl.length - 1), fc.nat(255)), { maxLength: 12 })
    .map((edits) => {
      const bytes = stl.slice();
      for (const [at, value] of edits) bytes[at] = value;
      return bytes;
    });
  const any = fc.oneof(fc.uint8Array({ maxLength: 400 }), texts, changed);
  fc.assert(fc.property(any, fc.constantFrom('x.stl', 'x.obj'), decodesOrRefuses), {
    numRuns: 2000,
  });
});

test('a count that no file could hold takes no memory', () => {
  const bytes = new Uint8Array(200);
  new DataView(bytes.buffer).setUint32(80, 0xffffffff, true);
  const before = process.memoryUsage().arrayBuffers;
  refused(bytes, 'a.stl', /announces 4294967295 triangles/);
  // the announced triangles would take 288 GB
  assert.ok(process.memoryUsage().arrayBuffers - before < 1e6);
});
