/**
 * A volumetric contact of two bodies of cells: a pool of sub-models, one for each pair of cells that touch. `Gonthier 2007, A.4`.
 *
 * Once a (sub-)step the pairs that touch are sorted into new, found and lost. The sub-models of lost pairs are reset first, then
 * new pairs take the lowest free ones, in the order of their cells. Which pair a sub-model has is written in the arena. A pair that
 * finds no free sub-model is counted; it has no force until one is free.
 *
 * Pieces of one surface share the speed of the first touch (`sharedImpactSpeed`). A new pair takes the rate latched by a pair in
 * contact whose normal is nearly its own. Without one it takes the mean over the pairs that came with it, weighted by volume, which
 * is the rate of their union. So the damping, and with it the force, does not depend on how a body is cut into cells.
 */
import { type Columns, OWN_COLUMNS } from '../../math/columns.ts';
import { COLUMN, COLUMN_SIZE, type OverlapMethod } from '../../overlap/kernel.ts';
import type { ContactBody } from '../contact-body.ts';
import type { ContactLoops } from '../contact-loops.ts';
import { writePhaseLimit } from '../phase-limit.ts';
import {
  TURN,
  TURN_AREA,
  TURN_DEPTH,
  TURN_LIMIT,
  TURN_INVERSE_MASS,
  TURN_RATE,
  TURN_STIFFNESS,
  TURN_VOLUME,
} from '../normal/normal-law.ts';
import { AREA, GAP, KINEMATICS, NORMAL, RATE, VOLUME } from '../pair.ts';
import { measureApproach } from './approach.ts';
import { BroadPhase } from './broad-phase.ts';
import { CellLoops } from './cell-loops.ts';
import { CellPlacements } from './cell-placements.ts';
import { NearPairs } from './near-pairs.ts';
import { type PoolSlot, release, rememberNormal } from './pool-slot.ts';
import { ASSIGNED, type CellTable, isTouching, SHARED_RATE } from './volumetric-pair.ts';
import { pow } from '../../math/elementary/power.ts';

/** Cosine of the angle within which normals count as those of one surface: 30 degrees. */
const ONE_SURFACE = 0.866;
/** Depth at which an impact to come is asked for its stiffness, as a part of the depth foreseen: nearly touch. */
const SHALLOW = 1e-3;

/** Margin of a contact all of whose sub-models are in use, m: no other pair can begin. */
const FAR = 1;
/** Depth at which a pair begins when events are located, as a part of the smallest cell: deep enough to have a normal. */
const TOUCH_DEPTH = 1e-9;
/** [time ahead of a search at the present poses, s] */
const AT_ONCE = new Float64Array(1);

/** Slots of `touch`. */
export const TOUCH_MARGIN = 0;
export const TOUCH_RATE = 1;

/** Memory of the contact itself, behind that of its slots: [pairs that found no free sub-model so far]. */
export const CONTACT_MEMORY = 1;

/** A volumetric contact with its pool. */
export class CellContact {
  readonly i: ContactBody;
  readonly j: ContactBody;
  readonly table: CellTable;
  readonly slots: readonly PoolSlot[];
  /** [sum of squares of the contact frequencies times the step length] of the last `computePhase`. */
  readonly phaseSquare: Float64Array;
  private readonly shares: boolean;
  private readonly memory: Float64Array;
  /** A sub-model outside the arena for pairs that are about to touch. */
  private readonly probe: PoolSlot;
  private readonly broad: BroadPhase;
  private readonly near: NearPairs;
  private readonly slotOf: Int32Array;
  private readonly column: Float64Array = new Float64Array(COLUMN_SIZE);
  // pairs that touch and have no sub-model yet
  private readonly found: Int32Array;
  private readonly foundColumns: Float64Array;
  private foundCount = 0;
  private refused = 0;
  private versionI = -1;
  private versionJ = -1;
  // placements a step ahead
  private readonly aheadI: CellPlacements;
  private readonly aheadJ: CellPlacements;
  private loops: CellLoops | null = null;
  /** Whether a sub-model began in the last `update`. */
  private hasFresh = false;
  /** Whether `slotOf` has every slot with a pair; it may have slots whose pair is another one by now. */
  private mapped = false;
  /** Slots TOUCH_…, of the last `measureTouch`. */
  readonly touch: Float64Array = new Float64Array(2);
  /** [TOUCH_DEPTH, m] */
  private readonly depth: Float64Array;
  /** Kinematics of the pairs of `findClosing`. */
  private readonly closing: Float64Array;
  private readonly turn: Float64Array = new Float64Array(TURN);
  /** Bodies that no contact moves have no contact frequency. */
  private readonly yields: boolean;

  constructor(
    i: ContactBody,
    j: ContactBody,
    table: CellTable,
    slots: readonly PoolSlot[],
    probe: PoolSlot,
    shares: boolean,
    memory: Float64Array,
    columns: Columns = OWN_COLUMNS,
  ) {
    this.phaseSquare = columns.doubles(1);
    const countI = table.i.cells.length;
    const countJ = table.j.cells.length;
    this.i = i;
    this.j = j;
    this.table = table;
    this.slots = slots;
    this.probe = probe;
    this.shares = shares;
    this.memory = memory;
    this.broad = new BroadPhase(countI, countJ);
    this.near = new NearPairs(table.i, table.j);
    this.slotOf = new Int32Array(countI * countJ).fill(-1);
    this.found = new Int32Array(slots.length);
    this.foundColumns = new Float64Array(COLUMN_SIZE * slots.length);
    this.aheadI = new CellPlacements(table.i.cells);
    this.aheadJ = new CellPlacements(table.j.cells);
    this.yields = i.yields || j.yields;
    this.closing = new Float64Array(KINEMATICS * slots.length);
    table.i.follow(i);
    table.j.follow(j);
    const size = Math.min(table.i.smallestExtent(), table.j.smallestExtent());
    this.depth = Float64Array.of(TOUCH_DEPTH * (size < Infinity ? size : 1));
  }

  /** Touching pairs that found no free sub-model, one count for each (sub-)step and pair. */
  get exhausted(): number {
    return this.memory[0];
  }

  /** Takes over the loops of the system, before the first step. */
  follow(loops: ContactLoops): void {
    this.loops = new CellLoops(loops, this.table, this.slots);
  }

  /** Measures the sub-models that touch at the present poses. @alloc none */
  measureActive(): void {
    const { slots, table, loops } = this;
    if (loops !== null) {
      table.i.follow(this.i);
      table.j.follow(this.j);
      loops.measure(true);
      return;
    }
    for (let s = 0; s < slots.length; s++) if (slots[s].model.active) slots[s].model.measure();
  }

  /** Pairs of cells by the method of their overlap, in the order of the cells. */
  get methods(): ReadonlyMap<OverlapMethod, number> {
    const counts = new Map<OverlapMethod, number>();
    for (const { method } of this.table.kernels) counts.set(method, (counts.get(method) ?? 0) + 1);
    return counts;
  }

  /** Largest estimate of the relative error of a volume among the pairs in contact; 0 by exact methods. */
  get overlapError(): number {
    let most = 0;
    for (const { model, pair } of this.slots) {
      if (model.active) most = Math.max(most, pair.column[COLUMN.error]);
    }
    return most;
  }

  /** Sub-models in contact. */
  get activeCount(): number {
    let count = 0;
    for (let s = 0; s < this.slots.length; s++) if (this.slots[s].model.active) count++;
    return count;
  }

  /** Drops what is cached of the pose, because the state was replaced. @alloc none */
  invalidate(): void {
    this.versionI = -1;
    this.foundCount = 0;
    this.refused = 0;
    this.mapped = false;
    this.hasFresh = false;
    for (let s = 0; s < this.slots.length; s++) {
      const { model, pair } = this.slots[s];
      model.fresh = false;
      pair.invalidate();
    }
  }

  /** Pairs that touch and have no sub-model yet, at the present poses. @alloc none */
  search(): void {
    const { table, slots, found, foundColumns, near, column } = this;
    table.i.follow(this.i);
    table.j.follow(this.j);
    if (this.versionI === table.i.version && this.versionJ === table.j.version) return;
    this.versionI = table.i.version;
    this.versionJ = table.j.version;
    this.foundCount = 0;
    this.refused = 0;
    this.mapSlots();
    near.follow(this.i, this.j, table.i, table.j, AT_ONCE);
    for (let c = near.next(0); c < near.count; c = near.next(c + 1)) {
      if (this.isAssigned(this.pairOf(c))) continue;
      const pair = this.computeNear(c, table.i, table.j);
      if (pair < 0) continue;
      if (this.foundCount === slots.length) {
        this.refused++;
        continue;
      }
      found[this.foundCount] = pair;
      const o = COLUMN_SIZE * this.foundCount++;
      for (let k = 0; k < COLUMN_SIZE; k++) foundColumns[o + k] = column[k];
    }
  }

  /** Lost, found and new pairs at the present poses; new sub-models begin. `phased`: `computePhase` was called here. @alloc none */
  update(phased: boolean): void {
    this.search();
    const { slots, loops } = this;
    const measured = phased && this.yields;
    if (!measured && loops !== null) loops.measure(false);
    const settled = loops !== null && !loops.settle() && !this.hasFresh;
    if (!settled) this.hasFresh = false;
    for (let s = 0; s < slots.length && !settled; s++) {
      const { model, pair } = slots[s];
      if (pair.memory[ASSIGNED] === 0) continue;
      model.fresh = false;
      if (measured ? !model.active : loops === null) model.measure();
      if (model.kinematics[GAP] >= 0) release(slots[s]);
      else rememberNormal(slots[s]);
    }
    if (this.foundCount > 0) this.takeNew();
  }

  /** Begins every pair that touches and has no sub-model, where an event was located. @alloc none */
  beginTouching(): void {
    this.search();
    if (this.foundCount > 0) this.takeNew();
  }

  /** Whether pairs without a sub-model touch at the end of a trial step; keeps their kinematics. @alloc none */
  findClosing(): boolean {
    this.search();
    const { probe, closing } = this;
    for (let n = 0; n < this.foundCount; n++) {
      const k = probe.model.kinematics;
      probe.pair.memory[ASSIGNED] = this.found[n] + 1;
      probe.pair.adopt(this.foundColumns, COLUMN_SIZE * n, k);
      probe.model.measure();
      for (let a = 0; a < KINEMATICS; a++) closing[KINEMATICS * n + a] = k[a];
    }
    probe.pair.memory[ASSIGNED] = 0;
    return this.foundCount > 0;
  }

  /** Begins the pairs of `findClosing` with the bodies back at the start of the step: the rate at touch lies between. @alloc none */
  beginClosing(): void {
    const { table, slots, closing, column } = this;
    table.i.follow(this.i);
    table.j.follow(this.j);
    const countJ = table.j.cells.length;
    let free = 0;
    for (let n = 0; n < this.foundCount; n++) {
      free = this.nextFree(free);
      if (free === slots.length) continue;
      const { model, pair } = slots[free];
      const index = this.found[n];
      const a = Math.floor(index / countJ);
      const b = index - a * countJ;
      pair.memory[ASSIGNED] = index + 1;
      this.slotOf[index] = free;
      pair.invalidate();
      table.kernels[index].compute(table.i.at(a), table.j.at(b), column);
      const k = model.kinematics;
      for (let c = 0; c < KINEMATICS; c++) k[c] = closing[KINEMATICS * n + c];
      const end = k[RATE];
      const gap = column[COLUMN.gap] > 0 ? column[COLUMN.gap] : 0;
      model.measureVelocity();
      k[RATE] += (gap / (gap - k[GAP])) * (end - k[RATE]);
      k[GAP] = 0; // the contact begins at touch
    }
    this.versionI = -1;
    this.beginAssigned();
  }

  /**
   * Least distance of the pairs without a sub-model, less the depth at which they begin, into touch[TOUCH_MARGIN], m, and a rate that
   * it does not fall faster than into touch[TOUCH_RATE], m/s: for the location of events. @alloc none
   */
  measureTouch(): void {
    const { table, broad, column, touch } = this;
    table.i.follow(this.i);
    table.j.follow(this.j);
    this.versionI = -1;
    this.mapSlots();
    broad.search(table.i, table.j);
    broad.measureSeparation(table.i, table.j);
    let least = broad.separation[0];
    const countJ = table.j.cells.length;
    for (let c = 0; c < broad.count; c++) {
      const a = broad.candidates[2 * c];
      const b = broad.candidates[2 * c + 1];
      const pair = a * countJ + b;
      if (this.isAssigned(pair)) continue;
      table.kernels[pair].compute(table.i.at(a), table.j.at(b), column);
      const gap = isTouching(column, 0) ? column[COLUMN.gap] : Math.max(0, column[COLUMN.gap]);
      if (gap < least) least = gap;
    }
    touch[TOUCH_MARGIN] = this.activeCount === this.slots.length ? FAR : least + this.depth[0];
    measureApproach(this.i, this.j, table, touch, TOUCH_RATE);
  }

  /** Ends the contact of a slot and frees it. @alloc none */
  release(slot: number): void {
    release(this.slots[slot]);
  }

  /** Gives every new pair a sub-model and begins it. */
  private takeNew(): void {
    const { slots, found, foundColumns } = this;
    let free = 0;
    for (let n = 0; n < this.foundCount; n++) {
      free = this.nextFree(free);
      if (free === slots.length) continue;
      const { model, pair } = slots[free];
      pair.memory[ASSIGNED] = found[n] + 1;
      this.slotOf[found[n]] = free;
      pair.adopt(foundColumns, COLUMN_SIZE * n, model.kinematics);
      model.measure();
    }
    this.beginAssigned();
  }

  /** The lowest free slot from `slot` on; when there is none, the number of slots, and a pair is refused. */
  private nextFree(slot: number): number {
    const { slots } = this;
    let free = slot;
    while (free < slots.length && slots[free].pair.memory[ASSIGNED] !== 0) free++;
    if (free === slots.length) this.refused++;
    return free;
  }

  /** Latches speeds and begins all sub-models that have a pair and are not active. */
  private beginAssigned(): void {
    const { slots } = this;
    this.foundCount = 0;
    this.memory[0] += this.refused;
    this.refused = 0;
    for (let s = 0; s < slots.length; s++) {
      if (slots[s].pair.memory[ASSIGNED] !== 0 && !slots[s].model.active) this.latch(s);
    }
    for (let s = 0; s < slots.length; s++) {
      const { model, pair } = slots[s];
      if (pair.memory[ASSIGNED] === 0 || model.active) continue;
      rememberNormal(slots[s]);
      model.begin(pair.memory[SHARED_RATE], -model.kinematics[GAP]);
      model.fresh = true;
      this.hasFresh = true;
    }
    // what an earlier pair left in the slot is no part of the state
    const count = this.activeCount;
    for (let s = 0; s < slots.length; s++) {
      const { model } = slots[s];
      if (model.active && model.fresh) model.share[0] = count;
    }
  }

  /** The normal rate at onset of a sub-model that is about to begin. */
  private latch(slot: number): void {
    const { slots } = this;
    const mine = slots[slot].model.kinematics;
    const memory = slots[slot].pair.memory;
    memory[SHARED_RATE] = mine[RATE];
    if (!this.shares) return;
    let weight = 0;
    let sum = 0;
    for (let s = 0; s < slots.length; s++) {
      const { model, pair } = slots[s];
      if (pair.memory[ASSIGNED] === 0) continue;
      const k = model.kinematics;
      const cosine =
        k[NORMAL] * mine[NORMAL] +
        k[NORMAL + 1] * mine[NORMAL + 1] +
        k[NORMAL + 2] * mine[NORMAL + 2];
      if (cosine < ONE_SURFACE) continue;
      if (model.active) {
        memory[SHARED_RATE] = pair.memory[SHARED_RATE];
        return;
      }
      weight += k[VOLUME];
      sum += k[VOLUME] * k[RATE];
    }
    if (weight > 0) memory[SHARED_RATE] = sum / weight;
  }

  /**
   * Sub-steps that a step of stepLength[0] needs, their square into `phaseSquare`: the pieces push together, so their
   * stiffnesses add. Pairs that will touch within the step count with the stiffness where they would stop. @alloc none
   */
  computePhase(stepLength: Float64Array): void {
    this.phaseSquare[0] = 0;
    if (!this.yields) return;
    const { slots, loops } = this;
    this.measureActive();
    if (loops !== null) loops.computePhases(stepLength, this.phaseSquare);
    else {
      const count = this.activeCount;
      for (let s = 0; s < slots.length; s++) {
        const { model } = slots[s];
        if (!model.active) continue;
        model.share[0] = count;
        model.computePhase(stepLength);
        this.phaseSquare[0] += model.phase[0] * model.phase[0];
      }
    }
    this.foresee(stepLength);
  }

  private foresee(stepLength: Float64Array): void {
    const { table, near, probe } = this;
    table.i.follow(this.i);
    table.j.follow(this.j);
    this.versionI = -1; // pairs that found no free sub-model are counted again
    this.mapSlots();
    if (near.follow(this.i, this.j, table.i, table.j, stepLength)) {
      let placed = false;
      for (let c = near.next(0); c < near.count; c = near.next(c + 1)) {
        if (this.isAssigned(this.pairOf(c))) continue;
        if (!placed) this.placeAhead(stepLength);
        placed = true;
        const pair = this.computeNear(c, this.aheadI, this.aheadJ);
        if (pair >= 0) this.addForeseen(pair, stepLength);
      }
    } else {
      this.placeAhead(stepLength);
      this.foreseeFar(stepLength);
    }
    probe.pair.memory[ASSIGNED] = 0;
  }

  private placeAhead(stepLength: Float64Array): void {
    const { table } = this;
    table.i.foresee(this.i, stepLength, this.aheadI);
    table.j.foresee(this.j, stepLength, this.aheadJ);
  }

  /** The same where bodies move so far in a step that no list of near pairs holds for it. */
  private foreseeFar(stepLength: Float64Array): void {
    const { table, aheadI, aheadJ, broad, column } = this;
    broad.search(aheadI, aheadJ);
    const countJ = table.j.cells.length;
    for (let c = 0; c < broad.count; c++) {
      const a = broad.candidates[2 * c];
      const b = broad.candidates[2 * c + 1];
      const pair = a * countJ + b;
      if (this.isAssigned(pair)) continue;
      table.kernels[pair].compute(aheadI.at(a), aheadJ.at(b), column);
      if (isTouching(column, 0)) this.addForeseen(pair, stepLength);
    }
  }

  /** Pair of cells in the list of near ones. */
  private pairOf(c: number): number {
    return this.near.cells[2 * c] * this.table.j.cells.length + this.near.cells[2 * c + 1];
  }

  /** Computes the column of a near pair. @returns the pair, or −1 when it does not touch */
  private computeNear(c: number, i: CellPlacements, j: CellPlacements): number {
    const { near, column } = this;
    const pair = this.pairOf(c);
    const kernel = this.table.kernels[pair];
    if (!near.mayTouch(c, kernel, i, j)) return -1;
    kernel.compute(i.at(near.cells[2 * c]), j.at(near.cells[2 * c + 1]), column);
    if (isTouching(column, 0)) return pair;
    near.keepApart(c, kernel, i, j, column);
    return -1;
  }

  /** Adds the impact of a pair that `column` has found to touch ahead. */
  private addForeseen(pair: number, stepLength: Float64Array): void {
    const { probe } = this;
    probe.pair.memory[ASSIGNED] = pair + 1;
    probe.pair.adopt(this.column, 0, probe.model.kinematics);
    this.addImpact(stepLength);
  }

  /** Adds what the probe foresees. Depth, area and volume near touch go as δ, δ^(p−1), δ^p with p = A δ/V. */
  private addImpact(stepLength: Float64Array): void {
    const { turn } = this;
    const { model } = this.probe;
    model.measure();
    const k = model.kinematics;
    if (!(k[RATE] < 0)) return;
    model.computeMobility();
    const w = model.mobility[3];
    if (w === 0) return;
    const depth = -k[GAP];
    let power = (k[AREA] * depth) / k[VOLUME];
    if (!(power > 1)) power = 1;
    if (power > 4) power = 4;
    const part = pow(SHALLOW, power - 1);
    turn[TURN_DEPTH] = SHALLOW * depth;
    turn[TURN_RATE] = k[RATE];
    turn[TURN_INVERSE_MASS] = w;
    turn[TURN_VOLUME] = SHALLOW * part * k[VOLUME];
    turn[TURN_AREA] = part * k[AREA];
    model.normalLaw.measureTurn(turn);
    writePhaseLimit(turn);
    const h = stepLength[0];
    const needed = h / turn[TURN_LIMIT];
    this.phaseSquare[0] += turn[TURN_STIFFNESS] * w * needed * needed;
  }

  /** Writes the read-outs of sub-models that touch; clears those of the others. @alloc none */
  writeReadout(): void {
    const { slots, loops } = this;
    if (loops !== null) {
      loops.writeReadouts();
      return;
    }
    for (let s = 0; s < slots.length; s++) {
      const { model } = slots[s];
      if (model.active) model.writeReadout();
      else if (model.readout[0] !== 0) model.readout.fill(0);
    }
  }

  private mapSlots(): void {
    if (this.mapped) return;
    this.mapped = true;
    const { slots, slotOf } = this;
    for (let s = 0; s < slots.length; s++) {
      const pair = slots[s].pair.memory[ASSIGNED] - 1;
      if (pair >= 0) slotOf[pair] = s;
    }
  }

  private isAssigned(pair: number): boolean {
    const s = this.slotOf[pair];
    return s >= 0 && this.slots[s].pair.memory[ASSIGNED] === pair + 1;
  }
}
