/** Scenario `docking-petals`: the petals of its STEP file are 45° cones. How the probe is caught: docking-petals.long.test.ts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../config/paths.ts';
import { stepSurface } from '../../config/step-file.ts';
import { StepFaces } from '../../config/step/step-faces.ts';

const FILE = join(packageRoot(), 'config', 'scenarios', 'docking-petals.step');

test('the file has three sectors of one cone at 45° around its seat', () => {
  const file = new StepFaces(readFileSync(FILE, 'utf8'), FILE);
  for (let k = 0; k < 3; k++) {
    const { shape } = stepSurface(file, `PETAL_${k + 1}`, 'face');
    assert.ok(shape.kind === 'cone', shape.kind);
    assert.ok(Math.abs(shape.radius - 0.1) < 1e-12);
    assert.ok(Math.abs(shape.halfAngle - Math.PI / 4) < 1e-12);
  }
  assert.equal(stepSurface(file, 'SEAT', 'face').shape.kind, 'plane');
});
