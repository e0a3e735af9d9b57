/** Inside test of a closed mesh by solid angle. */
import type { TriangleMesh } from './triangle-mesh.ts';
import { atan2 } from '../math/elementary/inverse-circular.ts';

/**
 * Whether the surface surrounds the point, in either orientation. Each triangle adds its solid
 * angle, tan(Ω/2) = a·(b×c) / (abc + (a·b)c + (b·c)a + (c·a)b); the sum is ±4π inside and 0
 * outside.
 * @source van Oosterom & Strackee 1983, IEEE Trans. Biomed. Eng. 30, 125–126
 */
export function holdsPoint(mesh: TriangleMesh, point: readonly number[]): boolean {
  return Math.abs(solidAngle(mesh, point)) > 2 * Math.PI;
}

/** Solid angle of the surface seen from the point, positive when it is outward around it. */
function solidAngle(mesh: TriangleMesh, point: readonly number[]): number {
  const { vertices: v, triangles: t } = mesh;
  let sum = 0;
  for (let k = 0; k < t.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) =>
      [0, 1, 2].map((axis) => v[3 * t[k + corner] + axis] - point[axis]),
    );
    const [la, lb, lc] = [a, b, c].map((d) => Math.sqrt(dot(d, d)));
    const determinant =
      a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
    const below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    sum += 2 * atan2(determinant, below);
  }
  return sum;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
