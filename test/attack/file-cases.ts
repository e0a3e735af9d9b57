/** Files that mean harm: settings, scenarios, robots, meshes, recordings and audit logs. Each is refused in a sentence, and quickly. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCellFile } from '../../config/cell-file.ts';
import { openRecording } from '../../hil/recording/read-recording.ts';
import { inspectRecording } from '../../hil/recording/recover.ts';
import { verifyChain } from '../../server/audit/audit-chain.ts';
import { run as check } from '../../server/cli/check.ts';
import { Random } from '../../src/math/random.ts';
import { BerthError } from '../../src/base/errors.ts';
import { asStl, cube } from '../fixtures/meshes.ts';
import { type AttackDomain, Cases } from './attack-case.ts';

const cases = new Cases();
/** Longest processor time that a refusal may take, s: what else the machine does must not count. */
const SOON_S = 5;
/** Processor time of this process so far, s. */
const spent_s = (): number => {
  const { user, system } = process.cpuUsage();
  return 1e-6 * (user + system);
};
let folder = '';

const place = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** Runs `berth check` on a file. @returns its exit code and output */
async function checked(path: string): Promise<{ code: number; said: string }> {
  const lines: string[] = [];
  const { error, log } = console;
  console.error = console.log = (...parts: unknown[]): void => void lines.push(parts.join(' '));
  try {
    return { code: await check([path]), said: lines.join('\n') };
  } finally {
    Object.assign(console, { error, log });
  }
}

async function refused(path: string, soon_s = SOON_S): Promise<string> {
  const begin = spent_s();
  const { code, said } = await checked(path);
  const took_s = spent_s() - begin;
  assert.equal(code, 2, `exit ${code}: ${said.slice(0, 100)}`);
  assert.ok(said.length > 0 && !/\n {4}at /.test(said), 'a sentence, and no stack trace');
  assert.ok(took_s < soon_s, `${took_s.toFixed(1)} s`);
  return `${took_s.toFixed(2)} s: ${said.split('\n')[0].replace(folder, '').slice(0, 80)}`;
}

const body = 'bodies: [ { name: a, shape: { kind: sphere, radius: 1 m }, mass: 1 kg } ]';
const YAML: readonly (readonly [string, string])[] = [
  [
    'a billion laughs',
    `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from('bcdefghi')
      .map((c, i) => `${c}: &${c} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[i]}`).join()}]`)
      .join('\n')}\n`,
  ],
  ['an alias of itself', 'a: &a [*a]\n'],
  ['nesting of 50,000 levels', '['.repeat(50_000)],
  ['nesting of 50,000 maps', '{a: '.repeat(50_000)],
  ['a key of 900,000 characters', `? ${'k'.repeat(900_000)}\n: 1\n`],
  ['2 MB of comment', '#'.repeat(2_000_000)],
  ['a tag of a program', 'mode: !!js/function "function(){ process.exit() }"\n'],
  ['a tag of Python', 'mode: !!python/object/apply:os.system ["true"]\n'],
  ['__proto__', '__proto__: { mode: hardware }\n'],
  ['constructor', 'constructor: { prototype: { mode: 1 } }\n'],
  ['a merge key', 'base: &b { mode: hardware }\n<<: *b\n'],
  ['two documents', 'mode: virtual\n---\nmode: hardware\n'],
  ['NUL', 'mode: "virtual\\0"\n'],
  ['bytes that are no UTF-8', 'mode: \ud800\n'],
  ['tabs and a stray colon', '\tmode:: :\n'],
  ['an infinite limit', 'limits: { force_N: .inf }\n'],
  ['a limit that is no number', 'limits: { force_N: .nan }\n'],
  ['a negative limit', 'limits: { speed_mps: -1 }\n'],
  ['a period of 1e-300', 'loop: { period_s: 1e-300 }\n'],
  ['a period as text of units', `loop: { period_s: "1 ${'m'.repeat(5000)}s" }\n`],
  ['an input life of 60 s', 'operator: { input_timeout_s: 60 }\n'],
  ['a port of 1e9', 'server: { port: 1000000000 }\n'],
  ['a scenario of another folder', 'scenario: ../../../etc/passwd\n'],
  ['a bidi name', 'scenario: "\u202ehtlaeh"\n'],
  ['keys on which nobody agreed', 'server: { keys: { root: 12345678 } }\n'],
  ['a scenario of 0 kg', `title: t\n${body.replace('1 kg', '0 kg')}\n`],
  ['a sphere of -1 m', `title: t\n${body.replace('1 m', '-1 m')}\n`],
  ['a sphere of 1e300 m', `title: t\n${body.replace('1 m', '1e300 m')}\n`],
  ['contacts of bodies that are none', `title: t\n${body}\ncontacts: [ { a: ghost, b: a } ]\n`],
  ['50,000 bodies', `title: t\nbodies:\n${'  - { name: a }\n'.repeat(50_000)}`],
];
for (const [what, text] of YAML) {
  cases.add(0, `YAML with ${what}`, 'refused in a sentence within 5 s', () =>
    refused(place('file.yaml', text)),
  );
}
for (const [what, key, viewer] of [
  ['eight times the same letter', 'aaaaaaaa', ''],
  ['a key for two roles', 'a-key-of-two-roles-5f81', 'a-key-of-two-roles-5f81'],
  ['a key of 3 characters', 'abc', ''],
] as const) {
  cases.add(8, `role keys: ${what}`, 'refused', () =>
    refused(
      place(
        'keys.yaml',
        `server: { keys: { operator: "${key}"${viewer === '' ? '' : `, viewer: "${viewer}"`} } }\n`,
      ),
    ),
  );
}
cases.add(8, 'a robot key of one character', 'refused', () =>
  refused(place('robot-key.yaml', 'robot: { key: "x" }\n')),
);
cases.add(8, 'control: two good keys', 'usable', async () => {
  const { code, said } = await checked(
    place(
      'good.yaml',
      'scenario: half-sphere-on-plate\nserver: { keys: { operator: "operator-8c1d5e0f92ab", viewer: "viewer-17b3c9d5e0f2" } }\n',
    ),
  );
  assert.equal(code, 0, said);
  return said.split('\n').at(-1)!.replace(folder, '');
});
for (const [what, text, line] of [
  ['0.0.0.0 without keys', 'server: { host: 0.0.0.0 }\n', 0],
  [
    '0.0.0.0 with keys and without TLS',
    'server: { host: 0.0.0.0, keys: { viewer: "viewer-17b3c9d5e0f2" } }\n',
    9,
  ],
  ['the robot port on 0.0.0.0 without a key', 'robot: { host: 0.0.0.0 }\n', 9],
  [
    'the robot port on 0.0.0.0 without TLS',
    'robot: { host: 0.0.0.0, key: "robot-key-5f8813c0d7aa" }\n',
    9,
  ],
  [
    'a certificate that is none',
    'server: { tls: { certificate: /dev/null, key: /dev/null } }\n',
    9,
  ],
] as const) {
  cases.add(line, `settings: ${what}`, 'refused', () =>
    refused(place('listen.yaml', `scenario: half-sphere-on-plate\n${text}`)),
  );
}
cases.add(
  9,
  'control: 0.0.0.0 with keys and insecure: true',
  'usable: somebody said so',
  async () => {
    const { code, said } = await checked(
      place(
        'insecure.yaml',
        'scenario: half-sphere-on-plate\nserver: { host: 0.0.0.0, insecure: true, keys: { viewer: "viewer-17b3c9d5e0f2" } }\n',
      ),
    );
    assert.equal(code, 0, said);
    return 'exit 0';
  },
);

// paths
cases.add(21, 'a symlink loop', 'one sentence', () => {
  symlinkSync(join(folder, 'loop-b.yaml'), join(folder, 'loop-a.yaml'));
  symlinkSync(join(folder, 'loop-a.yaml'), join(folder, 'loop-b.yaml'));
  return refused(join(folder, 'loop-a.yaml'));
});
cases.add(
  21,
  'a file without rights; for root, who reads it all the same, a socket',
  'one sentence',
  async () => {
    if (process.getuid?.() !== 0) {
      const path = place('closed.yaml', 'mode: virtual\n');
      chmodSync(path, 0);
      return refused(path);
    }
    const path = join(folder, 'socket.yaml');
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(path, resolve));
    try {
      return await refused(path);
    } finally {
      listener.close();
    }
  },
);
cases.add(0, 'a folder for a file', 'one sentence', () => {
  mkdirSync(join(folder, 'folder.yaml'));
  return refused(join(folder, 'folder.yaml'));
});
cases.add(0, 'a device', 'one sentence', () => refused('/dev/zero'));
cases.add(21, 'a name of 5,000 characters', 'one sentence', () =>
  refused(`/${'n'.repeat(5000)}.yaml`),
);

// URDF
const URDF: readonly (readonly [string, string])[] = [
  [
    'an entity of a file (XXE)',
    '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"><link name="a"/></robot>',
  ],
  [
    'a billion laughs',
    `<!DOCTYPE r [<!ENTITY a "x">${Array.from('bcdefghij')
      .map((c, i) => `<!ENTITY ${c} "${`&${'abcdefghi'[i]};`.repeat(10)}">`)
      .join('')}]><robot name="&j;"/>`,
  ],
  ['nesting of 20,000 levels', '<robot name="r">'.repeat(20_000)],
  [
    'a loop of joints',
    '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint><joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint></robot>',
  ],
  [
    'a joint of links that are none',
    '<robot name="r"><link name="a"/><joint name="j" type="revolute"><parent link="x"/><child link="y"/></joint></robot>',
  ],
  [
    'a mass of NaN',
    '<robot name="r"><link name="a"><inertial><mass value="NaN"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>',
  ],
  [
    'a negative mass',
    '<robot name="r"><link name="a"><inertial><mass value="-5"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>',
  ],
  ['two links of one name', '<robot name="r"><link name="a"/><link name="a"/></robot>'],
  ['nothing but text', 'robot'],
  ['an end that never comes', '<robot name="r"><link name="a">'],
];
for (const [what, text] of URDF) {
  cases.add(0, `URDF with ${what}`, 'refused in a sentence within 5 s', () =>
    refused(place('robot.urdf', text)),
  );
}

// meshes
/** Reading of cells from a mesh must be a BerthError in time. */
function meshRefused(name: string, content: string | Uint8Array, soon_s = SOON_S): string {
  place(name, content);
  const begin = spent_s();
  let message = '';
  assert.throws(
    () => readCellFile({ file: name, directory: folder, scale: 1, decompose: true }, 'cells'),
    (error) => {
      message = error instanceof Error ? error.message : '';
      return error instanceof BerthError;
    },
  );
  const took_s = spent_s() - begin;
  assert.ok(took_s < soon_s, `${took_s.toFixed(1)} s`);
  return `${took_s.toFixed(2)} s: ${message.slice(0, 70)}`;
}
const head = (count: number): Uint8Array => {
  const bytes = new Uint8Array(84);
  new DataView(bytes.buffer).setUint32(80, count, true);
  return bytes;
};
const box = asStl(cube([0, 0, 0], [1, 1, 1]));
/** A box with one number of its first facet changed. */
function spoiled(offset: number, value: number): Uint8Array {
  const bytes = box.slice();
  new DataView(bytes.buffer).setFloat32(84 + offset, value, true);
  return bytes;
}
const MESHES: readonly (readonly [string, string, string | Uint8Array])[] = [
  ['an empty STL', 'a.stl', new Uint8Array(0)],
  ['an STL of its head only', 'a.stl', head(0)],
  ['an STL that says it has 4 thousand million facets', 'a.stl', head(0xffffffff)],
  ['an STL cut in the middle', 'a.stl', box.slice(0, 300)],
  ['an STL with a corner of NaN', 'a.stl', spoiled(12, NaN)],
  ['an STL with a corner at infinity', 'a.stl', spoiled(16, Infinity)],
  ['an STL with a corner at 1e38', 'a.stl', spoiled(20, 1e38)],
  [
    'an STL with a hole',
    'a.stl',
    (() => {
      const bytes = box.slice(0, box.length - 50);
      new DataView(bytes.buffer).setUint32(80, 11, true);
      return bytes;
    })(),
  ],
  ['an ASCII STL of words', 'a.stl', `solid a\n${'facet normal x y z\n'.repeat(1000)}endsolid\n`],
  ['an OBJ of indices that are none', 'a.obj', 'v 0 0 0\nf 1 2 3\n'],
  ['an OBJ of index 0', 'a.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n'],
  ['an OBJ of index -99', 'a.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf -99 1 2\n'],
  ['an OBJ of 1e999', 'a.obj', 'v 1e999 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'],
  [
    'an OBJ with a face of 50,000 corners',
    'a.obj',
    `v 0 0 0\nv 1 0 0\nv 0 1 0\nf ${'1 2 3 '.repeat(16_000)}\n`,
  ],
  ['an OBJ of continued lines', 'a.obj', `v 0 0 0 ${'\\\n'.repeat(50_000)}\n`],
  [
    'a PNG by the name of an STL',
    'a.stl',
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, ...new Array<number>(200).fill(7)),
  ],
];
for (const [what, name, content] of MESHES) {
  cases.add(0, what, 'refused in a sentence within 5 s', () => meshRefused(name, content));
}
cases.addSlow(21, '20 MB of random STL facets', 'refused within 5 s', () => {
  const count = 400_000;
  const bytes = new Uint8Array(84 + 50 * count);
  const view = new DataView(bytes.buffer);
  const random = new Random(7);
  view.setUint32(80, count, true);
  for (let i = 0; i < count; i++) {
    for (let k = 3; k < 12; k++) view.setFloat32(84 + 50 * i + 4 * k, random.uniform(), true);
  }
  return meshRefused('random.stl', bytes);
});
cases.add(21, 'control: a true box of 12 facets', 'read at once', () => {
  place('box.stl', box);
  const shapes = readCellFile(
    { file: 'box.stl', directory: folder, scale: 1, decompose: true },
    'cells',
  );
  assert.equal(shapes.length, 1);
  return '1 cell';
});

// recordings and audit logs
const RECORDINGS: readonly (readonly [string, Uint8Array])[] = [
  ['an empty file', new Uint8Array(0)],
  ['zeros', new Uint8Array(4096)],
  ['the magic bytes only', Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 13, 10)],
  [
    'a record of 2^63 bytes',
    Uint8Array.of(
      0x89,
      0x4d,
      0x43,
      0x41,
      0x50,
      0x30,
      13,
      10,
      6,
      0xff,
      0xff,
      0xff,
      0xff,
      0xff,
      0xff,
      0xff,
      0x7f,
      1,
      2,
      3,
    ),
  ],
  [
    'random bytes behind the magic',
    Uint8Array.from({ length: 4096 }, (_, i) =>
      i < 8 ? [0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 13, 10][i] : (i * 7919) & 255,
    ),
  ],
  ['an ELF program', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, ...new Array<number>(100).fill(1))],
];
for (const [what, bytes] of RECORDINGS) {
  cases.add(0, `a recording: ${what}`, 'refused or found empty; no crash', async () => {
    const path = place('hostile.mcap', bytes);
    let told = '';
    for (const read of [
      (): unknown => inspectRecording(path),
      async (): Promise<unknown> => (await openRecording(path)).facts,
    ]) {
      try {
        await read();
        told += 'read; ';
      } catch (error) {
        assert.ok(error instanceof BerthError, String(error));
        told += `${error.message.replace(folder, '').slice(0, 60)}; `;
      }
    }
    return told;
  });
}
for (const [what, text] of [
  ['a line that is no JSON', 'x\n'],
  ['a chain that begins in the middle', '{"n":5,"previous":"00","hash":"00"}\n'],
  ['a line of 5 MB', `{"n":1,"x":"${'y'.repeat(5_000_000)}"}\n`],
  ['numbers beyond 2^53', '{"n":1e300,"previous":"","hash":""}\n'],
  ['__proto__', '{"__proto__":{"n":1}}\n'],
] as const) {
  cases.add(0, `an audit log: ${what}`, 'told as broken; no crash', async () => {
    const { fault } = await verifyChain(place('audit.ndjson', text));
    assert.ok(fault !== null, 'no fault was found');
    return fault.text.slice(0, 80);
  });
}

/** The attacks of this file. */
export const FILE_DOMAINS: readonly AttackDomain[] = [
  {
    name: 'files',
    cases: cases.list,
    start: (): Promise<void> => {
      folder = mkdtempSync(join(tmpdir(), 'berth-attack-'));
      return Promise.resolve();
    },
    stop: (): Promise<void> => {
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  },
];
