/** Shapes made of facets of a scenario file, and what they compile to. docs/configuration.md explains each field. */
import { type Static, Type } from 'typebox';
import type { FacetedShape, PlacedFacets } from '../src/model/model.ts';
import { readFacetFile } from './facet-file.ts';
import { quantity, strict, triple } from './fields.ts';
import { compileOrientation, Orientation } from './orientation.ts';

const positive = { exclusiveMinimum: 0 } as const;
const divisions = (description: string): ReturnType<typeof Type.Integer> =>
  Type.Integer({ minimum: 3, maximum: 1024, description });

const Shape = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('box'),
      size_m: triple('m', { description: 'Edge lengths along x, y, z.' }),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('frustum'),
      radius_m: quantity('m', { ...positive, description: 'Of the base, in the plane z = 0.' }),
      top_radius_m: quantity('m', positive),
      length_m: quantity('m', { ...positive, description: 'Height of the top over the base.' }),
      around: divisions('Facets around; corners lie on the round surface.'),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('torus'),
      radius_m: quantity('m', { ...positive, description: 'Of the centre circle about z.' }),
      tube_radius_m: quantity('m', positive),
      around: divisions('Facets around z; corners lie on the round surface.'),
      across: divisions('Facets across the tube.'),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('mesh'),
      file: Type.String({
        minLength: 1,
        description: 'STL, OBJ, GLB or glTF file of a closed surface, relative to the scenario.',
      }),
      scale: Type.Optional(
        Type.Number({ ...positive, description: 'Metres in one unit of the file.' }),
      ),
    },
    strict,
  ),
]);

/** A shape of facets on a body. */
export const PlacedFacetsSource = Type.Object(
  {
    shape: Shape,
    position_m: triple('m', {
      default: [0, 0, 0],
      description: 'Origin of the shape in the frame of the body.',
    }),
    orientation: Orientation,
  },
  strict,
);

/** Compiles a placed shape; `field` is its position in the file. A mesh file has an absolute path. */
export function compilePlacedFacets(
  source: Static<typeof PlacedFacetsSource>,
  field: string,
): PlacedFacets {
  return {
    shape: compileShape(source.shape, `${field}.shape`),
    position: source.position_m,
    orientation: compileOrientation(source.orientation, `${field}.orientation`),
  };
}

function compileShape(source: Static<typeof Shape>, field: string): FacetedShape {
  switch (source.kind) {
    case 'box':
      return { kind: 'box', size: source.size_m };
    case 'frustum':
      return {
        kind: 'frustum',
        radius: source.radius_m,
        topRadius: source.top_radius_m,
        length: source.length_m,
        around: source.around,
      };
    case 'torus':
      return {
        kind: 'torus',
        radius: source.radius_m,
        tubeRadius: source.tube_radius_m,
        around: source.around,
        across: source.across,
      };
    case 'mesh':
      return { kind: 'polygons', ...readFacetFile(source.file, source.scale, field) };
  }
}
