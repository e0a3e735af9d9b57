/** Meshes of finite elements from files: Gmsh 2.2 and 4.1, Abaqus and CalculiX. */
import { basename } from 'node:path';
import { positive } from '../src/base/parameter-checks.ts';
import type { FemMesh } from '../src/fem/fem-mesh.ts';
import { readAbaqus } from './abaqus-mesh.ts';
import { readGmsh } from './gmsh-mesh.ts';
import { readInput } from './input-file.ts';
import { MeshLines } from './mesh-lines.ts';

/** Largest file, bytes; a million nodes have about half of it. */
export const MOST_FEM_BYTES = 128 * 1024 * 1024;

/**
 * Reads a mesh. Mesh files do not say their unit: `scale` is metres in one unit, 0.001 for millimetres.
 * @throws BerthError that names line and field of what cannot be used
 */
export function readFemMesh(path: string, scale: number): FemMesh {
  positive('scale', scale);
  return parseFemMesh(
    readInput(path, 'mesh', MOST_FEM_BYTES).toString('utf8'),
    basename(path),
    scale,
  );
}

/** Reads the text of a mesh file; `name` stands in errors. @throws BerthError as `readFemMesh` */
export function parseFemMesh(text: string, name: string, scale: number): FemMesh {
  const lines = new MeshLines(text, name);
  const first = text.trimStart()[0];
  if (first === '$') return readGmsh(lines, scale);
  if (first === '*') return readAbaqus(lines, scale);
  const allowed = 'to begin with $ (Gmsh) or * (Abaqus, CalculiX)';
  throw lines.error('the file', allowed, text.slice(0, 20), 'BERTH_UNSUPPORTED', 1);
}
