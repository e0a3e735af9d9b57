/**
 * What an overlap costs: µs for one call of a kernel, by pair and pose. Candidates run in turns, figures are medians of rounds. Poses
 * cycle, so that no branch is always taken.
 */
import { ClipTape } from '../src/overlap/clip-tape.ts';
import { ClipKernel } from '../src/overlap/clip.ts';
import { COLUMN, COLUMN_SIZE, type OverlapKernel } from '../src/overlap/kernel.ts';
import { makeKernel, overlapMethods } from '../src/overlap/make-kernel.ts';
import { type CellShape, Random } from '../src/index.ts';
import { ball, box, halfSpace, placed, spread } from '../test/fixtures/overlap/clip-samples.ts';
import { type Candidate, digits, medianTimes } from './rounds.ts';
import { formatTable } from '../test/fixtures/table.ts';

const CALLS = 500;
const ROUNDS = 101;
const POSES = 64;

/** A kernel at poses of body i; body j stands still. Fails when not all poses overlap, or none is to. */
function candidate(
  name: string,
  kernel: OverlapKernel,
  overlaps: boolean,
  pose: (random: Random) => readonly [turn: readonly number[], at: readonly number[]],
  tape: ClipTape | null = null,
): Candidate {
  const random = new Random(5);
  const poses = Array.from({ length: POSES }, () => placed(...pose(random)));
  const still = placed([0.3, -0.2, 0.1], [0, 0, 0]);
  const column = new Float64Array(COLUMN_SIZE);
  for (const at of poses) {
    kernel.compute(at, still, column);
    if (column[COLUMN.volume] > 0 !== overlaps) throw new Error(`${name}: other than thought`);
  }
  return {
    name,
    first: CALLS,
    run: (count) => {
      let sum = 0;
      for (let n = 0; n < count; n++) {
        kernel.compute(poses[n & (POSES - 1)], still, column, tape);
        sum += column[COLUMN.volume] + column[COLUMN.gap];
      }
      return sum;
    },
  };
}

const random = new Random(11);
const block = box(0.3, 0.4, 0.5);
const cube = box(0.3, 0.3, 0.3);
const flagstone = box(0.25, 0.3, 0.3);
const plane = halfSpace();
const hull = ball(50, 0.2, random);
const large = ball(200, 0.2, random);
const boxes = new ClipKernel(block, cube);
const still = [0.3, -0.2, 0.1];
/** A point over the top face of body j, which stands turned by `still`, so high. */
const over = (height: number): number[] => {
  const r = placed(still, [0, 0, 0]);
  return [height * r[2], height * r[5], height * r[8]];
};

function clipCandidates(): Candidate[] {
  return [
    candidate('clip box, half-space: corner', new ClipKernel(block, plane), true, (r) => [
      spread(r, 1),
      spread(r, 0.05),
    ]),
    candidate('clip box, box: flat, 5 mm deep', boxes, true, () => [still, over(0.395)]),
    candidate('clip box, box: tilted by 0.01, 5 mm deep', boxes, true, (r) => [
      still.map((value, k) => value + spread(r, 0.01)[k]),
      over(0.395),
    ]),
    candidate('clip box, box: any pose, deep', boxes, true, (r) => [spread(r, 2), spread(r, 0.12)]),
    candidate('clip box, box: 0.1 mm apart', boxes, false, () => [still, over(0.4001)]),
    candidate('clip box, box: balls apart', boxes, false, (r) => [spread(r, 1), [0, 0.9, 0]]),
    candidate('clip hull of 50, half-space', new ClipKernel(hull, plane), true, (r) => [
      spread(r, 1),
      spread(r, 0.05),
    ]),
    candidate('clip hull of 50, box: shallow', new ClipKernel(hull, block), true, (r) => [
      spread(r, 1),
      over(0.41),
    ]),
    candidate('clip hull of 50, hull of 50: shallow', new ClipKernel(hull, hull), true, (r) => [
      spread(r, 1),
      [0.33, 0, 0],
    ]),
    candidate('clip hull of 50, hull of 50: deep', new ClipKernel(hull, hull), true, (r) => [
      spread(r, 1),
      spread(r, 0.1),
    ]),
    candidate('clip hull of 200, hull of 200: shallow', new ClipKernel(large, large), true, (r) => [
      spread(r, 1),
      [0.37, 0, 0],
    ]),
  ];
}

/** Clips that are done again, as from step to step: poses differ by a part of a millimetre. */
function replayCandidates(): Candidate[] {
  const again = (name: string, kernel: ClipKernel, turn: number[], at: number[]): Candidate =>
    candidate(
      `again ${name}`,
      kernel,
      true,
      (r) => [turn.map((value, k) => value + spread(r, 1e-5)[k]), at],
      new ClipTape(kernel.tapeRoom),
    );
  return [
    again('box, half-space: corner', new ClipKernel(block, plane), [0.5, 0.4, 0.3], [0, 0, 0.05]),
    // no side of one in a side of the other, where rounding would decide
    again('box, box: flat, 5 mm deep', new ClipKernel(block, flagstone), still, over(0.395)),
    again('box, box: tilted', boxes, [0.36, -0.2, 0.1], over(0.395)),
    again('box, box: corner', boxes, [0.9, 0.5, 0.4], over(0.44)),
    again('hull of 50, box: shallow', new ClipKernel(hull, block), [0.5, 0.4, 0.3], over(0.41)),
  ];
}

/** Kernels of round shapes, by the method that `auto` takes and by those behind it. */
function roundCandidates(): Candidate[] {
  const shapes: Readonly<Record<string, CellShape>> = {
    sphere: { kind: 'sphere', radius: 0.2 },
    cylinder: { kind: 'cylinder', radius: 0.2, length: 0.3 },
    frustum: { kind: 'frustum', radius: 0.2, topRadius: 0.1, length: 0.3 },
    capsule: { kind: 'capsule', radius: 0.1, length: 0.2 },
    'half-space': { kind: 'half-space' },
    box: { kind: 'box', size: [0.3, 0.4, 0.5] },
  };
  /** Height of the first shape over the second one, m, at which they overlap by some millimetres however it is turned. */
  const pairs: readonly (readonly [i: string, j: string, height: number])[] = [
    ['sphere', 'half-space', 0.19],
    ['sphere', 'box', 0.44],
    ['cylinder', 'half-space', 0.14],
    ['capsule', 'box', 0.34],
    ['cylinder', 'box', 0.39],
    ['frustum', 'box', 0.24],
  ];
  return pairs.flatMap(([i, j, height]) =>
    overlapMethods(shapes[i], shapes[j])
      .filter((method) => method !== 'voxels')
      .map((method) =>
        candidate(`${method} ${i}, ${j}`, makeKernel(shapes[i], shapes[j], method), true, (r) => [
          still.map((value, k) => value + spread(r, 0.1)[k]),
          over(height),
        ]),
      ),
  );
}

const candidates = [...clipCandidates(), ...replayCandidates(), ...roundCandidates()];
const times = medianTimes(candidates, ROUNDS);
const rows = candidates.map(({ name }, k) => [name, digits(times[k] / 1000)]);
console.log(formatTable(['kernel', 'µs a call'], rows));
