/**
 * Cylinder, frustum or capsule in a plate with a hole: sections across the axis of the body (plate-section.ts), summed along it between the places
 * where their form changes (plate-panels.ts). Wall of the hole, faces and the edges between them are one region each section, so that no
 * pair of parts is counted. A region of the overlap that a face cuts and no flat end goes by sections along the faces (plate-heights.ts).
 *
 * The surface of the overlap is closed: with its flat ends E at the ends of the body,
 *
 *   vector area of the plate in the body = −(lateral vector area of the body in the plate + (E_high − E_low) a)         (1)
 *
 * Depth: the least of the ways out along the faces and square to the hole, and at most 3 V/A_c, the depth of a corner: V ~ h^q with
 * q <= 3 has h = q V/A_c. Apart, what is farther than h from the faces is farther than h from the plate, and what is not is as far from
 * the wall as its farthest point (plate-clearance.ts): min(h, clearance) is a bound, largest where both are equal.         (2)
 *
 * Rays take over where the body reaches a side of the plate and where it leans by more than 60° or along its own cone.
 * Errors and times: docs/theory/round-plate.md
 * @test test/src/overlap/round-plate.test.ts
 */
import type { BooleanShape } from '../../shapes/cell-model.ts';
import { COLUMN, COLUMN_SIZE, ORIGIN, type OverlapKernel, PLACEMENT } from '../kernel.ts';
import { RayKernel } from '../rays.ts';
import { BallHeights } from './ball-heights.ts';
import { writeSums } from './bore-column.ts';
import { placeBore } from './bore-frame.ts';
import { BallPart, ConePart } from './bore-parts.ts';
import { BORE, BORE_SUM, BoreSection, DISC } from './bore-section.ts';
import { type BoredPlate, SIDE } from './bored-plate.ts';
import { CUT, PlatePanels } from './plate-panels.ts';
import { BallPanels } from './plate-balls.ts';
import { CapsuleClearance, FlatClearance, type PlateClearance } from './plate-clearance.ts';
import { PlateHeights } from './plate-heights.ts';
import { PlateRange } from './plate-range.ts';
import { PlateSection } from './plate-section.ts';
import type { RoundShape } from './round-half-space.ts';
import { writeApart, writeWorld } from './world-column.ts';

/** Least cosine of the angle between body and hole, and least c − s |κ|: the faces cut the wall of the body in ellipses. */
const LEAST_COSINE = 0.5;
const LEAST_LEAN = 0.3;
/** Depth of a corner over V/A_c. */
const CORNER = 3;

/** V/A_c in radii of the hole above which the vector area is that of a closed surface, and rounding. */
const CLOSED = 1e3;

/** Regions of the overlap that are summed along the faces. */
const SIDES = { none: 0, lower: 1, upper: 2, both: 3 } as const;

/** Half a ball at an end of a capsule, and where its sections change their form. */
interface BallEnd {
  readonly part: BallPart;
  readonly side: 1 | -1;
  readonly panels: BallPanels;
  readonly heights: BallHeights;
}

/** Round body i and plate j. */
export class RoundPlateKernel implements OverlapKernel {
  readonly method = 'closed-form';
  readonly #part: ConePart;
  /** z of both ends. */
  readonly #ends: Float64Array;
  readonly #plate: BoredPlate;
  readonly #bore = new BoreSection();
  readonly #section = new PlateSection(this.#bore);
  readonly #panels = new PlatePanels();
  readonly #range: PlateRange;
  /** The ends of a capsule; a body without them has flat ones. */
  readonly #balls: readonly BallEnd[];
  readonly #heights = new PlateHeights();
  readonly #rays: RayKernel;
  /** Placement of the hole in the world; axes t, n, a there. */
  readonly #hole = new Float64Array(PLACEMENT);
  readonly #frame = new Float64Array(PLACEMENT);
  readonly #local = new Float64Array(COLUMN_SIZE);
  /** Range of z between the ends whose sections meet the plate. */
  readonly #reach = new Float64Array(2);
  readonly #clearance: PlateClearance;
  /** ζ of the lowest and of the highest point of either end of the body. */
  readonly #endSpans = new Float64Array(4);
  /** ζ between which sections along the faces are summed. */
  readonly #heightSpan = new Float64Array(2);

  constructor(shape: RoundShape, cell: BooleanShape, plate: BoredPlate) {
    const half = 0.5 * shape.length;
    const cone = shape.kind === 'frustum';
    const low = cone ? 0 : -half;
    const high = cone ? shape.length : half;
    const top = cone ? shape.topRadius : shape.radius;
    this.#part = new ConePart(low, high, shape.radius, top);
    this.#ends = Float64Array.of(low, high);
    this.#plate = plate;
    this.#bore.pose[BORE.radius] = plate.radius;
    const { cut } = this.#panels;
    cut[CUT.slope] = (top - shape.radius) / shape.length;
    cut[CUT.radius] = shape.radius - cut[CUT.slope] * low;
    this.#range = new PlateRange(this.#section, cut);
    const capsule = shape.kind === 'capsule';
    this.#balls = (capsule ? ([1, -1] as const) : []).map((side) => ({
      part: new BallPart(side * half, shape.radius, side),
      side,
      heights: new BallHeights(cut, side * half, shape.radius),
      panels: new BallPanels(cut, side * half, shape.radius, side),
    }));
    this.#clearance = capsule
      ? new CapsuleClearance(this.#bore, cut, this.#ends)
      : new FlatClearance(this.#bore, cut, this.#ends, this.#part);
    this.#rays = new RayKernel(shape, cell);
  }

  compute(placementI: Float64Array, placementJ: Float64Array, column: Float64Array): void {
    const local = this.#local;
    const { pose } = this.#bore;
    const panels = this.#panels;
    this.#place(placementI, placementJ);
    const lean = pose[BORE.cosine] - pose[BORE.sine] * Math.abs(panels.cut[CUT.slope]);
    if (!(pose[BORE.cosine] >= LEAST_COSINE && lean >= LEAST_LEAN)) {
      this.#rays.compute(placementI, placementJ, column);
      return;
    }
    panels.extend(this.#bore);
    if (this.#isApart()) {
      writeApart(local, column);
      return;
    }
    if (this.#reachesSide()) {
      this.#rays.compute(placementI, placementJ, column);
      return;
    }
    this.#integrate();
    const { sums } = this.#section;
    if (!(sums[BORE_SUM.volume] > 0)) {
      local[COLUMN.gap] = 0;
      writeApart(local, column);
      return;
    }
    const depth = -local[COLUMN.gap];
    writeSums(sums, this.#bore.reference, local);
    const mean = local[COLUMN.volume] / local[COLUMN.area];
    if (mean < CLOSED * this.#bore.pose[BORE.radius]) {
      local[COLUMN.gap] = -Math.min(depth, CORNER * mean);
    } else {
      // the wall of the body lies in the plate all around
      local[COLUMN.gap] = -depth;
      local[COLUMN.area] = 0;
      for (let k = 0; k < 3; k++) local[COLUMN.vectorArea + k] = 0;
    }
    writeWorld(local, this.#frame, column);
  }

  /** Hole in the world, axes, pose of the hole, heights of the faces. */
  #place(i: Float64Array, j: Float64Array): void {
    const { hole, low, high } = this.#plate;
    const world = this.#hole;
    for (let r = 0; r < 3; r++) {
      for (let k = 0; k < 3; k++) {
        world[3 * r + k] =
          j[3 * r] * hole[k] + j[3 * r + 1] * hole[3 + k] + j[3 * r + 2] * hole[6 + k];
      }
      world[ORIGIN + r] =
        j[3 * r] * hole[ORIGIN] +
        j[3 * r + 1] * hole[ORIGIN + 1] +
        j[3 * r + 2] * hole[ORIGIN + 2] +
        j[ORIGIN + r];
    }
    const { pose } = this.#bore;
    const { cut } = this.#panels;
    placeBore(i, world, this.#frame, pose);
    const along = pose[BORE.sense] > 0;
    cut[CUT.low] = pose[BORE.height] + (along ? low : -high);
    cut[CUT.high] = pose[BORE.height] + (along ? high : -low);
  }

  /** Whether the body is clear of both faces or of the wall; writes the gap, or minus the least way out. */
  #isApart(): boolean {
    const { cut } = this.#panels;
    const { pose } = this.#bore;
    const local = this.#local;
    const c = pose[BORE.cosine];
    const s = pose[BORE.sine];
    const slope = cut[CUT.slope];
    const from = this.#ends[0];
    const to = this.#ends[1];
    // a ball reaches farther than its base
    const lean = this.#balls.length > 0 ? 1 : s;
    const lowest = c * from - lean * (cut[CUT.radius] + slope * from);
    const highest = c * to + lean * (cut[CUT.radius] + slope * to);
    const faces = Math.max(lowest - cut[CUT.high], cut[CUT.low] - highest);
    const clearance = this.#clearance;
    const near = Math.max(0, faces);
    clearance.place();
    clearance.far[0] = near;
    clearance.measure();
    const wall = clearance.wall[0];
    // rounding may leave nothing within the distance from the faces
    local[COLUMN.gap] = wall < Infinity ? Math.max(faces, wall) : near;
    if (!(local[COLUMN.gap] >= 0)) {
      this.#refer();
      return false;
    }
    if (wall > near && wall < Infinity) local[COLUMN.gap] = clearance.bound();
    return true;
  }

  /** Range of the discs that come between the faces; the reference goes to where the outermost of its ends is farthest out. */
  #refer(): void {
    const { reach } = this.#panels;
    const bore = this.#bore;
    const range = this.#reach;
    const part = this.#part;
    const { disc } = bore;
    const from = this.#ends[0];
    const to = this.#ends[1];
    range[0] = Math.min(to, Math.max(from, reach[0]));
    range[1] = Math.max(from, Math.min(to, reach[1]));
    part.place(bore, range[1]);
    bore.locate();
    const high = disc[DISC.excess];
    bore.refer();
    part.place(bore, range[0]);
    bore.locate();
    if (disc[DISC.excess] > high) bore.refer();
  }

  /** Whether what is between the faces reaches a side of the plate. */
  #reachesSide(): boolean {
    const { sides } = this.#plate;
    const { cut } = this.#panels;
    const frame = this.#frame;
    const hole = this.#hole;
    for (let o = 0; o < sides.length; o += SIDE.size) {
      const x = hole[0] * sides[o] + hole[1] * sides[o + 1] + hole[2] * sides[o + 2];
      const y = hole[3] * sides[o] + hole[4] * sides[o + 1] + hole[5] * sides[o + 2];
      const z = hole[6] * sides[o] + hole[7] * sides[o + 1] + hole[8] * sides[o + 2];
      const along = x * frame[2] + y * frame[5] + z * frame[8];
      const foot =
        x * (frame[ORIGIN] - hole[ORIGIN]) +
        y * (frame[ORIGIN + 1] - hole[ORIGIN + 1]) +
        z * (frame[ORIGIN + 2] - hole[ORIGIN + 2]);
      const wide = this.#balls.length > 0 ? 1 : Math.sqrt(Math.max(0, 1 - along * along));
      for (let end = 0; end < 2; end++) {
        const at = this.#reach[end];
        const radius = wide * (cut[CUT.radius] + cut[CUT.slope] * at);
        const middle = foot + along * at;
        if (middle - radius < sides[o + SIDE.low] || middle + radius > sides[o + SIDE.high]) {
          return true;
        }
      }
    }
    return false;
  }

  /** Sums over all sections, and the ends. */
  #integrate(): void {
    const section = this.#section;
    const { sums } = section;
    const part = this.#part;
    const reach = this.#reach;
    const range = this.#range;
    const { panel } = range;
    section.clear();
    part.findRanges(this.#bore);
    const { ranges, count, clear } = part;
    const side = this.#sideOfHeights();
    if (side !== SIDES.both) this.#panels.find(this.#bore);
    for (let n = 0; n < count[0]; n++) {
      for (let k = 0; k < 4; k++) panel[k] = ranges[4 * n + k];
      if (side === SIDES.both) break;
      if (side !== SIDES.none && panel[0] >= clear[1] === (side === SIDES.upper)) continue;
      if (panel[0] < reach[0]) {
        panel[0] = reach[0];
        panel[2] = -Infinity;
      }
      if (panel[1] > reach[1]) {
        panel[1] = reach[1];
        panel[3] = Infinity;
      }
      if (panel[1] > panel[0]) range.add(part, this.#panels);
    }
    if (this.#balls.length === 0) this.#addFlatEnds();
    for (let k = 0; k < this.#balls.length; k++) this.#addBall(this.#balls[k]);
    for (let k = 0; k < 3; k++) sums[BORE_SUM.area + k] = 0 - sums[BORE_SUM.area + k];
    if (side === SIDES.none) return;
    const heights = this.#heights;
    heights.add(this.#bore, side === SIDES.upper ? 1 : 0, side === SIDES.lower ? 0 : 1);
    for (let k = 0; k < sums.length; k++) sums[k] += heights.sums[k];
  }

  /** Vector areas of the flat ends that are in the plate. */
  #addFlatEnds(): void {
    const { sums, area } = this.#section;
    const { node } = this.#range;
    for (let end = 0; end < 2; end++) {
      if (this.#reach[end] !== this.#ends[end]) continue;
      node[0] = this.#ends[end];
      node[1] = 0;
      this.#range.addSection(this.#part);
      sums[BORE_SUM.area + 2] += end === 0 ? -area[0] : area[0];
    }
  }

  /** Half a ball at an end: along the faces where its base has no part of the overlap, else along the body. */
  #addBall({ part, panels, heights, side }: BallEnd): void {
    const bore = this.#bore;
    const { pose } = bore;
    const { cut } = this.#panels;
    const { panel } = this.#range;
    const middle = pose[BORE.cosine] * part.center[0];
    const away = pose[BORE.sine] * cut[CUT.radius];
    const under = middle + away <= cut[CUT.low];
    const over = middle - away >= cut[CUT.high];
    // the half looks away from the plate
    if (side > 0 ? over : under) return;
    part.measure(bore);
    part.findRanges(bore);
    if (under || over || part.isBall[0] === 1) {
      heights.add(bore);
      const { sums } = this.#section;
      for (let k = 0; k < sums.length; k++) sums[k] += heights.sums[k];
      return;
    }
    if (part.count[0] === 0) return;
    panels.find(bore);
    for (let k = 0; k < 4; k++) panel[k] = part.ranges[k];
    this.#range.add(part, panels);
  }

  /** Which regions of the overlap are summed along the faces: those that no flat end of the body cuts. Finds their ranges. */
  #sideOfHeights(): number {
    const { cut } = this.#panels;
    const { pose } = this.#bore;
    const { clear } = this.#part;
    const spans = this.#endSpans;
    const span = this.#heightSpan;
    for (let end = 0; end < 2; end++) {
      const at = this.#ends[end];
      const away = pose[BORE.sine] * (cut[CUT.radius] + cut[CUT.slope] * at);
      spans[2 * end] = pose[BORE.cosine] * at - away;
      spans[2 * end + 1] = pose[BORE.cosine] * at + away;
    }
    const under = spans[1] <= cut[CUT.low];
    const over = spans[2] >= cut[CUT.high];
    if (!under && !over) return SIDES.none;
    span[0] = Math.max(cut[CUT.low], spans[0]);
    span[1] = Math.min(cut[CUT.high], spans[3]);
    const through = under && over;
    // a disc that parts the regions
    if (!through && !(clear[0] <= clear[1])) return SIDES.none;
    const heights = this.#heights;
    if (!heights.find(this.#bore, cut, span)) return SIDES.none;
    if (through) return SIDES.both;
    if (!heights.hasClear) return SIDES.none;
    return over ? SIDES.upper : SIDES.lower;
  }
}
