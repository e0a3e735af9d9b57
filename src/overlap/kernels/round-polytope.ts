/**
 * A round body and a polytope: closed forms over the flat faces of their overlap (round-faces.ts), in the frame of the round body, and
 * for the ball around its rim. docs/theory/round-polytope.md.
 *
 * A capsule has three parts. With the volumes V_k and centroids c_k of what each shares with the polytope, about c = Σ V_k c_k/V,
 *
 *   S = Σ S_k + Σ V_k (c_k − c)(c_k − c)ᵀ,   vector area = Σ a_k                                                       (1)
 *
 * The depth is the extent of the overlap along the vector area: between the farthest corners, points of arcs, of whole sections and of
 * spheres. When one body is in the other there is no vector area, and the depth is along the line of centres, else along x. Apart, the
 * gap is that of core-gap.ts.
 */
import { DiscHull } from '../../shapes/disc-hull.ts';
import { COLUMN, COLUMN_SIZE, ORIGIN, type OverlapKernel, PLACEMENT } from '../kernel.ts';
import type { Polytope } from '../polytope.ts';
import { type BalledCore, CoreGap, polytopeCore } from './core-gap.ts';
import { type RoundBody, type RoundPart, roundParts } from './round-part.ts';
import { type WalkedPolytope, walked } from './walked-polytope.ts';
import { writeApart, writeWorld } from './world-column.ts';

/** Roundings of a coordinate, with a safety factor. */
const NOISE = 8 * Number.EPSILON;
/** Vector area, relative to the square of the size, below which it has no direction. */
const NO_DIRECTION = 1e-12;

function coreOf(shape: RoundBody): BalledCore {
  const { radius } = shape;
  switch (shape.kind) {
    case 'sphere':
      return ballOf(new DiscHull([[0, 0, 0]], [0], radius, false), 0, radius);
    case 'cylinder': {
      const half = 0.5 * shape.length;
      const ends = [
        [0, 0, -half],
        [0, 0, half],
      ];
      const reach = Math.sqrt(radius * radius + half * half);
      return ballOf(new DiscHull(ends, [radius, radius], 0, true), 0, reach);
    }
    case 'capsule': {
      const half = 0.5 * shape.length;
      const ends = [
        [0, 0, -half],
        [0, 0, half],
      ];
      return ballOf(new DiscHull(ends, [0, 0], radius, false), 0, radius + half);
    }
    case 'frustum': {
      const { length, topRadius } = shape;
      const ends = [
        [0, 0, 0],
        [0, 0, length],
      ];
      const reach = Math.sqrt(radius * radius + 0.25 * length * length);
      return ballOf(new DiscHull(ends, [radius, topRadius], 0, true), 0.5 * length, reach);
    }
  }
}

function ballOf(core: DiscHull, height: number, radius: number): BalledCore {
  return { core, center: Float64Array.of(0, 0, height), radius };
}

/** Round body i and polytope j. */
export class RoundPolytopeKernel implements OverlapKernel {
  readonly method = 'closed-form';
  readonly #parts: readonly RoundPart[];
  /** Whether each part shares something with the polytope. */
  readonly #met: Uint8Array;
  readonly #walked: WalkedPolytope;
  readonly #gap: CoreGap;
  /** Sum of the radii of balls around the bodies. */
  readonly #size: Float64Array;
  /** Placement of the polytope in the frame of the round body. */
  readonly #pose = new Float64Array(PLACEMENT);
  readonly #local = new Float64Array(COLUMN_SIZE);
  readonly #area = new Float64Array(3);
  readonly #axis = new Float64Array(3);
  readonly #reach = new Float64Array(2);

  constructor(shape: RoundBody, polytope: Polytope) {
    this.#parts = roundParts(shape);
    this.#met = new Uint8Array(this.#parts.length);
    this.#walked = walked(polytope);
    for (const part of this.#parts) part.reserve(this.#walked);
    const core = coreOf(shape);
    this.#gap = new CoreGap(core, polytopeCore(polytope));
    this.#size = Float64Array.of(core.radius + polytope.radius);
  }

  compute(placementI: Float64Array, placementJ: Float64Array, column: Float64Array): void {
    const gap = this.#gap;
    const local = this.#local;
    gap.measureBalls(placementI, placementJ);
    if (Number.isNaN(gap.balls[0])) {
      for (let k = 0; k < COLUMN_SIZE; k++) column[k] = Number.NaN;
      return;
    }
    if (gap.balls[0] <= 0) {
      this.#place(placementI, placementJ);
      this.#sum();
      if (this.#isSolid()) {
        this.#measureDepth();
        writeWorld(local, placementI, column);
        return;
      }
    }
    gap.compute(placementI, placementJ);
    local[COLUMN.gap] = gap.gap[0];
    writeApart(local, column);
  }

  /** Placement of the polytope in the frame of the round body. Origins are subtracted first. */
  #place(i: Float64Array, j: Float64Array): void {
    const pose = this.#pose;
    const dx = j[ORIGIN] - i[ORIGIN];
    const dy = j[ORIGIN + 1] - i[ORIGIN + 1];
    const dz = j[ORIGIN + 2] - i[ORIGIN + 2];
    for (let row = 0; row < 3; row++) {
      const x = i[row];
      const y = i[row + 3];
      const z = i[row + 6];
      pose[3 * row] = x * j[0] + y * j[3] + z * j[6];
      pose[3 * row + 1] = x * j[1] + y * j[4] + z * j[7];
      pose[3 * row + 2] = x * j[2] + y * j[5] + z * j[8];
      pose[ORIGIN + row] = x * dx + y * dy + z * dz;
    }
  }

  /** Computes every part and (1). */
  #sum(): void {
    const local = this.#local;
    const area = this.#area;
    const parts = this.#parts;
    let met = 0;
    let last = 0;
    for (let k = 0; k < 3; k++) area[k] = 0;
    for (let n = 0; n < parts.length; n++) {
      const part = parts[n].local;
      this.#met[n] = 0;
      if (!parts[n].compute(this.#walked, this.#pose)) continue;
      // a face in the plane between two parts may be in one by rounding alone, which has its area but no volume
      for (let k = 0; k < 3; k++) area[k] += part[COLUMN.vectorArea + k];
      if (part[COLUMN.volume] <= 0) continue;
      this.#met[n] = 1;
      met++;
      last = n;
    }
    if (met === 1) this.#take(parts[last].local);
    else this.#join();
    for (let k = 0; k < 3; k++) local[COLUMN.vectorArea + k] = area[k];
  }

  #take(one: Float64Array): void {
    for (let k = 0; k < COLUMN_SIZE; k++) this.#local[k] = one[k];
  }

  /** The parts that have a volume as one; zeros when none has. */
  #join(): void {
    const local = this.#local;
    const parts = this.#parts;
    for (let k = 0; k < COLUMN_SIZE; k++) local[k] = 0;
    const c = COLUMN.centroid;
    const s = COLUMN.second;
    for (let n = 0; n < parts.length; n++) {
      if (this.#met[n] === 0) continue;
      const part = parts[n].local;
      local[COLUMN.volume] += part[COLUMN.volume];
      for (let k = 0; k < 3; k++) local[c + k] += part[COLUMN.volume] * part[c + k];
    }
    if (local[COLUMN.volume] === 0) return;
    for (let k = 0; k < 3; k++) local[c + k] /= local[COLUMN.volume];
    for (let n = 0; n < parts.length; n++) {
      if (this.#met[n] === 0) continue;
      const part = parts[n].local;
      const volume = part[COLUMN.volume];
      const x = part[c] - local[c];
      const y = part[c + 1] - local[c + 1];
      const z = part[c + 2] - local[c + 2];
      local[s] += part[s] + volume * x * x;
      local[s + 1] += part[s + 1] + volume * y * y;
      local[s + 2] += part[s + 2] + volume * z * z;
      local[s + 3] += part[s + 3] + volume * x * y;
      local[s + 4] += part[s + 4] + volume * x * z;
      local[s + 5] += part[s + 5] + volume * y * z;
    }
  }

  /** Largest extent of the points of the overlap from one of them along an axis into `reach[0]`. */
  #spread(): void {
    const reach = this.#reach;
    reach[0] = 0;
    for (let n = 0; n < this.#parts.length; n++) {
      if (this.#met[n] === 1) this.#parts[n].spread(reach);
    }
  }

  /** Whether the volume exceeds what rounding makes of touching bodies. */
  #isSolid(): boolean {
    const size = this.#size[0];
    const volume = this.#local[COLUMN.volume];
    if (volume > 4 * NOISE * size * size * size) return true;
    this.#spread();
    return volume > NOISE * size * this.#reach[0] * this.#reach[0];
  }

  /** Area and depth. */
  #measureDepth(): void {
    const local = this.#local;
    const axis = this.#axis;
    const reach = this.#reach;
    const size = this.#size[0];
    const a = COLUMN.vectorArea;
    let x = local[a];
    let y = local[a + 1];
    let z = local[a + 2];
    let length = Math.sqrt(x * x + y * y + z * z);
    if (length < NO_DIRECTION * size * size) {
      this.#spread();
      if (length <= NO_DIRECTION * reach[0] * reach[0]) {
        length = 0;
        for (let k = 0; k < 3; k++) local[a + k] = 0;
      }
    }
    local[COLUMN.area] = length;
    if (length === 0) {
      x = this.#pose[ORIGIN];
      y = this.#pose[ORIGIN + 1];
      z = this.#pose[ORIGIN + 2];
      length = Math.sqrt(x * x + y * y + z * z);
      if (!(length > 0)) x = length = 1;
    }
    axis[0] = x / length;
    axis[1] = y / length;
    axis[2] = z / length;
    reach[0] = Number.NEGATIVE_INFINITY;
    reach[1] = Number.NEGATIVE_INFINITY;
    for (let n = 0; n < this.#parts.length; n++) {
      if (this.#met[n] === 1) this.#parts[n].reach(this.#walked, axis, reach);
    }
    local[COLUMN.gap] = -(reach[0] + reach[1]);
  }
}
