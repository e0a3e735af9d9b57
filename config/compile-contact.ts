/** From a contact as people write it to the plain description that the contact is assembled from. */
import type { ContactModelSpec, FrictionLawModel, NormalLawModel, Triple } from '../src/model.ts';
import type { ScenarioContact } from './contact-schema.ts';
import { unit } from './unit-vector.ts';

/** The plain description of one contact; `index` is its place in the file. */
export function compileContact(source: ScenarioContact, index: number): ContactModelSpec {
  return {
    name: source.name,
    bodyI: source.body_i,
    bodyJ: source.body_j,
    pair: {
      kind: 'sphere-plane',
      radius: source.pair.radius_m,
      center: source.pair.center_m,
      normal: unit(source.pair.normal, `contacts[${index}].pair.normal`) as unknown as Triple,
      offset: source.pair.offset_m,
    },
    normalLaw: normalLaw(source.normal_law),
    frictionLaw: frictionLaw(source.friction_law),
    rollingLaw: source.rolling_law,
  };
}

function normalLaw(source: ScenarioContact['normal_law']): NormalLawModel {
  const common = {
    kind: 'hysteretic',
    restitution: source.restitution,
    smallVelocity: source.small_velocity_mps,
    relaxationTime: source.relaxation_time_s,
    damping: source.damping,
  } as const;
  switch (source.kind) {
    case 'hysteretic-hertz':
      return { ...common, stiffness: source.stiffness_N_per_m1_5, exponent: 1.5 };
    case 'hysteretic-linear':
      return { ...common, stiffness: source.stiffness_N_per_m, exponent: 1 };
    case 'hysteretic-quadratic':
      return { ...common, stiffness: source.stiffness_N_per_m2, exponent: 2 };
  }
}

function frictionLaw(source: ScenarioContact['friction_law']): FrictionLawModel {
  if (source.kind === 'none') return { kind: 'none' };
  return {
    kind: 'bristle',
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
