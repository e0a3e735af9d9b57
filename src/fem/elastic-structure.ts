/**
 * An elastic body in space that is held, as a reduction takes it: from a mesh, or from the matrices of a superelement.
 *
 * R has the six motions of the body as a whole: translations along x, y, z and rotations e × x about the origin.
 */
import { BerthError } from '../base/errors.ts';
import { range } from '../base/parameter-checks.ts';
import { assembleFem, type FemModel, type HeldComponent } from './assembly.ts';
import { SkylineMatrix } from './skyline.ts';

/** Number of motions as a whole. */
export const MOTIONS = 6;
/** Part of the largest entry by which entries of a matrix may differ from those of its transpose. */
const ASYMMETRY = 1e-6;

/** A held elastic body in space. */
export interface ElasticStructure {
  readonly dimension: 3;
  /** Nodes, three numbers each, m. */
  readonly coordinates: Float64Array;
  /** Degree of freedom of component [3 · node + axis]; −1 when it is held. */
  readonly freedom: Int32Array;
  /** Stiffness over the degrees of freedom, N/m. */
  readonly stiffness: SkylineMatrix;
  /** Mass over the degrees of freedom, kg; null when it is not known. */
  readonly mass: SkylineMatrix | null;
  /** M R over all components, one vector a motion; empty without mass. */
  readonly moved: readonly Float64Array[];
}

/** Component `axis` of motion `motion` at the point coordinates[at..]. */
export function motionAt(
  motion: number,
  coordinates: Float64Array,
  at: number,
  axis: number,
): number {
  if (motion < 3) return motion === axis ? 1 : 0;
  const turn = motion - 3;
  if (axis === turn) return 0;
  // e × x: (e_y × x)_x = z, (e_x × x)_y = −z, and so on around
  const other = 3 - turn - axis;
  return (turn + 1) % 3 === axis ? -coordinates[at + other] : coordinates[at + other];
}

/** The structure of a mesh. @throws BerthError for a mesh that is no solid, or is no mesh */
export function meshStructure(model: FemModel): ElasticStructure {
  const { mesh } = model;
  range('mesh.dimension', mesh.dimension, mesh.dimension === 3, 'to be 3: a solid');
  const { stiffness, mass, freedom, scalarMass, place } = assembleFem(model);
  const { coordinates } = mesh;
  const count = scalarMass.size;
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  const moved = Array.from({ length: MOTIONS }, (_, motion) => {
    const out = new Float64Array(3 * count);
    for (let axis = 0; axis < 3; axis++) {
      for (let node = 0; node < count; node++) {
        x[place[node]] = motionAt(motion, coordinates, 3 * node, axis);
      }
      scalarMass.multiply(x, y);
      for (let node = 0; node < count; node++) out[3 * node + axis] = y[place[node]];
    }
    return out;
  });
  return { dimension: 3, coordinates, freedom, stiffness, mass, moved };
}

/** Matrices over retained nodes, as other programs write them. */
export interface Superelement {
  /** Retained nodes, three numbers each, m. */
  readonly coordinates: Float64Array;
  readonly nodeSets: Readonly<Record<string, readonly number[]>>;
  /** Stiffness over all components of the nodes, row by row, N/m. */
  readonly stiffness: Float64Array;
  /** Mass, kg; null when the file has none. */
  readonly mass: Float64Array | null;
}

/** The structure of a superelement. @throws BerthError for matrices that are not symmetric */
export function superelementStructure(
  { coordinates, stiffness, mass }: Superelement,
  held: readonly HeldComponent[],
): ElasticStructure {
  const n = coordinates.length;
  const freedom = new Int32Array(n);
  for (const { node, axis } of held) freedom[3 * node + axis] = -1;
  let size = 0;
  for (let c = 0; c < n; c++) if (freedom[c] === 0) freedom[c] = size++;
  const moved =
    mass === null
      ? []
      : Array.from({ length: MOTIONS }, (_, motion) => {
          const out = new Float64Array(n);
          for (let i = 0; i < n; i++) {
            for (let j = 0; j < n; j++) {
              out[i] += mass[n * i + j] * motionAt(motion, coordinates, j - (j % 3), j % 3);
            }
          }
          return out;
        });
  return {
    dimension: 3,
    coordinates,
    freedom,
    stiffness: packed('stiffness', stiffness, freedom, size),
    mass: mass === null ? null : packed('mass', mass, freedom, size),
    moved,
  };
}

/** The free part of a full symmetric matrix. */
function packed(
  field: string,
  full: Float64Array,
  freedom: Int32Array,
  size: number,
): SkylineMatrix {
  const n = freedom.length;
  const matrix = new SkylineMatrix(new Int32Array(size));
  const most = full.reduce((found, value) => Math.max(found, Math.abs(value)), 0);
  for (let i = 0; i < n; i++) {
    for (let j = i; j < n; j++) {
      const [a, b] = [full[n * i + j], full[n * j + i]];
      if (!(Math.abs(a - b) <= ASYMMETRY * most)) {
        const of = `component ${(i % 3) + 1} of node ${(i / 3) | 0} and ${(j % 3) + 1} of node ${(j / 3) | 0}`;
        throw new BerthError(
          'BERTH_MISMATCH',
          `Expected ${field} to be symmetric, got ${a} and ${b} between ${of}`,
          { field },
        );
      }
      if (freedom[i] >= 0 && freedom[j] >= 0) matrix.add(freedom[i], freedom[j], (a + b) / 2);
    }
  }
  return matrix;
}
