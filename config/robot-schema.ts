/**
 * A robot file (`config/robots/*.yaml`): a tree of links, its drives and limits, its drawing and
 * its control. Every link and every moving joint names the source of its numbers. docs/robots.md
 * explains each field.
 */
import { type Static, type TObject, Type } from 'typebox';
import { Cells } from './cell-schema.ts';
import { LinkInertia } from './chain-schema.ts';
import { quantity, strict, triple } from './fields.ts';
import { Orientation } from './orientation.ts';

const positive = { exclusiveMinimum: 0 } as const;
const notNegative = { minimum: 0 } as const;
const Source = Type.String({
  minLength: 1,
  description: 'Where the numbers come from, or that they are assumed and why.',
});

const Rigid = Type.Object(
  {
    kind: Type.Literal('rigid'),
    mass_kg: quantity('kg', {
      ...notNegative,
      description: '0 only where something with mass moves along.',
    }),
    center_m: triple('m', {
      default: [0, 0, 0],
      description: 'Centre of mass in the frame of the link, which lies at its joint.',
    }),
    inertia: LinkInertia,
  },
  { ...strict, description: 'The inertia is about the centre of mass.' },
);

const Beam = Type.Object(
  {
    kind: Type.Literal('beam'),
    mass_kg: quantity('kg', positive),
    length_m: quantity('m', { ...positive, description: 'Along x, from the joint.' }),
    bending_stiffness_N_m2: Type.Tuple([quantity('N*m^2', positive), quantity('N*m^2', positive)], {
      description: 'E I for deflection in y and in z.',
    }),
    modes: Type.Tuple(
      [Type.Integer({ minimum: 0, maximum: 6 }), Type.Integer({ minimum: 0, maximum: 6 })],
      { description: 'Clamped–free modes for deflection in y and in z.' },
    ),
    damping_ratio: Type.Number({
      ...notNegative,
      maximum: 1,
      default: 0.01,
      description: 'Of each mode, part of critical.',
    }),
    torsional_inertia_kg_m2: quantity('kg*m^2', { ...notNegative, default: 0 }),
    centrifugal_stiffening: Type.Boolean({ default: false }),
  },
  { ...strict, description: 'A uniform beam; children begin at its tip and turn with it.' },
);

const JointName = Type.Optional(
  Type.String({ minLength: 1, description: 'Name of the link if left out.' }),
);
const Axis = triple('', { description: 'In the frame of the link, normalised on load.' });
const Tracking = Type.Object(
  {
    bandwidth_radps: quantity('rad/s', { ...positive, default: 5 }),
    damping_ratio: Type.Number({ ...positive, maximum: 10, default: 1 }),
  },
  { ...strict, default: {}, description: 'How controllers let the joint follow its set-point.' },
);
const rest = { default: 0, description: 'Of the home configuration.' } as const;

const Revolute = Type.Object(
  {
    kind: Type.Literal('revolute'),
    name: JointName,
    axis: Axis,
    home_rad: quantity('rad', rest),
    rate_radps: quantity('rad/s', { default: 0, description: 'At time zero.' }),
    lower_rad: Type.Optional(quantity('rad')),
    upper_rad: Type.Optional(quantity('rad')),
    rate_limit_radps: Type.Optional(quantity('rad/s', positive)),
    effort_limit_Nm: Type.Optional(quantity('N*m', positive)),
    tracking: Tracking,
    drive: Type.Optional(
      Type.Object(
        {
          rotor_inertia_kg_m2: quantity('kg*m^2', {
            ...positive,
            description: 'Reflected to the joint.',
          }),
          stiffness_Nm_per_rad: Type.Optional(
            quantity('N*m/rad', {
              ...positive,
              description: 'Between rotor and link; rigid if left out.',
            }),
          ),
          damping_Nms_per_rad: quantity('N*m*s/rad', { ...notNegative, default: 0 }),
        },
        strict,
      ),
    ),
    friction: Type.Optional(
      Type.Object(
        {
          stiction_Nm: quantity('N*m', notNegative),
          coulomb_Nm: quantity('N*m', notNegative),
          bristle_stiffness_Nm_per_rad: quantity('N*m/rad', positive),
          bristle_damping_Nms_per_rad: Type.Optional(
            quantity('N*m*s/rad', {
              ...positive,
              description:
                'Coulomb level / (2 Stribeck speed) if left out: the least that cannot give energy back.',
            }),
          ),
          viscous_Nms_per_rad: quantity('N*m*s/rad', { ...notNegative, default: 0 }),
          stribeck_speed_radps: quantity('rad/s', positive),
          dwell_s: quantity('s', { ...positive, default: 1 }),
        },
        strict,
      ),
    ),
    source: Source,
  },
  strict,
);

const Prismatic = Type.Object(
  {
    kind: Type.Literal('prismatic'),
    name: JointName,
    axis: Axis,
    home_m: quantity('m', rest),
    rate_mps: quantity('m/s', { default: 0, description: 'At time zero.' }),
    lower_m: Type.Optional(quantity('m')),
    upper_m: Type.Optional(quantity('m')),
    rate_limit_mps: Type.Optional(quantity('m/s', positive)),
    effort_limit_N: Type.Optional(quantity('N', positive)),
    tracking: Tracking,
    drive: Type.Optional(
      Type.Object(
        {
          rotor_mass_kg: quantity('kg', { ...positive, description: 'Reflected to the joint.' }),
          stiffness_N_per_m: Type.Optional(
            quantity('N/m', {
              ...positive,
              description: 'Between rotor and link; rigid if left out.',
            }),
          ),
          damping_Ns_per_m: quantity('N*s/m', { ...notNegative, default: 0 }),
        },
        strict,
      ),
    ),
    friction: Type.Optional(
      Type.Object(
        {
          stiction_N: quantity('N', notNegative),
          coulomb_N: quantity('N', notNegative),
          bristle_stiffness_N_per_m: quantity('N/m', positive),
          bristle_damping_Ns_per_m: Type.Optional(
            quantity('N*s/m', {
              ...positive,
              description:
                'Coulomb level / (2 Stribeck speed) if left out: the least that cannot give energy back.',
            }),
          ),
          viscous_Ns_per_m: quantity('N*s/m', { ...notNegative, default: 0 }),
          stribeck_speed_mps: quantity('m/s', positive),
          dwell_s: quantity('s', { ...positive, default: 1 }),
        },
        strict,
      ),
    ),
    source: Source,
  },
  strict,
);

const Joint = Type.Union([
  Revolute,
  Prismatic,
  Type.Object(
    {
      kind: Type.Literal('spherical'),
      home_orientation: Orientation,
      angular_velocity_radps: triple('rad/s', {
        default: [0, 0, 0],
        description: 'At time zero, end frame of the parent.',
      }),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('free'),
      home_position_m: triple('m', { default: [0, 0, 0] }),
      home_orientation: Orientation,
      velocity_mps: triple('m/s', { default: [0, 0, 0], description: 'At time zero.' }),
      angular_velocity_radps: triple('rad/s', { default: [0, 0, 0] }),
    },
    { ...strict, description: 'Six freedoms: a floating base.' },
  ),
  Type.Object({ kind: Type.Literal('fixed') }, strict),
]);

const Link = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    parent: Type.Optional(
      Type.String({ minLength: 1, description: 'Name of a link; the base if left out.' }),
    ),
    position_m: triple('m', {
      default: [0, 0, 0],
      description:
        'The joint in the end frame of the parent: its own, or that at the tip of a beam.',
    }),
    orientation: Orientation,
    joint: Joint,
    body: Type.Union([Rigid, Beam]),
    drawing: Cells,
    source: Source,
  },
  strict,
);

const Frame = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    link: Type.String({ minLength: 1 }),
    position_m: triple('m', { default: [0, 0, 0], description: 'In the end frame of the link.' }),
    orientation: Orientation,
    source: Source,
  },
  strict,
);

const Control = Type.Object(
  {
    tool_frame: Type.Optional(
      Type.String({ minLength: 1, description: 'What hand controllers move; the last frame.' }),
    ),
    maximum_speed_mps: quantity('m/s', { ...positive, default: 0.1 }),
    maximum_angular_speed_radps: quantity('rad/s', { ...positive, default: 0.1 }),
    characteristic_length_m: quantity('m', {
      ...positive,
      default: 1,
      description: 'Turns angles into lengths in condition numbers.',
    }),
    slow_condition: Type.Number({
      minimum: 1,
      default: 17,
      description: 'Condition number of the Jacobian from which motion slows down …',
    }),
    stop_condition: Type.Number({ minimum: 1, default: 30, description: '… and where it stops.' }),
    joint_margin_rad: quantity('rad', {
      ...notNegative,
      default: 0.1,
      description: 'Way to a joint limit over which the joint slows down.',
    }),
    source: Type.String({ minLength: 1, default: 'assumed: the defaults of the schema' }),
  },
  { ...strict, default: {}, description: 'What resolved-rate motion starts from.' },
);

const Mount = Type.Object(
  {
    robot: Type.String({ minLength: 1, description: 'Name or file of the robot that carries.' }),
    frame: Type.String({ minLength: 1, description: 'Its frame that the base is bolted to.' }),
  },
  strict,
);

/** Schema of a robot file. */
export const RobotSchema = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    title: Type.String({ minLength: 1 }),
    description: Type.String({ default: '' }),
    sources: Type.Array(
      Type.Object(
        { key: Type.String({ minLength: 1 }), text: Type.String({ minLength: 1 }) },
        { ...strict, description: 'What `source` fields refer to by [key].' },
      ),
      { default: [] },
    ),
    base: Type.Object(
      {
        position_m: triple('m', {
          default: [0, 0, 0],
          description: 'In the world, or in the frame that it is mounted on.',
        }),
        orientation: Orientation,
      },
      { ...strict, default: {} },
    ),
    mount: Type.Optional(Mount),
    robot: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Name or file of a robot that this is, placed or mounted as said here; in place of links.',
      }),
    ),
    links: Type.Array(Link, { default: [] }),
    frames: Type.Array(Frame, { default: [] }),
    control: Control,
  },
  { ...strict, title: 'Berth robot' },
) satisfies TObject;

/** A robot file with defaults and SI values. */
export type RobotFile = Static<typeof RobotSchema>;
/** One link of a robot file. */
export type RobotFileLink = RobotFile['links'][number];
