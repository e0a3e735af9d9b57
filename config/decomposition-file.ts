/**
 * File `NAME.cells.json` with the convex cells of a concave mesh file beside it, so that neither
 * loading nor the loop computes them. It contains the hash of its mesh and is refused for another
 * mesh.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hashOf } from './input-file.ts';
import { BerthError } from '../src/base/errors.ts';
import { hullVolume } from '../src/shapes/mesh-convexity.ts';

type Point = readonly [number, number, number];

/** Result of `berth decompose`; lengths and volumes in units of the mesh file. */
export interface Decomposition {
  /** Corners of each convex cell. */
  readonly cells: readonly (readonly Point[])[];
  /** Volume of the mesh. */
  readonly meshVolume: number;
  /** Volume of all cells. */
  readonly cellVolume: number;
}

/** Limits of a decomposition. */
export interface DecomposeLimits {
  /** Largest depth of a filled hollow, relative to the largest extent. */
  readonly depth: number;
  /** Largest volume that the cells may add, relative to that of the mesh. */
  readonly volume: number;
  /** Largest number of cells. */
  readonly cells: number;
}

const FORMAT = 'berth-cells-1';

/** Path of the decomposition of a mesh file. */
export function decompositionFile(meshPath: string): string {
  return `${meshPath}.cells.json`;
}

/** Whether this file was made from the mesh with the same limits. */
export function isUpToDate(text: string, bytes: Uint8Array, limits: DecomposeLimits): boolean {
  const content = parsed(text);
  const { depth, volume, cells } = limits;
  return (
    content !== null &&
    content['format'] === FORMAT &&
    content['sha256'] === hashOf(bytes) &&
    JSON.stringify(content['limits']) === JSON.stringify({ depth, volume, cells }) &&
    isCells(content['cells'])
  );
}

/** Writes the cells to the file of `decompositionFile`. */
export function writeDecomposition(
  path: string,
  bytes: Uint8Array,
  { depth, volume, cells }: DecomposeLimits,
  result: Decomposition,
): void {
  const { meshVolume, cellVolume } = result;
  const limits = { depth, volume, cells };
  const head = { format: FORMAT, sha256: hashOf(bytes), limits, meshVolume, cellVolume };
  const lines = result.cells.map((points) => `  ${JSON.stringify(points)}`).join(',\n');
  writeFileSync(path, `${JSON.stringify(head).slice(0, -1)},"cells":[\n${lines}\n]}\n`);
}

/**
 * Reads the corners of the cells of a mesh file, in its units. `field` is its position in the
 * scenario.
 * @throws BerthError for a missing or damaged decomposition, and for one of another mesh
 */
export function readDecomposition(
  meshPath: string,
  bytes: Uint8Array,
  shown: string,
  field: string,
): readonly (readonly Point[])[] {
  const path = decompositionFile(meshPath);
  const command = `berth decompose ${meshPath}`;
  if (!existsSync(path)) {
    throw new BerthError(
      'BERTH_MISSING_FILE',
      `${field}: ${shown} is concave and there is no ${decompositionFile(shown)} with its convex cells; run: ${command}`,
      { field: `${field}.file` },
    );
  }
  const wrong = (what: string): BerthError =>
    new BerthError(
      'BERTH_MISMATCH',
      `${field}: ${decompositionFile(shown)} ${what}; run again: ${command}`,
      { field: `${field}.file` },
    );
  const content = parsed(readFileSync(path, 'utf8'));
  if (content === null) throw wrong('is not JSON');
  const { format, sha256, cells } = content;
  if (format !== FORMAT) throw wrong(`has not the format ${FORMAT}`);
  if (sha256 !== hashOf(bytes)) throw wrong(`was made of another ${shown}`);
  if (!isCells(cells)) throw wrong('has damaged cells');
  return cells;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return null;
  }
}

function isCells(value: unknown): value is Point[][] {
  const isPoint = (point: unknown): point is Point =>
    Array.isArray(point) && point.length === 3 && point.every((x) => Number.isFinite(x));
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((cell) => Array.isArray(cell) && cell.every(isPoint) && hullVolume(cell) > 0)
  );
}
