/** Convex shapes of a scenario file, distinguished by `kind`, and their placement on the body. */
import { type Static, Type } from 'typebox';
import { quantity, strict, triple } from './fields.ts';

const positive = { exclusiveMinimum: 0 } as const;

/** Convex shapes that are given by their dimensions, to make unions of. */
export const primitiveShapes = [
  Type.Object({ kind: Type.Literal('sphere'), radius_m: quantity('m', positive) }, strict),
  Type.Object(
    {
      kind: Type.Literal('ellipsoid'),
      size_m: triple('m', { description: 'Full axis lengths along x, y, z.' }),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('box'),
      size_m: triple('m', { description: 'Edge lengths along x, y, z.' }),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('cylinder'),
      radius_m: quantity('m', positive),
      length_m: quantity('m', { ...positive, description: 'Along z, about the origin.' }),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('frustum'),
      radius_m: quantity('m', { ...positive, description: 'Of the base, in the plane z = 0.' }),
      top_radius_m: quantity('m', {
        minimum: 0,
        default: 0,
        description: 'Below that of the base; 0 is a cone.',
      }),
      length_m: quantity('m', { ...positive, description: 'Height of the top over the base.' }),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('capsule'),
      radius_m: quantity('m', positive),
      length_m: quantity('m', {
        ...positive,
        description: 'Of the cylindrical part along z, about the origin.',
      }),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('beam'),
      length_m: quantity('m', {
        ...positive,
        description: 'Of the box along x; the whole is one width longer.',
      }),
      width_m: quantity('m', { ...positive, description: 'Along y; diameter of the ends.' }),
      thickness_m: quantity('m', { ...positive, description: 'Along z.' }),
    },
    strict,
  ),
] as const;

/** Every convex shape, to make unions of. */
export const convexShapes = [
  ...primitiveShapes,
  Type.Object(
    {
      kind: Type.Literal('mesh'),
      vertices_m: Type.Array(triple('m'), {
        minItems: 4,
        description: 'Points whose convex hull is the shape; not all in one plane.',
      }),
    },
    strict,
  ),
] as const;

/** A convex shape with every value in SI. */
export type ScenarioShape = Static<(typeof convexShapes)[number]>;
