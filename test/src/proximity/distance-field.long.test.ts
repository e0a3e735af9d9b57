/** The order of the error of a distance field, on a fine ball. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ballMesh } from '../../../server/validation/ball-mesh.ts';
import { Random } from '../../../src/math/random.ts';
import { FieldPlace, FieldValue } from '../../../src/proximity/field-value.ts';
import { makeField } from '../../../src/proximity/make-field.ts';
import { MeshDistance, SIGNED } from '../../../src/proximity/mesh-distance.ts';

/** Largest error of φ and of |∇φ| within a cell outside of a ball of radius 1. */
function ballErrors(cell: number): [number, number] {
  // 82,000 triangles: the middle of one is 5e-5 below the sphere, which the spline smooths
  const mesh = ballMesh(1, 6);
  const distance = new MeshDistance(mesh);
  const field = makeField(mesh, { cell, band: 2 * cell, scale: 1 }, 'ball');
  const value = new FieldValue(field);
  const random = new Random(3);
  const at = new Float64Array(3);
  let worst = 0;
  let steepest = 0;
  for (let n = 0; n < 500; n++) {
    const d = [random.gaussian(), random.gaussian(), random.gaussian()];
    const s = (1 + cell * random.uniform()) / Math.hypot(...d);
    for (let a = 0; a < 3; a++) at[a] = (s * d[a] - field.origin[a]) / cell;
    assert.equal(value.read(at, 0), FieldPlace.near);
    distance.measure(
      Float64Array.from(d, (x) => s * x),
      0,
      Infinity,
    );
    worst = Math.max(worst, Math.abs(cell * value.result[0] - distance.result[SIGNED]));
    steepest = Math.max(steepest, Math.abs(Math.hypot(...value.result.subarray(1)) - 1));
  }
  return [worst, steepest];
}

test('the error near a smooth surface falls with the third power of the cell', () => {
  const [coarse, steep] = ballErrors(0.4);
  const [fine, even] = ballErrors(0.2);
  // a quadratic spline with corrected coefficients is of the third order, its gradient of the second
  assert.ok(coarse / fine > 6, `${coarse} and ${fine}`);
  assert.ok(steep / even > 3, `${steep} and ${even}`);
  assert.ok(fine < 1e-3, `${fine}`);
});
