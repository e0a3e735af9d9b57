/** From a normal law as people write it to its plain description; materials are looked up here. */
import { BerthError } from '../src/base/errors.ts';
import type { Modia3dModel, NormalLawModel } from '../src/model/model.ts';
import { type MaterialNames, materials } from './materials.ts';
import type { ScenarioNormalLaw } from './normal-laws.ts';

/** Small velocity of the Modia3D law where neither the file nor a pair of materials gives one, m/s: that of all listed pairs. */
const SMALL_VELOCITY = 0.01;

type Named<K extends string> = Extract<ScenarioNormalLaw, { kind: K }>;

/** The plain description of a normal law; `field` is its path. @throws BerthError for missing or contradicting fields */
export function compileNormalLaw(source: ScenarioNormalLaw, field: string): NormalLawModel {
  switch (source.kind) {
    case 'hysteretic-hertz':
      return hysteretic(source, field);
    case 'hysteretic-linear':
      return { ...common(source), stiffness: source.stiffness_N_per_m, exponent: 1 };
    case 'hysteretic-quadratic':
      return { ...common(source), stiffness: source.stiffness_N_per_m2, exponent: 2 };
    case 'modia3d':
      return modia3d(source, field);
    case 'restitution-slope-linear':
      return { ...slope(source), stiffness: source.stiffness_N_per_m, exponent: 1 };
    case 'restitution-slope-hertz':
      return { ...slope(source), stiffness: source.stiffness_N_per_m1_5, exponent: 1.5 };
    case 'restitution-slope-quadratic':
      return { ...slope(source), stiffness: source.stiffness_N_per_m2, exponent: 2 };
    case 'kelvin-voigt':
      return {
        kind: 'kelvin-voigt',
        stiffness: source.stiffness_N_per_m,
        damping: source.damping_N_s_per_m,
        allowTension: source.allow_tension,
      };
    case 'volumetric':
      return {
        kind: 'volumetric',
        stiffness: source.stiffness_N_per_m3,
        restitution: source.restitution,
        smallVelocity: source.small_velocity_mps,
        relaxationTime: source.relaxation_time_s,
      };
  }
}

function common(source: Named<`hysteretic-${string}`>) {
  return {
    kind: 'hysteretic',
    restitution: source.restitution,
    smallVelocity: source.small_velocity_mps,
    relaxationTime: source.relaxation_time_s,
    damping: source.damping,
  } as const;
}

function slope(source: Named<`restitution-slope-${string}`>) {
  return {
    kind: 'restitution-slope',
    slope: source.restitution_slope_s_per_m,
    allowTension: source.allow_tension,
  } as const;
}

function hysteretic(source: Named<'hysteretic-hertz'>, field: string): NormalLawModel {
  oneSource(source, ['stiffness_N_per_m1_5', 'contact_modulus_N_per_m2', 'materials'], field);
  if (source.stiffness_N_per_m1_5 !== undefined) {
    return { ...common(source), stiffness: source.stiffness_N_per_m1_5, exponent: 1.5 };
  }
  return { ...common(source), kind: 'hertz', contactModulus: modulusOf(source, field) };
}

function modia3d(source: Named<'modia3d'>, field: string): Modia3dModel {
  oneSource(source, ['contact_modulus_N_per_m2', 'materials'], field);
  // materials without a pair of their own may be used with a restitution from the file
  const pair =
    source.materials === undefined || source.restitution !== undefined
      ? undefined
      : materials().pair(source.materials, `${field}.materials`);
  const restitution = source.restitution ?? pair?.restitution;
  if (restitution === undefined) {
    throw new BerthError(
      'BERTH_MISSING_FIELD',
      `${field}.restitution is missing; allowed: a number in [0, 1], or materials that have a contact pair`,
      { field },
    );
  }
  return {
    kind: 'modia3d',
    contactModulus: modulusOf(source, field),
    restitution,
    smallVelocity: source.small_velocity_mps ?? pair?.small_velocity_mps ?? SMALL_VELOCITY,
    maximumDamping: source.maximum_damping_s_per_m,
    reductionFactor: source.reduction_factor,
    damping: source.damping,
    allowTension: source.allow_tension,
  };
}

function modulusOf(
  source: {
    readonly contact_modulus_N_per_m2?: number;
    readonly materials?: MaterialNames;
  },
  field: string,
): number {
  if (source.materials !== undefined) {
    return materials().contactModulus(source.materials, `${field}.materials`);
  }
  return source.contact_modulus_N_per_m2 as number; // oneSource has seen to it
}

/** Exactly one of the fields must be there. */
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
