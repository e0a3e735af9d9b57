/**
 * Forces in a world that goes round the Earth on a circular orbit and turns with it, so that one axis always points away from the Earth
 * and one along the orbit's normal. docs/theory/orbit.md. The force on a mass element at r from the point on the orbit, with rate
 * n, is
 *
 *   dF = (G r − 2 Ω × v) dm        G = n² (3 r̂ r̂ᵀ − n̂ n̂ᵀ)        Ω = n n̂
 *
 * `Hill 1878; Clohessy & Wiltshire 1960`. Over a link whose frame stands at o with velocity v and angular velocity w, first moment S and
 * second moment J = ∫ρρᵀ dm about o:
 *
 *   F = m (G o − 2 Ω × v) + G S − 2 Ω × (w × S)
 *   M = S × (G o − 2 Ω × v) + axial(J G) − 2 (J Ω) × w        axial(A)_i = ε_ijk A_jk
 *
 * `Hughes 1986, Spacecraft Attitude Dynamics, 8.1`. Gravity of the Earth itself is in G: the gravity of the tree must be zero. Bent
 * beams count as straight, and the field does not act on their modes.
 */
import type { OrbitModel, TreeModel } from '../../model/tree-model.ts';

/** What the field takes from a link, and the wrench about its frame's origin that it adds to. */
interface FieldLink {
  /** p(3) q(4) v(3) w(3) of its frame. */
  readonly state: Float64Array;
  readonly rotation: Float64Array;
  readonly wrench: Float64Array;
}

// slots of the moments of a link: mass, S (3), J (xx, yy, zz, xy, xz, yz), in its axes about its frame
const FIRST = 1;
const SECOND = 4;
const MOMENTS = 10;

/** The field on all links of a tree. */
export class OrbitField {
  private readonly links: readonly FieldLink[];
  private readonly moments: Float64Array;
  /** G row by row, and Ω. */
  private readonly gradient: Float64Array = new Float64Array(9);
  private readonly turning: Float64Array = new Float64Array(3);
  private readonly first: Float64Array = new Float64Array(3);
  private readonly second: Float64Array = new Float64Array(9);
  private readonly pull: Float64Array = new Float64Array(3);

  constructor(orbit: OrbitModel, model: TreeModel, links: readonly FieldLink[]) {
    this.links = links;
    this.moments = Float64Array.from(model.links.flatMap(momentsOf));
    const n = orbit.rate;
    for (let i = 0; i < 3; i++) {
      this.turning[i] = n * orbit.normal[i];
      for (let k = 0; k < 3; k++) {
        this.gradient[3 * i + k] =
          n * n * (3 * orbit.radial[i] * orbit.radial[k] - orbit.normal[i] * orbit.normal[k]);
      }
    }
  }

  /** Adds the wrench of the field to that of every link, from poses and twists. @alloc none */
  addWrenches(): void {
    const g = this.gradient;
    const o = this.turning;
    const s = this.first;
    const j = this.second;
    const a = this.pull;
    for (let i = 0; i < this.links.length; i++) {
      const { state: x, wrench: f } = this.links[i];
      const m = this.moments[MOMENTS * i];
      this.turnMoments(i);
      const wx = x[10];
      const wy = x[11];
      const wz = x[12];
      // G o − 2 Ω × v
      a[0] = g[0] * x[0] + g[1] * x[1] + g[2] * x[2] - 2 * (o[1] * x[9] - o[2] * x[8]);
      a[1] = g[3] * x[0] + g[4] * x[1] + g[5] * x[2] - 2 * (o[2] * x[7] - o[0] * x[9]);
      a[2] = g[6] * x[0] + g[7] * x[1] + g[8] * x[2] - 2 * (o[0] * x[8] - o[1] * x[7]);
      // velocity of the first moment, w × S
      const sx = wy * s[2] - wz * s[1];
      const sy = wz * s[0] - wx * s[2];
      const sz = wx * s[1] - wy * s[0];
      f[0] += m * a[0] + g[0] * s[0] + g[1] * s[1] + g[2] * s[2] - 2 * (o[1] * sz - o[2] * sy);
      f[1] += m * a[1] + g[3] * s[0] + g[4] * s[1] + g[5] * s[2] - 2 * (o[2] * sx - o[0] * sz);
      f[2] += m * a[2] + g[6] * s[0] + g[7] * s[1] + g[8] * s[2] - 2 * (o[0] * sy - o[1] * sx);
      // axial part of J G: (J G)_yz − (J G)_zy, …
      const jx = j[3] * g[2] + j[4] * g[5] + j[5] * g[8] - j[6] * g[1] - j[7] * g[4] - j[8] * g[7];
      const jy = j[6] * g[0] + j[7] * g[3] + j[8] * g[6] - j[0] * g[2] - j[1] * g[5] - j[2] * g[8];
      const jz = j[0] * g[1] + j[1] * g[4] + j[2] * g[7] - j[3] * g[0] - j[4] * g[3] - j[5] * g[6];
      const px = j[0] * o[0] + j[1] * o[1] + j[2] * o[2];
      const py = j[3] * o[0] + j[4] * o[1] + j[5] * o[2];
      const pz = j[6] * o[0] + j[7] * o[1] + j[8] * o[2];
      f[3] += s[1] * a[2] - s[2] * a[1] + jx - 2 * (py * wz - pz * wy);
      f[4] += s[2] * a[0] - s[0] * a[2] + jy - 2 * (pz * wx - px * wz);
      f[5] += s[0] * a[1] - s[1] * a[0] + jz - 2 * (px * wy - py * wx);
    }
  }

  /** energy[0] += −½ ∫ r·G r dm, J: with kinetic energy in the turning frame the Jacobi integral. @alloc none */
  addPotentialEnergy(energy: Float64Array): void {
    const g = this.gradient;
    const s = this.first;
    const j = this.second;
    for (let i = 0; i < this.links.length; i++) {
      const x = this.links[i].state;
      const m = this.moments[MOMENTS * i];
      this.turnMoments(i);
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < 3; b++) {
          const here = (m * x[a] + 2 * s[a]) * x[b] + j[3 * a + b];
          energy[0] -= 0.5 * g[3 * a + b] * here;
        }
      }
    }
  }

  /** First and second moment of a link in world axes. */
  private turnMoments(i: number): void {
    const c = this.moments;
    const r = this.links[i].rotation;
    const s = this.first;
    const j = this.second;
    const k = MOMENTS * i;
    const xx = c[k + SECOND];
    const yy = c[k + SECOND + 1];
    const zz = c[k + SECOND + 2];
    const xy = c[k + SECOND + 3];
    const xz = c[k + SECOND + 4];
    const yz = c[k + SECOND + 5];
    for (let a = 0; a < 3; a++) {
      const r0 = r[3 * a];
      const r1 = r[3 * a + 1];
      const r2 = r[3 * a + 2];
      s[a] = r0 * c[k + FIRST] + r1 * c[k + FIRST + 1] + r2 * c[k + FIRST + 2];
      const q0 = r0 * xx + r1 * xy + r2 * xz;
      const q1 = r0 * xy + r1 * yy + r2 * yz;
      const q2 = r0 * xz + r1 * yz + r2 * zz;
      for (let b = 0; b < 3; b++) {
        j[3 * a + b] = q0 * r[3 * b] + q1 * r[3 * b + 1] + q2 * r[3 * b + 2];
      }
    }
  }
}

/** Mass, first and second moments about the frame of a link. */
function momentsOf({ mass, center, inertia, beam }: TreeModel['links'][number]): number[] {
  // of a beam the straight rod: no extent across but that of its torsional inertia
  const rod = beam === undefined ? 0 : (mass * beam.length * beam.length) / 12;
  const across = rod + inertia[0] / 2;
  const [xx, yy, zz, xy, xz, yz] =
    beam === undefined ? inertia : [inertia[0], across, across, 0, 0, 0];
  const half = (xx + yy + zz) / 2;
  const [x, y, z] = center;
  return [
    mass,
    mass * x,
    mass * y,
    mass * z,
    half - xx + mass * x * x,
    half - yy + mass * y * y,
    half - zz + mass * z * z,
    mass * x * y - xy,
    mass * x * z - xz,
    mass * y * z - yz,
  ];
}
