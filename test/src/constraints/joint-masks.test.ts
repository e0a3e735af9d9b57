/** The rows of every mask are independent. Beside the joints of chains: `berth validate lock-rows`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JOINT_MASKS, type JointKind } from '../../../src/constraints/joint-masks.ts';
import { makeConstraint } from '../../../src/constraints/make-constraint.ts';
import { RowSystem } from '../../../src/constraints/row-system.ts';
import type { LockModel, Triple } from '../../../src/model/model.ts';
import { BODY_STATE, RigidBody } from '../../../src/multibody/body.ts';
import { attitude, draws } from '../../../server/validation/constraint-motion.ts';
import { body } from '../../fixtures/models.ts';

type Draw = (count: number) => number[];
const three = (draw: Draw): Triple => draw(3) as unknown as Triple;

function lockOf(
  kind: JointKind,
  first: LockModel['first'],
  second: LockModel['second'],
): LockModel {
  return { kind: 'lock', name: kind, first, second, ...JOINT_MASKS[kind] };
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
