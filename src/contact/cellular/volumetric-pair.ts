/**
 * The geometric pair of one cell against one cell, as a slot of the pool of a volumetric contact. Which two cells it measures is
 * written in the arena and changes with the contact. `Gonthier 2007, chapter 4, A.3, A.4`.
 *
 * Placements → kernel column → contact normal → kinematics. The column stays valid as long as neither body moves, so that measuring
 * again at the same pose costs a comparison.
 */
import { BerthError } from '../../base/errors.ts';
import { type Columns, OWN_COLUMNS } from '../../math/columns.ts';
import { ClipTape } from '../../overlap/clip-tape.ts';
import { ContactNormal } from '../../overlap/contact-normal.ts';
import { COLUMN, COLUMN_SIZE, ORIGIN, type OverlapKernel } from '../../overlap/kernel.ts';
import { checkRelativeError } from '../../overlap/rays.ts';
import { flag, oneOf, positive, range } from '../../base/parameter-checks.ts';
import type { NormalMethod, VolumetricPairModel } from '../../model/contact-spec.ts';
import type { ContactBody } from '../contact-body.ts';
import {
  AREA,
  type ContactPair,
  GAP,
  GYRATION,
  INERTIA,
  NORMAL,
  type PairDefinition,
  POINT,
  VOLUME,
} from '../pair.ts';
import type { CellPlacements } from './cell-placements.ts';
import { ASSIGNED, LAST_NORMAL } from './slot-memory.ts';

export * from './slot-memory.ts';

/** Gap of a slot that has no cell pair, m: as good as any that is positive. */
const FREE_GAP = 1;

/** The cells of both bodies, and the kernel of each pair of cells: index i × (cells of j) + j. */
export interface CellTable {
  readonly i: CellPlacements;
  readonly j: CellPlacements;
  readonly kernels: readonly OverlapKernel[];
  /** Numbers of a tape that serves any of them. */
  readonly tapeRoom: number;
}

/** A column that marks that two cells share volume. */
export function isTouching(column: Float64Array, o: number): boolean {
  return column[o + COLUMN.volume] > 0 && column[o + COLUMN.gap] < 0;
}

/** The pair of one slot. */
export class VolumetricPair implements ContactPair {
  /** Column of the cell pair, world axes. */
  readonly column: Float64Array;
  /** SLOT_MEMORY numbers in the arena. */
  readonly memory: Float64Array;
  private readonly table: CellTable;
  private readonly normal: ContactNormal;
  /** Normal of the last (sub-)step, in the arena. */
  private readonly previous: Float64Array;
  private readonly toI: Float64Array = new Float64Array(3);
  /** What the kernel may keep of the last overlap: no part of the state. */
  readonly tape: ClipTape | null;
  /** Whether the normal is the direction of the vector area. */
  readonly isByArea: boolean;
  /** [pair, version of i, version of j] that the column belongs to. */
  readonly kept: Float64Array;

  constructor(
    table: CellTable,
    method: NormalMethod,
    memory: Float64Array,
    columns: Columns = OWN_COLUMNS,
  ) {
    this.table = table;
    this.column = columns.doubles(COLUMN_SIZE);
    this.kept = columns.doubles(3).fill(-1);
    this.isByArea = method === 'vector-area';
    this.normal = new ContactNormal(method);
    this.previous = new Float64Array(memory.buffer, memory.byteOffset + 8 * LAST_NORMAL, 3);
    this.memory = memory;
    this.tape = table.tapeRoom > 0 ? new ClipTape(table.tapeRoom, columns) : null;
  }

  /** Drops what is cached of the pose, for instance because the state was replaced. */
  invalidate(): void {
    this.kept[0] = -1;
  }

  /** The vector area vanishes, as where one cell holds the other. */
  get usesFallback(): boolean {
    return isTouching(this.column, 0) && this.normal.fades(this.column);
  }

  /** @alloc none */
  compute(i: ContactBody, j: ContactBody, kinematics: Float64Array): void {
    const pair = this.memory[ASSIGNED] - 1;
    if (!(pair >= 0)) {
      // free, or not a number in a state that was restored
      kinematics[GAP] = FREE_GAP;
      return;
    }
    const { table } = this;
    table.i.follow(i);
    table.j.follow(j);
    if (this.isCurrent(pair)) return;
    const count = table.j.cells.length;
    const a = Math.floor(pair / count);
    table.kernels[pair].compute(
      table.i.at(a),
      table.j.at(pair - a * count),
      this.column,
      this.tape,
    );
    this.keep(pair);
    this.fill(kinematics);
  }

  /** Takes over a column that was computed at the present placements for the pair just assigned. @alloc none */
  adopt(columns: Float64Array, o: number, kinematics: Float64Array): void {
    for (let k = 0; k < COLUMN_SIZE; k++) this.column[k] = columns[o + k];
    this.keep(this.memory[ASSIGNED] - 1);
    this.fill(kinematics);
  }

  private isCurrent(pair: number): boolean {
    const { kept, table } = this;
    return kept[0] === pair && kept[1] === table.i.version && kept[2] === table.j.version;
  }

  private keep(pair: number): void {
    this.kept[0] = pair;
    this.kept[1] = this.table.i.version;
    this.kept[2] = this.table.j.version;
  }

  private fill(k: Float64Array): void {
    const { column, memory } = this;
    for (let a = VOLUME; a <= GYRATION; a++) k[a] = 0;
    if (!isTouching(column, 0)) {
      k[GAP] = column[COLUMN.gap] > 0 ? column[COLUMN.gap] : 0;
      for (let a = 0; a < 3; a++) k[NORMAL + a] = memory[LAST_NORMAL + a];
      this.fillPoint(k);
      return;
    }
    const volume = column[COLUMN.volume];
    k[GAP] = column[COLUMN.gap];
    k[VOLUME] = volume;
    k[AREA] = column[COLUMN.area];
    for (let a = 0; a < 3; a++) k[POINT + a] = column[COLUMN.centroid + a];
    const xx = column[COLUMN.second];
    const yy = column[COLUMN.second + 1];
    const zz = column[COLUMN.second + 2];
    k[INERTIA] = yy + zz;
    k[INERTIA + 1] = xx + zz;
    k[INERTIA + 2] = xx + yy;
    for (let a = 3; a < 6; a++) k[INERTIA + a] = -column[COLUMN.second + a];
    this.findNormal(k);
    const x = k[NORMAL];
    const y = k[NORMAL + 1];
    const z = k[NORMAL + 2];
    const spin =
      x * x * k[INERTIA] +
      y * y * k[INERTIA + 1] +
      z * z * k[INERTIA + 2] +
      2 * (x * y * k[INERTIA + 3] + x * z * k[INERTIA + 4] + y * z * k[INERTIA + 5]);
    k[GYRATION] = spin > 0 ? Math.sqrt(spin / volume) : 0;
  }

  /** Normal of the overlap into the kinematics. */
  private findNormal(k: Float64Array): void {
    if (this.normal.fades(this.column)) this.findToI();
    this.normal.find(this.column, this.previous, this.toI);
    const n = this.normal.normal;
    for (let d = 0; d < 3; d++) k[NORMAL + d] = n[d];
  }

  /** A direction from cell j to cell i: out of the plane, or between their middles. */
  private findToI(): void {
    const { table, toI } = this;
    const count = table.j.cells.length;
    const a = Math.floor(this.kept[0] / count);
    const b = this.kept[0] - a * count;
    if (table.j.isPlane[b] === 1) {
      const q = table.j.at(b);
      for (let d = 0; d < 3; d++) toI[d] = q[3 * d + 2];
    } else if (table.i.isPlane[a] === 1) {
      const q = table.i.at(a);
      for (let d = 0; d < 3; d++) toI[d] = -q[3 * d + 2];
    } else {
      for (let d = 0; d < 3; d++) toI[d] = middle(table.i, a, d) - middle(table.j, b, d);
    }
  }

  /** A point for the lever arms of a pair that is apart: the middle of the cell that has one. */
  private fillPoint(k: Float64Array): void {
    const { table } = this;
    const count = table.j.cells.length;
    const a = Math.floor(this.kept[0] / count);
    const b = this.kept[0] - a * count;
    const ends = table.i.boxes[table.i.box(a) + 3] < Infinity;
    for (let d = 0; d < 3; d++) {
      if (ends) k[POINT + d] = middle(table.i, a, d);
      else k[POINT + d] = middle(table.j, b, d);
    }
  }
}

/** Middle of a cell along an axis: that of its box, or its origin when it has no end. */
function middle(cells: CellPlacements, cell: number, axis: number): number {
  const o = cells.box(cell) + axis;
  return cells.boxes[o + 3] < Infinity
    ? 0.5 * (cells.boxes[o] + cells.boxes[o + 3])
    : cells.at(cell)[ORIGIN + axis];
}

export const VOLUMETRIC: PairDefinition<VolumetricPairModel> = {
  step: 'cells',
  supplies: ['volume', 'inertia'],
  check(model, field) {
    if (model.method !== undefined) oneOf(`${field}.method`, model.method, METHODS);
    if (model.normal !== undefined) oneOf(`${field}.normal`, model.normal, NORMALS);
    const { maximumPairs: most, relativeError, sharedImpactSpeed } = model;
    if (relativeError !== undefined) {
      checkRelativeError(`${field}.relativeError`, relativeError);
      // of the other methods none has more nodes to take
      oneOf(`${field}.method`, model.method ?? 'auto', ['auto', 'rays']);
    }
    checkVoxels(model, field);
    if (sharedImpactSpeed !== undefined) flag(`${field}.sharedImpactSpeed`, sharedImpactSpeed);
    if (most === undefined) return;
    range(
      `${field}.maximumPairs`,
      most,
      Number.isInteger(most) && most >= 1 && most <= MOST_PAIRS,
      `to be a whole number from 1 to ${MOST_PAIRS}`,
    );
  },
  effectiveRadius: () => 0,
  isEccentric: () => true,
  make() {
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      'A volumetric pair is made of the cells of two bodies, not by itself',
    );
  },
  shapes: () => ({ i: [], j: [] }),
};

/** The size of voxels is a choice of that method, in one way or the other. */
function checkVoxels(
  { method, voxelSize, forceResolution }: VolumetricPairModel,
  field: string,
): void {
  for (const [name, value] of Object.entries({ voxelSize, forceResolution })) {
    if (value === undefined) continue;
    positive(`${field}.${name}`, value);
    oneOf(`${field}.method`, method ?? 'auto', ['voxels']);
  }
  if (voxelSize === undefined || forceResolution === undefined) return;
  throw new BerthError(
    'BERTH_MISMATCH',
    `Expected ${field}.voxelSize or ${field}.forceResolution, got both`,
    { field: `${field}.forceResolution` },
  );
}

const METHODS = ['auto', 'closed-form', 'clipping', 'rays', 'voxels'];
const NORMALS = ['principal-axis', 'vector-area', 'inverse-iteration'];
/** Largest pool: what a scenario may ask for. */
const MOST_PAIRS = 4096;
