/**
 * glTF 2.0, binary (.glb) and text (.gltf) with its buffers inside: the surface of the default scene in metres, axes of the file.
 * Materials, cameras and lights are skipped; what would move or reshape the surface is refused. `glTF 2.0 specification, Khronos 2021`.
 *
 * A vertex p of a mesh stands at M_1 M_2 … M_n p, with the matrices of the nodes from the root down, each M = T R S. Where the determinant of
 * the product is negative, the triangles of the mesh run the other way round (3.7.4).
 */
import { accessorNumbers, type GltfBuffers } from './gltf-buffers.ts';
import { asList, asObject, type Json, type JsonObject, optionalIndex } from './gltf-json.ts';
import { identity, type Matrix4, nodeMatrix, product, turnsOver } from './gltf-nodes.ts';
import { isCoordinate, MOST_TRIANGLES, refuse, shown } from './mesh-lines.ts';
import type { TriangleMesh } from './triangle-mesh.ts';
import { weldEqual } from './weld.ts';

/** Largest depth of the tree of nodes. */
const MOST_LEVELS = 200;
/** Extensions that change nothing of the surface. */
const HARMLESS = /^(KHR_materials_|KHR_texture_|EXT_texture_|KHR_lights_|KHR_xmp)/;
/** Ways to list triangles. */
const TRIANGLES = 4;
const STRIP = 5;
const FAN = 6;

/** The welded mesh of a glTF file. @throws BerthError naming the part of the file at fault */
export function decodeGltf(root: JsonObject, buffers: GltfBuffers, name: string): TriangleMesh {
  const reader = new GltfReader(root, buffers, name);
  reader.read();
  if (reader.triangles.length === 0) throw refuse(name, 'scene', 'has no triangles');
  return weldEqual(Float64Array.from(reader.vertices), Uint32Array.from(reader.triangles));
}

class GltfReader {
  readonly vertices: number[] = [];
  readonly triangles: number[] = [];
  readonly #root: JsonObject;
  readonly #buffers: GltfBuffers;
  readonly #name: string;
  readonly #nodes: readonly Json[];
  readonly #met = new Set<number>();

  constructor(root: JsonObject, buffers: GltfBuffers, name: string) {
    this.#root = root;
    this.#buffers = buffers;
    this.#name = name;
    this.#nodes = asList(root.nodes, 'nodes', name);
  }

  read(): void {
    this.#refuseMotion();
    for (const index of this.#roots()) this.#addNode(index, identity(), 0);
  }

  /** Refuses what moves or reshapes the surface. */
  #refuseMotion(): void {
    const name = this.#name;
    for (const kind of ['animations', 'skins'] as const) {
      const list = asList(this.#root[kind], kind, name);
      if (list.length === 0) continue;
      const first = asObject(list[0], `${kind}[0]`, name).name;
      const which = typeof first === 'string' ? ` ("${shown(first)}")` : '';
      throw refuse(
        name,
        `${kind}[0]`,
        `the file has ${list.length} ${kind}${which}; allowed: a rigid part; export it without ${kind}`,
      );
    }
    for (const word of asList(this.#root.extensionsRequired, 'extensionsRequired', name)) {
      if (typeof word === 'string' && HARMLESS.test(word)) continue;
      throw refuse(
        name,
        'extensionsRequired',
        `the extension ${shown(JSON.stringify(word))} is not read; export the part without compression and extensions`,
      );
    }
  }

  /** Nodes of the default scene, or those that are no child of another. */
  #roots(): number[] {
    const name = this.#name;
    const scenes = asList(this.#root.scenes, 'scenes', name);
    if (scenes.length > 0) {
      const scene = optionalIndex(this.#root.scene, scenes.length, 'scene', name) ?? 0;
      const about = asObject(scenes[scene], `scenes[${scene}]`, name);
      return this.#indices(about.nodes, `scenes[${scene}].nodes`);
    }
    const children = new Set<number>();
    this.#nodes.forEach((node, k) => {
      const where = `nodes[${k}]`;
      const about = asObject(node, where, name);
      for (const child of this.#indices(about.children, `${where}.children`)) children.add(child);
    });
    return this.#nodes.map((_, k) => k).filter((k) => !children.has(k));
  }

  #indices(value: Json | undefined, where: string): number[] {
    return asList(value, where, this.#name).map((entry, k) => {
      const index = optionalIndex(entry, this.#nodes.length, `${where}[${k}]`, this.#name);
      return index ?? 0;
    });
  }

  #addNode(index: number, parent: Matrix4, level: number): void {
    const name = this.#name;
    const where = `nodes[${index}]`;
    if (this.#met.has(index)) throw refuse(name, where, 'is there twice in the tree of nodes');
    if (level > MOST_LEVELS) throw refuse(name, where, `lies deeper than ${MOST_LEVELS} nodes`);
    this.#met.add(index);
    const node = asObject(this.#nodes[index], where, name);
    if (asObject(node.extensions ?? {}, where, name).EXT_mesh_gpu_instancing !== undefined) {
      throw refuse(name, where, 'the extension "EXT_mesh_gpu_instancing" is not read');
    }
    const matrix = product(parent, nodeMatrix(node, where, name));
    const meshes = asList(this.#root.meshes, 'meshes', name);
    const mesh = optionalIndex(node.mesh, meshes.length, `${where}.mesh`, name);
    if (mesh !== null) this.#addMesh(asObject(meshes[mesh], `meshes[${mesh}]`, name), mesh, matrix);
    for (const child of this.#indices(node.children, `${where}.children`)) {
      this.#addNode(child, matrix, level + 1);
    }
  }

  #addMesh(mesh: JsonObject, index: number, matrix: Matrix4): void {
    asList(mesh.primitives, `meshes[${index}].primitives`, this.#name).forEach((entry, k) => {
      const where = `meshes[${index}].primitives[${k}]`;
      this.#addPrimitive(asObject(entry, where, this.#name), where, matrix);
    });
  }

  #addPrimitive(primitive: JsonObject, where: string, matrix: Matrix4): void {
    const name = this.#name;
    if (asList(primitive.targets, `${where}.targets`, name).length > 0) {
      throw refuse(
        name,
        `${where}.targets`,
        'morph targets reshape the surface; export it without',
      );
    }
    const mode = primitive.mode ?? TRIANGLES;
    // points and lines have no surface
    if (mode === 0 || mode === 1 || mode === 2 || mode === 3) return;
    if (mode !== TRIANGLES && mode !== STRIP && mode !== FAN) {
      throw refuse(name, `${where}.mode`, `is ${shown(JSON.stringify(mode))}; allowed: 0 to 6`);
    }
    const attributes = asObject(primitive.attributes, `${where}.attributes`, name);
    const points = accessorNumbers(
      this.#root,
      this.#buffers,
      attributes.POSITION,
      'VEC3',
      `${where}.attributes.POSITION`,
      name,
    );
    const count = points.length / 3;
    const corners =
      primitive.indices === undefined
        ? Array.from({ length: count }, (_, k) => k)
        : accessorNumbers(
            this.#root,
            this.#buffers,
            primitive.indices,
            'SCALAR',
            `${where}.indices`,
            name,
          );
    const base = this.vertices.length / 3;
    for (let k = 0; k < count; k++) this.#addVertex(points, 3 * k, matrix, where);
    const turned = turnsOver(matrix);
    const listed = corners.length;
    const triangles = mode === TRIANGLES ? Math.floor(listed / 3) : Math.max(0, listed - 2);
    if (this.triangles.length / 3 + triangles > MOST_TRIANGLES) {
      throw refuse(name, where, `more than ${MOST_TRIANGLES} triangles`);
    }
    if (mode === TRIANGLES && listed % 3 !== 0) {
      throw refuse(name, where, `lists ${listed} corners; allowed: three for each triangle`);
    }
    for (let k = 0; k < triangles; k++) {
      const odd = mode === STRIP && k % 2 === 1;
      const first = mode === TRIANGLES ? 3 * k : mode === FAN ? 0 : k;
      const second = mode === TRIANGLES ? first + 1 : k + 1;
      const triple = [corners[first], corners[second], corners[second + 1]];
      const bad = triple.find((corner) => !(corner < count));
      if (bad !== undefined) {
        throw refuse(
          name,
          `${where}.indices`,
          `triangle ${k + 1} asks for vertex ${bad} of ${count}`,
        );
      }
      const [a, b, c] = triple.map((corner) => base + corner);
      if (turned !== odd) this.triangles.push(a, c, b);
      else this.triangles.push(a, b, c);
    }
  }

  #addVertex(points: readonly number[], at: number, m: Matrix4, where: string): void {
    const [x, y, z] = [points[at], points[at + 1], points[at + 2]];
    for (let row = 0; row < 3; row++) {
      const value = m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row];
      if (!isCoordinate(value)) {
        throw refuse(this.#name, where, `vertex ${at / 3 + 1} has the coordinate ${value}`);
      }
      this.vertices.push(value);
    }
  }
}
