/** The arm page: a joint in the units and parts of its limits that people read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DescribedJoint, JointsFrame } from '../../../server/client/messages.ts';
import { ARM_WORDS, jointFigures } from '../../../server/console/arm/joint-figures.ts';
import { ARM_STATUSES } from '../../../src/model/arm-spec.ts';

const HALF_TURN: DescribedJoint = {
  name: 'elbow',
  link: 'forearm',
  kind: 'revolute',
  lower: -Math.PI / 2,
  upper: Math.PI / 2,
  rate_limit: 0.1,
  effort_limit: 1000,
  stiffness: 1e5,
  driven: true,
};
const FRAME: JointsFrame = {
  sim_time_s: 1,
  status: 'nominal',
  condition: 4,
  manipulability: 1,
  rate_scale: 1,
  deflection_m: [0, 0, 0],
  deflection_rad: 0,
  brake: false,
  position: [Math.PI / 6, 0.25],
  rate: [-0.05, 0.01],
  reference: [Math.PI / 4, 0.3],
  torque: [-950, 20],
  deflection: [1e-5, 2e-6],
  margin: [Math.PI / 3, null],
  bending_m: [0.002, 0],
};

test('a revolute joint is read in degrees, its rate and torque as parts of their limits', () => {
  const seen = jointFigures(HALF_TURN, FRAME, 0, true);
  const close = (value: number | null, wanted: number): void =>
    assert.ok(Math.abs((value ?? NaN) - wanted) < 1e-9 * Math.abs(wanted), `${value}`);
  close(seen.position, 30);
  close(seen.reference, 45);
  close(seen.lower, -90);
  close(seen.rate, (-0.05 * 180) / Math.PI);
  close(seen.rateShare, 0.5);
  close(seen.torqueShare, 0.95);
  close(seen.gear, (1e-5 * 180_000) / Math.PI);
  close(seen.bending_mm, 2);
  assert.equal(seen.warning, 'at its torque');
});

test('a joint near the end of its range says so, and at the end', () => {
  const at = (margin: number): string =>
    jointFigures({ ...HALF_TURN, effort_limit: null }, { ...FRAME, margin: [margin] }, 0, false)
      .warning;
  // 5 % of half a turn are 9 degrees
  assert.equal(at((9.1 * Math.PI) / 180), '');
  assert.equal(at((8.9 * Math.PI) / 180), 'near its limit');
  assert.equal(at(-1e-6), 'at its limit');
});

test('a prismatic joint without limits and flexibility is read in millimetres, over a metre to each side', () => {
  const joint: DescribedJoint = {
    ...HALF_TURN,
    kind: 'prismatic',
    lower: null,
    upper: null,
    rate_limit: null,
    effort_limit: null,
    stiffness: null,
  };
  const seen = jointFigures(joint, FRAME, 1, false);
  assert.deepEqual(
    [seen.unit, seen.effortUnit, seen.position, seen.reference, seen.lower, seen.upper],
    ['mm', 'N', 250, 300, -1000, 1000],
  );
  assert.deepEqual(
    [seen.limited, seen.rateShare, seen.torqueShare, seen.gear, seen.bending_mm, seen.warning],
    [false, null, null, null, null, ''],
  );
});

test('every status of the arm has its words', () => {
  assert.deepEqual(Object.keys(ARM_WORDS), [...ARM_STATUSES]);
});
