/** Fuzzers of files that people write or bring: settings, scenarios, robots, meshes, decompositions, audit logs. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCellFile } from '../../config/cell-file.ts';
import { readDecomposition, decompositionFile } from '../../config/decomposition-file.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { packageRoot } from '../../config/paths.ts';
import { loadRobot } from '../../config/robot.ts';
import { loadScenario, scenarioFile, scenarioFolder } from '../../config/scenario.ts';
import { openAuditLog } from '../../server/audit/audit.ts';
import { readHead, verifyChain } from '../../server/audit/audit-chain.ts';
import { decodeMesh } from '../../src/shapes/mesh-decode.ts';
import { angle, asGltf, asObj, asStl, asStlText, cube, together } from '../fixtures/meshes.ts';
import { bytesOf, type FuzzTarget, kindOf, textOf } from './target.ts';

const YAML_WORDS = [
  '&a ',
  '*a',
  '<<: *a',
  '!!binary ',
  '!!set ',
  '? ',
  '|\n',
  '>-\n',
  '---\n',
  '#',
  '"\\u0000"',
];

/** Settings of a service. */
export function settings(folder: string): FuzzTarget {
  const file = join(folder, 'settings.yaml');
  return {
    corpus: [new Uint8Array(readFileSync(join(packageRoot(), 'config', 'berth.yaml')))],
    words: YAML_WORDS,
    text: true,
    run: (input) => {
      writeFileSync(file, input);
      const { loop } = loadSettings(file);
      assert.ok(loop.period_s > 0 && Number.isFinite(loop.period_s), 'a period that is none');
      return 'ok';
    },
  };
}

/** Settings by `--set path=value`. */
export function override(): FuzzTarget {
  const arguments_ = [
    'loop.period_s=0.002',
    'limits.force_N=100 N',
    'server.keys.viewer=abc',
    'operator={ coarse_speed_mps: 0.01 }',
    'robot.transport=none',
  ];
  const file = join(packageRoot(), 'config', 'berth.yaml');
  return {
    corpus: arguments_.map(bytesOf),
    words: [...YAML_WORDS, '.', '[0]', '=', '__proto__'],
    text: true,
    most: 20_000,
    run: (input) => {
      loadSettings(file, [textOf(input)]);
      return 'ok';
    },
  };
}

/** Scenarios, with all their physics. */
export function scenario(folder: string): FuzzTarget {
  const file = join(folder, 'scenario.yaml');
  const names = readdirSync(scenarioFolder()).filter((name) => name.endsWith('.yaml'));
  return {
    corpus: names.map((name) => new Uint8Array(readFileSync(scenarioFile(name.slice(0, -5))))),
    words: YAML_WORDS,
    text: true,
    run: (input) => {
      writeFileSync(file, input);
      loadScenario(file);
      return 'ok';
    },
  };
}

/** Robots in YAML, with their trees and mounts. */
export function robot(folder: string): FuzzTarget {
  const file = join(folder, 'robot.yaml');
  const robots = join(packageRoot(), 'config', 'robots');
  const names = readdirSync(robots).filter((name) => name.endsWith('.yaml'));
  return {
    corpus: names.map((name) => new Uint8Array(readFileSync(join(robots, name)))),
    words: [...YAML_WORDS, 'parent: ', 'kind: beam', 'kind: free', 'mount: {robot: ./robot.yaml, '],
    text: true,
    run: (input) => {
      writeFileSync(file, input);
      return robotWords(file);
    },
  };
}

/** Robots in URDF, through parser and import. */
export function urdf(folder: string): FuzzTarget {
  const file = join(folder, 'robot.urdf');
  const examples = join(packageRoot(), 'examples', 'urdf');
  const names = readdirSync(examples).filter((name) => name.endsWith('.urdf'));
  return {
    corpus: names.map((name) => new Uint8Array(readFileSync(join(examples, name)))),
    words: [
      '<link name="',
      '<joint ',
      '</robot>',
      '<!--',
      '-->',
      '<![CDATA[',
      '<!DOCTYPE a [',
      '<!ENTITY a "',
      '&a;',
      '&#0;',
      '<?x ?>',
      'xmlns:a="b" ',
      'type="floating"',
      '"',
      '/>',
    ],
    text: true,
    run: (input) => {
      writeFileSync(file, input);
      return robotWords(file);
    },
  };
}

/** Loads a robot; what comes out must be a tree of finite numbers. */
function robotWords(file: string): string {
  const { model, joints, drawing } = loadRobot(file);
  model.links.forEach(({ parent, mass, center, inertia }, i) => {
    assert.ok(parent < i, 'a parent behind its child');
    assert.ok([mass, ...center, ...inertia].every(Number.isFinite), 'a body that is not finite');
  });
  assert.equal(drawing.length, model.links.length, 'shapes of each link');
  return `${model.links.length} ${joints.length} ${model.frames.length}`;
}

/** A mesh through decoder and repair, to cells. */
function mesh(
  folder: string,
  ending: 'stl' | 'obj' | 'gltf',
  corpus: readonly Uint8Array[],
): FuzzTarget {
  const file = join(folder, `part.${ending}`);
  return {
    corpus,
    text: true,
    words: ['facet ', 'vertex ', 'endsolid', 'f ', 'v ', '1//1', '\\\n', '# ', '-1', '1e9'],
    run: (input) => {
      const { vertices, triangles } = decodeMesh(input, `part.${ending}`);
      assert.ok(vertices.every(Number.isFinite), 'a corner that is not finite');
      assert.ok(
        triangles.every((i) => 3 * i < vertices.length),
        'a triangle without its corner',
      );
      writeFileSync(file, input);
      const shapes = readCellFile({ file, directory: folder, scale: 1, decompose: true }, 'cells');
      return `${shapes.length}`;
    },
  };
}

const parts = [
  cube([0, 0, 0], [1, 2, 3]),
  angle(1),
  together(cube([0, 0, 0], [1, 1, 1]), cube([3, 0, 0], [4, 1, 1])),
];

export const stl = (folder: string): FuzzTarget =>
  mesh(folder, 'stl', [...parts.map(asStl), ...parts.map((one) => bytesOf(asStlText(one)))]);
export const obj = (folder: string): FuzzTarget =>
  mesh(folder, 'obj', [
    ...parts.map((one) => bytesOf(asObj(one))),
    bytesOf(
      'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nf 4 3 2 1\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n',
    ),
  ]);

export const gltf = (folder: string): FuzzTarget => mesh(folder, 'gltf', parts.map(asGltf));

/** The cells beside a concave mesh. */
export function cells(folder: string): FuzzTarget {
  const path = join(folder, 'part.stl');
  const bytes = asStl(angle(1));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const box = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1, (k >> 1) & 1, k >> 2]);
  const file = { format: 'berth-cells-1', sha256, limits: {}, meshVolume: 3, cellVolume: 3 };
  return {
    corpus: [bytesOf(JSON.stringify({ ...file, cells: [box, box] }))],
    words: ['[[', ']]', '1e308', 'null', '"cells":'],
    text: true,
    run: (input) => {
      writeFileSync(decompositionFile(path), input);
      return `${readDecomposition(path, bytes, 'part.stl', 'cells').length} cells`;
    },
  };
}

/** Audit logs and their head files. */
export async function audit(folder: string): Promise<FuzzTarget> {
  const file = join(folder, 'audit.ndjson');
  const log = await openAuditLog({ file, now_ms: () => 1_700_000_000_000 });
  for (let i = 0; i < 5; i++) {
    log.write({ actor: `operator#${i}`, action: 'arm', result: 'ok', detail: { text: 'ä"\\' } });
  }
  await log.close();
  const corpus = [new Uint8Array(readFileSync(file))];
  return {
    corpus,
    words: [',"hash":"', '"previous":"', '\r\n', '"n":'],
    text: true,
    mend: withHashes,
    run: async (input) => {
      writeFileSync(file, input);
      const { head, fault, tornBytes } = await verifyChain(file);
      assert.ok(head.n >= 0 && tornBytes <= input.length, 'a report that cannot be');
      writeFileSync(`${file}.head`, input);
      readHead(file);
      return `${Math.min(head.n, 6)} ${kindOf(fault?.text ?? 'whole')} ${tornBytes > 0}`;
    },
  };
}

/** Lines with right hashes, so that what is behind them is reached. */
function withHashes(input: Uint8Array): Uint8Array {
  const lines = textOf(input).split('\n');
  return bytesOf(
    lines
      .map((line) =>
        line.replace(/^(.*),"hash":"[^"]*"\}$/, (_, body: string) => {
          const hash = createHash('sha256').update(`${body}}`).digest('hex');
          return `${body},"hash":"${hash}"}`;
        }),
      )
      .join('\n'),
  );
}
