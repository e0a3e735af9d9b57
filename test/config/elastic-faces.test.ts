/** Elastic faces as people write them: what they compile to, and what is refused at which field. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writePatch } from '../../config/patch-file.ts';
import { BerthError } from '../../src/base/errors.ts';
import { halfSpaceFace } from '../../src/fem/grid-faces.ts';
import { elasticScene, type ElasticScene, FACE } from '../fixtures/elastic-scenes.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-faces-'));
after(() => rmSync(folder, { recursive: true }));

function refused(scene: ElasticScene, words: RegExp): void {
  assert.throws(
    () => elasticScene(scene),
    (error) => {
      assert.ok(error instanceof BerthError, String(error));
      assert.match(error.message, words);
      return true;
    },
  );
}

test('a file of berth reduce, with the hash of its mesh', () => {
  const [mesh, other] = [join(folder, 'finger.inp'), join(folder, 'other.inp')];
  writeFileSync(mesh, 'mesh');
  writeFileSync(other, 'another mesh');
  const patch = halfSpaceFace({
    size: [0.02, 0.02],
    points: [2, 2],
    young: 1e7,
    poisson: 0.3,
    radius: Infinity,
  });
  const file = join(folder, 'finger.patch');
  const source = { mesh: Buffer.from('mesh'), asked: '' };
  writePatch(file, source, { ...patch, rigidMass: [] });
  const { pair } = elasticScene({ compliance: { kind: 'file', file, mesh } }).contacts[0];
  assert.ok('patch' in pair);
  // turned by half a turn about x and moved 50 mm down
  assert.deepEqual(pair.patch.points.slice(0, 3), [-0.005, 0.005, -0.05]);
  // x of one point by y of another one
  assert.ok(patch.compliance[10] !== 0);
  assert.equal(pair.patch.compliance[0], patch.compliance[0]);
  assert.equal(pair.patch.compliance[10], -patch.compliance[10]);
  refused(
    { compliance: { kind: 'file', file, mesh: other } },
    /pair\.compliance\.file: .*finger\.patch was made of another .*other\.inp/,
  );
  refused({ compliance: { kind: 'file', file: 'none.patch' } }, /none\.patch/);
});

test('bad numbers and laws are refused by name', () => {
  refused({ friction: { kind: 'coulomb', stiction: 0.2, coulomb: 0.3 } }, /stiction.*>= .*coulomb/);
  refused({ friction: { kind: 'regularized-coulomb', coulomb: 0.3 } }, /needs slip/);
  refused({ compliance: { ...FACE, points: [0, 4] } }, /points/);
  refused({ compliance: { ...FACE, points: [17, 4] } }, /points/);
  refused({ compliance: { ...FACE, poisson_ratio: 0.5 } }, /poisson_ratio/);
  refused({ compliance: { ...FACE, youngs_modulus_N_per_m2: -1 } }, /youngs_modulus/);
  const layer = { ...FACE, kind: 'layer', thickness_m: 1e-3, poisson_ratio: 0.49 };
  refused({ compliance: layer }, /poisson_ratio to be at most 0\.45 for a layer/);
});
