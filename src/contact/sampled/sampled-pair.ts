/**
 * The geometric pair of samples on body i and the distance field of body j. Every sample inside of the field is a spring of a foundation along the
 * gradient of the field; patches of samples are the places of action. docs/theory/sampled.md.
 *
 * A patch acts at its centre of load C/L along n = G/|G| with the volume V = |G|, with the moment H − C/L × G beside it (sample-sums.ts), all turned
 * into the world. Its kinematics are those of the patch with the deepest sample; without one those of the nearest sample, or of the line
 * between the middles where no sample is near the field.
 */
import {
  expect,
  finite,
  notNegative,
  plain,
  positive,
  range,
  unit,
} from '../../base/parameter-checks.ts';
import { rotationOf } from '../../math/quaternion.ts';
import type { SampledPairModel } from '../../model/contact-spec.ts';
import { FieldPlace, GRADIENT } from '../../proximity/field-value.ts';
import type { DistanceField } from '../../shapes/distance-field.ts';
import { BLOCK_VALUES } from '../../shapes/field-blocks.ts';
import type { SurfaceSamples } from '../../shapes/surface-samples.ts';
import type { ContactBody } from '../contact-body.ts';
import type { ContactKernels } from '../contact-loops.ts';
import { fillRows, type Places } from '../faceted/places.ts';
import { LastPoses } from '../last-poses.ts';
import {
  AREA as AREA_SLOT,
  GAP,
  MOST_DEPTH,
  NORMAL,
  type PairDefinition,
  POINT,
  VOLUME,
} from '../pair.ts';
import {
  AREA,
  BOUND,
  CENTER,
  DEEPEST,
  DROWNED,
  ENERGY,
  FORCE,
  LEAST,
  LOAD,
  MOMENT,
  SAMPLE,
  STIFF,
  SUMS,
} from './sample-slots.ts';
import { sampleKernel } from './sample-kernel.ts';
import { SampleSums } from './sample-sums.ts';

/** Columns that the pair fills: up to the point, then volume and area. */
const HEAD = POINT + 3;

/** The patches of a pair. */
export class SampledPair implements Places {
  count = 0;
  readonly points: Float64Array;
  readonly normals: Float64Array;
  /** Depth of the deepest sample of a patch, m. */
  readonly depths: Float64Array;
  readonly rows: Float64Array;
  /** V of a patch, m³. */
  readonly shares: Float64Array;
  /** Σ w |g|² of a patch, m²: its stiffness over k. */
  readonly stiffAreas: Float64Array;
  readonly keysI: Int32Array;
  readonly keysJ: Int32Array;
  readonly sizes: Float64Array;
  readonly places: Float64Array;
  penetrates = false;
  /** Every patch has room. */
  readonly refused: number = 0;
  readonly standoff: Float64Array;
  readonly reach: Float64Array;
  /** Sum of the moments beside those of the forces, world, over k, m⁴. */
  readonly moment: Float64Array = new Float64Array(3);
  /** [Σ V, m³; potential over k, m³·m; Σ A, m²] */
  readonly totals: Float64Array = new Float64Array(3);
  readonly sampling: SampleSums;
  /** Rotation of the field into body j, and its place there. */
  private readonly turn: Float64Array = new Float64Array(9);
  private readonly shift: Float64Array;
  private readonly origin: Float64Array;
  /** [metres of a cell] */
  private readonly cell: Float64Array;
  /** Rotation of the field into the world. */
  private readonly world: Float64Array = new Float64Array(9);
  private readonly work: Float64Array = new Float64Array(9);
  /** Of the last `compute`. */
  private readonly poses: LastPoses = new LastPoses();
  /** Column of the last `compute`. */
  private readonly column: Float64Array = new Float64Array(HEAD);
  private readonly patchCount: number;
  private readonly samples: SurfaceSamples;
  private readonly field: DistanceField;

  constructor(model: SampledPairModel) {
    const { samples, field } = model;
    this.samples = samples;
    this.field = field.field;
    const room = samples.patchCount;
    this.patchCount = room;
    this.sampling = new SampleSums(samples, field.field);
    rotationOf(this.turn, Float64Array.from(field.orientation), 0);
    this.shift = Float64Array.from(field.position);
    this.origin = Float64Array.from(field.field.origin);
    this.cell = Float64Array.of(field.field.cell * field.field.scale);
    this.standoff = Float64Array.of(field.field.band * field.field.scale);
    this.reach = Float64Array.of(samples.reach);
    this.points = new Float64Array(3 * room);
    this.normals = new Float64Array(3 * room);
    this.places = new Float64Array(3 * room);
    this.depths = new Float64Array(room);
    this.rows = new Float64Array(6 * room);
    this.shares = new Float64Array(room);
    this.stiffAreas = new Float64Array(room);
    this.sizes = new Float64Array(room);
    this.keysI = new Int32Array(room);
    this.keysJ = new Int32Array(room);
    for (let a = 0; a < 3; a++) this.origin[a] /= field.field.cell;
  }

  /** From now on a kernel takes the sums. */
  follow(kernels: ContactKernels): void {
    this.sampling.follow(sampleKernel(kernels, this.samples, this.field));
  }

  /** @alloc none */
  compute(i: ContactBody, j: ContactBody, kinematics: Float64Array): void {
    if (!this.poses.keep(i, j)) this.find(i, j);
    for (let a = 0; a < HEAD; a++) kinematics[a] = this.column[a];
    kinematics[VOLUME] = this.totals[0];
    kinematics[AREA_SLOT] = this.totals[2];
  }

  /** A sample below the band of the field has no gradient. */
  get usesFallback(): boolean {
    return this.penetrates;
  }

  private find(i: ContactBody, j: ContactBody): void {
    const { sampling, column, totals, moment } = this;
    this.count = 0;
    totals.fill(0);
    moment.fill(0);
    this.writeMap(i, j);
    let sum = 0;
    for (let a = 0; a < 12; a++) sum += sampling.map[a] - sampling.map[a];
    if (sum !== 0) {
      this.penetrates = false;
      column.fill(Number.NaN);
      return;
    }
    sampling.run();
    this.penetrates = sampling.whole[DROWNED] > 0;
    let deepest = -1;
    let depth = 0;
    for (let p = 0; p < this.patchCount; p++) {
      const o = SUMS * p;
      if (!(sampling.sums[o + LOAD] > 0)) continue;
      if (this.take(p, o, j) && sampling.sums[o + DEEPEST] > depth) {
        deepest = this.count - 1;
        depth = sampling.sums[o + DEEPEST];
      }
    }
    if (deepest < 0) this.fillNearest(i, j);
    else {
      column[GAP] = -this.depths[deepest];
      for (let a = 0; a < 3; a++) {
        column[NORMAL + a] = this.normals[3 * deepest + a];
        column[POINT + a] = this.points[3 * deepest + a];
      }
      fillRows(this, column);
    }
  }

  /** map := from the frame of body i to the grid, world := from the grid to the world. */
  private writeMap(i: ContactBody, j: ContactBody): void {
    const { sampling, turn, world, work, shift, origin, cell } = this;
    const { map } = sampling;
    const per = 1 / cell[0];
    for (let r = 0; r < 3; r++)
      for (let c = 0; c < 3; c++)
        world[3 * r + c] =
          j.rotation[3 * r] * turn[c] +
          j.rotation[3 * r + 1] * turn[3 + c] +
          j.rotation[3 * r + 2] * turn[6 + c];
    for (let a = 0; a < 3; a++) work[a] = i.state[a] - j.state[a];
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++)
        map[4 * r + c] =
          per *
          (world[r] * i.rotation[c] +
            world[3 + r] * i.rotation[3 + c] +
            world[6 + r] * i.rotation[6 + c]);
      const along = world[r] * work[0] + world[3 + r] * work[1] + world[6 + r] * work[2];
      const own = turn[r] * shift[0] + turn[3 + r] * shift[1] + turn[6 + r] * shift[2];
      map[4 * r + 3] = per * (along - own) - origin[r];
    }
  }

  /** Patch p becomes a place; false where its springs cancel each other. */
  private take(p: number, o: number, j: ContactBody): boolean {
    const { sampling, work, cell, moment, totals, count: c } = this;
    const s = sampling.sums;
    const gx = s[o + FORCE];
    const gy = s[o + FORCE + 1];
    const gz = s[o + FORCE + 2];
    const x = s[o + CENTER] / s[o + LOAD];
    const y = s[o + CENTER + 1] / s[o + LOAD];
    const z = s[o + CENTER + 2] / s[o + LOAD];
    const size = Math.sqrt(gx * gx + gy * gy + gz * gz);
    const square = cell[0] * cell[0];
    totals[1] += s[o + ENERGY] * square;
    totals[2] += s[o + AREA];
    work[0] = s[o + MOMENT] - (y * gz - z * gy);
    work[1] = s[o + MOMENT + 1] - (z * gx - x * gz);
    work[2] = s[o + MOMENT + 2] - (x * gy - y * gx);
    turnBy(this.world, work, 0, work, 3);
    for (let a = 0; a < 3; a++) moment[a] += square * work[3 + a];
    if (!(size > 0)) return false;
    totals[0] += size * cell[0];
    work[0] = gx / size;
    work[1] = gy / size;
    work[2] = gz / size;
    turnBy(this.world, work, 0, this.normals, 3 * c);
    work[0] = x;
    work[1] = y;
    work[2] = z;
    this.toWorld(c, j);
    this.shares[c] = size * cell[0];
    this.stiffAreas[c] = s[o + STIFF];
    this.depths[c] = s[o + DEEPEST] * cell[0];
    this.keysI[c] = p;
    this.count++;
    return true;
  }

  /** points[c], places[c] := the place in the grid at work[0..2]. */
  private toWorld(c: number, j: ContactBody): void {
    const { work, origin, cell, shift, places, points } = this;
    for (let a = 0; a < 3; a++) work[a] = (work[a] + origin[a]) * cell[0];
    turnBy(this.turn, work, 0, places, 3 * c);
    for (let a = 0; a < 3; a++) places[3 * c + a] += shift[a];
    turnBy(j.rotation, places, 3 * c, points, 3 * c);
    for (let a = 0; a < 3; a++) points[3 * c + a] += j.state[a];
  }

  /** Nothing pushes: gap, normal and point of the nearest sample that was read; a bound of the gap where others may be nearer. */
  private fillNearest(i: ContactBody, j: ContactBody): void {
    const { sampling, column, work, cell, world } = this;
    const { whole, value } = sampling;
    const sample = whole[SAMPLE];
    const gap = whole[LEAST] < whole[BOUND] ? whole[LEAST] : whole[BOUND];
    column[GAP] = gap * cell[0];
    if (sample >= 0 && sampling.read(sample) === FieldPlace.near) {
      for (let a = 0; a < 3; a++) {
        work[a] = value.result[GRADIENT + a];
        work[3 + a] = (sampling.at[a] + this.origin[a]) * cell[0];
      }
      turnBy(world, work, 0, column, NORMAL);
      turnBy(this.turn, work, 3, work, 6);
      for (let a = 0; a < 3; a++) work[6 + a] += this.shift[a];
      turnBy(j.rotation, work, 6, column, POINT);
      for (let a = 0; a < 3; a++) column[POINT + a] += j.state[a];
    } else {
      for (let a = 0; a < 3; a++) {
        column[NORMAL + a] = i.state[a] - j.state[a];
        column[POINT + a] = i.state[a];
      }
    }
    let square = 0;
    for (let a = 0; a < 3; a++) square += column[NORMAL + a] * column[NORMAL + a];
    if (square > 0) for (let a = 0; a < 3; a++) column[NORMAL + a] /= Math.sqrt(square);
    else column[NORMAL + 2] = 1;
  }
}

/** out[o..] := R x[at..], which may not overlap. */
function turnBy(r: Float64Array, x: Float64Array, at: number, out: Float64Array, o: number): void {
  const p = x[at];
  const q = x[at + 1];
  const s = x[at + 2];
  for (let row = 0; row < 3; row++)
    out[o + row] = r[3 * row] * p + r[3 * row + 1] * q + r[3 * row + 2] * s;
}

/** Least side of the box around points, three numbers each, m. */
function leastExtent(points: Float64Array): number {
  const sides = [0, 1, 2].map((axis) => {
    const values = points.filter((_, k) => k % 3 === axis);
    return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  });
  return Math.min(...sides);
}

export const SAMPLED: PairDefinition<SampledPairModel> = {
  step: 'places',
  supplies: ['volume'],
  spread: true,
  check(model, field) {
    checkField(model, `${field}.field`);
    checkSamples(model, `${field}.samples`);
  },
  effectiveRadius: () => 0,
  mostDepth: ({ samples }) => MOST_DEPTH * leastExtent(samples.points),
  isEccentric: () => true,
  make: (model) => new SampledPair(model),
  shapes: () => ({ i: [], j: [] }),
  surfaces: ({ surfaces }) => surfaces ?? {},
};

function checkField({ field: placed }: SampledPairModel, field: string): void {
  plain(field, placed);
  finite(`${field}.position`, placed.position, 3);
  finite(`${field}.orientation`, placed.orientation, 4);
  unit(`${field}.orientation`, placed.orientation);
  const at = `${field}.field`;
  plain(at, placed.field);
  const { origin, cell, counts, band, blocks, middles, values, error, scale } = placed.field;
  finite(`${at}.origin`, origin, 3);
  for (const [name, value] of Object.entries({ cell, band, scale })) {
    finite(`${at}.${name}`, [value], 1);
    positive(`${at}.${name}`, value);
  }
  finite(`${at}.error`, [error], 1);
  notNegative(`${at}.error`, error);
  finite(`${at}.counts`, counts, 3);
  counts.forEach((count) => {
    wholeNumber(`${at}.counts`, count);
  });
  const total = counts[0] * counts[1] * counts[2];
  expect(`${at}.blocks`, blocks, ArrayBuffer.isView(blocks), 'to be a typed array');
  const kept = blocks.reduce((most, block) => Math.max(most, block + 1), 0);
  numbersOf(`${at}.blocks`, blocks, total, -1);
  numbersOf(`${at}.middles`, middles, total, -Infinity);
  numbersOf(`${at}.values`, values, BLOCK_VALUES * kept, -Infinity);
}

function checkSamples({ samples }: SampledPairModel, field: string): void {
  plain(field, samples);
  const { points, areas, spheres, firsts, ends, skips, patches, patchCount, reach } = samples;
  for (const [name, value] of Object.entries({ areas, firsts }))
    expect(`${field}.${name}`, value, ArrayBuffer.isView(value), 'to be a typed array');
  const nodes = firsts.length;
  wholeNumber(`${field}.patchCount`, patchCount);
  finite(`${field}.reach`, [reach], 1);
  positive(`${field}.reach`, reach);
  numbersOf(`${field}.points`, points, 3 * areas.length, -Infinity);
  numbersOf(`${field}.areas`, areas, areas.length, 0);
  numbersOf(`${field}.spheres`, spheres, 4 * nodes, -Infinity);
  numbersOf(`${field}.firsts`, firsts, nodes, 0);
  numbersOf(`${field}.ends`, ends, nodes, 1);
  numbersOf(`${field}.skips`, skips, nodes, 1);
  numbersOf(`${field}.patches`, patches, nodes, -1);
}

function wholeNumber(field: string, value: number): void {
  range(field, value, Number.isInteger(value) && value > 0, 'to be a whole number > 0');
}

function numbersOf(
  field: string,
  numbers: ArrayLike<number> & ArrayBufferView,
  wanted: number,
  least: number,
): void {
  expect(field, numbers, ArrayBuffer.isView(numbers), 'to be a typed array');
  expect(field, numbers.length, numbers.length === wanted, `to have ${wanted} numbers`);
  const allowed = least > -Infinity ? `to have numbers >= ${least} alone` : 'to be finite';
  for (let k = 0; k < wanted; k++) range(field, numbers[k], numbers[k] >= least, allowed);
}
