/** glTF files: against the reading of another library; what is refused and where; no bytes do harm. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Document, type Node, Primitive, WebIO } from '@gltf-transform/core';
import fc from 'fast-check';
import { BerthError } from '../../../src/base/errors.ts';
import { decodeMesh } from '../../../src/shapes/mesh-decode.ts';
import { repairMesh } from '../../../src/shapes/mesh-repair.ts';
import { meshVolume } from '../../../src/shapes/triangle-mesh.ts';
import { bytesOf, cube } from '../../fixtures/meshes.ts';

const io = new WebIO();

/** A .gltf file as far as the tests change it. */
interface Description extends Record<string, unknown> {
  asset: { version: string };
  scenes: { nodes: number[] }[];
  nodes: Record<string, unknown>[];
  buffers: { uri?: string }[];
  accessors: { count: number; componentType: number; sparse?: object }[];
  meshes: { primitives: { targets?: object[]; attributes: { POSITION: number } }[] }[];
}

/** A cube of one side, 12 triangles, as two primitives; `add` changes the document. */
function cubeFile(add: (document: Document, node: Node) => void = () => {}): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const source = cube([0, 0, 0], [1, 1, 1]);
  const mesh = document.createMesh('cube');
  const points = document
    .createAccessor()
    .setType('VEC3')
    .setArray(Float32Array.from(source.vertices))
    .setBuffer(buffer);
  const half = source.triangles.length / 2;
  for (const [part, list] of [
    [source.triangles.slice(0, half), Uint16Array],
    [source.triangles.slice(half), Uint32Array],
  ] as const) {
    const corners = document.createAccessor().setArray(list.from(part)).setBuffer(buffer);
    const primitive = document.createPrimitive().setIndices(corners);
    mesh.addPrimitive(primitive.setAttribute('POSITION', points));
  }
  const node = document.createNode('part').setMesh(mesh);
  document.getRoot().setDefaultScene(document.createScene().addChild(node));
  add(document, node);
  return io.writeBinary(document);
}

/** Volume of the file by the other library: its world matrices, signed tetrahedra. */
async function volumeOf(bytes: Uint8Array): Promise<number> {
  const document = await io.readBinary(bytes);
  let six = 0;
  document
    .getRoot()
    .getDefaultScene()
    ?.traverse((node) => {
      const m = node.getWorldMatrix();
      const det =
        m[0] * (m[5] * m[10] - m[6] * m[9]) -
        m[4] * (m[1] * m[10] - m[2] * m[9]) +
        m[8] * (m[1] * m[6] - m[2] * m[5]);
      for (const primitive of node.getMesh()?.listPrimitives() ?? []) {
        const points = primitive.getAttribute('POSITION');
        const corners = primitive.getIndices()?.getArray() as Uint32Array;
        for (let k = 0; k < corners.length; k += 3) {
          const [a, b, c] = [0, 1, 2].map((n) => {
            const at: number[] = [];
            points?.getElement(corners[k + n], at);
            const [x, y, z] = at;
            return [0, 1, 2].map((r): number => m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r]);
          });
          const one =
            a[0] * (b[1] * c[2] - b[2] * c[1]) -
            a[1] * (b[0] * c[2] - b[2] * c[0]) +
            a[2] * (b[0] * c[1] - b[1] * c[0]);
          six += det < 0 ? -one : one;
        }
      }
    });
  return six / 6;
}

/** The JSON of a .glb file, changed, in a .gltf file that holds its numbers as text. */
function asText(glb: Uint8Array, change: (root: Description) => void): Uint8Array {
  const view = new DataView(glb.buffer, glb.byteOffset);
  const length = view.getUint32(12, true);
  const root = JSON.parse(Buffer.from(glb.subarray(20, 20 + length)).toString()) as Description;
  const numbers = Buffer.from(glb.subarray(28 + length)).toString('base64');
  root.buffers[0].uri = `data:application/octet-stream;base64,${numbers}`;
  change(root);
  return bytesOf(JSON.stringify(root));
}

function refused(bytes: Uint8Array, name: string, message: RegExp): void {
  assert.throws(
    () => decodeMesh(bytes, name),
    (error) => {
      assert.ok(error instanceof BerthError, String(error));
      assert.match(error.message, message);
      return true;
    },
  );
}

test('a cube of two primitives is one closed surface of eight corners, in metres', async () => {
  const bytes = await cubeFile();
  for (const [file, name] of [
    [bytes, 'cube.glb'],
    [bytes, 'cube.GLB'],
    [asText(bytes, () => {}), 'cube.gltf'],
  ] as const) {
    const closed = repairMesh(decodeMesh(file, name), name);
    assert.deepEqual([closed.vertices.length, closed.triangles.length], [24, 36], name);
    assert.equal(closed.volume, 1, name);
    assert.deepEqual(closed.notes, []);
  }
});

test('placements of nodes: turned, moved, stretched, mirrored, nested, one mesh twice', async () => {
  const bytes = await cubeFile((document, node) => {
    node.setTranslation([5, 0, 1]).setRotation([0.5, 0.5, -0.5, 0.5]).setScale([1, 2, 3]);
    const twin = document.createNode('mirrored').setMesh(node.getMesh()).setScale([-1, 1, 2]);
    const arm = document.createNode('arm').setTranslation([0, -7, 0]).addChild(twin);
    arm.setRotation([Math.sin(0.3), 0, 0, Math.cos(0.3)]);
    document.getRoot().getDefaultScene()?.addChild(arm);
  });
  const closed = repairMesh(decodeMesh(bytes, 'a.glb'), 'a.glb');
  assert.equal(closed.pieceCount, 2);
  // mirrored triangles are turned back, so that nothing is repaired
  assert.deepEqual(closed.notes, []);
  const want = await volumeOf(bytes);
  // positions of 32 bits, products of 64
  assert.ok(Math.abs(want - 8) < 1e-5);
  assert.ok(Math.abs(meshVolume(closed) - want) < 1e-6 * want, `${closed.volume}, ${want}`);
  // by hand: the quaternion (1, 1, −1, 1)/2 takes x to −z, y to x, z to −y
  const low = [0, 1, 2].map((axis) =>
    Math.min(...closed.vertices.filter((_, k) => k % 3 === axis && closed.vertices[k - axis] > 2)),
  );
  [5, -3, 0].forEach((value, axis) => {
    assert.ok(Math.abs(low[axis] - value) < 1e-6, `${axis}: ${low[axis]}`);
  });
});

test('strips and fans are triangles; points and lines are none', async () => {
  // a tetrahedron: a strip of four corners is two of its faces, and so are two fans
  const bytes = await cubeFile((document, node) => {
    const buffer = document.getRoot().listBuffers()[0];
    const points = document
      .createAccessor()
      .setType('VEC3')
      .setArray(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1))
      .setBuffer(buffer);
    const mesh = document.createMesh('tetrahedron');
    const { TRIANGLE_STRIP, TRIANGLE_FAN, LINES, POINTS } = Primitive.Mode;
    for (const [mode, list] of [
      [TRIANGLE_STRIP, [1, 0, 2, 3]],
      [TRIANGLE_FAN, [0, 1, 3]],
      [TRIANGLE_FAN, [1, 2, 3]],
      [LINES, [0, 1]],
      [POINTS, [0]],
    ] as const) {
      const corners = document.createAccessor().setArray(Uint16Array.from(list)).setBuffer(buffer);
      const primitive = document.createPrimitive().setMode(mode).setIndices(corners);
      mesh.addPrimitive(primitive.setAttribute('POSITION', points));
    }
    node.setMesh(mesh);
  });
  const closed = repairMesh(decodeMesh(bytes, 't.glb'), 't.glb');
  assert.equal(closed.triangles.length, 12);
  assert.deepEqual(closed.notes, []);
  assert.ok(Math.abs(closed.volume - 1 / 6) < 1e-15);
});

test('what moves or reshapes the surface is refused by name', async () => {
  const moving = await cubeFile((document, node) => {
    const buffer = document.getRoot().listBuffers()[0];
    const times = document.createAccessor().setArray(Float32Array.of(0, 1)).setBuffer(buffer);
    const places = document
      .createAccessor()
      .setType('VEC3')
      .setArray(Float32Array.of(0, 0, 0, 1, 0, 0))
      .setBuffer(buffer);
    const sampler = document.createAnimationSampler().setInput(times).setOutput(places);
    const channel = document.createAnimationChannel().setSampler(sampler);
    channel.setTargetNode(node).setTargetPath('translation');
    document.createAnimation('door opens').addSampler(sampler).addChannel(channel);
  });
  refused(moving, 'm.glb', /^m\.glb, animations\[0\]: .*1 animations \("door opens"\).*export it/);
  const bent = await cubeFile((document, node) => {
    node.setSkin(document.createSkin('rig').addJoint(node));
  });
  refused(bent, 's.glb', /skins\[0\]: .*\("rig"\)/);
  const plain = await cubeFile();
  const changed = (message: RegExp, change: (root: Description) => void): void =>
    refused(asText(plain, change), 'c.gltf', message);
  changed(/targets: morph/, (root) => (root.meshes[0].primitives[0].targets = [{ POSITION: 0 }]));
  changed(/"KHR_draco_mesh_compression" is not read/, (root) => {
    root.extensionsRequired = ['KHR_draco_mesh_compression'];
  });
  changed(/EXT_mesh_gpu_instancing/, (root) => {
    root.nodes[0].extensions = { EXT_mesh_gpu_instancing: {} };
  });
  changed(/accessors\[\d\]\.sparse/, (root) => (root.accessors[0].sparse = {}));
  changed(/buffers\[0\]\.uri: .*another file, "part.bin"; export one/, (root) => {
    root.buffers[0].uri = 'part.bin';
  });
});

test('files at fault are refused at the place', async () => {
  const plain = await cubeFile();
  const changed = (message: RegExp, change: (root: Description) => void): void =>
    refused(asText(plain, change), 'c.gltf', message);
  changed(/asset\.version: is "1\.0"; allowed: 2\.0/, (root) => (root.asset.version = '1.0'));
  changed(/scene: has no triangles/, (root) => (root.scenes[0].nodes = []));
  changed(/nodes\[0\]: is there twice/, (root) => (root.nodes[0].children = [0]));
  changed(/nodes\[0\]\.mesh: expected an index below 1, got 4/, (root) => (root.nodes[0].mesh = 4));
  changed(/nodes\[0\]\.rotation: a quaternion of the length 2/, (root) => {
    root.nodes[0].rotation = [0, 0, 0, 2];
  });
  changed(/nodes\[0\]\.matrix: its last row/, (root) => {
    root.nodes[0].matrix = [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  });
  changed(/accessors\[\d\]: runs to byte \d+ of a buffer of \d+/, (root) => {
    for (const accessor of root.accessors) accessor.count *= 100;
  });
  changed(/allowed for meshes\[0\]\.primitives\[0\].*VEC3 of floats/, (root) => {
    const at = root.meshes[0].primitives[0].attributes.POSITION;
    root.accessors[at].componentType = 5123;
  });
  changed(/vertex 1 has the coordinate 1e\+308/, (root) => {
    root.nodes[0].translation = [1e308, 0, 0];
    root.nodes[0].scale = [1e308, 1, 1];
  });
  refused(plain.slice(0, 40), 'c.glb', /byte 8: announces \d+ bytes, but the file has 40/);
  refused(bytesOf('solid cube'), 'c.glb', /byte 0: does not start with "glTF"/);
  refused(bytesOf('{"asset": {'), 'c.gltf', /description: is no JSON/);
  const one = plain.slice();
  one[4] = 1;
  refused(one, 'c.glb', /byte 4: is of version 1/);
});

test('no bytes do harm', async () => {
  const plain = await cubeFile();
  const text = asText(plain, () => {});
  const byte = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(fc.boolean(), fc.array(byte, { minLength: 1, maxLength: 8 }), (binary, changes) => {
      const bytes = Uint8Array.from(binary ? plain : text);
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      try {
        decodeMesh(bytes, binary ? 'f.glb' : 'f.gltf');
      } catch (error) {
        assert.ok(error instanceof BerthError, String(error));
      }
    }),
    { numRuns: 300 },
  );
});
