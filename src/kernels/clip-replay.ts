/**
 * The clip of two polytopes done once more from its tape: placement in the frame of the cutter, corners, sums, depth, and the column in the
 * world. Equations stand in the reference modules src/overlap/clip.ts, clip-tape.ts, clip-moments.ts and kernels/world-column.ts; the
 * arithmetic is theirs, operation by operation. Whatever is not a replay is left to them.
 */
import { CLEAR_DIRECTION, NOISE } from '../overlap/clip-limits';
import {
  AREA_AT,
  CENTROID_AT,
  ERROR_AT,
  GAP_AT,
  SECOND_AT,
  VECTOR_AREA_AT,
  VOLUME_AT,
} from '../overlap/column-slots';
import { BALL_AT, CUT_HEAD, FIRST, LEFT, LIST_HEAD, NEAR, REPLAYS } from '../overlap/tape-slots';
import { Doubles, Integers } from './columns';

/** Two polytopes: the one that is cut, and the one whose planes cut. */
@unmanaged
@final
export class Clip {
  corners: Doubles;
  /** Numbers of the corners. */
  cornerNumbers: i32;
  center: Doubles;
  planes: Doubles;
  faces: i32;
  cutterCenter: Doubles;
  /** [radius of the subject, radius of the cutter] */
  radii: Doubles;
  /** 1 where the cutter is bounded. */
  bounded: i32;
  /** 1 where body i is cut. */
  cutsI: i32;
  /** Corners at work, four numbers each. */
  points: Doubles;
}

/** Slot of the origin of a placement. */
const ORIGIN = 9;

// work space
const POSE = changetype<Doubles>(memory.data(96, 8));
const BALL = changetype<Doubles>(memory.data(32, 8));
const SUMS = changetype<Doubles>(memory.data(128, 8));

/** The column of the overlap at these placements by the tape; false where a clip is due, or the overlap nearly nothing. */
export function replayClip(
  clip: Clip,
  placementI: Doubles,
  placementJ: Doubles,
  list: Integers,
  head: Integers,
  column: Doubles,
): bool {
  if (head[NEAR] < 0) return false;
  const subject = clip.cutsI != 0 ? placementI : placementJ;
  const cutter = clip.cutsI != 0 ? placementJ : placementI;
  place(subject, cutter);
  const center = clip.center;
  const mx = POSE[0] * center[0] + POSE[1] * center[1] + POSE[2] * center[2] + POSE[9];
  const my = POSE[3] * center[0] + POSE[4] * center[1] + POSE[5] * center[2] + POSE[10];
  const mz = POSE[6] * center[0] + POSE[7] * center[1] + POSE[8] * center[2] + POSE[11];
  const radius = clip.radii[0];
  if (clip.bounded != 0) {
    const c = clip.cutterCenter;
    const x = mx - c[0];
    const y = my - c[1];
    const z = mz - c[2];
    if (Math.sqrt(x * x + y * y + z * z) - radius - clip.radii[1] > 0) return false;
  }
  if (!fits(clip, list, head, mx, my, mz)) return false;
  placeCorners(clip);
  if (!replay(clip, list, head)) return false;
  sum(clip.points, list, head[LEFT]);
  const size = radius + (clip.bounded != 0 ? clip.radii[1] : 0.0);
  if (!(SUMS[VOLUME_AT] > 4.0 * NOISE * size * radius * radius)) return false;
  const ax = SUMS[VECTOR_AREA_AT];
  const ay = SUMS[VECTOR_AREA_AT + 1];
  const az = SUMS[VECTOR_AREA_AT + 2];
  const length = Math.sqrt(ax * ax + ay * ay + az * az);
  const square = SUMS[VOLUME_AT] * SUMS[VOLUME_AT];
  if (!(length * length * length > CLEAR_DIRECTION * square)) return false;
  SUMS[GAP_AT] = extent(clip.points, list, head[LEFT], ax / length, ay / length, az / length);
  const sign = clip.cutsI != 0 ? 1.0 : -1.0;
  const sx = sign * ax;
  const sy = sign * ay;
  const sz = sign * az;
  SUMS[VECTOR_AREA_AT] = sx;
  SUMS[VECTOR_AREA_AT + 1] = sy;
  SUMS[VECTOR_AREA_AT + 2] = sz;
  SUMS[AREA_AT] = Math.sqrt(sx * sx + sy * sy + sz * sz);
  writeWorld(cutter, column);
  head[REPLAYS] = head[REPLAYS] + 1;
  return true;
}

/** Placement of the subject in the frame of the cutter. */
function place(subject: Doubles, cutter: Doubles): void {
  const dx = subject[ORIGIN] - cutter[ORIGIN];
  const dy = subject[ORIGIN + 1] - cutter[ORIGIN + 1];
  const dz = subject[ORIGIN + 2] - cutter[ORIGIN + 2];
  for (let r = 0; r < 3; r++) {
    const x = cutter[r];
    const y = cutter[3 + r];
    const z = cutter[6 + r];
    for (let c = 0; c < 3; c++) {
      POSE[3 * r + c] = x * subject[c] + y * subject[3 + c] + z * subject[6 + c];
    }
    POSE[9 + r] = x * dx + y * dy + z * dz;
  }
}

/** Whether the planes near the subject are those of the tape. */
function fits(clip: Clip, list: Integers, head: Integers, x: f64, y: f64, z: f64): bool {
  const planes = clip.planes;
  const radius = clip.radii[0];
  let count = 0;
  let first = 0;
  let most = -Infinity;
  for (let f = 0; f < clip.faces; f++) {
    const p = 4 * f;
    const s = planes[p] * x + planes[p + 1] * y + planes[p + 2] * z - planes[p + 3];
    if (s <= -radius) continue;
    if (s >= radius) return false;
    if (s > most) {
      most = s;
      first = count;
    }
    if (count >= head[NEAR] || list[count] != f) return false;
    count++;
  }
  return count == head[NEAR] && first == head[FIRST];
}

function placeCorners(clip: Clip): void {
  const corners = clip.corners;
  const points = clip.points;
  const a = POSE[0];
  const b = POSE[1];
  const c = POSE[2];
  const d = POSE[3];
  const e = POSE[4];
  const f = POSE[5];
  const g = POSE[6];
  const h = POSE[7];
  const i = POSE[8];
  const tx = POSE[9];
  const ty = POSE[10];
  const tz = POSE[11];
  const ad = pairOf(a, d);
  const be = pairOf(b, e);
  const cf = pairOf(c, f);
  const origin = pairOf(tx, ty);
  for (let v = 0, p = 0; v < clip.cornerNumbers; v += 3, p += 4) {
    const x = corners[v];
    const y = corners[v + 1];
    const z = corners[v + 2];
    const xy = f64x2.add(f64x2.mul(ad, f64x2.splat(x)), f64x2.mul(be, f64x2.splat(y)));
    setPair(points, p, f64x2.add(f64x2.add(xy, f64x2.mul(cf, f64x2.splat(z))), origin));
    points[p + 2] = g * x + h * y + i * z + tz;
  }
}

/** Two doubles at a time: each lane takes the operations of the reference module, in their order. */
function pairOf(first: f64, second: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(first), 1, second);
}

function getPair(column: Doubles, i: i32): v128 {
  return v128.load(changetype<usize>(column) + ((<usize>i) << 3));
}

function setPair(column: Doubles, i: i32, pair: v128): void {
  v128.store(changetype<usize>(column) + ((<usize>i) << 3), pair);
}

/** The cuts once more; false where a corner lies on the other side. */
function replay(clip: Clip, list: Integers, head: Integers): bool {
  const points = clip.points;
  const planes = clip.planes;
  const ball = head[BALL_AT];
  const left = head[LEFT];
  let r = head[NEAR];
  while (r < left) {
    if (r == ball) {
      enclose(points, list, r + 1, list[r]);
      r += 1 + list[r];
      if (r == left) break;
    }
    const clear = list[r] < 0;
    const p = clear ? -1 - list[r] : list[r];
    const nx = planes[p];
    const ny = planes[p + 1];
    const nz = planes[p + 2];
    const d = planes[p + 3];
    if (ball > 0 && r > ball) {
      const apart = nx * BALL[0] + ny * BALL[1] + nz * BALL[2] - d <= -BALL[3];
      if (apart != clear) return false;
      if (clear) {
        r++;
        continue;
      }
    }
    const beyond = r + CUT_HEAD + list[r + 1];
    const corners = beyond + list[r + 2];
    const end = corners + 3 * list[r + 3];
    for (r += CUT_HEAD; r < beyond; r++) {
      const v = list[r];
      const s = nx * points[v] + ny * points[v + 1] + nz * points[v + 2] - d;
      if (s > 0) return false;
      points[v + 3] = s;
    }
    for (; r < corners; r++) {
      const v = list[r];
      const s = nx * points[v] + ny * points[v + 1] + nz * points[v + 2] - d;
      if (!(s > 0)) return false;
      points[v + 3] = s;
    }
    for (; r < end; r += 3) {
      const a = list[r];
      const b = list[r + 1];
      const v = list[r + 2];
      const s = points[a + 3];
      const t = s / (s - points[b + 3]);
      const xy = getPair(points, a);
      const z = points[a + 2];
      const way = f64x2.sub(getPair(points, b), xy);
      setPair(points, v, f64x2.add(xy, f64x2.mul(f64x2.splat(t), way)));
      points[v + 2] = z + t * (points[b + 2] - z);
    }
  }
  return true;
}

/** A ball around corners. */
function enclose(points: Doubles, list: Integers, at: i32, count: i32): void {
  const end = at + count;
  for (let k = 0; k < 3; k++) {
    let low = points[list[at] + k];
    let high = low;
    for (let n = at + 1; n < end; n++) {
      const value = points[list[n] + k];
      if (value < low) low = value;
      else if (value > high) high = value;
    }
    BALL[k] = 0.5 * (low + high);
  }
  let most = 0.0;
  for (let n = at; n < end; n++) {
    const p = list[n];
    const x = points[p] - BALL[0];
    const y = points[p + 1] - BALL[1];
    const z = points[p + 2] - BALL[2];
    const square = x * x + y * y + z * z;
    if (square > most) most = square;
  }
  BALL[3] = Math.sqrt(most);
}

/** Volume, centroid, second moments and vector area of what is left. */
function sum(points: Doubles, list: Integers, at: i32): void {
  const first = at + LIST_HEAD + list[at];
  const seam = first + 3 * list[at + 1];
  const end = seam + 2 * list[at + 2];
  const o = list[at + LIST_HEAD];
  const ox = points[o];
  const oy = points[o + 1];
  const oz = points[o + 2];
  const oxy = pairOf(ox, oy);
  let v = 0.0;
  let mxy = f64x2.splat(0.0);
  let mz = 0.0;
  let xxyy = f64x2.splat(0.0);
  let zz = 0.0;
  let xy = 0.0;
  let xzyz = f64x2.splat(0.0);
  for (let k = first; k < seam; k += 3) {
    const i = list[k];
    const j = list[k + 1];
    const l = list[k + 2];
    const r = f64x2.sub(getPair(points, i), oxy);
    const a = f64x2.sub(getPair(points, j), oxy);
    const b = f64x2.sub(getPair(points, l), oxy);
    const rz = points[i + 2] - oz;
    const az = points[j + 2] - oz;
    const bz = points[l + 2] - oz;
    const rx = f64x2.extract_lane(r, 0);
    const ry = f64x2.extract_lane(r, 1);
    const ax = f64x2.extract_lane(a, 0);
    const ay = f64x2.extract_lane(a, 1);
    const bx = f64x2.extract_lane(b, 0);
    const by = f64x2.extract_lane(b, 1);
    const d = rx * (ay * bz - az * by) + ry * (az * bx - ax * bz) + rz * (ax * by - ay * bx);
    const s = f64x2.add(f64x2.add(r, a), b);
    const sz = rz + az + bz;
    const sx = f64x2.extract_lane(s, 0);
    const sy = f64x2.extract_lane(s, 1);
    const dd = f64x2.splat(d);
    v += d;
    mxy = f64x2.add(mxy, f64x2.mul(dd, s));
    mz += d * sz;
    xxyy = f64x2.add(xxyy, f64x2.mul(dd, fourProducts(s, s, r, r, a, a, b, b)));
    zz += d * (sz * sz + rz * rz + az * az + bz * bz);
    xy += d * (sx * sy + rx * ry + ax * ay + bx * by);
    const sss = f64x2.splat(sz);
    const rrr = f64x2.splat(rz);
    const aaa = f64x2.splat(az);
    const bbb = f64x2.splat(bz);
    xzyz = f64x2.add(xzyz, f64x2.mul(dd, fourProducts(s, sss, r, rrr, a, aaa, b, bbb)));
  }
  const mx = f64x2.extract_lane(mxy, 0);
  const my = f64x2.extract_lane(mxy, 1);
  const xx = f64x2.extract_lane(xxyy, 0);
  const yy = f64x2.extract_lane(xxyy, 1);
  const xz = f64x2.extract_lane(xzyz, 0);
  const yz = f64x2.extract_lane(xzyz, 1);
  let ux = 0.0;
  let uy = 0.0;
  let uz = 0.0;
  for (let k = seam; k < end; k += 2) {
    const a = list[k];
    const b = list[k + 1];
    const ax = points[a] - ox;
    const ay = points[a + 1] - oy;
    const az = points[a + 2] - oz;
    const bx = points[b] - ox;
    const by = points[b + 1] - oy;
    const bz = points[b + 2] - oz;
    ux += ay * bz - az * by;
    uy += az * bx - ax * bz;
    uz += ax * by - ay * bx;
  }
  const volume = v / 6.0;
  const px = mx / (4.0 * v);
  const py = my / (4.0 * v);
  const pz = mz / (4.0 * v);
  SUMS[VOLUME_AT] = volume;
  SUMS[CENTROID_AT] = ox + px;
  SUMS[CENTROID_AT + 1] = oy + py;
  SUMS[CENTROID_AT + 2] = oz + pz;
  SUMS[SECOND_AT] = xx / 120.0 - volume * px * px;
  SUMS[SECOND_AT + 1] = yy / 120.0 - volume * py * py;
  SUMS[SECOND_AT + 2] = zz / 120.0 - volume * pz * pz;
  SUMS[SECOND_AT + 3] = xy / 120.0 - volume * px * py;
  SUMS[SECOND_AT + 4] = xz / 120.0 - volume * px * pz;
  SUMS[SECOND_AT + 5] = yz / 120.0 - volume * py * pz;
  SUMS[VECTOR_AREA_AT] = 0.5 * ux;
  SUMS[VECTOR_AREA_AT + 1] = 0.5 * uy;
  SUMS[VECTOR_AREA_AT + 2] = 0.5 * uz;
  SUMS[ERROR_AT] = 0.0;
}

/** s p + r q + a t + b u. */
function fourProducts(
  s: v128,
  p: v128,
  r: v128,
  q: v128,
  a: v128,
  t: v128,
  b: v128,
  u: v128,
): v128 {
  const first = f64x2.add(f64x2.mul(s, p), f64x2.mul(r, q));
  return f64x2.add(f64x2.add(first, f64x2.mul(a, t)), f64x2.mul(b, u));
}

/** Minus the extent along a unit vector. */
function extent(points: Doubles, list: Integers, at: i32, nx: f64, ny: f64, nz: f64): f64 {
  const end = at + LIST_HEAD + list[at];
  let least = Infinity;
  let most = -Infinity;
  for (let k = at + LIST_HEAD; k < end; k++) {
    const p = list[k];
    const s = nx * points[p] + ny * points[p + 1] + nz * points[p + 2];
    if (s < least) least = s;
    if (s > most) most = s;
  }
  return least - most;
}

/** The sums in world axes. */
function writeWorld(frame: Doubles, column: Doubles): void {
  column[VOLUME_AT] = SUMS[VOLUME_AT];
  column[AREA_AT] = SUMS[AREA_AT];
  column[GAP_AT] = SUMS[GAP_AT];
  column[ERROR_AT] = SUMS[ERROR_AT];
  const xx = SUMS[SECOND_AT];
  const yy = SUMS[SECOND_AT + 1];
  const zz = SUMS[SECOND_AT + 2];
  const xy = SUMS[SECOND_AT + 3];
  const xz = SUMS[SECOND_AT + 4];
  const yz = SUMS[SECOND_AT + 5];
  const a = frame[0];
  const b = frame[1];
  const c = frame[2];
  const d = frame[3];
  const e = frame[4];
  const f = frame[5];
  const g = frame[6];
  const h = frame[7];
  const i = frame[8];
  const ax = a * xx + b * xy + c * xz;
  const ay = a * xy + b * yy + c * yz;
  const az = a * xz + b * yz + c * zz;
  const bx = d * xx + e * xy + f * xz;
  const by = d * xy + e * yy + f * yz;
  const bz = d * xz + e * yz + f * zz;
  const cx = g * xx + h * xy + i * xz;
  const cy = g * xy + h * yy + i * yz;
  const cz = g * xz + h * yz + i * zz;
  column[SECOND_AT] = ax * a + ay * b + az * c;
  column[SECOND_AT + 1] = bx * d + by * e + bz * f;
  column[SECOND_AT + 2] = cx * g + cy * h + cz * i;
  column[SECOND_AT + 3] = ax * d + ay * e + az * f;
  column[SECOND_AT + 4] = ax * g + ay * h + az * i;
  column[SECOND_AT + 5] = bx * g + by * h + bz * i;
  for (let k = 0; k < 3; k++) {
    const r = 3 * k;
    column[CENTROID_AT + k] =
      frame[r] * SUMS[CENTROID_AT] +
      frame[r + 1] * SUMS[CENTROID_AT + 1] +
      frame[r + 2] * SUMS[CENTROID_AT + 2] +
      frame[ORIGIN + k];
    column[VECTOR_AREA_AT + k] =
      frame[r] * SUMS[VECTOR_AREA_AT] +
      frame[r + 1] * SUMS[VECTOR_AREA_AT + 1] +
      frame[r + 2] * SUMS[VECTOR_AREA_AT + 2];
  }
}
