/** Every validation case, in the order of the report. */
import type { ValidationCase } from './case.ts';
import { accommodatedFrictionCase, noiseCase, plateauCase } from './cases/accommodation.ts';
import { bowdenLebenCase, bowdenLebenImplicitCase } from './cases/bowden-leben.ts';
import { doublePendulumCase, doublePendulumStepCase } from './cases/double-pendulum.ts';
import { directionCase, frictionCase } from './cases/friction.ts';
import { boreCase, boreImplicitCase } from './cases/bore.ts';
import { implicitImpactCase } from './cases/implicit-impact.ts';
import { inclineCase, inclineImplicitCase } from './cases/incline.ts';
import { bouncingBallCase } from './cases/modia3d-bouncing.ts';
import { billiardsCase, rollingStartCase } from './cases/modia3d-rolling.ts';
import { bouncingEllipsoidCase, rattlebackCase } from './cases/modia3d-ellipsoids.ts';
import { modia3dImpactCase, modia3dLawCase } from './cases/modia3d-law.ts';
import { newtonsCradleCase } from './cases/newtons-cradle.ts';
import { oneImpactCase, rigidImpactCase } from './cases/one-impact.ts';
import { dampingFactorCase, impactCase, restitutionOverSpeedCase } from './cases/normal-force.ts';
import { contactForceCase } from './cases/contact-force.ts';

export const VALIDATION_CASES: readonly ValidationCase[] = [
  dampingFactorCase,
  restitutionOverSpeedCase,
  impactCase,
  contactForceCase,
  directionCase,
  frictionCase,
  bowdenLebenCase,
  inclineCase,
  boreCase,
  bowdenLebenImplicitCase,
  doublePendulumCase,
  oneImpactCase,
  rigidImpactCase,
  inclineImplicitCase,
  boreImplicitCase,
  implicitImpactCase,
  doublePendulumStepCase,
  modia3dLawCase,
  modia3dImpactCase,
  bouncingBallCase,
  rollingStartCase,
  billiardsCase,
  rattlebackCase,
  bouncingEllipsoidCase,
  newtonsCradleCase,
  plateauCase,
  accommodatedFrictionCase,
  noiseCase,
];
