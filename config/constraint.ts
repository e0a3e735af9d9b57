/** Constraints of a scenario: their fields with units, and their compilation. docs/theory/locks.md. */
import { type Static, type TLiteral, type TNumber, type TObject, Type } from 'typebox';
import { JOINT_MASKS, type JointKind, type JointMask } from '../src/constraints/joint-masks.ts';
import type { SlidingSurfaceModel } from '../src/model/constraint-spec.ts';
import type {
  ConstraintModel,
  MarkerAxis,
  MarkerModel,
  MotionLawModel,
} from '../src/model/model.ts';
import { quantity, strict, triple } from './fields.ts';
import { compileOrientation, Orientation } from './orientation.ts';
import type { StepFaces } from './step/step-faces.ts';
import { compileFace, FaceSource } from './surface-schema.ts';

const Marker = Type.Object(
  {
    body: Type.Optional(
      Type.String({ description: 'A body or a link of a chain; left out, the world.' }),
    ),
    position_m: triple('m', {
      default: [0, 0, 0],
      description: 'In the frame of the body, from its centre of mass.',
    }),
    orientation: Orientation,
  },
  { ...strict, description: 'A frame that is fixed to a body or to the world.' },
);

const Axis = Type.Union([Type.Literal('x'), Type.Literal('y'), Type.Literal('z')], {
  description: 'Of the second marker.',
});

const zero = { default: 0 } as const;

const Shift = Type.Union([
  Type.Object({ kind: Type.Literal('constant'), value_m: quantity('m') }, strict),
  Type.Object(
    {
      kind: Type.Literal('ramp'),
      value_m: quantity('m', { ...zero, description: 'At time zero.' }),
      rate_mps: quantity('m/s'),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('sine'),
      offset_m: quantity('m', zero),
      amplitude_m: quantity('m'),
      frequency_Hz: quantity('Hz', { exclusiveMinimum: 0 }),
      phase_rad: quantity('rad', zero),
    },
    strict,
  ),
  cycloidal({ time_s: quantity('s'), value_m: quantity('m') }),
]);

const Turn = Type.Union([
  Type.Object({ kind: Type.Literal('constant'), value_rad: quantity('rad') }, strict),
  Type.Object(
    {
      kind: Type.Literal('ramp'),
      value_rad: quantity('rad', { ...zero, description: 'At time zero.' }),
      rate_radps: quantity('rad/s'),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('sine'),
      offset_rad: quantity('rad', zero),
      amplitude_rad: quantity('rad'),
      frequency_Hz: quantity('Hz', { exclusiveMinimum: 0 }),
      phase_rad: quantity('rad', zero),
    },
    strict,
  ),
  cycloidal({ time_s: quantity('s'), value_rad: quantity('rad') }),
]);

const literal = (name: JointKind): TLiteral<JointKind> => Type.Literal(name);

const Joint = Type.Union((Object.keys(JOINT_MASKS) as JointKind[]).map(literal), {
  description: 'What the lock leaves free, in axes of the second marker.',
});

const Lock = Type.Object(
  {
    kind: Type.Literal('lock'),
    name: Type.String({ minLength: 1 }),
    joint: Joint,
    first: Marker,
    second: Marker,
    shift: Type.Optional(
      Type.Object(
        { axis: Axis, motion: Shift },
        { ...strict, description: 'Imposes the place of the first marker along an axis.' },
      ),
    ),
    turn: Type.Optional(
      Type.Object(
        { axis: Axis, motion: Turn },
        { ...strict, description: 'Imposes the turn of the first marker about an axis.' },
      ),
    ),
  },
  strict,
);

const SlidingSurface = Type.Object(
  {
    body: Type.Optional(
      Type.String({ description: 'A body or a link of a chain; left out, the world.' }),
    ),
    face: FaceSource,
    near: Type.Tuple([Type.Number(), Type.Number()], {
      description: 'Parameters u and v of the surface near the point of contact at the start.',
    }),
  },
  strict,
);

const Sliding = Type.Object(
  {
    kind: Type.Literal('sliding'),
    name: Type.String({ minLength: 1 }),
    first: SlidingSurface,
    second: SlidingSurface,
    unilateral: Type.Optional(
      Type.Object(
        {
          restitution: Type.Number({
            minimum: 0,
            maximum: 1,
            default: 0,
            description: 'Speed apart after an impact over the one before.',
          }),
          small_velocity_mps: quantity('m/s', {
            minimum: 0,
            default: 0.01,
            description:
              'Impacts up to this speed have no restitution: the surfaces stay in touch.',
          }),
        },
        {
          ...strict,
          description:
            'The surfaces only press: they part where they would have to pull, and meet again.',
        },
      ),
    ),
  },
  { ...strict, description: 'Two smooth surfaces that touch in a point and stay in touch.' },
);

/** One constraint of a scenario. */
export const Constraint = Type.Union([Lock, Sliding]);

type LockSource = Static<typeof Lock>;

/** Compiles one constraint; `index` is its position in the file. */
export function compileConstraint(
  source: Static<typeof Constraint>,
  index: number,
): ConstraintModel {
  const field = `constraints[${index}]`;
  if (source.kind === 'lock') return compileLock(source, field);
  const { name, first, second, unilateral } = source;
  const files = new Map<string, StepFaces>();
  const side = (of: typeof first, where: string): SlidingSurfaceModel => ({
    body: of.body ?? null,
    surface: compileFace(of.face, `${field}.${where}.face`, files),
  });
  return {
    kind: 'sliding',
    name,
    first: side(first, 'first'),
    second: side(second, 'second'),
    start: [...first.near, ...second.near],
    ...(unilateral === undefined
      ? {}
      : {
          unilateral: {
            restitution: unilateral.restitution,
            smallVelocity: unilateral.small_velocity_mps,
          },
        }),
  };
}

function compileLock(source: LockSource, field: string): ConstraintModel {
  const mask: JointMask = JOINT_MASKS[source.joint];
  const { shift, turn } = source;
  return {
    kind: 'lock',
    name: source.name,
    first: markerOf(source.first, `${field}.first`),
    second: markerOf(source.second, `${field}.second`),
    translation: withAxis(mask.translation, shift?.axis),
    rotation: withAxis(mask.rotation, turn?.axis),
    ...(mask.square === true ? { square: true } : {}),
    ...(shift === undefined
      ? {}
      : { translationMotion: { axis: shift.axis, law: shiftLaw(shift.motion) } }),
    ...(turn === undefined
      ? {}
      : { rotationMotion: { axis: turn.axis, law: turnLaw(turn.motion) } }),
  };
}

function cycloidal<Fields extends { time_s: TNumber }>(
  fields: Fields,
): TObject<{
  kind: ReturnType<typeof Type.Literal<'cycloidal'>>;
  points: ReturnType<typeof Type.Array<TObject<Fields>>>;
}> {
  return Type.Object(
    {
      kind: Type.Literal('cycloidal'),
      points: Type.Array(Type.Object(fields, strict), { minItems: 2 }),
    },
    { ...strict, description: 'At rest at each point, straight cycloids between them.' },
  );
}

function markerOf(source: LockSource['first'], field: string): MarkerModel {
  return {
    body: source.body ?? null,
    position: source.position_m,
    orientation: compileOrientation(source.orientation, `${field}.orientation`),
  };
}

/** A motion holds its axis, which the joint may leave free. */
function withAxis(
  axes: readonly MarkerAxis[],
  axis: MarkerAxis | undefined,
): readonly MarkerAxis[] {
  return axis === undefined || axes.includes(axis) ? axes : [...axes, axis];
}

function shiftLaw(source: NonNullable<LockSource['shift']>['motion']): MotionLawModel {
  switch (source.kind) {
    case 'constant':
      return { kind: 'constant', value: source.value_m };
    case 'ramp':
      return { kind: 'ramp', value: source.value_m, rate: source.rate_mps };
    case 'sine':
      return {
        kind: 'sine',
        offset: source.offset_m,
        amplitude: source.amplitude_m,
        frequency: source.frequency_Hz,
        phase: source.phase_rad,
      };
    case 'cycloidal':
      return {
        kind: 'cycloidal',
        points: source.points.map(({ time_s, value_m }) => ({ time: time_s, position: [value_m] })),
      };
  }
}

function turnLaw(source: NonNullable<LockSource['turn']>['motion']): MotionLawModel {
  switch (source.kind) {
    case 'constant':
      return { kind: 'constant', value: source.value_rad };
    case 'ramp':
      return { kind: 'ramp', value: source.value_rad, rate: source.rate_radps };
    case 'sine':
      return {
        kind: 'sine',
        offset: source.offset_rad,
        amplitude: source.amplitude_rad,
        frequency: source.frequency_Hz,
        phase: source.phase_rad,
      };
    case 'cycloidal':
      return {
        kind: 'cycloidal',
        points: source.points.map(({ time_s, value_rad }) => ({
          time: time_s,
          position: [value_rad],
        })),
      };
  }
}
