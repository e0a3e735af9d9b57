/**
 * Coefficients of the surfaces of a table as q(p) = pᵀ A p + 2 b·p + c in given axes, and their
 * restriction to a line. Diagonal entries of A = 1 − (1 + κ²) a aᵀ are sums of squares, so that γ
 * of a cylinder nearly along an axis keeps its digits.
 */
import { CONE, ELLIPSOID, PLANE } from './ray-surfaces.ts';
import type { RayIntervals, RayTable } from './ray-intervals.ts';

/** Components of a normal or axis below this are rounding of the placement and count as zero. */
const SNAP = 1e-13;

const snap = (value: number): number => (value < SNAP && value > -SNAP ? 0 : value);

/** Coefficients of every surface. */
export class RayCoefficients {
  /** A of each surface: xx, yy, zz, xy, xz, yz. */
  readonly matrix: Float64Array;
  /** b of each surface. */
  readonly linear: Float64Array;
  readonly constant: Float64Array;
  /** Radius of a cone of each surface: value at the origin and gradient. */
  readonly nappe: Float64Array;
  /** Centre of a quadric and its axis, or normal of a plane, for each surface. */
  readonly center: Float64Array;
  readonly axis: Float64Array;
  private readonly table: RayTable;
  private readonly count: number;
  /** Data of each surface: centre 3, axis 3, slope, radius, M 6. */
  private readonly data: Float64Array;
  private readonly kinds: Int8Array;

  /** @param extra number of surfaces that the owner may append */
  constructor(table: RayTable, extra = 0) {
    const count = table.surfaces.length;
    const size = count + extra;
    this.table = table;
    this.count = count;
    this.matrix = new Float64Array(6 * size);
    this.linear = new Float64Array(3 * size);
    this.constant = new Float64Array(size);
    this.nappe = new Float64Array(4 * size);
    this.center = new Float64Array(3 * size);
    this.axis = new Float64Array(3 * size);
    this.kinds = Int8Array.from(table.surfaces.map(({ kind }) => kind));
    this.data = new Float64Array(14 * count);
    table.surfaces.forEach(({ center, axis, slope, radius, matrix }, k) => {
      this.data.set([...center, ...axis, slope, radius, ...matrix], 14 * k);
    });
  }

  /**
   * Computes the surfaces of cell `cell`. `frame` is its placement in the wanted axes: rotation row
   * by row, then origin.
   * @alloc none
   */
  place(cell: number, frame: Float64Array): void {
    const { data, linear, matrix, axis, center } = this;
    for (let s = 0; s < this.count; s++) {
      if (this.table.cellOf[s] !== cell) continue;
      const o = 14 * s;
      const m = 6 * s;
      const v = 3 * s;
      const cx = data[o];
      const cy = data[o + 1];
      const cz = data[o + 2];
      const ax = data[o + 3];
      const ay = data[o + 4];
      const az = data[o + 5];
      const kind = this.kinds[s];
      const radius = data[o + 7];
      if (kind === PLANE) {
        const x = frame[0] * cx + frame[1] * cy + frame[2] * cz;
        const y = frame[3] * cx + frame[4] * cy + frame[5] * cz;
        const z = frame[6] * cx + frame[7] * cy + frame[8] * cz;
        const nx = snap(x);
        const ny = snap(y);
        const nz = snap(z);
        center[v] = nx;
        center[v + 1] = ny;
        center[v + 2] = nz;
        linear[v] = 0.5 * nx;
        linear[v + 1] = 0.5 * ny;
        linear[v + 2] = 0.5 * nz;
        this.constant[s] = -radius - (x * frame[9] + y * frame[10] + z * frame[11]);
        continue;
      }
      const x = frame[0] * cx + frame[1] * cy + frame[2] * cz + frame[9];
      const y = frame[3] * cx + frame[4] * cy + frame[5] * cz + frame[10];
      const z = frame[6] * cx + frame[7] * cy + frame[8] * cz + frame[11];
      center[v] = x;
      center[v + 1] = y;
      center[v + 2] = z;
      let g = 0;
      if (kind === ELLIPSOID) {
        this.turnMatrix(s, frame);
      } else {
        const a = snap(frame[0] * ax + frame[1] * ay + frame[2] * az);
        const b = snap(frame[3] * ax + frame[4] * ay + frame[5] * az);
        const c = snap(frame[6] * ax + frame[7] * ay + frame[8] * az);
        const slope = data[o + 6];
        const k = slope * slope;
        const ball = ax === 0 && ay === 0 && az === 0;
        axis[v] = a;
        axis[v + 1] = b;
        axis[v + 2] = c;
        matrix[m] = ball ? 1 : b * b + c * c - k * a * a;
        matrix[m + 1] = ball ? 1 : a * a + c * c - k * b * b;
        matrix[m + 2] = ball ? 1 : a * a + b * b - k * c * c;
        matrix[m + 3] = -(1 + k) * a * b;
        matrix[m + 4] = -(1 + k) * a * c;
        matrix[m + 5] = -(1 + k) * b * c;
        g = radius * slope;
        if (kind === CONE) {
          const n = 4 * s;
          this.nappe[n] = radius + slope * (a * x + b * y + c * z);
          this.nappe[n + 1] = -slope * a;
          this.nappe[n + 2] = -slope * b;
          this.nappe[n + 3] = -slope * c;
        }
      }
      const mx = matrix[m] * x + matrix[m + 3] * y + matrix[m + 4] * z;
      const my = matrix[m + 3] * x + matrix[m + 1] * y + matrix[m + 5] * z;
      const mz = matrix[m + 4] * x + matrix[m + 5] * y + matrix[m + 2] * z;
      const along = axis[v] * x + axis[v + 1] * y + axis[v + 2] * z;
      linear[v] = g * axis[v] - mx;
      linear[v + 1] = g * axis[v + 1] - my;
      linear[v + 2] = g * axis[v + 2] - mz;
      this.constant[s] = x * mx + y * my + z * mz - 2 * g * along - radius * radius;
    }
  }

  /** Rotates the matrix of an ellipsoid: R M Rᵀ. */
  private turnMatrix(s: number, f: Float64Array): void {
    const { data, matrix } = this;
    const d = 14 * s + 8;
    const m = 6 * s;
    for (let k = 0; k < 6; k++) {
      const i = k < 3 ? 3 * k : k < 5 ? 0 : 3;
      const j = k < 3 ? 3 * k : k === 3 ? 3 : 6;
      const x = data[d] * f[j] + data[d + 3] * f[j + 1] + data[d + 4] * f[j + 2];
      const y = data[d + 3] * f[j] + data[d + 1] * f[j + 1] + data[d + 5] * f[j + 2];
      const z = data[d + 4] * f[j] + data[d + 5] * f[j + 1] + data[d + 2] * f[j + 2];
      matrix[m + k] = f[i] * x + f[i + 1] * y + f[i + 2] * z;
    }
  }

  /** Computes γ, β, c along the line from (x, y, z) = line[0..2] in the direction line[3..5]. @alloc none */
  alongLine(line: Float64Array, into: RayIntervals): void {
    const { matrix, linear, nappe } = this;
    const x = line[0];
    const y = line[1];
    const z = line[2];
    const dx = line[3];
    const dy = line[4];
    const dz = line[5];
    for (let s = 0; s < this.count; s++) {
      const m = 6 * s;
      const v = 3 * s;
      const ex = matrix[m] * dx + matrix[m + 3] * dy + matrix[m + 4] * dz;
      const ey = matrix[m + 3] * dx + matrix[m + 1] * dy + matrix[m + 5] * dz;
      const ez = matrix[m + 4] * dx + matrix[m + 5] * dy + matrix[m + 2] * dz;
      const px = matrix[m] * x + matrix[m + 3] * y + matrix[m + 4] * z;
      const py = matrix[m + 3] * x + matrix[m + 1] * y + matrix[m + 5] * z;
      const pz = matrix[m + 4] * x + matrix[m + 5] * y + matrix[m + 2] * z;
      into.gamma[s] = dx * ex + dy * ey + dz * ez;
      into.beta[s] =
        x * ex + y * ey + z * ez + dx * linear[v] + dy * linear[v + 1] + dz * linear[v + 2];
      into.rest[s] =
        x * (px + 2 * linear[v]) +
        y * (py + 2 * linear[v + 1]) +
        z * (pz + 2 * linear[v + 2]) +
        this.constant[s];
      const n = 4 * s;
      into.nappe[s] = nappe[n] + nappe[n + 1] * x + nappe[n + 2] * y + nappe[n + 3] * z;
      into.nappeSlope[s] = nappe[n + 1] * dx + nappe[n + 2] * dy + nappe[n + 3] * dz;
    }
  }
}
