/**
 * Cells of a body in a scenario file: shapes, or mesh files. The body schema uses `Cells`;
 * `compileCells` in compile-cells.ts turns them into cell models.
 */
import { type Static, Type } from 'typebox';
import { quantity, strict, triple } from './fields.ts';
import { Orientation } from './orientation.ts';
import { convexShapes } from './shape-schema.ts';

const primitives = [
  ...convexShapes,
  Type.Object(
    { kind: Type.Literal('half-space') },
    { ...strict, description: 'Everything at z <= 0. Has no mass.' },
  ),
  Type.Object(
    {
      kind: Type.Literal('bore'),
      radius_m: quantity('m', { exclusiveMinimum: 0 }),
    },
    { ...strict, description: 'Everything outside an endless cylinder about z. Has no mass.' },
  ),
] as const;

const Part = Type.Object(
  {
    shape: Type.Union([...primitives]),
    position_m: triple('m', {
      default: [0, 0, 0],
      description: 'Origin of the part in the frame of the cell.',
    }),
    orientation: Orientation,
  },
  strict,
);

const Shape = Type.Union([
  ...primitives,
  Type.Object(
    {
      kind: Type.Literal('boolean'),
      common: Type.Array(Part, { minItems: 1, description: 'The cell lies in all of these …' }),
      without: Type.Array(Part, { default: [], description: '… and in none of these.' }),
    },
    strict,
  ),
]);

/** One cell, or one file of cells: exactly one of `shape` and `file` is given. */
export const Cell = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'cell-1, cell-2 … or the name of the file if left out.',
      }),
    ),
    shape: Type.Optional(Shape),
    file: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'STL, OBJ, GLB or glTF file of a closed surface, relative to the scenario file.',
      }),
    ),
    scale: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        description: 'Metres in one unit of the file, 0.001 for millimetres; 1 if left out.',
      }),
    ),
    decompose: Type.Boolean({
      default: true,
      description:
        'A concave file is made of the convex cells that `berth decompose` wrote beside it; false refuses it.',
    }),
    embedded: Type.Boolean({
      default: false,
      description: 'Reaches into other cells of the body on purpose, where nothing can touch.',
    }),
    position_m: triple('m', {
      default: [0, 0, 0],
      description: 'Origin of the cell or file in the frame of the body.',
    }),
    orientation: Orientation,
  },
  strict,
);

/** The `cells` field of a body. */
export const Cells = Type.Array(Cell, { default: [] });

/** The `merge_cells` field of a body. */
export const MergeCells = Type.Boolean({
  default: false,
  description:
    'Makes one cell of those with flat faces whose union is convex, to 1e-9 of its volume: fewer pairs, less time; but friction against spin is per pair of cells, and a body that slides and spins turns otherwise.',
});

/** One entry with defaults and SI values. */
export type ScenarioCell = Static<typeof Cell>;
