/** A robot of one's own in a scenario: joint values with units, and the effort limit of a URDF in force and in GET /api/robot. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { packageRoot } from '../../config/paths.ts';
import { loadScenario } from '../../config/scenario.ts';
import { ConfigError } from '../../config/yaml-source.ts';
import { NO_NAMES } from '../../hil/contract/scene-columns.ts';
import { loadedRobot } from '../../server/status/robot-description.ts';
import { ArmJoints } from '../../src/arm/arm-joints.ts';
import { Tree } from '../../src/multibody/tree/tree.ts';
import { treeFreedoms } from '../../src/multibody/tree/tree-layout.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-own-arm-'));
after(() => rmSync(folder, { recursive: true }));

const URDF = join(packageRoot(), 'examples', 'urdf', 'serial-arm.urdf');
let count = 0;

/** A ball at the tool of the serial arm. */
function scenario(joints: string): string {
  const path = join(folder, `arm-${count++}.yaml`);
  writeFileSync(
    path,
    `name: own-arm
title: An arm of one's own
description: A ball at the tool of an arm of one's own.
bodies:
  - { name: ball, kind: prescribed }
  - { name: arm, kind: accommodated }
  - { name: ground, kind: fixed }
contacts: []
duration_s: 1
tool:
  payload: ball
  arm: arm
  force_gain_N_per_mps: 1e4
  moment_gain_Nm_per_radps: 200
  force_deadband_N: 10
  moment_deadband_Nm: 1
  lag_s: 5 ms
  maximum_speed_mps: 0.1
  maximum_angular_speed_radps: 0.5
  robot: { name: ${URDF}, axes: [x, y, z], joints: ${joints} }
`,
  );
  return path;
}

const positions = (path: string): number[] =>
  compileScenario(loadScenario(path)).tool!.robot!.tree.links.flatMap(({ joint }) =>
    'position' in joint && typeof joint.position === 'number' ? [joint.position] : [],
  );

test('joints are in rad or m, or with a unit that the joint has', () => {
  const expected = [Math.PI / 2, -Math.PI / 4, 0.1];
  assert.deepEqual(positions(scenario('[90 deg, -45 deg, 100 mm]')), expected);
  assert.deepEqual(positions(scenario('[1.5707963267948966, "-45 °", 0.1]')), expected);
});

test('an angle for a slide, and what is no unit, are refused with their place', () => {
  const complaint = (joints: string): string => {
    try {
      loadScenario(scenario(joints));
    } catch (error) {
      assert.ok(error instanceof ConfigError, String(error));
      return `${error.issues[0].where}: ${error.issues[0].message}`;
    }
    return assert.fail('accepted');
  };
  assert.match(
    complaint('[0, 0, 10 deg]'),
    /:20:\d+: tool\.robot\.joints\[2\] is "10 deg" for extend, which is prismatic; allowed: a number in m/,
  );
  assert.match(
    complaint('[0, 5 parsec, 0.1]'),
    /:20:\d+: tool\.robot\.joints\[1\].*"parsec" is not a known unit/,
  );
});

test('the effort limit of a URDF is in GET /api/robot, and servos keep to it', () => {
  const path = scenario('[0, 45 deg, 0.1]');
  const limits = loadedRobot({ scenario: path, names: NO_NAMES }).joints.map(
    ({ name, effort_limit }) => [name, effort_limit],
  );
  assert.deepEqual(limits, [
    ['turn', null],
    ['shoulder', 300],
    ['extend', 500],
  ]);
  const { tree } = compileScenario(loadScenario(path)).tool!.robot!;
  const { positions: most, rates } = treeFreedoms(tree);
  const joints = new ArmJoints(tree, new Tree(tree, new Float64Array(most + rates)));
  assert.deepEqual([...joints.effortLimit], [Infinity, 300, 500]);
});
