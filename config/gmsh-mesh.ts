/** Meshes of Gmsh, formats 2.2 and 4.1 as text. Sets of nodes are the named physical groups. */
import type { ElementKind } from '../src/fem/element-rules.ts';
import type { FemMesh } from '../src/fem/fem-mesh.ts';
import { FemMeshBuilder } from './fem-mesh-builder.ts';
import type { MeshLines } from './mesh-lines.ts';

/** Elements that bodies are made of, by Gmsh's numbers. */
const KINDS: Readonly<Record<number, ElementKind>> = {
  2: 'cst',
  3: 'quad4',
  4: 'tet4',
  5: 'hex8',
  11: 'tet10',
};
/** Points, edges and faces, which only mark nodes. */
const MARKS: readonly number[] = [15, 1, 8, 9, 16, 10];
/** Nodes 9 and 10 of TET10 are the other way round than here. */
const TET10 = 11;

/** Reads the mesh; `scale` metres in one unit. @throws BerthError with line and field */
export function readGmsh(lines: MeshLines, scale: number): FemMesh {
  const builder = new FemMeshBuilder(lines, scale);
  /** Names of physical groups, and groups of entities, by `dimension tag`. */
  const names = new Map<string, string>();
  const groups = new Map<string, readonly number[]>();
  let version = 0;
  for (let line = lines.next(); line !== null; line = lines.next()) {
    if (line === '') continue;
    const section = /^\$(\w+)$/.exec(line)?.[1];
    if (section === undefined) throw lines.error('a section', 'to begin with $', line);
    if (section === 'MeshFormat') version = readFormat(lines);
    else if (section === 'PhysicalNames') readNames(lines, names);
    else if (section === 'Entities') readEntities(lines, groups);
    else if (section === 'Nodes') readNodes(lines, version, builder);
    else if (section === 'Elements') readElements(lines, version, builder, names, groups);
    else {
      skip(lines, section);
      continue;
    }
    const end = lines.need(`$End${section}`);
    if (end !== `$End${section}`) throw lines.error(`the end of $${section}`, 'here', end);
  }
  return builder.build();
}

function readFormat(lines: MeshLines): number {
  const [version, binary] = lines.numbers('the format', 3);
  if (version !== 2.2 && version !== 4.1) {
    throw lines.error('the format', 'to be 2.2 or 4.1', version, 'BERTH_UNSUPPORTED');
  }
  if (binary !== 0) {
    throw lines.error('the file', 'to be text (0)', binary, 'BERTH_UNSUPPORTED');
  }
  return version;
}

function readNames(lines: MeshLines, names: Map<string, string>): void {
  const [count] = lines.numbers('the number of names', 1);
  for (let k = 0; k < count; k++) {
    const line = lines.need('a physical name');
    const found = /^(\d+)\s+(\d+)\s+"(.*)"$/.exec(line);
    if (found === null) throw lines.error('a physical name', 'as: dimension number "name"', line);
    names.set(`${found[1]} ${found[2]}`, found[3]);
  }
}

function readEntities(lines: MeshLines, groups: Map<string, readonly number[]>): void {
  const counts = lines.numbers('the numbers of entities', 4);
  for (const [dimension, count] of counts.slice(0, 4).entries()) {
    // a point has its place, others a box
    const at = dimension === 0 ? 4 : 7;
    for (let k = 0; k < count; k++) {
      const entity = lines.numbers('an entity', at + 1);
      groups.set(`${dimension} ${entity[0]}`, entity.slice(at + 1, at + 1 + entity[at]));
    }
  }
}

function readNodes(lines: MeshLines, version: number, builder: FemMeshBuilder): void {
  const [count] = lines.numbers('the number of nodes', 1);
  if (version === 2.2) {
    for (let k = 0; k < count; k++) {
      const [tag, x, y, z] = lines.numbers('a node', 4);
      builder.addNode(tag, x, y, z);
    }
    return;
  }
  for (let block = 0; block < count; block++) {
    const [, , , size] = lines.numbers('a block of nodes', 4);
    const tags = Array.from({ length: size }, () => lines.numbers('the number of a node', 1)[0]);
    for (const tag of tags) {
      const [x, y, z] = lines.numbers('a node', 3);
      builder.addNode(tag, x, y, z);
    }
  }
}

function readElements(
  lines: MeshLines,
  version: number,
  builder: FemMeshBuilder,
  names: ReadonlyMap<string, string>,
  groups: ReadonlyMap<string, readonly number[]>,
): void {
  const [count] = lines.numbers('the number of elements', 1);
  if (version === 2.2) {
    for (let k = 0; k < count; k++) {
      const [tag, type, tags, ...rest] = lines.numbers('an element', 4);
      const name = tags > 0 ? nameOf(names, type, rest[0]) : undefined;
      addElement(lines, builder, type, tag, rest.slice(tags), name === undefined ? [] : [name]);
    }
    return;
  }
  for (let block = 0; block < count; block++) {
    const [dimension, entity, type, size] = lines.numbers('a block of elements', 4);
    const marks = (groups.get(`${dimension} ${entity}`) ?? []).flatMap(
      (group) => names.get(`${dimension} ${Math.abs(group)}`) ?? [],
    );
    for (let k = 0; k < size; k++) {
      const [tag, ...nodes] = lines.numbers('an element', 2);
      addElement(lines, builder, type, tag, nodes, marks);
    }
  }
}

/** Format 2.2 gives the number of the group only; its dimension is that of the element. */
function nameOf(
  names: ReadonlyMap<string, string>,
  type: number,
  group: number,
): string | undefined {
  const dimension = type === 15 ? 0 : [1, 8].includes(type) ? 1 : [4, 5, 11].includes(type) ? 3 : 2;
  return names.get(`${dimension} ${group}`);
}

function addElement(
  lines: MeshLines,
  builder: FemMeshBuilder,
  type: number,
  tag: number,
  nodes: readonly number[],
  marks: readonly string[],
): void {
  const kind = KINDS[type];
  if (kind === undefined && !MARKS.includes(type)) {
    const allowed = `to be of type 2, 3, 4, 5 or 11 (triangle, quadrangle, tetrahedron of 4 or 10 nodes, hexahedron)`;
    throw lines.error(`element ${tag}`, allowed, type, 'BERTH_UNSUPPORTED');
  }
  for (const name of marks) builder.addToSet(name, nodes);
  if (kind === undefined) return;
  if (type === TET10 && nodes.length === 10) {
    builder.addElement(kind, tag, [...nodes.slice(0, 8), nodes[9], nodes[8]]);
  } else {
    builder.addElement(kind, tag, nodes);
  }
}

function skip(lines: MeshLines, section: string): void {
  const end = `$End${section}`;
  for (let line = lines.next(); line !== end; line = lines.next()) {
    if (line === null) throw lines.error(end, 'before the end of the file', null);
  }
}
