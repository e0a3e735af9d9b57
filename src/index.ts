/** Public API of the contact-dynamics library. */
export { BERTH_ERROR_CODES, BerthError } from './base/errors.ts';
export type { BerthErrorCode, BerthErrorDetail } from './base/errors.ts';
export type * from './model/model.ts';
export {
  FRICTION_LAWS,
  NORMAL_LAWS,
  PAIRS,
  ROLLING_LAWS,
} from './contact/registry.ts';
export type * from './contact/component.ts';
export type { ContactPair, PairDefinition } from './contact/pair.ts';
export type { FrictionLaw } from './contact/friction/friction-law.ts';
export type { NormalLaw } from './contact/normal/normal-law.ts';
export type { RollingLaw } from './contact/rolling/rolling-law.ts';
export { Random } from './math/random.ts';
export {
  dampingFactor,
  dampingFactorOf,
  dampingForRestitution,
  floresFactor,
  huntCrossleyFactor,
  lankaraniNikraveshFactor,
} from './contact/normal/damping-factor.ts';
export type { DampingVariant } from './contact/normal/damping-factor.ts';
export { combineStiffness, plateOffset, yieldShare } from './contact/normal/foundation.ts';
export {
  contactModulus,
  hertzSpherePlane,
  hertzSphereSphere,
  hertzStiffness,
} from './contact/normal/hertz.ts';
export {
  compressionTime,
  deliveredRestitution,
  elasticDepth,
  impactDepth,
  impactDuration,
  impactPeakForce,
  kelvinVoigtRestitution,
  restDepth,
  slopeForRestitution,
  slopeRestitution,
} from './contact/normal/impact.ts';
export type { Impact } from './contact/normal/impact.ts';
export { ContactKernels } from './contact/contact-loops.ts';
export { NewtonCount } from './integrate/contact-newton.ts';
export { assembleFem } from './fem/assembly.ts';
export type { FemMatrices, FemModel, HeldComponent } from './fem/assembly.ts';
export type { ElasticMaterial, StressState } from './fem/elasticity.ts';
export { checkFemMesh, nodeSet } from './fem/fem-mesh.ts';
export type { ElementBlock, FemMesh } from './fem/fem-mesh.ts';
export { lowestModes } from './fem/modes.ts';
export type { Modes } from './fem/modes.ts';
export { staticFactors } from './fem/statics.ts';
export { massProperties } from './shapes/mass-properties.ts';
export type { MassProperties } from './shapes/mass-properties.ts';
export {
  CONTACT_READOUT,
  ContactReadout,
  CONSTRAINT_READOUT,
  ConstraintReadout,
  ENERGY_READOUT,
  EnergyReadout,
  FACE_READOUT,
  FaceReadout,
  makeSystem,
  POINT_READOUT,
  PointReadout,
  System,
  TOUCH_READOUT,
  TouchReadout,
  ToolPort,
  VALIDITY_FLAGS,
  ValidityFlag,
} from './system/system.ts';
export { checkModel } from './system/check-model.ts';
export { OdeSolver } from './integrate/ode.ts';
export type { OdeEvents, OdeFunction, OdeMethod, OdeOptions } from './integrate/ode.ts';
