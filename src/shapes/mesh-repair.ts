/**
 * Converts a triangle mesh into a closed, outward one. Unambiguous faults are repaired and noted;
 * other faults are refused. It allocates and is for construction.
 */
import { BerthError } from '../base/errors.ts';
import { edgeUses, open, type EdgeUse } from './mesh-edges.ts';
import { holdsPoint } from './mesh-inside.ts';
import { withoutNeedles } from './mesh-needles.ts';
import { meshArea, meshExtent, meshVolume, type TriangleMesh } from './triangle-mesh.ts';
import { weldNear } from './weld.ts';

/** A surface that encloses a volume: every edge joins two triangles that run through it in opposite senses. */
export interface ClosedMesh extends TriangleMesh {
  /** Index of the piece of each triangle, from 0. Pieces share no edge. */
  readonly pieceOf: Uint32Array;
  readonly pieceCount: number;
  /** m³ when vertices are in metres, > 0. */
  readonly volume: number;
  /** One sentence about each repair. */
  readonly notes: readonly string[];
}

/** Relative distance below which vertices may be one: a few units in the last place of 32-bit floats. */
const WELD = 1e-6;
/** Volume relative to area times extent below which a mesh is flat; rounding of 32-bit floats gives that much. */
const FLAT = 1e-7;

/** Repairs and checks a mesh. @throws BerthError for a surface that encloses no volume, with the fault and its place */
export function repairMesh(source: TriangleMesh, name: string): ClosedMesh {
  const notes: string[] = [];
  let mesh = withoutExtras(source, notes);
  if (mesh.triangles.length === 0)
    throw refused(name, 'it encloses no volume: no triangle is left');
  const extent = meshExtent(mesh);
  let holes = open(edgeUses(mesh));
  if (holes.length > 0) {
    const welded = weldNear(mesh, WELD * extent);
    refuseLoose(welded, name);
    if (open(edgeUses(welded)).length < holes.length) {
      notes.push(`vertices closer than ${WELD * extent} were joined`);
      mesh = withoutExtras(welded, notes);
      holes = open(edgeUses(mesh));
    }
  }
  if (holes.length > 0) {
    const at = place(mesh, holes[0]);
    const lone = holes.filter((edge) => edge.uses.length === 1).length;
    throw refused(
      name,
      lone > 0
        ? `the surface is open: ${lone} edges belong to one triangle only, the first at ${at}`
        : `${holes.length} edges belong to an odd number of triangles, the first at ${at}`,
    );
  }
  mesh = oriented(mesh, name, notes);
  const needles = withoutNeedles(mesh);
  if (needles.turned > 0) {
    notes.push(`${needles.turned} triangles without area were joined to their neighbours`);
    mesh = needles.mesh;
  }
  const { pieceOf, pieceCount } = pieces(mesh);
  mesh = outward(mesh, pieceOf, pieceCount, notes);
  const volume = meshVolume(mesh);
  if (!(volume > FLAT * meshArea(mesh) * extent)) {
    throw refused(name, `the surface encloses no volume (${volume} cubed units)`);
  }
  return { ...mesh, pieceOf, pieceCount, volume, notes };
}

/**
 * Refuses a mesh with too many vertices for a closed surface, before its edges are examined. Each
 * vertex of a closed surface joins at least three triangles, so there are no more vertices than
 * triangles. Twice as many allow for needles and sheets, which are removed later.
 */
function refuseLoose({ triangles }: TriangleMesh, name: string): void {
  const corners = new Set(triangles).size;
  const count = triangles.length / 3;
  if (corners <= 2 * count) return;
  const problem = `the surface is open: its ${count} triangles have ${corners} corners at different places, more than two each`;
  throw refused(name, problem);
}

function refused(name: string, problem: string): BerthError {
  return new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected ${name} to be a closed surface around a volume, but ${problem}; repair it in the program that drew it`,
    { field: name },
  );
}

function place(mesh: TriangleMesh, edge: EdgeUse): string {
  const [x, y, z] = [0, 1, 2].map((axis) => mesh.vertices[3 * edge.from + axis]);
  return `(${x}, ${y}, ${z})`;
}

/** Removes triangles with two equal corners, duplicates, and pairs back to back, which enclose nothing. */
function withoutExtras(mesh: TriangleMesh, notes: string[]): TriangleMesh {
  const seen = new Map<string, { readonly corners: number[]; readonly even: boolean }>();
  let degenerate = 0;
  let double = 0;
  let backed = 0;
  const { triangles } = mesh;
  for (let k = 0; k < triangles.length; k += 3) {
    const corners = [triangles[k], triangles[k + 1], triangles[k + 2]];
    const [a, b, c] = corners;
    if (a === b || b === c || c === a) {
      degenerate++;
      continue;
    }
    const key = [...corners].sort((x, y) => x - y).join();
    const even = (a < b ? 1 : 0) + (b < c ? 1 : 0) + (c < a ? 1 : 0) === 2;
    const same = seen.get(key);
    if (same === undefined) seen.set(key, { corners, even });
    else if (same.even === even) double++;
    else {
      backed += 2;
      seen.delete(key);
    }
  }
  if (degenerate > 0)
    notes.push(`${degenerate} triangles of fewer than three corners were left out`);
  if (double > 0) notes.push(`${double} triangles that were there twice were left out`);
  if (backed > 0) notes.push(`${backed} triangles that lay back to back were left out`);
  const kept = [...seen.values()].flatMap(({ corners }) => corners);
  return { vertices: mesh.vertices, triangles: Uint32Array.from(kept) };
}

/** Orients every triangle like its neighbours. */
function oriented(mesh: TriangleMesh, name: string, notes: string[]): TriangleMesh {
  const edges = edgeUses(mesh);
  const count = mesh.triangles.length / 3;
  const beside = Array.from({ length: count }, (): { triangle: number; same: boolean }[] => []);
  for (const { uses } of edges) {
    if (uses.length !== 2) continue;
    const [a, b] = uses;
    const same = a.forward !== b.forward;
    beside[a.triangle].push({ triangle: b.triangle, same });
    beside[b.triangle].push({ triangle: a.triangle, same });
  }
  const turned = new Int8Array(count); // 0 not visited, 1 as it is, -1 flipped
  let flips = 0;
  for (let start = 0; start < count; start++) {
    if (turned[start] !== 0) continue;
    turned[start] = 1;
    const members = [start];
    for (const triangle of members) {
      for (const next of beside[triangle]) {
        const sense = next.same ? turned[triangle] : -turned[triangle];
        if (turned[next.triangle] === 0) {
          turned[next.triangle] = sense;
          members.push(next.triangle);
        } else if (turned[next.triangle] !== sense) {
          throw refused(name, 'it has one side only, like a Möbius strip');
        }
      }
    }
    // keep the orientation of the majority
    const minority = members.filter((k) => turned[k] < 0).length * 2 > members.length ? 1 : -1;
    for (const k of members) {
      const against = turned[k] === minority;
      if (against) flips++;
      turned[k] = against ? -1 : 1;
    }
  }
  if (flips > 0) notes.push(`${flips} triangles wound against their neighbours were turned`);
  const result = { vertices: mesh.vertices, triangles: flipped(mesh, (k) => turned[k] < 0) };
  const unpaired = edgeUses(result).find(
    ({ uses }) => uses.filter((use) => use.forward).length * 2 !== uses.length,
  );
  if (unpaired === undefined) return result;
  throw refused(
    name,
    `an edge joins ${unpaired.uses.length} triangles that cannot be told apart as inside and outside, at ${place(mesh, unpaired)}`,
  );
}

function flipped(mesh: TriangleMesh, flip: (triangle: number) => boolean): Uint32Array {
  const result = mesh.triangles.slice();
  for (let k = 0; k < result.length / 3; k++) {
    if (!flip(k)) continue;
    result[3 * k + 1] = mesh.triangles[3 * k + 2];
    result[3 * k + 2] = mesh.triangles[3 * k + 1];
  }
  return result;
}

/** Groups of triangles that are connected over edges. */
function pieces(mesh: TriangleMesh): { pieceOf: Uint32Array; pieceCount: number } {
  const count = mesh.triangles.length / 3;
  const parent = Uint32Array.from({ length: count }, (_, k) => k);
  const root = (k: number): number => {
    let at = k;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  };
  for (const { uses } of edgeUses(mesh)) {
    // at an edge of more than two triangles pieces only touch
    if (uses.length === 2) parent[root(uses[0].triangle)] = root(uses[1].triangle);
  }
  const numbers = new Map<number, number>();
  const pieceOf = Uint32Array.from({ length: count }, (_, k) => {
    const r = root(k);
    if (!numbers.has(r)) numbers.set(r, numbers.size);
    return numbers.get(r) ?? 0;
  });
  return { pieceOf, pieceCount: numbers.size };
}

/** The triangles of one piece. */
export function pieceOfMesh(mesh: ClosedMesh, piece: number): TriangleMesh {
  return part(mesh, mesh.pieceOf, piece);
}

function part(mesh: TriangleMesh, pieceOf: Uint32Array, piece: number): TriangleMesh {
  return {
    vertices: mesh.vertices,
    triangles: mesh.triangles.filter((_, i) => pieceOf[Math.floor(i / 3)] === piece),
  };
}

/**
 * Orients every piece outward, or inward when an odd number of other pieces surrounds it: it is
 * then the wall of a cavity.
 */
function outward(
  mesh: TriangleMesh,
  pieceOf: Uint32Array,
  pieceCount: number,
  notes: string[],
): TriangleMesh {
  const parts = Array.from({ length: pieceCount }, (_, piece) => part(mesh, pieceOf, piece));
  const volumes = parts.map(meshVolume);
  const wrong = parts.map((one, piece) => {
    const [a, b, c] = one.triangles;
    const point = [0, 1, 2].map(
      (k) => (mesh.vertices[3 * a + k] + mesh.vertices[3 * b + k] + mesh.vertices[3 * c + k]) / 3,
    );
    const around = parts.filter((other, k) => k !== piece && holdsPoint(other, point)).length;
    return volumes[piece] < 0 === (around % 2 === 0);
  });
  const turned = wrong.filter((one) => one).length;
  if (turned === 0) return mesh;
  notes.push(
    pieceCount === 1
      ? 'the surface was inside out and was turned'
      : `${turned} of ${pieceCount} surfaces were inside out and were turned`,
  );
  return { vertices: mesh.vertices, triangles: flipped(mesh, (k) => wrong[pieceOf[k]]) };
}
