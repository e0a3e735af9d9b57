/** 73: what a bad generator may write as a mesh is refused in bounded time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeMesh } from '../../src/shapes/mesh-decode.ts';
import { repairMesh } from '../../src/shapes/mesh-repair.ts';

/** 20 MB of facets that share nothing; a bad generator would let them share corners. */
function randomFacets(count: number): Uint8Array {
  const bytes = new Uint8Array(84 + 50 * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, count, true);
  let state = 0x2545_f491;
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 9; k++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      view.setFloat32(84 + 50 * i + 12 + 4 * k, (state >>> 0) / 2 ** 32, true);
    }
  }
  return bytes;
}

test('73: 20 MB of random facets are refused in seconds', (t) => {
  const cpu = process.cpuUsage();
  const bytes = randomFacets(400_000);
  assert.throws(
    () => repairMesh(decodeMesh(bytes, 'random.stl'), 'random.stl'),
    /Expected random\.stl to be a closed surface .* at different places/,
  );
  const spent_s = process.cpuUsage(cpu).user / 1e6;
  // it took 30 s; this machine takes 2 to 4
  assert.ok(spent_s < 12, `${spent_s} s`);
  t.diagnostic(
    `acceptance 73: 400,000 random facets refused in ${spent_s.toFixed(1)} s of processor time`,
  );
});
