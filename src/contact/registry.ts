/**
 * Every kind of pair and law that a contact can be assembled from; here and nowhere else is the list. A kind is added by its
 * description in src/model/contact-spec.ts, its module, and one line here.
 */
import type {
  ContactModelSpec,
  FrictionLawModel,
  NormalLawModel,
  ObserverModel,
  PairModel,
  RollingLawModel,
} from '../model/contact-spec.ts';
import type { Kinematic, LawDefinition } from './component.ts';
import { VOLUMETRIC } from './cellular/volumetric-pair.ts';
import { FREEFORM } from './freeform/freeform-pair.ts';
import { FACETED } from './faceted/faceted-pair.ts';
import { PATCH } from './elastic/patch-plane.ts';
import { BRISTLE_FRICTION } from './friction/bristle.ts';
import { COULOMB_FRICTION } from './friction/coulomb.ts';
import { DAHL_FRICTION } from './friction/dahl.ts';
import type { FrictionLaw } from './friction/friction-law.ts';
import { FRICTIONLESS } from './friction/frictionless.ts';
import { LUGRE_FRICTION } from './friction/lugre.ts';
import { REGULARIZED_COULOMB } from './friction/regularized-coulomb.ts';
import { STRIBECK_FRICTION } from './friction/stribeck.ts';
import { VOLUMETRIC_BRISTLE } from './friction/volumetric-bristle.ts';
import { COMPLIANCE_LAW } from './normal/compliance.ts';
import { HERTZ_LAW, HYSTERETIC_LAW } from './normal/hysteretic.ts';
import { KELVIN_VOIGT_LAW } from './normal/kelvin-voigt.ts';
import { MODIA3D_LAW } from './normal/modia3d.ts';
import type { NormalLaw } from './normal/normal-law.ts';
import { OBSERVER_LAW } from './normal/observer.ts';
import { RESTITUTION_SLOPE_LAW } from './normal/restitution-slope.ts';
import { VOLUMETRIC_LAW } from './normal/volumetric.ts';
import type { PairDefinition } from './pair.ts';
import { CONVEX } from './pairs/convex.ts';
import { SAMPLED } from './sampled/sampled-pair.ts';
import { SPHERE_CONE } from './pairs/sphere-cone.ts';
import { SPHERE_CYLINDER } from './pairs/sphere-cylinder.ts';
import { SPHERE_EDGE } from './pairs/sphere-edge.ts';
import { SPHERE_PLANE } from './pairs/sphere-plane.ts';
import { SPHERE_SPHERE } from './pairs/sphere-sphere.ts';
import { ROLLING_RESISTANCE } from './rolling/modia3d.ts';
import { NO_ROLLING } from './rolling/no-rolling.ts';
import type { RollingLaw } from './rolling/rolling-law.ts';
import { VOLUMETRIC_ROLLING } from './rolling/volumetric.ts';

type PairTable = {
  readonly [K in PairModel['kind']]: PairDefinition<Extract<PairModel, { kind: K }>>;
};
type LawTable<M extends { kind: string }, L> = {
  readonly [K in M['kind']]: LawDefinition<Extract<M, { kind: K }>, L>;
};

/** Geometric pairs. */
export const PAIRS: PairTable = {
  'sphere-plane': SPHERE_PLANE,
  'sphere-edge': SPHERE_EDGE,
  'sphere-cylinder': SPHERE_CYLINDER,
  'sphere-cone': SPHERE_CONE,
  'sphere-sphere': SPHERE_SPHERE,
  convex: CONVEX,
  faceted: FACETED,
  sampled: SAMPLED,
  patch: PATCH,
  freeform: FREEFORM,
  volumetric: VOLUMETRIC,
};

/** Normal laws. */
export const NORMAL_LAWS: LawTable<NormalLawModel, NormalLaw> = {
  hysteretic: HYSTERETIC_LAW,
  hertz: HERTZ_LAW,
  modia3d: MODIA3D_LAW,
  'restitution-slope': RESTITUTION_SLOPE_LAW,
  'kelvin-voigt': KELVIN_VOIGT_LAW,
  compliance: COMPLIANCE_LAW,
  volumetric: VOLUMETRIC_LAW,
};

/** Friction laws. */
export const FRICTION_LAWS: LawTable<FrictionLawModel, FrictionLaw> = {
  none: FRICTIONLESS,
  coulomb: COULOMB_FRICTION,
  bristle: BRISTLE_FRICTION,
  'regularized-coulomb': REGULARIZED_COULOMB,
  stribeck: STRIBECK_FRICTION,
  lugre: LUGRE_FRICTION,
  dahl: DAHL_FRICTION,
  'volumetric-bristle': VOLUMETRIC_BRISTLE,
};

/** Rolling laws. */
export const ROLLING_LAWS: LawTable<RollingLawModel, RollingLaw> = {
  none: NO_ROLLING,
  modia3d: ROLLING_RESISTANCE,
  volumetric: VOLUMETRIC_ROLLING,
};

const FREE_ROLLING: RollingLawModel = Object.freeze({ kind: 'none' });

/** The rolling law of a contact that names none is free rolling. */
export function rollingOf(model: RollingLawModel | undefined): RollingLawModel {
  return model ?? FREE_ROLLING;
}

// A table is keyed by the kind of the description, so the entry found always belongs to it; the compiler cannot follow that.

/** Definition of a pair. */
export function pairDefinition(model: PairModel): PairDefinition<PairModel> {
  return PAIRS[model.kind];
}

/** Definition of a normal law, or of what stands in its place. */
export function normalDefinition(
  model: NormalLawModel | ObserverModel,
): LawDefinition<NormalLawModel | ObserverModel, NormalLaw> {
  return model.kind === 'observer' ? OBSERVER_LAW : NORMAL_LAWS[model.kind];
}

/** Whether what a definition builds from a description has a loop. */
export function hasLoop<M>(definition: LawDefinition<M, unknown>, model: M): boolean {
  return definition.loops === true && (definition.loopsFor?.(model) ?? true);
}

/** Definition of a friction law. */
export function frictionDefinition(
  model: FrictionLawModel,
): LawDefinition<FrictionLawModel, FrictionLaw> {
  return FRICTION_LAWS[model.kind];
}

/** Definition of a rolling law. */
export function rollingDefinition(
  model: RollingLawModel,
): LawDefinition<RollingLawModel, RollingLaw> {
  return ROLLING_LAWS[model.kind];
}

/** Whether the normal law of a contact has the radius of each onset. */
export function takesOnset({
  pair,
  normalLaw,
}: Pick<ContactModelSpec, 'pair' | 'normalLaw'>): boolean {
  return (
    normalDefinition(normalLaw).needs.includes('effective-radius') &&
    pairDefinition(pair).onset?.applies(pair) === true
  );
}

/**
 * What a law needs and a pair does not supply. A normal law that is not one of a foundation or of points needs one depth, a friction law
 * that is not one of points one slip.
 */
export function missingKinematics(
  pair: Pick<PairDefinition<never>, 'supplies' | 'spread'>,
  law: Pick<LawDefinition<never, unknown>, 'needs' | 'stiffnessPerArea' | 'absent'>,
  role: 'normal' | 'friction' | 'rolling',
): readonly Kinematic[] {
  const missing = law.needs.filter((need) => !pair.supplies.includes(need));
  const ofPoints = law.needs.includes('compliance');
  const deep = role === 'normal' && law.stiffnessPerArea === undefined && !ofPoints;
  if (deep && pair.spread === true) return [...missing, 'depth'];
  const slips = role === 'friction' && law.absent !== true && !ofPoints;
  return slips && pair.supplies.includes('compliance') ? [...missing, 'slip'] : missing;
}
