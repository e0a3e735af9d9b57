/**
 * Triangulation of a flat polygon by ear clipping: an ear is a corner whose triangle contains no
 * other corner. It allocates and is for construction.
 */

type Triple = readonly [number, number, number];

/**
 * Triangles of a polygon as indices into `vertices` (x, y, z each), with the same orientation; n −
 * 2 of them. The result for a polygon that crosses itself is arbitrary.
 */
export function triangulate(vertices: readonly number[], polygon: readonly number[]): number[] {
  const result: number[] = [];
  const at = (index: number): Triple => [
    vertices[3 * index],
    vertices[3 * index + 1],
    vertices[3 * index + 2],
  ];
  const [x, y, z] = at(polygon[0]);
  const normal = newell(polygon.map(at).map((p): Triple => [p[0] - x, p[1] - y, p[2] - z]));
  const rest = [...polygon];
  while (rest.length > 3) {
    const n = rest.length;
    const ear = rest.findIndex((_, k) => {
      const [a, b, c] = [rest[(k + n - 1) % n], rest[k], rest[(k + 1) % n]];
      return (
        turn(at(a), at(b), at(c), normal) > 0 &&
        !rest.some((other) => {
          if (other === a || other === b || other === c) return false;
          const p = at(other);
          return (
            turn(at(a), at(b), p, normal) >= 0 &&
            turn(at(b), at(c), p, normal) >= 0 &&
            turn(at(c), at(a), p, normal) >= 0
          );
        })
      );
    });
    const k = Math.max(ear, 0); // without an ear the polygon crosses itself or has no area
    result.push(rest[(k + n - 1) % n], rest[k], rest[(k + 1) % n]);
    rest.splice(k, 1);
  }
  result.push(...rest);
  return result;
}

/** Normal of a polygon in space, by Newell's sum over its edges. */
function newell(points: readonly Triple[]): Triple {
  const sum: [number, number, number] = [0, 0, 0];
  points.forEach((p, k) => {
    const q = points[(k + 1) % points.length];
    sum[0] += (p[1] - q[1]) * (p[2] + q[2]);
    sum[1] += (p[2] - q[2]) * (p[0] + q[0]);
    sum[2] += (p[0] - q[0]) * (p[1] + q[1]);
  });
  return sum;
}

/** Positive when the polygon turns left at the corner b, seen against the normal. */
function turn(a: Triple, b: Triple, c: Triple, normal: Triple): number {
  const [px, py, pz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [qx, qy, qz] = [c[0] - b[0], c[1] - b[1], c[2] - b[2]];
  return (
    normal[0] * (py * qz - pz * qy) +
    normal[1] * (pz * qx - px * qz) +
    normal[2] * (px * qy - py * qx)
  );
}
