/**
 * Force and moment of a volumetric contact are continuous along any path, through faces, edges and
 * corners.
 *
 * Bound on the normal force: the surface of a convex overlap inside a cell is no larger than that
 * of the cell. When no point moves further than d, the volume changes by at most S d with the
 * surface S of the moving cell. The force then changes by at most k_v S d.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTACT_READOUT, makeSystem, Random, type System } from '../../../src/index.ts';
import { body } from '../../fixtures/models.ts';
import {
  box,
  cell,
  floor,
  type Point,
  scene,
  STIFFNESS,
} from '../../fixtures/volumetric-models.ts';

const SIZE: Point = [0.2, 0.16, 0.12];
const SURFACE = 2 * (SIZE[0] * SIZE[1] + SIZE[1] * SIZE[2] + SIZE[0] * SIZE[2]);
const HALF_DIAGONAL = Math.hypot(...SIZE) / 2;

/** Position and rotation vector. */
type Pose = readonly number[];

/** Force (3), moment about the centre of the block (3), normal force, normal (3) of a box that rests at a pose. */
class Probe {
  readonly #run: System;
  readonly #motion = new Float64Array(13);
  readonly #wrench = new Float64Array(6);
  readonly #row = new Float64Array(CONTACT_READOUT.length);

  constructor(ground: 'plane' | 'block', normal: 'principal-axis' | 'vector-area') {
    const moved = { ...box(SIZE), motion: 'prescribed' as const };
    const block = body('block', 'fixed', {
      cells: [cell('block', { kind: 'box', size: [0.3, 0.3, 0.1] })],
    });
    this.#run = makeSystem(
      scene(moved, ground === 'plane' ? floor() : block, {
        pair: { normal },
        friction: { kind: 'none' },
        rolling: { kind: 'none' },
        integrator: 'symplectic-euler',
      }),
    );
  }

  at(pose: Pose): number[] {
    const m = this.#motion;
    const angle = Math.hypot(pose[3], pose[4], pose[5]);
    const k = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
    m.fill(0);
    m.set([pose[0], pose[1], pose[2], k * pose[3], k * pose[4], k * pose[5], Math.cos(angle / 2)]);
    this.#run.setBodyMotion(0, m, 0);
    assert.equal(this.#run.step(1e-9), 0);
    this.#run.contactWrench(0, 0, 0, 0, this.#wrench, 0);
    this.#run.readContact(0, this.#row, 0);
    return [...this.#wrench, this.#row[3], this.#row[19], this.#row[20], this.#row[21]];
  }
}

function between(a: Pose, b: Pose, part: number): Pose {
  return a.map((value, k) => value + part * (b[k] - value));
}

/** No point of the box moves further than this between two poses. */
function displacement(a: Pose, b: Pose): number {
  const shift = Math.hypot(...[0, 1, 2].map((k) => b[k] - a[k]));
  // rotation vectors: the angle between two of them is at most their distance
  const turn = Math.hypot(...[3, 4, 5].map((k) => b[k] - a[k]));
  return shift + turn * HALF_DIAGONAL;
}

function jump(a: readonly number[], b: readonly number[]): number {
  const part = (from: number): number =>
    Math.hypot(...[0, 1, 2].map((k) => b[from + k] - a[from + k]));
  return part(0) + part(3) / HALF_DIAGONAL;
}

const SAMPLES = 24;
const FINER = 8;
const LEVELS = 4;

test('10³ random paths: the normal force within k_v S d, force and moment without a jump', () => {
  const random = new Random(20);
  const pick = (size: number): number => (2 * random.uniform() - 1) * size;
  let touched = 0;
  let worst = 0;
  for (const ground of ['plane', 'block'] as const) {
    for (const normal of ['principal-axis', 'vector-area'] as const) {
      const probe = new Probe(ground, normal);
      const top = ground === 'plane' ? 0 : 0.05;
      for (let path = 0; path < 250; path++) {
        // half of the paths start with faces parallel, where edges and corners come in at once
        const flat = path % 2 === 0 ? 0 : 1;
        const ends = [0, 1].map(
          (end): Pose => [
            pick(0.2),
            pick(0.2),
            top + 0.06 + (end === 0 ? 0.05 : -0.008) * random.uniform(),
            (flat + end) * pick(0.3),
            (flat + end) * pick(0.3),
            pick(1),
          ],
        );
        let [left, right] = [ends[0], ends[1]];
        let size = 0;
        for (let level = 0; level < LEVELS; level++) {
          const count = level === 0 ? SAMPLES : FINER;
          let before = probe.at(left);
          let most = -1;
          let at = 0;
          for (let s = 1; s <= count; s++) {
            const [p, q] = [between(left, right, (s - 1) / count), between(left, right, s / count)];
            const after = probe.at(q);
            const bound = STIFFNESS * SURFACE * displacement(p, q);
            const change = Math.abs(after[6] - before[6]);
            // 1e-6 N: rounding of a volume of 1e-3 m³ in a sum of parts
            assert.ok(
              change <= bound + 1e-6,
              `${ground} ${normal} ${path}: ${change} over ${bound}`,
            );
            const jumped = jump(before, after);
            if (jumped > most) {
              most = jumped;
              at = s;
            }
            before = after;
          }
          if (level === 0) size = most;
          worst = Math.max(worst, level === LEVELS - 1 && size > 1 ? most / size : 0);
          if (level === LEVELS - 1 && size > 1) {
            touched++;
            // three refinements by 8 divide what is smooth by 512; a jump would stay
            assert.ok(
              most < 0.02 * size,
              `${ground} ${normal} ${path}: a jump of ${most} N in ${size} N`,
            );
          }
          [left, right] = [
            between(left, right, (at - 1) / count),
            between(left, right, at / count),
          ];
        }
      }
    }
  }
  assert.ok(touched > 500, `${touched} paths touched; worst ${worst}`);
});
