/** Distance of a point from a triangle, by the region of its plane that the foot of the point lies in. `Ericson 2005, 5.1.5`. */
import type { TriangleMesh } from './triangle-mesh.ts';

/** Distance of a point from triangle k. */
export function distanceToTriangle(
  { vertices: v, triangles: t }: TriangleMesh,
  k: number,
  point: readonly number[],
): number {
  const [a, b, c] = [3 * t[3 * k], 3 * t[3 * k + 1], 3 * t[3 * k + 2]];
  const [ux, uy, uz] = [v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]];
  const [wx, wy, wz] = [v[c] - v[a], v[c + 1] - v[a + 1], v[c + 2] - v[a + 2]];
  const [px, py, pz] = [point[0] - v[a], point[1] - v[a + 1], point[2] - v[a + 2]];
  const uu = ux * ux + uy * uy + uz * uz;
  const ww = wx * wx + wy * wy + wz * wz;
  const uw = ux * wx + uy * wy + uz * wz;
  const d1 = ux * px + uy * py + uz * pz;
  const d2 = wx * px + wy * py + wz * pz;
  // the foot is a + s u + r w
  let s = 0;
  let r = 0;
  if (d1 <= 0 && d2 <= 0) {
    s = r = 0;
  } else if (d1 >= uu && d2 - uw <= d1 - uu) {
    s = 1;
  } else if (d2 >= ww && d1 - uw <= d2 - ww) {
    r = 1;
  } else {
    const ofU = d1 * ww - d2 * uw;
    const ofW = d2 * uu - d1 * uw;
    const det = uu * ww - uw * uw;
    if (ofW <= 0 && d1 >= 0 && d1 <= uu) {
      s = d1 / uu;
    } else if (ofU <= 0 && d2 >= 0 && d2 <= ww) {
      r = d2 / ww;
    } else if (det - ofU - ofW <= 0) {
      const along = (d2 - uw - (d1 - uu)) / (uu - 2 * uw + ww);
      r = along < 0 ? 0 : along > 1 ? 1 : along;
      s = 1 - r;
    } else {
      s = ofU / det;
      r = ofW / det;
    }
  }
  const x = px - s * ux - r * wx;
  const y = py - s * uy - r * wy;
  const z = pz - s * uz - r * wz;
  return Math.sqrt(x * x + y * y + z * z);
}
