/** Faces of sliding contacts are drawn with the bodies that have them; the profile of a cam without ends over half of its width. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { drawnBodies } from '../../../hil/drawing/drawn-bodies.ts';

test('cam and tip of cam-follower are drawn by their exact faces', () => {
  const [cam, follower] = drawnBodies(compileScenario(loadScenario('cam-follower')), null);
  const verticesOf = ({ cells }: typeof cam): readonly (readonly number[])[] => {
    assert.deepEqual(
      cells.map(({ name, shape }) => [name, shape.kind]),
      [['tip-on-cam', 'mesh']],
    );
    return cells[0].shape['vertices_m'] as readonly (readonly number[])[];
  };
  for (const point of verticesOf(follower)) {
    assert.ok(Math.abs(Math.hypot(...point) - 0.012) < 1e-9);
  }
  // base circle of 30 mm, lift of 10 mm; the profile is 69 mm across, so that it is drawn ±17 mm deep
  const profile = verticesOf(cam);
  const radii = profile.map(([x, y]) => Math.hypot(x, y));
  assert.ok(Math.abs(Math.min(...radii) - 0.03) < 2e-5, `${Math.min(...radii)}`);
  assert.ok(Math.abs(Math.max(...radii) - 0.04) < 1e-4, `${Math.max(...radii)}`);
  const depths = profile.map(([, , z]) => z);
  assert.ok(Math.abs(Math.max(...depths) - 0.017) < 1e-3);
  assert.ok(Math.abs(Math.max(...depths) + Math.min(...depths)) < 1e-12);
});
