/**
 * Contacts of two bodies of facets from the pairs of facets that a walk found, and the sums over them. The reference modules are
 * src/contact/faceted/faceted-pair.ts and faceted-contact.ts; the arithmetic is theirs, operation by operation.
 */
import { GAP, NORMAL, POINT } from '../contact/pair-slots';
import { Doubles, Integers } from './columns';

/** Factors of the hash of two features, and the bits that it drops. */
const HASH_A: i32 = <i32>0x9e3779b1;
const HASH_B: i32 = <i32>0x85ebca6b;
const DROPPED = 7;
/** Numbers of a row. */
const ROW_BYTES: usize = 48;

/** Where pairs of facets, contacts and bodies lie. */
@unmanaged
@final
class Contacts {
  facetsA: Integers;
  facetsB: Integers;
  featuresA: Integers;
  featuresB: Integers;
  distances: Doubles;
  pointsA: Doubles;
  pointsB: Doubles;
  directions: Doubles;
  /** Sizes of the facets of both bodies. */
  sizesA: Doubles;
  sizesB: Doubles;
  /** Rotation of body j, row by row, then its place. */
  pose: Doubles;
  /** [standoff] */
  standoff: Doubles;
  table: Integers;
  taken: Integers;
  places: Doubles;
  points: Doubles;
  normals: Doubles;
  depths: Doubles;
  sizes: Doubles;
  shares: Doubles;
  rows: Doubles;
  keysI: Integers;
  keysJ: Integers;
  /** Gap, normal and point of the deepest contact. */
  column: Doubles;
  /** [contacts without room] */
  refused: Integers;
  slots: i32;
  room: i32;
  /** Whether contacts with equal features are one. */
  drops: i32;
}

/** Chooses and fills the contacts of so many pairs of facets; their number. */
export function takeContacts(run: Contacts, pairs: i32): i32 {
  run.refused[0] = 0;
  const count = run.drops != 0 ? chooseNew(run, pairs) : chooseAll(run, pairs);
  fill(run, count);
  if (count > 0) fillColumn(run, count);
  return count;
}

function chooseAll(run: Contacts, pairs: i32): i32 {
  const count = pairs < run.room ? pairs : run.room;
  for (let k = 0; k < count; k++) run.taken[k] = k;
  run.refused[0] = pairs - count;
  return count;
}

/** Pairs whose features no contact has yet. */
function chooseNew(run: Contacts, pairs: i32): i32 {
  const table = run.table;
  const taken = run.taken;
  const featuresA = run.featuresA;
  const featuresB = run.featuresB;
  const mask = run.slots - 1;
  memory.fill(changetype<usize>(table), 0, (<usize>run.slots) << 2);
  let count = 0;
  for (let k = 0; k < pairs; k++) {
    const a = featuresA[k];
    const b = featuresB[k];
    let slot = <i32>(<u32>((a * HASH_A) ^ (b * HASH_B)) >>> DROPPED) & mask;
    let isNew = true;
    while (table[slot] != 0) {
      const other = taken[table[slot] - 1];
      if (featuresA[other] == a && featuresB[other] == b) {
        isNew = false;
        break;
      }
      slot = (slot + 1) & mask;
    }
    if (!isNew) continue;
    if (count == run.room) {
      run.refused[0] = run.refused[0] + 1;
      continue;
    }
    taken[count++] = k;
    table[slot] = count;
  }
  return count;
}

/** Contacts from their pairs: the first two numbers of a vector in the lanes, the third one by itself. */
function fill(run: Contacts, count: i32): void {
  const p = run.pose;
  const column0 = pair(p[0], p[3]);
  const column1 = pair(p[1], p[4]);
  const column2 = pair(p[2], p[5]);
  const origin = pair(p[9], p[10]);
  const p6 = p[6];
  const p7 = p[7];
  const p8 = p[8];
  const p11 = p[11];
  const half = f64x2.splat(0.5);
  const standoff = run.standoff[0];
  const ofA = run.drops != 0 ? run.featuresA : run.facetsA;
  const ofB = run.drops != 0 ? run.featuresB : run.facetsB;
  for (let c = 0; c < count; c++) {
    const k = run.taken[c];
    const at: usize = 24 * <usize>k;
    const to: usize = 24 * <usize>c;
    const fromA = changetype<usize>(run.pointsA) + at;
    const fromB = changetype<usize>(run.pointsB) + at;
    const xy = f64x2.mul(half, f64x2.add(v128.load(fromA), v128.load(fromB)));
    const z = 0.5 * (load<f64>(fromA, 16) + load<f64>(fromB, 16));
    const x = f64x2.extract_lane(xy, 0);
    const y = f64x2.extract_lane(xy, 1);
    const place = changetype<usize>(run.places) + to;
    v128.store(place, xy);
    store<f64>(place, z, 16);
    const point = changetype<usize>(run.points) + to;
    v128.store(point, f64x2.add(turned(column0, column1, column2, xy, z), origin));
    store<f64>(point, p6 * x + p7 * y + p8 * z + p11, 16);
    const direction = changetype<usize>(run.directions) + at;
    const uv = v128.load(direction);
    const w = load<f64>(direction, 16);
    const normal = changetype<usize>(run.normals) + to;
    v128.store(normal, turned(column0, column1, column2, uv, w));
    const third = p6 * f64x2.extract_lane(uv, 0) + p7 * f64x2.extract_lane(uv, 1) + p8 * w;
    store<f64>(normal, third, 16);
    run.sizes[c] = run.sizesA[run.facetsA[k]] + run.sizesB[run.facetsB[k]];
    run.shares[c] = 1;
    run.depths[c] = standoff - run.distances[k];
    run.keysI[c] = ofA[k];
    run.keysJ[c] = ofB[k];
  }
}

/** Gap, normal and point of the deepest contact, and the rows of all about its point. */
function fillColumn(run: Contacts, count: i32): void {
  const depths = run.depths;
  const column = run.column;
  let deepest = 0;
  for (let c = 1; c < count; c++) if (depths[c] > depths[deepest]) deepest = c;
  column[GAP] = -depths[deepest];
  for (let a = 0; a < 3; a++) {
    column[NORMAL + a] = run.normals[3 * deepest + a];
    column[POINT + a] = run.points[3 * deepest + a];
  }
  const px = column[POINT];
  const py = column[POINT + 1];
  const pz = column[POINT + 2];
  let point = changetype<usize>(run.points);
  let normal = changetype<usize>(run.normals);
  let row = changetype<usize>(run.rows);
  for (let c = 0; c < count; c++) {
    const x = load<f64>(point) - px;
    const y = load<f64>(point, 8) - py;
    const z = load<f64>(point, 16) - pz;
    const nx = load<f64>(normal);
    const ny = load<f64>(normal, 8);
    const nz = load<f64>(normal, 16);
    store<f64>(row, nx);
    store<f64>(row, ny, 8);
    store<f64>(row, nz, 16);
    store<f64>(row, y * nz - z * ny, 24);
    store<f64>(row, z * nx - x * nz, 32);
    store<f64>(row, x * ny - y * nx, 40);
    point += 24;
    normal += 24;
    row += ROW_BYTES;
  }
}

/** First two numbers of R x, from the columns of R. */
function turned(column0: v128, column1: v128, column2: v128, xy: v128, z: f64): v128 {
  const x = f64x2.splat(f64x2.extract_lane(xy, 0));
  const y = f64x2.splat(f64x2.extract_lane(xy, 1));
  const sum = f64x2.add(f64x2.mul(column0, x), f64x2.mul(column1, y));
  return f64x2.add(sum, f64x2.mul(column2, f64x2.splat(z)));
}

/** Two numbers as a vector. */
function pair(x: f64, y: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(x), 1, y);
}

/** Where the rows, the laws and the sums of a contact of many places lie. */
@unmanaged
@final
class Sums {
  rows: Doubles;
  elastic: Doubles;
  damping: Doubles;
  pushes: Doubles;
  loads: Doubles;
  slopes: Doubles;
  /** Twist at the point, v then ω. */
  twist: Doubles;
  /** [least force of the law] */
  least: Doubles;
  /** Force, then moment. */
  wrench: Doubles;
}

/** Normal forces of so many contacts at a twist, and their wrench. */
export function sumContacts(run: Sums, count: i32): void {
  const x = run.twist[0];
  const y = run.twist[1];
  const z = run.twist[2];
  const u = run.twist[3];
  const v = run.twist[4];
  const w = run.twist[5];
  const least = run.least[0];
  let force = f64x2.splat(0);
  let middle = f64x2.splat(0);
  let moment = f64x2.splat(0);
  let row = changetype<usize>(run.rows);
  for (let c = 0; c < count; c++) {
    const first = v128.load(row);
    const second = v128.load(row, 16);
    const third = v128.load(row, 32);
    const rate =
      x * f64x2.extract_lane(first, 0) +
      y * f64x2.extract_lane(first, 1) +
      z * f64x2.extract_lane(second, 0) +
      u * f64x2.extract_lane(second, 1) +
      v * f64x2.extract_lane(third, 0) +
      w * f64x2.extract_lane(third, 1);
    const damping = run.damping[c];
    const f = run.elastic[c] - damping * rate;
    const yields = f > least;
    const push = yields ? f : least;
    run.pushes[c] = push;
    run.loads[c] = push > 0 ? push : 0.0;
    run.slopes[c] = yields ? damping : 0.0;
    const all = f64x2.splat(push);
    force = f64x2.add(force, f64x2.mul(all, first));
    middle = f64x2.add(middle, f64x2.mul(all, second));
    moment = f64x2.add(moment, f64x2.mul(all, third));
    row += ROW_BYTES;
  }
  const wrench = changetype<usize>(run.wrench);
  v128.store(wrench, force);
  v128.store(wrench, middle, 16);
  v128.store(wrench, moment, 32);
}
