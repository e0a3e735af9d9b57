/**
 * Pairs of cells that touch: placements of both cells, the column of their overlap, and what the contact takes from it. The reference
 * modules are src/contact/cellular/cell-placements.ts and volumetric-pair.ts; the arithmetic is theirs, operation by operation.
 */
import { ASSIGNED, LAST_NORMAL } from '../contact/cellular/slot-memory';
import { READ_PIECE } from '../contact/readout-slots';
import { AREA, GAP, GYRATION, INERTIA, NORMAL, POINT, VOLUME } from '../contact/pair-slots';
import { CLEAR_NORMAL } from '../overlap/clip-limits';
import {
  AREA_AT,
  CENTROID_AT,
  GAP_AT,
  SECOND_AT,
  VECTOR_AREA_AT,
  VOLUME_AT,
} from '../overlap/column-slots';
import { Clip, replayClip } from './clip-replay';
import { Doubles, Integers } from './columns';
import { computePhase, isActive, placeContact } from './contact';
import { writeReadout } from './readout';
import { Contact } from './records';

/** Numbers of a placement, and the slot of its origin. */
const PLACEMENT = 12;
const ORIGIN = 9;

/** The cells of a body. */
@unmanaged
@final
class Cells {
  pose: Doubles;
  versions: Doubles;
  placedAt: Doubles;
  own: Doubles;
  placements: Doubles;
}

/** One slot of the pool of a volumetric contact. */
@unmanaged
@final
class CellPair {
  contact: Contact;
  i: Cells;
  j: Cells;
  column: Doubles;
  kept: Doubles;
  memory: Doubles;
  list: Integers;
  head: Integers;
  /** Pair of cells that the following belong to, its two cells, and the clip; 0 for another method. */
  pair: i32;
  a: i32;
  b: i32;
  clip: Clip;
}

@unmanaged
@final
class CellPairs {
  @operator('[]') get(i: i32): CellPair {
    return changetype<CellPair>(load<usize>(changetype<usize>(this) + ((<usize>i) << 2)));
  }
}

/**
 * Measures the slots that have a pair, or those in contact, where the overlap is a replay or as it was. The places in the list of the others
 * into `others`: their number.
 */
export function measureCells(pairs: CellPairs, count: i32, active: i32, others: Integers): i32 {
  let left = 0;
  for (let n = 0; n < count; n++) {
    const pair = pairs[n];
    if (pair.memory[ASSIGNED] == 0 || (active != 0 && !isActive(pair.contact))) continue;
    if (!measureCell(pair)) others[left++] = n;
  }
  return left;
}

/** Keeps the normals of measured slots for the next step; the number of slots that need more: those that part or have not begun. */
export function settleCells(pairs: CellPairs, count: i32): i32 {
  let left = 0;
  for (let n = 0; n < count; n++) {
    const pair = pairs[n];
    const memory = pair.memory;
    if (memory[ASSIGNED] == 0) continue;
    const k = pair.contact.kinematics;
    if (k[GAP] >= 0 || !isActive(pair.contact)) left++;
    else for (let a = 0; a < 3; a++) memory[LAST_NORMAL + a] = k[NORMAL + a];
  }
  return left;
}

/** Sub-steps that the slots in contact need in a step of timing[0]; the sum of their squares into sum[0]. */
export function computeCellPhases(
  pairs: CellPairs,
  count: i32,
  timing: Doubles,
  sum: Doubles,
): void {
  const dt = timing[0];
  let active = 0.0;
  for (let n = 0; n < count; n++) if (isActive(pairs[n].contact)) active += 1.0;
  let squares = 0.0;
  for (let n = 0; n < count; n++) {
    const contact = pairs[n].contact;
    if (!isActive(contact)) continue;
    contact.share[0] = active;
    computePhase(contact, dt);
    squares += contact.phase[0] * contact.phase[0];
  }
  sum[0] = squares;
}

/** Read-outs of the slots in contact; those of the others are cleared. */
export function writeCellReadouts(pairs: CellPairs, count: i32): void {
  for (let n = 0; n < count; n++) {
    const contact = pairs[n].contact;
    if (isActive(contact)) writeReadout(contact);
    else if (contact.readout[0] != 0) for (let a = 0; a < READ_PIECE; a++) contact.readout[a] = 0.0;
  }
}

function measureCell(pair: CellPair): bool {
  const kept = pair.kept;
  const versionI = pair.i.versions[0];
  const versionJ = pair.j.versions[0];
  const assigned = <f64>pair.pair;
  if (!(pair.memory[ASSIGNED] - 1.0 == assigned)) return false;
  if (!(kept[0] == assigned && kept[1] == versionI && kept[2] == versionJ)) {
    if (changetype<usize>(pair.clip) == 0) return false;
    const i = placementOf(pair.i, pair.a);
    const j = placementOf(pair.j, pair.b);
    if (!replayClip(pair.clip, i, j, pair.list, pair.head, pair.column)) return false;
    if (!fill(pair.column, pair.contact.kinematics)) return false;
    kept[0] = assigned;
    kept[1] = versionI;
    kept[2] = versionJ;
  }
  placeContact(pair.contact);
  return true;
}

/** Placement of a cell at the present pose of its body. */
function placementOf(cells: Cells, cell: i32): Doubles {
  const step = (<usize>(PLACEMENT * cell)) << 3;
  const out = changetype<Doubles>(changetype<usize>(cells.placements) + step);
  const version = cells.versions[0];
  if (cells.placedAt[cell] == version) return out;
  cells.placedAt[cell] = version;
  const q = changetype<Doubles>(changetype<usize>(cells.own) + step);
  const pose = cells.pose;
  for (let i = 0; i < 3; i++) {
    const a = pose[3 * i];
    const b = pose[3 * i + 1];
    const d = pose[3 * i + 2];
    out[3 * i] = a * q[0] + b * q[3] + d * q[6];
    out[3 * i + 1] = a * q[1] + b * q[4] + d * q[7];
    out[3 * i + 2] = a * q[2] + b * q[5] + d * q[8];
    out[ORIGIN + i] = pose[ORIGIN + i] + a * q[9] + b * q[10] + d * q[11];
  }
  return out;
}

/** The kinematics of an overlap whose normal is the direction of its vector area; false for any other. */
function fill(column: Doubles, k: Doubles): bool {
  const volume = column[VOLUME_AT];
  if (!(volume > 0 && column[GAP_AT] < 0)) return false;
  const x = column[VECTOR_AREA_AT];
  const y = column[VECTOR_AREA_AT + 1];
  const z = column[VECTOR_AREA_AT + 2];
  const area2 = x * x + y * y + z * z;
  const volume2 = volume * volume;
  if (!(area2 * area2 * area2 > CLEAR_NORMAL * volume2 * volume2)) return false;
  k[GAP] = column[GAP_AT];
  k[VOLUME] = volume;
  k[AREA] = column[AREA_AT];
  for (let a = 0; a < 3; a++) k[POINT + a] = column[CENTROID_AT + a];
  const xx = column[SECOND_AT];
  const yy = column[SECOND_AT + 1];
  const zz = column[SECOND_AT + 2];
  k[INERTIA] = yy + zz;
  k[INERTIA + 1] = xx + zz;
  k[INERTIA + 2] = xx + yy;
  for (let a = 3; a < 6; a++) k[INERTIA + a] = -column[SECOND_AT + a];
  const length = Math.sqrt(area2);
  const nx = x / length;
  const ny = y / length;
  const nz = z / length;
  k[NORMAL] = nx;
  k[NORMAL + 1] = ny;
  k[NORMAL + 2] = nz;
  const spin =
    nx * nx * k[INERTIA] +
    ny * ny * k[INERTIA + 1] +
    nz * nz * k[INERTIA + 2] +
    2.0 * (nx * ny * k[INERTIA + 3] + nx * nz * k[INERTIA + 4] + ny * nz * k[INERTIA + 5]);
  k[GYRATION] = spin > 0 ? Math.sqrt(spin / volume) : 0.0;
  return true;
}
