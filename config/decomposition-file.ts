/**
 * The convex cells of a concave mesh file, kept beside it as `NAME.cells.json`, so that neither loading nor the loop computes
 * them. The file names the hash of the mesh that it was made of; another mesh refuses it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { BerthError } from '../src/errors.ts';
import { hullVolume } from '../src/shapes/mesh-convexity.ts';

type Point = readonly [number, number, number];

/** What `berth decompose` found; lengths and volumes in units of the mesh file. */
export interface Decomposition {
  /** Corners of each convex cell. */
  readonly cells: readonly (readonly Point[])[];
  /** Volume of the mesh. */
  readonly meshVolume: number;
  /** Volume of all cells. */
  readonly cellVolume: number;
  /** How deep a hollow of the mesh the cells may fill. */
  readonly depth: number;
  /** Most of the volume that they may add, part of that of the mesh. */
  readonly volumeTolerance: number;
}

const FORMAT = 'berth-cells-1';

/** Where the cells of a mesh file are kept. */
export function decompositionFile(meshPath: string): string {
  return `${meshPath}.cells.json`;
}

/** Name of the content that a decomposition was made of. */
export function meshHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Writes the cells beside the mesh, or to `path`. */
export function writeDecomposition(path: string, bytes: Uint8Array, result: Decomposition): void {
  const { cells, ...rest } = result;
  const head = JSON.stringify({ format: FORMAT, sha256: meshHash(bytes), ...rest }).slice(0, -1);
  const lines = cells.map((points) => `  ${JSON.stringify(points)}`).join(',\n');
  writeFileSync(path, `${head},"cells":[\n${lines}\n]}\n`);
}

/**
 * Corners of the cells of a mesh file, in its units. `field` is its place in the scenario.
 * @throws BerthError when there is none, when it was made of another mesh and when it is damaged
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
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw wrong('is not JSON');
  }
  const { format, sha256, cells } = (content ?? {}) as Record<string, unknown>;
  if (format !== FORMAT) throw wrong(`has not the format ${FORMAT}`);
  if (sha256 !== meshHash(bytes)) throw wrong(`was made of another ${shown}`);
  if (!isCells(cells)) throw wrong('has damaged cells');
  return cells;
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
