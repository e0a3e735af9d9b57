/**
 * The geometric pair of two bodies of facets: every pair of facets nearer than the standoff d_s is a contact with the depth δ = d_s − d_w
 * and the normal n_w from the witness of j to that of i. `LaFarge & Lewis 1998`, docs/theory/faceted.md.
 *
 * Its kinematics are those of the deepest contact; without one, of the nearest pair, so that gap = d_w − d_s holds for both. Which contacts
 * there are is a function of the pose; they come in the order of the tree of pairs.
 */
import { oneOf, positive, range } from '../../base/parameter-checks.ts';
import type { FacetedPairModel } from '../../model/contact-spec.ts';
import { FacetQuery, PoseClass } from '../../proximity/facet-query.ts';
import {
  DIRECTION,
  DISTANCE,
  FACET_RESULT,
  POINT_A,
  POINT_B,
} from '../../proximity/witness-slots.ts';
import { makeFacetTree } from '../../proximity/facet-tree.ts';
import type { CellShape, Placed } from '../../shapes/cell-model.ts';
import { type PlacedFacets, placedFacets } from '../../shapes/faceted-shapes.ts';
import { OWN_COLUMNS } from '../../math/columns.ts';
import type { ContactBody } from '../contact-body.ts';
import type { ContactKernels } from '../contact-loops.ts';
import { LastPoses } from '../last-poses.ts';
import { GAP, NORMAL, type PairDefinition, POINT } from '../pair.ts';
import { FacetCenters } from './facet-centers.ts';
import { FacetKernel } from './facet-kernel.ts';
import { PairColumns } from './pair-columns.ts';
import { fillRows, type Places } from './places.ts';

/** Most pairs of facets that push at once: of a model that says nothing, and at all. */
const DEFAULT_PAIRS = 256;
const MOST_PAIRS = 4096;
/**
 * Near pairs of facets for each contact of `area`, where the contacts are facets of the finer body: one near a corner of the other body has
 * three partners or four, and only the nearest of them pushes.
 */
const PARTNERS = 4;
const MODES = ['drop', 'keep', 'area'] as const;
type Mode = (typeof MODES)[number];
/** Depth over the standoff up to which the model holds: what is left is the reserve. */
const MOST_STANDOFF = 0.9;

/** Number of contacts for which a pair has room. */
export function roomOf(model: FacetedPairModel): number {
  return model.maximumPairs ?? DEFAULT_PAIRS;
}

/** Most pairs of facets within the standoff. */
const nearRoom = (mode: Mode): number => (mode === 'area' ? PARTNERS * MOST_PAIRS : MOST_PAIRS);

/** The contacts of two bodies of facets. */
export class FacetedPair implements Places {
  /** Contacts at the pose of the last `compute`. */
  count = 0;
  /** Whether the bodies are inside of each other. */
  penetrates = false;
  /** Pairs of facets beyond the room. */
  refused = 0;
  readonly standoff: Float64Array;
  readonly reach: Float64Array;
  query: FacetQuery;
  private readonly mode: Mode;
  /** Whether the facets of i are the smaller ones. */
  private readonly finerI: boolean;
  /** [1 / reference area, 1/m²] */
  private readonly perArea: Float64Array;
  /** For `area`: the centres of the facets, and the witness of each contact. */
  private centers: FacetCenters | null;
  private readonly witnesses: Float64Array;
  /** Where the contacts lie. */
  private columns: PairColumns;
  /** What takes and fills them; null: this module does. */
  private kernel: FacetKernel | null = null;
  private readonly poses: LastPoses = new LastPoses();
  /** Column of the last `compute`. */
  private readonly column: Float64Array = new Float64Array(POINT + 3);

  constructor(model: FacetedPairModel) {
    const room = roomOf(model);
    const i = placedFacets(model.shapeI, 'shapeI');
    const j = placedFacets(model.shapeJ, 'shapeJ');
    this.mode = model.duplicates ?? 'drop';
    this.query = new FacetQuery(makeFacetTree(i), makeFacetTree(j), nearRoom(this.mode));
    const mean = (areas: Float64Array): number =>
      areas.reduce((sum, area) => sum + area, 0) / areas.length;
    this.finerI = mean(i.areas) <= mean(j.areas);
    this.centers = this.mode === 'area' ? new FacetCenters(this.query, this.finerI) : null;
    this.witnesses = new Float64Array(this.centers === null ? 0 : FACET_RESULT * room);
    this.perArea = Float64Array.of(1 / (model.referenceArea ?? 1));
    this.standoff = Float64Array.of(model.standoff);
    this.reach = this.query.treeA.reaches.subarray(0, 1);
    const facets = this.finerI ? i.facetCount : j.facetCount;
    this.columns = new PairColumns(room, this.mode === 'area' ? facets : null, OWN_COLUMNS);
  }

  /** From now on kernels go along the front, take the contacts and sum them up. */
  follow(kernels: ContactKernels): FacetKernel {
    const { query, columns, standoff, mode } = this;
    const limits = {
      capacity: nearRoom(mode),
      room: columns.depths.length,
      slots: columns.table.length,
      drops: mode === 'drop',
    };
    const kernel = new FacetKernel(kernels, query.treeA, query.treeB, limits, standoff);
    this.query = kernel.query;
    if (mode === 'area') this.centers = new FacetCenters(this.query, this.finerI);
    else this.kernel = kernel;
    this.columns = kernel.columns;
    return kernel;
  }

  get points(): Float64Array {
    return this.columns.points;
  }
  get normals(): Float64Array {
    return this.columns.normals;
  }
  get depths(): Float64Array {
    return this.columns.depths;
  }
  get rows(): Float64Array {
    return this.columns.rows;
  }
  get shares(): Float64Array {
    return this.columns.shares;
  }
  get keysI(): Int32Array {
    return this.columns.keysI;
  }
  get keysJ(): Int32Array {
    return this.columns.keysJ;
  }
  get sizes(): Float64Array {
    return this.columns.sizes;
  }
  get places(): Float64Array {
    return this.columns.places;
  }

  /** @alloc none */
  compute(i: ContactBody, j: ContactBody, kinematics: Float64Array): void {
    if (!this.poses.keep(i, j)) this.find(i, j);
    for (let a = 0; a < POINT + 3; a++) kinematics[a] = this.column[a];
  }

  /** Facets that cut each other have no direction between them. */
  get usesFallback(): boolean {
    return this.penetrates;
  }

  private find(i: ContactBody, j: ContactBody): void {
    const { query, standoff, column } = this;
    if (!this.poses.isFinite()) {
      // no bound of a distance ends the search of such a pose: the step is to fail at once
      this.count = 0;
      this.refused = 0;
      this.penetrates = false;
      column.fill(Number.NaN);
      return;
    }
    query.place(i.rotation, i.state, j.rotation, j.state);
    query.collect(standoff);
    this.penetrates = query.penetrates();
    this.refused = query.refused;
    if (this.kernel !== null) {
      this.takeBy(this.kernel, j);
      return;
    }
    this.choose();
    if (this.mode === 'area') for (let c = 0; c < this.count; c++) this.fillCenter(c, j);
    else this.fillPairs(j);
    if (this.count === 0) this.fillNearest(j);
    else {
      const { depths, count } = this;
      let deepest = 0;
      for (let c = 1; c < count; c++) if (depths[c] > depths[deepest]) deepest = c;
      column[GAP] = -this.depths[deepest];
      for (let a = 0; a < 3; a++) {
        column[NORMAL + a] = this.normals[3 * deepest + a];
        column[POINT + a] = this.points[3 * deepest + a];
      }
      fillRows(this, column);
    }
  }

  /** The same by a kernel. */
  private takeBy(kernel: FacetKernel, j: ContactBody): void {
    const { column } = this;
    this.count = kernel.take(j.rotation, j.state);
    this.refused += kernel.refused;
    if (this.count === 0) this.fillNearest(j);
    else for (let a = 0; a < POINT + 3; a++) column[a] = kernel.column[a];
  }

  /** Which pairs of facets are contacts, in their order. */
  private choose(): void {
    const { query } = this;
    this.count = 0;
    if (this.mode === 'keep') for (let k = 0; k < query.count; k++) this.take(k);
    else if (this.mode === 'drop') {
      this.columns.table.fill(0);
      for (let k = 0; k < query.count; k++) if (this.isNew(k)) this.take(k);
    } else if (this.centers !== null) this.chooseCenters(this.centers);
  }

  /** Each facet of the finer body with its centre and the nearest of its partners. */
  private chooseCenters(centers: FacetCenters): void {
    const { query, columns, witnesses, standoff } = this;
    const { table, taken } = columns;
    const { result } = centers;
    const facets = this.finerI ? query.facetsA : query.facetsB;
    table.fill(0);
    for (let k = 0; k < query.count; k++) {
      centers.measure(k);
      if (!(result[DISTANCE] < standoff[0])) continue;
      let at = table[facets[k]] - 1;
      if (at < 0) {
        if (!this.take(k)) continue;
        at = this.count - 1;
        table[facets[k]] = this.count;
      } else if (!(result[DISTANCE] < witnesses[FACET_RESULT * at + DISTANCE])) continue;
      taken[at] = k;
      for (let a = 0; a < FACET_RESULT; a++) witnesses[FACET_RESULT * at + a] = result[a];
    }
  }

  private take(k: number): boolean {
    const { taken } = this.columns;
    if (this.count === taken.length) {
      this.refused++;
      return false;
    }
    taken[this.count++] = k;
    return true;
  }

  /** Whether no contact has the feature pair of pair k yet. */
  private isNew(k: number): boolean {
    const { query, columns } = this;
    const { table, taken } = columns;
    const mask = table.length - 1;
    const a = query.featuresA[k];
    const b = query.featuresB[k];
    let slot = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)) >>> 7;
    for (slot &= mask; table[slot] !== 0; slot = (slot + 1) & mask) {
      const other = taken[table[slot] - 1];
      if (query.featuresA[other] === a && query.featuresB[other] === b) return false;
    }
    if (this.count < taken.length) table[slot] = this.count + 1;
    return true;
  }

  /** Contacts from their pairs of facets: the force acts in the middle between the witnesses. One loop, as there may be thousands. */
  private fillPairs(j: ContactBody): void {
    const { query, columns } = this;
    const { places, points, normals, depths, sizes, shares, keysI, keysJ, taken } = columns;
    const { pointsA, pointsB, directions, distances, facetsA, facetsB } = query;
    const byFeature = this.mode === 'drop';
    const ofA = byFeature ? query.featuresA : facetsA;
    const ofB = byFeature ? query.featuresB : facetsB;
    const sizesA = query.treeA.facets.sizes;
    const sizesB = query.treeB.facets.sizes;
    const { rotation: r, state } = j;
    const { count } = this;
    const standoff = this.standoff[0];
    for (let c = 0; c < count; c++) {
      const k = taken[c];
      const o = 3 * c;
      const q = 3 * k;
      const x = 0.5 * (pointsA[q] + pointsB[q]);
      const y = 0.5 * (pointsA[q + 1] + pointsB[q + 1]);
      const z = 0.5 * (pointsA[q + 2] + pointsB[q + 2]);
      places[o] = x;
      places[o + 1] = y;
      places[o + 2] = z;
      points[o] = r[0] * x + r[1] * y + r[2] * z + state[0];
      points[o + 1] = r[3] * x + r[4] * y + r[5] * z + state[1];
      points[o + 2] = r[6] * x + r[7] * y + r[8] * z + state[2];
      const u = directions[q];
      const v = directions[q + 1];
      const w = directions[q + 2];
      normals[o] = r[0] * u + r[1] * v + r[2] * w;
      normals[o + 1] = r[3] * u + r[4] * v + r[5] * w;
      normals[o + 2] = r[6] * u + r[7] * v + r[8] * w;
      sizes[c] = sizesA[facetsA[k]] + sizesB[facetsB[k]];
      shares[c] = 1;
      depths[c] = standoff - distances[k];
      keysI[c] = ofA[k];
      keysJ[c] = ofB[k];
    }
  }

  /** Contact c where the centre of a facet has the witness. */
  private fillCenter(c: number, j: ContactBody): void {
    const { query, places, points, normals, witnesses: w } = this;
    const k = this.columns.taken[c];
    const o = 3 * c;
    const at = FACET_RESULT * c;
    const f = query.facetsA[k];
    const g = query.facetsB[k];
    this.sizes[c] = query.treeA.facets.sizes[f] + query.treeB.facets.sizes[g];
    for (let d = 0; d < 3; d++) places[o + d] = 0.5 * (w[at + POINT_A + d] + w[at + POINT_B + d]);
    turn(j.rotation, w, at + DIRECTION, normals, o);
    turn(j.rotation, places, o, points, o);
    for (let d = 0; d < 3; d++) points[o + d] += j.state[d];
    this.depths[c] = this.standoff[0] - w[at + DISTANCE];
    const areas = this.finerI ? query.treeA.facets.areas : query.treeB.facets.areas;
    this.shares[c] = areas[this.finerI ? f : g] * this.perArea[0];
    this.keysI[c] = this.finerI ? f : 0;
    this.keysJ[c] = this.finerI ? 0 : g;
  }

  /** Nothing pushes: gap, normal and point of the nearest pair of facets. */
  private fillNearest(j: ContactBody): void {
    const { query, column } = this;
    this.penetrates = query.classifyNext(this.standoff) === PoseClass.penetrating;
    const { nearest } = query;
    column[GAP] = nearest[DISTANCE] - this.standoff[0];
    if (column[GAP] < 0) column[GAP] = 0; // facets are near, but not the centre of one
    turn(j.rotation, nearest, DIRECTION, column, NORMAL);
    for (let a = 0; a < 3; a++)
      column[POINT + a] = 0.5 * (nearest[POINT_A + a] + nearest[POINT_B + a]);
    turn(j.rotation, column, POINT, column, POINT);
    for (let a = 0; a < 3; a++) column[POINT + a] += j.state[a];
  }
}

/** out[o..] := R x[at..]; `out` may be x. */
function turn(r: Float64Array, x: Float64Array, at: number, out: Float64Array, o: number): void {
  const p = x[at];
  const q = x[at + 1];
  const s = x[at + 2];
  out[o] = r[0] * p + r[1] * q + r[2] * s;
  out[o + 1] = r[3] * p + r[4] * q + r[5] * s;
  out[o + 2] = r[6] * p + r[7] * q + r[8] * s;
}

/** What can be drawn of a shape of facets: one that is convex, as its round original. */
function drawn({ shape, position, orientation }: PlacedFacets): readonly Placed<CellShape>[] {
  if (shape.kind === 'box')
    return [{ shape: { kind: 'box', size: shape.size }, position, orientation }];
  if (shape.kind !== 'frustum' || !(shape.topRadius < shape.radius)) return [];
  const { radius, topRadius, length } = shape;
  return [{ shape: { kind: 'frustum', radius, topRadius, length }, position, orientation }];
}

export const FACETED: PairDefinition<FacetedPairModel> = {
  step: 'places',
  supplies: [],
  check(model, field) {
    const { standoff, duplicates, referenceArea, maximumPairs: most } = model;
    const extents = [
      placedFacets(model.shapeI, `${field}.shapeI`).extent,
      placedFacets(model.shapeJ, `${field}.shapeJ`).extent,
    ];
    const size = Math.min(...extents);
    range(
      `${field}.standoff`,
      standoff,
      standoff > 0 && standoff < size,
      `> 0 and below the size of both bodies, ${size} m`,
    );
    if (duplicates !== undefined) oneOf(`${field}.duplicates`, duplicates, MODES);
    if (referenceArea !== undefined) positive(`${field}.referenceArea`, referenceArea);
    if (most === undefined) return;
    const whole = Number.isInteger(most) && most >= 1 && most <= MOST_PAIRS;
    range(`${field}.maximumPairs`, most, whole, `to be a whole number from 1 to ${MOST_PAIRS}`);
  },
  effectiveRadius: () => 0,
  mostDepth: ({ standoff }) => MOST_STANDOFF * standoff,
  isEccentric: () => true,
  make: (model) => new FacetedPair(model),
  shapes: ({ shapeI, shapeJ }) => ({ i: drawn(shapeI), j: drawn(shapeJ) }),
  facets: (model) => ({
    i: model.shapeI,
    j: model.shapeJ,
    standoff: model.standoff,
    room: roomOf(model),
  }),
};
