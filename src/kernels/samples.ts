/**
 * Sums over samples in a distance field. The reference modules are src/contact/sampled/sample-sums.ts and src/proximity/field-value.ts; the
 * arithmetic is theirs, operation by operation, with a value beside its derivative in the lanes of a vector.
 *
 * A value is a mean of 27 coefficients. For each node of a block a bit says whether all of those about it are positive: what is nearest to such a
 * node does not push, and is not read as soon as another sample pushes, or none of them is below the least value so far.
 */
import {
  AREA,
  BOUND,
  CHUNK,
  DEEPEST,
  DROWNED,
  LEAST,
  READ,
  SAMPLE,
  SUMS,
} from '../contact/sampled/sample-slots';
import { COEFFICIENT, MEAN, NEAREST_NODE } from '../proximity/field-limits';
import { BLOCK, BLOCK_MIDDLE, BLOCK_ROOM, BLOCK_VALUES } from '../shapes/field-blocks';
import { Doubles, Integers } from './columns';

/** Bytes of a sample's point, of a coefficient, of a row of them and of a sheet of rows. */
const POINT_BYTES: usize = 24;
const FLOAT = 4;
const ROW: usize = FLOAT * BLOCK_ROOM;
const SHEET: usize = FLOAT * BLOCK_ROOM * BLOCK_ROOM;
/** Bytes of the marks of a block. */
const MARKS = BLOCK * BLOCK;
/** Bytes of a placed sample: u, v, w, and the parts tz, tx, ty beside the nearest node; address of the coefficients, number, mark. */
const PLACED: usize = 64;
/** A mean may be below the least of what it is of by rounding. */
const ROUNDED = 1.0 - 1e-9;

/** Where the samples, the field and the sums of a pair lie. */
@unmanaged
@final
class SampleRun {
  map: Doubles;
  sums: Doubles;
  whole: Doubles;
  /** [height up to which the field is known, in cells] */
  far: Doubles;
  points: Doubles;
  areas: Doubles;
  spheres: Doubles;
  radii: Doubles;
  firsts: Integers;
  ends: Integers;
  skips: Integers;
  patches: Integers;
  blocks: Integers;
  /** 32-bit floats. */
  middles: usize;
  values: usize;
  /** A byte for each row of own nodes, a bit for each node. */
  marks: usize;
  /** Room for the places of CHUNK samples. */
  placed: usize;
  /** Blocks that are kept. */
  kept: i32;
  nodes: i32;
  patchCount: i32;
  countX: i32;
  countY: i32;
  countZ: i32;
}

/** The sums of all patches, and the slots of the whole. */
export function sumSamples(run: SampleRun): void {
  const sums = run.sums;
  const whole = run.whole;
  for (let n = 0; n < SUMS * run.patchCount; n++) sums[n] = 0.0;
  whole[LEAST] = Infinity;
  whole[SAMPLE] = -1.0;
  whole[BOUND] = Infinity;
  whole[DROWNED] = 0.0;
  whole[READ] = 0.0;
  const far = run.far[0];
  let node = 0;
  while (node < run.nodes) {
    const bound = boundOf(run, node);
    if (bound > 0 && (bound >= whole[LEAST] || bound >= far)) {
      if (bound < whole[BOUND]) whole[BOUND] = bound;
      node = run.skips[node];
      continue;
    }
    node++;
    if (run.skips[node - 1] != node) continue;
    const o = changetype<usize>(sums) + ((<usize>(SUMS * run.patches[node - 1])) << 3);
    const end = run.ends[node - 1];
    whole[READ] = whole[READ] + <f64>(end - run.firsts[node - 1]);
    for (let s = run.firsts[node - 1]; s < end; s += CHUNK) {
      const last = end - s < CHUNK ? end : s + CHUNK;
      const near = place(run, s, last);
      for (let n = 0; n < near; n++) add(run, run.placed + PLACED * <usize>n, o);
    }
  }
}

/** Marks the nodes that have positive coefficients alone about them. Once, before the first sums. */
export function markPositive(run: SampleRun): void {
  for (let block = 0; block < run.kept; block++) {
    const from = run.values + ((<usize>(BLOCK_VALUES * block)) << 2);
    for (let row = 0; row < MARKS; row++) {
      const c = from + SHEET * <usize>(row >> 3) + ROW * <usize>(row & 7);
      let bits = 0;
      for (let i = 0; i < BLOCK; i++) {
        if (leastOf(c + ((<usize>i) << 2)) > 0) bits |= 1 << i;
      }
      store<u8>(run.marks + <usize>(MARKS * block + row), <u8>bits);
    }
  }
}

/** Lower bound of φ in the sphere of a node, in cells. */
function boundOf(run: SampleRun, node: i32): f64 {
  const p = changetype<usize>(run.spheres) + ((<usize>node) << 5);
  const x = load<f64>(p);
  const y = load<f64>(p, 8);
  const z = load<f64>(p, 16);
  const m = run.map;
  const u = m[0] * x + m[1] * y + m[2] * z + m[3];
  const v = m[4] * x + m[5] * y + m[6] * z + m[7];
  const w = m[8] * x + m[9] * y + m[10] * z + m[11];
  const iu = within(u, run.countX);
  const iv = within(v, run.countY);
  const iw = within(w, run.countZ);
  const beside = (u - iu) * (u - iu) + (v - iv) * (v - iv) + (w - iw) * (w - iw);
  if (beside > 0) return Math.sqrt(beside) - run.radii[node];
  const i = <i32>Math.floor(iu + 0.5);
  const j = <i32>Math.floor(iv + 0.5);
  const k = <i32>Math.floor(iw + 0.5);
  const bi = i >> 3;
  const bj = j >> 3;
  const bk = k >> 3;
  const block = bi + run.countX * bj + run.countX * run.countY * bk;
  const kept = run.blocks[block];
  let near = 0.0;
  if (kept < 0) {
    const offU = iu - <f64>(BLOCK * bi) - BLOCK_MIDDLE;
    const offV = iv - <f64>(BLOCK * bj) - BLOCK_MIDDLE;
    const offW = iw - <f64>(BLOCK * bk) - BLOCK_MIDDLE;
    const square = offU * offU + offV * offV + offW * offW;
    near = <f64>load<f32>(run.middles + ((<usize>block) << 2)) - Math.sqrt(square);
  } else {
    const at =
      kept * BLOCK_VALUES +
      (i - BLOCK * bi + 1) +
      BLOCK_ROOM * (j - BLOCK * bj + 1) +
      BLOCK_ROOM * BLOCK_ROOM * (k - BLOCK * bk + 1);
    near = <f64>load<f32>(run.values + ((<usize>at) << 2)) - COEFFICIENT - NEAREST_NODE;
  }
  return near - run.radii[node] - COEFFICIENT - MEAN;
}

/** The nearest place of the grid along an axis of so many blocks. */
function within(x: f64, count: i32): f64 {
  const last = <f64>(BLOCK * count - 1);
  return x < 0 ? 0.0 : x > last ? last : x;
}

/** Places samples from one on to another in the grid, for `add`; the number of those that lie in blocks that are kept. */
function place(run: SampleRun, from: i32, end: i32): i32 {
  const whole = run.whole;
  const far = run.far[0];
  const m = run.map;
  const m0 = pair(m[0], m[4]);
  const m1 = pair(m[1], m[5]);
  const m2 = pair(m[2], m[6]);
  const m3 = pair(m[3], m[7]);
  const m8 = m[8];
  const m9 = m[9];
  const m10 = m[10];
  const m11 = m[11];
  const countX = run.countX;
  const countY = run.countY;
  const countZ = run.countZ;
  const half = f64x2.splat(0.5);
  let p = changetype<usize>(run.points) + POINT_BYTES * <usize>from;
  let to = run.placed;
  let near = 0;
  for (let s = from; s < end; s++, p += POINT_BYTES) {
    const px = v128.load64_splat(p);
    const py = v128.load64_splat(p, 8);
    const pz = v128.load64_splat(p, 16);
    const sum = f64x2.add(f64x2.mul(m0, px), f64x2.mul(m1, py));
    const uv = f64x2.add(f64x2.add(sum, f64x2.mul(m2, pz)), m3);
    const w =
      m8 * f64x2.extract_lane(px, 0) +
      m9 * f64x2.extract_lane(py, 0) +
      m10 * f64x2.extract_lane(pz, 0) +
      m11;
    const fij = f64x2.floor(f64x2.add(uv, half));
    const fk = Math.floor(w + 0.5);
    const ij = i32x4.trunc_sat_f64x2_s_zero(fij);
    const i = i32x4.extract_lane(ij, 0);
    const j = i32x4.extract_lane(ij, 1);
    const k = <i32>fk;
    const bi = i >> 3;
    const bj = j >> 3;
    const bk = k >> 3;
    // a negative number is a large one without its sign
    const beside =
      i32(<u32>bi >= <u32>countX) | i32(<u32>bj >= <u32>countY) | i32(<u32>bk >= <u32>countZ);
    if (beside != 0) {
      if (far < whole[BOUND]) whole[BOUND] = far;
      continue;
    }
    const block = (bk * countY + bj) * countX + bi;
    const kept = run.blocks[block];
    if (kept < 0) {
      if (load<f32>(run.middles + ((<usize>block) << 2)) < 0) whole[DROWNED] = whole[DROWNED] + 1.0;
      else if (far < whole[BOUND]) whole[BOUND] = far;
      continue;
    }
    const first =
      kept * BLOCK_VALUES + (k & 7) * BLOCK_ROOM * BLOCK_ROOM + (j & 7) * BLOCK_ROOM + (i & 7);
    const mark = MARKS * kept + (k & 7) * BLOCK + (j & 7);
    v128.store(to, uv);
    store<f64>(to, w, 16);
    store<f64>(to, w - fk, 24);
    v128.store(to, f64x2.sub(uv, fij), 32);
    store<i32>(to, <i32>(run.values + ((<usize>first) << 2)), 48);
    store<i32>(to, s, 52);
    store<i32>(to, (<i32>load<u8>(run.marks + <usize>mark) >> (i & 7)) & 1, 56);
    to += PLACED;
    near++;
  }
  return near;
}

/** Adds a placed sample to the sums at `o`. */
function add(run: SampleRun, at: usize, o: usize): void {
  const whole = run.whole;
  const far = run.far[0];
  const c = <usize>load<i32>(at, 48);
  if (load<i32>(at, 56) != 0) {
    const lowest = whole[LEAST];
    if (lowest < 0 || <f64>leastOf(c) * ROUNDED >= lowest) return;
  }
  const u = load<f64>(at);
  const v = load<f64>(at, 8);
  const w = load<f64>(at, 16);
  const tz = load<f64>(at, 24);
  const tx = load<f64>(at, 32);
  const ty = load<f64>(at, 40);
  const s = load<i32>(at, 52);
  const ax = 0.5 - tx;
  const bx = 0.5 + tx;
  const ay = 0.5 - ty;
  const by = 0.5 + ty;
  const az = 0.5 - tz;
  const bz = 0.5 + tz;
  // in the first lane the weight, in the second one its slope
  const x0 = pair(0.5 * ax * ax, -ax);
  const x1 = pair(0.75 - tx * tx, -2.0 * tx);
  const x2 = pair(0.5 * bx * bx, bx);
  const y0 = f64x2.splat(0.5 * ay * ay);
  const y1 = f64x2.splat(0.75 - ty * ty);
  const y2 = f64x2.splat(0.5 * by * by);
  const dy1 = -2.0 * ty;
  // φ and gx in the lanes
  let value = f64x2.splat(0.0);
  let r = rowOf(c, x0, x1, x2);
  let q = rowOf(c + ROW, x0, x1, x2);
  let t = rowOf(c + 2 * ROW, x0, x1, x2);
  let sheet = meanOf(r, q, t, y0, y1, y2);
  let weight = 0.5 * az * az;
  value = f64x2.add(value, f64x2.mul(f64x2.splat(weight), sheet));
  let gy = weight * slopeOf(r, q, t, ay, dy1, by);
  let gz = -az * f64x2.extract_lane(sheet, 0);
  r = rowOf(c + SHEET, x0, x1, x2);
  q = rowOf(c + SHEET + ROW, x0, x1, x2);
  t = rowOf(c + SHEET + 2 * ROW, x0, x1, x2);
  sheet = meanOf(r, q, t, y0, y1, y2);
  weight = 0.75 - tz * tz;
  value = f64x2.add(value, f64x2.mul(f64x2.splat(weight), sheet));
  gy += weight * slopeOf(r, q, t, ay, dy1, by);
  gz += -2.0 * tz * f64x2.extract_lane(sheet, 0);
  r = rowOf(c + 2 * SHEET, x0, x1, x2);
  q = rowOf(c + 2 * SHEET + ROW, x0, x1, x2);
  t = rowOf(c + 2 * SHEET + 2 * ROW, x0, x1, x2);
  sheet = meanOf(r, q, t, y0, y1, y2);
  weight = 0.5 * bz * bz;
  value = f64x2.add(value, f64x2.mul(f64x2.splat(weight), sheet));
  gy += weight * slopeOf(r, q, t, ay, dy1, by);
  gz += bz * f64x2.extract_lane(sheet, 0);
  const phi = f64x2.extract_lane(value, 0);
  if (phi < whole[LEAST]) {
    whole[LEAST] = phi;
    whole[SAMPLE] = <f64>s;
  }
  if (phi < -far) whole[DROWNED] = whole[DROWNED] + 1.0;
  if (!(phi < 0)) return;
  const gx = f64x2.extract_lane(value, 1);
  const area = run.areas[s];
  const f = -area * phi;
  const ff = f64x2.splat(f);
  addTo(o, 0, f64x2.mul(ff, pair(gx, gy)));
  addTo(o, 16, f64x2.mul(ff, pair(gz, v * gz - w * gy)));
  addTo(o, 32, f64x2.mul(ff, pair(w * gx - u * gz, u * gy - v * gx)));
  addTo(o, 48, f64x2.mul(ff, pair(u, v)));
  addTo(o, 64, pair(f * w, f));
  addTo(o, 80, pair(area * (gx * gx + gy * gy + gz * gz), -(0.5 * f * phi)));
  store<f64>(o, load<f64>(o, AREA * 8) + area, AREA * 8);
  if (-phi > load<f64>(o, DEEPEST * 8)) store<f64>(o, -phi, DEEPEST * 8);
}

/** Two numbers as a vector. */
function pair(x: f64, y: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(x), 1, y);
}

/** Mean of three coefficients from an address on, and its slope. */
function rowOf(c: usize, x0: v128, x1: v128, x2: v128): v128 {
  const a = f64x2.mul(x0, f64x2.promote_low_f32x4(v128.load32_splat(c)));
  const b = f64x2.mul(x1, f64x2.promote_low_f32x4(v128.load32_splat(c, 4)));
  const d = f64x2.mul(x2, f64x2.promote_low_f32x4(v128.load32_splat(c, 8)));
  return f64x2.add(f64x2.add(a, b), d);
}

/** Mean of three rows. */
function meanOf(r: v128, s: v128, t: v128, y0: v128, y1: v128, y2: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(y0, r), f64x2.mul(y1, s)), f64x2.mul(y2, t));
}

/** Slope of the mean of three rows across them. */
function slopeOf(r: v128, s: v128, t: v128, a: f64, middle: f64, b: f64): f64 {
  return (
    middle * f64x2.extract_lane(s, 0) - a * f64x2.extract_lane(r, 0) + b * f64x2.extract_lane(t, 0)
  );
}

/** Adds to two sums. */
function addTo(o: usize, at: usize, x: v128): void {
  v128.store(o + at, f64x2.add(v128.load(o + at), x));
}

/** Least of the 27 coefficients. */
function leastOf(c: usize): f32 {
  let least = v128.load(c);
  least = f32x4.pmin(least, v128.load(c, ROW));
  least = f32x4.pmin(least, v128.load(c, 2 * ROW));
  least = f32x4.pmin(least, v128.load(c, SHEET));
  least = f32x4.pmin(least, v128.load(c, SHEET + ROW));
  least = f32x4.pmin(least, v128.load(c, SHEET + 2 * ROW));
  least = f32x4.pmin(least, v128.load(c, 2 * SHEET));
  least = f32x4.pmin(least, v128.load(c, 2 * SHEET + ROW));
  least = f32x4.pmin(least, v128.load(c, 2 * SHEET + 2 * ROW));
  const x = f32x4.extract_lane(least, 0);
  const y = f32x4.extract_lane(least, 1);
  const z = f32x4.extract_lane(least, 2);
  const xy = x < y ? x : y;
  return xy < z ? xy : z;
}
