/** Nothing passes through another body unseen: every kind of pair, every integrator, simulated and measured motion. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopMode } from '../../../src/control/tool-port.ts';
import { type IntegratorKind, makeSystem, type System } from '../../../src/index.ts';
import { KINDS, measured, shot } from '../../fixtures/crossing-models.ts';

const INTEGRATORS: readonly IntegratorKind[] = [
  'implicit-contact',
  'symplectic-euler',
  'rk4',
  'dormand-prince',
];
function height(run: System): number {
  const x = new Float64Array(13);
  run.readBody(run.bodyIndex('shot'), x, 0);
  return x[2];
}

for (const kind of KINDS) {
  test(`10 m a step through 1 mm is caught: ${kind}, every integrator`, () => {
    for (const integrator of INTEGRATORS) {
      const run = makeSystem(shot(kind, 1e4, integrator));
      assert.equal(run.step(1e-3), 0);
      assert.ok(height(run) < -5, `${integrator} at ${height(run)} m`);
      assert.deepEqual(run.crossings, ['c (shot and plate)'], integrator);
      assert.equal(run.crossedCount, 1);
      assert.equal(run.firstCrossed, 0);
      assert.ok(run.substepBoundHit);
      assert.equal(run.step(1e-3), 0);
      assert.deepEqual(run.crossings, [], 'a crossing is told once');
    }
  });
}

test('what sub-steps can hold is stopped: a body that would jump over both in one step comes back', () => {
  for (const kind of KINDS) {
    if (kind === 'faceted') continue; // its shell of half a millimetre does not hold 50 m/s
    for (const integrator of INTEGRATORS) {
      // 8 mm deep for 0.5 ms; one step of 50 mm from 25 mm above
      const run = makeSystem(
        shot(kind, 50, integrator, { stiffness: 1e6, mass: 0.025, height: 0.075 }),
      );
      let most = 1;
      for (let n = 0; n < 10; n++) {
        assert.equal(run.step(1e-3), 0);
        most = Math.max(most, run.substeps);
        assert.deepEqual(run.crossings, [], `${kind} ${integrator}`);
      }
      assert.ok(height(run) > 0.05, `${kind} ${integrator}: at ${height(run)} m`);
      assert.ok(most > 4, `${most} sub-steps`);
    }
  }
});

test('slow bodies and misses take one step, as without a guard', () => {
  const slow = makeSystem(shot('convex', 1, 'implicit-contact', { height: 0.5 }));
  const miss = makeSystem(shot('convex', 1e4, 'implicit-contact', { aside: 3 }));
  for (let n = 0; n < 20; n++) {
    for (const run of [slow, miss]) {
      assert.equal(run.step(1e-3), 0);
      assert.deepEqual(run.crossings, []);
    }
    assert.equal(slow.substeps, 1);
  }
});

test('a measured payload that jumps through a plate is told in virtual and hardware; one beside it or before it is not', () => {
  for (const mode of [LoopMode.VIRTUAL, LoopMode.HARDWARE]) {
    for (const [aside, to, crosses] of [
      [0, -6, true],
      [0, 0.5, false],
      [2, -6, false],
    ] as const) {
      const run = makeSystem(measured());
      const { tool } = run;
      assert.ok(tool !== null);
      tool.mode = mode;
      const put = (x: number, z: number): void => {
        tool.measuredMotion.set([x, 0, z, 0, 0, 0, 1]);
        assert.equal(run.step(1e-3), 0);
      };
      put(aside, 4);
      put(aside, 4);
      assert.deepEqual(run.crossings, []);
      put(aside, to);
      assert.deepEqual(run.crossings, crosses ? ['c (shot and plate)'] : [], `${mode} to ${to} m`);
      put(aside, to);
      assert.deepEqual(run.crossings, []);
    }
  }
});

test('a measured jump into contact is stepped through on its way, and a push through the plate is a crossing', () => {
  const run = makeSystem(measured());
  const { tool } = run;
  assert.ok(tool !== null);
  tool.mode = LoopMode.VIRTUAL;
  const put = (z: number): void => {
    tool.measuredMotion.set([0, 0, z, 0, 0, 0, 1]);
    assert.equal(run.step(1e-3), 0);
  };
  put(0.025);
  put(0.025);
  put(0.0095); // 1 mm into the plate, from 15 mm above it
  assert.ok(run.substeps > 1, `${run.substeps} sub-steps`);
  assert.deepEqual(run.crossings, []);
  assert.ok(tool.modelWrench[2] > 0);
  put(-0.02);
  assert.deepEqual(run.crossings, ['c (shot and plate)'], 'pushed, and on the other side');
});

test('a state that is put back goes on bit for bit through a crossing', () => {
  const run = makeSystem(shot('volumetric', 2e3));
  run.step(1e-3);
  const kept = run.state.slice();
  run.step(1e-3);
  run.step(1e-3);
  const [hash, crossings] = [run.hash(), run.crossings];
  const other = makeSystem(shot('volumetric', 2e3));
  other.restore(kept);
  other.step(1e-3);
  other.step(1e-3);
  assert.equal(other.hash(), hash);
  assert.deepEqual(other.crossings, crossings);
});
