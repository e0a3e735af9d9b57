/**
 * Two bodies of facets that move: when they first come nearer than a standoff, where, and how near they come. `LaFarge & Lewis 1998`;
 * docs/theory/faceted.md.
 *
 * First touch by conservative advancement. At the part s of the step a pair of facets has the distance d along n. Facets are convex, so planes
 * across n part them, and they cannot touch before s + Δ while no corner x of A gets to the plane of a corner y of B. With their height
 * h = n·(x − y) − d_s, the rate r of their approach now and a bound a of its growth,
 *
 *   r Δ + ½ a Δ² = h        r = n·(y' − x')        a = β + θ_A² ρ_A + θ_B² ρ_B
 *   μ Δ = d − d_s           μ = −n·(d_A − d_B) + ½ β + θ_A ρ_A + θ_B ρ_B
 *
 * per step (d_A, d_B, θ, β of both: body-path.ts; ρ: distance from the origin of the body). The longer of the least Δ of all corners and that of μ
 * counts. The least over all pairs of facets is taken; a pair of nodes is left out when its bound allows a longer one by μ with |d_A − d_B| in
 * place of the first term. A touch is d − d_s within the tolerance. No touch is missed; one that is told has that distance. Where bodies only
 * translate, r = μ is the exact rate along n.
 *
 * Swept distance: the least distance on the way. Under translation that of two facets is a convex function of s with the slope n·d, whose least
 * value is found between tangents: exact. With rotation it is the bound of swept-bound.ts, which is not above it.
 */
import { BEND, BodyPath, TURN } from './body-path.ts';
import { FacetDistance } from './facet-distance.ts';
import { DIRECTION, DISTANCE, POINT_A, POINT_B } from './witness-slots.ts';
import type { FacetTree } from './facet-tree.ts';
import { NodeBound } from './node-bound.ts';
import { SweptBound, writePlace } from './swept-bound.ts';

/** Part of the extents within which a touch is one, and by which bounds of nodes may be wrong. */
const TOLERANCE = 1e-9;
/** Most queries of a first touch; what is not decided by then counts as a touch. */
const MOST_QUERIES = 400;
/** Most values of a pair between tangents, and how near the least one must be to its bound, relative to the travel. */
const MOST_VALUES = 80;
const SETTLED = 1e-15;

/** Slots of `touch`. */
export const TOUCH_PART = 0; //   part of the step at first touch
export const TOUCH_GAP = 1; //    distance less standoff there, m
export const TOUCH_POINT = 2; //  3, middle between the nearest points, world, m
export const TOUCH_NORMAL = 5; // 3, unit vector from B to A, world
export const TOUCH = 8;

// slots of the scalars
const STEP = 0; //      longest step that all pairs so far allow
const GAP = 1; //       least distance less standoff at the present part, m
const SPEED = 2; //     |d_A − d_B| and bends, m per step
const LEAST = 3; //     least distance on the way so far, m
const RATE = 4; //      μ without turns of the last distance, m per step
const GROWTH = 5; //    a of the last distance, m per step²
const ALLOWED = 6; //   Δ of the last distance
const SHELL = 7; //     d_s, m
const SCALARS = 8;

/** The moving facets of two bodies. */
export class SweptFacets {
  readonly treeA: FacetTree;
  readonly treeB: FacetTree;
  readonly pathA: BodyPath;
  readonly pathB: BodyPath;
  readonly touch: Float64Array = new Float64Array(TOUCH);
  /** [least distance on the way or its lower bound, m, part of the step where it is (NaN of a bound)] of `measureSwept`. */
  readonly swept: Float64Array = new Float64Array(2);
  /** Queries of the last `findTouch`. */
  queries = 0;
  private readonly distance: FacetDistance;
  private readonly bounds: NodeBound;
  private readonly moving: SweptBound;
  private readonly scalars: Float64Array = new Float64Array(SCALARS);
  private readonly limit: Float64Array = new Float64Array(1);
  private readonly s: Float64Array = new Float64Array(1);
  private readonly place: Float64Array = new Float64Array(12);
  private readonly witness: Float64Array = new Float64Array(6);
  /** Spins of both bodies in the frame of B, rad. */
  private readonly turned: Float64Array = new Float64Array(6);
  /** Height and rate of each corner of a facet of A, m and m per step. */
  private readonly approach: Float64Array;
  private readonly slack: Float64Array;
  private readonly stackA: Int32Array;
  private readonly stackB: Int32Array;
  private readonly value: Float64Array = new Float64Array(2);

  constructor(treeA: FacetTree, treeB: FacetTree, pathA = new BodyPath(), pathB = new BodyPath()) {
    this.treeA = treeA;
    this.treeB = treeB;
    this.pathA = pathA;
    this.pathB = pathB;
    this.distance = new FacetDistance(treeA.facets, treeB.facets);
    this.bounds = new NodeBound(treeA, treeB, this.distance.posed);
    this.moving = new SweptBound(treeA, treeB);
    this.slack = Float64Array.of(TOLERANCE * (treeA.facets.extent + treeB.facets.extent));
    this.approach = new Float64Array(2 * treeA.facets.mostCorners);
    const deep = treeA.depth + treeB.depth + 2;
    this.stackA = new Int32Array(deep);
    this.stackB = new Int32Array(deep);
  }

  /** Whether the bodies come within standoff[0] on their paths; when and where first, into `touch`. @alloc none */
  findTouch(standoff: Float64Array): boolean {
    const { scalars, touch, s, slack } = this;
    this.measureSpeed();
    s[0] = 0;
    this.queries = 0;
    for (;;) {
      scalars[STEP] = 1 - s[0] + TOLERANCE;
      this.measure(standoff);
      const last = this.queries === MOST_QUERIES;
      if (scalars[GAP] <= slack[0] || last) {
        touch[TOUCH_PART] = s[0];
        touch[TOUCH_GAP] = scalars[GAP];
        this.writePoint();
        return true;
      }
      if (!(s[0] + scalars[STEP] < 1)) return false;
      s[0] += scalars[STEP];
    }
  }

  /** Whether the bodies are within standoff[0] at the part part[0] of the step. @alloc none */
  isWithin(standoff: Float64Array, part: Float64Array): boolean {
    const { scalars, s, slack } = this;
    this.measureSpeed();
    s[0] = part[0];
    scalars[STEP] = 0;
    this.measure(standoff);
    return scalars[GAP] <= slack[0];
  }

  /** Least distance on the way, or a lower bound of it where a body turns, into `swept`. @alloc none */
  measureSwept(): void {
    const { moving, scalars, swept, limit, treeA, treeB, stackA, stackB, slack } = this;
    moving.follow(this.pathA, this.pathB);
    const exact = moving.exact;
    scalars[LEAST] = Infinity;
    swept[1] = Number.NaN;
    stackA[0] = 0;
    stackB[0] = 0;
    let top = 0;
    while (top >= 0) {
      const p = stackA[top];
      const q = stackB[top];
      top--;
      const f = treeA.facet[p];
      const g = treeB.facet[q];
      const leaf = f >= 0 && g >= 0;
      limit[0] = scalars[LEAST] + (exact ? slack[0] : 0);
      moving.compute(p, q, limit);
      if (moving.bound[0] >= limit[0]) continue;
      if (leaf) {
        if (exact) this.lower(f, g);
        else scalars[LEAST] = moving.bound[0];
        continue;
      }
      top += 2;
      this.split(p, q, top);
    }
    swept[0] = scalars[LEAST];
  }

  /** Children of a pair of nodes onto the stack. */
  private split(p: number, q: number, top: number): void {
    const { treeA, treeB, stackA, stackB } = this;
    if (treeA.facet[p] < 0 && (treeB.facet[q] >= 0 || treeA.radii[p] >= treeB.radii[q])) {
      stackA[top - 1] = treeA.right[p];
      stackA[top] = treeA.left[p];
      stackB[top - 1] = q;
      stackB[top] = q;
    } else {
      stackA[top - 1] = p;
      stackA[top] = p;
      stackB[top - 1] = treeB.right[q];
      stackB[top] = treeB.left[q];
    }
  }

  private measureSpeed(): void {
    const { pathA, pathB, scalars } = this;
    let square = 0;
    for (let a = 0; a < 3; a++) {
      const d = pathA.travel[a] - pathB.travel[a];
      square += d * d;
    }
    scalars[SPEED] = Math.sqrt(square) + 0.5 * (pathA.rates[BEND] + pathB.rates[BEND]);
  }

  private put(): void {
    const { place, s } = this;
    const { posed } = this.distance;
    writePlace(this.pathA, this.pathB, s, place);
    for (let k = 0; k < 9; k++) posed.rotation[k] = place[k];
    for (let k = 0; k < 3; k++) posed.origin[k] = place[9 + k];
    posed.move();
  }

  /** Shortens STEP to what no pair of facets forbids, and finds the nearest pair of those that may touch in it, at the part s. */
  private measure(standoff: Float64Array): void {
    const { scalars, treeA, treeB, stackA, stackB, bounds, limit, slack, distance } = this;
    const { pathA, pathB, witness } = this;
    const turnA = pathA.rates[TURN];
    const turnB = pathB.rates[TURN];
    this.put();
    this.queries++;
    scalars[SHELL] = standoff[0];
    scalars[GAP] = Infinity;
    stackA[0] = 0;
    stackB[0] = 0;
    let top = 0;
    while (top >= 0) {
      const p = stackA[top];
      const q = stackB[top];
      top--;
      const turning = turnA * treeA.reaches[p] + turnB * treeB.reaches[q];
      const reached = scalars[STEP] * (scalars[SPEED] + turning);
      limit[0] = standoff[0] + slack[0] + reached;
      bounds.compute(p, q, limit);
      if (bounds.bound[0] >= limit[0]) continue;
      const f = treeA.facet[p];
      const g = treeB.facet[q];
      if (f < 0 || g < 0) {
        top += 2;
        this.split(p, q, top);
        continue;
      }
      distance.compute(f, g, limit);
      const d = distance.result[DISTANCE];
      if (!(d < limit[0])) continue;
      const gap = d - standoff[0];
      scalars[ALLOWED] = 0;
      if (gap > slack[0]) {
        scalars[ALLOWED] = gap;
        this.allow(p, q, g);
      }
      const step = scalars[ALLOWED];
      if (step < scalars[STEP]) scalars[STEP] = step;
      if (!(gap < scalars[GAP])) continue;
      scalars[GAP] = gap;
      for (let a = 0; a < 3; a++) {
        witness[a] = 0.5 * (distance.result[POINT_A + a] + distance.result[POINT_B + a]);
        witness[3 + a] = distance.result[DIRECTION + a];
      }
    }
  }

  /** μ of the last distance without turns. */
  private measureClosing(): void {
    const { pathA, pathB, scalars } = this;
    const { result } = this.distance;
    const r = pathB.rotation;
    const x = result[DIRECTION];
    const y = result[DIRECTION + 1];
    const z = result[DIRECTION + 2];
    let rate = 0.5 * (pathA.rates[BEND] + pathB.rates[BEND]);
    for (let a = 0; a < 3; a++) {
      const n = r[3 * a] * x + r[3 * a + 1] * y + r[3 * a + 2] * z;
      rate -= n * (pathA.travel[a] - pathB.travel[a]);
    }
    scalars[RATE] = rate;
  }

  /** Replaces d − d_s in ALLOWED by the part of the step that leaves p and q, of which q has facet g, apart. */
  private allow(p: number, q: number, g: number): void {
    const { scalars, pathA, pathB, treeA, treeB } = this;
    this.measureClosing();
    const gap = scalars[ALLOWED];
    const turnA = pathA.rates[TURN];
    const turnB = pathB.rates[TURN];
    const i = turnA * treeA.reaches[p];
    const j = turnB * treeB.reaches[q];
    const most = scalars[RATE] + i + j;
    scalars[ALLOWED] = most > 0 ? gap / most : Infinity;
    scalars[GROWTH] = pathA.rates[BEND] + pathB.rates[BEND] + turnA * i + turnB * j;
    if (scalars[GROWTH] > 0) this.allowCorners(g);
  }

  /** Lengthens ALLOWED to what the corners of the loaded facet of A and of facet g of B leave, where it is more. */
  private allowCorners(g: number): void {
    const { distance, pathA, pathB, treeB, scalars, turned, approach } = this;
    const { result, posed } = distance;
    const r = pathB.rotation;
    const x = result[DIRECTION];
    const y = result[DIRECTION + 1];
    const z = result[DIRECTION + 2];
    let rate = 0;
    for (let a = 0; a < 3; a++) {
      const n = r[3 * a] * x + r[3 * a + 1] * y + r[3 * a + 2] * z;
      rate -= n * (pathA.velocity[a] - pathB.velocity[a]);
      // spins in the frame of B
      turned[a] = r[a] * pathA.spin[0] + r[3 + a] * pathA.spin[1] + r[6 + a] * pathA.spin[2];
      turned[3 + a] = r[a] * pathB.spin[0] + r[3 + a] * pathB.spin[1] + r[6 + a] * pathB.spin[2];
    }
    // n·(w × x) = x·(n × w)
    const ax = y * turned[2] - z * turned[1];
    const ay = z * turned[0] - x * turned[2];
    const az = x * turned[1] - y * turned[0];
    const bx = y * turned[5] - z * turned[4];
    const by = z * turned[3] - x * turned[5];
    const bz = x * turned[4] - y * turned[3];
    const { corners, count, origin } = posed;
    // heights over the plane at the standoff from the nearest point of B
    const base = x * result[POINT_B] + y * result[POINT_B + 1] + z * result[POINT_B + 2];
    const shell = scalars[SHELL];
    for (let k = 0; k < count; k++) {
      const u = corners[3 * k];
      const v = corners[3 * k + 1];
      const w = corners[3 * k + 2];
      approach[2 * k] = x * u + y * v + z * w - base - shell;
      approach[2 * k + 1] =
        rate + ax * (origin[0] - u) + ay * (origin[1] - v) + az * (origin[2] - w);
    }
    const growth = scalars[GROWTH];
    let least = Infinity;
    const { first, corners: cornersB, vertices } = treeB.facets;
    for (let c = first[g]; c < first[g + 1]; c++) {
      const o = 3 * cornersB[c];
      const u = vertices[o];
      const v = vertices[o + 1];
      const w = vertices[o + 2];
      const below = base - (x * u + y * v + z * w);
      const own = bx * u + by * v + bz * w;
      for (let k = 0; k < count; k++) {
        const height = approach[2 * k] + below;
        const now = approach[2 * k + 1] + own;
        if (!(height > 0)) return;
        const root = Math.sqrt(now * now + 2 * growth * height);
        const part = now > 0 ? (2 * height) / (now + root) : (root - now) / growth;
        if (part < least) least = part;
      }
    }
    if (least > scalars[ALLOWED]) scalars[ALLOWED] = least;
  }

  private writePoint(): void {
    const { touch, witness, pathB } = this;
    const r = pathB.rotation;
    for (let a = 0; a < 3; a++) {
      let point = pathB.state[a];
      let normal = 0;
      for (let c = 0; c < 3; c++) {
        point += r[3 * a + c] * witness[c];
        normal += r[3 * a + c] * witness[3 + c];
      }
      touch[TOUCH_POINT + a] = point;
      touch[TOUCH_NORMAL + a] = normal;
    }
  }

  /** Distance of two facets at the part s into value[0], and its slope into value[1]. */
  private evaluate(f: number, g: number): void {
    const { distance, value, limit } = this;
    this.put();
    limit[0] = Infinity;
    distance.compute(f, g, limit);
    value[0] = distance.result[DISTANCE];
    this.measureClosing();
    value[1] = -this.scalars[RATE];
  }

  /** Lowers the least distance to that of two facets that translate, where it is less. */
  private lower(f: number, g: number): void {
    const { s, value, scalars } = this;
    let a = 0;
    let b = 1;
    s[0] = a;
    this.evaluate(f, g);
    let low = value[0];
    let downhill = value[1];
    this.keepLeast();
    if (downhill >= 0 || low === 0) return;
    s[0] = b;
    this.evaluate(f, g);
    let high = value[0];
    let uphill = value[1];
    this.keepLeast();
    if (uphill <= 0 || high === 0) return;
    const fine = SETTLED * (scalars[SPEED] + low + high);
    for (let n = 0; n < MOST_VALUES; n++) {
      // where the tangents meet, the function is not below them
      const t = (high - low + downhill * a - uphill * b) / (downhill - uphill);
      const bound = low + downhill * (t - a);
      if (bound >= scalars[LEAST] - fine || !(t > a && t < b)) return;
      s[0] = n % 4 === 3 ? 0.5 * (a + b) : t;
      this.evaluate(f, g);
      this.keepLeast();
      if (value[0] === 0 || value[0] - bound <= fine) return;
      if (value[1] < 0) {
        a = s[0];
        low = value[0];
        downhill = value[1];
      } else {
        b = s[0];
        high = value[0];
        uphill = value[1];
      }
    }
  }

  private keepLeast(): void {
    const { scalars, value, swept, s } = this;
    if (!(value[0] < scalars[LEAST])) return;
    scalars[LEAST] = value[0];
    swept[1] = s[0];
  }
}
