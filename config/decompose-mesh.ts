/** Decomposes a mesh file with manifold-3d. Only this module uses that package, and it loads it on demand. */
import type { Manifold, ManifoldToplevel } from 'manifold-3d';
import { BerthError } from '../src/base/errors.ts';
import { type DecomposeOptions, decompose } from '../src/shapes/decompose.ts';
import type { ClosedMesh } from '../src/shapes/mesh-repair.ts';
import type { Plane, Solid } from '../src/shapes/solid.ts';
import { meshBox, type TriangleMesh } from '../src/shapes/triangle-mesh.ts';
import type { DecomposeLimits, Decomposition } from './decomposition-file.ts';

/** Largest number of triangles to decompose: the search for planes compares all pairs. */
const MOST_TRIANGLES = 20_000;

/** Convex cells of a closed mesh, in its units. @throws BerthError when the package is missing or the limits are not reached */
export async function decomposeMesh(
  closed: ClosedMesh,
  limits: DecomposeLimits & Pick<DecomposeOptions, 'progress'>,
  name: string,
): Promise<Decomposition> {
  const count = closed.triangles.length / 3;
  if (count > MOST_TRIANGLES) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected ${name} to have at most ${MOST_TRIANGLES} triangles to decompose, got ${count}; berth simplify makes it coarser`,
      { field: name },
    );
  }
  const library = await loadLibrary();
  const { center, extent } = meshBox(closed);
  const unitMesh: TriangleMesh = {
    vertices: closed.vertices.map((value, i) => (value - center[i % 3]) / extent),
    triangles: closed.triangles,
  };
  const cube = extent * extent * extent;
  const solid = makeSolid(library, solidOf(library, unitMesh, closed.volume / cube, name));
  const result = decompose(solid, unitMesh, limits, name);
  return {
    cells: result.cells.map((corners) =>
      corners.map(([x, y, z]): [number, number, number] => [
        center[0] + extent * x,
        center[1] + extent * y,
        center[2] + extent * z,
      ]),
    ),
    meshVolume: closed.volume,
    cellVolume: result.volume * cube,
  };
}

async function loadLibrary(): Promise<ManifoldToplevel> {
  let load: typeof import('manifold-3d').default;
  try {
    load = (await import('manifold-3d')).default;
  } catch (cause) {
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      'a concave mesh is decomposed with the package manifold-3d, which is not installed; run npm install manifold-3d',
      { cause },
    );
  }
  const library = await load();
  library.setup();
  return library;
}

/** The mesh as a solid of the library, which stores 32-bit corners. */
function solidOf(
  library: ManifoldToplevel,
  mesh: TriangleMesh,
  volume: number,
  name: string,
): Manifold {
  const refuse = (problem: string): BerthError =>
    new BerthError('BERTH_PARAMETER_RANGE', `Expected ${name} to bound a solid, but ${problem}`, {
      field: name,
    });
  const input = new library.Mesh({
    numProp: 3,
    vertProperties: Float32Array.from(mesh.vertices),
    triVerts: mesh.triangles,
  });
  let solid: Manifold;
  try {
    solid = library.Manifold.ofMesh(input);
  } catch (cause) {
    throw refuse(`manifold-3d says ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  if (solid.status() !== 'NoError') throw refuse(`manifold-3d says ${solid.status()}`);
  // volume shared by two pieces counts twice in the sum over triangles and once in their union;
  // cavities have negative volume
  const pieces = solid.decompose();
  const filled = pieces.filter((piece) => piece.volume() > 0);
  const union = library.Manifold.union(filled);
  const shared = filled.reduce((sum, piece) => sum + piece.volume(), 0) - union.volume();
  for (const one of [union, ...pieces]) one.delete();
  if (shared <= ROUNDING) return solid.setTolerance(ROUNDING).simplify(ROUNDING);
  throw refuse(
    `its pieces overlap: they share ${Number(((100 * shared) / volume).toPrecision(3))} % of its volume, which would count twice`,
  );
}

function makeSolid(library: ManifoldToplevel, manifold: Manifold): Solid {
  const mesh = once(() => meshOf(manifold));
  const volume = once(() => manifold.volume());
  const hull = once(() => {
    const made = manifold.hull();
    const result = { volume: made.volume(), mesh: meshOf(made) };
    made.delete();
    return result;
  });
  const pieces = once(() => {
    const parts = manifold.decompose();
    return parts.map((part) => makeSolid(library, part));
  });
  return {
    get volume() {
      return volume();
    },
    get mesh() {
      return mesh();
    },
    get hull() {
      return hull();
    },
    pieces,
    split: ({ normal, offset }: Plane) => {
      const [x, y, z] = normal;
      const front = manifold.trimByPlane([x, y, z], offset + KERF);
      const behind = manifold.trimByPlane([-x, -y, -z], KERF - offset);
      return [whenFilled(library, front), whenFilled(library, behind)];
    },
    dispose: () => {
      manifold.delete();
    },
  };
}

/** Size of features, for a solid of unit size, below which they are rounding of 32-bit corners. */
const ROUNDING = 1e-6;
/**
 * Half width of a cut. A cut along a face with rounded corners would leave films otherwise.
 * decompose-cells.ts moves the corners of cells back onto the plane.
 */
const KERF = 5e-7;
/** Volume of pieces, for a solid of unit size, below which they are rounding of a cut along a face. */
const SPLINTER = 1e-7;

/** The part of a cut on one side, without splinters. */
function whenFilled(library: ManifoldToplevel, manifold: Manifold): Solid | null {
  const simple = manifold.simplify(ROUNDING);
  manifold.delete();
  const pieces = simple.decompose();
  const volumes = pieces.map((piece) => piece.volume());
  const kept = pieces.filter((_, k) => Math.abs(volumes[k]) > SPLINTER);
  let result: Manifold | null = simple;
  if (kept.length === 0) result = null;
  // a cavity is a piece of negative volume, which a union would lose
  else if (kept.length < pieces.length && volumes.every((volume) => volume > -SPLINTER)) {
    result = library.Manifold.union(kept);
  }
  for (const piece of pieces) piece.delete();
  if (result !== simple) simple.delete();
  return result === null ? null : makeSolid(library, result);
}

function meshOf(manifold: Manifold): TriangleMesh {
  const { numProp, vertProperties, triVerts } = manifold.getMesh();
  const count = vertProperties.length / numProp;
  const vertices = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) vertices[3 * i + k] = vertProperties[numProp * i + k];
  }
  return { vertices, triangles: Uint32Array.from(triVerts) };
}

function once<T>(make: () => T): () => T {
  let value: { readonly made: T } | null = null;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
}
