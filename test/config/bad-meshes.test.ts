/** Meshes that cannot be used as they are: each is repaired, or refused with the field, the value and the remedy, in every way to use it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { ConfigError } from '../../config/yaml-source.ts';
import { run as decompose } from '../../server/cli/decompose.ts';
import { run as field } from '../../server/cli/field.ts';
import { makeSystem } from '../../src/index.ts';
import { repairMesh } from '../../src/shapes/mesh-repair.ts';
import type { TriangleMesh } from '../../src/shapes/triangle-mesh.ts';
import {
  angle,
  asGltf,
  asStl,
  cube,
  moved,
  roundMesh,
  together,
  turned,
} from '../fixtures/meshes.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-bad-meshes-'));
after(() => {
  rmSync(folder, { recursive: true });
});
const at = (name: string): string => join(folder, name);
const scaled = (mesh: TriangleMesh, s: number): TriangleMesh =>
  moved(
    mesh,
    [
      [s, 0, 0],
      [0, s, 0],
      [0, 0, s],
    ],
    [0, 0, 0],
  );

const BOX = cube([-0.02, -0.02, 0], [0.02, 0.02, 0.04]);
/** The middle of an edge of the top is a corner of one face only: a needle closes the gap. */
const NEEDLE: TriangleMesh = ((): TriangleMesh => {
  const vertices = [...BOX.vertices, 0, -0.02, 0.04];
  const triangles = [...BOX.triangles];
  // the top triangle (4, 5, 7) over the edge from 4 to 5 becomes two, and the needle (4, 5, 8) stands beside the side
  const top = triangles.findIndex(
    (_, k) => k % 3 === 0 && triangles.slice(k, k + 3).join() === '4,5,7',
  );
  triangles.splice(top, 3, 4, 8, 7, 8, 5, 7, 4, 5, 8);
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
})();

before(() => {
  const stl = (name: string, mesh: TriangleMesh): void => writeFileSync(at(name), asStl(mesh));
  stl('box.stl', BOX);
  stl('open.stl', { ...BOX, triangles: BOX.triangles.slice(3) });
  stl(
    'inside-out.stl',
    turned(BOX, () => true),
  );
  stl(
    'mixed.stl',
    turned(BOX, (k) => k % 3 === 0),
  );
  stl('double.stl', {
    ...BOX,
    triangles: Uint32Array.of(...BOX.triangles, ...BOX.triangles.slice(0, 6)),
  });
  stl('point.stl', { ...BOX, triangles: Uint32Array.of(...BOX.triangles, 0, 0, 1) });
  stl('needle.stl', NEEDLE);
  stl('flat.stl', scaled(BOX, 0));
  stl('sheet.stl', cube([0, 0, 0], [0.04, 0.04, 0]));
  // an L through a block, one surface after the other
  stl(
    'through.stl',
    together(scaled(angle(1), 0.02), cube([0.01, 0.01, 0.005], [0.05, 0.05, 0.015])),
  );
  stl('millimetres.stl', scaled(BOX, 1000));
  stl('fine.stl', roundMesh(0.02, 160, 72));
  stl('round.stl', roundMesh(0.02, 48, 24));
  const gltf = asGltf(BOX);
  writeFileSync(at('box.gltf'), gltf);
  const extra = (parts: object): string =>
    JSON.stringify({ ...(JSON.parse(Buffer.from(gltf).toString()) as object), ...parts });
  const moving = { animations: [{ name: 'lid', channels: [], samplers: [] }] };
  writeFileSync(at('animated.gltf'), extra(moving));
  writeFileSync(at('skin.gltf'), extra({ skins: [{ name: 'arm', joints: [0] }] }));
});

type Use = 'cells' | 'faceted' | 'samples' | 'convex';

/** A part of a mesh file above a slab whose top is z = −1 mm. */
function scenario(use: Use, mesh: string, parts: { standoff?: string; z?: string } = {}): string {
  const slab = '{ shape: { kind: box, size_m: [0.2, 0.2, 0.1] }, position_m: [0, 0, -51 mm] }';
  const part = `{ shape: { kind: mesh, ${mesh} } }`;
  const pair = {
    cells: '{ kind: volumetric }',
    convex: `{ kind: convex, shape_i: ${part}, shape_j: ${slab} }`,
    faceted: `{ kind: faceted, shape_i: ${part}, shape_j: ${slab}, standoff_m: ${parts.standoff ?? '0.5 mm'} }`,
    samples: `{ kind: sampled, shape_i: ${part}, field_j: { file: box.stl } }`,
  }[use];
  const volumes = use === 'cells' || use === 'samples';
  const cells = (text: string): string => (use === 'cells' ? `cells: [${text}]` : '');
  writeFileSync(
    at('part.yaml'),
    `name: part
title: Part
description: A part on a slab.
gravity_mps2: [0, 0, -9.81]
bodies:
  - name: slab
    kind: fixed
    ${use === 'samples' ? 'position_m: [0, 0, -50 mm]' : ''}
    ${cells('{ shape: { kind: half-space } }')}
  - name: part
    kind: dynamic
    mass_kg: 1
    inertia: { kind: tensor, moments_kg_m2: [1e-3, 1e-3, 1e-3] }
    position_m: [0, 0, ${parts.z ?? '0.1 mm'}]
    ${cells(`{ ${mesh} }`)}
contacts:
  - name: c
    body_i: part
    body_j: slab
    pair: ${pair}
    normal_law: ${
      volumes
        ? '{ kind: volumetric, stiffness_N_per_m3: 1e9, restitution: 0.5 }'
        : '{ kind: kelvin-voigt, stiffness_N_per_m: 1e5, damping_N_s_per_m: 10 }'
    }
    friction_law: { kind: none }
integration: { kind: implicit-contact, step_s: 1 ms }
duration_s: 0.1
`,
  );
  return at('part.yaml');
}

/** Runs a command without its words. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { log } = console;
  console.log = (): void => {};
  try {
    return await work();
  } finally {
    console.log = log;
  }
}

const EVERY: readonly Use[] = ['cells', 'faceted', 'samples', 'convex'];
const FIELD =
  /^(contacts\[0\][.]pair[.]shape_i[.]shape|bodies\[1\][.]cells\[0\])([.](file|scale))?$/;

const REFUSED: readonly {
  readonly what: string;
  readonly mesh: string;
  readonly uses: readonly Use[];
  readonly message: RegExp;
}[] = [
  {
    what: 'a missing file',
    mesh: 'file: gone.stl',
    uses: EVERY,
    message: /there is no file ".*gone[.]stl"/,
  },
  {
    what: 'an open surface',
    mesh: 'file: open.stl',
    uses: EVERY,
    message:
      /the surface is open: 3 edges belong to one triangle only, the first at \(.*repair it in the program that drew it/,
  },
  {
    what: 'a sheet',
    mesh: 'file: sheet.stl',
    uses: EVERY,
    message: /sheet[.]stl to be a closed surface around a volume/,
  },
  {
    what: 'all corners in one place',
    mesh: 'file: flat.stl',
    uses: EVERY,
    message: /no triangle is left/,
  },
  {
    what: 'solids that go through each other',
    mesh: 'file: through.stl',
    uses: ['faceted', 'samples'],
    message:
      /through[.]stl not to go through itself, but \d+ pairs of its triangles cut each other, the first near \(.*\) of the file; unite its solids/,
  },
  {
    what: 'millimetres without a scale',
    mesh: 'file: millimetres.stl',
    uses: EVERY,
    message:
      /at most 20 m large without a scale, got 40; .*write scale: 0[.]001 when it is in millimetres/,
  },
  {
    what: 'metres with the scale of millimetres',
    mesh: 'file: box.stl, scale: 0.001',
    uses: EVERY,
    message:
      /at least 0[.]0001 m large, got 0[.]00004 with scale: 0[.]001; write scale: 1 when it is in metres/,
  },
  {
    what: 'more facets than the budget',
    mesh: 'file: fine.stl',
    uses: ['faceted'],
    message:
      /at most 20000 facets, got \d+; use berth simplify --triangles 20000, or a sampled pair with berth field/,
  },
  {
    what: 'more corners of a cell than the budget',
    mesh: 'file: round.stl',
    uses: ['cells'],
    message:
      /at most 1000 corners, got \d+; use berth simplify, .* or a sampled pair with berth field/,
  },
  {
    what: 'an animation',
    mesh: 'file: animated.gltf',
    uses: EVERY,
    message: /animated[.]gltf, animations\[0\]: .*"lid".*export it without animations/,
  },
  {
    what: 'a skin',
    mesh: 'file: skin.gltf',
    uses: EVERY,
    message: /skin[.]gltf, skins\[0\]: .*export it without/,
  },
];

for (const { what, mesh, uses, message } of REFUSED) {
  test(`${what}: refused at its field, with the value and what helps`, async () => {
    await quietly(() => field([at('box.stl'), '--cell', '4 mm']));
    for (const use of uses) {
      assert.throws(
        () => loadScenario(scenario(use, mesh)),
        (error) => {
          assert.ok(error instanceof ConfigError, String(error));
          const [issue] = error.issues;
          assert.match(issue.message, message, use);
          assert.match(issue.path, FIELD, use);
          return true;
        },
      );
    }
  });
}

const REPAIRED: readonly (readonly [string, string])[] = [
  ['inside-out.stl', 'the surface was inside out and was turned'],
  ['mixed.stl', '4 triangles wound against their neighbours were turned'],
  ['double.stl', '2 triangles that were there twice were left out'],
  ['point.stl', '1 triangles of fewer than three corners were left out'],
  ['needle.stl', '1 triangles without area were joined to their neighbours'],
];

for (const [file, note] of REPAIRED) {
  test(`${file}: repaired, said by the command, and it carries its part in every way`, async () => {
    const said: string[] = [];
    const { log } = console;
    console.log = (line: string) => said.push(line);
    try {
      assert.equal(await field([at(file), '--cell', '4 mm']), 0);
    } finally {
      console.log = log;
    }
    assert.ok(
      said.some((line) => line.endsWith(note)),
      said.join('; '),
    );
    await quietly(() => field([at('box.stl'), '--cell', '4 mm']));
    for (const use of EVERY) {
      const run = makeSystem(compileScenario(loadScenario(scenario(use, `file: ${file}`))));
      const row = new Float64Array(40);
      let most = 0;
      for (let n = 0; n < 120; n++) {
        assert.equal(run.step(1e-3), 0);
        run.readContact(0, row, 0);
        most = Math.max(most, row[3]);
      }
      run.readBody(1, row, 0);
      assert.ok(most > 9 && row[2] > -0.012 && row[2] < 2e-4, `${use}: ${most} N, ${row[2]} m`);
    }
  });
}

test('a needle at a corner of one face keeps the volume, and leaves no facet without area', () => {
  const closed = repairMesh(NEEDLE, 'needle');
  assert.ok(Math.abs(closed.volume / 6.4e-5 - 1) < 1e-12, `${closed.volume}`);
  assert.equal(closed.triangles.length / 3, 14);
});

test('a standoff above the size of a body, and bodies that overlap at the start', () => {
  assert.throws(
    () => loadScenario(scenario('faceted', 'file: box.stl', { standoff: '50 mm' })),
    /standoff.*below the size of both bodies, 0[.]0(4|39\d+) m, got 0[.]05/,
  );
  assert.throws(
    () => loadScenario(scenario('faceted', 'file: box.stl', { z: '-5 mm' })),
    /start outside of each other, got bodies that cut or hold each other in contact c \(part and slab\)/,
  );
});

test('a field that is older than its mesh, and meshes that commands refuse', async () => {
  await quietly(() => field([at('box.stl'), '--cell', '4 mm']));
  assert.doesNotThrow(() => loadScenario(scenario('samples', 'file: box.stl')));
  const path = scenario('samples', 'file: needle.stl');
  writeFileSync(at('box.stl'), asStl(cube([-0.02, -0.02, 0], [0.02, 0.02, 0.041])));
  assert.throws(
    () => loadScenario(path),
    /contacts\[0\][.]pair[.]field_j: .*box[.]stl[.]field was made of another .*box[.]stl; run again: berth field .*box[.]stl/,
  );
  writeFileSync(at('box.stl'), asStl(BOX));
  assert.throws(() => field([at('through.stl')]), /through[.]stl not to go through itself/);
  await assert.rejects(
    () => decompose([at('through.stl')]),
    /through[.]stl not to go through itself/,
  );
});
