/** Cells of a mesh file: one for each convex piece, or those that `berth decompose` wrote beside a concave one. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { BerthError } from '../src/base/errors.ts';
import type { MeshShape } from '../src/shapes/shape-model.ts';
import { isConvex } from '../src/shapes/mesh-convexity.ts';
import { MOST_MESH_BYTES } from '../src/shapes/mesh-decode.ts';
import { type ClosedMesh, pieceOfMesh } from '../src/shapes/mesh-repair.ts';
import { meshExtent, meshPoints, scaledMesh } from '../src/shapes/triangle-mesh.ts';
import { closedMesh } from './closed-mesh.ts';
import { readDecomposition } from './decomposition-file.ts';

/** A file entry of a scenario. */
export interface CellFile {
  /** Path, relative to `directory` or absolute. */
  readonly file: string;
  readonly directory: string;
  /** Metres in one unit of the file; undefined when the scenario gives none. */
  readonly scale: number | undefined;
  /** Whether a concave mesh may be split into several cells. */
  readonly decompose: boolean;
}

/** Size above which a part without a scale is assumed to be in millimetres, m. */
const LARGEST_UNSCALED = 20;
/** Size below which a part is assumed to have a scale for another unit, m. */
const SMALLEST = 1e-4;
/** Largest number of corners of one convex cell; the cost of a contact grows with them. */
const MOST_CORNERS = 1000;

/**
 * Reads the shapes of a mesh file in metres. @throws BerthError for a file that is missing,
 * malformed, open, flat or concave without cells
 */
export function readCellFile(source: CellFile, field: string): MeshShape[] {
  const path = isAbsolute(source.file) ? source.file : join(source.directory, source.file);
  const bytes = readMeshBytes(path, source.file, `${field}.file`);
  const closed = closedMesh(bytes, source.file, `${field}.file`);
  checkScale(closed, source, field);
  const scale = source.scale ?? 1;
  const convex = convexPieces(closed, scale);
  if (convex !== null) return convex.map((shape) => limited(shape, source.file, field));
  if (!source.decompose) {
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      `Expected ${source.file} to be convex, as ${field}.decompose is false, but its surface bends inward; leave decompose out to make it of several convex cells`,
      { field: `${field}.decompose` },
    );
  }
  return readDecomposition(path, bytes, source.file, field).map((points) =>
    limited(
      { kind: 'mesh', vertices: points.map(([x, y, z]) => [x * scale, y * scale, z * scale]) },
      source.file,
      field,
    ),
  );
}

/** Reads the bytes of a mesh file. @throws BerthError when it is missing or too large */
export function readMeshBytes(path: string, shown: string, field: string): Uint8Array {
  if (!existsSync(path) || !statSync(path).isFile()) {
    throw new BerthError('BERTH_MISSING_FILE', `${field}: there is no file "${shown}"`, { field });
  }
  const { size } = statSync(path);
  if (size <= MOST_MESH_BYTES) return readFileSync(path);
  throw new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected ${shown} to have at most ${MOST_MESH_BYTES} bytes, got ${size}`,
    { field },
  );
}

/** One shape for each piece when all are convex and none is a cavity; otherwise null. */
export function convexPieces(closed: ClosedMesh, scale: number): MeshShape[] | null {
  const pieces = Array.from({ length: closed.pieceCount }, (_, k) => pieceOfMesh(closed, k));
  if (!pieces.every(isConvex)) return null;
  return pieces.map((piece) => ({ kind: 'mesh', vertices: meshPoints(scaledMesh(piece, scale)) }));
}

/** Refuses a mesh without a scale that is too large to be in metres, and one that is too small. @throws BerthError */
export function checkScale(
  closed: ClosedMesh,
  source: Pick<CellFile, 'file' | 'scale'>,
  field: string,
): void {
  checkExtent(meshExtent(closed), source, field);
}

/** The same by the largest extent, in units of the file. @throws BerthError */
export function checkExtent(
  extent: number,
  source: Pick<CellFile, 'file' | 'scale'>,
  field: string,
): void {
  const size = extent * (source.scale ?? 1);
  if (size < SMALLEST) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected ${source.file} to be at least ${SMALLEST} m large, got ${Number(size.toPrecision(4))} with ${source.scale === undefined ? 'no scale' : `scale: ${source.scale}`}; write scale: 1 when it is in metres, scale: 0.001 when it is in millimetres`,
      { field: `${field}.scale` },
    );
  }
  if (source.scale !== undefined || extent <= LARGEST_UNSCALED) return;
  throw new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected ${source.file} to be at most ${LARGEST_UNSCALED} m large without a scale, got ${Number(extent.toPrecision(4))}; STL and OBJ files do not say their unit, and not every program writes metres into glTF: write scale: 0.001 when it is in millimetres, scale: 1 when it is in metres`,
    { field: `${field}.scale` },
  );
}

function limited(shape: MeshShape, file: string, field: string): MeshShape {
  if (shape.vertices.length <= MOST_CORNERS) return shape;
  throw new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected each convex cell of ${file} to have at most ${MOST_CORNERS} corners, got ${shape.vertices.length}; use berth simplify, a sphere, cylinder or cone, or a sampled pair with berth field`,
    { field },
  );
}
