/**
 * A placed primitive of a cell: its support points and a lower bound of its distance. Every
 * primitive is convex and closed. A cell is the intersection of its `common` primitives less the
 * interior of its `removed` ones. A bore is a removed infinite cylinder, and a removed bore a
 * common one.
 *
 * Distance: f < 0 inside, convex, |∇f| <= 1, so |f| is never larger than the distance to the
 * surface. It is exact for ball, capsule and infinite cylinder everywhere, and for planes,
 * cylinders and cones next to one face. For an ellipsoid of least half axis r it is r (|x|_M − 1).
 */
import { rotationOf } from '../math/quaternion.ts';
import type { CellShape, Placed, PrimitiveShape } from './cell-model.ts';
import { type Hull, convexHull } from './convex-hull.ts';

/** Kinds of primitives. A half-space is z <= 0. */
export const PRIMITIVE = {
  sphere: 0,
  ellipsoid: 1,
  box: 2,
  cylinder: 3,
  frustum: 4,
  capsule: 5,
  beam: 6,
  mesh: 7,
  halfSpace: 8,
  infiniteCylinder: 9,
} as const;

const IDENTITY = [0, 0, 0, 1] as const;

function sizesOf(shape: PrimitiveShape): [number, number[]] {
  switch (shape.kind) {
    case 'sphere':
      return [PRIMITIVE.sphere, [shape.radius]];
    case 'ellipsoid': {
      const half = shape.size.map((length) => length / 2);
      return [PRIMITIVE.ellipsoid, [...half, Math.min(...half)]];
    }
    case 'box':
      return [PRIMITIVE.box, shape.size.map((length) => length / 2)];
    case 'cylinder':
      return [PRIMITIVE.cylinder, [shape.radius, shape.length / 2]];
    case 'frustum': {
      const slope = (shape.radius - shape.topRadius) / shape.length;
      return [PRIMITIVE.frustum, [shape.radius, shape.topRadius, shape.length, slope]];
    }
    case 'capsule':
      return [PRIMITIVE.capsule, [shape.radius, shape.length / 2]];
    case 'beam':
      return [PRIMITIVE.beam, [shape.length / 2, shape.width / 2, shape.thickness / 2]];
    case 'mesh':
      return [PRIMITIVE.mesh, []];
    case 'half-space':
      return [PRIMITIVE.halfSpace, []];
    case 'bore':
      return [PRIMITIVE.infiniteCylinder, [shape.radius]];
  }
}

/** One convex primitive in the frame of its cell. */
export class RayPrimitive {
  /** One of PRIMITIVE. */
  readonly kind: number;
  /** Half lengths and radii, m, in the order of `sizesOf`. */
  readonly sizes: Float64Array;
  /** Placement in the frame of the cell: rotation row by row, then the origin, m. */
  readonly placement: Float64Array = new Float64Array(12);
  /** Corners and triangles of a mesh. */
  readonly hull: Hull;
  /** Whether the primitive is finite. */
  readonly bounded: boolean;
  /** Outward normals and offsets of the faces of a mesh: four numbers each. */
  readonly faces: Float64Array;
  private readonly corners: Float64Array;
  private readonly local: Float64Array = new Float64Array(3);
  private readonly part: Float64Array = new Float64Array(4);
  private readonly trial: Float64Array = new Float64Array(4);

  constructor(placed: Placed<PrimitiveShape>) {
    const { shape } = placed;
    const [kind, sizes] = sizesOf(shape);
    this.kind = kind;
    this.sizes = Float64Array.from([...sizes, 0, 0, 0, 0].slice(0, 4));
    rotationOf(this.placement, Float64Array.from(placed.orientation), 0);
    this.placement.set(placed.position, 9);
    this.bounded = kind !== PRIMITIVE.halfSpace && kind !== PRIMITIVE.infiniteCylinder;
    this.hull = shape.kind === 'mesh' ? convexHull(shape.vertices) : { points: [], faces: [] };
    this.corners = Float64Array.from(this.hull.points.flat());
    this.faces = Float64Array.from(meshPlanes(this.hull));
  }

  /** out := farthest point along `direction`, frame of the cell; the origin of an unbounded primitive. @alloc none */
  support(direction: Float64Array, out: Float64Array): void {
    const t = this.placement;
    const dx = direction[0];
    const dy = direction[1];
    const dz = direction[2];
    const p = this.local;
    p[0] = t[0] * dx + t[3] * dy + t[6] * dz;
    p[1] = t[1] * dx + t[4] * dy + t[7] * dz;
    p[2] = t[2] * dx + t[5] * dy + t[8] * dz;
    this.localSupport();
    out[0] = t[0] * p[0] + t[1] * p[1] + t[2] * p[2] + t[9];
    out[1] = t[3] * p[0] + t[4] * p[1] + t[5] * p[2] + t[10];
    out[2] = t[6] * p[0] + t[7] * p[1] + t[8] * p[2] + t[11];
  }

  /** out := f, then its gradient, at `point` in the frame of the cell. @alloc none */
  distance(point: Float64Array, out: Float64Array): void {
    const t = this.placement;
    const px = point[0] - t[9];
    const py = point[1] - t[10];
    const pz = point[2] - t[11];
    const p = this.local;
    p[0] = t[0] * px + t[3] * py + t[6] * pz;
    p[1] = t[1] * px + t[4] * py + t[7] * pz;
    p[2] = t[2] * px + t[5] * py + t[8] * pz;
    this.localDistance();
    const g = this.part;
    out[0] = g[0];
    out[1] = t[0] * g[1] + t[1] * g[2] + t[2] * g[3];
    out[2] = t[3] * g[1] + t[4] * g[2] + t[5] * g[3];
    out[3] = t[6] * g[1] + t[7] * g[2] + t[8] * g[3];
  }

  /** Replaces the direction in `local` by the support point. */
  private localSupport(): void {
    const p = this.local;
    const s = this.sizes;
    const x = p[0];
    const y = p[1];
    const z = p[2];
    p[0] = p[1] = p[2] = 0;
    switch (this.kind) {
      case PRIMITIVE.sphere: {
        const length = Math.sqrt(x * x + y * y + z * z);
        if (length === 0) return;
        p[0] = (s[0] * x) / length;
        p[1] = (s[0] * y) / length;
        p[2] = (s[0] * z) / length;
        return;
      }
      case PRIMITIVE.ellipsoid: {
        const a = s[0] * x;
        const b = s[1] * y;
        const c = s[2] * z;
        const length = Math.sqrt(a * a + b * b + c * c);
        if (length === 0) return;
        p[0] = (s[0] * a) / length;
        p[1] = (s[1] * b) / length;
        p[2] = (s[2] * c) / length;
        return;
      }
      case PRIMITIVE.box:
        p[0] = x < 0 ? -s[0] : s[0];
        p[1] = y < 0 ? -s[1] : s[1];
        p[2] = z < 0 ? -s[2] : s[2];
        return;
      case PRIMITIVE.cylinder:
      case PRIMITIVE.frustum: {
        const radial = Math.sqrt(x * x + y * y);
        let r = s[0];
        if (this.kind === PRIMITIVE.cylinder) {
          p[2] = z < 0 ? -s[1] : s[1];
        } else if (s[1] * radial + s[2] * z > s[0] * radial) {
          r = s[1];
          p[2] = s[2];
        }
        if (radial === 0) return;
        p[0] = (r * x) / radial;
        p[1] = (r * y) / radial;
        return;
      }
      case PRIMITIVE.capsule: {
        const length = Math.sqrt(x * x + y * y + z * z);
        p[2] = z < 0 ? -s[1] : s[1];
        if (length === 0) return;
        p[0] = (s[0] * x) / length;
        p[1] = (s[0] * y) / length;
        p[2] += (s[0] * z) / length;
        return;
      }
      case PRIMITIVE.beam: {
        const radial = Math.sqrt(x * x + y * y);
        p[0] = x < 0 ? -s[0] : s[0];
        p[2] = z < 0 ? -s[2] : s[2];
        if (radial === 0) return;
        p[0] += (s[1] * x) / radial;
        p[1] = (s[1] * y) / radial;
        return;
      }
      case PRIMITIVE.mesh: {
        const c = this.corners;
        let best = 0;
        let most = c[0] * x + c[1] * y + c[2] * z;
        for (let k = 3; k < c.length; k += 3) {
          const value = c[k] * x + c[k + 1] * y + c[k + 2] * z;
          if (value > most) {
            most = value;
            best = k;
          }
        }
        p[0] = c[best];
        p[1] = c[best + 1];
        p[2] = c[best + 2];
        return;
      }
      default:
    }
  }

  /** Takes the trial when its value exceeds the present one. */
  private raise(): void {
    const g = this.part;
    const t = this.trial;
    if (t[0] <= g[0]) return;
    g[0] = t[0];
    g[1] = t[1];
    g[2] = t[2];
    g[3] = t[3];
  }

  private localDistance(): void {
    const g = this.part;
    const t = this.trial;
    const s = this.sizes;
    const x = this.local[0];
    const y = this.local[1];
    const z = this.local[2];
    g[0] = Number.NEGATIVE_INFINITY;
    switch (this.kind) {
      case PRIMITIVE.sphere:
      case PRIMITIVE.capsule: {
        const end = this.kind === PRIMITIVE.sphere ? 0 : s[1];
        const dz = z > end ? z - end : z < -end ? z + end : 0;
        const length = Math.sqrt(x * x + y * y + dz * dz);
        const k = length > 0 ? 1 / length : 0;
        t[0] = length - s[0];
        t[1] = k * x;
        t[2] = k * y;
        t[3] = k * dz;
        this.raise();
        return;
      }
      case PRIMITIVE.ellipsoid: {
        const a = x / s[0];
        const b = y / s[1];
        const c = z / s[2];
        const length = Math.sqrt(a * a + b * b + c * c);
        const k = length > 0 ? s[3] / length : 0;
        t[0] = s[3] * (length - 1);
        t[1] = (k * a) / s[0];
        t[2] = (k * b) / s[1];
        t[3] = (k * c) / s[2];
        this.raise();
        return;
      }
      case PRIMITIVE.box:
        t[0] = Math.abs(x) - s[0];
        t[1] = x < 0 ? -1 : 1;
        t[2] = 0;
        t[3] = 0;
        this.raise();
        t[0] = Math.abs(y) - s[1];
        t[1] = 0;
        t[2] = y < 0 ? -1 : 1;
        t[3] = 0;
        this.raise();
        t[0] = Math.abs(z) - s[2];
        t[1] = 0;
        t[2] = 0;
        t[3] = z < 0 ? -1 : 1;
        this.raise();
        return;
      case PRIMITIVE.cylinder:
      case PRIMITIVE.infiniteCylinder: {
        const length = Math.sqrt(x * x + y * y);
        const k = length > 0 ? 1 / length : 0;
        t[0] = length - s[0];
        t[1] = k * x;
        t[2] = k * y;
        t[3] = 0;
        this.raise();
        if (this.kind === PRIMITIVE.cylinder) {
          t[0] = Math.abs(z) - s[1];
          t[1] = 0;
          t[2] = 0;
          t[3] = z < 0 ? -1 : 1;
          this.raise();
        }
        return;
      }
      case PRIMITIVE.frustum: {
        const length = Math.sqrt(x * x + y * y);
        const k = length > 0 ? 1 / length : 0;
        const cos = 1 / Math.sqrt(1 + s[3] * s[3]);
        t[0] = cos * (length - s[0] + s[3] * z);
        t[1] = cos * k * x;
        t[2] = cos * k * y;
        t[3] = cos * s[3];
        this.raise();
        t[0] = -z;
        t[1] = 0;
        t[2] = 0;
        t[3] = -1;
        this.raise();
        t[0] = z - s[2];
        t[1] = 0;
        t[2] = 0;
        t[3] = 1;
        this.raise();
        return;
      }
      case PRIMITIVE.beam: {
        const dx = x > s[0] ? x - s[0] : x < -s[0] ? x + s[0] : 0;
        const length = Math.sqrt(dx * dx + y * y);
        const k = length > 0 ? 1 / length : 0;
        t[0] = length - s[1];
        t[1] = k * dx;
        t[2] = k * y;
        t[3] = 0;
        this.raise();
        t[0] = Math.abs(z) - s[2];
        t[1] = 0;
        t[2] = 0;
        t[3] = z < 0 ? -1 : 1;
        this.raise();
        return;
      }
      case PRIMITIVE.mesh: {
        const f = this.faces;
        for (let k = 0; k < f.length; k += 4) {
          t[0] = f[k] * x + f[k + 1] * y + f[k + 2] * z - f[k + 3];
          t[1] = f[k];
          t[2] = f[k + 1];
          t[3] = f[k + 2];
          this.raise();
        }
        return;
      }
      default:
        t[0] = z;
        t[1] = 0;
        t[2] = 0;
        t[3] = 1;
        this.raise();
    }
  }
}

/** Difference of normals below which faces lie in one plane and count once. */
const COPLANAR = 1e-9;

function meshPlanes({ points, faces }: Hull): number[] {
  const out: number[] = [];
  for (const corners of faces) {
    const [a, b, c] = corners.map((index) => points[index]);
    const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const [x, y, z] = n.map((value) => value / length);
    let known = false;
    for (let k = 0; k < out.length; k += 4) {
      const dx = out[k] - x;
      const dy = out[k + 1] - y;
      const dz = out[k + 2] - z;
      if (dx * dx + dy * dy + dz * dz < COPLANAR * COPLANAR) known = true;
    }
    if (!known) out.push(x, y, z, x * a[0] + y * a[1] + z * a[2]);
  }
  return out;
}

/** A cell as two lists of convex primitives. */
export interface RayPrimitives {
  /** Primitives that contain the cell. */
  readonly common: readonly RayPrimitive[];
  /** Primitives whose interior is removed from the cell. */
  readonly removed: readonly RayPrimitive[];
}

/** Splits a cell into primitives. Allocates. */
export function primitivesOf(shape: CellShape): RayPrimitives {
  const common: RayPrimitive[] = [];
  const removed: RayPrimitive[] = [];
  const add = (placed: Placed<PrimitiveShape>, within: boolean): void => {
    const into = within === (placed.shape.kind !== 'bore') ? common : removed;
    into.push(new RayPrimitive(placed));
  };
  if (shape.kind === 'boolean') {
    for (const placed of shape.common) add(placed, true);
    for (const placed of shape.without) add(placed, false);
  } else {
    add({ shape, position: [0, 0, 0], orientation: IDENTITY }, true);
  }
  return { common, removed };
}
