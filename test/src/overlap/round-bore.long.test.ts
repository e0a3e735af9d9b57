/** A tilted cylinder in a bore, against another quadrature. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { place } from '../../fixtures/overlap/kernel-frames.ts';
import { close, cylinder, inBore, R } from './bore-bodies.ts';

/** V of a cylinder by radii of the bore: where the ray at (φ, z) from the axis of the bore leaves the body; midpoints. */
function byRadii(r: number, length: number, at: Float64Array): number {
  const count = 900;
  const reach = 0.06;
  let volume = 0;
  for (let n = 0; n < count; n++) {
    const phi = (2 * Math.PI * (n + 0.5)) / count;
    for (let m = 0; m < count; m++) {
      const z = reach * ((2 * (m + 0.5)) / count - 1);
      const point = [-at[9], -at[10], z - at[11]];
      const along = [Math.cos(phi), Math.sin(phi), 0];
      const own = (v: readonly number[], k: number): number =>
        v[0] * at[k] + v[1] * at[k + 3] + v[2] * at[k + 6];
      const [px, py, pz] = [0, 1, 2].map((k) => own(point, k));
      const [dx, dy, dz] = [0, 1, 2].map((k) => own(along, k));
      const a = dx * dx + dy * dy;
      const b = px * dx + py * dy;
      const d = b * b - a * (px * px + py * py - r * r);
      if (d <= 0) continue;
      const ends = [-1, 1].map((side) => ((side * length) / 2 - pz) / dz).sort((x, y) => x - y);
      const leaves = Math.min((-b + Math.sqrt(d)) / a, ends[1]);
      const enters = Math.max((-b - Math.sqrt(d)) / a, ends[0], R);
      if (leaves > enters) volume += 0.5 * (leaves - enters) * (leaves + enters);
    }
  }
  return (volume * 2 * Math.PI * 2 * reach) / (count * count);
}

test('a tilted cylinder at one wall and at two, by radii of the bore', () => {
  for (const [tilt, x] of [
    [0.05, 0.009],
    [0.25, 0.001],
    [0.6, 0.0],
  ]) {
    const at = place([0.3 * tilt, tilt, 0], [x, 0.002, 0.004]);
    const got = inBore(cylinder(0.024, 0.08), at);
    assert.ok(got.volume > 0);
    // 900 midpoints of a function with kinks
    close(got.volume, byRadii(0.024, 0.08, at), 2e-4, `tilt ${tilt}`);
  }
});
