/** Every mask against the joint of a chain of the same kind: what the chain allows leaves the gaps at 0, and nothing else does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JOINT_MASKS, type JointKind } from '../../../src/constraints/joint-masks.ts';
import { makeConstraint } from '../../../src/constraints/make-constraint.ts';
import { RowSystem } from '../../../src/constraints/row-system.ts';
import type { LockModel, Quadruple, TreeJointModel, Triple } from '../../../src/model/model.ts';
import { BODY_STATE, RigidBody } from '../../../src/multibody/body.ts';
import { treeFreedoms } from '../../../src/multibody/tree/tree-layout.ts';
import { TreeMover } from '../../../src/multibody/tree/tree-mover.ts';
import { attitude, draws } from '../../../server/validation/constraint-motion.ts';
import { body } from '../../fixtures/models.ts';
import { link } from '../../fixtures/tree-models.ts';

type Draw = (count: number) => number[];
const three = (draw: Draw): Triple => draw(3) as unknown as Triple;

/** Joints of chains and the rows that a lock takes for them: 6 less the freedoms. */
const JOINTS: readonly (readonly [JointKind, (draw: Draw) => TreeJointModel])[] = [
  ['fixed', () => ({ kind: 'fixed' })],
  [
    'revolute',
    (draw) => ({ kind: 'revolute', axis: [0, 0, 1], position: 3 * draw(1)[0], rate: draw(1)[0] }),
  ],
  [
    'prismatic',
    (draw) => ({ kind: 'prismatic', axis: [0, 0, 1], position: draw(1)[0], rate: draw(1)[0] }),
  ],
  [
    'spherical',
    (draw) => ({ kind: 'spherical', orientation: attitude(draw), angularVelocity: three(draw) }),
  ],
  [
    'cardano',
    (draw) => ({
      kind: 'universal',
      axes: [
        [0, 1, 0],
        [1, 0, 0],
      ],
      angles: [3 * draw(1)[0], 3 * draw(1)[0]],
      rates: [draw(1)[0], draw(1)[0]],
    }),
  ],
];

function lockOf(
  kind: JointKind,
  first: LockModel['first'],
  second: LockModel['second'],
): LockModel {
  return { kind: 'lock', name: kind, first, second, ...JOINT_MASKS[kind] };
}

for (const [kind, joint] of JOINTS) {
  test(`${kind} holds what its chain joint holds, at random positions and rates (T18)`, () => {
    for (let seed = 1; seed <= 8; seed++) {
      const draw = draws(seed);
      const center = [three(draw), three(draw)];
      const position = three(draw);
      const orientation = attitude(draw);
      const base: TreeJointModel = {
        kind: 'free',
        position: three(draw),
        orientation: attitude(draw),
        velocity: three(draw),
        angularVelocity: three(draw),
      };
      const model = {
        name: 'chain',
        position: [0, 0, 0] as const,
        orientation: [0, 0, 0, 1] as const,
        links: [
          link('a', -1, { joint: base, center: center[0] }),
          link('b', 0, { joint: joint(draw), position, orientation, center: center[1] }),
        ],
        frames: [],
      };
      const { positions, rates } = treeFreedoms(model);
      const length = positions + rates;
      const mover = new TreeMover(
        model,
        [0, 0, 0],
        new Float64Array(length),
        new Float64Array(length),
      );
      const first = {
        body: 'b',
        position: center[1].map((c) => -c) as unknown as Triple,
        orientation: [0, 0, 0, 1] as Quadruple,
      };
      const second = {
        body: 'a',
        position: position.map((p, a) => p - center[0][a]) as unknown as Triple,
        orientation,
      };
      const lock = makeConstraint(
        lockOf(kind, first, second),
        mover.parts[1],
        mover.parts[0],
        new Float64Array(1),
        new Float64Array(0),
      );
      const rows = new RowSystem([lock]);
      const out = new Float64Array(rows.count);
      rows.measureGaps();
      rows.build();
      rows.measureRates(out);
      // the chain already holds them: no motion of it moves a row
      for (let r = 0; r < rows.count; r++) {
        assert.ok(Math.abs(rows.gaps[r]) < 1e-13, `${lock.rows[r]} ${rows.gaps[r]}`);
        assert.ok(Math.abs(out[r]) < 1e-13, `rate of ${lock.rows[r]} ${out[r]}`);
      }
      assert.equal(rows.count, 12 - rates);
    }
  });
}

test('the rows of every mask are independent, wherever the two bodies stand', () => {
  for (const kind of Object.keys(JOINT_MASKS) as JointKind[]) {
    for (let seed = 1; seed <= 8; seed++) {
      const draw = draws(50 + seed);
      const [a, b] = ['a', 'b'].map(
        (name) =>
          new RigidBody(
            body(name, 'dynamic', { position: three(draw), orientation: attitude(draw) }),
            new Float64Array(BODY_STATE),
            new Float64Array(BODY_STATE),
          ),
      );
      const marker = (name: string): LockModel['first'] => ({
        body: name,
        position: three(draw),
        orientation: attitude(draw),
      });
      const lock = makeConstraint(
        lockOf(kind, marker('a'), marker('b')),
        a,
        b,
        new Float64Array(1),
        new Float64Array(0),
      );
      const rows = new RowSystem([lock]);
      rows.build();
      assert.deepEqual([...rows.factors.redundant], new Array(rows.count).fill(0), kind);
      const impulse = Float64Array.from(draw(rows.count));
      const rates = new Float64Array(rows.count);
      const solved = new Float64Array(rows.count);
      rows.push(impulse);
      rows.measureRates(rates);
      solved.set(rates);
      rows.factors.solve(solved); // A λ is what an impulse λ does to the rates
      solved.forEach((value, r) => {
        assert.ok(Math.abs(value - impulse[r]) < 1e-9, `${kind} ${value} ${impulse[r]}`);
      });
    }
  }
});
