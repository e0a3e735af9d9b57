/** A clip that is done again gives the bits of a new one, whatever the bodies did between. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import { ClippedCell, CUT } from '../../../src/overlap/clip-cell.ts';
import { ClipMoments, SUM, SUM_SIZE } from '../../../src/overlap/clip-moments.ts';
import { ClipTape } from '../../../src/overlap/clip-tape.ts';
import { ClipKernel } from '../../../src/overlap/clip.ts';
import { COLUMN, COLUMN_SIZE } from '../../../src/overlap/kernel.ts';
import type { Polytope } from '../../../src/overlap/polytope.ts';
import {
  ball,
  box,
  halfSpace,
  placed,
  polytope,
  type Vector,
} from '../../fixtures/overlap/clip-samples.ts';

const STILL = placed([0, 0, 0], [0, 0, 0]);

/** A walk of small steps about a pose, the length of the step by the run; every third run begins flat on the other body. */
function walk(random: Random, run: number, poses: number): Float64Array[] {
  const step = [1e-9, 1e-6, 1e-4, 1e-3][run % 4];
  const flat = run % 3 === 0;
  const turn = [0, 0, 0].map(() => (flat ? 0 : random.gaussian()));
  const at = [0, 0, flat ? 0.35 : 0].map((z) => z + (flat ? 0 : 0.15 * random.gaussian()));
  return Array.from({ length: poses }, () => {
    for (let a = 0; a < 3; a++) {
      turn[a] += step * random.gaussian();
      at[a] += step * random.gaussian();
    }
    return placed(turn, at);
  });
}

/** A prism of so many sides about z. */
function prism(sides: number, radius: number, length: number): Polytope {
  const vertices = Array.from({ length: 2 * sides }, (_, k): Vector => {
    const angle = (2 * Math.PI * (k >> 1)) / sides;
    return [radius * Math.cos(angle), radius * Math.sin(angle), (k % 2 ? 0.5 : -0.5) * length];
  });
  return polytope({ kind: 'mesh', vertices });
}

/** A tape that counts the clips that were done again. */
class CountingTape extends ClipTape {
  replays = 0;

  override replay(cell: ClippedCell, planes: Float64Array): boolean {
    const done = super.replay(cell, planes);
    if (done) this.replays++;
    return done;
  }
}

/** Compares the columns with and without the tape at each pose. @returns poses that touch */
function follow(i: Polytope, j: Polytope, poses: readonly Float64Array[], tape: ClipTape): number {
  const kernel = new ClipKernel(i, j);
  const kept = new Float64Array(COLUMN_SIZE);
  const fresh = new Float64Array(COLUMN_SIZE);
  let touching = 0;
  for (const pose of poses) {
    kernel.compute(pose, STILL, kept, tape);
    new ClipKernel(i, j).compute(pose, STILL, fresh);
    assert.deepEqual(kept, fresh);
    if (kept[COLUMN.volume] > 0) touching++;
  }
  return touching;
}

test('with a tape a kernel gives the bits that it gives without one', () => {
  const random = new Random(3);
  const shapes = [box(0.3, 0.4, 0.5), box(0.3, 0.3, 0.3), ball(20, 0.2, random), halfSpace()];
  let touching = 0;
  for (let run = 0; run < 120; run++) {
    const i = shapes[Math.floor(3 * random.uniform())];
    const j = shapes[Math.floor(4 * random.uniform())];
    touching += follow(i, j, walk(random, run, 60), new ClipTape(new ClipKernel(i, j).tapeRoom));
  }
  assert.ok(touching > 3000, `${touching} poses touch`);
});

for (const [what, j, at] of [
  ['a box on a box', box(0.3, 0.3, 0.3), [0.05, 0.02, 0.39]],
  ['a box on a half-space', halfSpace(), [0, 0, 0.24]],
  ['a box on a prism of twelve sides', prism(12, 0.3, 0.4), [0.2, 0.1, 0.44]],
  ['a prism of twelve sides on another: eight planes and more', null, [0.35, 0.1, 0.3]],
] as const) {
  test(`${what}: nearly all clips of a walk are done again`, () => {
    const random = new Random(6);
    const tape = new CountingTape(2048);
    const i = j === null ? prism(12, 0.2, 0.5) : box(0.3, 0.4, 0.5);
    const turn = [0.03, 0.02, 0.01];
    const poses = Array.from({ length: 300 }, () =>
      placed(
        turn.map((x) => x + 1e-5 * random.gaussian()),
        at.map((x) => x + 1e-6 * random.gaussian()),
      ),
    );
    assert.equal(follow(i, j ?? prism(12, 0.2, 0.5), poses, tape), 300);
    assert.ok(tape.replays > 270, `${tape.replays} of 300`);
  });
}

test('a tape that serves one pair after another gives the bits of none', () => {
  const random = new Random(8);
  const block = box(0.3, 0.4, 0.5);
  const pairs = [
    [block, block],
    [box(0.2, 0.2, 0.2), halfSpace()],
    [ball(20, 0.2, random), block],
  ] as const;
  const tape = new ClipTape(2048);
  for (let run = 0; run < 60; run++) {
    const [i, j] = pairs[run % 3];
    // short walks: the tape of one is full when the next begins
    follow(i, j, walk(random, run, 4), tape);
  }
});

test('a tape without room leaves the bits as they are', () => {
  const random = new Random(4);
  const block = box(0.3, 0.4, 0.5);
  for (const room of [0, 1, 3, 5, 20, 60, 100])
    follow(block, block, walk(random, 3, 20), new ClipTape(room));
});

/** A clip of a cube by the upper side of another, recorded on a tape. */
function recorded(): { replays: (z: number, tilt: number) => boolean; volume: () => number } {
  const cube = box(0.2, 0.2, 0.2);
  const cell = new ClippedCell();
  const moments = new ClipMoments(cell);
  const faces = cube.planes.length / 4;
  cell.reserve(cube, 6);
  moments.reserve(2 * faces);
  const top = [0, 1, 2, 3, 4, 5].find((f) => cube.planes[4 * f + 2] > 0.5) ?? -1;
  const near = Int32Array.of(top);
  const tape = new ClipTape(400);
  assert.ok(tape.begin(cell, near, 1, 0));
  cell.load(cube, 6, placed([0.01, 0.02, 0], [0.01, 0.02, 0.19]));
  assert.equal(cell.cut(cube.planes, top, faces + top), CUT.cut);
  tape.add(cell, top, CUT.cut);
  tape.end(1, moments.list, moments.gather(faces, 2 * faces, moments.list, 0));
  const sums = new Float64Array(SUM_SIZE);
  return {
    replays: (z, tilt) => {
      if (!tape.fits(cell, near, 1, 0)) return false;
      cell.place(cube, placed([0.01 + tilt, 0.02, 0], [0.01, 0.02, z]));
      return tape.replay(cell, cube.planes);
    },
    volume: () => {
      moments.compute(sums, tape.list, tape.left);
      return sums[SUM.volume];
    },
  };
}

test('a clip is done again while every corner stays on its side, and not beyond', () => {
  const { replays, volume } = recorded();
  const depth = (z: number): number => 0.2 - z; // of the middle of the lower side below the plane
  for (const z of [0.19, 0.185, 0.18]) {
    assert.ok(replays(z, 0), `at ${z} m`);
    // a prism under a tilted side: its area times its mean depth, to second order in the tilt
    assert.ok(Math.abs(volume() / (0.04 * depth(z)) - 1) < 0.1, `${volume()} m³ at ${z} m`);
  }
  assert.ok(!replays(0.21, 0), 'lifted off');
  assert.ok(!recorded().replays(0.19, 0.3), 'tilted until a corner comes out');
});

test('a tape waits after recordings that no replay follows, and no longer once one does', () => {
  const kernel = {};
  const near = Int32Array.of(0);
  const cube = box(0.2, 0.2, 0.2);
  const cell = new ClippedCell();
  cell.reserve(cube, 6);
  cell.load(cube, 6, STILL);
  const tape = new ClipTape(400);
  const nothing = Int32Array.of(0, 0, 0);
  /** Clips that go by before one is recorded. */
  const waits = (): number => {
    let count = 0;
    while (!tape.begin(kernel, near, 0, 0)) count++;
    tape.end(0, nothing, 3);
    return count;
  };
  const misses = Array.from({ length: 8 }, () => {
    const count = waits();
    assert.ok(!tape.fits({}, near, 0, 0), 'the clip of another kernel');
    return count;
  });
  assert.deepEqual(misses, [0, 1, 3, 7, 15, 31, 63, 63]);
  waits();
  assert.ok(tape.fits(kernel, near, 0, 0) && tape.replay(cell, cube.planes));
  assert.ok(!tape.fits({}, near, 0, 0));
  assert.equal(waits(), 0);
});
