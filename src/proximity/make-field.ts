/**
 * Makes the signed distance field of a closed mesh: exact distances at the nodes near its surface (mesh-distance.ts), from them the coefficients of
 * the spline of field-value.ts. It allocates and is for construction. docs/theory/sampled.md.
 *
 * The spline of the distances f themselves would be off by 1/8 Σ δ²f, δ² the second difference along an axis. So c = f − 1/8 Σ δ²f:
 * polynomials up to the third degree along each axis are kept.
 */
import { BerthError } from '../base/errors.ts';
import type { DistanceField } from '../shapes/distance-field.ts';
import { BLOCK, BLOCK_MIDDLE, BLOCK_ROOM, BLOCK_VALUES } from '../shapes/field-blocks.ts';
import { holdsPoint } from '../shapes/mesh-inside.ts';
import type { TriangleMesh } from '../shapes/triangle-mesh.ts';
import { FieldPlace, FieldValue, VALUE } from './field-value.ts';
import { MeshDistance, SIGNED } from './mesh-distance.ts';

/** Most blocks along the grid and of those that are kept: 260 MB. */
const MOST_GRID = 16_000_000;
const MOST_BLOCKS = 65_536;
/** Cells beyond the band in which a node may lie that a kept block needs: no block of the rim of the grid is kept. */
const RIM = 2;
/** Half the diagonal of the own nodes of a block, in cells. */
const REACH = Math.sqrt(3) * BLOCK_MIDDLE;
const OWN = BLOCK * BLOCK * BLOCK;
/** Places at which the error is measured, and triangles times places of the test by solid angles. */
const PROBES = 20_000;
const ANGLES = 2_000_000;

/** What to make. */
export interface FieldOptions {
  /** Distance of two nodes, in units of the mesh. */
  readonly cell: number;
  /** Depth and height up to which the field is known, in units of the mesh; at least two cells. */
  readonly band: number;
  /** Metres in one unit. */
  readonly scale: number;
}

/** Builds the field. @throws BerthError for a surface that has no inside everywhere, and for a grid that is too fine */
export function makeField(mesh: TriangleMesh, options: FieldOptions, name: string): DistanceField {
  const { cell, band, scale } = options;
  const distance = new MeshDistance(mesh);
  if (distance.crowded !== null)
    throw refused(
      name,
      `an edge at ${placeOf(mesh, distance.crowded[0])} has more than two triangles`,
    );
  const grid = gridOf(mesh, cell, band, name);
  const { counts, origin } = grid;
  const total = counts[0] * counts[1] * counts[2];
  const middles = new Float32Array(total);
  const point = new Float64Array(3);
  const measure = (i: number, j: number, k: number, within: number): number => {
    point[0] = origin[0] + cell * i;
    point[1] = origin[1] + cell * j;
    point[2] = origin[2] + cell * k;
    distance.measure(point, 0, within);
    return distance.result[SIGNED];
  };
  const blocks = new Int32Array(total).fill(-1);
  let kept = 0;
  forEachBlock(counts, (block, i, j, k) => {
    const m = BLOCK_MIDDLE;
    const before = i > 0 ? Math.abs(middles[block - 1]) * cell + (BLOCK + 1) * cell : Infinity;
    middles[block] = measure(BLOCK * i + m, BLOCK * j + m, BLOCK * k + m, before) / cell;
    if (Math.abs(middles[block]) <= band / cell + REACH + 1) blocks[block] = kept++;
  });
  if (kept > MOST_BLOCKS)
    throw tooFine(name, `${kept} blocks of 8 cells along each edge near the surface`, MOST_BLOCKS);
  checkSides(mesh, grid, cell, middles, blocks, name);
  const raw = new RawNodes(counts, blocks, middles, measure, cell);
  kept = 0;
  for (let block = 0; block < total; block++)
    if (blocks[block] >= 0) blocks[block] = raw.least(block) <= band / cell + 1 ? kept++ : -1;
  const values = new Float32Array(kept * BLOCK_VALUES);
  forEachBlock(counts, (block, i, j, k) => {
    if (blocks[block] >= 0) fillBlock(values, BLOCK_VALUES * blocks[block], raw, i, j, k);
  });
  raw.checkSigns((i, j, k) => {
    const at = [i, j, k].map((n, a) => Number((origin[a] + cell * n).toPrecision(6)));
    return refused(
      name,
      `inside and outside contradict each other near (${at.join(', ')}): it cuts itself`,
    );
  });
  const field = { origin, cell, counts, band, blocks, middles, values, error: 0, scale };
  return { ...field, error: largestError(field, distance) };
}

const refused = (name: string, problem: string): BerthError =>
  new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected ${name} to have an inside and an outside everywhere, but ${problem}`,
    { field: name },
  );

const tooFine = (name: string, got: string, most: number): BerthError =>
  new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected the field of ${name} to have at most ${most} blocks, got ${got}; take larger cells`,
    { field: '--cell' },
  );

const placeOf = (mesh: TriangleMesh, vertex: number): string =>
  `(${[0, 1, 2].map((a) => mesh.vertices[3 * vertex + a]).join(', ')})`;

interface Grid {
  readonly origin: readonly [number, number, number];
  readonly counts: readonly [number, number, number];
}

/** Blocks over the mesh, its band and one more block on every side, about the middle of the mesh. */
function gridOf(mesh: TriangleMesh, cell: number, band: number, name: string): Grid {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const vertex of mesh.triangles) {
    for (let a = 0; a < 3; a++) {
      low[a] = Math.min(low[a], mesh.vertices[3 * vertex + a]);
      high[a] = Math.max(high[a], mesh.vertices[3 * vertex + a]);
    }
  }
  const along = (a: number): number =>
    Math.ceil((high[a] - low[a] + 2 * (band + RIM * cell)) / (BLOCK * cell)) + 2;
  const counts = [along(0), along(1), along(2)] as const;
  const total = counts[0] * counts[1] * counts[2];
  if (!(total <= MOST_GRID))
    throw tooFine(name, `a grid of ${counts.join(' × ')} blocks`, MOST_GRID);
  const start = (a: number): number =>
    (low[a] + high[a]) / 2 - (cell * (BLOCK * counts[a] - 1)) / 2;
  return { counts, origin: [start(0), start(1), start(2)] };
}

function forEachBlock(
  counts: readonly [number, number, number],
  visit: (block: number, i: number, j: number, k: number) => void,
): void {
  let block = 0;
  for (let k = 0; k < counts[2]; k++)
    for (let j = 0; j < counts[1]; j++) for (let i = 0; i < counts[0]; i++) visit(block++, i, j, k);
}

/** The sign of the distance against solid angles at middles of blocks near the surface, as many as take a second. */
function checkSides(
  mesh: TriangleMesh,
  { origin, counts }: Grid,
  cell: number,
  middles: Float32Array,
  blocks: Int32Array,
  name: string,
): void {
  const near: number[] = [];
  blocks.forEach((kept, block) => {
    // at the surface itself a solid angle has no digits
    if (kept >= 0 && Math.abs(middles[block]) > 0.1) near.push(block);
  });
  const asked = Math.max(1, Math.floor(ANGLES / (mesh.triangles.length / 3)));
  const stride = Math.max(1, Math.floor(near.length / asked));
  for (let m = 0; m < near.length; m += stride) {
    const block = near[m];
    const i = block % counts[0];
    const j = Math.floor(block / counts[0]) % counts[1];
    const k = Math.floor(block / (counts[0] * counts[1]));
    const place = [i, j, k].map((n, a) => origin[a] + cell * (BLOCK * n + BLOCK_MIDDLE));
    if (holdsPoint(mesh, place) === middles[block] < 0) continue;
    const at = place.map((x) => Number(x.toPrecision(6))).join(', ');
    throw refused(name, `(${at}) is on both sides of it: it cuts itself`);
  }
}

/** Distances at the nodes of blocks that are kept and of their neighbours, in cells, each measured once. */
class RawNodes {
  private readonly counts: readonly [number, number, number];
  private readonly slots: Int32Array;
  private readonly nodes: Float32Array;

  constructor(
    counts: readonly [number, number, number],
    blocks: Int32Array,
    middles: Float32Array,
    measure: (i: number, j: number, k: number, within: number) => number,
    cell: number,
  ) {
    this.counts = counts;
    this.slots = new Int32Array(blocks.length).fill(-1);
    let count = 0;
    forEachBlock(counts, (block, i, j, k) => {
      if (blocks[block] < 0) return;
      for (let c = k - 1; c <= k + 1; c++)
        for (let b = j - 1; b <= j + 1; b++)
          for (let a = i - 1; a <= i + 1; a++) {
            const near = this.blockAt(a, b, c);
            if (near >= 0 && this.slots[near] < 0) this.slots[near] = count++;
          }
    });
    this.nodes = new Float32Array(OWN * count);
    forEachBlock(counts, (block, i, j, k) => {
      const slot = this.slots[block];
      if (slot < 0) return;
      let at = OWN * slot;
      for (let c = 0; c < BLOCK; c++)
        for (let b = 0; b < BLOCK; b++)
          for (let a = 0; a < BLOCK; a++) {
            // a node before this one is one cell away at most, the middle of the block its reach
            const before = a > 0 ? 1 : b > 0 ? BLOCK : c > 0 ? BLOCK * BLOCK : 0;
            const from = before > 0 ? Math.abs(this.nodes[at - before]) + 1.01 : middles[block];
            const within = (before > 0 ? from : Math.abs(from) + REACH + 0.01) * cell;
            this.nodes[at] = measure(BLOCK * i + a, BLOCK * j + b, BLOCK * k + c, within) / cell;
            at++;
          }
    });
  }

  private blockAt(i: number, j: number, k: number): number {
    const { counts } = this;
    if (i < 0 || j < 0 || k < 0 || i >= counts[0] || j >= counts[1] || k >= counts[2]) return -1;
    return (k * counts[1] + j) * counts[0] + i;
  }

  at(i: number, j: number, k: number): number {
    const block = this.blockAt(i >> 3, j >> 3, k >> 3);
    const slot = this.slots[block];
    return this.nodes[OWN * slot + ((k & 7) * BLOCK + (j & 7)) * BLOCK + (i & 7)];
  }

  /** Least distance of a node of a block from the surface. */
  least(block: number): number {
    let least = Infinity;
    for (let n = OWN * this.slots[block]; n < OWN * (this.slots[block] + 1); n++)
      least = Math.min(least, Math.abs(this.nodes[n]));
    return least;
  }

  /** A distance changes by one cell at most from node to node; `wrong` is thrown where it does not. */
  checkSigns(wrong: (i: number, j: number, k: number) => BerthError): void {
    forEachBlock(this.counts, (block, i, j, k) => {
      const slot = this.slots[block];
      if (slot < 0) return;
      for (let n = 0; n < OWN; n++) {
        const at = OWN * slot + n;
        for (const [step, inside] of [
          [1, n & 7],
          [BLOCK, (n >> 3) & 7],
          [BLOCK * BLOCK, n >> 6],
        ]) {
          if (inside === BLOCK - 1) continue;
          if (Math.abs(this.nodes[at + step] - this.nodes[at]) < 1.001) continue;
          throw wrong(BLOCK * i + (n & 7), BLOCK * j + ((n >> 3) & 7), BLOCK * k + (n >> 6));
        }
      }
    });
  }
}

function fillBlock(
  values: Float32Array,
  o: number,
  raw: RawNodes,
  bi: number,
  bj: number,
  bk: number,
): void {
  let at = o;
  for (let c = -1; c < BLOCK_ROOM - 1; c++)
    for (let b = -1; b < BLOCK_ROOM - 1; b++)
      for (let a = -1; a < BLOCK_ROOM - 1; a++) {
        const i = BLOCK * bi + a;
        const j = BLOCK * bj + b;
        const k = BLOCK * bk + c;
        const f = raw.at(i, j, k);
        const sum =
          raw.at(i - 1, j, k) +
          raw.at(i + 1, j, k) +
          raw.at(i, j - 1, k) +
          raw.at(i, j + 1, k) +
          raw.at(i, j, k - 1) +
          raw.at(i, j, k + 1);
        values[at++] = f - (sum - 6 * f) / 8;
      }
}

/** Largest difference from the exact distance within the band, at places of a sequence that fills the unit cube evenly. */
function largestError(field: DistanceField, distance: MeshDistance): number {
  const { counts, blocks, origin, cell, band } = field;
  const value = new FieldValue(field);
  const near: number[] = [];
  blocks.forEach((kept, block) => {
    if (kept >= 0) near.push(block);
  });
  const node = new Float64Array(3);
  const point = new Float64Array(3);
  const rounds = Math.max(1, Math.ceil(PROBES / near.length));
  let most = 0;
  let draw = 0;
  for (const block of near) {
    const corner = [
      block % counts[0],
      Math.floor(block / counts[0]) % counts[1],
      Math.floor(block / (counts[0] * counts[1])),
    ];
    for (let n = 0; n < rounds; n++) {
      draw++;
      for (let a = 0; a < 3; a++) {
        const part = draw * EVEN[a];
        node[a] = BLOCK * corner[a] - 0.5 + BLOCK * (part - Math.floor(part));
        point[a] = origin[a] + cell * node[a];
      }
      if (value.read(node, 0) !== FieldPlace.near) continue;
      distance.measure(point, 0, Infinity);
      if (Math.abs(distance.result[SIGNED]) > band) continue;
      most = Math.max(most, Math.abs(cell * value.result[VALUE] - distance.result[SIGNED]));
    }
  }
  return most;
}

/** Powers of 1/1.2207440846: multiples of them modulo 1 fill the cube evenly. */
const EVEN = [0.8191725133961645, 0.6710436067037893, 0.5497004779019703];
