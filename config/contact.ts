/** The contacts of a scenario file: pairs and laws, told apart by `kind`; docs/configuration.md explains each field. */
import { type Static, Type } from 'typebox';
import { quantity, strict } from './fields.ts';
import { NormalLaw } from './normal-laws.ts';
import { Pair } from './pairs.ts';

const positive = { exclusiveMinimum: 0 } as const;
const notNegative = { minimum: 0 } as const;

const regularization = Type.Union([Type.Literal('cubic'), Type.Literal('modia3d')], {
  default: 'modia3d',
  description: 'Smoothing of the direction through zero slip; slope at rest 3/2 or 3 over v_eps.',
});

const bristle = {
  stiction: Type.Number(notNegative),
  coulomb: Type.Number(notNegative),
  bristle_stiffness_per_m: quantity('1/m', positive),
  bristle_damping_s_per_m: quantity('s/m', positive),
  viscous_damping_s_per_m: quantity('s/m', { ...notNegative, default: 0 }),
  stribeck_velocity_mps: quantity('m/s', positive),
  dwell_time_s: quantity('s', {
    ...notNegative,
    default: 0,
    description: '0 switches the dwell effect off.',
  }),
  velocity_tolerance_mps: quantity('m/s', {
    ...positive,
    description: 'At most a tenth of the Stribeck velocity.',
  }),
  starts_sticking: Type.Boolean({ default: false }),
} as const;

const FrictionLaw = Type.Union([
  Type.Object({ kind: Type.Literal('none') }, strict),
  Type.Object(
    {
      kind: Type.Literal('regularized-coulomb'),
      coulomb: Type.Number(notNegative),
      regularization,
      velocity_tolerance_mps: quantity('m/s', {
        ...positive,
        default: 0.01,
        description: 'Slip below which friction is not fully developed.',
      }),
    },
    { ...strict, description: 'f_t = -mu f_n dir(v_t)' },
  ),
  Type.Object(
    {
      kind: Type.Literal('stribeck'),
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
    { ...strict, description: 'f_t = -f_n (mu(v) dir(v_t) + sigma_2 v_t)' },
  ),
  Type.Object({ kind: Type.Literal('bristle'), ...bristle }, strict),
  Type.Object(
    {
      kind: Type.Literal('volumetric-bristle'),
      ...bristle,
      spin_scale: Type.Number({
        ...notNegative,
        default: 1,
        description: 'Factor on the moment about the normal.',
      }),
    },
    {
      ...strict,
      description:
        'Bristles with torsion: slip and spin share the friction. Needs a volumetric pair.',
    },
  ),
]);

const RollingLaw = Type.Union(
  [
    Type.Object({ kind: Type.Literal('none') }, strict),
    Type.Object(
      {
        kind: Type.Literal('modia3d'),
        rolling_friction: Type.Number(notNegative),
        angular_velocity_tolerance_radps: quantity('rad/s', {
          ...positive,
          default: 0.01,
          description: 'Turning below which the moment is not fully developed.',
        }),
      },
      { ...strict, description: 'tau = -mu_r R f_n w / reg(|w|)' },
    ),
    Type.Object(
      { kind: Type.Literal('volumetric') },
      { ...strict, description: 'tau = -(B/V) J_v w_t of the damped foundation' },
    ),
  ],
  { default: { kind: 'none' } },
);

/** One contact of a scenario: a pair, a normal law, a friction law and a rolling law. */
export const Contact = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    body_i: Type.String({ description: 'Body pushed along the normal.' }),
    body_j: Type.String({ description: 'Body whose outward normal is the contact normal.' }),
    pair: Pair,
    normal_law: NormalLaw,
    friction_law: FrictionLaw,
    rolling_law: RollingLaw,
  },
  strict,
);

/** One contact with every default filled in and every value in SI. */
export type ScenarioContact = Static<typeof Contact>;
