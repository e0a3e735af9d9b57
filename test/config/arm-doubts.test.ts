/** What `berth check` and `berth serve` say of an arm that loads, and then does not work: each fault by itself, and none without one. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { armDoubts } from '../../config/arm-doubts.ts';
import { packageRoot } from '../../config/paths.ts';
import { loadScenario, scenarioNames } from '../../config/scenario.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-doubts-'));
after(() => rmSync(folder, { recursive: true }));

const URDF = readFileSync(join(packageRoot(), 'examples', 'urdf', 'serial-arm.urdf'), 'utf8')
  // by itself it has more friction than its default servo turns well
  .replace('friction="0.8"', 'friction="0.05"');

interface Change {
  readonly urdf?: (text: string) => string;
  readonly joints?: string;
  readonly gravity?: string;
  readonly servo?: string;
  readonly site?: string;
}

function doubts({ urdf = (t) => t, joints, gravity, servo, site }: Change): string[] {
  writeFileSync(join(folder, 'arm.urdf'), urdf(URDF));
  const path = join(folder, 'scenario.yaml');
  writeFileSync(
    path,
    `name: own-arm
title: An arm of one's own
description: A ball at the tool of an arm of one's own.
gravity_mps2: ${gravity ?? '[0, 0, 0]'}
bodies:
  - { name: ball, kind: prescribed, position_m: [1.2, 0, 0.7] }
  - { name: arm, kind: accommodated, position_m: [1.2, 0, 0.7] }
  - name: site
    kind: fixed
    position_m: ${site ?? '[0, 5, 0]'}
    cells: [{ name: block, shape: { kind: box, size_m: [0.3, 0.3, 0.3] } }]
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
  robot:
    name: ./arm.urdf
    axes: [x, y, z]
    joints: ${joints ?? '[0, 0, 0.1]'}
    servo: { bandwidth_radps: ${servo ?? '30'} }
`,
  );
  return armDoubts(loadScenario(path));
}

function only(change: Change, words: RegExp): void {
  const told = doubts(change);
  assert.equal(told.length, 1, told.join('\n'));
  assert.match(told[0], words);
}
const withFriction =
  (friction: number) =>
  (text: string): string =>
    text.replace(
      '<limit lower="-2" upper="2" effort="300" velocity="1.5"/>',
      `<limit lower="-2" upper="2" effort="300" velocity="1.5"/><dynamics friction="${friction}"/>`,
    );
const GROUND = '[0, 0, -9.81]';

test('an arm without faults, and those of the package, are passed in silence', () => {
  assert.deepEqual(doubts({}), []);
  for (const name of scenarioNames()) assert.deepEqual(armDoubts(loadScenario(name)), [], name);
});

test('friction above the effort limit', () => {
  only(
    { urdf: withFriction(320) },
    /joint shoulder cannot move: its stiction of 320 N m is not below its effort limit of 300 N m/,
  );
});

test('friction that a soft servo works against', () => {
  only(
    { urdf: withFriction(100), servo: '10' },
    /joint shoulder stays up to 0\.\d+ rad behind: its stiction of 100 N m/,
  );
});

test('weight above the effort limit', () => {
  // links of 8 kg at 0.4 m and 3 kg at 0.8 + 0.1 + 0.15 m: 62 N m
  only(
    {
      gravity: GROUND,
      urdf: (text) => text.replace('effort="300"', 'effort="50"'),
      servo: '300',
    },
    /joint shoulder cannot hold the arm: its weight takes 62\.3 N m at the start, the effort limit is 50 N m/,
  );
});

test('sag under the weight of the arm', () => {
  // 62 N m on I w² with some 6 kg m² and 10 rad/s, at 1.2 m: more than a tenth of a metre
  only(
    { gravity: GROUND, servo: '10' },
    /the tip sags by 1\d\d mm from its start under its weight/,
  );
});

test('a singular start', () => {
  only({ joints: '[0, -89.9 deg, 0.1]' }, /the start is at a singular pose: condition number \d+/);
});

test('base and links inside other bodies', () => {
  // the frame of the tool is turned, so the base is at (1.2, 1.2, 0), the upper arm from (1.2, 1.2, 0.7) to (1.2, 0.4, 0.7)
  only({ site: '[1.2, 1.2, 0]' }, /the base stands in site at the start/);
  only({ site: '[1.2, 0.8, 0.7]' }, /link upper-arm stands in site at the start, \d+ mm deep/);
});
