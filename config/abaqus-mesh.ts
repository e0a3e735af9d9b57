/** Meshes of Abaqus and CalculiX input files (.inp): *NODE, *ELEMENT, *NSET. Other keywords are passed over. */
import type { ElementKind } from '../src/fem/element-rules.ts';
import type { FemMesh } from '../src/fem/fem-mesh.ts';
import {
  dataFollows,
  dataLine,
  keywordOf,
  numbersOf,
  readNodes,
  readSet,
  REFUSED_KEYWORDS,
} from './abaqus-lines.ts';
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

/** Reads the mesh; `scale` metres in one unit. @throws BerthError with line and field */
export function readAbaqus(lines: MeshLines, scale: number): FemMesh {
  const builder = new FemMeshBuilder(lines, scale);
  let parts = 0;
  for (let line = lines.next(); line !== null; line = lines.next()) {
    if (line === '' || line.startsWith('**')) continue;
    if (!line.startsWith('*')) throw lines.error('a keyword', 'to begin with *', line);
    const { name, parameters } = keywordOf(line);
    if (REFUSED_KEYWORDS.includes(name) || (name === 'PART' && ++parts > 1)) {
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
