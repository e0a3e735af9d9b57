/**
 * Penetration depth of two overlapping cores: the distance of the origin from the surface of C = A
 * − B. The tetrahedron of the portal search grows to a polytope inside C, always by the support
 * point beyond its face nearest to the origin. That face is never farther away than the surface,
 * and the support point never nearer, so the depth lies between two bounds (van den Bergen 2001).
 * Between polytopes the bounds meet after finitely many steps. On curved surfaces the Newton
 * refinement gives the depth at the nearest spot, and the bounds only decide which spot that is.
 */
import { copyWitness } from './gjk.ts';
import { type MinkowskiDifference, Vertices, Witness } from './minkowski.ts';
import { crossEdges, PortalSearch } from './mpr.ts';
import { Polish } from './polish.ts';

/** Largest number of support points: polytopes need about 25, curved cores 60. */
export const EXPANSION_VERTICES = 160;
const FACES = 2 * EXPANSION_VERTICES + 64;
/** Rounding of a support point relative to the scale, with a safety factor. */
const ROUNDING = 2e-15;
/** Faces across the edges of the four faces of the first tetrahedron. */
const TETRAHEDRON = Int32Array.of(1, 2, 3, 2, 0, 3, 3, 0, 1, 1, 0, 2);
/** Difference from 1 of the cosine between normals below which faces lie in one plane. */
const SAME_PLANE = 1e-12;
/** Distance of a face from the surface, relative to the scale, at which the face gives the depth. */
const SETTLED = 1e-13;
/** Relative distance below which two support points are one. */
const SAME_POINT = 1e-10;
/** Relative difference of depth below which two spots of a curved surface count as equally deep. */
const EQUALLY_DEEP = 1e-5;
/** Relative accuracy of a face at which refinement starts; each failure requires a tenth of it. */
const FIRST_TRY = 0.02;

/** Work space of the expansion. */
export class Expansion {
  /** Support points of the last run, including the portal search. */
  iterations = 0;
  private readonly space: MinkowskiDifference;
  private readonly vertices: Vertices = new Vertices(EXPANSION_VERTICES);
  private readonly portal: PortalSearch;
  private readonly polish: Polish;
  private readonly curved: boolean;
  private count = 0;
  /** Slots of faces, including holes; a hole has an infinite offset. */
  private faceCount = 0;
  private readonly corners: Int32Array = new Int32Array(3 * FACES); // counter-clockwise seen from outside
  /** Face across the edge from corner k to corner k + 1. */
  private readonly neighbours: Int32Array = new Int32Array(3 * FACES);
  /** Outward unit normal of each face, its distance from the origin, and the effect of rounding at its far end. */
  private readonly normals: Float64Array = new Float64Array(3 * FACES);
  private readonly offsets: Float64Array = new Float64Array(FACES);
  private readonly slack: Float64Array = new Float64Array(FACES);
  /** 1 while a face is part of the surface. */
  private readonly alive: Uint8Array = new Uint8Array(FACES);
  private readonly free: Int32Array = new Int32Array(FACES);
  private freeCount = 0;
  private readonly stack: Int32Array = new Int32Array(3 * FACES);
  /** Horizon edges: from, to, face beyond. */
  private readonly horizon: Int32Array = new Int32Array(3 * FACES);
  private edges = 0;
  /** New face that begins at a vertex of the horizon, −1 for none. */
  private readonly begins: Int32Array = new Int32Array(EXPANSION_VERTICES);
  private readonly direction: Float64Array = new Float64Array(3);
  private readonly weight: Float64Array = new Float64Array(3);
  private readonly inside: Float64Array = new Float64Array(1);
  /** [least upper bound of the depth] */
  private readonly bound: Float64Array = new Float64Array(1);

  constructor(space: MinkowskiDifference) {
    this.space = space;
    this.portal = new PortalSearch(space, this.vertices);
    this.polish = new Polish(space);
    this.curved = space.coreA.curved || space.coreB.curved;
  }

  /**
   * Computes the depth. @returns whether it was found; the witness then has a distance <= 0 up to
   * rounding @alloc none
   */
  run(witness: Witness): boolean {
    const inside = this.portal.run();
    this.iterations = this.portal.iterations;
    if (!inside) return false;
    this.start();
    const { space, vertices, direction, offsets, normals, bound } = this;
    const w = vertices.w;
    const scale = space.scale[0];
    let tryAt = FIRST_TRY * scale;
    let spare = Number.POSITIVE_INFINITY;
    bound[0] = Number.POSITIVE_INFINITY;
    while (this.count < EXPANSION_VERTICES) {
      const nearest = this.nearestFace();
      if (nearest < 0) break;
      const depth = offsets[nearest];
      if (bound[0] - depth <= EQUALLY_DEEP * scale) break;
      for (let k = 0; k < 3; k++) direction[k] = -normals[3 * nearest + k];
      const at = this.count;
      space.support(direction, vertices, at);
      this.iterations++;
      const reach = -(
        direction[0] * w[3 * at] +
        direction[1] * w[3 * at + 1] +
        direction[2] * w[3 * at + 2]
      );
      const gain = reach - depth;
      if (this.curved && gain <= tryAt && this.touches(nearest)) {
        if (!this.refine(nearest, witness)) tryAt = 0.1 * gain;
      }
      if (gain > this.slack[nearest] && this.isNew(at) && this.grow(nearest, at)) continue;
      // rounding stops this face here; a thin face is inaccurate, and its neighbours may be better
      if (gain <= SETTLED * scale) {
        if (reach < bound[0]) this.report(nearest, witness);
        bound[0] = Math.min(bound[0], reach);
      } else if (reach < spare) {
        if (bound[0] === Number.POSITIVE_INFINITY) this.report(nearest, witness);
        spare = reach;
        if (this.curved && this.touches(nearest)) this.refine(nearest, witness);
      }
      offsets[nearest] = Number.POSITIVE_INFINITY;
    }
    if (bound[0] < Number.POSITIVE_INFINITY) return true;
    const nearest = this.nearestFace();
    if (nearest < 0) return spare < Number.POSITIVE_INFINITY;
    this.report(nearest, witness);
    return true;
  }

  /** Starts with the tetrahedron as four outward faces. */
  private start(): void {
    this.count = 4;
    this.faceCount = 0;
    this.freeCount = 0;
    const w = this.vertices.w;
    crossEdges(this.direction, w, 1, 2, 3);
    const d = this.direction;
    const outwards = d[0] * (w[3] - w[0]) + d[1] * (w[4] - w[1]) + d[2] * (w[5] - w[2]) > 0;
    const b = outwards ? 2 : 3;
    const c = outwards ? 3 : 2;
    this.addFace(1, b, c);
    this.addFace(0, b, 1);
    this.addFace(0, c, b);
    this.addFace(0, 1, c);
    this.neighbours.set(TETRAHEDRON);
  }

  private addFace(a: number, b: number, c: number): number {
    const f = this.freeCount > 0 ? this.free[--this.freeCount] : this.faceCount++;
    const { corners, normals, offsets, direction: n } = this;
    const w = this.vertices.w;
    corners[3 * f] = a;
    corners[3 * f + 1] = b;
    corners[3 * f + 2] = c;
    this.alive[f] = 1;
    if (!crossEdges(n, w, a, b, c)) {
      // a sliver has no normal; its neighbours cover its place
      for (let k = 0; k < 3; k++) normals[3 * f + k] = 0;
      offsets[f] = Number.POSITIVE_INFINITY;
      this.slack[f] = -1;
      return f;
    }
    let longest = 0; // edge
    for (let k = 0; k < 3; k++) {
      const p = 3 * corners[3 * f + k];
      const q = 3 * corners[3 * f + ((k + 1) % 3)];
      const x = w[q] - w[p];
      const y = w[q + 1] - w[p + 1];
      const z = w[q + 2] - w[p + 2];
      longest = Math.max(longest, x * x + y * y + z * z);
    }
    const k = 1 / Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    normals[3 * f] = k * n[0];
    normals[3 * f + 1] = k * n[1];
    normals[3 * f + 2] = k * n[2];
    offsets[f] = k * (n[0] * w[3 * a] + n[1] * w[3 * a + 1] + n[2] * w[3 * a + 2]);
    // rounding at a height of longest²·k above the longest edge turns the normal by
    // rounding/height, over a reach of the scale
    const scale = this.space.scale[0];
    this.slack[f] = ROUNDING * scale * (1 + scale * Math.sqrt(longest) * k);
    return f;
  }

  private nearestFace(): number {
    const { offsets } = this;
    let best = -1;
    for (let f = 0; f < this.faceCount; f++) {
      if (best < 0 ? offsets[f] < Number.POSITIVE_INFINITY : offsets[f] < offsets[best]) best = f;
    }
    return best;
  }

  /** Whether all corners of a face are support points. */
  private touches(f: number): boolean {
    const { corners, vertices } = this;
    return (
      vertices.patchA[corners[3 * f]] >= 0 &&
      vertices.patchA[corners[3 * f + 1]] >= 0 &&
      vertices.patchA[corners[3 * f + 2]] >= 0
    );
  }

  /**
   * Joins the new vertex to the horizon of the faces visible from it, starting at face `seed`.
   * @returns false, with nothing changed, when rounding leaves no clean horizon
   */
  private grow(seed: number, at: number): boolean {
    const { corners, neighbours, alive, stack, horizon, begins } = this;
    this.edges = 0;
    let stacked = 1;
    let seen = 0;
    stack[0] = seed;
    alive[seed] = 0;
    // the stack holds every visible face; `seen` counts those with examined neighbours
    while (seen < stacked) {
      const f = stack[seen++];
      for (let k = 0; k < 3; k++) {
        const beyond = neighbours[3 * f + k];
        if (alive[beyond] === 0) continue;
        if (this.sees(beyond, at)) {
          alive[beyond] = 0;
          stack[stacked++] = beyond;
        }
      }
    }
    for (let v = 0; v < at; v++) begins[v] = -1;
    let clean = true;
    for (let s = 0; s < stacked; s++) {
      const f = stack[s];
      for (let k = 0; k < 3; k++) {
        const beyond = neighbours[3 * f + k];
        if (alive[beyond] === 0) continue;
        const from = corners[3 * f + k];
        if (begins[from] >= 0) clean = false;
        begins[from] = this.edges;
        horizon[3 * this.edges] = from;
        horizon[3 * this.edges + 1] = corners[3 * f + ((k + 1) % 3)];
        horizon[3 * this.edges + 2] = beyond;
        this.edges++;
      }
    }
    for (let e = 0; e < this.edges; e++) if (begins[horizon[3 * e + 1]] < 0) clean = false;
    if (!clean || this.edges < 3 || this.faceCount + this.edges > FACES) {
      for (let s = 0; s < stacked; s++) alive[stack[s]] = 1;
      return false;
    }
    this.count++;
    for (let s = 0; s < stacked; s++) {
      this.offsets[stack[s]] = Number.POSITIVE_INFINITY;
      this.free[this.freeCount++] = stack[s];
    }
    this.close(at);
    return true;
  }

  /** Closes the hull with a fan of faces from the horizon to the new vertex. */
  private close(at: number): void {
    const { neighbours, corners, horizon, begins } = this;
    for (let e = 0; e < this.edges; e++) {
      const from = horizon[3 * e];
      const beyond = horizon[3 * e + 2];
      const f = this.addFace(from, horizon[3 * e + 1], at);
      begins[from] = f;
      neighbours[3 * f] = beyond;
      for (let k = 0; k < 3; k++) {
        if (
          corners[3 * beyond + ((k + 1) % 3)] === from &&
          corners[3 * beyond + k] === horizon[3 * e + 1]
        )
          neighbours[3 * beyond + k] = f;
      }
    }
    for (let e = 0; e < this.edges; e++) {
      const f = begins[horizon[3 * e]];
      const next = begins[horizon[3 * e + 1]];
      neighbours[3 * f + 1] = next;
      neighbours[3 * next + 2] = f;
    }
  }

  /** Whether a support point equals no vertex. */
  private isNew(at: number): boolean {
    const w = this.vertices.w;
    const least = SAME_POINT * this.space.scale[0];
    for (let k = 0; k < at; k++) {
      const x = w[3 * k] - w[3 * at];
      const y = w[3 * k + 1] - w[3 * at + 1];
      const z = w[3 * k + 2] - w[3 * at + 2];
      if (x * x + y * y + z * z <= least * least) return false;
    }
    return true;
  }

  /** Whether a face is visible from a vertex. A sliver counts like the neighbour from which it was reached. */
  private sees(f: number, at: number): boolean {
    const { normals } = this;
    if (this.slack[f] < 0) return true;
    const w = this.vertices.w;
    const corner = 3 * this.corners[3 * f];
    const height =
      normals[3 * f] * (w[3 * at] - w[corner]) +
      normals[3 * f + 1] * (w[3 * at + 1] - w[corner + 1]) +
      normals[3 * f + 2] * (w[3 * at + 2] - w[corner + 2]);
    return height > this.slack[f];
  }

  /**
   * Barycentric coordinates of the foot of the origin in a face, clamped to it; `inside` gets the
   * least unclamped one.
   */
  private weigh(f: number): void {
    const { corners, normals, weight, inside } = this;
    const w = this.vertices.w;
    let sum = 0;
    let all = 0;
    inside[0] = Number.POSITIVE_INFINITY;
    for (let k = 0; k < 3; k++) {
      const q = 3 * corners[3 * f + ((k + 1) % 3)];
      const r = 3 * corners[3 * f + ((k + 2) % 3)];
      const area =
        normals[3 * f] * (w[q + 1] * w[r + 2] - w[q + 2] * w[r + 1]) +
        normals[3 * f + 1] * (w[q + 2] * w[r] - w[q] * w[r + 2]) +
        normals[3 * f + 2] * (w[q] * w[r + 1] - w[q + 1] * w[r]);
      all += area;
      if (area < inside[0]) inside[0] = area;
      weight[k] = area > 0 ? area : 0;
      sum += weight[k];
    }
    inside[0] /= all;
    if (sum > 0) for (let k = 0; k < 3; k++) weight[k] /= sum;
    else weight[0] = 1;
  }

  /**
   * The face in the plane of face f that contains the foot of the origin. A flat side of C consists
   * of several faces.
   */
  private faceOfFoot(f: number): number {
    const { normals, alive, slack, inside, corners } = this;
    const w = this.vertices.w;
    const p = 3 * corners[3 * f];
    this.weigh(f);
    let best = f;
    let most = inside[0];
    for (let g = 0; g < this.faceCount && most < 0; g++) {
      if (alive[g] === 0) continue;
      let cosine = 0;
      let height = 0;
      const q = 3 * corners[3 * g];
      for (let k = 0; k < 3; k++) {
        cosine += normals[3 * f + k] * normals[3 * g + k];
        height += normals[3 * f + k] * (w[q + k] - w[p + k]);
      }
      if (cosine < 1 - SAME_PLANE || Math.abs(height) > slack[f] + slack[g]) continue;
      this.weigh(g);
      if (!(inside[0] > most)) continue;
      most = inside[0];
      best = g;
    }
    return best;
  }

  private report(nearest: number, witness: Witness): void {
    const { corners, normals, vertices, weight } = this;
    const f = this.faceOfFoot(nearest);
    this.weigh(f);
    const p = 3 * corners[3 * nearest];
    witness.distance[0] = 0;
    for (let k = 0; k < 3; k++) {
      witness.distance[0] -= normals[3 * nearest + k] * vertices.w[p + k];
      witness.normal[k] = -normals[3 * nearest + k];
      let a = 0;
      let b = 0;
      for (let m = 0; m < 3; m++) {
        a += weight[m] * vertices.a[3 * corners[3 * f + m] + k];
        b += weight[m] * vertices.b[3 * corners[3 * f + m] + k];
      }
      witness.a[k] = a;
      witness.b[k] = b;
    }
    if (!this.curved) return;
    this.space.sharpen(witness, vertices, corners[3 * f], corners[3 * f + 1], corners[3 * f + 2]);
  }

  /** Refines the spot near a face and stores it when it is the shallowest so far. @returns whether it was confirmed */
  private refine(f: number, witness: Witness): boolean {
    const { polish, direction, corners, bound } = this;
    this.weigh(f);
    polish.begin(direction);
    for (let m = 0; m < 3; m++) polish.add(this.vertices, corners[3 * f + m], this.weight, m);
    if (!polish.run()) return false;
    const depth = -polish.witness.distance[0];
    if (depth < bound[0]) {
      bound[0] = depth;
      copyWitness(witness, polish.witness);
    }
    return true;
  }
}
