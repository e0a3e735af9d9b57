/** Scripted flights: steps with waypoints, speeds and force limits, and what ends each. docs/scripted-flights.md explains each field. */
import { type Static, type TProperties, Type } from 'typebox';
import { quantity, strict, triple } from './fields.ts';
import { GivenOrientation } from './orientation.ts';

const positive = { exclusiveMinimum: 0 } as const;

/** A quantity that is above or below a value, or between two. */
const range = (unit: string, description: string) => {
  const bound = unit === '' ? Type.Number() : quantity(unit);
  return Type.Optional(
    Type.Object(
      { above: Type.Optional(bound), below: Type.Optional(bound) },
      { ...strict, description },
    ),
  );
};

/** Quantities that a rule compares with bounds. */
const RANGES = {
  depth_m: range('m', 'From the mouth of the seat along the way in.'),
  depth_ratio: range('', 'Depth over the full depth of the insertion.'),
  remaining_m: range('m', 'Full depth of the insertion less depth.'),
  off_axis_m: range('m', 'From the axis of the way in to the tool point.'),
  tilt_rad: range('rad', 'Angle to the seated orientation.'),
  x_m: range('m', 'Tool point in the frame of the step.'),
  y_m: range('m', 'Tool point in the frame of the step.'),
  z_m: range('m', 'Tool point in the frame of the step.'),
  force_N: range('N', 'Length of the force on the tool.'),
  moment_Nm: range('N*m', 'Length of the moment on the tool about the tool point.'),
  push_N: range('N', 'Force on the tool against the direction `along` of the step.'),
  plateau_ratio: range('', 'Push over the force that the accommodation law has at rest.'),
  pairs: range('', 'Pairs of cells that touch.'),
} as const satisfies TProperties;

/** Name of a quantity that a rule compares with bounds. */
export type RangeName = keyof typeof RANGES;

/** Every such name. */
export const RANGE_NAMES = Object.keys(RANGES) as readonly RangeName[];

/** Axes of the accommodation, in the order of `fma.set`. */
export const ACCOMMODATING = [
  'force_x',
  'force_y',
  'force_z',
  'moment_x',
  'moment_y',
  'moment_z',
] as const;

const conditions = {
  ...RANGES,
  contact: Type.Optional(Type.Boolean({ description: 'Whether anything touches the tool.' })),
  flown: Type.Optional(
    Type.String({ minLength: 1, description: 'A step with `once` that this flight has flown.' }),
  ),
} as const satisfies TProperties;

const go = Type.String({
  minLength: 1,
  description: 'Step that follows, `next`, `end`, or `fail`.',
});

const Rule = Type.Object(
  {
    ...conditions,
    stalled: Type.Optional(
      Type.Object(
        {
          less_than_m: quantity('m', positive),
          in_s: quantity('s', { exclusiveMinimum: 0, maximum: 60 }),
        },
        { ...strict, description: 'The tool point goes less far along `along` in this time.' },
      ),
    ),
    reached: Type.Optional(
      Type.Boolean({ description: 'Waypoint and orientation are reached, to the tolerances.' }),
    ),
    after_s: Type.Optional(
      quantity('s', { minimum: 0, description: 'The step has taken so long.' }),
    ),
    held_s: Type.Optional(
      quantity('s', { minimum: 0, description: 'All of it holds for so long.' }),
    ),
    go: Type.String({ ...go, default: 'next' }),
    report: Type.Optional(Type.String({ minLength: 1, description: 'Words for the operator.' })),
  },
  { ...strict, description: 'All conditions of one rule hold together.' },
);

const speeds = {
  speed_mps: Type.Optional(quantity('m/s', { ...positive, description: 'Towards a waypoint.' })),
  angular_speed_radps: Type.Optional(
    quantity('rad/s', { ...positive, description: 'Towards an orientation.' }),
  ),
  force_limit_N: Type.Optional(
    quantity('N', { ...positive, description: 'More ends the flight.' }),
  ),
  moment_limit_Nm: Type.Optional(
    quantity('N*m', { ...positive, description: 'More ends the flight.' }),
  ),
} as const satisfies TProperties;

const Step = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    frame: Type.Union([Type.Literal('base'), Type.Literal('way'), Type.Literal('here')], {
      default: 'base',
      description:
        'Frame of the vectors of this step: of the robot, of the way into the seat, or of the tool where the step begins.',
    }),
    position_m: Type.Optional(triple('m', { description: 'Waypoint of the tool point.' })),
    velocity_mps: Type.Optional(triple('m/s', { description: 'In place of a waypoint.' })),
    orientation: Type.Optional(GivenOrientation),
    angular_velocity_radps: Type.Optional(
      triple('rad/s', { description: 'In place of an orientation.' }),
    ),
    ...speeds,
    tolerance_m: quantity('m', {
      ...positive,
      default: 1e-3,
      description: 'The waypoint is reached.',
    }),
    tolerance_rad: quantity('rad', {
      ...positive,
      default: 0.005,
      description: 'The orientation is reached.',
    }),
    along: Type.Optional(
      triple('', { description: 'Direction of `push_N`, `plateau_ratio` and `stalled`.' }),
    ),
    once: Type.Boolean({
      default: false,
      description: 'Passed over when an interrupted flight goes on after it.',
    }),
    goal: Type.Boolean({
      default: false,
      description: 'The flight has come to what it is for when this step begins.',
    }),
    until: Type.Array(Rule, { default: [], description: 'The first rule that holds ends it.' }),
    timeout_s: quantity('s', {
      ...positive,
      default: 60,
      description: 'A step that takes longer fails; the goal may take any time.',
    }),
  },
  strict,
);

/** A flight file. */
export const FlightSchema = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    title: Type.String({ minLength: 1 }),
    description: Type.String({ default: '' }),
    scenario: Type.Optional(
      Type.String({ minLength: 1, description: 'Name of the only scenario that it is for.' }),
    ),
    ...speeds,
    accommodates: Type.Optional(
      Type.Array(Type.Union([...ACCOMMODATING.map((name) => Type.Literal(name))]), {
        uniqueItems: true,
        description: 'Axes that accommodate during the flight; the others are stiff.',
      }),
    ),
    begin: Type.Array(
      Type.Object({ ...conditions, go, report: Type.Optional(Type.String()) }, strict),
      {
        default: [],
        description: 'Where a flight begins: the first rule that holds, else the first step.',
      },
    ),
    steps: Type.Array(Step, { minItems: 1 }),
  },
  { ...strict, title: 'Berth flight' },
);

/** A flight file with defaults and SI values. */
export type FlightFile = Static<typeof FlightSchema>;
/** One step of it. */
export type FlightStep = FlightFile['steps'][number];
/** One rule of a step. */
export type FlightRule = FlightStep['until'][number];
