/** `tool.robot.control` of a scenario: how the simulated arm follows its reference. docs/theory/arm.md, Control laws. */
import { type TArray, type TNumber, Type } from 'typebox';
import { quantity, strict, triple } from './fields.ts';

const positive = { exclusiveMinimum: 0 } as const;
const notNegative = { minimum: 0 } as const;

const rows = (what: string, least: typeof positive | typeof notNegative): TArray<TNumber> =>
  Type.Array(Type.Number(least), {
    minItems: 1,
    maxItems: 6,
    description: `${what}, a value for each of tool.robot.axes.`,
  });

const ForceCorrection = Type.Object(
  {
    form: Type.Union([Type.Literal('integral'), Type.Literal('repeated')], {
      default: 'integral',
      description:
        'integral: an error of the force moves the reference steadily; repeated: by error over stiffness, each time that time_s is over.',
    }),
    force_N: quantity('N', { description: 'That the arm is to exert along the direction.' }),
    direction: triple('', { description: 'In the axes of the target, any length above zero.' }),
    start_s: quantity('s', {
      ...notNegative,
      default: 0,
      description: 'On the clock of the path.',
    }),
    time_s: quantity('s', {
      ...positive,
      default: 2,
      description: 'Time constant of the integral form, pause of the repeated one.',
    }),
  },
  {
    ...strict,
    description:
      'Moves the reference until the steady force is right: the arm bends, which its law does not see.',
  },
);

const task = {
  mass: rows('Apparent mass, kg or kg m²', positive),
  damping: rows('N s/m or N m s/rad', notNegative),
  stiffness: rows('N/m or N m/rad', notNegative),
  target: Type.Optional(
    Type.String({
      description:
        'Body that the reference goes with and whose axes the path has; the world when left out.',
    }),
  ),
  path: Type.Optional(
    Type.Array(
      Type.Object(
        { time_s: quantity('s'), position_m: triple('m', { description: 'Of the tool point.' }) },
        strict,
      ),
      {
        minItems: 2,
        description:
          'Points that the reference passes at rest, in the axes of the target, from where the tool point starts; the command moves it beside that.',
      },
    ),
  ),
  force_correction: Type.Optional(ForceCorrection),
} as const;

/** Schema of `tool.robot.control`: one alternative for each control law. */
export const ArmControl = Type.Union([
  Type.Object(
    { kind: Type.Literal('resolved-rate') },
    { ...strict, description: 'Servos lead the joints with the rates of the reference.' },
  ),
  Type.Object(
    {
      kind: Type.Literal('computed-torque'),
      bandwidth_radps: quantity('rad/s', positive),
      damping_ratio: Type.Number({ ...positive, default: 1 }),
    },
    { ...strict, description: 'The same rates, with the dynamics of the rigid arm taken out.' },
  ),
  Type.Object(
    {
      kind: Type.Literal('impedance'),
      ...task,
      self_motion_damping_per_s: Type.Number({
        ...notNegative,
        default: 1,
        description:
          'Rate at which the motion of a redundant arm that leaves the axes alone dies out, 1/s; 0 lets it drift.',
      }),
    },
    { ...strict, description: 'The tool point is a mass on a spring and damper.' },
  ),
  Type.Object(
    {
      kind: Type.Literal('composite'),
      ...task,
      state_cost: Type.Number({
        ...positive,
        default: 1,
        description: 'Of elastic forces and their rates: Q is that times the unit matrix.',
      }),
      torque_cost: Type.Number({ ...positive, default: 1, description: 'R, likewise.' }),
      design_joints: Type.Optional(
        Type.Array(Type.Number(), {
          description:
            'Joint values for which the regulator is made, rad or m; the start when left out.',
        }),
      ),
    },
    { ...strict, description: 'Impedance, and a regulator of the bending of the links.' },
  ),
]);
