/** From a contact as people write it to the plain description that the contact is assembled from. */
import type {
  BristleModel,
  ContactModelSpec,
  FrictionLawModel,
  RollingLawModel,
} from '../src/model/model.ts';
import { compileNormalLaw } from './compile-normal-law.ts';
import { compilePair } from './compile-pair.ts';
import type { ScenarioContact } from './contact.ts';

/** The plain description of one contact; `index` is its place in the file. */
export function compileContact(source: ScenarioContact, index: number): ContactModelSpec {
  return {
    name: source.name,
    bodyI: source.body_i,
    bodyJ: source.body_j,
    pair: compilePair(source.pair, `contacts[${index}].pair`),
    normalLaw: compileNormalLaw(source.normal_law, `contacts[${index}].normal_law`),
    frictionLaw: frictionLaw(source.friction_law),
    rollingLaw: rollingLaw(source.rolling_law),
  };
}

function frictionLaw(source: ScenarioContact['friction_law']): FrictionLawModel {
  switch (source.kind) {
    case 'none':
      return { kind: 'none' };
    case 'regularized-coulomb':
      return {
        kind: source.kind,
        coulomb: source.coulomb,
        regularization: source.regularization,
        velocityTolerance: source.velocity_tolerance_mps,
      };
    case 'stribeck':
      return {
        kind: source.kind,
        stiction: source.stiction,
        coulomb: source.coulomb,
        viscousDamping: source.viscous_damping_s_per_m,
        stribeckVelocity: source.stribeck_velocity_mps,
        regularization: source.regularization,
        velocityTolerance: source.velocity_tolerance_mps,
      };
    case 'bristle':
      return { kind: source.kind, ...bristle(source) };
    case 'volumetric-bristle':
      return { kind: source.kind, ...bristle(source), spinScale: source.spin_scale };
  }
}

type BristleSource = Extract<
  ScenarioContact['friction_law'],
  { kind: 'bristle' | 'volumetric-bristle' }
>;

function bristle(source: BristleSource): Omit<BristleModel, 'kind'> {
  return {
    stiction: source.stiction,
    coulomb: source.coulomb,
    bristleStiffness: source.bristle_stiffness_per_m,
    bristleDamping: source.bristle_damping_s_per_m,
    viscousDamping: source.viscous_damping_s_per_m,
    stribeckVelocity: source.stribeck_velocity_mps,
    dwellTime: source.dwell_time_s,
    velocityTolerance: source.velocity_tolerance_mps,
    startsSticking: source.starts_sticking,
  };
}

function rollingLaw(source: ScenarioContact['rolling_law']): RollingLawModel {
  if (source.kind !== 'modia3d') return { kind: source.kind };
  return {
    kind: source.kind,
    rollingFriction: source.rolling_friction,
    angularVelocityTolerance: source.angular_velocity_tolerance_radps,
  };
}
