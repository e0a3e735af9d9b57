/** The elastic face of a contact in a scenario file, and what it compiles to. docs/configuration.md explains each field. */
import { type Static, type TObject, type TUnsafe, Type } from 'typebox';
import { BerthError } from '../src/base/errors.ts';
import { placedPatch } from '../src/contact/elastic/placed-patch.ts';
import { type GridFace, halfSpaceFace, layerFace } from '../src/fem/grid-faces.ts';
import type {
  ContactModelSpec,
  PatchModel,
  PatchPairModel,
  PatchTargetModel,
} from '../src/model/model.ts';
import type { CellModel } from '../src/shapes/cell-model.ts';
import { scaledMesh } from '../src/shapes/triangle-mesh.ts';
import { checkScale, readMeshBytes } from './cell-file.ts';
import { closedMesh, refuseSelfIntersection } from './closed-mesh.ts';
import { compileShape } from './compile-shape.ts';
import { quantity, strict, triple } from './fields.ts';
import { compileKind, kind, schemaOf } from './kinds.ts';
import { compileOrientation, Orientation } from './orientation.ts';
import { readPatch } from './patch-file.ts';
import { PLANE_FIELDS } from './plane-fields.ts';
import { convexShapes, type ScenarioShape } from './shape-schema.ts';
import { unit } from './unit-vector.ts';

const positive = { exclusiveMinimum: 0 } as const;
/** Most triangles of a mesh file: a point takes some microseconds to find its place on more. */
const MOST_TRIANGLES = 200_000;

/** A grid of points on a body that needs no mesh. */
const grid = {
  youngs_modulus_N_per_m2: quantity('N/m^2', positive),
  poisson_ratio: Type.Number({ minimum: 0, exclusiveMaximum: 0.5 }),
  size_m: Type.Tuple([quantity('m', positive), quantity('m', positive)], {
    description: 'Sides of the face along its x and y; it looks along z.',
  }),
  points: Type.Tuple(
    [Type.Integer({ minimum: 1, maximum: 16 }), Type.Integer({ minimum: 1, maximum: 16 })],
    { description: 'Points along x and y.' },
  ),
  crown_radius_m: Type.Optional(
    quantity('m', { ...positive, description: 'Radius of a ball-like crown; left out, flat.' }),
  ),
} as const;

interface Grid {
  readonly youngs_modulus_N_per_m2: number;
  readonly poisson_ratio: number;
  readonly size_m: readonly [number, number];
  readonly points: readonly [number, number];
  readonly crown_radius_m?: number;
}

const faceOf = (source: Grid): GridFace => ({
  size: source.size_m,
  points: source.points,
  young: source.youngs_modulus_N_per_m2,
  poisson: source.poisson_ratio,
  radius: source.crown_radius_m ?? Infinity,
});

const COMPLIANCES = {
  file: kind(
    {
      file: Type.String({
        minLength: 1,
        description: 'Patch file of `berth reduce`, relative to the scenario.',
      }),
      mesh: Type.Optional(
        Type.String({
          minLength: 1,
          description: 'The mesh file that it has to be of; left out, that is not checked.',
        }),
      ),
    },
    ({ file, mesh }, field): PatchModel => readPatch(file, mesh ?? null, `${field}.file`),
    'A mesh, reduced.',
  ),
  'half-space': kind(
    grid,
    (source): PatchModel => halfSpaceFace(faceOf(source)),
    'A face that is small beside the body behind it.',
  ),
  layer: kind(
    { ...grid, thickness_m: quantity('m', positive) },
    (source, field): PatchModel =>
      layerFace(faceOf(source), source.thickness_m, `${field}.poisson_ratio`),
    'A thin layer on a body that does not deform, such as a rubber pad.',
  ),
} as const;

/** Where a target is. */
const place = {
  position_m: triple('m', {
    default: [0, 0, 0],
    description: 'Its origin in the frame of body j.',
  }),
  orientation: Orientation,
} as const;

type ShapeTarget = TUnsafe<ScenarioShape & Static<TObject<typeof place>>>;
const shapeTargets = convexShapes.map((shape) =>
  Type.Object({ ...shape.properties, ...place }, strict),
) as unknown as readonly [ShapeTarget];

/** What the face meets in place of the plane. */
const Target = Type.Union(
  [
    ...shapeTargets,
    Type.Object(
      { kind: Type.Literal('face'), compliance: schemaOf(COMPLIANCES), ...place },
      { ...strict, description: 'An elastic face, as that of body i.' },
    ),
    Type.Object(
      { kind: Type.Literal('cells') },
      { ...strict, description: 'The cells of body j.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('file'),
        file: Type.String({
          minLength: 1,
          description: 'STL, OBJ, GLB or glTF file of a closed surface, relative to the scenario.',
        }),
        scale: Type.Optional(
          Type.Number({ ...positive, description: 'Metres in one unit of the file.' }),
        ),
        ...place,
      },
      strict,
    ),
  ],
  { description: 'Shape in the frame of body j, in place of the plane.' },
);

/** Fields of the pair of an elastic face and a plane, or a shape. */
export const PATCH_FIELDS = {
  compliance: schemaOf(COMPLIANCES),
  position_m: triple('m', {
    default: [0, 0, 0],
    description: 'Origin of the face in the frame of body i.',
  }),
  orientation: Orientation,
  ...PLANE_FIELDS,
  target: Type.Optional(Target),
} as const;

interface Source {
  readonly compliance: Static<(typeof PATCH_FIELDS)['compliance']>;
  readonly position_m: [number, number, number];
  readonly orientation: Static<typeof Orientation>;
  readonly normal: [number, number, number];
  readonly offset_m: number;
  readonly target?: Static<typeof Target>;
}

/** Compiles a pair; `field` is its position in the file. Files have absolute paths. @throws BerthError */
export function compilePatch(source: Source, field: string): PatchPairModel {
  const at = `${field}.compliance`;
  const patch = compileKind<PatchModel, typeof COMPLIANCES>(COMPLIANCES, source.compliance, at);
  const orientation = compileOrientation(source.orientation, `${field}.orientation`);
  return {
    kind: 'patch',
    patch: placedPatch(patch, source.position_m, orientation),
    normal: unit(source.normal, `${field}.normal`),
    offset: source.offset_m,
    ...(source.target === undefined
      ? {}
      : { target: compileTarget(source.target, `${field}.target`) }),
  };
}

function compileTarget(source: Static<typeof Target>, field: string): PatchTargetModel {
  // those of body j are known when all bodies are
  if (source.kind === 'cells') return { kind: 'cells', cells: [] };
  const placed = {
    position: source.position_m,
    orientation: compileOrientation(source.orientation, `${field}.orientation`),
  };
  if (source.kind === 'face') {
    const at = `${field}.compliance`;
    const patch = compileKind<PatchModel, typeof COMPLIANCES>(COMPLIANCES, source.compliance, at);
    return { kind: 'face', patch: placedPatch(patch, placed.position, placed.orientation) };
  }
  if (source.kind !== 'file') return { ...compileShape(source), ...placed };
  const { file, scale } = source;
  const bytes = readMeshBytes(file, file, `${field}.file`);
  const mesh = closedMesh(bytes, file, `${field}.file`);
  checkScale(mesh, { file, scale }, field);
  const count = mesh.triangles.length / 3;
  if (count > MOST_TRIANGLES) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected ${file} to have at most ${MOST_TRIANGLES} triangles, got ${count}; use berth simplify --triangles ${MOST_TRIANGLES}`,
      { field: `${field}.file` },
    );
  }
  refuseSelfIntersection(mesh, file, `${field}.file`);
  return { kind: 'surface', mesh: scaledMesh(mesh, scale ?? 1), ...placed };
}

/** The contact with the cells of its body j among some, where its face meets these. @throws BerthError where there are none */
export function withCells(
  contact: ContactModelSpec,
  bodies: readonly { readonly name: string; readonly cells?: readonly CellModel[] }[],
  field: string,
): ContactModelSpec {
  const { pair, bodyJ } = contact;
  if (!('target' in pair) || pair.target?.kind !== 'cells') return contact;
  const cells = bodies.find(({ name }) => name === bodyJ)?.cells ?? [];
  if (cells.length > 0) return { ...contact, pair: { ...pair, target: { kind: 'cells', cells } } };
  throw new BerthError(
    'BERTH_MISMATCH',
    `Expected body "${bodyJ}" to have cells, as ${field}.target.kind is cells, got none; give it cells, or a target its shape`,
    { field: `${field}.target.kind` },
  );
}
