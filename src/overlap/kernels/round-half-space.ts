/**
 * Round bodies and ellipsoids with a half-space at any tilt.
 *
 * Cylinder, frustum, cone and capsule: sections across the axis, cone-sections.ts and half-ball-sections.ts. The depth is that of
 * the deepest point: over the discs (z_k, r_k) of the hull, swept by a ball of the radius m, the largest D + s r_k − c z_k + m. It
 * is also where the sums along the plane start, so that a small patch keeps its digits.
 *
 * Ellipsoid of semi-axes s: p = Σ p' with Σ = diag(s) maps the unit ball onto it and the plane n·p = d onto m·p' = d/k with k = |Σ n|,
 * m = Σ n/k. With the cap of the unit ball of the depth 1 + d/k
 *
 *   V = |Σ| V',   p_c = Σ p_c',   S = |Σ| Σ S' Σ,   A = |Σ| A'/k                                                       (1)
 *
 * where the last is dV/dd.
 */
import { COLUMN, COLUMN_SIZE, ORIGIN, type OverlapKernel, PLACEMENT } from '../kernel.ts';
import { SphereCap } from '../sphere-cap.ts';
import { ConeSections } from './cone-sections.ts';
import { HalfBallSections } from './half-ball-sections.ts';
import { PLANE, Sections } from './sections.ts';
import { type ShapeOf, writeApart, writeWorld } from './world-column.ts';

/** Bodies of revolution about z. */
export type RoundShape = ShapeOf<'cylinder'> | ShapeOf<'frustum'> | ShapeOf<'capsule'>;

/** Adds the sections of a part. */
interface Part {
  add(sections: Sections): void;
}

/** Tilt below which a body is upright: 1e-14 of the radius in depth. */
const UPRIGHT = 1e-14;

function partsOf(shape: RoundShape): Part[] {
  const half = 0.5 * shape.length;
  switch (shape.kind) {
    case 'cylinder':
      return [new ConeSections(-half, half, shape.radius, shape.radius)];
    case 'frustum':
      return [new ConeSections(0, shape.length, shape.radius, shape.topRadius)];
    case 'capsule':
      return [
        new ConeSections(-half, half, shape.radius, shape.radius),
        new HalfBallSections(half, shape.radius, 1),
        new HalfBallSections(-half, shape.radius, -1),
      ];
  }
}

/** Heights and radii of the two discs of the hull, and the radius that sweeps them. */
function hullOf(shape: RoundShape): Float64Array {
  const half = 0.5 * shape.length;
  switch (shape.kind) {
    case 'cylinder':
      return Float64Array.of(-half, shape.radius, half, shape.radius, 0);
    case 'frustum':
      return Float64Array.of(0, shape.radius, shape.length, shape.topRadius, 0);
    case 'capsule':
      return Float64Array.of(-half, 0, half, 0, shape.radius);
  }
}

/** Cylinder, frustum, cone or capsule i and half-space j. */
export class RoundHalfSpaceKernel implements OverlapKernel {
  readonly method = 'closed-form';
  readonly #parts: readonly Part[];
  readonly #hull: Float64Array;
  readonly #sections = new Sections();
  /** Depth of the highest point, m. */
  readonly #sunk = new Float64Array(1);
  readonly #local = new Float64Array(COLUMN_SIZE);
  /** Axes of sections.ts: x along the plane, y across, z the normal. */
  readonly #frame = new Float64Array(PLACEMENT);

  constructor(shape: RoundShape) {
    this.#parts = partsOf(shape);
    this.#hull = hullOf(shape);
  }

  compute(placementI: Float64Array, placementJ: Float64Array, column: Float64Array): void {
    const sections = this.#sections;
    const local = this.#local;
    this.#place(placementI, placementJ);
    if (local[COLUMN.gap] >= 0) {
      writeApart(local, column);
      return;
    }
    sections.clear();
    for (let k = 0; k < this.#parts.length; k++) this.#parts[k].add(sections);
    if (!sections.write(local)) {
      writeApart(local, column);
      return;
    }
    // nothing above the plane: the area is exactly zero
    if (this.#sunk[0] >= 0) local[COLUMN.area] = local[COLUMN.vectorArea + 2] = 0;
    writeWorld(local, this.#frame, column);
  }

  /** Plane, frame and gap. */
  #place(placementI: Float64Array, placementJ: Float64Array): void {
    const f = this.#frame;
    const plane = this.#sections.plane;
    const nx = placementJ[2];
    const ny = placementJ[5];
    const nz = placementJ[8];
    const ax = placementI[2];
    const ay = placementI[5];
    const az = placementI[8];
    const cosine = nx * ax + ny * ay + nz * az;
    // y, to the deeper side: minus the normal without its part along the axis, removed twice for
    // orthogonality
    let x = cosine * ax - nx;
    let y = cosine * ay - ny;
    let z = cosine * az - nz;
    const rest = x * ax + y * ay + z * az;
    x -= rest * ax;
    y -= rest * ay;
    z -= rest * az;
    let sine = Math.sqrt(x * x + y * y + z * z);
    if (sine > UPRIGHT) {
      x /= sine;
      y /= sine;
      z /= sine;
    } else {
      sine = 0;
      x = placementI[0];
      y = placementI[3];
      z = placementI[6];
    }
    f[2] = nx;
    f[5] = ny;
    f[8] = nz;
    const tx = cosine * x + sine * ax;
    const ty = cosine * y + sine * ay;
    const tz = cosine * z + sine * az;
    f[0] = tx;
    f[3] = ty;
    f[6] = tz;
    f[1] = ny * tz - nz * ty;
    f[4] = nz * tx - nx * tz;
    f[7] = nx * ty - ny * tx;
    let offset = 0;
    for (let k = 0; k < 3; k++) {
      f[ORIGIN + k] = placementI[ORIGIN + k];
      offset -= (placementI[ORIGIN + k] - placementJ[ORIGIN + k]) * f[3 * k + 2];
    }
    const hull = this.#hull;
    const deep0 = sine * hull[1] - cosine * hull[0];
    const deep1 = sine * hull[3] - cosine * hull[2];
    const first = deep0 > deep1;
    const deepest = (first ? deep0 : deep1) + hull[4];
    this.#local[COLUMN.gap] = -(offset + deepest);
    plane[PLANE.along] = first
      ? cosine * hull[1] + sine * hull[0]
      : cosine * hull[3] + sine * hull[2];
    // a body that is fully inside is moved up to just inside: its depth has no effect, and costs
    // digits
    const high0 = sine * hull[1] + cosine * hull[0];
    const high1 = sine * hull[3] + cosine * hull[2];
    const highest = (high0 > high1 ? high0 : high1) + hull[4];
    this.#sunk[0] = offset - highest;
    plane[PLANE.offset] = offset < highest ? offset : highest;
    plane[PLANE.sine] = sine;
    plane[PLANE.cosine] = cosine;
  }
}

/** Ellipsoid i and half-space j. */
export class EllipsoidHalfSpaceKernel implements OverlapKernel {
  readonly method = 'closed-form';
  readonly #form = new SphereCap(1);
  /** Semi-axes and their product. */
  readonly #half: Float64Array;
  readonly #depth = new Float64Array(1);
  readonly #cap = new Float64Array(COLUMN_SIZE);
  readonly #local = new Float64Array(COLUMN_SIZE);

  constructor(ellipsoid: ShapeOf<'ellipsoid'>) {
    const [a, b, c] = ellipsoid.size.map((length) => 0.5 * length);
    this.#half = Float64Array.of(a, b, c, a * b * c);
  }

  compute(placementI: Float64Array, placementJ: Float64Array, column: Float64Array): void {
    const half = this.#half;
    const local = this.#local;
    const cap = this.#cap;
    const wx = placementJ[2];
    const wy = placementJ[5];
    const wz = placementJ[8];
    const offset =
      wx * (placementJ[ORIGIN] - placementI[ORIGIN]) +
      wy * (placementJ[ORIGIN + 1] - placementI[ORIGIN + 1]) +
      wz * (placementJ[ORIGIN + 2] - placementI[ORIGIN + 2]);
    const nx = wx * placementI[0] + wy * placementI[3] + wz * placementI[6];
    const ny = wx * placementI[1] + wy * placementI[4] + wz * placementI[7];
    const nz = wx * placementI[2] + wy * placementI[5] + wz * placementI[8];
    let x = half[0] * nx;
    let y = half[1] * ny;
    let z = half[2] * nz;
    const k = Math.sqrt(x * x + y * y + z * z);
    x /= k;
    y /= k;
    z /= k;
    const depth = k + offset;
    local[COLUMN.gap] = -depth;
    if (depth <= 0) {
      writeApart(local, column);
      return;
    }
    this.#depth[0] = depth / k;
    this.#form.write(cap, 0, this.#depth, 0);
    const product = half[3];
    const across = product * cap[COLUMN.second];
    const more = product * (cap[COLUMN.second + 2] - cap[COLUMN.second]);
    const far = cap[COLUMN.centroid + 2];
    const area = (product * cap[COLUMN.area]) / k;
    local[COLUMN.volume] = product * cap[COLUMN.volume];
    local[COLUMN.area] = area;
    local[COLUMN.centroid] = half[0] * far * x;
    local[COLUMN.centroid + 1] = half[1] * far * y;
    local[COLUMN.centroid + 2] = half[2] * far * z;
    local[COLUMN.second] = half[0] * half[0] * (across + more * x * x);
    local[COLUMN.second + 1] = half[1] * half[1] * (across + more * y * y);
    local[COLUMN.second + 2] = half[2] * half[2] * (across + more * z * z);
    local[COLUMN.second + 3] = half[0] * half[1] * more * x * y;
    local[COLUMN.second + 4] = half[0] * half[2] * more * x * z;
    local[COLUMN.second + 5] = half[1] * half[2] * more * y * z;
    local[COLUMN.vectorArea] = area * nx;
    local[COLUMN.vectorArea + 1] = area * ny;
    local[COLUMN.vectorArea + 2] = area * nz;
    writeWorld(local, placementI, column);
  }
}
