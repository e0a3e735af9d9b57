/**
 * URDF import: the three examples have the masses, axes, limits and shapes of their files. The tree
 * moves as a second, independent computation of its kinematics. Every kind of bad file is refused
 * by name with line and column.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { packageRoot } from '../../config/paths.ts';
import { loadRobot } from '../../config/robot.ts';
import { ConfigError, type ConfigIssue } from '../../config/yaml-source.ts';
import { Tree } from '../../src/multibody/tree/tree.ts';
import { treeFreedoms } from '../../src/multibody/tree/tree-layout.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-urdf-'));
after(() => rmSync(folder, { recursive: true }));

const example = (name: string): string => join(packageRoot(), 'examples', 'urdf', `${name}.urdf`);
const textOf = (name: string): string => readFileSync(example(name), 'utf8');

/** What is wrong with a text, by its one complaint. */
function complaint(text: string | Uint8Array): ConfigIssue {
  const file = join(folder, 'bad.urdf');
  writeFileSync(file, text);
  try {
    loadRobot(file);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.issues[0];
  }
  assert.fail('the file was accepted');
}

function close(actual: number, expected: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, expected ${expected}`);
}

test('serial arm: links, joints, limits, friction, frames', () => {
  const { model, joints, control } = loadRobot(example('serial-arm'));
  assert.deepEqual(
    model.links.map(({ name, parent, mass }) => [name, parent, mass]),
    [
      ['turntable', -1, 12],
      ['upper-arm', 0, 8],
      ['slide', 1, 3],
    ],
  );
  assert.deepEqual(
    joints.map(({ name, kind, lower, upper, rateLimit, effortLimit, home }) => [
      name,
      kind,
      lower,
      upper,
      rateLimit,
      effortLimit,
      home,
    ]),
    [
      ['turn', 'revolute', -Infinity, Infinity, Infinity, Infinity, 0],
      ['shoulder', 'revolute', -2, 2, 1.5, 300, 0],
      // zero lies outside of its range
      ['extend', 'prismatic', 0.05, 0.4, 0.2, 500, 0.05],
    ],
  );
  // the stand has no mass: the turntable stands 0.5 m over the base
  assert.deepEqual(model.links[0].position, [0, 0, 0.5]);
  const turn = model.links[0].joint;
  assert.ok(turn.kind === 'revolute' && turn.friction !== undefined, 'friction of the turntable');
  assert.equal(turn.friction.viscous, 2.5);
  assert.equal(turn.friction.coulomb, 0.8);
  // the inertia was given along z and turned by 90° about y
  const [xx, yy, zz] = model.links[1].inertia;
  [0.02, 0.44, 0.44].forEach((value, i) => close([xx, yy, zz][i], value, 1e-15, 'moment'));
  assert.deepEqual(
    model.frames.map(({ name, link, position }) => [name, link, position]),
    [['tool', 2, [0.3, 0, 0]]],
  );
  assert.equal(control.toolFrame, 'tool');
});

test('serial arm: where the tool goes, written out by hand', () => {
  const { model } = loadRobot(example('serial-arm'));
  const { positions, rates } = treeFreedoms(model);
  const tree = new Tree(model, new Float64Array(positions + rates));
  const [turn, lift, way] = [0.7, -0.4, 0.2];
  tree.q.set([turn, lift, way]);
  tree.refresh();
  const reach = 0.8 + way + 0.3;
  const out = reach * Math.cos(lift);
  const expected = [out * Math.cos(turn), out * Math.sin(turn), 0.7 - reach * Math.sin(lift)];
  // products of a few sines below 2 m
  expected.forEach((value, i) => close(tree.frameState(0)[i], value, 1e-14, 'xyz'[i]));
});

test('branched robot: a floating body, two arms, a mast fixed with its mass, collisions in place of visuals', () => {
  const { model, joints, drawing } = loadRobot(example('floating-two-arms'));
  assert.deepEqual(
    model.links.map(({ name, parent }) => [name, parent]),
    [
      ['body', -1],
      ['left-upper', 0],
      ['left-fore', 1],
      ['right-upper', 0],
      ['right-fore', 3],
      ['antenna', 0],
    ],
  );
  assert.equal(model.links[0].joint.kind, 'free');
  assert.equal(model.links[5].joint.kind, 'fixed');
  assert.equal(joints.length, 4);
  assert.equal(treeFreedoms(model).rates, 10);
  assert.deepEqual(
    model.frames.map(({ name }) => name),
    ['left-tip', 'right-tip', 'antenna'],
  );
  assert.deepEqual(drawing[2][0].shape, { kind: 'box', size: [0.8, 0.08, 0.08] });
});

test('robot with meshes: package path, scale, STL and OBJ', () => {
  const { model, drawing } = loadRobot(example('meshed-arm'));
  assert.equal(model.links.length, 3);
  const [pedestal, lower] = drawing.slice(0, 2).map(([{ shape }]) => {
    assert.ok(shape.kind === 'mesh', 'a mesh');
    return shape.vertices;
  });
  assert.equal(pedestal.length, 12, 'corners of the prism');
  assert.equal(lower.length, 8, 'corners of the tapered arm');
  assert.equal(Math.max(...lower.map(([x]) => x)), 0.6, 'millimetres of the file in metres');
});

const LINK = (name: string, body = inertial()): string => `<link name="${name}">${body}</link>\n`;
function inertial(mass = '1', moments = '0.1 0.1 0.1', products = '0 0 0'): string {
  const [xx, yy, zz] = moments.split(' ');
  const [xy, xz, yz] = products.split(' ');
  return `<inertial><mass value="${mass}"/><inertia ixx="${xx}" ixy="${xy}" ixz="${xz}" iyy="${yy}" iyz="${yz}" izz="${zz}"/></inertial>`;
}
function joint(
  name: string,
  parent: string,
  child: string,
  rest = '',
  type = 'continuous',
): string {
  return `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/>${rest}</joint>\n`;
}
const ROBOT = (inside: string): string =>
  `<?xml version="1.0"?>\n<robot name="r">\n${inside}</robot>\n`;
const PAIR = (rest = '', type = 'continuous'): string =>
  ROBOT(LINK('a') + LINK('b') + joint('j', 'a', 'b', rest, type));

const BAD: readonly [what: string, text: string, at: string, message: RegExp][] = [
  [
    'a loop beside a root',
    ROBOT(
      ['a', 'b', 'c', 'd'].map((n) => LINK(n)).join('') +
        joint('j', 'b', 'c') +
        joint('k', 'c', 'b') +
        joint('l', 'a', 'd'),
    ),
    '<joint name="[jk]"',
    /closes a loop of the links (b, c|c, b)/,
  ],
  [
    'a loop of all',
    ROBOT(LINK('a') + LINK('b') + joint('j', 'a', 'b') + joint('k', 'b', 'a')),
    '<joint',
    /closes a loop/,
  ],
  [
    'a link on itself',
    ROBOT(LINK('a') + joint('j', 'a', 'a')),
    '<joint',
    /closes a loop of the links a/,
  ],
  [
    'two parents',
    ROBOT(LINK('a') + LINK('b') + LINK('c') + joint('j', 'a', 'c') + joint('k', 'b', 'c')),
    '<joint name="k"',
    /link c hangs on two joints, j and k/,
  ],
  [
    'two roots',
    ROBOT(LINK('a') + LINK('b')),
    '<link name="b"',
    /the links a, b hang on no joint; allowed: one such link/,
  ],
  [
    'no inertial',
    ROBOT(LINK('a') + LINK('b', '') + joint('j', 'a', 'b')),
    '<link name="b"',
    /link b has no mass, but moves by joint j/,
  ],
  [
    'no inertia',
    ROBOT(LINK('a') + LINK('b', '<inertial><mass value="1"/></inertial>') + joint('j', 'a', 'b')),
    '<inertial><mass value="1"/></inertial>',
    /link b has no <inertia>/,
  ],
  [
    'no mass',
    ROBOT(
      LINK('a', '<inertial><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'),
    ),
    '<inertial>',
    /link a has no <mass>/,
  ],
  [
    'a moment left out',
    ROBOT(
      LINK(
        'a',
        '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0"/></inertial>',
      ),
    ),
    '<inertia ',
    /<inertia> has no izz; it needs one number/,
  ],
  [
    'a negative mass',
    ROBOT(LINK('a', inertial('-2'))),
    '<mass',
    /link a has the mass -2; allowed: at least 0/,
  ],
  [
    'a negative moment',
    ROBOT(LINK('a', inertial('1', '-1 1 1'))),
    '<inertia ',
    /link a: its inertia has principal moments -1, 1, 1; allowed: none below 0/,
  ],
  [
    'no triangle',
    ROBOT(LINK('a', inertial('1', '1 1 3'))),
    '<inertia ',
    /principal moments 1, 1, 3; allowed: the largest at most the sum/,
  ],
  [
    'products too large',
    ROBOT(LINK('a', inertial('1', '1 1 1', '2 0 0'))),
    '<inertia ',
    /principal moments -1, 1, 3/,
  ],
  [
    'an inertia without mass',
    ROBOT(LINK('a', inertial('0'))),
    '<mass',
    /inertia beside the mass 0/,
  ],
  [
    'an unknown type',
    PAIR('', 'hinge'),
    '<joint',
    /joint j is of type "hinge"; allowed: revolute, continuous/,
  ],
  ['no type', PAIR().replace(' type="continuous"', ''), '<joint', /<joint> has no type/],
  [
    'planar',
    PAIR('', 'planar'),
    '<joint',
    /planar; allowed: two prismatic joints and a revolute one/,
  ],
  [
    'mimic',
    PAIR('<mimic joint="k"/>'),
    '<mimic',
    /joint j has <mimic>; allowed: joints that move by themselves/,
  ],
  ['no parent', PAIR().replace('<parent link="a"/>', ''), '<joint', /joint j has no <parent>/],
  ['no child', PAIR().replace('<child link="b"/>', ''), '<joint', /joint j has no <child>/],
  [
    'an unknown child',
    PAIR().replace('<child link="b"/>', '<child link="bb"/>'),
    '<joint',
    /joint j names the child "bb", which is no link; did you mean/,
  ],
  [
    'an unknown parent',
    PAIR().replace('<parent link="a"/>', '<parent link="nothing"/>'),
    '<joint',
    /joint j names the parent "nothing", which is no link/,
  ],
  [
    'a link twice',
    ROBOT(LINK('a') + LINK('a')),
    '<link name="a">.*\n</robot',
    /two links are named "a"/,
  ],
  [
    'a joint twice',
    ROBOT(LINK('a') + LINK('b') + LINK('c') + joint('j', 'a', 'b') + joint('j', 'a', 'c')),
    '<joint name="j" type="continuous"><parent link="a"/><child link="c"',
    /two joints are named "j"/,
  ],
  ['no name', ROBOT('<link/>\n'), '<link', /<link> has no name/],
  [
    'a zero axis',
    PAIR('<axis xyz="0 0 0"/>'),
    '<axis',
    /joint j has the axis \[0, 0, 0\]; allowed: a direction/,
  ],
  [
    'limits out of order',
    PAIR('<limit lower="1" upper="-1" effort="1" velocity="1"/>', 'revolute'),
    '<limit',
    /joint j has the lower limit 1; allowed: at most the upper one, -1/,
  ],
  ['no limit', PAIR('', 'prismatic'), '<joint', /joint j has no <limit>; a prismatic joint needs/],
  [
    'a negative effort',
    PAIR('<limit effort="-1" velocity="1"/>'),
    '<limit',
    /joint j has the limit effort -1/,
  ],
  [
    'negative damping',
    PAIR('<dynamics damping="-1"/>'),
    '<dynamics',
    /joint j has the damping -1; allowed: at least 0/,
  ],
  [
    'a word for a number',
    PAIR('<origin xyz="0 zero 0"/>'),
    '<origin',
    /<origin xyz> is "0 zero 0"; allowed: 3 numbers/,
  ],
  [
    'too few numbers',
    PAIR('<origin rpy="0 0"/>'),
    '<origin',
    /<origin rpy> is "0 0"; allowed: 3 numbers/,
  ],
  [
    'a number that is none',
    ROBOT(LINK('a', inertial('NaN'))),
    '<mass',
    /<mass value> is "NaN"; allowed: one number/,
  ],
  [
    'a number out of range',
    ROBOT(LINK('a', inertial('1e999'))),
    '<mass',
    /<mass value> is "1e999"/,
  ],
  [
    'two origins',
    PAIR('<origin/><origin/>'),
    '<origin/></joint>',
    /<joint> has two <origin>; allowed: one/,
  ],
  [
    'an unknown geometry',
    ROBOT(LINK('a', `${inertial()}<visual><geometry><cone/></geometry></visual>`)),
    '<cone',
    /link a has the geometry "cone"; allowed: box, cylinder, sphere, mesh/,
  ],
  [
    'no geometry',
    ROBOT(LINK('a', `${inertial()}<visual/>`)),
    '<visual',
    /link a has no <geometry>/,
  ],
  [
    'a box without size',
    ROBOT(LINK('a', `${inertial()}<visual><geometry><box size="1 0 1"/></geometry></visual>`)),
    '<box',
    /link a has the size 0 of a box; allowed: above 0/,
  ],
  [
    'a mesh that is not there',
    ROBOT(
      LINK(
        'a',
        `${inertial()}<visual><geometry><mesh filename="package://p/a.stl"/></geometry></visual>`,
      ),
    ),
    '<mesh',
    /there is no file "package:\/\/p\/a.stl"/,
  ],
  [
    'a mesh of another format',
    ROBOT(
      LINK(
        'a',
        `${inertial()}<visual><geometry><mesh filename="${example('serial-arm')}"/></geometry></visual>`,
      ),
    ),
    '<mesh',
    /mesh file that ends in .stl, .obj, .glb or .gltf/,
  ],
  ['no links', ROBOT(''), '<robot', /the robot has no <link>/],
  ['no mass anywhere', ROBOT(LINK('a', '')), '<robot', /no link of the robot has a mass/],
  [
    'no inertia about an axis',
    ROBOT(LINK('a') + LINK('b', inertial('1', '0 0 0')) + joint('j', 'a', 'b')),
    '<robot',
    /regular mass matrix/,
  ],
  ['another root', '<model name="r"/>', '<model', /the file holds <model>; allowed: <robot>/],
  [
    'a document type',
    `<!DOCTYPE robot [<!ENTITY a "b">]>\n${ROBOT(LINK('&a;'))}`,
    '<!DOCTYPE',
    /declares a document type or entity/,
  ],
  ['an unclosed element', '<robot name="r">\n<link name="a">\n</robot>', '', /not valid XML/],
  ['an unknown entity', ROBOT(LINK('&a;')), '', /not valid XML/],
  ['no XML', 'robot: r\n', '', /not valid XML/],
  ['nothing', '', '', /not valid XML/],
];

for (const [what, text, at, message] of BAD) {
  test(`refused: ${what}`, () => {
    const issue = complaint(text);
    assert.match(issue.message, message);
    const [line, column] = issue.where.split(':').slice(-2).map(Number);
    assert.ok(line >= 1 && column >= 1, issue.where);
    if (at === '') return;
    const offset = text.search(new RegExp(at.replaceAll('/', '\\/')));
    assert.ok(offset >= 0, `the text holds ${at}`);
    const before = text.slice(0, offset).split('\n');
    // of several places that fit, the message names the one that starts there
    const found = text.split('\n')[line - 1].slice(column - 1);
    if (!new RegExp(`^${at.replaceAll('/', '\\/').split('\\n')[0]}`).test(found)) {
      assert.equal(`${line}:${column}`, `${before.length}:${before[before.length - 1].length + 1}`);
    }
  });
}

test('refused quickly: entities of entities, a great many elements, great depth, a huge file', () => {
  const entities = Array.from({ length: 30 }, (_, i) => `<!ENTITY e${i + 1} "&e${i};&e${i};">`);
  const bomb = `<!DOCTYPE robot [<!ENTITY e0 "x">${entities.join('')}]><robot name="&e30;"/>`;
  const cases: readonly [string, RegExp][] = [
    [bomb, /document type or entity/],
    [ROBOT('<a/>'.repeat(50_001)), /has 5000\d elements; allowed: at most 50000/],
    [`${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`, /nested more than 50 deep/],
    [`<robot name="${'x'.repeat(4_000_000)}"/>`, /allowed: at most 4000000/],
    [
      ROBOT(Array.from({ length: 201 }, (_, i) => LINK(`l${i}`)).join('')),
      /has 201 links; allowed: at most 200/,
    ],
  ];
  for (const [text, message] of cases) {
    const start = process.cpuUsage();
    assert.match(complaint(text).message, message);
    const { user } = process.cpuUsage(start);
    // measured 0.2 s for the slowest; a bomb that goes off takes minutes
    assert.ok(user < 10e6, `${message.source}: ${user / 1e6} s`);
  }
});

test('a URDF robot takes no overrides, and says so', () => {
  assert.throws(
    () => loadRobot(example('serial-arm'), ['name=x']),
    /cannot change .*serial-arm.urdf/,
  );
});

test('each number of the examples may be broken: the file is refused at its line', () => {
  const meshes = join(packageRoot(), 'examples', 'urdf', 'meshes');
  for (const name of ['serial-arm', 'floating-two-arms', 'meshed-arm']) {
    const text = textOf(name).replace(/(package:\/\/urdf\/)?meshes(?=\/)/g, meshes);
    const lines = text.split('\n');
    for (const { 0: number, index } of text.matchAll(/(?<=["\s])-?\d+(\.\d+)?(?=["\s])/g)) {
      const line = text.slice(0, index).split('\n').length;
      if (/rgba|<[?]xml/.test(lines[line - 1])) continue;
      const issue = complaint(`${text.slice(0, index)}x${text.slice(index + number.length)}`);
      assert.match(issue.message, /allowed: (one number|\d numbers)/);
      assert.ok(issue.where.includes(`:${line}:`), `${issue.where} is not line ${line}`);
    }
  }
});
