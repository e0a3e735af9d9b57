/**
 * The sides of a convex pair of a scenario file: a shape, a mesh file, or pieces. Every piece of one side with every piece of the other is
 * a point contact of its own. docs/configuration.md explains each field.
 */
import { type Static, Type } from 'typebox';
import { BerthError } from '../src/base/errors.ts';
import type { ConvexPairModel, ConvexShapeModel, PlacedShape } from '../src/model/model.ts';
import { checkPlacedShape } from '../src/shapes/check-shape.ts';
import { readCellFile } from './cell-file.ts';
import { compileShape } from './compile-shape.ts';
import { quantity, strict, triple } from './fields.ts';
import { compileOrientation, Orientation } from './orientation.ts';
import { composePoses } from './robot-mount.ts';
import { primitiveShapes } from './shape-schema.ts';

const positive = { exclusiveMinimum: 0 } as const;

/** Most contacts that a pair of sets of pieces may become. */
const MOST_CONTACTS = 256;

const Mesh = Type.Object(
  {
    kind: Type.Literal('mesh'),
    vertices_m: Type.Optional(
      Type.Array(triple('m'), {
        minItems: 4,
        description: 'Points whose convex hull is the shape; not all in one plane.',
      }),
    ),
    file: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'STL, OBJ, GLB or glTF file in place of vertices, relative to the scenario.',
      }),
    ),
    scale: Type.Optional(
      Type.Number({ ...positive, description: 'Metres in one unit of the file.' }),
    ),
  },
  strict,
);

const Shape = Type.Union([...primitiveShapes, Mesh]);

const place = {
  position_m: triple('m', {
    default: [0, 0, 0],
    description: 'Origin of the shape in the frame of the body; of a piece, in that of the whole.',
  }),
  orientation: Orientation,
} as const;

const surface = {
  smoothing_m: quantity('m', {
    minimum: 0,
    default: 0.001,
    description:
      'Radius of the edges of box, cylinder, frustum and beam, at most a tenth of the smallest dimension.',
  }),
  contact_radius_m: Type.Optional(
    quantity('m', { ...positive, description: 'In place of the contact radius of the table.' }),
  ),
} as const;

const Piece = Type.Object({ shape: Shape, ...place, ...surface }, strict);

/** One side of a convex pair. */
export const ConvexSide = Type.Object(
  {
    shape: Type.Optional(Shape),
    pieces: Type.Optional(
      Type.Array(Piece, {
        minItems: 1,
        description: 'In place of a shape: each piece makes a contact of its own.',
      }),
    ),
    ...place,
    ...surface,
  },
  strict,
);
type Side = Static<typeof ConvexSide>;

/** A pair of two pieces: its name is '' where both sides have one piece, else that of its pieces, as in `2` or `2-1`. */
export interface PieceContact {
  readonly name: string;
  readonly pair: ConvexPairModel;
}

/** Pairs of all pieces. @throws BerthError for a side without or with too much, for a bad file, and for too many pairs */
export function compileConvexPairs(
  source: { readonly shape_i: Side; readonly shape_j: Side },
  field: string,
): readonly PieceContact[] {
  const i = compileSide(source.shape_i, `${field}.shape_i`);
  const j = compileSide(source.shape_j, `${field}.shape_j`);
  if (i.length * j.length > MOST_CONTACTS) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected ${field} to make at most ${MOST_CONTACTS} contacts, got ${i.length} pieces against ${j.length}; use fewer pieces, or a pair of kind faceted or volumetric`,
      { field },
    );
  }
  return i.flatMap((shapeI, a) =>
    j.map((shapeJ, b): PieceContact => {
      const numbers = [...(i.length > 1 ? [a + 1] : []), ...(j.length > 1 ? [b + 1] : [])];
      return { name: numbers.join('-'), pair: { kind: 'convex', shapeI, shapeJ } };
    }),
  );
}

/** The placed shapes of a side. A mesh file has an absolute path. */
function compileSide(source: Side, field: string): readonly PlacedShape[] {
  const { shape, pieces } = source;
  if ((shape === undefined) === (pieces === undefined)) {
    throw new BerthError(
      shape === undefined ? 'BERTH_MISSING_FIELD' : 'BERTH_MISMATCH',
      `Expected ${field} to have either a shape or pieces, got ${shape === undefined ? 'neither' : 'both'}`,
      { field },
    );
  }
  if (shape !== undefined) return placedShapes({ ...source, shape }, field);
  const whole = {
    position: source.position_m,
    orientation: compileOrientation(source.orientation, `${field}.orientation`),
  };
  return (pieces ?? []).flatMap((piece, k) => {
    const at = `${field}.pieces[${k}]`;
    return placedShapes(piece, at).map((placed) => {
      checkPlacedShape(placed, at);
      return { ...placed, ...composePoses(whole, placed) };
    });
  });
}

function placedShapes(source: Static<typeof Piece>, field: string): readonly PlacedShape[] {
  const radius = source.contact_radius_m;
  const placed = {
    position: source.position_m,
    orientation: compileOrientation(source.orientation, `${field}.orientation`),
    smoothing: source.smoothing_m,
    ...(radius === undefined ? {} : { contactRadius: radius }),
  };
  return shapesOf(source.shape, `${field}.shape`).map((shape) => ({ shape, ...placed }));
}

/** The convex shapes of a shape: several for a file of several pieces, or of a body with hollows. */
function shapesOf(source: Static<typeof Shape>, field: string): readonly ConvexShapeModel[] {
  if (source.kind !== 'mesh') return [compileShape(source)];
  const { vertices_m: vertices, file, scale } = source;
  if (vertices !== undefined && file === undefined && scale === undefined)
    return [compileShape({ kind: 'mesh', vertices_m: vertices })];
  if (vertices === undefined && file !== undefined)
    return readCellFile({ file, directory: '', scale, decompose: true }, field);
  const given = Object.entries({ vertices_m: vertices, file, scale }).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  throw new BerthError(
    given.length === 0 ? 'BERTH_MISSING_FIELD' : 'BERTH_MISMATCH',
    `Expected ${field} to have either vertices_m, or a file with or without a scale, got ${given.length === 0 ? 'none of them' : given.join(' and ')}`,
    { field },
  );
}
