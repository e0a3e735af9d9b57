/** The list of near pairs against a search of all pairs at every pose: small steps, long ones, jumps, and a look ahead. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import { CellPlacements } from '../../../src/contact/cellular/cell-placements.ts';
import { NearPairs } from '../../../src/contact/cellular/near-pairs.ts';
import { isTouching } from '../../../src/contact/cellular/volumetric-pair.ts';
import type { ContactBody } from '../../../src/contact/contact-body.ts';
import { COLUMN, COLUMN_SIZE, type OverlapKernel } from '../../../src/overlap/kernel.ts';
import { makeKernel } from '../../../src/overlap/make-kernel.ts';
import type { CellModel, CellShape } from '../../../src/shapes/cell-model.ts';
import { placed, spread } from '../../fixtures/overlap/clip-samples.ts';
import { cell, cutBox } from '../../fixtures/volumetric-models.ts';

/** Two bodies of cells, of which only poses and velocities are used. */
class Pair {
  readonly bodyI = stand();
  readonly bodyJ = stand();
  readonly i: CellPlacements;
  readonly j: CellPlacements;
  readonly kernels: OverlapKernel[];
  readonly near: NearPairs;
  /** Calls of kernels by the list, and lists made. */
  calls = 0;
  lists = 0;
  readonly #ahead: readonly [CellPlacements, CellPlacements];
  readonly #column = new Float64Array(COLUMN_SIZE);

  constructor(i: readonly CellModel[], j: readonly CellModel[]) {
    const made = (): void => {
      this.lists++;
    };
    /** Counts how often all its boxes are asked for: once a list. */
    class Counted extends CellPlacements {
      override placeAll(): void {
        made();
        super.placeAll();
      }
    }
    this.i = new Counted(i);
    this.j = new CellPlacements(j);
    this.#ahead = [new CellPlacements(i), new CellPlacements(j)];
    this.kernels = i.flatMap((a) => j.map((b) => makeKernel(a.shape, b.shape, 'auto')));
    this.near = new NearPairs(this.i, this.j);
  }

  /** Pairs that touch so much later, by the list; null where it does not reach so far. */
  listed(later: number): number[] | null {
    const { near, i, j, bodyI, bodyJ } = this;
    const ahead = Float64Array.of(later);
    i.follow(bodyI);
    j.follow(bodyJ);
    if (!near.follow(bodyI, bodyJ, i, j, ahead)) return null;
    const [p, q] = later > 0 ? this.#ahead : [i, j];
    if (later > 0) this.#place(ahead);
    const found: number[] = [];
    for (let c = near.next(0); c < near.count; c = near.next(c + 1)) {
      const [a, b] = near.cells.subarray(2 * c, 2 * c + 2);
      const pair = a * j.cells.length + b;
      if (!near.mayTouch(c, this.kernels[pair], p, q)) continue;
      this.calls++;
      this.kernels[pair].compute(p.at(a), q.at(b), this.#column);
      if (isTouching(this.#column, 0)) found.push(pair);
      else near.keepApart(c, this.kernels[pair], p, q, this.#column);
    }
    return found;
  }

  /** The same by asking every pair. */
  searched(later: number): number[] {
    this.#place(Float64Array.of(later));
    const [p, q] = this.#ahead;
    return this.kernels
      .map((_, pair) => pair)
      .filter((pair) => {
        const b = pair % q.cells.length;
        this.kernels[pair].compute(p.at((pair - b) / q.cells.length), q.at(b), this.#column);
        return isTouching(this.#column, 0);
      });
  }

  #place(ahead: Float64Array): void {
    this.i.foresee(this.bodyI, ahead, this.#ahead[0]);
    this.j.foresee(this.bodyJ, ahead, this.#ahead[1]);
  }
}

type Standing = Pick<ContactBody, 'state' | 'rotation'>;

function stand(): ContactBody {
  const body: Standing = { state: new Float64Array(13), rotation: new Float64Array(9) };
  return body as ContactBody;
}

function put(body: ContactBody, turn: readonly number[], at: readonly number[]): void {
  const placement = placed(turn, at);
  body.rotation.set(placement.subarray(0, 9));
  body.state.set(placement.subarray(9, 12));
}

const LATER = 1e-3;
const BLOCK = [
  ...cutBox([0.2, 0.2, 0.1], [2, 2, 2]),
  cell('knob', { kind: 'sphere', radius: 0.03 }, [0, 0, 0.06]),
];
const TRAY = [
  ...cutBox([0.4, 0.4, 0.05], [3, 3, 1], [0, 0, -0.075]),
  cell('wall', { kind: 'box', size: [0.02, 0.4, 0.1] }, [0.12, 0, 0]),
  cell('post', { kind: 'cylinder', radius: 0.02, length: 0.1 }, [-0.13, 0.05, 0]),
];
const PLANE = [cell('ground', { kind: 'half-space' }, [0, 0, -0.05])];

for (const [what, under, speed] of [
  ['a tray', TRAY, 0.05],
  ['a tray, fast', TRAY, 8],
  ['a half-space', PLANE, 0.05],
  ['a half-space, far from the origins', PLANE, 0.5],
] as const) {
  test(`near pairs of a block and ${what}: those of a search, at the pose and a step ahead`, () => {
    const random = new Random(7);
    const pair = new Pair(BLOCK, under);
    const away = what.includes('far') ? 30 : 0;
    let touching = 0;
    for (let run = 0; run < 12; run++) {
      // a jump, as when another state is loaded
      const turn = spread(random, run % 2 === 0 ? 0.02 : 1);
      const at = spread(random, run % 3 === 0 ? 0.01 : 0.1).map((x, k) => x + (k === 0 ? away : 0));
      const [v, w] = [spread(random, speed), spread(random, speed / 0.2)];
      for (let step = 0; step < 40; step++) {
        put(pair.bodyI, turn, at);
        put(pair.bodyJ, [0, 0, 1e-3 * step], [0, 1e-5 * step, 0]);
        pair.bodyI.state.set(v, 7);
        pair.bodyI.state.set(w, 10);
        pair.bodyJ.state.set([0, 1e-2, 0], 7);
        pair.bodyJ.state.set([0, 0, 1], 10);
        for (const later of [LATER, 0]) {
          const searched = pair.searched(later);
          const listed = pair.listed(later);
          touching += searched.length;
          if (listed !== null) assert.deepEqual(listed, searched, `run ${run}, step ${step}`);
          else assert.ok((speed > 1 || away > 0) && later > 0, 'the list reaches a step ahead');
        }
        for (let k = 0; k < 3; k++) {
          turn[k] += LATER * w[k];
          at[k] += LATER * v[k];
        }
      }
    }
    assert.ok(touching > 500, `${touching} pairs touch`);
  });
}

test('a block that slides 5 mm beside a wall is listed twice, and its kernels rest', () => {
  const pair = new Pair(BLOCK, TRAY);
  const steps = 2000;
  for (let step = 0; step < steps; step++) {
    // 0.1 mm above the tray, 10 mm from the wall
    put(pair.bodyI, [0, 0, 0], [0, (0.005 * step) / steps - 0.0025, 1e-4]);
    put(pair.bodyJ, [0, 0, 0], [0, 0, 0]);
    assert.deepEqual(pair.listed(0), []);
  }
  assert.ok(pair.lists <= 3, `${pair.lists} lists`);
  // each pair of the bottom of the block and the tray at most once a list
  assert.ok(pair.calls <= 36 * pair.lists, `${pair.calls} kernels`);
});

const CONVEX: readonly CellShape[] = [
  { kind: 'sphere', radius: 0.08 },
  { kind: 'ellipsoid', size: [0.1, 0.2, 0.16] },
  { kind: 'capsule', radius: 0.05, length: 0.1 },
  { kind: 'cylinder', radius: 0.08, length: 0.1 },
  { kind: 'frustum', radius: 0.09, topRadius: 0.03, length: 0.12 },
  { kind: 'beam', length: 0.15, width: 0.06, thickness: 0.05 },
  { kind: 'box', size: [0.1, 0.15, 0.12] },
  {
    kind: 'mesh',
    vertices: [
      [0.1, 0, 0],
      [-0.1, 0.02, 0],
      [0, 0.1, 0.03],
      [0, -0.1, 0.02],
      [0.01, 0.02, 0.12],
    ],
  },
  { kind: 'half-space' },
];

test('the gap of convex cells is a distance: whatever way one moves by less, they stay apart', () => {
  const random = new Random(9);
  const column = new Float64Array(COLUMN_SIZE);
  const still = placed([0.2, 0.1, -0.3], [0, 0, 0]);
  let moves = 0;
  for (const first of CONVEX) {
    for (const second of CONVEX) {
      if (first.kind === 'half-space' && second.kind === 'half-space') continue;
      const kernel = makeKernel(first, second, 'auto');
      for (let run = 0; run < 12; run++) {
        const [turn, at] = [spread(random, 2), spread(random, run % 2 === 0 ? 0.15 : 0.4)];
        kernel.compute(placed(turn, at), still, column);
        const gap = column[COLUMN.gap];
        if (!(gap > 1e-6)) continue;
        const to = [at, ...Array.from({ length: 5 }, () => spread(random, 1))];
        for (const way of to) {
          const length = Math.hypot(...way);
          const moved = at.map((x, k) => x - (0.99 * gap * way[k]) / length);
          kernel.compute(placed(turn, moved), still, column);
          assert.ok(!isTouching(column, 0), `${first.kind}, ${second.kind}: ${gap} m`);
          moves++;
        }
      }
    }
  }
  assert.ok(moves > 2000, `${moves} moves`);
});
