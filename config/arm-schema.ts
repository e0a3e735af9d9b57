/** `tool.robot` of a scenario: the simulated arm as an articulated robot. docs/theory/arm.md. */
import { Type } from 'typebox';
import { ArmControl } from './arm-control-schema.ts';
import { LinkInertia } from './chain-schema.ts';
import { JOINT_UNITS, quantity, strict, triple } from './fields.ts';
import { Orientation } from './orientation.ts';

const positive = { exclusiveMinimum: 0 } as const;

const Payload = Type.Object(
  {
    mass_kg: quantity('kg', positive),
    center_m: triple('m', {
      default: [0, 0, 0],
      description: 'Centre of mass in the frame of the payload.',
    }),
    moments_kg_m2: triple('kg*m^2', {
      description: 'Ixx, Iyy, Izz about its centre, axes of the payload.',
    }),
  },
  {
    ...strict,
    description:
      'What the arm carries: the mass that the real payload would have. Nothing when left out.',
  },
);

const Orbit = Type.Object(
  {
    rate_radps: quantity('rad/s', { ...positive, description: 'Of a circular orbit.' }),
    radial: triple('', { default: [1, 0, 0], description: 'Away from the Earth, world.' }),
    normal: triple('', { default: [0, 0, 1], description: 'Normal of the orbit, world.' }),
  },
  {
    ...strict,
    description:
      'The origin of the world goes round the Earth, its axes turn along: the arm feels that. Left out, the world rests.',
  },
);

const Free = Type.Object(
  {
    mass_kg: quantity('kg', positive),
    center_m: triple('m', {
      default: [0, 0, 0],
      description: 'Centre of mass in the frame of the base.',
    }),
    inertia: LinkInertia,
    velocity_mps: triple('m/s', {
      default: [0, 0, 0],
      description: "Of the base's origin at the start, world.",
    }),
    angular_velocity_radps: triple('rad/s', {
      default: [0, 0, 0],
      description: 'At the start, world.',
    }),
  },
  {
    ...strict,
    description:
      'The base is part of a spacecraft that floats and gives way to the arm. The inertia is about the centre of mass. Left out, the base stands.',
  },
);

const Sway = Type.Object(
  {
    amplitude_m: triple('m', { default: [0, 0, 0], description: 'Along x, y, z of the world.' }),
    rate_radps: triple('rad/s', { default: [0, 0, 0] }),
    phase_rad: triple('rad', { default: [0, 0, 0] }),
    turn: Type.Object(
      {
        axis: triple('', { default: [0, 0, 1], description: 'World.' }),
        amplitude_rad: quantity('rad', { default: 0 }),
        rate_radps: quantity('rad/s', { default: 0 }),
        phase_rad: quantity('rad', { default: 0 }),
      },
      { ...strict, default: {}, description: 'About an axis through the origin of the base.' },
    ),
  },
  {
    ...strict,
    description:
      'Others move the base: amplitude × (sin(rate t + phase) − sin phase) from where it stands, in every motion of the arm. Left out, nobody does.',
  },
);

/** Schema of `tool.robot`. */
export const ArmRobot = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      description: 'Robot of config/robots, or the path of a robot or URDF file.',
    }),
    frame: Type.Optional(
      Type.String({
        description: 'Frame of the robot that holds the payload; its last when left out.',
      }),
    ),
    grasp: Type.Object(
      {
        position_m: triple('m', { default: [0, 0, 0] }),
        orientation: Orientation,
      },
      { ...strict, default: {}, description: 'Frame of the payload in that frame.' },
    ),
    joints: Type.Optional(
      Type.Array(Type.Unsafe<number | string>(Type.Number({ unit: JOINT_UNITS })), {
        description:
          'Joint values at the start, base to tip, rad or m, or with a unit; those of the robot when left out.',
      }),
    ),
    place: Type.Union([Type.Literal('base'), Type.Literal('joints'), Type.Literal('given')], {
      default: 'base',
      description:
        'What gives way so that the arm begins at the payload: its base, its joints by inverse kinematics, or nothing (refused when it does not).',
    }),
    base: Type.Object(
      {
        position_m: triple('m', { default: [0, 0, 0], description: 'Not with place base.' }),
        orientation: Orientation,
        orbit: Type.Optional(Orbit),
        free: Type.Optional(Free),
        sway: Type.Optional(Sway),
      },
      { ...strict, default: {}, description: 'Where the base stands, world.' },
    ),
    payload: Type.Optional(Payload),
    axes: Type.Optional(
      Type.Array(
        Type.Union([
          Type.Literal('x'),
          Type.Literal('y'),
          Type.Literal('z'),
          Type.Literal('rx'),
          Type.Literal('ry'),
          Type.Literal('rz'),
        ]),
        {
          minItems: 1,
          maxItems: 6,
          uniqueItems: true,
          description:
            'What the arm moves of the payload: velocity along and angular velocity about the axes of the world. All six when left out; an arm with fewer joints names what it can.',
        },
      ),
    ),
    control: Type.Optional(ArmControl),
    driven: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 8,
        description:
          'Joints that move the payload, counted from it; the others hold. All when left out, of more than eight the last seven.',
      }),
    ),
    servo: Type.Optional(
      Type.Object(
        {
          bandwidth_radps: quantity('rad/s', positive),
          damping_ratio: Type.Number({ ...positive, default: 0.8 }),
        },
        { ...strict, description: 'Of every joint, in place of those of the robot.' },
      ),
    ),
  },
  {
    ...strict,
    description: 'The arm as an articulated tree; left out, the arm follows its reference itself.',
  },
);
