/** Wrong arguments, as plain JavaScript passes them, to what the package exports: one BerthError that names the argument and what was got. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as berth from '../../../src/index.ts';
import { body, contact, system } from '../../fixtures/models.ts';

type Call = readonly [what: string, call: () => unknown];

function refused(calls: readonly Call[]): void {
  for (const [argument, call] of calls) {
    assert.throws(call, (error: unknown) => {
      assert.ok(error instanceof berth.BerthError, `${argument}: ${String(error)}`);
      assert.ok(error.message.includes(argument), `${argument} in: ${error.message}`);
      assert.match(error.message, /^(Expected .*, got .|.* does not exist|Expected restitution)/);
      return true;
    });
  }
}

const nothing = undefined as never;
const made = berth.makeSystem(
  system({
    bodies: [
      body('ball', 'dynamic', { position: [0, 0, 1] }),
      body('hand', 'prescribed'),
      body('table', 'fixed'),
    ],
    contacts: [contact('ball', 'table')],
  }),
);

test('calls of a system', () => {
  const out = new Float64Array(40);
  const short = new Float64Array(3);
  refused([
    ['model', () => berth.makeSystem(nothing)],
    ['dt', () => made.step(nothing)],
    ['dt', () => made.step(NaN)],
    ['dt', () => made.step(0)],
    ['body', () => made.readBody(3, out, 0)],
    ['body', () => made.readBody(nothing, out, 0)],
    ['body', () => made.readBody(0.5, out, 0)],
    ['out', () => made.readBody(0, short, 0)],
    ['out', () => made.readBody(0, nothing, 0)],
    ['at', () => made.readBody(0, out, NaN)],
    ['at', () => made.readBody(0, out, nothing)],
    ['body', () => made.setBodyMotion(-1, out, 0)],
    ['motion', () => made.setBodyMotion(1, short, 0)],
    ['wrench', () => made.setExternalWrench(0, short, 0)],
    ['contact', () => made.readContact(1, out, 0)],
    ['out', () => made.readContact(0, nothing, 0)],
    ['pair', () => made.readPair(0, 0, out, 0)],
    ['contact', () => made.cellPairs(7)],
    ['contact', () => made.overlapMethods(7)],
    ['contact', () => made.overlapError(7)],
    ['body', () => made.contactWrench(7, 0, 0, 0, out, 0)],
    ['out', () => made.contactWrench(0, 0, 0, 0, short, 0)],
    ['out', () => made.readEnergy(short, 0)],
    ['into', () => made.snapshot(short)],
    ['from', () => made.restore(short)],
  ]);
});

test('a refused call leaves a system as it was', () => {
  const before = made.hash();
  assert.throws(() => made.step(NaN));
  assert.throws(() => made.restore(new Float64Array(1)));
  assert.equal(made.hash(), before);
  assert.equal(made.step(1e-3), 0);
});

test('formulas, solver, random numbers and mass properties', () => {
  const impact = { mass: 1, stiffness: 1e6, exponent: 1.5, speed: 1, damping: 0 };
  const solver = new berth.OdeSolver(1, () => undefined, { method: 'rk4', step: 0.1 });
  refused([
    ['youngI', () => berth.contactModulus(0, 0.3, 2e11, 0.3)],
    ['poissonJ', () => berth.contactModulus(2e11, 0.3, 2e11, 0.6)],
    ['youngJ', () => berth.hertzSpherePlane(0.1, 2e11, 0.3, nothing, 0.3)],
    ['radius', () => berth.hertzStiffness(1e11, NaN)],
    ['radiusJ', () => berth.hertzSphereSphere(0.1, -1, 2e11, 0.3, 2e11, 0.3)],
    ['stiffnessJ', () => berth.combineStiffness(1e6, nothing)],
    ['variant', () => berth.dampingFactorOf('precise' as never, 0.5)],
    ['restitution', () => berth.dampingFactor(nothing)],
    ['impact', () => berth.impactDepth(nothing)],
    ['impact.speed', () => berth.impactPeakForce({ ...impact, speed: nothing })],
    ['impact.damping', () => berth.impactDuration({ ...impact, damping: -1 })],
    ['impact.mass', () => berth.elasticDepth({ ...impact, mass: '1' as never })],
    ['exponent', () => berth.restDepth(10, 1e6, 0)],
    ['speed', () => berth.slopeForRestitution(0.5, nothing)],
    ['z', () => berth.deliveredRestitution(nothing)],
    ['zeta', () => berth.kelvinVoigtRestitution(-1)],
    ['options', () => new berth.OdeSolver(1, () => undefined, nothing)],
    ['f', () => new berth.OdeSolver(1, nothing, { method: 'rk4', step: 0.1 })],
    ['method', () => new berth.OdeSolver(1, () => undefined, { method: 'euler' as never })],
    ['y', () => solver.reset(0, [])],
    ['until', () => solver.advance(NaN)],
    ['seed', () => new berth.Random(nothing)],
    ['shape', () => berth.massProperties(nothing, 1)],
    ['shape.kind', () => berth.massProperties({ kind: 'cube' } as never, 1)],
    ['shape.radius', () => berth.massProperties({ kind: 'sphere' } as never, 1)],
    ['density', () => berth.massProperties({ kind: 'sphere', radius: 1 }, nothing)],
  ]);
});
