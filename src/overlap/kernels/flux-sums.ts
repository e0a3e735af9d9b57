/**
 * Volume and moments of an overlap by the flux of fields along a unit vector ν through its surface.
 *
 * With y = p − o from an origin o in the overlap and w = ν·y, the field w f ν has the divergence f + w ν·∇f. Over the surface let
 *
 *   F = ∫ w ν·dA,   P = ∫ w y ν·dA,   Q = ∫ w y yᵀ ν·dA                                                              (1)
 *
 * Then with e = P·ν/2, g = Q ν and h = (g − (g·ν) ν/3)/2, the vector ∫ w y dV
 *
 *   V = F,   ∫ y dV = P − e ν,   ∫ y yᵀ dV = Q − ν hᵀ − h νᵀ                                                          (2)
 *
 * as f = w and f = w y show. A flat patch has the points y = m + s T + u E and ν·dA = J du ds, J = ν·(T × E). With the moments μ_ab of
 * conic-arc.ts, all even in s, and the part along ν of a vector as its index ν,
 *
 *   w_0 = m_ν μ_00 + E_ν μ_01,   w_s = T_ν μ_20,   w_u = m_ν μ_01 + E_ν μ_02                                           (3)
 *   w_ss = m_ν μ_20 + E_ν μ_21,   w_su = T_ν μ_21,   w_uu = m_ν μ_02 + E_ν μ_03
 *   F = J w_0,   P = J (w_0 m + w_s T + w_u E)                                                                         (4)
 *   Q = P mᵀ + J (w_s m + w_ss T + w_su E) Tᵀ + J (w_u m + w_su T + w_uu E) Eᵀ                                         (5)
 *
 * J of a face nearly along ν is small as its area across ν is; nothing is divided by it. A cylinder about ν has no flux through its wall,
 * so that its flat faces are enough.
 *
 * The vector area is Σ μ_00 T × E over the faces of the polytope.
 */
import { COLUMN } from '../kernel.ts';
import { PATCH } from './conic-arc.ts';
import type { PatchSums } from './patch-sums.ts';

/** Slots: F, P, Q (xx, yy, zz, xy, xz, yz), vector area. */
export const FLUX = { volume: 0, first: 1, second: 4, area: 10 } as const;
const FLUX_SIZE = 13;

/** Sums over flat patches. */
export class FluxSums implements PatchSums {
  readonly sums: Float64Array = new Float64Array(FLUX_SIZE);
  /** o. */
  readonly origin: Float64Array = new Float64Array(3);
  /** ν. */
  readonly axis: Float64Array = Float64Array.of(0, 0, 1);

  start(points: Float64Array, p: number): void {
    for (let k = 0; k < FLUX_SIZE; k++) this.sums[k] = 0;
    for (let k = 0; k < 3; k++) this.origin[k] = points[3 * p + k];
  }

  add(patch: Float64Array, ofPolytope: boolean): void {
    const { sums, origin, axis } = this;
    const nx = axis[0];
    const ny = axis[1];
    const nz = axis[2];
    const mx = patch[PATCH.middle] - origin[0];
    const my = patch[PATCH.middle + 1] - origin[1];
    const mz = patch[PATCH.middle + 2] - origin[2];
    const tx = patch[PATCH.along];
    const ty = patch[PATCH.along + 1];
    const tz = patch[PATCH.along + 2];
    const ex = patch[PATCH.across];
    const ey = patch[PATCH.across + 1];
    const ez = patch[PATCH.across + 2];
    const m00 = patch[PATCH.m00];
    const m01 = patch[PATCH.m01];
    const m02 = patch[PATCH.m02];
    const m20 = patch[PATCH.m20];
    const m21 = patch[PATCH.m21];
    const areaX = ty * ez - tz * ey;
    const areaY = tz * ex - tx * ez;
    const areaZ = tx * ey - ty * ex;
    // ν is z for all but balls
    const upright = nz === 1;
    const measure = upright ? areaZ : nx * areaX + ny * areaY + nz * areaZ;
    const m = measure * (upright ? mz : nx * mx + ny * my + nz * mz);
    const t = measure * (upright ? tz : nx * tx + ny * ty + nz * tz);
    const e = measure * (upright ? ez : nx * ex + ny * ey + nz * ez);
    const w = m * m00 + e * m01;
    const ws = t * m20;
    const wu = m * m01 + e * m02;
    const wss = m * m20 + e * m21;
    const wsu = t * m21;
    const wuu = m * m02 + e * patch[PATCH.m03];
    const px = w * mx + ws * tx + wu * ex;
    const py = w * my + ws * ty + wu * ey;
    const pz = w * mz + ws * tz + wu * ez;
    const ax = ws * mx + wss * tx + wsu * ex;
    const ay = ws * my + wss * ty + wsu * ey;
    const az = ws * mz + wss * tz + wsu * ez;
    const bx = wu * mx + wsu * tx + wuu * ex;
    const by = wu * my + wsu * ty + wuu * ey;
    const bz = wu * mz + wsu * tz + wuu * ez;
    sums[FLUX.volume] += w;
    sums[FLUX.first] += px;
    sums[FLUX.first + 1] += py;
    sums[FLUX.first + 2] += pz;
    sums[FLUX.second] += px * mx + ax * tx + bx * ex;
    sums[FLUX.second + 1] += py * my + ay * ty + by * ey;
    sums[FLUX.second + 2] += pz * mz + az * tz + bz * ez;
    sums[FLUX.second + 3] += px * my + ax * ty + bx * ey;
    sums[FLUX.second + 4] += px * mz + ax * tz + bx * ez;
    sums[FLUX.second + 5] += py * mz + ay * tz + by * ez;
    if (!ofPolytope) return;
    sums[FLUX.area] += m00 * areaX;
    sums[FLUX.area + 1] += m00 * areaY;
    sums[FLUX.area + 2] += m00 * areaZ;
  }

  /** The wall has no flux. */
  addRim(): void {}

  /** The wall has no flux. */
  addCircle(): void {}

  /** Writes volume, centroid, second moments and vector area, in the axes of the body. @alloc none */
  write(local: Float64Array): void {
    const { sums, origin, axis } = this;
    const nx = axis[0];
    const ny = axis[1];
    const nz = axis[2];
    const q = FLUX.second;
    const volume = sums[FLUX.volume];
    const inverse = 1 / volume;
    const px = sums[FLUX.first];
    const py = sums[FLUX.first + 1];
    const pz = sums[FLUX.first + 2];
    const half = 0.5 * (px * nx + py * ny + pz * nz);
    const x = (px - half * nx) * inverse;
    const y = (py - half * ny) * inverse;
    const z = (pz - half * nz) * inverse;
    const gx = sums[q] * nx + sums[q + 3] * ny + sums[q + 4] * nz;
    const gy = sums[q + 3] * nx + sums[q + 1] * ny + sums[q + 5] * nz;
    const gz = sums[q + 4] * nx + sums[q + 5] * ny + sums[q + 2] * nz;
    const third = (gx * nx + gy * ny + gz * nz) / 3;
    const hx = 0.5 * (gx - third * nx);
    const hy = 0.5 * (gy - third * ny);
    const hz = 0.5 * (gz - third * nz);
    local[COLUMN.volume] = volume;
    local[COLUMN.centroid] = origin[0] + x;
    local[COLUMN.centroid + 1] = origin[1] + y;
    local[COLUMN.centroid + 2] = origin[2] + z;
    const s = COLUMN.second;
    local[s] = sums[q] - 2 * nx * hx - volume * x * x;
    local[s + 1] = sums[q + 1] - 2 * ny * hy - volume * y * y;
    local[s + 2] = sums[q + 2] - 2 * nz * hz - volume * z * z;
    local[s + 3] = sums[q + 3] - nx * hy - hx * ny - volume * x * y;
    local[s + 4] = sums[q + 4] - nx * hz - hx * nz - volume * x * z;
    local[s + 5] = sums[q + 5] - ny * hz - hy * nz - volume * y * z;
    for (let k = 0; k < 3; k++) local[COLUMN.vectorArea + k] = sums[FLUX.area + k];
  }
}
