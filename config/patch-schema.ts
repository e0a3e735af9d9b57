/** The elastic face of a contact in a scenario file, and what it compiles to. docs/configuration.md explains each field. */
import { type Static, Type } from 'typebox';
import { placedPatch } from '../src/contact/elastic/placed-patch.ts';
import { type GridFace, halfSpaceFace, layerFace } from '../src/fem/grid-faces.ts';
import type { PatchModel, PatchPairModel, PatchTargetModel } from '../src/model/model.ts';
import { quantity, strict, triple } from './fields.ts';
import { compileKind, kind, schemaOf } from './kinds.ts';
import { compileOrientation, Orientation } from './orientation.ts';
import { readPatch } from './patch-file.ts';
import { PLANE_FIELDS } from './plane-fields.ts';
import { unit } from './unit-vector.ts';

const positive = { exclusiveMinimum: 0 } as const;

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

/** What the face meets in place of the plane. */
const Target = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal('sphere'),
        radius_m: quantity('m', positive),
        position_m: triple('m', { default: [0, 0, 0], description: 'Centre.' }),
      },
      strict,
    ),
    Type.Object(
      {
        kind: Type.Literal('box'),
        size_m: triple('m', { description: 'Edge lengths.' }),
        position_m: triple('m', { default: [0, 0, 0], description: 'Centre.' }),
        orientation: Orientation,
      },
      strict,
    ),
    Type.Object(
      {
        kind: Type.Literal('cylinder'),
        radius_m: quantity('m', positive),
        length_m: quantity('m', { ...positive, description: 'Along its z axis.' }),
        position_m: triple('m', { default: [0, 0, 0], description: 'Middle.' }),
        orientation: Orientation,
      },
      strict,
    ),
    Type.Object(
      {
        kind: Type.Literal('mesh'),
        vertices_m: Type.Array(triple('m'), {
          minItems: 4,
          description: 'Points whose convex hull is the shape; not all in one plane.',
        }),
        position_m: triple('m', { default: [0, 0, 0], description: 'Origin of the points.' }),
        orientation: Orientation,
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
  if (source.kind === 'sphere') {
    return { kind: 'sphere', radius: source.radius_m, position: source.position_m };
  }
  const placed = {
    position: source.position_m,
    orientation: compileOrientation(source.orientation, `${field}.orientation`),
  };
  if (source.kind === 'mesh') return { kind: 'mesh', vertices: source.vertices_m, ...placed };
  return source.kind === 'box'
    ? { kind: 'box', size: source.size_m, ...placed }
    : { kind: 'cylinder', radius: source.radius_m, length: source.length_m, ...placed };
}
