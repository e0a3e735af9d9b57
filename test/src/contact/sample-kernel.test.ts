/** The kernel of the sums over samples gives the bits of the reference modules: sums, nearest sample and bounds, near, inside and far away. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactKernels } from '../../../config/contact-kernels.ts';
import { SampleKernel, sampleKernel } from '../../../src/contact/sampled/sample-kernel.ts';
import { DROWNED, LEAST, LOAD, READ } from '../../../src/contact/sampled/sample-slots.ts';
import { SampleSums } from '../../../src/contact/sampled/sample-sums.ts';
import { makeSystem, Random, type System } from '../../../src/index.ts';
import { rotationOf } from '../../../src/math/quaternion.ts';
import { surfaceSamples } from '../../../src/shapes/surface-samples.ts';
import { ballMesh } from '../../../server/validation/ball-mesh.ts';
import { boxField, cubeOnSlab, torusField } from '../../fixtures/sampled-contact-models.ts';

const kernels = contactKernels();

test('sums of a ball at 300 places in a torus and a box: bit for bit', () => {
  assert.ok(kernels !== null, 'the kernels are built');
  const samples = surfaceSamples(ballMesh(0.02, 3), 900, 16, 'ball');
  const random = new Random(5);
  const seen = { pushes: 0, near: 0, drowned: 0, far: 0 };
  for (const field of [torusField(3e-3), boxField([0.08, 0.08, 0.08], 4e-3)]) {
    const reference = new SampleSums(samples, field);
    const sums = new SampleSums(samples, field);
    sums.follow(new SampleKernel(kernels, samples, field));
    const rotation = new Float64Array(9);
    for (let n = 0; n < 150; n++) {
      const q = Float64Array.from({ length: 4 }, () => 2 * random.uniform() - 1);
      const length = Math.hypot(...q);
      rotationOf(
        rotation,
        q.map((x) => x / length),
        0,
      );
      const per = 1 / field.cell;
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < 3; b++) reference.map[4 * a + b] = per * rotation[3 * a + b];
        const reach = n % 10 === 0 ? 10 : 0.09;
        reference.map[4 * a + 3] = per * (reach * (2 * random.uniform() - 1) - field.origin[a]);
      }
      sums.map.set(reference.map);
      reference.run();
      sums.run();
      assert.deepEqual([...sums.sums], [...reference.sums], `sums at place ${n}`);
      assert.deepEqual([...sums.whole], [...reference.whole], `whole at place ${n}`);
      if (reference.sums.some((x, k) => k % 14 === LOAD && x > 0)) seen.pushes++;
      else if (reference.whole[READ] > 0 && reference.whole[LEAST] < Infinity) seen.near++;
      else seen.far++;
      if (reference.whole[DROWNED] > 0) seen.drowned++;
    }
  }
  for (const [kind, count] of Object.entries(seen)) assert.ok(count >= 10, `${count} ${kind}`);
});

test('a cube that slides on a slab has the same states with and without kernels', () => {
  assert.ok(kernels !== null);
  for (const friction of ['none', 'bristle']) {
    const model = cubeOnSlab(friction, {
      velocity: [0.1, 0, -0.2],
      angularVelocity: [0.3, 0.2, 2],
    });
    const run: System = makeSystem(model, kernels);
    const reference: System = makeSystem(model);
    for (let n = 0; n < 100; n++) {
      assert.equal(run.step(1e-3), reference.step(1e-3));
      assert.equal(run.hash(), reference.hash(), `${friction}, step ${n}`);
    }
  }
});

test('systems of one model share a memory, of the size of its samples and field', () => {
  assert.ok(kernels !== null);
  const field = torusField(4e-3);
  const samples = surfaceSamples(ballMesh(0.02, 2), 300, 16, 'ball');
  const kernel = sampleKernel(kernels, samples, field);
  assert.equal(sampleKernel(kernels, samples, field), kernel);
  const bytes = 4 * field.values.length + 8 * field.blocks.length + 100 * samples.areas.length;
  assert.ok(kernel.size < bytes + 65_536 * 2, `${kernel.size} bytes, ${bytes} of data`);
});
