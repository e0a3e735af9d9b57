/**
 * Where the cells of one body are: placements in the world and boxes around them, shared by all contacts of the body. A cell is placed
 * when it is first asked for after a change of pose: of a hundred cells a few are near another body. A version number shows whether
 * anything moved since the last read.
 */
import { type Columns, OWN_COLUMNS } from '../../math/columns.ts';
import { BOX, type CellBounds, makeCellBounds } from '../../overlap/cell-bounds.ts';
import { ORIGIN, PLACEMENT } from '../../overlap/kernel.ts';
import type { CellModel } from '../../shapes/cell-model.ts';
import { placementOf } from '../../shapes/placement.ts';
import type { ContactBody, PosedBody } from '../contact-body.ts';
import { sin } from '../../math/elementary/circular.ts';

/** Pose: rotation row by row, then the origin; as a placement. */
const POSE = PLACEMENT;

/** What a kernel has to know of the cells of a body: src/kernels/cells.ts. */
export interface CellLoop {
  readonly pose: Float64Array;
  readonly versions: Float64Array;
  readonly placedAt: Float64Array;
  readonly own: Float64Array;
  readonly placements: Float64Array;
}

/** The cells of one body in the world. */
export class CellPlacements {
  readonly cells: readonly CellModel[];
  /** BOX numbers a cell: low x, y, z, then high; infinite for a cell without an end. Valid for a cell after `box`, for all after `placeAll`. */
  readonly boxes: Float64Array;
  /** Box around all cells, of the last `placeAll`. */
  readonly whole: Float64Array = new Float64Array(BOX);
  /** 1 for a half-space: its surface, not its box, decides which bodies are near. */
  readonly isPlane: Uint8Array;
  /** 1 for a convex cell. */
  readonly isConvex: Uint8Array;
  /** Largest distance of a point of a cell that has an end from the origin of the body, m. */
  readonly reach: number;
  /** Whether there is a cell without an end. */
  readonly endless: boolean;
  /** [number that changes with every change of pose] */
  private readonly versions: Float64Array;
  private readonly own: readonly Float64Array[];
  /** What a kernel has to know: all of `own`, and all of `placements`, one behind the other. */
  readonly loop: CellLoop;
  private readonly bounds: readonly CellBounds[];
  private readonly pose: Float64Array;
  private readonly placements: readonly Float64Array[];
  // versions at which a cell was placed, its box was written, and all were
  private readonly placedAt: Float64Array;
  private readonly boxedAt: Float64Array;
  private allAt = -1;

  constructor(cells: readonly CellModel[], columns: Columns = OWN_COLUMNS) {
    const count = cells.length;
    this.cells = cells;
    this.versions = columns.doubles(1);
    this.pose = columns.doubles(POSE);
    const own = columns.doubles(PLACEMENT * count);
    const placements = columns.doubles(PLACEMENT * count);
    const part = (of: Float64Array, c: number): Float64Array =>
      of.subarray(PLACEMENT * c, PLACEMENT * (c + 1));
    this.own = cells.map((_, c) => part(own, c));
    this.placements = cells.map((_, c) => part(placements, c));
    cells.forEach((cell, c) => this.own[c].set(placementOf(cell)));
    this.boxes = new Float64Array(BOX * count);
    this.bounds = cells.map(({ shape }) => makeCellBounds(shape));
    this.isPlane = Uint8Array.from(cells, ({ shape }) => (shape.kind === 'half-space' ? 1 : 0));
    this.isConvex = Uint8Array.from(cells, ({ shape }) =>
      shape.kind === 'boolean' || shape.kind === 'bore' ? 0 : 1,
    );
    this.placedAt = columns.doubles(count).fill(-1);
    const { pose, versions, placedAt } = this;
    this.loop = { pose, versions, placedAt, own, placements };
    this.boxedAt = new Float64Array(count).fill(-1);
    const box = new Float64Array(BOX);
    let reach = 0;
    let endless = false;
    for (let c = 0; c < count; c++) {
      this.bounds[c].write(this.own[c], box, 0);
      const far = farthest(box);
      if (far < Infinity) reach = Math.max(reach, far);
      else endless = true;
    }
    this.reach = reach;
    this.endless = endless;
    this.pose[0] = Number.NaN; // equal to no pose
  }

  /** Changes with every change of pose. */
  get version(): number {
    return this.versions[0];
  }

  /** Follows the body; nothing to do when it stands where it stood. @alloc none */
  follow(body: PosedBody): void {
    const { pose } = this;
    const r = body.rotation;
    const x = body.state;
    let moved = false;
    for (let a = 0; a < 9; a++) if (pose[a] !== r[a]) moved = true;
    for (let a = 0; a < 3; a++) if (pose[ORIGIN + a] !== x[a]) moved = true;
    if (!moved) return;
    for (let a = 0; a < 9; a++) pose[a] = r[a];
    for (let a = 0; a < 3; a++) pose[ORIGIN + a] = x[a];
    this.versions[0]++;
  }

  /**
   * Where the body will be after timing[0] at its present velocities, to first order in the turn, into `ahead`, which has the same
   * cells. @alloc none
   */
  foresee(body: ContactBody, timing: Float64Array, ahead: CellPlacements): void {
    const h = timing[0];
    const r = body.rotation;
    const x = body.state;
    const { pose } = ahead;
    for (let a = 0; a < 3; a++) pose[ORIGIN + a] = x[a] + h * x[7 + a];
    for (let a = 0; a < 9; a++) pose[a] = r[a];
    const wx = h * x[10];
    const wy = h * x[11];
    const wz = h * x[12];
    const angle = Math.sqrt(wx * wx + wy * wy + wz * wz);
    if (angle > 0) {
      // Rodrigues: R' = R + sin/angle W R + (1 − cos)/angle² W W R
      const s = sin(angle) / angle;
      const half = sin(0.5 * angle) / angle;
      const c = 2 * half * half;
      for (let k = 0; k < 3; k++) {
        const ux = r[k];
        const uy = r[3 + k];
        const uz = r[6 + k];
        const dx = wy * uz - wz * uy;
        const dy = wz * ux - wx * uz;
        const dz = wx * uy - wy * ux;
        pose[k] = ux + s * dx + c * (wy * dz - wz * dy);
        pose[3 + k] = uy + s * dy + c * (wz * dx - wx * dz);
        pose[6 + k] = uz + s * dz + c * (wx * dy - wy * dx);
      }
    }
    ahead.versions[0]++;
  }

  /** Placement of a cell at the present pose. @alloc none */
  at(cell: number): Float64Array {
    const out = this.placements[cell];
    if (this.placedAt[cell] !== this.version) {
      this.placedAt[cell] = this.version;
      const { pose } = this;
      const q = this.own[cell];
      for (let i = 0; i < 3; i++) {
        const a = pose[3 * i];
        const b = pose[3 * i + 1];
        const d = pose[3 * i + 2];
        out[3 * i] = a * q[0] + b * q[3] + d * q[6];
        out[3 * i + 1] = a * q[1] + b * q[4] + d * q[7];
        out[3 * i + 2] = a * q[2] + b * q[5] + d * q[8];
        out[ORIGIN + i] = pose[ORIGIN + i] + a * q[9] + b * q[10] + d * q[11];
      }
    }
    return out;
  }

  /** Brings the box of a cell up to date. @returns where it begins in `boxes` @alloc none */
  box(cell: number): number {
    const o = BOX * cell;
    if (this.boxedAt[cell] !== this.version) {
      this.boxedAt[cell] = this.version;
      this.bounds[cell].write(this.at(cell), this.boxes, o);
    }
    return o;
  }

  /** Brings all boxes up to date, and the box around them. @alloc none */
  placeAll(): void {
    if (this.allAt === this.version) return;
    this.allAt = this.version;
    const { boxes, whole } = this;
    for (let a = 0; a < 3; a++) {
      whole[a] = Infinity;
      whole[3 + a] = -Infinity;
    }
    for (let c = 0; c < this.placements.length; c++) {
      const o = this.box(c);
      for (let a = 0; a < 3; a++) {
        if (boxes[o + a] < whole[a]) whole[a] = boxes[o + a];
        if (boxes[o + 3 + a] > whole[3 + a]) whole[3 + a] = boxes[o + 3 + a];
      }
    }
  }

  /** Shortest edge of the boxes of all cells, m, at the present pose; infinite when none has an end. */
  smallestExtent(): number {
    this.placeAll();
    let least = Infinity;
    for (let o = 0; o < this.boxes.length; o += BOX) {
      for (let a = 0; a < 3; a++)
        least = Math.min(least, this.boxes[o + 3 + a] - this.boxes[o + a]);
    }
    return least;
  }
}

/** Distance of the farthest corner of a box from the origin. */
function farthest(box: Float64Array): number {
  let square = 0;
  for (let a = 0; a < 3; a++) {
    const most = Math.max(Math.abs(box[a]), Math.abs(box[3 + a]));
    square += most * most;
  }
  return Math.sqrt(square);
}
