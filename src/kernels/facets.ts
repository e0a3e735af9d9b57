/**
 * The walk along the front of two bodies of facets: pairs of facets whose closest corners and edges of before still have them. The reference
 * modules are src/proximity/facet-query.ts (`repeat`) and facet-witness.ts; the arithmetic is theirs, operation by operation. It ends at the
 * first entry that needs a search.
 */
import {
  APART,
  CLEAR,
  CORNER_BITS,
  CORNER_EDGE,
  CORNER_FACE,
  CORNER_MASK,
  CORNERS,
  DIRECTION,
  DISTANCE,
  EDGE_CORNER,
  EDGES,
  EXAMINED,
  FACE_CORNER,
  FOUND,
  INNER,
  KIND_BITS,
  LEAST,
  LENGTH,
  LEVEL,
  LIMIT,
  MOVED,
  NO_GUESS,
  PARALLEL,
  POINT_A,
  POINT_B,
  POSE,
  REFUSED,
  SCALE,
} from '../proximity/witness-slots';
import { Doubles, Integers } from './columns';

/** The facets of a body: columns of src/shapes/facets.ts. */
@unmanaged
@final
class Surface {
  first: Integers;
  corners: Integers;
  edges: Integers;
  cornerPoints: Doubles;
  normals: Doubles;
  offsets: Doubles;
  sides: Doubles;
  inverseSquares: Doubles;
  sizes: Doubles;
  vertexCount: i32;
  edgeCount: i32;
  /** Facet of each node of the tree. */
  facet: Integers;
}

/** Where front, bodies and results lie. */
@unmanaged
@final
class Walk {
  a: Surface;
  b: Surface;
  /** Pose of A in the frame of B. */
  rotation: Doubles;
  origin: Doubles;
  /** Corners of A there, and at which pose. */
  placed: Doubles;
  placedAt: Integers;
  nodesA: Integers;
  nodesB: Integers;
  budgets: Doubles;
  guesses: Integers;
  facetsA: Integers;
  facetsB: Integers;
  featuresA: Integers;
  featuresB: Integers;
  distances: Doubles;
  pointsA: Doubles;
  pointsB: Doubles;
  directions: Doubles;
  numbers: Doubles;
  counts: Integers;
  /** Result, normal of the facet of A, and both features of the pair that is examined. */
  result: Doubles;
  normal: Doubles;
  features: Integers;
  room: i32;
}

/** Entries of a front that are compared at a time. */
const FOUR = 4;

// of the pair that is examined
let fromA = 0;
let endA = 0;
let fromB = 0;
let endB = 0;
let onA = 0.0;
let onB = 0.0;
let overA = 0.0;
let overB = 0.0;
let sine = 0.0;
let kept = 0.0;
let clearBy = 0.0;

/** From an entry on; the first one that needs a search, or the length of the front. */
export function walkFront(walk: Walk, from: i32): i32 {
  const budgets = walk.budgets;
  const counts = walk.counts;
  const limit = walk.numbers[LIMIT];
  const least = walk.numbers[LEAST];
  const moved = walk.numbers[MOVED];
  const length = counts[LENGTH];
  const all = f64x2.splat(least);
  for (let n = from; n < length; n++) {
    while (n + FOUR <= length && areFar(budgets, n, all)) n += FOUR;
    if (n == length) break;
    if (budgets[n] >= least) continue;
    const guess = walk.guesses[n];
    if (guess == NO_GUESS) return n;
    const i = walk.a.facet[walk.nodesA[n]];
    const j = walk.b.facet[walk.nodesB[n]];
    if (!isClear(walk, i, j, guess)) return n;
    counts[EXAMINED] = counts[EXAMINED] + 1;
    const distance = walk.result[DISTANCE];
    budgets[n] = distance + moved;
    if (distance < limit) take(walk, i, j);
  }
  return length;
}

/** Whether none of four entries may be within the limit: most of a front is not. */
function areFar(budgets: Doubles, n: i32, least: v128): bool {
  const at = changetype<usize>(budgets) + ((<usize>n) << 3);
  const two = f64x2.ge(v128.load(at), least);
  return v128.all_true<i64>(v128.and(two, f64x2.ge(v128.load(at, 16), least)));
}

/** Takes the pair that was examined. */
function take(walk: Walk, i: i32, j: i32): void {
  const counts = walk.counts;
  const at = counts[FOUND];
  if (at == walk.room) {
    counts[REFUSED] = counts[REFUSED] + 1;
    return;
  }
  counts[FOUND] = at + 1;
  walk.facetsA[at] = i;
  walk.facetsB[at] = j;
  walk.featuresA[at] = walk.features[0];
  walk.featuresB[at] = walk.features[1];
  const result = walk.result;
  walk.distances[at] = result[DISTANCE];
  const o = 3 * at;
  for (let a = 0; a < 3; a++) {
    walk.pointsA[o + a] = result[POINT_A + a];
    walk.pointsB[o + a] = result[POINT_B + a];
    walk.directions[o + a] = result[DIRECTION + a];
  }
}

/** Puts the corners of facet i where A stands, once for each pose. */
function place(walk: Walk, i: i32): void {
  const pose = walk.counts[POSE];
  if (walk.placedAt[i] == pose) return;
  walk.placedAt[i] = pose;
  const r = walk.rotation;
  const origin = walk.origin;
  const v = walk.a.cornerPoints;
  const placed = walk.placed;
  for (let o = fromA; o < endA; o += 3) {
    const x = v[o];
    const y = v[o + 1];
    const z = v[o + 2];
    placed[o] = r[0] * x + r[1] * y + r[2] * z + origin[0];
    placed[o + 1] = r[3] * x + r[4] * y + r[5] * z + origin[1];
    placed[o + 2] = r[6] * x + r[7] * y + r[8] * z + origin[2];
  }
}

/** Writes the witness of a guess; whether it is the closest one beyond doubt. */
function isClear(walk: Walk, i: i32, j: i32, guess: i32): bool {
  const a = walk.a;
  const b = walk.b;
  const kind = guess & ((1 << KIND_BITS) - 1);
  // the corner of a body whose face has the witness stands for nothing
  const atA = kind == FACE_CORNER ? 0 : (guess >> KIND_BITS) & CORNER_MASK;
  const atB = kind == CORNER_FACE ? 0 : (guess >> (KIND_BITS + CORNER_BITS)) & CORNER_MASK;
  fromA = 3 * a.first[i];
  endA = 3 * a.first[i + 1];
  fromB = 3 * b.first[j];
  endB = 3 * b.first[j + 1];
  place(walk, i);
  const cornerA = a.first[i] + atA;
  const cornerB = b.first[j] + atB;
  const k = 3 * cornerA;
  const o = 3 * cornerB;
  overA = a.inverseSquares[cornerA];
  overB = b.inverseSquares[cornerB];
  if (kind == CORNER_FACE) writeCornerFace(walk, j, k);
  else if (kind == FACE_CORNER) writeFaceCorner(walk, i, o);
  else if (kind == EDGES) writeEdges(walk, k, o);
  else writeCorner(walk, kind, k, o);
  const d = walk.result[DISTANCE];
  const size = a.sizes[i] + b.sizes[j];
  clearBy = CLEAR * LEVEL * size;
  kept = INNER * (d * d + size * size);
  if (!(d > APART * walk.numbers[SCALE])) return false;
  const features = walk.features;
  if (kind == CORNER_FACE) {
    features[0] = a.corners[cornerA];
    features[1] = b.vertexCount + b.edgeCount + j;
    return isOverB(walk, j) && clearsA(walk, 1);
  }
  if (kind == FACE_CORNER) {
    features[0] = a.vertexCount + a.edgeCount + i;
    features[1] = b.corners[cornerB];
    return isOverA(walk, i) && clearsB(walk, 1);
  }
  const hasEdgeA = kind == EDGES || kind == EDGE_CORNER;
  const hasEdgeB = kind == EDGES || kind == CORNER_EDGE;
  features[0] = hasEdgeA ? a.vertexCount + a.edges[cornerA] : a.corners[cornerA];
  features[1] = hasEdgeB ? b.vertexCount + b.edges[cornerB] : b.corners[cornerB];
  if (hasEdgeA && !isWithin(onA, overA)) return false;
  if (hasEdgeB && !isWithin(onB, overB)) return false;
  if (kind == EDGES && !(sine > CLEAR * PARALLEL)) return false;
  return clearsA(walk, hasEdgeA ? 2 : 1) && clearsB(walk, hasEdgeB ? 2 : 1);
}

function writeCornerFace(walk: Walk, j: i32, o: i32): void {
  const out = walk.result;
  const n = walk.b.normals;
  const p = walk.placed;
  const x = n[3 * j];
  const y = n[3 * j + 1];
  const z = n[3 * j + 2];
  const h = x * p[o] + y * p[o + 1] + z * p[o + 2] - walk.b.offsets[j];
  const sign = h < 0 ? -1.0 : 1.0;
  out[DISTANCE] = h < 0 ? -h : h;
  out[POINT_A] = p[o];
  out[POINT_A + 1] = p[o + 1];
  out[POINT_A + 2] = p[o + 2];
  out[DIRECTION] = sign * x;
  out[DIRECTION + 1] = sign * y;
  out[DIRECTION + 2] = sign * z;
  followA(out);
}

function writeFaceCorner(walk: Walk, i: i32, o: i32): void {
  const out = walk.result;
  const n = walk.normal;
  const v = walk.b.cornerPoints;
  const origin = walk.origin;
  turn(walk.rotation, walk.a.normals, 3 * i, n);
  const offset = walk.a.offsets[i] + n[0] * origin[0] + n[1] * origin[1] + n[2] * origin[2];
  const h = n[0] * v[o] + n[1] * v[o + 1] + n[2] * v[o + 2] - offset;
  const sign = h < 0 ? 1.0 : -1.0;
  out[DISTANCE] = h < 0 ? -h : h;
  out[DIRECTION] = sign * n[0];
  out[DIRECTION + 1] = sign * n[1];
  out[DIRECTION + 2] = sign * n[2];
  takeCornerOfB(out, v, o);
}

function takeCornerOfB(out: Doubles, v: Doubles, o: i32): void {
  const d = out[DISTANCE];
  for (let a = 0; a < 3; a++) {
    out[POINT_B + a] = v[o + a];
    out[POINT_A + a] = v[o + a] + d * out[DIRECTION + a];
  }
}

/** POINT_B under POINT_A. */
function followA(out: Doubles): void {
  const d = out[DISTANCE];
  for (let a = 0; a < 3; a++) out[POINT_B + a] = out[POINT_A + a] - d * out[DIRECTION + a];
}

function afterA(k: i32): i32 {
  return k + 3 == endA ? fromA : k + 3;
}

function afterB(o: i32): i32 {
  return o + 3 == endB ? fromB : o + 3;
}

function writeEdges(walk: Walk, k: i32, o: i32): void {
  const out = walk.result;
  const p = walk.placed;
  const v = walk.b.cornerPoints;
  const m = afterA(k);
  const w = afterB(o);
  const dx = p[m] - p[k];
  const dy = p[m + 1] - p[k + 1];
  const dz = p[m + 2] - p[k + 2];
  const ex = v[w] - v[o];
  const ey = v[w + 1] - v[o + 1];
  const ez = v[w + 2] - v[o + 2];
  const rx = p[k] - v[o];
  const ry = p[k + 1] - v[o + 1];
  const rz = p[k + 2] - v[o + 2];
  const ab = dx * ex + dy * ey + dz * ez;
  const ar = dx * rx + dy * ry + dz * rz;
  const er = ex * rx + ey * ry + ez * rz;
  const alongA = ab * overA;
  const alongB = ab * overB;
  sine = 1 - alongA * alongB;
  let s = sine > 0 ? (alongA * (er * overB) - ar * overA) / sine : 0.0;
  if (s < 0) s = 0;
  else if (s > 1) s = 1;
  let t = alongB * s + er * overB;
  if (t < 0) t = 0;
  else if (t > 1) t = 1;
  onA = s;
  onB = t;
  out[POINT_A] = p[k] + s * dx;
  out[POINT_A + 1] = p[k + 1] + s * dy;
  out[POINT_A + 2] = p[k + 2] + s * dz;
  out[POINT_B] = v[o] + t * ex;
  out[POINT_B + 1] = v[o + 1] + t * ey;
  out[POINT_B + 2] = v[o + 2] + t * ez;
  const x = rx + s * dx - t * ex;
  const y = ry + s * dy - t * ey;
  const z = rz + s * dz - t * ez;
  const square = x * x + y * y + z * z;
  const distance = Math.sqrt(square);
  out[DISTANCE] = distance;
  const cx = dy * ez - dz * ey;
  const cy = dz * ex - dx * ez;
  const cz = dx * ey - dy * ex;
  const cc = cx * cx + cy * cy + cz * cz;
  const across = cc * overA * overB > PARALLEL;
  const divisor = across ? Math.sqrt(cc) : distance;
  let length = divisor > 0 ? 1 / divisor : 0.0;
  if (across && cx * x + cy * y + cz * z < 0) length = -length;
  out[DIRECTION] = length * (across ? cx : x);
  out[DIRECTION + 1] = length * (across ? cy : y);
  out[DIRECTION + 2] = length * (across ? cz : z);
}

function writeCorner(walk: Walk, kind: i32, k: i32, o: i32): void {
  const out = walk.result;
  const p = walk.placed;
  const v = walk.b.cornerPoints;
  let x = p[k] - v[o];
  let y = p[k + 1] - v[o + 1];
  let z = p[k + 2] - v[o + 2];
  if (kind != CORNERS) {
    const isEdgeOfB = kind == CORNER_EDGE;
    const from = isEdgeOfB ? o : k;
    const to = isEdgeOfB ? afterB(o) : afterA(k);
    const q = isEdgeOfB ? v : p;
    const ex = q[to] - q[from];
    const ey = q[to + 1] - q[from + 1];
    const ez = q[to + 2] - q[from + 2];
    const along = ex * x + ey * y + ez * z;
    let t = isEdgeOfB ? along * overB : -along * overA;
    if (isEdgeOfB) onB = t;
    else onA = t;
    sine = 1;
    if (t < 0) t = 0;
    else if (t > 1) t = 1;
    if (isEdgeOfB) t = -t;
    x += t * ex;
    y += t * ey;
    z += t * ez;
  }
  const distance = Math.sqrt(x * x + y * y + z * z);
  const length = distance > 0 ? 1 / distance : 0.0;
  out[DISTANCE] = distance;
  out[DIRECTION] = length * x;
  out[DIRECTION + 1] = length * y;
  out[DIRECTION + 2] = length * z;
  if (kind == EDGE_CORNER) {
    takeCornerOfB(out, v, o);
    return;
  }
  for (let a = 0; a < 3; a++) out[POINT_A + a] = p[k + a];
  followA(out);
}

/** Whether the place along an edge keeps off its ends. */
function isWithin(t: f64, over: f64): bool {
  const off = t < 0.5 ? t : 1 - t;
  return off > 0 && sine * off * off > kept * over;
}

/** Whether POINT_A lies over the facet of B and keeps off its sides. */
function isOverB(walk: Walk, j: i32): bool {
  const q = walk.result;
  const s = walk.b.sides;
  const v = walk.b.cornerPoints;
  const over = walk.b.inverseSquares;
  const x = q[POINT_A];
  const y = q[POINT_A + 1];
  const z = q[POINT_A + 2];
  let c = walk.b.first[j];
  for (let o = fromB; o < endB; o += 3, c++) {
    const inside = s[o] * (x - v[o]) + s[o + 1] * (y - v[o + 1]) + s[o + 2] * (z - v[o + 2]);
    if (!(inside > 0 && inside * inside * over[c] > kept)) return false;
  }
  return true;
}

/** Whether POINT_B lies over the facet of A, and keeps off its sides. */
function isOverA(walk: Walk, i: i32): bool {
  const q = walk.result;
  const p = walk.placed;
  const r = walk.rotation;
  const own = walk.a.sides;
  const over = walk.a.inverseSquares;
  const x = q[POINT_B];
  const y = q[POINT_B + 1];
  const z = q[POINT_B + 2];
  let c = walk.a.first[i];
  for (let o = fromA; o < endA; o += 3, c++) {
    turn(r, own, o, walk.normal);
    const s = walk.normal;
    const inside = s[0] * (x - p[o]) + s[1] * (y - p[o + 1]) + s[2] * (z - p[o + 2]);
    if (!(inside > 0 && inside * inside * over[c] > kept)) return false;
  }
  return true;
}

/** Whether all corners of A but as many as have the witness are above POINT_A along the direction. */
function clearsA(walk: Walk, count: i32): bool {
  const q = walk.result;
  const p = walk.placed;
  const x = q[DIRECTION];
  const y = q[DIRECTION + 1];
  const z = q[DIRECTION + 2];
  const least = x * q[POINT_A] + y * q[POINT_A + 1] + z * q[POINT_A + 2] + clearBy;
  let above = 3 * count;
  for (let o = fromA; o < endA; o += 3)
    above += x * p[o] + y * p[o + 1] + z * p[o + 2] > least ? 3 : 0;
  return above == endA - fromA;
}

/** Whether all corners of B but as many as have the witness are below POINT_B. */
function clearsB(walk: Walk, count: i32): bool {
  const q = walk.result;
  const v = walk.b.cornerPoints;
  const x = q[DIRECTION];
  const y = q[DIRECTION + 1];
  const z = q[DIRECTION + 2];
  const most = x * q[POINT_B] + y * q[POINT_B + 1] + z * q[POINT_B + 2] - clearBy;
  let below = 3 * count;
  for (let o = fromB; o < endB; o += 3)
    below += x * v[o] + y * v[o + 1] + z * v[o + 2] < most ? 3 : 0;
  return below == endB - fromB;
}

/** out := R x[at..]. */
function turn(r: Doubles, from: Doubles, at: i32, out: Doubles): void {
  const x = from[at];
  const y = from[at + 1];
  const z = from[at + 2];
  out[0] = r[0] * x + r[1] * y + r[2] * z;
  out[1] = r[3] * x + r[4] * y + r[5] * z;
  out[2] = r[6] * x + r[7] * y + r[8] * z;
}
