/** Every validation case, in the order of the report. */
import type { ValidationCase } from './case.ts';
import { accommodatedFrictionCase, noiseCase, plateauCase } from './cases/accommodation.ts';
import { bowdenLebenCase, bowdenLebenImplicitCase } from './cases/bowden-leben.ts';
import { doublePendulumCase, doublePendulumStepCase } from './cases/double-pendulum.ts';
import { directionCase, frictionCase } from './cases/friction.ts';
import { ballOnTableCase, ballOnTableStepCase } from './cases/ball-on-table.ts';
import { boreCase, boreImplicitCase } from './cases/bore.ts';
import { boreVolumetricCase, boreVolumetricStepCase } from './cases/bore-volumetric.ts';
import { implicitImpactCase } from './cases/implicit-impact.ts';
import { inclineCase, inclineImplicitCase } from './cases/incline.ts';
import { bouncingBallCase } from './cases/modia3d-bouncing.ts';
import { modia3dContactsCase } from './cases/modia3d-contacts.ts';
import { billiardsCase, rollingStartCase } from './cases/modia3d-rolling.ts';
import { bouncingEllipsoidCase, rattlebackCase } from './cases/modia3d-ellipsoids.ts';
import { modia3dImpactCase } from './cases/modia3d-impact.ts';
import { modia3dLawCase } from './cases/modia3d-law.ts';
import { newtonsCradleCase } from './cases/newtons-cradle.ts';
import { oneImpactCase, rigidImpactCase } from './cases/one-impact.ts';
import { facetedAreaCase } from './cases/faceted-area.ts';
import { facetedDropCase, facetedRestCase } from './cases/faceted-drop.ts';
import { sampledContactCase } from './cases/sampled-contact.ts';
import { facetedGeometryCase } from './cases/faceted-geometry.ts';
import { facetedDrawsCase } from './cases/faceted-draws.ts';
import { facetedStepsCase } from './cases/faceted-steps.ts';
import { facetedJamCase } from './cases/faceted-jam.ts';
import { camFollowerCase } from './cases/cam-follower.ts';
import { camPointsCase } from './cases/cam-points.ts';
import { freeformSurfacesCase } from './cases/freeform-surfaces.ts';
import { lockRowsCase } from './cases/lock-rows.ts';
import { slidingContactCase } from './cases/sliding-contact.ts';
import { crossingCase } from './cases/crossing.ts';
import { sweptDistanceCase } from './cases/swept-distance.ts';
import { sandiaDepthCase, sandiaImpactCase } from './cases/sandia-law.ts';
import { integratorOrdersCase } from './cases/integrator-orders.ts';
import { tippeTopCase } from './cases/tippe-top.ts';
import { batteryBoxDropCase } from './cases/battery-box-drop.ts';
import { volumetricFrictionCase } from './cases/volumetric-friction.ts';
import { cuttingCase } from './cases/cutting.ts';
import { cuttingMotionCase } from './cases/cutting-motion.ts';
import { contactNormalCase } from './cases/contact-normal.ts';
import { overlapMethodsCase } from './cases/overlap-methods.ts';
import { smoothContactCase } from './cases/smooth-contact.ts';
import { overlapCase } from './cases/overlap.ts';
import { dampingFactorCase, impactCase, restitutionOverSpeedCase } from './cases/normal-force.ts';
import { contactForceCase } from './cases/contact-force.ts';
import { kimCompositeCase, kimImpedanceCase } from './cases/kim-control.ts';
import { kimScenarioCase } from './cases/kim-scenario.ts';
import { kimLqrCase } from './cases/kim-lqr.ts';
import { femAntennasCase } from './cases/fem-antennas.ts';
import { femBarCase } from './cases/fem-bar.ts';
import { femCaptureCase } from './cases/fem-capture.ts';
import { femControlledContactCase } from './cases/fem-controlled-contact.ts';
import { femElementsCase } from './cases/fem-elements.ts';
import { femSphereCase } from './cases/fem-sphere.ts';
import { femHertzCase } from './cases/fem-hertz.ts';
import { femSpaceImpactCase } from './cases/fem-space-impact.ts';
import { femStickSlipCase } from './cases/fem-stick-slip.ts';
import { femTwoBlocksCase } from './cases/fem-two-blocks.ts';
import { identificationCase } from './cases/identification.ts';
import { studyStatisticsCase } from './cases/study-statistics.ts';

export const VALIDATION_CASES: readonly ValidationCase[] = [
  // Gonthier: laws, then motions with the reference integrators
  dampingFactorCase,
  restitutionOverSpeedCase,
  impactCase,
  contactForceCase,
  directionCase,
  frictionCase,
  bowdenLebenCase,
  inclineCase,
  boreCase,
  doublePendulumCase,
  oneImpactCase,
  rigidImpactCase,
  // the same motions with the step of the real-time loop
  implicitImpactCase,
  bowdenLebenImplicitCase,
  inclineImplicitCase,
  boreImplicitCase,
  doublePendulumStepCase,
  // Gonthier: volumetric contact
  contactNormalCase,
  smoothContactCase,
  volumetricFrictionCase,
  cuttingCase,
  cuttingMotionCase,
  boreVolumetricCase,
  boreVolumetricStepCase,
  ballOnTableCase,
  ballOnTableStepCase,
  tippeTopCase,
  batteryBoxDropCase,
  // Modia3D
  modia3dLawCase,
  modia3dImpactCase,
  bouncingBallCase,
  rollingStartCase,
  billiardsCase,
  newtonsCradleCase,
  rattlebackCase,
  bouncingEllipsoidCase,
  modia3dContactsCase,
  // Sandia
  sandiaImpactCase,
  sandiaDepthCase,
  facetedGeometryCase,
  facetedDrawsCase,
  facetedStepsCase,
  sweptDistanceCase,
  crossingCase,
  facetedDropCase,
  facetedRestCase,
  facetedAreaCase,
  facetedJamCase,
  sampledContactCase,
  // Tasora: locks, sliding contact, surfaces of free form
  lockRowsCase,
  slidingContactCase,
  freeformSurfacesCase,
  camPointsCase,
  camFollowerCase,
  // methods
  integratorOrdersCase,
  overlapCase,
  overlapMethodsCase,
  // hardware in the loop
  plateauCase,
  accommodatedFrictionCase,
  noiseCase,
  // Kim: control of a flexible arm
  kimLqrCase,
  kimImpedanceCase,
  kimCompositeCase,
  kimScenarioCase,
  // Kim: finite elements and their contact
  femElementsCase,
  femHertzCase,
  femBarCase,
  femStickSlipCase,
  femTwoBlocksCase,
  femSphereCase,
  femSpaceImpactCase,
  femAntennasCase,
  femCaptureCase,
  femControlledContactCase,
  // parameters from data, and statistics
  identificationCase,
  studyStatisticsCase,
];
