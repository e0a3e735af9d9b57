/**
 * The normal laws of a scenario file. The unit of a stiffness depends on the exponent, so each exponent is a kind of its own:
 * -linear for k δ, -hertz for k δ^1.5, -quadratic for k δ². docs/configuration.md explains each field.
 */
import { type Static, Type } from 'typebox';
import { quantity, strict } from './fields.ts';

const positive = { exclusiveMinimum: 0 } as const;
const notNegative = { minimum: 0 } as const;

const restitution = { restitution: Type.Number({ exclusiveMinimum: 0, maximum: 1 }) } as const;

const hysteretic = {
  ...restitution,
  small_velocity_mps: quantity('m/s', {
    ...positive,
    default: 0.001,
    description: 'Stands in for impact speeds below it.',
  }),
  damping: Type.Union(
    [
      Type.Literal('exact'),
      Type.Literal('hunt-crossley'),
      Type.Literal('lankarani-nikravesh'),
      Type.Literal('flores'),
    ],
    { default: 'exact', description: 'Only exact returns the restitution that is asked for.' },
  ),
  relaxation_time_s: quantity('s', {
    ...notNegative,
    default: 0,
    description: 'Time constant of relaxed penetration; 0 switches it off.',
  }),
} as const;

const modulus = {
  contact_modulus_N_per_m2: Type.Optional(
    quantity('N/m^2', {
      ...positive,
      description: 'E* of the two bodies: 1/E* is the sum of (1 − ν²)/E.',
    }),
  ),
  materials: Type.Optional(
    Type.Tuple([Type.String({ minLength: 1 }), Type.String({ minLength: 1 })], {
      description: 'Names from config/materials/, in either order, in place of the modulus.',
    }),
  ),
} as const;

const allowTension = {
  allow_tension: Type.Boolean({
    default: false,
    description: 'Lets the damping pull; otherwise the force ends at 0.',
  }),
} as const;

const slope = {
  restitution_slope_s_per_m: quantity('s/m', {
    ...notNegative,
    description: 'α of e = 1 − α v at low speed.',
  }),
  ...allowTension,
} as const;

const linear = { stiffness_N_per_m: quantity('N/m', positive) } as const;
const hertz = { stiffness_N_per_m1_5: quantity('N/m^1.5', positive) } as const;
const quadratic = { stiffness_N_per_m2: quantity('N/m^2', positive) } as const;

/** Every normal law, told apart by `kind`. */
export const NormalLaw = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('hysteretic-hertz'),
      stiffness_N_per_m1_5: Type.Optional(hertz.stiffness_N_per_m1_5),
      ...modulus,
      ...hysteretic,
    },
    {
      ...strict,
      description:
        'f = k δ^1.5 (1 + A δ̇); k is given, or follows from the modulus or the materials and the radius of the pair.',
    },
  ),
  Type.Object(
    { kind: Type.Literal('hysteretic-linear'), ...linear, ...hysteretic },
    { ...strict, description: 'f = k δ (1 + A δ̇)' },
  ),
  Type.Object(
    { kind: Type.Literal('hysteretic-quadratic'), ...quadratic, ...hysteretic },
    { ...strict, description: 'f = k δ² (1 + A δ̇)' },
  ),
  Type.Object(
    {
      kind: Type.Literal('modia3d'),
      ...modulus,
      restitution: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'cor; left out, that of the pair of materials.',
        }),
      ),
      small_velocity_mps: Type.Optional(
        quantity('m/s', {
          ...positive,
          description:
            'Impacts up to this speed do not bounce; left out, that of the pair of materials or 0.01.',
        }),
      ),
      maximum_damping_s_per_m: quantity('s/m', {
        ...positive,
        default: 2000,
        description: 'An explicit step h needs maximum damping times g h below 2.',
      }),
      reduction_factor: Type.Number({
        ...positive,
        maximum: 1,
        default: 1,
        description: 'Softens the contact for a fixed step.',
      }),
      damping: Type.Union([Type.Literal('flores'), Type.Literal('exact')], {
        default: 'flores',
        description: 'flores is that of Modia3D; exact returns the restitution that is asked for.',
      }),
      ...allowTension,
    },
    { ...strict, description: 'f = k_red 4/3 √R E* δ^1.5 (1 + d δ̇), d fixed at onset' },
  ),
  Type.Object(
    { kind: Type.Literal('restitution-slope-linear'), ...linear, ...slope },
    { ...strict, description: 'f = k δ (1 + 1.5 α δ̇)' },
  ),
  Type.Object(
    { kind: Type.Literal('restitution-slope-hertz'), ...hertz, ...slope },
    { ...strict, description: 'f = k δ^1.5 (1 + 1.5 α δ̇)' },
  ),
  Type.Object(
    { kind: Type.Literal('restitution-slope-quadratic'), ...quadratic, ...slope },
    { ...strict, description: 'f = k δ² (1 + 1.5 α δ̇)' },
  ),
  Type.Object(
    {
      kind: Type.Literal('kelvin-voigt'),
      ...linear,
      damping_N_s_per_m: quantity('N*s/m', notNegative),
      ...allowTension,
    },
    { ...strict, description: 'f = k δ + c δ̇, for comparison: the force jumps at touch' },
  ),
  Type.Object(
    {
      kind: Type.Literal('volumetric'),
      stiffness_N_per_m3: quantity('N/m^3', {
        ...positive,
        description: 'k_v of the pair: 1/k_v is the sum of 1/k_v of the bodies.',
      }),
      ...restitution,
      small_velocity_mps: hysteretic.small_velocity_mps,
      relaxation_time_s: quantity('s', {
        ...notNegative,
        default: 0,
        description: 'Time constant of the relaxed volume; 0 switches it off.',
      }),
    },
    { ...strict, description: 'f = k_v V (1 + A δ̇); needs a volumetric pair' },
  ),
]);

/** A normal law with every default filled in and every value in SI. */
export type ScenarioNormalLaw = Static<typeof NormalLaw>;
