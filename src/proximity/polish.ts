/**
 * Newton refinement of a closest or deepest point. A search by support points alone finds the
 * distance of curved cores to rounding. It finds the normal to half the digits only, because the
 * distance is flat about its optimum.
 *
 * The signed distance is the largest over unit n of σ(n) = min over c in C of n·c. Near the optimum
 * the minimum is taken on a few smooth patches k with support points w_k(n), and there are weights
 * λ_k with sum 1 such that
 *
 *   F = tangential part of Σ λ_k w_k = 0,   c_k = n·(w_k − w_1) = 0.
 *
 * dF = −M δ + Σ (w_k − w_1) dλ_k with M = Σ λ_k H_k + s 1 (H the radii of curvature, s = Σ λ_k
 * n·w_k), dc_k = (w_k − w_1)·δ, all in the plane of the two tangents. A result is valid only when
 * the support point along n confirms it.
 */
import type { ConvexCore } from '../shapes/convex-core.ts';
import { into, type MinkowskiDifference, Vertices, Witness } from './minkowski.ts';

const ITERATIONS = 10;
/** Residuals relative to the scale; below the first, one more step is the last. */
const NEARLY = 1e-9;
/** Rounding of a support point relative to the scale, with a safety factor. */
const CONFIRMED = 2e-14;
/** Least weight; rounding may make it negative. */
const NEGATIVE = -1e-9;
/** Largest step of the direction, rad. */
const LARGEST_STEP = 0.5;

/** Work space of the refinement. */
export class Polish {
  readonly witness: Witness = new Witness();
  /** Newton steps of the last run. */
  steps = 0;
  private readonly space: MinkowskiDifference;
  private readonly patches: Vertices = new Vertices(4);
  private readonly weight: Float64Array = new Float64Array(4);
  private readonly normal: Float64Array = new Float64Array(3);
  private count = 0;
  private readonly t1: Float64Array = new Float64Array(3);
  private readonly t2: Float64Array = new Float64Array(3);
  private readonly local: Float64Array = new Float64Array(9);
  private readonly curvature: Float64Array = new Float64Array(6);
  /** M (11, 12, 22), F (1, 2), s */
  private readonly system: Float64Array = new Float64Array(6);
  /** tangential w_k − w_1 (2) and c_k, for k = 2, 3 */
  private readonly kink: Float64Array = new Float64Array(6);
  /** δ (2), Δλ (2) */
  private readonly step: Float64Array = new Float64Array(4);

  constructor(space: MinkowskiDifference) {
    this.space = space;
  }

  /** Starts a run at the unit normal n from B to A. @alloc none */
  begin(n: Float64Array): void {
    this.count = 0;
    for (let k = 0; k < 3; k++) this.normal[k] = n[k];
  }

  /** Adds a support point with weights[at] in the wanted point; points of the same patches are one. @alloc none */
  add(from: Vertices, at: number, weights: Float64Array, slot: number): void {
    const { patches } = this;
    for (let k = 0; k < this.count; k++) {
      if (patches.patchA[k] === from.patchA[at] && patches.patchB[k] === from.patchB[at]) {
        this.weight[k] += weights[slot];
        return;
      }
    }
    patches.copy(this.count, from, at);
    this.weight[this.count] = weights[slot];
    this.count++;
  }

  /** Refines. @returns whether the optimum was found and confirmed; it is then in `witness` @alloc none */
  run(): boolean {
    this.steps = 0;
    while (this.count > 0 && this.count < 4) {
      if (!this.iterate()) return false;
      const worst = this.smallestWeight();
      if (this.weight[worst] >= NEGATIVE) return this.confirm();
      if (this.count === 1) return false;
      this.drop(worst);
    }
    return false;
  }

  private smallestWeight(): number {
    let worst = 0;
    for (let k = 1; k < this.count; k++) if (this.weight[k] < this.weight[worst]) worst = k;
    return worst;
  }

  private drop(k: number): void {
    const last = this.count - 1;
    this.patches.copy(k, this.patches, last);
    this.weight[k] = this.weight[last];
    this.count = last;
    let sum = 0;
    for (let m = 0; m < last; m++) sum += this.weight[m];
    for (let m = 0; m < last; m++) this.weight[m] /= sum;
  }

  private iterate(): boolean {
    const small = NEARLY * this.space.scale[0];
    let last = false;
    for (let n = 0; n < ITERATIONS; n++) {
      this.assemble();
      if (last) return true;
      this.steps++;
      const { system, kink } = this;
      let residual = Math.abs(system[3]) + Math.abs(system[4]);
      for (let k = 1; k < this.count; k++) residual += Math.abs(kink[3 * k - 1]);
      if (!(residual < Number.POSITIVE_INFINITY)) return false;
      last = residual <= small;
      if (this.count === 1) this.solveSmooth();
      else if (this.count === 2) this.solveEdge();
      else this.solveCorner();
      if (!this.advance()) return false;
    }
    return false;
  }

  /** Support points, residuals and M at the present normal. */
  private assemble(): void {
    const { space, normal, patches, system, kink, t1, t2 } = this;
    tangents(t1, t2, normal);
    const w = patches.w;
    let x = 0;
    let y = 0;
    let z = 0;
    system[0] = 0;
    system[1] = 0;
    system[2] = 0;
    for (let k = 0; k < this.count; k++) {
      space.patchSupport(normal, patches, k);
      x += this.weight[k] * w[3 * k];
      y += this.weight[k] * w[3 * k + 1];
      z += this.weight[k] * w[3 * k + 2];
      if (space.coreA.curved) {
        this.addCurvature(space.coreA, space.rotationA, patches.patchA[k], k, -1);
      }
      if (space.coreB.curved) {
        this.addCurvature(space.coreB, space.rotationB, patches.patchB[k], k, 1);
      }
    }
    const s = normal[0] * x + normal[1] * y + normal[2] * z;
    system[0] += s;
    system[2] += s;
    system[3] = t1[0] * x + t1[1] * y + t1[2] * z;
    system[4] = t2[0] * x + t2[1] * y + t2[2] * z;
    system[5] = s;
    for (let k = 1; k < this.count; k++) {
      const u = w[3 * k] - w[0];
      const v = w[3 * k + 1] - w[1];
      const q = w[3 * k + 2] - w[2];
      kink[3 * k - 3] = t1[0] * u + t1[1] * v + t1[2] * q;
      kink[3 * k - 2] = t2[0] * u + t2[1] * v + t2[2] * q;
      kink[3 * k - 1] = normal[0] * u + normal[1] * v + normal[2] * q;
    }
  }

  private addCurvature(
    core: ConvexCore,
    rotation: Float64Array,
    patch: number,
    k: number,
    sign: 1 | -1,
  ): void {
    const { local, curvature: h, system } = this;
    into(local, rotation, this.normal, sign);
    core.patchCurvature(patch, local, h);
    into(local, rotation, this.t1, 1);
    const ax = local[0];
    const ay = local[1];
    const az = local[2];
    into(local, rotation, this.t2, 1);
    const bx = local[0];
    const by = local[1];
    const bz = local[2];
    const px = h[0] * ax + h[3] * ay + h[4] * az;
    const py = h[3] * ax + h[1] * ay + h[5] * az;
    const pz = h[4] * ax + h[5] * ay + h[2] * az;
    const weight = this.weight[k];
    system[0] += weight * (ax * px + ay * py + az * pz);
    system[1] += weight * (bx * px + by * py + bz * pz);
    system[2] +=
      weight *
      (bx * (h[0] * bx + h[3] * by + h[4] * bz) +
        by * (h[3] * bx + h[1] * by + h[5] * bz) +
        bz * (h[4] * bx + h[5] * by + h[2] * bz));
  }

  /** One patch: M δ = F. */
  private solveSmooth(): void {
    const { system: m, step } = this;
    const det = m[0] * m[2] - m[1] * m[1];
    step[0] = (m[2] * m[3] - m[1] * m[4]) / det;
    step[1] = (m[0] * m[4] - m[1] * m[3]) / det;
  }

  /** Two patches with difference u: u·δ = −c, and across u as for one patch. */
  private solveEdge(): void {
    const { system: m, kink, step } = this;
    const length = Math.sqrt(kink[0] * kink[0] + kink[1] * kink[1]);
    const ux = kink[0] / length;
    const uy = kink[1] / length;
    const along = -kink[2] / length;
    // across the edge p = (−uy, ux): p·F = p·M (along u + across p)
    const mux = m[0] * ux + m[1] * uy;
    const muy = m[1] * ux + m[2] * uy;
    const pmp = m[0] * uy * uy - 2 * m[1] * ux * uy + m[2] * ux * ux;
    const across = (-uy * m[3] + ux * m[4] - along * (-uy * mux + ux * muy)) / pmp;
    const dx = along * ux - across * uy;
    const dy = along * uy + across * ux;
    step[0] = dx;
    step[1] = dy;
    step[2] = (mux * dx + muy * dy - (ux * m[3] + uy * m[4])) / length;
  }

  /** Three patches: both differences determine δ, the weights follow. */
  private solveCorner(): void {
    const { system: m, kink, step } = this;
    const det = kink[0] * kink[4] - kink[1] * kink[3];
    const dx = (-kink[2] * kink[4] + kink[5] * kink[1]) / det;
    const dy = (-kink[0] * kink[5] + kink[3] * kink[2]) / det;
    const rx = m[0] * dx + m[1] * dy - m[3];
    const ry = m[1] * dx + m[2] * dy - m[4];
    step[0] = dx;
    step[1] = dy;
    step[2] = (rx * kink[4] - ry * kink[3]) / det;
    step[3] = (kink[0] * ry - kink[1] * rx) / det;
  }

  private advance(): boolean {
    const { step, normal: n, t1, t2 } = this;
    if (!(Math.abs(step[0]) + Math.abs(step[1]) < LARGEST_STEP)) return false;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      n[k] += step[0] * t1[k] + step[1] * t2[k];
      square += n[k] * n[k];
    }
    const length = Math.sqrt(square);
    for (let k = 0; k < 3; k++) n[k] /= length;
    for (let k = 1; k < this.count; k++) {
      this.weight[k] += step[k + 1];
      this.weight[0] -= step[k + 1];
    }
    return true;
  }

  /** Fills the witness. @returns whether residuals are down to rounding and no point of C lies farther along −n */
  private confirm(): boolean {
    const { space, witness, patches, normal, system, kink, weight } = this;
    const tolerance = CONFIRMED * space.scale[0];
    let residual = Math.abs(system[3]) + Math.abs(system[4]);
    for (let k = 1; k < this.count; k++) residual += Math.abs(kink[3 * k - 1]);
    if (!(residual <= tolerance)) return false;
    for (let k = 0; k < 3; k++) {
      witness.normal[k] = normal[k];
      let a = 0;
      let b = 0;
      for (let m = 0; m < this.count; m++) {
        a += weight[m] * patches.a[3 * m + k];
        b += weight[m] * patches.b[3 * m + k];
      }
      witness.a[k] = a;
      witness.b[k] = b;
    }
    witness.distance[0] = system[5];
    space.support(normal, patches, 3);
    const w = patches.w;
    const least = normal[0] * w[9] + normal[1] * w[10] + normal[2] * w[11];
    return least >= system[5] - tolerance;
  }
}

/** Two tangents that complete n. Both change sign with n, so that swapped bodies give mirrored numbers. */
function tangents(t1: Float64Array, t2: Float64Array, n: Float64Array): void {
  const x = n[0];
  const y = n[1];
  const z = n[2];
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
  // t1 := n × e for the axis e most nearly perpendicular to n, t2 := n × t1
  let u = 0;
  let v = 0;
  let w = 0;
  if (ax <= ay && ax <= az) {
    v = z;
    w = -y;
  } else if (ay <= az) {
    u = -z;
    w = x;
  } else {
    u = y;
    v = -x;
  }
  const k = 1 / Math.sqrt(u * u + v * v + w * w);
  u *= k;
  v *= k;
  w *= k;
  t1[0] = u;
  t1[1] = v;
  t1[2] = w;
  t2[0] = y * w - z * v;
  t2[1] = z * u - x * w;
  t2[2] = x * v - y * u;
}
