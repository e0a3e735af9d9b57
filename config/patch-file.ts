/**
 * Patch file: an elastic body reduced to the points of its contact face, as `berth reduce` writes it. JSON; it has the hash of the mesh
 * file and of what was asked, and is refused for another mesh.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { BerthError } from '../src/base/errors.ts';
import type { ReducedBody } from '../src/fem/reduce-body.ts';
import { factorCholesky } from '../src/math/cholesky.ts';
import type { FacetedSurface } from '../src/shapes/facets.ts';
import { hashOf, readInput } from './input-file.ts';
import { shownPath } from './paths.ts';

const FORMAT = 'berth-patch-1';
/** A thousand points have less. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Part of a diagonal element of C below which a pivot is none. */
const LEAST_PIVOT = 1e-13;

/** What a patch was made of. */
export interface PatchSource {
  /** Bytes of the mesh file. */
  readonly mesh: Uint8Array;
  /** Everything that was asked, in words. */
  readonly asked: string;
}

interface Content extends ReducedBody {
  readonly format: string;
  readonly sha256: string;
  readonly asked: string;
}

/** Writes a patch; a reader never sees a part of it. */
export function writePatch(path: string, { mesh, asked }: PatchSource, body: ReducedBody): void {
  const content: Content = { format: FORMAT, sha256: hashOf(mesh), asked, ...body };
  writeFileSync(`${path}.part`, `${JSON.stringify(content)}\n`);
  renameSync(`${path}.part`, path);
}

/** Whether a file has the patch of this mesh as it is asked for. */
export function isPatchOf(path: string, { mesh, asked }: PatchSource): boolean {
  if (!existsSync(path)) return false;
  const content = parsed(readFileSync(path, 'utf8'));
  return content?.format === FORMAT && content.sha256 === hashOf(mesh) && content.asked === asked;
}

/**
 * Reads a patch; `mesh` is the path of the mesh that it has to be of, null when nothing is said. `field` is its position in the scenario.
 * @throws BerthError for a missing or damaged file, and for one of another mesh
 */
export function readPatch(path: string, mesh: string | null, field: string): ReducedBody {
  const shown = shownPath(path);
  const text = readInput(path, field, MOST_BYTES).toString('utf8');
  const wrong = (what: string): BerthError =>
    new BerthError('BERTH_MISMATCH', `${field}: ${shown} ${what}; make it again by berth reduce`, {
      field,
    });
  const content = parsed(text);
  if (content?.format !== FORMAT) throw wrong(`is no patch of the format ${FORMAT}`);
  if (mesh !== null && content.sha256 !== hashOf(readInput(mesh, field, MOST_BYTES))) {
    throw wrong(`was made of another ${shownPath(mesh)}`);
  }
  const fault = faultOf(content);
  if (fault !== null) throw wrong(`is damaged: ${fault}`);
  const { points, normals, areas, compliance, modes, rigidMass, surface } = content as Content;
  const body = { points, normals, areas, compliance, modes, rigidMass };
  return surface === undefined ? body : { ...body, surface };
}

function parsed(text: string): Partial<Content> | null {
  try {
    return JSON.parse(text) as Partial<Content> | null;
  } catch {
    return null;
  }
}

/** What is wrong with the numbers of a file; null when nothing is. */
function faultOf(content: Partial<Content>): string | null {
  const list = (value: unknown, length: number): value is number[] =>
    Array.isArray(value) && value.length === length && value.every(Number.isFinite);
  const { points, normals, areas, compliance, modes, rigidMass, surface } = content;
  const n = Array.isArray(areas) ? areas.length : 0;
  if (n === 0 || !list(areas, n) || areas.some((area) => area < 0)) return 'areas';
  if (!list(points, 3 * n)) return 'points';
  if (!list(normals, 3 * n)) return 'normals';
  if (!list(compliance, 9 * n * n)) return 'compliance';
  const c = Float64Array.from(compliance);
  for (let i = 0; i < 3 * n; i++) {
    for (let j = 0; j < i; j++) {
      if (c[3 * n * i + j] !== c[3 * n * j + i]) return 'compliance is not symmetric';
    }
  }
  const factors = new Float64Array(c.length);
  if (factorCholesky(factors, c, 3 * n, Float64Array.of(LEAST_PIVOT)) === 0) {
    return 'compliance is not positive definite';
  }
  if (!list(rigidMass, 36) && !list(rigidMass, 0)) return 'rigidMass';
  if (surface !== undefined && !isSurface(surface)) return 'surface';
  const usable =
    Array.isArray(modes) &&
    modes.every(
      ({ frequency, damping, shape, participation }) =>
        frequency > 0 &&
        damping >= 0 &&
        damping < 1 &&
        list(shape, 3 * n) &&
        list(participation, 6),
    );
  return usable ? null : 'modes';
}

/** Whether a value is a surface whose polygons are of its vertices. */
function isSurface(value: Partial<FacetedSurface> | null): boolean {
  const { vertices, polygons } = value ?? {};
  if (!Array.isArray(vertices) || !Array.isArray(polygons)) return false;
  const count = vertices.length / 3;
  const isVertex = (k: unknown): boolean =>
    Number.isInteger(k) && Number(k) >= 0 && Number(k) < count;
  const isPolygon = (polygon: unknown): boolean =>
    Array.isArray(polygon) && polygon.length >= 3 && polygon.every(isVertex);
  return Number.isInteger(count) && vertices.every(Number.isFinite) && polygons.every(isPolygon);
}
