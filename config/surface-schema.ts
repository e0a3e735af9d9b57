/**
 * Faces of free form of a scenario file, and what they compile to: `compileFace` is where a face comes from. Parameters u and v are metres,
 * radians or those of the knots, as docs/configuration.md explains for each shape.
 */
import { type Static, Type } from 'typebox';
import { BerthError } from '../src/base/errors.ts';
import type { CurveSpec, SurfaceShape, SurfaceSide, SurfaceSpec } from '../src/model/model.ts';
import { placedSurface } from '../src/shapes/surfaces/place-surface.ts';
import { quantity, strict, triple } from './fields.ts';
import { compileOrientation, Orientation } from './orientation.ts';
import { readStepFile, stepSurface } from './step-file.ts';
import type { StepFaces } from './step/step-faces.ts';
import { unit } from './unit-vector.ts';

const positive = { exclusiveMinimum: 0 } as const;
const degree = Type.Integer({ minimum: 1, maximum: 15 });
const knots = Type.Array(Type.Number(), {
  minItems: 4,
  description: 'Every knot as often as it counts: control points + degree + 1 of them.',
});
const weight = Type.Number({ ...positive });
const closed = Type.Boolean({
  default: false,
  description: 'Its ends meet, and the parameter goes round.',
});
const direction = (what: string): ReturnType<typeof triple> =>
  triple('', { description: `${what}, normalised on load.` });
const origin = { default: [0, 0, 0] as const };

const Curve = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('nurbs'),
      degree,
      knots,
      points_m: Type.Array(triple('m'), { minItems: 2 }),
      weights: Type.Optional(Type.Array(weight)),
      closed,
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('line'),
      point_m: triple('m'),
      direction_m: triple('m', { description: 'Along the line for a step of 1 of the parameter.' }),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('circle'),
      center_m: triple('m', origin),
      axis: direction('Normal of its plane'),
      reference: direction('Direction of the parameter 0, across the axis'),
      radius_m: quantity('m', positive),
    },
    strict,
  ),
]);

const SHAPES = [
  Type.Object(
    {
      kind: Type.Literal('nurbs'),
      degree_u: degree,
      degree_v: degree,
      knots_u: knots,
      knots_v: knots,
      points_m: Type.Array(Type.Array(triple('m'), { minItems: 2 }), {
        minItems: 2,
        description: 'Control points: a list along v for each place along u.',
      }),
      weights: Type.Optional(
        Type.Array(Type.Array(weight), { description: 'As the control points; left out, all 1.' }),
      ),
      closed_u: closed,
      closed_v: closed,
    },
    strict,
  ),
  Type.Object({ kind: Type.Literal('plane') }, strict),
  Type.Object({ kind: Type.Literal('cylinder'), radius_m: quantity('m', positive) }, strict),
  Type.Object(
    {
      kind: Type.Literal('cone'),
      radius_m: quantity('m', { minimum: 0, description: 'Where v is 0.' }),
      half_angle_rad: quantity('rad', { ...positive, description: 'Between axis and flank.' }),
    },
    strict,
  ),
  Type.Object({ kind: Type.Literal('sphere'), radius_m: quantity('m', positive) }, strict),
  Type.Object(
    {
      kind: Type.Literal('torus'),
      major_radius_m: quantity('m', { ...positive, description: 'To the middle of the tube.' }),
      minor_radius_m: quantity('m', { ...positive, description: 'Of the tube.' }),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('extrusion'),
      curve: Curve,
      direction_m: triple('m', { description: 'For a step of 1 of v.' }),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('revolution'),
      curve: Curve,
      axis_point_m: triple('m', origin),
      axis: direction('Direction of the axis'),
    },
    strict,
  ),
] as const;

const StepFace = Type.Object(
  {
    kind: Type.Literal('step'),
    file: Type.String({
      minLength: 1,
      description: 'STEP file (AP203, AP214, AP242), relative to the scenario; it has its units.',
    }),
    face: Type.String({
      minLength: 1,
      description: 'Name of the face, its number in the file from 1, or its instance as #12.',
    }),
  },
  { ...strict, description: 'A face of a STEP file, cut at its border.' },
);

const ends = Type.Tuple([Type.Number(), Type.Number()]);

/** One face of a body. */
export const FaceSource = Type.Object(
  {
    shape: Type.Union([...SHAPES, StepFace]),
    position_m: triple('m', {
      default: [0, 0, 0],
      description: 'Origin of the shape in the frame of the body.',
    }),
    orientation: Orientation,
    reversed: Type.Boolean({
      default: false,
      description: 'Whether the outward normal is against S_u × S_v.',
    }),
    trim: Type.Optional(
      Type.Object(
        {
          u: Type.Optional(ends),
          v: Type.Optional(ends),
          loops: Type.Optional(
            Type.Array(Type.Array(ends, { minItems: 4 }), {
              description:
                'Polygons of u, v that end where they begin: a point is there when it lies in an odd number of them.',
            }),
          ),
        },
        { ...strict, description: 'Least and largest parameters, and polygons.' },
      ),
    ),
  },
  strict,
);

/** What a body brings to a pair of surfaces. */
export const SurfaceSideSource = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('ball'),
      radius_m: quantity('m', { minimum: 0, description: '0 is a point.' }),
      center_m: triple('m', {
        default: [0, 0, 0],
        description: 'Centre in the frame of the body.',
      }),
    },
    strict,
  ),
  Type.Object(
    { kind: Type.Literal('faces'), faces: Type.Array(FaceSource, { minItems: 1 }) },
    strict,
  ),
]);

/** Compiles a side; `field` is its position in the file. @throws BerthError for a direction without length */
export function compileSurfaceSide(
  source: Static<typeof SurfaceSideSource>,
  field: string,
): SurfaceSide {
  if (source.kind === 'ball')
    return { kind: 'ball', radius: source.radius_m, center: source.center_m };
  // a file with several faces of a side is read once
  const files = new Map<string, StepFaces>();
  return {
    kind: 'faces',
    faces: source.faces.map((face, k) => compileFace(face, `${field}.faces[${k}]`, files)),
  };
}

/** Compiles one face; `files` are those that were read already. @throws BerthError for a direction without length */
export function compileFace(
  source: Static<typeof FaceSource>,
  field: string,
  files: Map<string, StepFaces>,
): SurfaceSpec {
  const { trim } = source;
  if (source.shape.kind === 'step') return compileStepFace(source, source.shape, field, files);
  return {
    shape: compileShape(source.shape, `${field}.shape`),
    position: source.position_m,
    orientation: compileOrientation(source.orientation, `${field}.orientation`),
    sign: source.reversed ? -1 : 1,
    ...(trim === undefined ? {} : { trim }),
  };
}

function compileStepFace(
  source: Static<typeof FaceSource>,
  { file, face }: Static<typeof StepFace>,
  field: string,
  files: Map<string, StepFaces>,
): SurfaceSpec {
  if (source.trim !== undefined) {
    throw new BerthError(
      'BERTH_UNKNOWN_FIELD',
      `Expected ${field}.trim to be left out: a face of a STEP file is cut at its border`,
      { field: `${field}.trim` },
    );
  }
  const known = files.get(file) ?? readStepFile(file, file, `${field}.shape.file`);
  files.set(file, known);
  const spec = stepSurface(known, face, `${field}.shape.face`);
  const orientation = compileOrientation(source.orientation, `${field}.orientation`);
  const placed = placedSurface(spec, source.position_m, orientation);
  return source.reversed ? { ...placed, sign: placed.sign === -1 ? 1 : -1 } : placed;
}

function compileCurve(source: Static<typeof Curve>, field: string): CurveSpec {
  switch (source.kind) {
    case 'nurbs': {
      const { kind, degree: p, points_m: points, weights } = source;
      const curve = { kind, degree: p, knots: source.knots, points, closed: source.closed };
      return weights === undefined ? curve : { ...curve, weights };
    }
    case 'line':
      return { kind: 'line', point: source.point_m, direction: source.direction_m };
    case 'circle':
      return {
        kind: 'circle',
        center: source.center_m,
        axis: unit(source.axis, `${field}.axis`),
        reference: unit(source.reference, `${field}.reference`),
        radius: source.radius_m,
      };
  }
}

function compileShape(source: Static<(typeof SHAPES)[number]>, field: string): SurfaceShape {
  switch (source.kind) {
    case 'nurbs': {
      const net = {
        kind: source.kind,
        degreeU: source.degree_u,
        degreeV: source.degree_v,
        knotsU: source.knots_u,
        knotsV: source.knots_v,
        points: source.points_m,
        closedU: source.closed_u,
        closedV: source.closed_v,
      };
      return source.weights === undefined ? net : { ...net, weights: source.weights };
    }
    case 'plane':
      return { kind: 'plane' };
    case 'cylinder':
    case 'sphere':
      return { kind: source.kind, radius: source.radius_m };
    case 'cone':
      return { kind: 'cone', radius: source.radius_m, halfAngle: source.half_angle_rad };
    case 'torus':
      return {
        kind: 'torus',
        majorRadius: source.major_radius_m,
        minorRadius: source.minor_radius_m,
      };
    case 'extrusion':
      return {
        kind: 'extrusion',
        curve: compileCurve(source.curve, `${field}.curve`),
        direction: source.direction_m,
      };
    case 'revolution':
      return {
        kind: 'revolution',
        curve: compileCurve(source.curve, `${field}.curve`),
        axisPoint: source.axis_point_m,
        axis: unit(source.axis, `${field}.axis`),
      };
  }
}
