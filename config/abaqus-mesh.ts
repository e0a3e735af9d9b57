/** Meshes of Abaqus and CalculiX input files (.inp): *NODE, *ELEMENT, *NSET. Other keywords are passed over. */
import type { ElementKind } from '../src/fem/element-rules.ts';
import type { FemMesh } from '../src/fem/fem-mesh.ts';
import { FemMeshBuilder } from './fem-mesh-builder.ts';
import type { MeshLines } from './mesh-lines.ts';

/** Elements by the beginning of their type; what follows names another formulation on the same nodes. */
const KINDS: readonly (readonly [RegExp, ElementKind])[] = [
  [/^C3D10[MHS]*$/, 'tet10'],
  [/^C3D4[HS]?$/, 'tet4'],
  [/^C3D8[RIHS]*$/, 'hex8'],
  [/^C(PS|PE)3H?$/, 'cst'],
  [/^C(PS|PE)4[RIH]*$/, 'quad4'],
  [/^CAX4[RIH]*$/, 'axisymmetric-quad4'],
];
/** Most nodes of one line of a generated set. */
const MOST_GENERATED = 1e7;
/** Keywords that would place or copy a mesh. */
const REFUSED = ['INCLUDE', 'NGEN', 'NFILL', 'NCOPY', 'ELGEN', 'ELCOPY', 'SYSTEM'];

/** A keyword line: name and parameters in capitals, values as they stand. */
interface Keyword {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
}

function keywordOf(line: string): Keyword {
  const [head, ...rest] = line.slice(1).split(',');
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const [key, value = ''] = part.split('=');
    parameters.set(key.trim().toUpperCase(), value.trim());
  }
  return { name: head.trim().toUpperCase(), parameters };
}

/** Reads the mesh; `scale` metres in one unit. @throws BerthError with line and field */
export function readAbaqus(lines: MeshLines, scale: number): FemMesh {
  const builder = new FemMeshBuilder(lines, scale);
  let parts = 0;
  for (let line = lines.next(); line !== null; line = lines.next()) {
    if (line === '' || line.startsWith('**')) continue;
    if (!line.startsWith('*')) throw lines.error('a keyword', 'to begin with *', line);
    const { name, parameters } = keywordOf(line);
    if (REFUSED.includes(name) || (name === 'PART' && ++parts > 1)) {
      const allowed = 'to be of one part whose nodes and elements stand in this file';
      throw lines.error('the mesh', allowed, line, 'BERTH_UNSUPPORTED');
    }
    if (name === 'NODE') readNodes(lines, builder, parameters.get('NSET'));
    else if (name === 'ELEMENT') readElements(lines, builder, parameters.get('TYPE'), line);
    else if (name === 'NSET') readSet(lines, builder, parameters, line);
    else while (dataFollows(lines)) lines.next();
  }
  return builder.build();
}

/** Whether the next line belongs to the keyword before it. */
function dataFollows(lines: MeshLines): boolean {
  const line = lines.peek();
  return line !== null && (!line.startsWith('*') || line.startsWith('**'));
}

/** The next data line; null at the next keyword. */
function dataLine(lines: MeshLines): string | null {
  while (dataFollows(lines)) {
    const line = lines.next();
    if (line !== null && line !== '' && !line.startsWith('**')) return line;
  }
  return null;
}

function numbersOf(lines: MeshLines, line: string, field: string): number[] {
  const words = line.replace(/,\s*$/, '').split(',');
  const found = words.map((word) => (word.trim() === '' ? 0 : Number(word)));
  if (found.every(Number.isFinite)) return found;
  throw lines.error(field, 'to be numbers', line);
}

function readNodes(lines: MeshLines, builder: FemMeshBuilder, set: string | undefined): void {
  for (let line = dataLine(lines); line !== null; line = dataLine(lines)) {
    const [tag, x = 0, y = 0, z = 0] = numbersOf(lines, line, 'a node');
    builder.addNode(tag, x, y, z);
    if (set !== undefined) builder.addToSet(set, [tag]);
  }
}

function readElements(
  lines: MeshLines,
  builder: FemMeshBuilder,
  type: string | undefined,
  keyword: string,
): void {
  const kind = KINDS.find(([form]) => form.test((type ?? '').toUpperCase()))?.[1];
  if (kind === undefined) {
    const allowed = 'to be C3D4, C3D10, C3D8, CPS3, CPE3, CPS4, CPE4 or CAX4';
    throw lines.error('TYPE', allowed, type ?? keyword, 'BERTH_UNSUPPORTED');
  }
  for (let line = dataLine(lines); line !== null; line = dataLine(lines)) {
    // a line that ends with a comma goes on
    let whole = line;
    while (whole.endsWith(',')) {
      const more = dataLine(lines);
      if (more === null) break;
      whole += more;
    }
    const [tag, ...nodes] = numbersOf(lines, whole, 'an element');
    builder.addElement(kind, tag, nodes);
  }
}

function readSet(
  lines: MeshLines,
  builder: FemMeshBuilder,
  parameters: ReadonlyMap<string, string>,
  keyword: string,
): void {
  const name = parameters.get('NSET');
  if (name === undefined || name === '') {
    throw lines.error('NSET', 'to have a name', keyword, 'BERTH_MISSING_FIELD');
  }
  builder.addToSet(name, []);
  for (let line = dataLine(lines); line !== null; line = dataLine(lines)) {
    if (parameters.has('GENERATE')) {
      const [from, to, by = 1] = numbersOf(lines, line, `set "${name}"`);
      const ok = by > 0 && to >= from && (to - from) / by < MOST_GENERATED;
      if (!ok) throw lines.error(`set "${name}"`, 'as: first, last, increment', line);
      for (let tag = from; tag <= to; tag += by) builder.addToSet(name, [tag]);
      continue;
    }
    for (const word of line.split(',').map((part) => part.trim())) {
      if (word === '') continue;
      const other = builder.nodesOf(word);
      if (other === null && !Number.isInteger(Number(word))) {
        throw lines.error(`set "${name}"`, 'to hold nodes and sets before it', word);
      }
      builder.addToSet(name, other ?? [Number(word)]);
    }
  }
}
