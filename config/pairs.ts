/**
 * Geometric pairs of a scenario file: the fields of each and its plain description.
 * docs/configuration.md explains each field.
 */
import { type Static, type TObject, Type } from 'typebox';
import type {
  ConvexPairModel,
  FacetedPairModel,
  FreeformPairModel,
  PairModel,
  PatchPairModel,
  SampledPairModel,
  SphereConeModel,
  SphereCylinderModel,
  SphereEdgeModel,
  SpherePlaneModel,
  SphereSphereModel,
  VolumetricPairModel,
} from '../src/model/model.ts';
import { compileConvexPairs, ConvexSide } from './convex-schema.ts';
import { compilePlacedFacets, PlacedFacetsSource } from './facet-schema.ts';
import { compilePatch, PATCH_FIELDS } from './patch-schema.ts';
import { compileSampled, FieldSource } from './sample-schema.ts';
import { quantity, triple } from './fields.ts';
import { PLANE_FIELDS } from './plane-fields.ts';
import { compileKind, kind, schemaOf, type SourceOf } from './kinds.ts';
import { compileSurfaceSide, SurfaceSideSource } from './surface-schema.ts';
import { unit } from './unit-vector.ts';

const positive = { exclusiveMinimum: 0 } as const;

/** Sphere of body i, which most pairs have. */
const sphere = {
  radius_m: quantity('m', positive),
  center_m: triple('m', {
    default: [0, 0, 0],
    description: 'Sphere centre in the frame of body i.',
  }),
} as const;

const point = (what: string): ReturnType<typeof triple> =>
  triple('m', { default: [0, 0, 0], description: `${what} in the frame of body j.` });
const direction = (what: string): ReturnType<typeof triple> =>
  triple('', { description: `${what} in the frame of body j, normalised on load.` });

const compileSphere = ({ radius_m, center_m }: Static<TObject<typeof sphere>>) => ({
  radius: radius_m,
  center: center_m,
});

const PAIRS = {
  'sphere-plane': kind(
    {
      ...sphere,
      ...PLANE_FIELDS,
    },
    (source, field): SpherePlaneModel => ({
      kind: 'sphere-plane',
      ...compileSphere(source),
      normal: unit(source.normal, `${field}.normal`),
      offset: source.offset_m,
    }),
  ),
  'sphere-edge': kind(
    {
      ...sphere,
      edge_m: point('A point of the edge, best near the expected contact,'),
      normal_1: direction('Outward normal of one plane'),
      normal_2: direction('Outward normal of the other plane'),
    },
    (source, field): SphereEdgeModel => ({
      kind: 'sphere-edge',
      ...compileSphere(source),
      edgePoint: source.edge_m,
      normal1: unit(source.normal_1, `${field}.normal_1`),
      normal2: unit(source.normal_2, `${field}.normal_2`),
    }),
  ),
  'sphere-cylinder': kind(
    {
      ...sphere,
      axis_point_m: point('A point of the axis'),
      axis: direction('Direction of the axis'),
      cylinder_radius_m: quantity('m', positive),
      side: Type.Union([Type.Literal('outside'), Type.Literal('inside')], {
        default: 'outside',
        description: 'Where the sphere is: inside is a bore, which must be wider than the sphere.',
      }),
    },
    (source, field): SphereCylinderModel => ({
      kind: 'sphere-cylinder',
      ...compileSphere(source),
      axisPoint: source.axis_point_m,
      axis: unit(source.axis, `${field}.axis`),
      cylinderRadius: source.cylinder_radius_m,
      side: source.side,
    }),
  ),
  'sphere-cone': kind(
    {
      ...sphere,
      apex_m: point('The apex'),
      axis: direction('Direction of the axis, out of the apex into the open,'),
      apex_angle_rad: quantity('rad', {
        ...positive,
        maximum: Math.PI,
        description: 'Full apex angle; 180 deg is a plane.',
      }),
    },
    (source, field): SphereConeModel => ({
      kind: 'sphere-cone',
      ...compileSphere(source),
      apex: source.apex_m,
      axis: unit(source.axis, `${field}.axis`),
      apexAngle: source.apex_angle_rad,
    }),
  ),
  'sphere-sphere': kind(
    {
      ...sphere,
      radius_j_m: quantity('m', { ...positive, description: 'Radius of the sphere of body j.' }),
      center_j_m: point('Centre of the sphere of body j'),
    },
    (source): SphereSphereModel => ({
      kind: 'sphere-sphere',
      ...compileSphere(source),
      radiusJ: source.radius_j_m,
      centerJ: source.center_j_m,
    }),
  ),
  convex: kind(
    { shape_i: ConvexSide, shape_j: ConvexSide },
    (source, field): ConvexPairModel => compileConvexPairs(source, field)[0].pair, // of sides of one piece
    'Two convex shapes, or sets of them.',
  ),
  faceted: kind(
    {
      shape_i: PlacedFacetsSource,
      shape_j: PlacedFacetsSource,
      standoff_m: quantity('m', {
        ...positive,
        description: 'Distance at which two facets begin to push: the depth is what is left of it.',
      }),
      duplicates: Type.Union(
        (['drop', 'keep', 'area'] as const).map((name) => Type.Literal(name)),
        {
          default: 'drop',
          description:
            'Pairs of facets with one feature pair: the first one, all, or one spring from the centre of each facet of the finer body with the stiffness by its area.',
        },
      ),
      reference_area_m2: quantity('m^2', {
        ...positive,
        default: 1,
        description: 'Area of a facet that has the stiffness of the normal law, for area.',
      }),
      maximum_pairs: Type.Integer({
        minimum: 1,
        maximum: 4096,
        default: 256,
        description: 'Most pairs of facets that push at once.',
      }),
    },
    (source, field): FacetedPairModel => ({
      kind: 'faceted',
      shapeI: compilePlacedFacets(source.shape_i, `${field}.shape_i`),
      shapeJ: compilePlacedFacets(source.shape_j, `${field}.shape_j`),
      standoff: source.standoff_m,
      duplicates: source.duplicates,
      referenceArea: source.reference_area_m2,
      maximumPairs: source.maximum_pairs,
    }),
    'Two bodies of facets, convex or not.',
  ),
  sampled: kind(
    {
      shape_i: PlacedFacetsSource,
      samples: Type.Integer({
        minimum: 16,
        maximum: 100_000,
        default: 2000,
        description:
          'Least number of samples of the surface of shape_i; up to twice as many result.',
      }),
      patches: Type.Integer({
        minimum: 1,
        maximum: 1024,
        default: 64,
        description:
          'Least number of patches of samples with a place, damping and friction of their own.',
      }),
      field_j: FieldSource,
    },
    (source, field): SampledPairModel => compileSampled(source, field),
    'Samples of one body against the distance field of another one.',
  ),
  patch: kind(
    PATCH_FIELDS,
    (source, field): PatchPairModel => compilePatch(source, field),
    'The elastic face of body i against a plane of body j.',
  ),
  freeform: kind(
    {
      surfaces_i: SurfaceSideSource,
      surfaces_j: SurfaceSideSource,
      contact_radius_m: Type.Optional(
        quantity('m', {
          ...positive,
          description:
            'Radius of the Hertz contact; left out, that of the curvatures at each onset.',
        }),
      ),
    },
    (source, field): FreeformPairModel => ({
      kind: 'freeform',
      surfacesI: compileSurfaceSide(source.surfaces_i, `${field}.surfaces_i`),
      surfacesJ: compileSurfaceSide(source.surfaces_j, `${field}.surfaces_j`),
      ...(source.contact_radius_m === undefined ? {} : { contactRadius: source.contact_radius_m }),
    }),
    'Faces of free form, or a ball, of body i against those of body j.',
  ),
  volumetric: kind(
    {
      method: Type.Union(
        (['auto', 'closed-form', 'clipping', 'rays', 'voxels'] as const).map((name) =>
          Type.Literal(name),
        ),
        { default: 'auto', description: 'How overlaps are computed; auto takes the best one.' },
      ),
      relative_error: Type.Optional(
        Type.Number({
          minimum: 1e-11,
          maximum: 0.1,
          description:
            'Relative error of a volume by rays at which they stop, by their estimate; left out, a fixed number of nodes.',
        }),
      ),
      voxel_size_m: Type.Optional(
        quantity('m', {
          ...positive,
          description: 'Longest side of a voxel that the surface cuts, for voxels; left out, 1 mm.',
        }),
      ),
      force_resolution_N: Type.Optional(
        quantity('N', {
          ...positive,
          description: 'In place of it the force of one voxel: its side is (force/k_v)^(1/3).',
        }),
      ),
      normal: Type.Union(
        (['principal-axis', 'vector-area', 'inverse-iteration'] as const).map((name) =>
          Type.Literal(name),
        ),
        {
          default: 'vector-area',
          description:
            'How the contact normal is found. vector-area creates no energy; Gonthier 2007 takes principal-axis.',
        },
      ),
      maximum_pairs: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 4096,
          description: 'Most cell pairs that touch at once; left out, all of them, at most 256.',
        }),
      ),
      shared_impact_speed: Type.Boolean({
        default: true,
        description: 'Pieces of one surface share the speed of the first touch.',
      }),
    },
    (source): VolumetricPairModel => {
      const { method, normal, maximum_pairs: most, relative_error: error } = source;
      const shares = source.shared_impact_speed;
      return {
        kind: 'volumetric',
        method,
        ...(error === undefined ? {} : { relativeError: error }),
        ...(source.voxel_size_m === undefined ? {} : { voxelSize: source.voxel_size_m }),
        ...(source.force_resolution_N === undefined
          ? {}
          : { forceResolution: source.force_resolution_N }),
        normal,
        sharedImpactSpeed: shares,
        ...(most === undefined ? {} : { maximumPairs: most }),
      };
    },
    'The cells of body i against the cells of body j.',
  ),
} as const;

/** Every geometric pair, distinguished by `kind`. */
export const Pair = schemaOf(PAIRS);

/** One of the contacts that a pair makes. */
interface NamedPair {
  /** What the name of the contact has behind it, '' for the only one. */
  readonly name: string;
  readonly pair: PairModel;
}

/** Compiles a pair, of which sets of convex pieces make several; `field` is its position in the file. */
export function compilePairs(source: SourceOf<typeof PAIRS>, field: string): readonly NamedPair[] {
  if (source.kind === 'convex') return compileConvexPairs(source, field);
  return [{ name: '', pair: compileKind<PairModel, typeof PAIRS>(PAIRS, source, field) }];
}
