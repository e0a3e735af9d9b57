/** The contacts of a scenario file: pairs and laws, told apart by `kind`; docs/configuration.md explains each field. */
import { type Static, Type } from 'typebox';
import { quantity, strict, triple } from './fields.ts';

const positive = { exclusiveMinimum: 0 } as const;
const notNegative = { minimum: 0 } as const;

const Pair = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('sphere-plane'),
      radius_m: quantity('m', positive),
      center_m: triple('m', {
        default: [0, 0, 0],
        description: 'Sphere centre in the frame of body i.',
      }),
      normal: triple('', {
        default: [0, 0, 1],
        description: 'Outward normal of the plane in the frame of body j, normalised on load.',
      }),
      offset_m: quantity('m', {
        default: 0,
        description: 'Distance of the plane from the origin of body j along the normal.',
      }),
    },
    strict,
  ),
]);

const hysteretic = {
  restitution: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
  small_velocity_mps: quantity('m/s', {
    ...positive,
    default: 0.001,
    description: 'Stands in for impact speeds below it.',
  }),
  damping: Type.Union(
    [Type.Literal('exact'), Type.Literal('hunt-crossley'), Type.Literal('lankarani-nikravesh')],
    { default: 'exact', description: 'Only exact returns the restitution that is asked for.' },
  ),
  relaxation_time_s: quantity('s', {
    ...notNegative,
    default: 0,
    description: 'Time constant of relaxed penetration; 0 switches it off.',
  }),
} as const;

const NormalLaw = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('hysteretic-hertz'),
      stiffness_N_per_m1_5: quantity('N/m^1.5', positive),
      ...hysteretic,
    },
    { ...strict, description: 'f = k δ^1.5 (1 + A δ̇)' },
  ),
  Type.Object(
    {
      kind: Type.Literal('hysteretic-linear'),
      stiffness_N_per_m: quantity('N/m', positive),
      ...hysteretic,
    },
    { ...strict, description: 'f = k δ (1 + A δ̇)' },
  ),
  Type.Object(
    {
      kind: Type.Literal('hysteretic-quadratic'),
      stiffness_N_per_m2: quantity('N/m^2', positive),
      ...hysteretic,
    },
    { ...strict, description: 'f = k δ² (1 + A δ̇)' },
  ),
]);

const FrictionLaw = Type.Union([
  Type.Object({ kind: Type.Literal('none') }, strict),
  Type.Object(
    {
      kind: Type.Literal('bristle'),
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
    },
    strict,
  ),
]);

const RollingLaw = Type.Union([Type.Object({ kind: Type.Literal('none') }, strict)], {
  default: { kind: 'none' },
});

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
