/**
 * Triangles without area but with three corners, such as programs leave where a corner of one face lies on an edge of another one. The common
 * edge of the needle and its neighbour is turned: both together cover the same surface as two triangles from the middle corner b,
 *
 *   needle (a, b, c) with b on the edge ca, neighbour (a, c, d)  →  (a, b, d), (b, c, d)
 *
 * It allocates and is for construction.
 */
import { doubleArea, meshExtent, type TriangleMesh } from './triangle-mesh.ts';

/** Height of a needle over the extent of the mesh: the rounding of 32-bit floats leaves that much. */
const FLAT = 1e-7;
/** Rounds over all triangles: a needle may lie beside needles. */
const ROUNDS = 8;

/** The mesh with its needles turned, and their number. Those whose neighbour would become one stay. */
export function withoutNeedles(mesh: TriangleMesh): { mesh: TriangleMesh; turned: number } {
  const most = FLAT * meshExtent(mesh);
  const triangles = mesh.triangles.slice();
  const turning = new Turning({ vertices: mesh.vertices, triangles });
  let turned = 0;
  for (let round = 0; round < ROUNDS; round++) {
    let now = 0;
    for (let k = 0; k < triangles.length / 3; k++) {
      if (turning.height(k) <= most && turning.turn(k)) now++;
    }
    if (now === 0) break;
    turned += now;
  }
  return { mesh: turned === 0 ? mesh : { vertices: mesh.vertices, triangles }, turned };
}

/** Triangles whose edges are turned in place. */
class Turning {
  readonly #mesh: TriangleMesh;
  /** Triangles along each directed edge; made when the first needle is found. */
  #along: Map<number, number> | null = null;

  constructor(mesh: TriangleMesh) {
    this.#mesh = mesh;
  }

  /** Twice the area over the longest edge. */
  height(k: number): number {
    const [x, y, z] = doubleArea(this.#mesh, k);
    const square = Math.max(...[0, 1, 2].map((n) => this.#edgeSquare(k, n)));
    return square > 0 ? Math.sqrt((x * x + y * y + z * z) / square) : 0;
  }

  /** Turns the longest edge of triangle k; false where that makes nothing better. */
  turn(k: number): boolean {
    const { triangles: t } = this.#mesh;
    const squares = [0, 1, 2].map((n) => this.#edgeSquare(k, n));
    const longest = squares.indexOf(Math.max(...squares));
    const [c, a, b] = [0, 1, 2].map((n) => t[3 * k + ((longest + n) % 3)]);
    const along = this.#edges();
    const other = along.get(this.#key(a, c));
    if (other === undefined || other === k) return false;
    const d = [0, 1, 2].map((n) => t[3 * other + n]).find((corner) => corner !== a && corner !== c);
    if (d === undefined || d === b) return false;
    if (along.has(this.#key(b, d)) || along.has(this.#key(d, b))) return false;
    const before = Math.min(this.height(k), this.height(other));
    const kept = [k, other].map((one) => [...t.subarray(3 * one, 3 * one + 3)]);
    t.set([a, b, d], 3 * k);
    t.set([b, c, d], 3 * other);
    if (!(Math.min(this.height(k), this.height(other)) > before)) {
      t.set(kept[0], 3 * k);
      t.set(kept[1], 3 * other);
      return false;
    }
    along.delete(this.#key(a, c));
    along.delete(this.#key(c, a));
    for (const one of [k, other]) this.#claim(along, one);
    return true;
  }

  /** Square of the edge from corner n to the next one. */
  #edgeSquare(k: number, n: number): number {
    const { vertices: v, triangles: t } = this.#mesh;
    const [from, to] = [3 * t[3 * k + n], 3 * t[3 * k + ((n + 1) % 3)]];
    const [x, y, z] = [v[to] - v[from], v[to + 1] - v[from + 1], v[to + 2] - v[from + 2]];
    return x * x + y * y + z * z;
  }

  #key(from: number, to: number): number {
    return (from * this.#mesh.vertices.length) / 3 + to;
  }

  #claim(along: Map<number, number>, k: number): void {
    const { triangles: t } = this.#mesh;
    for (let n = 0; n < 3; n++) along.set(this.#key(t[3 * k + n], t[3 * k + ((n + 1) % 3)]), k);
  }

  #edges(): Map<number, number> {
    if (this.#along !== null) return this.#along;
    this.#along = new Map();
    for (let k = 0; k < this.#mesh.triangles.length / 3; k++) this.#claim(this.#along, k);
    return this.#along;
  }
}
