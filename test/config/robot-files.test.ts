/** Robot files that cannot be: each is refused in a sentence with file, line and column; mounting and naming robots in files. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadRobot } from '../../config/robot.ts';
import { ConfigError, type ConfigIssue } from '../../config/yaml-source.ts';
import { BerthError } from '../../src/base/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-robots-'));
after(() => rmSync(folder, { recursive: true }));

const GOOD = `name: two-links
title: Two links
links:
  - name: upper
    joint: { kind: revolute, axis: [0, 0, 2], home_rad: 10 deg, lower_rad: -90 deg, upper_rad: 90 deg, source: assumed }
    body: { kind: rigid, mass_kg: 3, center_m: [0.5, 0, 0], inertia: { kind: slender-rod, length_m: 1, axis: [1, 0, 0] } }
    source: assumed
  - name: lower
    parent: upper
    position_m: [1, 0, 0]
    joint:
      kind: revolute
      name: elbow
      axis: [0, 0, 1]
      drive: { rotor_inertia_kg_m2: 0.1, stiffness_Nm_per_rad: 1000, damping_Nms_per_rad: 2 }
      friction: { stiction_Nm: 2, coulomb_Nm: 1, bristle_stiffness_Nm_per_rad: 1e4, stribeck_speed_radps: 0.01 }
      source: assumed
    body: { kind: beam, mass_kg: 2, length_m: 1, bending_stiffness_N_m2: [100, 200], modes: [2, 0] }
    source: assumed
frames:
  - { name: tip, link: lower, source: assumed }
`;

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** The first complaint about the good file with one change. */
function complaint(from: string, to: string): ConfigIssue & { readonly file: string } {
  assert.ok(GOOD.includes(from), `the file holds "${from}"`);
  const file = GOOD.replace(from, to);
  try {
    loadRobot(write('bad.yaml', file));
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return { ...error.issues[0], file };
  }
  assert.fail('the file was accepted');
}

test('a good file: what the tree gets', () => {
  const { model, joints } = loadRobot(write('good.yaml', GOOD));
  const [upper, lower] = model.links;
  assert.ok(upper.joint.kind === 'revolute' && lower.joint.kind === 'revolute', 'revolute');
  assert.deepEqual(upper.joint.axis, [0, 0, 1]);
  // of m l²/12, without the signs of zeros
  assert.deepEqual(
    upper.inertia.map((value) => value + 0),
    [0, 0.25, 0.25, 0, 0, 0],
  );
  assert.deepEqual(lower.center, [0.5, 0, 0]);
  assert.deepEqual(lower.beam?.bendingStiffness, [100, 200]);
  assert.deepEqual(lower.joint.drive, {
    rotorInertia: 0.1,
    stiffness: 1000,
    damping: 2,
    effortLimit: Infinity,
  });
  assert.deepEqual(
    joints.map(({ name, link, home }) => [name, link, home]),
    [
      ['upper', 0, (10 * Math.PI) / 180],
      ['elbow', 1, 0],
    ],
  );
});

test('links may stand in any order; parents come first in the tree', () => {
  const start = GOOD.indexOf('  - name: upper');
  const second = GOOD.indexOf('  - name: lower');
  const end = GOOD.indexOf('frames:');
  const turned = `${GOOD.slice(0, start)}${GOOD.slice(second, end)}${GOOD.slice(start, second)}${GOOD.slice(end)}`;
  assert.deepEqual(loadRobot(write('turned.yaml', turned)), loadRobot(write('good.yaml', GOOD)));
});

const BAD: readonly [what: string, from: string, to: string, at: string, message: RegExp][] = [
  [
    'a negative mass',
    'mass_kg: 3',
    'mass_kg: -3',
    '-3',
    /links\[0\].body.mass_kg is -3; allowed: a number in kg/,
  ],
  [
    'an inertia of no body',
    '{ kind: slender-rod, length_m: 1, axis: [1, 0, 0] }',
    '{ kind: tensor, moments_kg_m2: [1, 1, 3] }',
    '{ kind: tensor',
    /links\[0\].body.inertia has principal moments 1, 1, 3; allowed: the largest at most/,
  ],
  [
    'an inertia without mass',
    'mass_kg: 3, center_m: [0.5, 0, 0], inertia: { kind: slender-rod, length_m: 1, axis: [1, 0, 0] }',
    'mass_kg: 0, inertia: { kind: tensor, moments_kg_m2: [1, 1, 1] }',
    '0, inertia',
    /links\[0\].body.mass_kg is 0 beside an inertia/,
  ],
  [
    'limits out of order',
    'lower_rad: -90 deg',
    'lower_rad: 91 deg',
    '91 deg',
    /lower_rad is 1.58.*; allowed: at most upper_rad/,
  ],
  [
    'a home outside',
    'home_rad: 10 deg',
    'home_rad: 2',
    '2, lower',
    /home_rad is 2; allowed: -1.57.* to 1.57.*, its range/,
  ],
  [
    'a zero axis',
    'axis: [0, 0, 2]',
    'axis: [0, 0, 0]',
    '[0, 0, 0], home',
    /links\[0\].joint.axis is \[0, 0, 0\]; allowed: a direction/,
  ],
  [
    'an unknown parent',
    'parent: upper',
    'parent: uper',
    'uper',
    /links\[1\].parent names "uper", which is no link; did you mean upper/,
  ],
  [
    'a loop',
    '  - name: upper\n',
    '  - name: upper\n    parent: lower\n',
    'lower\n',
    /links\[0\].parent is "lower", which closes a loop of upper, lower/,
  ],
  [
    'a link on itself',
    'parent: upper',
    'parent: lower',
    'lower\n    position',
    /closes a loop of lower; allowed: trees/,
  ],
  [
    'a name twice',
    'name: lower',
    'name: upper',
    'upper\n    parent',
    /Two links are named "upper"/,
  ],
  [
    'a joint name twice',
    'name: elbow',
    'name: upper',
    'name: upper\n      axis',
    /Two joints are named "upper"/,
  ],
  [
    'an unknown link of a frame',
    'link: lower',
    'link: lowr',
    'lowr',
    /frames\[0\].link names "lowr", which is no link; did you mean lower/,
  ],
  [
    'stiction below Coulomb',
    'stiction_Nm: 2',
    'stiction_Nm: 0.5',
    '0.5, coulomb',
    /friction.stiction_Nm is 0.5; allowed: at least the Coulomb level, 1/,
  ],
  [
    'damping without stiffness',
    'stiffness_Nm_per_rad: 1000, ',
    '',
    '2 }',
    /drive.damping_Nms_per_rad is 2; allowed: 0 for a drive without/,
  ],
  [
    'too many modes',
    'modes: [2, 0]',
    'modes: [7, 0]',
    '7, 0',
    /modes\[0\] is 7; allowed: a whole number, at least 0, at most 6/,
  ],
  [
    'no source',
    '    source: assumed\n  - name: lower',
    '  - name: lower',
    'name: upper',
    /links\[0\].source is missing/,
  ],
  [
    'a unit of another dimension',
    '[100, 200]',
    '[100 N, 200]',
    '100 N',
    /"N" does not convert to N[*]m\^2/,
  ],
  [
    'conditions out of order',
    'frames:',
    'control: { slow_condition: 40 }\nframes:',
    '{ slow',
    /control.stop_condition to be above control.slow_condition/,
  ],
  [
    'an unknown tool frame',
    'frames:',
    'control: { tool_frame: top }\nframes:',
    'top }',
    /control.tool_frame names "top", which is no frame; allowed: tip/,
  ],
  [
    'a moving link without mass',
    'frames:',
    '  - { name: far, parent: lower, joint: { kind: spherical }, body: { kind: rigid, mass_kg: 0, inertia: { kind: point } }, source: assumed }\nframes:',
    '0, inertia',
    /links\[2\].body.mass_kg is 0, and nothing with mass moves with far/,
  ],
  [
    'an unknown carrier',
    'frames:',
    'mount: { robot: canadarm3, frame: tip }\nframes:',
    '{ robot: canadarm3',
    /robot "canadarm3" does not exist; (did you mean canadarm2-class|allowed: )/,
  ],
  [
    'an unknown frame of the carrier',
    'frames:',
    'mount: { robot: canadarm2-class, frame: grapl }\nframes:',
    'grapl',
    /mount.frame names "grapl", which is no frame of canadarm2-class; did you mean grapple/,
  ],
  [
    'a robot on itself',
    'frames:',
    'mount: { robot: ./bad.yaml, frame: tip }\nframes:',
    './bad.yaml',
    /mount.robot is "[.]\/bad.yaml", which is made of this robot itself/,
  ],
  [
    'links beside a robot',
    'frames:',
    'robot: smt-class\nframes:',
    '\n  - name: upper',
    /links stands beside robot smt-class/,
  ],
];

for (const [what, from, to, at, message] of BAD) {
  test(`refused: ${what}`, () => {
    const { message: text, where, file } = complaint(from, to);
    assert.match(text, message);
    const offset = file.indexOf(at);
    assert.ok(offset >= 0, `the file holds "${at}"`);
    const line = file.slice(0, offset + (at.startsWith('\n') ? 1 : 0)).split('\n').length;
    assert.equal(where.split(':').at(-2), String(line), where);
  });
}

test('names that both robots of a mount have', () => {
  const carrier = write('carrier.yaml', GOOD);
  const mounted = GOOD.replace('frames:', `mount: { robot: ${carrier}, frame: tip }\nframes:`);
  assert.throws(
    () => loadRobot(write('mounted.yaml', mounted)),
    /two-links has a link named "upper" as well; allowed: names that differ/,
  );
});

test('a URDF robot carries a YAML one, found beside the file that names it', () => {
  write(
    'arm.urdf',
    '<robot name="arm"><link name="root"/><link name="l"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link><joint name="j" type="continuous"><parent link="root"/><child link="l"/></joint></robot>',
  );
  const mounted = GOOD.replace('frames:', 'mount: { robot: ./arm.urdf, frame: l }\nframes:');
  const { model, joints } = loadRobot(write('mounted.yaml', mounted));
  assert.deepEqual(
    model.links.map(({ name, parent }) => [name, parent]),
    [
      ['l', -1],
      ['upper', 0],
      ['lower', 1],
    ],
  );
  assert.deepEqual(
    joints.map(({ name }) => name),
    ['j', 'upper', 'elbow'],
  );
});

test('names and files that are not there', () => {
  const fails = (name: string, message: RegExp): void => {
    assert.throws(
      () => loadRobot(name),
      (error) => error instanceof BerthError && message.test(error.message),
    );
  };
  fails('kim-planer', /robot "kim-planer" does not exist; did you mean kim-planar/);
  fails('./nothing.yaml', /there is no robot file ".\/nothing.yaml"/);
  fails(`${folder}/`, /there is no robot file/);
});
