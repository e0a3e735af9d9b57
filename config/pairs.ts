/** The geometric pairs of a scenario file, told apart by `kind`; docs/configuration.md explains each field. */
import { type Static, Type } from 'typebox';
import { quantity, strict, triple } from './fields.ts';
import { PlacedShape } from './shape-schema.ts';

const positive = { exclusiveMinimum: 0 } as const;

/** The sphere of body i, which most pairs have. */
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

/** Every geometric pair. */
export const Pair = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('sphere-plane'),
      ...sphere,
      normal: triple('', {
        default: [0, 0, 1],
        description: 'Outward normal of the plane in the frame of body j, normalised on load.',
      }),
      offset_m: quantity('m', {
        default: 0,
        description: 'Distance of the plane from the origin of body j along the normal.',
      }),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('sphere-edge'),
      ...sphere,
      edge_m: point('A point of the edge, best near the expected contact,'),
      normal_1: direction('Outward normal of one plane'),
      normal_2: direction('Outward normal of the other plane'),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('sphere-cylinder'),
      ...sphere,
      axis_point_m: point('A point of the axis'),
      axis: direction('Direction of the axis'),
      cylinder_radius_m: quantity('m', positive),
      side: Type.Union([Type.Literal('outside'), Type.Literal('inside')], {
        default: 'outside',
        description: 'Where the sphere is: inside is a bore, which must be wider than the sphere.',
      }),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('sphere-cone'),
      ...sphere,
      apex_m: point('The apex'),
      axis: direction('Direction of the axis, out of the apex into the open,'),
      apex_angle_rad: quantity('rad', {
        ...positive,
        maximum: Math.PI,
        description: 'Full apex angle; 180 deg is a plane.',
      }),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('sphere-sphere'),
      ...sphere,
      radius_j_m: quantity('m', { ...positive, description: 'Radius of the sphere of body j.' }),
      center_j_m: point('Centre of the sphere of body j'),
    },
    strict,
  ),
  Type.Object(
    { kind: Type.Literal('convex'), shape_i: PlacedShape, shape_j: PlacedShape },
    { ...strict, description: 'Two convex shapes.' },
  ),
  Type.Object(
    {
      kind: Type.Literal('volumetric'),
      method: Type.Union(
        (['auto', 'closed-form', 'clipping', 'rays', 'voxels'] as const).map((name) =>
          Type.Literal(name),
        ),
        { default: 'auto', description: 'How overlaps are computed; auto takes the best one.' },
      ),
      normal: Type.Union(
        (['principal-axis', 'vector-area', 'inverse-iteration'] as const).map((name) =>
          Type.Literal(name),
        ),
        {
          default: 'vector-area',
          description:
            'How the contact normal is found. vector-area creates no energy; the published one is principal-axis.',
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
    { ...strict, description: 'The cells of body i against the cells of body j.' },
  ),
]);

/** One pair with every default filled in and every value in SI. */
export type ScenarioPair = Static<typeof Pair>;
