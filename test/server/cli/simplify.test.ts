/** `berth simplify`: the bound holds by other means, the file is closed, bad calls are refused. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run } from '../../../server/cli/simplify.ts';
import { BerthError } from '../../../src/base/errors.ts';
import { decodeMesh } from '../../../src/shapes/mesh-decode.ts';
import { repairMesh } from '../../../src/shapes/mesh-repair.ts';
import { SQUARE, TriangleTree } from '../../../src/shapes/triangle-tree.ts';
import { asGltf, asStl, cube, roundMesh, together } from '../../fixtures/meshes.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-simplify-'));
after(() => {
  rmSync(folder, { recursive: true });
});
const at = (name: string): string => join(folder, name);

/** Runs the command; what it says. */
async function simplified(...argv: string[]): Promise<string> {
  const { log } = console;
  const lines: string[] = [];
  console.log = (line: string) => void lines.push(line);
  try {
    assert.equal(await run(argv), 0);
  } finally {
    console.log = log;
  }
  return lines.join('\n');
}

test('a ball of 2,208 triangles in millimetres: fewer, closed, no corner farther than asked', async () => {
  const source = roundMesh(20, 48, 24);
  writeFileSync(at('ball.stl'), asStl(source));
  const words = await simplified(at('ball.stl'), '--distance', '0.4');
  assert.match(words, /ball-simple\.stl: \d+ triangles in place of 2208, at most 0\.\d+ from/);
  const bound = Number(/at most ([\d.]+)/.exec(words)?.[1]);
  assert.ok(bound <= 0.4, words);
  const mesh = repairMesh(decodeMesh(readFileSync(at('ball-simple.stl')), 'b.stl'), 'b.stl');
  assert.ok(mesh.triangles.length / 3 < 1104, `${mesh.triangles.length / 3}`);
  const tree = new TriangleTree(mesh);
  for (let k = 0; k < source.vertices.length; k += 3) {
    let least = Infinity;
    for (let t = 0; t < mesh.triangles.length / 3; t++) {
      tree.measure(t, source.vertices, k);
      least = Math.min(least, Math.sqrt(tree.place[SQUARE]));
    }
    // positions of the file have 32 bits
    assert.ok(least <= bound + 2e-6, `corner ${k / 3}: ${least}`);
  }
});

test('a number of triangles, out of glTF, into another file; flat faces lose nothing', async () => {
  writeFileSync(at('ball.gltf'), asGltf(roundMesh(0.02, 32, 16)));
  const words = await simplified(at('ball.gltf'), '--triangles', '300', '--output', at('c.stl'));
  assert.match(words, /c\.stl: (2\d\d|300) triangles in place of 960/);
  const blocks = together(cube([0, 0, 0], [1, 1, 1]), cube([3, 0, 0], [4, 1, 1]));
  writeFileSync(at('blocks.stl'), asStl(blocks));
  // both pieces stay
  assert.match(
    await simplified(at('blocks.stl'), '--distance', '0.01'),
    /24 triangles .* at most (0|\d([.]\d+)?e-1\d) /,
  );
});

test('calls and files at fault are refused in a sentence', async () => {
  const box = cube([0, 0, 0], [1, 1, 1]);
  writeFileSync(at('open.stl'), asStl({ ...box, triangles: box.triangles.slice(3) }));
  writeFileSync(at('box.stl'), asStl(box));
  const refused = (message: RegExp, ...argv: string[]): Promise<void> =>
    assert.rejects(run(argv), (error) => {
      assert.ok(error instanceof BerthError, String(error));
      assert.match(error.message, message);
      return true;
    });
  await refused(/expected one mesh FILE/, '--distance', '1');
  await refused(/either --distance or --triangles, got neither/, at('box.stl'));
  await refused(/got both/, at('box.stl'), '--distance', '1', '--triangles', '8');
  await refused(/--distance is "0"; allowed: a number above 0/, at('box.stl'), '--distance', '0');
  await refused(/--triangles is "3"; allowed/, at('box.stl'), '--triangles', '3');
  await refused(/--output is "x\.obj"/, at('box.stl'), '--distance', '1', '--output', 'x.obj');
  await refused(/there is no file/, at('none.stl'), '--distance', '1');
  await refused(/the surface is open: 3 edges/, at('open.stl'), '--distance', '1');
});
