/** Pairs of samples and a distance field of a scenario file, and what they compile to. docs/configuration.md explains each field. */
import { type Static, Type } from 'typebox';
import type { Quadruple, Triple } from '../src/base/tuples.ts';
import { rotationOf } from '../src/math/quaternion.ts';
import type { SampledPairModel } from '../src/model/model.ts';
import { placedTriangles } from '../src/shapes/faceted-shapes.ts';
import { decodeMesh } from '../src/shapes/mesh-decode.ts';
import { surfaceSamples } from '../src/shapes/surface-samples.ts';
import { movedMesh, scaledMesh, type TriangleMesh } from '../src/shapes/triangle-mesh.ts';
import { checkScale, readMeshBytes } from './cell-file.ts';
import { closedMesh, refuseSelfIntersection } from './closed-mesh.ts';
import { compilePlacedFacets, type PlacedFacetsSource } from './facet-schema.ts';
import { fieldFile, readField } from './field-file.ts';
import { strict, triple } from './fields.ts';
import { compileOrientation, Orientation } from './orientation.ts';

/** A mesh file whose distance field `berth field` wrote. */
export const FieldSource = Type.Object(
  {
    file: Type.String({
      minLength: 1,
      description: 'STL, OBJ, GLB or glTF file of a closed surface, relative to the scenario.',
    }),
    scale: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, description: 'Metres in one unit of the file.' }),
    ),
    field: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'File of its distance field, relative to the scenario; left out, FILE.field.',
      }),
    ),
    position_m: triple('m', {
      default: [0, 0, 0],
      description: 'Origin of the mesh in the frame of body j.',
    }),
    orientation: Orientation,
  },
  strict,
);

interface Source {
  readonly shape_i: Static<typeof PlacedFacetsSource>;
  readonly samples: number;
  readonly patches: number;
  readonly field_j: Static<typeof FieldSource>;
}

/** Compiles a pair; `field` is its position in the file. Files have absolute paths. @throws BerthError */
export function compileSampled(source: Source, field: string): SampledPairModel {
  const mesh = trianglesOf(source.shape_i, `${field}.shape_i`);
  const { file, scale, field: own, position_m, orientation } = source.field_j;
  const at = `${field}.field_j`;
  const bytes = readMeshBytes(file, file, `${at}.file`);
  const turn = compileOrientation(orientation, `${at}.orientation`);
  const distances = readField(own ?? fieldFile(file), file, bytes, scale, at);
  // closed and whole when the field was made of it
  const site = scaledMesh(decodeMesh(bytes, file), scale ?? 1);
  return {
    kind: 'sampled',
    samples: surfaceSamples(mesh, source.samples, source.patches, `${field}.shape_i`),
    field: { field: distances, position: position_m, orientation: turn },
    surfaces: { i: mesh, j: moved(site, position_m, turn) },
  };
}

/** Triangles of a placed shape. Those of a file stay as they are: samples do not depend on them. */
function trianglesOf(source: Source['shape_i'], field: string): TriangleMesh {
  const { shape } = source;
  if (shape.kind !== 'mesh') return placedTriangles(compilePlacedFacets(source, field), field);
  const { file, scale } = shape;
  const at = `${field}.shape.file`;
  const closed = closedMesh(readMeshBytes(file, file, at), file, at);
  checkScale(closed, { file, scale }, `${field}.shape`);
  refuseSelfIntersection(closed, file, at);
  const orientation = compileOrientation(source.orientation, `${field}.orientation`);
  return moved(scaledMesh(closed, scale ?? 1), source.position_m, orientation);
}

function moved(mesh: TriangleMesh, position: Triple, orientation: Quadruple): TriangleMesh {
  const rotation = new Float64Array(9);
  rotationOf(rotation, Float64Array.from(orientation), 0);
  return movedMesh(mesh, rotation, position);
}
