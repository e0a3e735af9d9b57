/**
 * Friction laws of a scenario file: the fields of each and its plain description.
 * docs/configuration.md explains each field.
 */
import { type Static, type TObject, Type } from 'typebox';
import type {
  BristleModel,
  CoulombModel,
  DahlModel,
  FrictionLawModel,
  FrictionlessModel,
  LuGreModel,
  RegularizedCoulombModel,
  StribeckModel,
  VolumetricBristleModel,
} from '../src/model/model.ts';
import { quantity } from './fields.ts';
import { compileKind, kind, schemaOf, type SourceOf } from './kinds.ts';
import {
  type Materials,
  materialNames,
  materials,
  numberOfPair,
  pairOfMaterials,
} from './materials.ts';

/** Default slip tolerance, m/s: that of all listed pairs of materials. */
const SMALL_VELOCITY = 0.01;

/** Deflection of a bristle at breakaway that is assumed of a robotic payload, m. `Gonthier 2007, (3.46)`. */
const PRE_SLIDING = 1e-4;
/** Load over mass at which bristles are critically damped, m/s². `(3.51)`. */
const GRAVITY = 9.81;

const positive = { exclusiveMinimum: 0 } as const;
const notNegative = { minimum: 0 } as const;

const regularization = Type.Union([Type.Literal('cubic'), Type.Literal('modia3d')], {
  default: 'modia3d',
  description: 'Smoothing of the direction through zero slip; slope at rest 3/2 or 3 over v_eps.',
});

const bristle = {
  stiction: Type.Optional(
    Type.Number({ ...notNegative, description: 'Left out, as coulomb: no stick-slip.' }),
  ),
  coulomb: Type.Number(notNegative),
  bristle_stiffness_per_m: Type.Optional(
    quantity('1/m', {
      ...positive,
      description: 'σ0; left out, stiction over a pre-sliding way of 0.1 mm.',
    }),
  ),
  bristle_damping_s_per_m: Type.Optional(
    quantity('s/m', {
      ...positive,
      description: 'σ1; left out, critical under the own weight: 2 √(σ0/g).',
    }),
  ),
  viscous_damping_s_per_m: quantity('s/m', { ...notNegative, default: 0 }),
  stribeck_velocity_mps: quantity('m/s', { ...positive, default: 0.001 }),
  dwell_time_s: quantity('s', {
    ...notNegative,
    default: 0,
    description: '0 switches the dwell effect off; else at least ten times σ1/σ0.',
  }),
  velocity_tolerance_mps: Type.Optional(
    quantity('m/s', {
      ...positive,
      description: 'At most a tenth of the Stribeck velocity; left out, a hundredth.',
    }),
  ),
  starts_sticking: Type.Boolean({ default: false }),
} as const;

const regularizedCoulomb = {
  coulomb: Type.Optional(
    Type.Number({ ...notNegative, description: 'Left out, that of the pair of materials.' }),
  ),
  materials: materialNames,
  regularization,
  velocity_tolerance_mps: Type.Optional(
    quantity('m/s', {
      ...positive,
      description:
        'Slip below which friction is not fully developed; left out, that of the pair of materials or 0.01.',
    }),
  ),
} as const;

const FRICTION_LAWS = {
  none: kind({}, (): FrictionlessModel => ({ kind: 'none' })),
  coulomb: kind(
    {
      stiction: Type.Optional(
        Type.Number({ ...notNegative, description: 'Left out, as coulomb: no stick-slip.' }),
      ),
      coulomb: Type.Number(notNegative),
    },
    ({ stiction, coulomb }): CoulombModel => ({
      kind: 'coulomb',
      stiction: stiction ?? coulomb,
      coulomb,
    }),
    'Each point of an elastic face sticks or slides, without smoothing. Needs a pair of kind patch.',
  ),
  'regularized-coulomb': kind(
    regularizedCoulomb,
    compileRegularizedCoulomb,
    'f_t = -mu f_n dir(v_t)',
  ),
  stribeck: kind(
    {
      stiction: Type.Number(notNegative),
      coulomb: Type.Number(notNegative),
      viscous_damping_s_per_m: quantity('s/m', { ...notNegative, default: 0 }),
      stribeck_velocity_mps: quantity('m/s', positive),
      regularization,
      velocity_tolerance_mps: quantity('m/s', {
        ...positive,
        description: 'At most a tenth of the Stribeck velocity.',
      }),
    },
    (source): StribeckModel => ({
      kind: 'stribeck',
      stiction: source.stiction,
      coulomb: source.coulomb,
      viscousDamping: source.viscous_damping_s_per_m,
      stribeckVelocity: source.stribeck_velocity_mps,
      regularization: source.regularization,
      velocityTolerance: source.velocity_tolerance_mps,
    }),
    'f_t = -f_n (mu(v) dir(v_t) + sigma_2 v_t)',
  ),
  lugre: kind(
    {
      stiction: Type.Number(notNegative),
      coulomb: Type.Number(positive),
      stribeck_velocity_mps: quantity('m/s', positive),
      bristle_stiffness_per_m: quantity('1/m', positive),
      bristle_damping_s_per_m: quantity('s/m', notNegative),
      viscous_damping_s_per_m: quantity('s/m', { ...notNegative, default: 0 }),
    },
    (source): LuGreModel => ({
      kind: 'lugre',
      stiction: source.stiction,
      coulomb: source.coulomb,
      bristleStiffness: source.bristle_stiffness_per_m,
      bristleDamping: source.bristle_damping_s_per_m,
      viscousDamping: source.viscous_damping_s_per_m,
      stribeckVelocity: source.stribeck_velocity_mps,
    }),
    "z' = v - sigma_0 |v|/g(v) z, for comparison: it drifts under a load that vibrates.",
  ),
  dahl: kind(
    {
      coulomb: Type.Number(positive),
      bristle_stiffness_per_m: quantity('1/m', positive),
    },
    (source): DahlModel => ({
      kind: 'dahl',
      coulomb: source.coulomb,
      bristleStiffness: source.bristle_stiffness_per_m,
    }),
    "z' = v - sigma_0 |v|/mu z, for comparison: friction of a way, whatever the speed.",
  ),
  bristle: kind(
    bristle,
    (source): BristleModel => ({ kind: 'bristle', ...compileBristle(source) }),
  ),
  'volumetric-bristle': kind(
    {
      ...bristle,
      spin_scale: Type.Number({
        ...notNegative,
        default: 1,
        description: 'Factor on the moment about the normal.',
      }),
      contensou: Type.Union(
        (['ellipse', 'paraboloid'] as const).map((name) => Type.Literal(name)),
        {
          default: 'ellipse',
          description:
            'How slip and spin share the friction: by an ellipse, or exactly for a round patch under a paraboloid of pressure.',
        },
      ),
    },
    (source): VolumetricBristleModel => ({
      kind: 'volumetric-bristle',
      ...compileBristle(source),
      spinScale: source.spin_scale,
      ...(source.contensou === 'ellipse' ? {} : { contensou: source.contensou }),
    }),
    'Bristles with torsion: slip and spin share the friction. Needs a volumetric pair.',
  ),
} as const;

/** Every friction law, distinguished by `kind`. */
export const FrictionLaw = schemaOf(FRICTION_LAWS);

/** Compiles a friction law; `field` is its path. */
export function compileFrictionLaw(
  source: SourceOf<typeof FRICTION_LAWS>,
  field: string,
  palette: Materials = materials(),
): FrictionLawModel {
  return compileKind<FrictionLawModel, typeof FRICTION_LAWS>(FRICTION_LAWS, source, field, palette);
}

function compileRegularizedCoulomb(
  source: Static<TObject<typeof regularizedCoulomb>>,
  field: string,
  palette: Materials,
): RegularizedCoulombModel {
  const needed = source.coulomb === undefined;
  const pair = pairOfMaterials(palette, source.materials, `${field}.materials`, needed);
  return {
    kind: 'regularized-coulomb',
    coulomb: numberOfPair(source.coulomb ?? pair?.sliding_friction, `${field}.coulomb`),
    regularization: source.regularization,
    velocityTolerance: source.velocity_tolerance_mps ?? pair?.small_velocity_mps ?? SMALL_VELOCITY,
  };
}

function compileBristle(source: Static<TObject<typeof bristle>>): Omit<BristleModel, 'kind'> {
  const stiction = source.stiction ?? source.coulomb;
  // without friction any bristle will do
  const top = stiction > 0 ? stiction : 1;
  const stiffness = source.bristle_stiffness_per_m ?? top / PRE_SLIDING;
  const stribeck = source.stribeck_velocity_mps;
  return {
    stiction,
    coulomb: source.coulomb,
    bristleStiffness: stiffness,
    bristleDamping: source.bristle_damping_s_per_m ?? 2 * Math.sqrt(stiffness / GRAVITY),
    viscousDamping: source.viscous_damping_s_per_m,
    stribeckVelocity: stribeck,
    dwellTime: source.dwell_time_s,
    velocityTolerance: source.velocity_tolerance_mps ?? 0.01 * stribeck,
    startsSticking: source.starts_sticking,
  };
}
