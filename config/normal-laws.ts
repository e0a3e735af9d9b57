/**
 * Normal laws of a scenario file: the fields of each and its plain description; materials are
 * looked up here. The unit of a stiffness depends on the exponent, so each exponent is its own
 * kind: -linear for k δ, -hertz for k δ^1.5, -quadratic for k δ²; -power has a force at a depth. docs/configuration.md explains
 * each field.
 */
import { type Static, type TObject, Type } from 'typebox';
import { BerthError } from '../src/base/errors.ts';
import type {
  ComplianceModel,
  HertzModel,
  HystereticModel,
  KelvinVoigtModel,
  Modia3dModel,
  ObserverModel,
  NormalLawModel,
  RestitutionSlopeModel,
  VolumetricLawModel,
} from '../src/model/model.ts';
import { combineStiffness } from '../src/contact/normal/foundation.ts';
import { pow } from '../src/math/elementary/power.ts';
import { quantity, strict } from './fields.ts';
import { compileKind, kind, schemaOf, type SourceOf } from './kinds.ts';
import {
  type MaterialNames,
  type Materials,
  materialNames,
  materials,
  numberOfPair,
  pairOfMaterials,
} from './materials.ts';

/** Default small velocity of the Modia3D law, m/s: that of all listed pairs of materials. */
const SMALL_VELOCITY = 0.01;

const positive = { exclusiveMinimum: 0 } as const;
const notNegative = { minimum: 0 } as const;

const restitution = { restitution: Type.Number({ exclusiveMinimum: 0, maximum: 1 }) } as const;

const falling = {
  restitution: Type.Union(
    [
      restitution.restitution,
      Type.Object(
        {
          slope_s_per_m: quantity('s/m', {
            ...notNegative,
            description: 'α of e = 1 − α v, at least 0.01, at every impact speed v.',
          }),
        },
        strict,
      ),
    ],
    { description: 'What an impact returns: a number, or falling with its speed.' },
  ),
} as const;

const hysteretic = {
  ...falling,
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
  materials: materialNames,
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

/** An elastic law of any exponent: a stiffness would have a unit that depends on it. */
const power = {
  exponent: Type.Number({ minimum: 1, maximum: 3 }),
  reference_force_N: quantity('N', {
    ...positive,
    description: 'Elastic force at the reference depth.',
  }),
  reference_depth_m: quantity('m', positive),
} as const;

type Fields<T extends Parameters<typeof Type.Object>[0]> = Static<TObject<T>>;

const hystereticHertz = {
  stiffness_N_per_m1_5: Type.Optional(hertz.stiffness_N_per_m1_5),
  ...modulus,
  ...hysteretic,
} as const;

const modia3d = {
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
} as const;

const NORMAL_LAWS = {
  compliance: kind(
    {},
    (): ComplianceModel => ({ kind: 'compliance' }),
    'The elastic face of a pair of kind patch.',
  ),
  'hysteretic-hertz': kind(
    hystereticHertz,
    compileHystereticHertz,
    'f = k δ^1.5 (1 + A δ̇); k is given, or follows from the modulus or the materials and the radius of the pair.',
  ),
  'hysteretic-linear': kind(
    { ...linear, ...hysteretic },
    (source): HystereticModel => ({
      ...compileHysteretic(source),
      stiffness: source.stiffness_N_per_m,
      exponent: 1,
    }),
    'f = k δ (1 + A δ̇)',
  ),
  'hysteretic-quadratic': kind(
    { ...quadratic, ...hysteretic },
    (source): HystereticModel => ({
      ...compileHysteretic(source),
      stiffness: source.stiffness_N_per_m2,
      exponent: 2,
    }),
    'f = k δ² (1 + A δ̇)',
  ),
  'hysteretic-power': kind(
    { ...power, ...hysteretic },
    (source): HystereticModel => ({ ...compileHysteretic(source), ...compilePower(source) }),
    'f = F (δ/D)^p (1 + A δ̇) with the force F at the depth D',
  ),
  modia3d: kind(modia3d, compileModia3d, 'f = k_red 4/3 √R E* δ^1.5 (1 + d δ̇), d fixed at onset'),
  'restitution-slope-linear': kind(
    { ...linear, ...slope },
    (source): RestitutionSlopeModel => ({
      ...compileSlope(source),
      stiffness: source.stiffness_N_per_m,
      exponent: 1,
    }),
    'f = k δ (1 + 1.5 α δ̇)',
  ),
  'restitution-slope-hertz': kind(
    { ...hertz, ...slope },
    (source): RestitutionSlopeModel => ({
      ...compileSlope(source),
      stiffness: source.stiffness_N_per_m1_5,
      exponent: 1.5,
    }),
    'f = k δ^1.5 (1 + 1.5 α δ̇)',
  ),
  'restitution-slope-quadratic': kind(
    { ...quadratic, ...slope },
    (source): RestitutionSlopeModel => ({
      ...compileSlope(source),
      stiffness: source.stiffness_N_per_m2,
      exponent: 2,
    }),
    'f = k δ² (1 + 1.5 α δ̇)',
  ),
  'restitution-slope-power': kind(
    { ...power, ...slope },
    (source): RestitutionSlopeModel => ({ ...compileSlope(source), ...compilePower(source) }),
    'f = F (δ/D)^p (1 + 1.5 α δ̇) with the force F at the depth D',
  ),
  'kelvin-voigt': kind(
    { ...linear, damping_N_s_per_m: quantity('N*s/m', notNegative), ...allowTension },
    (source): KelvinVoigtModel => ({
      kind: 'kelvin-voigt',
      stiffness: source.stiffness_N_per_m,
      damping: source.damping_N_s_per_m,
      allowTension: source.allow_tension,
    }),
    'f = k δ + c δ̇, for comparison: the force jumps at touch',
  ),
  observer: kind(
    {
      materials: materialNames,
      alarm: Type.Optional(
        Type.Boolean({
          description:
            'Whether a touch is a warning; left out, as the pair of materials says, or false.',
        }),
      ),
    },
    (source, field, palette): ObserverModel => ({
      kind: 'observer',
      alarm: source.alarm ?? alarmOf(palette, source.materials, `${field}.materials`),
    }),
    'No force: begin, geometry and read-out alone.',
  ),
  volumetric: kind(
    {
      stiffness_N_per_m3: Type.Optional(
        quantity('N/m^3', {
          ...positive,
          description: 'k_v of the pair, or of the body that yields where the other one is rigid.',
        }),
      ),
      body_stiffnesses_N_per_m3: Type.Optional(
        Type.Tuple([quantity('N/m^3', positive), quantity('N/m^3', positive)], {
          description:
            'In place of it k_v of body i and of body j: 1/k_v is the sum of both 1/k_v.',
        }),
      ),
      ...restitution,
      small_velocity_mps: hysteretic.small_velocity_mps,
      relaxation_time_s: quantity('s', {
        ...notNegative,
        default: 0,
        description: 'Time constant of the relaxed volume; 0 switches it off.',
      }),
    },
    (source, field): VolumetricLawModel => ({
      kind: 'volumetric',
      stiffness: stiffnessOfBodies(source, field),
      restitution: source.restitution,
      smallVelocity: source.small_velocity_mps,
      relaxationTime: source.relaxation_time_s,
    }),
    'f = k_v V (1 + A δ̇); needs a volumetric pair',
  ),
} as const;

/** Every normal law, distinguished by `kind`. */
export const NormalLaw = schemaOf(NORMAL_LAWS);

/** A normal law with defaults and SI values. */
export type ScenarioNormalLaw = SourceOf<typeof NORMAL_LAWS>;

/** Compiles a normal law; `field` is its path. @throws BerthError for missing or contradicting fields */
export function compileNormalLaw(
  source: ScenarioNormalLaw,
  field: string,
  palette: Materials = materials(),
): NormalLawModel | ObserverModel {
  return compileKind<NormalLawModel | ObserverModel, typeof NORMAL_LAWS>(
    NORMAL_LAWS,
    source,
    field,
    palette,
  );
}

function compileHysteretic(source: Fields<typeof hysteretic>) {
  const e = source.restitution;
  return {
    kind: 'hysteretic',
    restitution: typeof e === 'number' ? e : { slope: e.slope_s_per_m },
    smallVelocity: source.small_velocity_mps,
    relaxationTime: source.relaxation_time_s,
    damping: source.damping,
  } as const;
}

function compilePower({
  exponent,
  reference_force_N: force,
  reference_depth_m: depth,
}: Fields<typeof power>) {
  return { exponent, stiffness: force / pow(depth, exponent) } as const;
}

function compileSlope(source: Fields<typeof slope>) {
  return {
    kind: 'restitution-slope',
    slope: source.restitution_slope_s_per_m,
    allowTension: source.allow_tension,
  } as const;
}

function compileHystereticHertz(
  source: Fields<typeof hystereticHertz>,
  field: string,
  palette: Materials,
): HystereticModel | HertzModel {
  oneSource(source, ['stiffness_N_per_m1_5', 'contact_modulus_N_per_m2', 'materials'], field);
  if (source.stiffness_N_per_m1_5 !== undefined) {
    return { ...compileHysteretic(source), stiffness: source.stiffness_N_per_m1_5, exponent: 1.5 };
  }
  const contactModulus = modulusOf(source, field, palette);
  return { ...compileHysteretic(source), kind: 'hertz', contactModulus };
}

function compileModia3d(
  source: Fields<typeof modia3d>,
  field: string,
  palette: Materials,
): Modia3dModel | ObserverModel {
  const { materials: names } = source;
  const seen = names === undefined ? undefined : palette.observer(names);
  if (seen !== undefined) return { kind: 'observer', alarm: seen.alarm };
  oneSource(source, ['contact_modulus_N_per_m2', 'materials'], field);
  const needed = source.restitution === undefined;
  const pair = pairOfMaterials(palette, source.materials, `${field}.materials`, needed);
  return {
    kind: 'modia3d',
    contactModulus: modulusOf(source, field, palette),
    restitution: numberOfPair(source.restitution ?? pair?.restitution, `${field}.restitution`),
    smallVelocity: source.small_velocity_mps ?? pair?.small_velocity_mps ?? SMALL_VELOCITY,
    maximumDamping: source.maximum_damping_s_per_m,
    reductionFactor: source.reduction_factor,
    damping: source.damping,
    allowTension: source.allow_tension,
  };
}

/** Whether the pair of materials of an observer warns. @throws BerthError for a name that is none */
function alarmOf(palette: Materials, names: MaterialNames | undefined, field: string): boolean {
  if (names === undefined) return false;
  palette.check(names, field);
  return palette.observer(names)?.alarm ?? false;
}

/** k_v of a pair, which is given or follows from those of the bodies. */
function stiffnessOfBodies(
  source: {
    readonly stiffness_N_per_m3?: number;
    readonly body_stiffnesses_N_per_m3?: readonly [number, number];
  },
  field: string,
): number {
  oneSource(source, ['stiffness_N_per_m3', 'body_stiffnesses_N_per_m3'], field);
  const { stiffness_N_per_m3: whole, body_stiffnesses_N_per_m3: bodies } = source;
  return bodies === undefined ? (whole as number) : combineStiffness(...bodies);
}

function modulusOf(
  source: {
    readonly contact_modulus_N_per_m2?: number;
    readonly materials?: MaterialNames;
  },
  field: string,
  palette: Materials,
): number {
  if (source.materials !== undefined) {
    return palette.contactModulus(source.materials, `${field}.materials`);
  }
  return source.contact_modulus_N_per_m2 as number; // `oneSource` has checked that it is defined
}

/** Checks that exactly one of the fields is present. */
function oneSource(
  source: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  field: string,
): void {
  const given = fields.filter((name) => source[name] !== undefined);
  if (given.length === 1) return;
  throw new BerthError(
    given.length === 0 ? 'BERTH_MISSING_FIELD' : 'BERTH_MISMATCH',
    `${field} gives ${given.length === 0 ? 'no stiffness' : given.join(' and ')}; allowed: exactly one of ${fields.join(', ')}`,
    { field },
  );
}
